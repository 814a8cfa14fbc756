"""A search in a project, as Python sees it: its events, its result, and its candidates."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import ClassVar

import anyio

from certo.api.generated import Tried
from certo.api.search_end import end_of
from certo.behaviour.comparison import Comparison
from certo.edits.file_update import replace_texts
from certo.edits.source import read_source
from certo.presentation.card import card_of
from certo.presentation.card_formats import markdown
from certo.search.board import CandidateState
from certo.sessions.acceptance.acceptance import prepare_acceptance
from certo.sessions.acceptance.recheck import compare
from certo.sessions.live import LiveSearch, Stated
from certo.sessions.persistence.knowledge import learn_accepted
from certo.sessions.searches import Searches
from certo.sessions.verdict_claims import sign_verdict
from certo.vocabulary.candidate import Standing
from certo.vocabulary.cost import Cost, Spent
from certo.vocabulary.errors import AttemptsFailed, StaleText
from certo.vocabulary.events import Event, SearchStopped
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.records import dataclass
from certo.vocabulary.score import Score
from certo.vocabulary.truth import NoTruthValue
from certo.vocabulary.verdict import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundChange(NoTruthValue):
    """A change that passed every check: the diff, the text of the whole file with it, and the evidence.

    `digest` vouches for the verdict on exactly that text, for `certo check`; it is empty if nothing was kept.
    """

    ask_for: ClassVar[str] = ".verified"

    candidate_id: str
    diff: str
    text: str
    report: Report
    verified: bool
    cost: Cost
    score: Score | None = None
    standing: Standing = field(default=Standing())
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult(NoTruthValue):
    """The result of a search: changes of `path` that passed, the best first, and all that were tried, in order."""

    ask_for: ClassVar[str] = ".verified"

    path: str
    qualname: str
    outcome: Outcome
    passed: tuple[FoundChange, ...]
    tried: tuple[Tried, ...]
    spent: Spent

    @property
    def best(self) -> FoundChange:
        """The change that won."""
        return self.passed[0]

    @property
    def verified(self) -> bool:
        """True if a test executed the best change and everything passed."""
        return self.best.verified


class ProjectSearch:
    """A search in a project. Iterate over it for its events, as they happen; `result` waits for its end."""

    def __init__(self, searches: Searches, live: LiveSearch, *, has_own_checks: bool) -> None:
        self._searches = searches
        self._live = live
        self._has_own_checks = has_own_checks
        self._following: dict[str, LiveSearch] = {}
        self._events: list[tuple[LiveSearch, Event]] = []
        self._happened = anyio.Event()
        self._leave = searches.subscribe(self._hear)

    async def __aiter__(self) -> AsyncIterator[Event]:
        """Yield every event from the beginning, those of searches in further suspects of a test after the first's."""
        live, place = self._live, 0
        while True:
            while place < len(self._events):
                of, event = self._events[place]
                place += 1
                if of is not live:
                    continue
                yield event
                if isinstance(event, SearchStopped):
                    after = self._after(live)
                    if after is None:
                        return
                    live, place = after, 0
            await self._happened.wait()

    async def result(self) -> SearchResult:
        """Wait for the end, and return all that passed.

        Raises:
            AttemptsFailed: no candidate passed; it has every one that was tried.
            BadRequest: the search cannot be made as asked.
            BrokenWorld: nothing can be run here, or the model did not answer.
        """
        return _concluded(await self._ended(), self._searches.environ)

    @property
    def id(self) -> str:
        """The id of the search, as `certo searches` lists it."""
        return self._live.id

    @property
    def path(self) -> str:
        """The function's file, relative to the root; for a failing test, that of the function searched at last."""
        return self._newest.path

    @property
    def qualname(self) -> str:
        """The qualified name of the function."""
        return self._newest.resolved.target.qualname

    async def explain(self, candidate_id: str | None = None) -> str:
        """Return one of the candidates in words, by default the best, or why there is none; as Markdown."""
        live = await self._ended()
        chosen = candidate_id or live.state.best
        return markdown(card_of(live, None if chosen is None else live.row(chosen)))

    async def compare(self, candidate_id: str, other_id: str) -> Comparison:
        """Look for a call that two candidates answer differently."""
        live = await self._ended()
        return await compare(live, live.row(candidate_id), live.row(other_id))

    async def apply(self, candidate_id: str | None = None) -> Path:
        """Write the best change, or that candidate's, to its files, and return the path of the function's file.

        It is written only as verified on exactly the text that the file has by then. Checks of a `Strategy` are not
        asked again, so with any of these the text has to be the one that was searched.

        Raises:
            StaleText: the file has changed so that the change does not fit, no longer passes, or is not verified on it.
            BadRequest: a file cannot be written; nothing has changed.
        """
        live = await self._ended()
        ready = await prepare_acceptance(live, candidate_id, read_source(live.document))
        if not ready.report.verified:
            raise StaleText(f"no test exercises the change on the text that {live.document} has; nothing was written")
        if ready.moved and self._has_own_checks:
            raise StaleText(
                f"{live.document} or another file has changed, and the strategy's own checks have not judged that; "
                "search again. Nothing was written"
            )
        replace_texts(ready.replacements(live.document, live.resolved.root))
        live.acceptance.accepted = True
        learn_accepted(live, candidate_id or live.state.best)
        self._searches.forget(live)
        return live.document

    async def cancel(self) -> None:
        """End the search; its processes and connections are gone when this returns."""
        live: LiveSearch | None = self._live
        while live is not None:
            if live.running:
                await self._searches.cancel(live)
            live = self._after(live)
        # Whoever reads the events has heard of the end by now.
        self._leave()

    async def _ended(self) -> LiveSearch:
        """Wait for the end of the search, and of those that followed it; return the last one."""
        live = self._live
        while True:
            await live.run.stopped.wait()
            if (after := self._after(live)) is None:
                return live
            live = after

    @property
    def _newest(self) -> LiveSearch:
        """The search in the last suspect so far."""
        live = self._live
        while (after := self._after(live)) is not None:
            live = after
        return live

    def _after(self, live: LiveSearch) -> LiveSearch | None:
        """Return the search in the next suspect; it is remembered, for one that was applied is forgotten elsewhere."""
        after = live.followed_by
        if after is not None and after not in self._following:
            self._following[after] = self._searches.get(after)
        return None if after is None else self._following[after]

    def _hear(self, live: LiveSearch, event: Event) -> None:
        self._events.append((live, event))
        self._happened.set()
        self._happened = anyio.Event()


