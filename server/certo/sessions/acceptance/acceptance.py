"""Accepting: from a candidate and today's text to an edit that was verified on exactly that text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path

from certo.edits.diff import with_hunks
from certo.edits.file_update import FileReplacement
from certo.edits.target import examples
from certo.presentation.behaviour import shortened
from certo.presentation.phrases import objection
from certo.project.file_stamps import look_at_files
from certo.search.board import CandidateState
from certo.sessions.acceptance.carry_over import RebasedCandidate, carry_elsewhere, rebase_candidate
from certo.sessions.acceptance.recheck import is_open, judge_patiently, problem_of
from certo.sessions.assembly.problem_statement import ExecutionContext, state_problem
from certo.sessions.live import LiveSearch, Stated
from certo.sessions.persistence.test_map import remembering
from certo.vocabulary.candidate import Candidate, FileChange, candidate_id
from certo.vocabulary.errors import BadSetting, CandidateNotFound, NotVerified, StaleText
from certo.vocabulary.problem import KnownTest, Problem, Target
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import TextEdit
from certo.vocabulary.verdict import Report

_AT_MOST = 80
"""Most characters of a finding in a refusal, which is to be read in a notification of two lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedEdit:
    """Edits that may be applied to exactly the text `before`, making it `after`; `report` was reached on `after`.

    `elsewhere` are the changes of other files, over what they hold now, without which the edits are nothing.
    `moved` says that the text, or another of the project's, had changed since the search began, so that everything was
    judged again; `merged` that the target itself had, so that both changes are in it now. `candidate_id` is another
    than the candidate's own when this is not what the search found. If it `is_in`, the editor has put the edits in by
    itself, as with ghost text.
    """

    candidate_id: str
    before: str
    after: str
    edits: tuple[TextEdit, ...]
    report: Report
    moved: bool
    merged: bool = False
    elsewhere: tuple[FileChange, ...] = ()
    is_in: bool = False

    @property
    def expected(self) -> str:
        """The text that the document has to have for this to hold."""
        return self.after if self.is_in else self.before

    def replacements(self, document: Path, root: Path) -> list[FileReplacement]:
        """Return what is to be written to the files, for a document that no editor has open."""
        own = FileReplacement(path=document, before=self.before, after=self.after)
        others = (
            FileReplacement(path=root / change.path, before=change.before, after=change.after)
            for change in self.elsewhere
        )
        return [own, *others]


async def prepare_acceptance(
    live: LiveSearch,
    wanted: str | None,
    current: str,
    unsaved: Mapping[str, str] | None = None,
    *,
    hunks: Collection[int] = (),
    say: Callable[[str], None] = lambda _: None,
) -> VerifiedEdit:
    """Make a candidate, or only these hunks of it, ready for the current text.

    On the text the search began with, a candidate that passed is ready as it is. When the text, another unsaved
    document, or a file of the project has changed since, the edits are moved to where their target now stands, or
    merged with what was changed in the target itself, and every verifier judges the result again. So it is with a
    search of an earlier process, for anything may have changed since, and with a part of a candidate, which is another
    one than that which passed.
    `wanted` is a candidate's id, None for the best one. `say` hears when judging takes a second attempt with more time.

    Raises:
        CandidateNotFound: there is no such candidate, or it did not pass.
        BadSetting: it has no such hunk, or changes other files too and so is to be had whole.
        StaleText: the change collides with the candidate, or the candidate no longer passes on the current text.
        NotVerified: the hunks alone do not pass.
    """
    row = _passed(live, wanted)
    problem, context = await problem_of(live)
    whole = live.text_with(row)
    if current == whole and not (hunks or row.elsewhere):
        ready = await prepare_acceptance(live, wanted, problem.text, unsaved, say=say)
        return replace(ready, is_in=True)
    if hunks and row.elsewhere:
        raise BadSetting(
            f"candidate #{row.number} changes other files too, and its parts do not stand alone; accept it all"
        )
    text = with_hunks(problem.text, (whole, hunks)) if hunks else whole
    others = dict(problem.unsaved if unsaved is None else unsaved)
    others_changed = others != dict(problem.unsaved) or await have_files_changed(live)
    moved = current != problem.text or others_changed
    if text == whole and not (moved or live.needs_rejudging):
        return VerifiedEdit(
            candidate_id=row.candidate_id,
            before=current,
            after=text,
            edits=row.edits,
            report=row.report,
            moved=False,
            elsewhere=row.elsewhere,
        )
    problem = replace(problem, unsaved=others)
    # The evidence is for another text, so the edit is moved or merged, and then judged on exactly the text it makes.
    carried = await rebase_candidate(problem, text, current)
    return await _carried(live, context, row, problem, current, carried, moved=moved, restate=others_changed, say=say)


