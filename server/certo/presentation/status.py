"""Status texts about a search and its candidates, the same wherever they are shown."""

from __future__ import annotations

from enum import Enum

from certo.presentation.evidence_level import level_in_short, tests_in_words, verified_in_words
from certo.presentation.phrases import all_writing, cost_in_words, is_remark, said_of_change, tests_of, votes_as_dots
from certo.presentation.rivals import agreement_in_words, differing_calls, uncompared, why_alone
from certo.presentation.search_view import SearchView
from certo.search.board import CandidateState, SearchState
from certo.search.second_opinion import is_weakly_tested
from certo.vocabulary.candidate import OWN
from certo.vocabulary.display import amount, one_line
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Baseline, Goal, Target
from certo.vocabulary.verdict import NO_TEST, Ruling, Verdict

TWO_LINES = 160
"""Number of characters that a message should have at most."""

WHICH = "Retry with an example of what is right."
"""The question that decides between candidates that behave differently."""

_OF_TOOLS = {"types", "lint"}
"""Verifiers that run the project's own tools, which not every project has."""


def short_name(target: Target) -> str:
    """Return a function's name as the user would write it: "Till.total", "outer.inner"."""
    return target.short_name


def standing(row: CandidateState) -> str:
    """Return the evidence for a candidate that passed: "verified by 7 weak tests, 2 of them newly passing"."""
    passed, _, newly = tests_of(row.verdicts)
    if not row.verified:
        return f"NOT VERIFIED, {row.caveat or NO_TEST}"
    verified = f"{'verified, not tried apart,' if row.caveat else 'verified'} by {tests_in_words(row.report, passed)}"
    if not newly:
        return verified
    return f"{verified}, newly passing" if newly == passed == 1 else f"{verified}, {newly} of them newly passing"


def praise(row: CandidateState) -> str:
    """Return evidence and cost of a candidate that passed, in a line: "✓ 14/14 tests · types ok · 4 points"."""
    parts = [f"✓ {tally(row)}" if row.verified else f"? {standing(row)}"]
    parts += [f"{verdict.verifier} ok" for verdict in row.verdicts if verdict.verifier in _OF_TOOLS]
    parts += [
        f"{verdict.verifier} {dots}"
        for verdict in row.verdicts
        if verdict.votes is not None and (dots := votes_as_dots(verdict.votes))
    ]
    return " · ".join([*parts, said_of_change(row.cost)] if row.cost else parts)


def tally(row: CandidateState) -> str:
    """Return a candidate's tests in short: "7/7 tests, strong", "7/7 tests, not tried apart" or "not verified"."""
    passed, collected, _ = tests_of(row.verdicts)
    more = [level_in_short(row.report), "not tried apart" if row.caveat else ""]
    return ", ".join([f"{passed}/{collected} tests", *filter(None, more)]) if row.verified else "not verified"


def running_for(live: SearchView) -> str:
    """Return the time and candidates of a search so far: "12 s, 3 candidates"."""
    return f"{live.seconds:.0f} s, {amount(len(live.state.rows), 'candidate')}"


def passing_line(live: SearchView) -> str:
    """Return a running search in one line: "3 candidates · best 2 tokens · 7/7 tests · 4 s"."""
    board = live.state
    parts = [amount(len(board.rows), "candidate")] if board.rows else []
    best = board.best_row
    judged = next((row for row in reversed(board.rows.values()) if row.judging is not None), None)
    if best is None and judged is not None:
        parts.append(f"checking #{judged.number}: {judged.at_work}")
    elif best is None:
        parts.append(all_writing(board.drafts.values()) or board.message or "starting")
    if best is not None:
        if best.cost is not None:
            parts.append(f"best {cost_in_words(best.cost)}")
        parts.append(tally(best))
    return " · ".join([*parts, f"{live.seconds:.0f} s"])


def objection(verdict: Verdict) -> str:
    """Return the reason why a candidate failed: the verifier and its first finding."""
    found = verdict.findings[0].message if verdict.findings else verdict.ruling.value
    return f"{verdict.verifier}: {one_line(found)}"


def ending(live: SearchView) -> tuple[str, bool]:
    """Return the end of a search in words, and True if that is good news."""
    name, stopped, best = short_name(live.target), live.state.stopped, live.state.best_row
    if best is not None and best.verified:
        caveat = f" It is {best.caveat}." if best.caveat else ""
        return f"`{name}` is {standing(best)}.{caveat}{_doubt(live, best)}", True
    if best is not None:
        return (
            f"a candidate for `{name}` passed, but {best.caveat or NO_TEST}: it is NOT VERIFIED. "
            "Read its diff before you accept it, or add a test and retry.",
            False,
        )
    if stopped is not None and stopped.outcome is Outcome.NOTHING_TO_FIX:
        return f"`{name}` needs no repair. {why(live)} {stopped.outcome.advice}", True
    advice = "" if live.followed_by is not None else next_step(live.state)
    return f"nothing found for `{name}`. {_why_in_short(live, advice)}".rstrip(), False


def next_step(board: SearchState) -> str:
    """Return what may help after a search; empty while it runs, and where nothing would."""
    if needs_model(board):
        return "Let a language model try: it can follow an instruction."
    return board.stopped.outcome.advice if board.stopped is not None else ""


