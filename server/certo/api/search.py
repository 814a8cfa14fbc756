"""A search for the code of a specification: the same engine, verifiers and sandbox as in an editor."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from certo.api.adapters import checked_calls
from certo.api.early_answer import EarlyAnswer
from certo.api.execution import Code
from certo.api.generated import Generated, Passed, Tried
from certo.api.given_settings import names_strategy, sets_seconds
from certo.api.loop_template import TemplateGenerator, wants_template
from certo.api.own_parts import OwnParts, own_parts
from certo.api.scaffold import PATH, TESTS_PATH, scaffold, tools_text
from certo.api.search_end import end_of
from certo.api.specification import Specification
from certo.api.strategy import Strategy
from certo.concurrency import side_by_side
from certo.edits.patch import apply_edits
from certo.edits.target import ByName
from certo.llm.model import ChatModel
from certo.search.board import CandidateState
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch, Stated
from certo.sessions.searches import Searches
from certo.settings.loader import load_settings
from certo.vocabulary.errors import AttemptsFailed
from certo.vocabulary.events import Event, SearchStopped
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass

Listener = Callable[[LiveSearch, Event], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiRequest:
    """One search to be made: what is wanted, how to come to it, the model to write it, and the settings."""

    wanted: Specification
    strategy: Strategy
    model: ChatModel | None
    settings: Mapping[str, Any]
    environ: Mapping[str, str]


async def search_for(wish: ApiRequest, listener: Listener) -> Generated:
    """Search for code that passes, in a project made for that.

    Raises:
        AttemptsFailed: no candidate passed; it has every one that was tried.
        BadRequest: a setting, or something that was given to judge or to write, is not as it should be.
        BrokenWorld: nothing can be run here, or the model did not answer.
    """
    files, flags = scaffold(wish.wanted), _flags(wish)
    own = _own_parts(wish, flags)
    early = _early_answer(own, files)
    writer = own.writer if early is None else early.beside(own.writer)
    with _project(files) as root:
        request = Request(
            document=root / PATH,
            text=files[PATH],
            place=ByName(wish.wanted.name),
            flags=flags,
            is_untested=not wish.wanted.tests.strip(),
        )
        async with side_by_side() as group:
            searches = Searches(group, environ=wish.environ, refit=own.put_into, own_generator=writer)
            searches.subscribe(listener)
            live = searches.start(request)
            if early is not None:
                group.start_soon(early.ask, live)
            await live.run.stopped.wait()
            group.cancel_scope.cancel()
    return _concluded(wish.wanted, live)


@contextmanager
def _project(files: Mapping[str, str]) -> Iterator[Path]:
    """Yield the files in a directory of their own, by the name that processes see it under."""
    with tempfile.TemporaryDirectory(prefix="certo-wanted-") as folder:
        root = Path(folder).resolve()
        for path, text in files.items():
            (root / path).write_text(text, encoding="utf-8")
        yield root


def _flags(wish: ApiRequest) -> dict[str, Any]:
    """Return the settings of the search: the caller's, and what the strategy decides."""
    if sets_seconds(wish.settings, wish.strategy, wish.environ):
        return dict(wish.settings)
    return {**wish.settings, "search.seconds": wish.strategy.seconds}


def _own_parts(wish: ApiRequest, flags: Mapping[str, Any]) -> OwnParts:
    """Return the parts that the strategy names, with the checks of the tools that are wanted before its own.

    Raises the errors of `own_parts`.
    """
    follows = names_strategy(wish.settings, wish.strategy, wish.environ)
    own = own_parts(
        wish.strategy,
        wish.model,
        given={},
        shared=wish.settings,
        in_force=load_settings(Path(os.devnull), client=None, environ=wish.environ, flags=flags),
        follows_settings=follows,
        wanted=wish.wanted,
    )
    own = replace(own, verifiers=(*checked_calls(wish.wanted), *own.verifiers))
    if own.generator is None and wants_template(own.verifiers):
        return replace(own, generator=TemplateGenerator(wish.wanted), tries=0)
    return own


def _early_answer(own: OwnParts, files: Mapping[str, str]) -> EarlyAnswer | None:
    """Return what asks the model at once; None if something else writes, or a strategy may ask otherwise."""
    if own.model is None or own.generator is not None or own.strategy is None:
        return None
    return EarlyAnswer(own.model, (TESTS_PATH, files[TESTS_PATH]) if TESTS_PATH in files else None)


def _concluded(wanted: Specification, live: LiveSearch) -> Generated:
    """Return the result of a search that has stopped."""
    stopped, board, phase = end_of(live), live.state, live.phase
    tried = tuple(Tried.of(row) for row in board.rows.values())
    ranked = board.ranked()
    if not ranked or not isinstance(phase, Stated):
        raise AttemptsFailed(_why(wanted, stopped, tried), attempts=tried, spent=stopped.spent)
    return Generated(
        name=wanted.name,
        outcome=stopped.outcome,
        passed=tuple(_passed(row, phase.problem, wanted) for row in ranked),
        tried=tried,
        spent=stopped.spent,
    )


def _why(wanted: Specification, stopped: SearchStopped, tried: tuple[Tried, ...]) -> str:
    last = f" The last of {len(tried)} candidates failed: {tried[-1].error}." if tried else ""
    reason = f" {stopped.reason}" if stopped.reason else ""
    return f"{wanted.name} was not written: {stopped.outcome.value}{reason}{last}"


def _passed(row: CandidateState, problem: Problem, wanted: Specification) -> Passed:
    text = apply_edits(problem.text, row.edits)
    span, grown = problem.target.span, len(text) - len(problem.text)
    if row.cost is None:
        raise ValueError(f"candidate {row.candidate_id} passed and has no cost")
    return Passed(
        candidate_id=row.candidate_id,
        code=Code(text=text, function=wanted.name, tools=tools_text(wanted) if wanted.tools else ""),
        source=text[span.start : span.end + grown],
        report=row.report,
        verified=row.verified,
        cost=row.cost,
        standing=row.standing,
    )