async def _carried(
    live: LiveSearch,
    context: ExecutionContext,
    row: CandidateState,
    problem: Problem,
    current: str,
    carried: RebasedCandidate,
    *,
    moved: bool,
    restate: bool,
    say: Callable[[str], None],
) -> VerifiedEdit:
    """Judge a candidate that was carried over to the current text; raises what `prepare_acceptance` does."""
    if carried.merged and not row.verified:
        raise StaleText(
            f"{problem.path} was changed in {problem.target.qualname} itself since the search began, and no test shows "
            "what both changes do together; start a new search on the current text"
        )
    problem = replace(problem, text=current)
    # A merge may change what the tests expect, as another file may; after a mere move, only the places are others.
    if carried.merged or restate:
        problem = await _restated(live, context, problem, carried)
    else:
        problem = _moved(problem, carried.target)
    elsewhere = await carry_elsewhere(row.elsewhere, problem)
    candidate = Candidate(
        id=candidate_id(problem.text, carried.text, elsewhere),
        edits=carried.edits,
        text=carried.text,
        origin=row.origin,
        elsewhere=elsewhere,
    )
    report = await judge_patiently(live, context, problem, candidate, say)
    _refuse_unproved(row, report, _since(live, row, current, moved=moved, merged=carried.merged))
    return VerifiedEdit(
        candidate_id=report.candidate_id,
        before=current,
        after=carried.text,
        edits=carried.edits,
        report=report,
        moved=moved or live.needs_rejudging,
        merged=carried.merged,
        elsewhere=elsewhere,
    )


def need_passed(row: CandidateState) -> None:
    """Require that a candidate may be accepted.

    Raises:
        CandidateNotFound: it did not pass.
    """
    if not row.passed:
        raise CandidateNotFound(
            f"candidate #{row.number} did not pass its checks and cannot be accepted; take another, or retry"
        )


def _passed(live: LiveSearch, wanted: str | None) -> CandidateState:
    chosen = wanted or live.state.best
    if chosen is None:
        raise CandidateNotFound(f"no candidate of search {live.id} has passed; wait until one has, or retry")
    row = live.row(chosen)
    need_passed(row)
    return row


def _since(live: LiveSearch, row: CandidateState, current: str, *, moved: bool, merged: bool) -> str:
    """Return what is judged now, as the beginning of a sentence; "" if only a part of the candidate is wanted."""
    candidate = f"candidate #{row.number}"
    if moved:
        what = live.resolved.path if current != live.resolved.request.text else "another file of the project"
        return f"{what} has changed, and {candidate}{' merged with your changes' if merged else ''} now"
    return f"{candidate} was verified by an earlier process, and now" if live.needs_rejudging else ""


def _refuse_unproved(row: CandidateState, report: Report, since: str) -> None:
    """Refuse what does not pass as it would be applied, or what is not verified where the candidate was.

    Raises:
        StaleText: things are not as they were when the candidate was verified; `since` says how.
        NotVerified: they are, and this is a part of the candidate.
    """
    if report.failure is not None and is_open(report.failure):
        what, step = f"could not be decided: {_failing(report)}", "Try again when the machine has more time"
    elif report.failure is not None:
        what, step = f"{'fails' if since else 'fail'} {_failing(report)}", "Retry on the current text"
    elif row.verified and not report.verified:
        what = f"{'has' if since else 'have'} no test that executes a changed line"
        step = "Retry on the current text"
    else:
        return
    if since:
        raise StaleText(f"{since} {what}. {step}.", report=report)
    raise NotVerified(f"these hunks alone {what}", report=report)


def _failing(report: Report) -> str:
    """Return what a candidate fails, and at what: "test_stats (ZeroDivisionError: division by zero)"."""
    name, _, why = objection(report).partition(": ")
    return f"{name} ({shortened(why, _AT_MOST)})" if why else name


async def _restated(
    live: LiveSearch, context: ExecutionContext, problem: Problem, carried: RebasedCandidate
) -> Problem:
    """State a problem for the current text.

    Its tests and examples may be others, or stand otherwise; they are run on the text as it is, as when a search
    begins; the journal knows which of them have no part in it.
    """
    unsaved = {live.resolved.root / path: text for path, text in problem.unsaved.items()}
    request = replace(live.resolved.request, text=problem.text, unsaved=unsaved)
    resolved = replace(live.resolved, request=request, target=carried.target)
    async with remembering(resolved, context, live.journal) as knowing:
        stated = await state_problem(resolved, knowing, lambda _: None)
    return replace(stated, baseline_run=replace(stated.baseline_run, tools=problem.baseline_run.tools))


async def have_files_changed(live: LiveSearch) -> bool:
    """True if a file of the project has changed since the problem was stated: a test, or a module that it imports."""
    if not isinstance(live.phase, Stated):
        return False
    now = await look_at_files(live.resolved.root, apart_from=live.document)
    return not now.are_as(live.phase.files)


def _moved(problem: Problem, target: Target) -> Problem:
    """Restate a problem for its target's new place; the names of doctest examples have their lines in them."""
    moved = target.line - problem.target.line

    def renamed(test: KnownTest) -> KnownTest:
        if not test.is_doctest or test.is_given:
            return test
        name, _, line = test.id.rpartition(":")
        if name.removeprefix("doctest:") != target.qualname:
            # It stands elsewhere. If it has moved as well, it cannot be found and judges nothing.
            return test
        return replace(test, id=f"{name}:{int(line) + moved}")

    baseline = replace(problem.baseline, tests=tuple(map(renamed, problem.baseline.tests)))
    return replace(problem, target=target, baseline=baseline, examples=examples(target, problem.text))