def is_untested(board: SearchState) -> bool:
    """True if no test of a function that exists gave a result, so that tests of what it does today would help."""
    started = board.started
    if started is None or started.goal is Goal.IMPLEMENT:
        return False
    return not started.baseline.passing and not started.baseline.failing


def needs_model(board: SearchState) -> bool:
    """True if a search ended without a candidate because the built-in generator cannot follow its instruction."""
    if board.stopped is None or board.started is None or board.stopped.outcome is not Outcome.EXHAUSTED:
        return False
    return board.started.generator == OWN and board.started.goal is Goal.REWRITE


def passed_on(live: SearchView, after: SearchView) -> str:
    """Return the message about a search that found nothing and is followed by the next suspects."""
    place = f"{after.path}:{after.target.line}"
    following = "the next suspect" if after.target.second is None else "two suspects together"
    return f"{ending(live)[0]} Searching {following}: `{short_name(after.target)}` ({place})."


def _doubt(live: SearchView, best: CandidateState) -> str:
    """Return a note that other candidates pass and behave differently, with the calls to decide by.

    If few tests depend on the target, it says too that nothing was compared.
    """
    contenders = live.state.contenders(best)
    if not contenders:
        alone = why_alone(best, contenders) if is_weakly_tested(best.report) else ""
        return f" It was compared {alone}." if alone else ""
    unknown = uncompared(contenders)
    if len(unknown) == len(contenders) - 1:
        others = "Another candidate also passes" if len(unknown) == 1 else f"{len(unknown)} others also pass"
        return f" {others} and could not be compared: {unknown[0].uncompared}."
    if best.compared:
        known = agreement_in_words(best, live.state.groups())
        return f" {known[:1].upper()}{known[1:]}. {WHICH}"
    rivals = len(contenders) - 1 - len(unknown)
    also = "Another candidate also passes and behaves" if rivals == 1 else f"{rivals} others also pass and behave"
    calls = "; ".join(differing_calls(best, contenders))
    return f" {also} differently: {calls}. {WHICH}"


def why(live: SearchView) -> str:
    """Return the reason why a search stopped: the outcome, and details of this search."""
    stopped, started = live.state.stopped, live.state.started
    if stopped is None:
        return "It is still running."
    baseline = started.baseline if started else Baseline()
    problems = [problem for problem in baseline.problems if not is_remark(problem)]
    more = (_sentence(said) for said in (stopped.reason.strip(), *problems) if said)
    return " ".join(dict.fromkeys([stopped.outcome.value, *more]))


def _why_in_short(live: SearchView, advice: str) -> str:
    """Return the reason why a search found nothing, and the advice, in about two lines: its card says more."""
    stopped = live.state.stopped
    whole = f"{why(live)} {advice}"
    if stopped is None or len(whole) <= TWO_LINES or not stopped.reason.strip():
        return whole
    reason = _sentence(stopped.reason.strip())
    said = f"{stopped.outcome.value} {reason} {advice}"
    return said if len(said) <= TWO_LINES else f"{reason} {advice}"


def _sentence(words: str) -> str:
    """Return text as a sentence of its own; a path or name at its beginning keeps its spelling."""
    words = one_line(words)
    begun = words[:1].upper() + words[1:] if words.partition(" ")[0].isalpha() else words
    return begun if begun.endswith((".", "!", "?")) else f"{begun}."


class CandidateStatus(Enum):
    """Status of a candidate; each value is the word for the user."""

    VERIFIED = "verified"
    NOT_APART = "verified, not tried apart"
    UNVERIFIED = "not verified"
    FAILED = "failed"
    UNDECIDED = "undecided"
    JUDGING = "being checked"
    LEFT = "left unchecked"

    @property
    def sign(self) -> str:
        """The sign of the status; shapes differ by the action they call for, so colour is not needed."""
        return _SIGNS[self]


_SIGNS = {
    CandidateStatus.VERIFIED: "✓",
    CandidateStatus.NOT_APART: "✓",
    CandidateStatus.UNVERIFIED: "?",
    CandidateStatus.FAILED: "✗",
    CandidateStatus.UNDECIDED: "?",
    CandidateStatus.JUDGING: "…",
    CandidateStatus.LEFT: "–",
}


def standing_of(row: CandidateState, *, over: bool) -> CandidateStatus:
    """Return the status of a candidate; only one exercised by a test is verified.

    If the search is `over`, a partly judged candidate stays so.
    """
    if not row.scored:
        return CandidateStatus.LEFT if over else CandidateStatus.JUDGING
    if row.passed:
        if not row.verified:
            return CandidateStatus.UNVERIFIED
        return CandidateStatus.NOT_APART if row.caveat else CandidateStatus.VERIFIED
    failed = any(verdict.ruling is Ruling.FAILED for verdict in row.verdicts)
    return CandidateStatus.FAILED if failed else CandidateStatus.UNDECIDED


def status_in_words(row: CandidateState, *, over: bool) -> str:
    """Return the status of a candidate in words, with the level of the evidence for it: "verified by weak tests"."""
    return verified_in_words(row.report) if row.verified else standing_of(row, over=over).value