def _concluded(live: LiveSearch, environ: Mapping[str, str]) -> SearchResult:
    stopped, board = end_of(live), live.state
    tried = tuple(Tried.of(row) for row in board.rows.values())
    passed = tuple(_passed(row, live, environ) for row in board.ranked())
    qualname = live.resolved.target.qualname
    if not passed:
        reason = f" {stopped.reason}" if stopped.reason else ""
        raise AttemptsFailed(
            f"no change of {qualname} passed: {stopped.outcome.value}{reason}", attempts=tried, spent=stopped.spent
        )
    return SearchResult(
        path=live.path, qualname=qualname, outcome=stopped.outcome, passed=passed, tried=tried, spent=stopped.spent
    )


def _passed(row: CandidateState, live: LiveSearch, environ: Mapping[str, str]) -> FoundChange:
    if row.cost is None:
        raise ValueError(f"candidate {row.candidate_id} passed and has no cost")
    return FoundChange(
        candidate_id=row.candidate_id,
        diff=row.diff,
        text=live.text_with(row),
        report=row.report,
        verified=row.verified,
        cost=row.cost,
        score=row.score,
        standing=row.standing,
        digest=_digest(row, live, environ),
    )


def _digest(row: CandidateState, live: LiveSearch, environ: Mapping[str, str]) -> str:
    """Return the digest of a candidate's verdict, on the texts of all files that it changes."""
    if not isinstance(live.phase, Stated):
        return ""
    problem = live.phase.problem
    elsewhere = {change.path: change.after for change in row.elsewhere}
    texts = {live.path: live.text_with(row), **problem.unsaved, **elsewhere}
    since = time.time() - (time.monotonic() - live.run.began)
    return sign_verdict(live.resolved, row.report, problem.baseline, environ, texts=texts, since=since)
