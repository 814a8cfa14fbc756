"""Accepting: from a candidate and today's text to an edit that was verified on exactly that text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from certo.edits.rebase import Rebased, rebase
from certo.edits.source import parse_source
from certo.edits.target import ByName, examples, find_target
from certo.search.board import Row
from certo.sessions.assembly import pipeline
from certo.sessions.searches import LiveSearch
from certo.vocabulary.candidate import Candidate, candidate_id
from certo.vocabulary.errors import BadSetting, StaleText
from certo.vocabulary.problem import KnownTest, Problem, Target
from certo.vocabulary.text import TextEdit
from certo.vocabulary.verdict import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """Edits that may be applied to exactly the text `before`, making it `after`; `report` was reached on `after`.

    `moved` says that the text had changed since the search began, so that everything was judged again.
    """

    before: str
    after: str
    edits: tuple[TextEdit, ...]
    report: Report
    moved: bool


async def make_ready(
    live: LiveSearch, wanted: str | None, current: str, unsaved: Mapping[str, str] | None = None
) -> Ready:
    """Make a candidate ready for the text as it is now.

    On the text the search began with, a candidate that passed is ready as it is. When the text, or another unsaved
    document, has changed since, the edits are moved to where their target now stands and every verifier judges the
    result again; so it is with a search of an earlier process, for anything may have changed since. `wanted` is a
    candidate's id, None for the best one.

    Raises:
        BadSetting: there is no such candidate, or it did not pass.
        StaleText: the change collides with the candidate, or the candidate no longer passes on the text as it is now.
    """
    row = _passed(live, wanted)
    if live.problem is None and live.state_again is not None:
        await live.state_again()
    problem = live.problem
    if problem is None:
        raise BadSetting(f"search {live.id} has no candidate yet")
    others = dict(problem.unsaved if unsaved is None else unsaved)
    moved = rebase(problem.text, current, row.edits, guard=problem.target.span)
    if current == problem.text and others == dict(problem.unsaved) and not live.recalled:
        return Ready(before=current, after=moved.text, edits=moved.edits, report=row.report, moved=False)
    report = await _judge_again(live, row, replace(problem, text=current, unsaved=others), moved)
    return Ready(before=current, after=moved.text, edits=moved.edits, report=report, moved=True)


def _passed(live: LiveSearch, wanted: str | None) -> Row:
    chosen = wanted or live.board.best
    row = live.board.rows.get(chosen) if chosen else None
    if row is None:
        raise BadSetting(f"search {live.id} has no candidate {wanted!r}" if wanted else "no candidate has passed yet")
    if not row.passed:
        raise BadSetting(f"candidate #{row.number} did not pass its checks and cannot be accepted")
    return row


async def _judge_again(live: LiveSearch, row: Row, problem: Problem, moved: Rebased) -> Report:
    """Let every verifier judge the moved candidate on today's text.

    Raises:
        StaleText: it does not pass there, or the text around it no longer parses.
    """
    world = live.world
    if world is None:
        raise BadSetting(f"search {live.id} has no candidate yet")
    parse_source(problem.text, problem.path)
    target = find_target(problem.text, ByName.of(problem.target), path=problem.path)
    candidate = Candidate(
        id=candidate_id(problem.text, moved.text), edits=moved.edits, text=moved.text, origin=row.origin
    )
    problem = _restated(problem, target)
    settings = live.aim.settings
    verifiers = pipeline(
        settings,
        baseline=problem.baseline,
        guidance=problem.guidance,
        grounds=world.grounds(settings.tests),
        toolbox=world.toolbox(settings.verify),
        models=live.models,
    )
    report = await verifiers.judge(candidate, problem, started=lambda _: None, reached=lambda _: None)
    since = (
        f"candidate #{row.number} was verified by an earlier process, and as things stand now"
        if live.recalled
        else f"{problem.path} has changed since candidate #{row.number} was verified, and on the text as it is now"
    )
    if report.failure is not None:
        why = report.failure.findings[0].message if report.failure.findings else "it said no more"
        raise StaleText(f"{since} {report.failure.verifier} no longer passes: {why}. Retry on the current text.")
    if row.verified and not report.verified:
        raise StaleText(f"{since} no test executes a changed line any more. Retry on the current text.")
    return report


def _restated(problem: Problem, target: Target) -> Problem:
    """Restate a problem for its target's new place; the names of doctest examples have their lines in them."""
    moved = target.line - problem.target.line

    def renamed(test: KnownTest) -> KnownTest:
        if not test.is_doctest or test.is_given:
            return test
        name, _, line = test.id.rpartition(":")
        return replace(test, id=f"{name}:{int(line) + moved}")

    baseline = replace(problem.baseline, tests=tuple(map(renamed, problem.baseline.tests)))
    return replace(problem, target=target, baseline=baseline, examples=examples(target, problem.text))
