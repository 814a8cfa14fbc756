"""Lessons of a search without a language model: facts of its baseline, and outcomes of its candidates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from certo.analysis.edit_kinds import kind_of_change
from certo.edits.patch import apply_edits
from certo.knowledge.past_attempts import failed_with
from certo.search.board import CandidateState, SearchState
from certo.vocabulary.display import amount
from certo.vocabulary.events import SearchStarted
from certo.vocabulary.knowledge import MAX_CHARACTERS, Claim, PastAttempt, Quote
from certo.vocabulary.problem import KnownTest, Target
from certo.vocabulary.verdict import Verdict

_REACHED, _ASIDE, _REFUSED = "reached", "set aside", "refused"
"""The kinds of facts."""

_NAMED = 3
"""Maximum number of tests named; the others are counted."""

_DIFF_CHARACTERS = 1200
_FAILURE_CHARACTERS = 400
"""Maximum length of a failure kept for later searches."""


def fact_keys(board: SearchState) -> tuple[str, ...]:
    """Return the keys of all facts available now; facts of earlier searches under these keys are outdated.

    While no candidate has been judged, there is no key for refusals.
    """
    started = board.started
    if started is None:
        return ()
    kinds = (_REACHED, _ASIDE, _REFUSED) if board.rows else (_REACHED, _ASIDE)
    return tuple(_key(kind, started) for kind in kinds)


def facts(board: SearchState, target: Target) -> tuple[Claim, ...]:
    """Return the facts a search found about its function, independent of its candidates' success.

    These are the tests that reach it, tests that fail for unrelated reasons, and the verifier that refused most
    candidates.
    """
    started = board.started
    if started is None:
        return ()
    head = Quote(path=started.path, text=target.signature.splitlines()[0][:MAX_CHARACTERS])
    function = f"`{started.qualname}` in {started.path}"
    said: list[tuple[str, str, str, tuple[Quote, ...]]] = []
    if tests := [test for test in started.baseline.tests if not test.is_doctest]:
        said.append((_REACHED, "testing", f"{function} is reached by {_named(tests)}", (head, *_quotes(tests))))
    if tests := [test for test in started.baseline.failing_elsewhere if "::" in test.id and not test.is_older]:
        why = f" ({message})" if (message := " ".join(tests[0].message.split())) else ""
        text = f"before any change, and for reasons other than {function}, red were {_named(tests)}{why}"
        said.append((_ASIDE, "gotchas", text, _quotes(tests)))
    if text := _refusals(board, function):
        said.append((_REFUSED, "gotchas", text, (head,)))
    return tuple(
        Claim(key=_key(kind, started), section=section, text=_cut(text), search=started.search, quotes=quotes[:_NAMED])
        for kind, section, text, quotes in said
    )


def lessons(board: SearchState, candidate: str | None, base: str, target: Target) -> tuple[Claim, ...]:
    """Return the lessons of the branch that led to a candidate, the candidate's own last.

    A branch is the candidate and its failed ancestors; lessons of other branches are left out. `base` is the text that
    all candidates edit, and `target` the function in it.
    """
    started = board.started
    if started is None:
        return ()
    return tuple(_lesson(started, row, base, target) for row in branch(board.rows, candidate))


def branch(rows: Mapping[str, CandidateState], candidate: str | None) -> tuple[CandidateState, ...]:
    """Return a candidate and its ancestors, the oldest first."""
    upwards: dict[str, CandidateState] = {}
    while candidate is not None and candidate in rows and candidate not in upwards:
        upwards[candidate] = rows[candidate]
        candidate = rows[candidate].parent
    return tuple(reversed(upwards.values()))


def past_try(board: SearchState, row: CandidateState, at: float) -> PastAttempt | None:
    """Return a judged candidate as later searches remember it; None if the search had not started."""
    started = board.started
    if started is None:
        return None
    idea = board.ideas.get(row.origin.idea) if row.origin.idea is not None else None
    return PastAttempt(
        search=started.search,
        candidate=row.candidate_id,
        number=row.number,
        path=started.path,
        qualname=started.qualname,
        at=at,
        idea=_cut(row.origin.note if idea is None else idea.text),
        diff=row.diff[:_DIFF_CHARACTERS],
        failure=_failure(row)[:_FAILURE_CHARACTERS],
        passed=row.passed,
        verified=row.verified,
        cost=row.cost.value if row.cost is not None and row.cost.known else None,
        score=row.score,
    )


def _key(kind: str, started: SearchStarted) -> str:
    """Return the key of a fact of one kind about the function of a search."""
    return f"{kind} {started.path}::{started.qualname}"


def _lesson(started: SearchStarted, row: CandidateState, base: str, target: Target) -> Claim:
    """Return the lesson of one candidate."""
    function = f"`{started.qualname}` in {started.path}"
    kind = kind_of_change(base, apply_edits(base, row.edits), target.span)
    if row.passed:
        failing = started.baseline.failing
        wrong = failed_with(failing[0].message) if failing else ""
        text = f"{started.goal.value} {function}{f', which failed with {wrong}' if wrong else ''}: what {kind} passed"
    else:
        text = f"{started.goal.value} {function}: what {kind} was refused by {_failure(row) or 'nobody in time'}"
    return Claim(
        key=f"candidate {started.search} {row.candidate_id}",
        section="where_to_edit" if row.passed else "gotchas",
        text=_cut(text),
        search=started.search,
        candidate=row.candidate_id,
    )


def _refusals(board: SearchState, function: str) -> str:
    """Return the verifier that refused most candidates, with the main reason; empty if none did."""
    failures = [failure for row in board.rows.values() if (failure := row.report.failure) is not None]
    if not failures:
        return ""
    # On a tie, the verifier that refused a candidate first.
    (verifier, refused), *_ = Counter(failure.verifier for failure in failures).most_common(1)
    wrong = Counter(filter(None, (failed_with(_message(each)) for each in failures if each.verifier == verifier)))
    mostly = f", mostly for {wrong.most_common(1)[0][0]}" if wrong else ""
    return f"of {amount(len(board.rows), 'candidate')} for {function}, `{verifier}` refused {refused}{mostly}"


def _failure(row: CandidateState) -> str:
    failure = row.report.failure
    return "" if failure is None else f"`{failure.verifier}`: {_message(failure)}"


def _message(verdict: Verdict) -> str:
    return " ".join(verdict.findings[0].message.split()) if verdict.findings else "it said no more"


def _named(tests: list[KnownTest]) -> str:
    named = ", ".join(test.id for test in tests[:_NAMED])
    return named if len(tests) <= _NAMED else f"{named} and {len(tests) - _NAMED} more"


def _quotes(tests: list[KnownTest]) -> tuple[Quote, ...]:
    """Return the definitions of tests, each once; parametrized tests of one function count as one."""
    return tuple(dict.fromkeys(_definitions(tests)))[:_NAMED]


def _definitions(tests: list[KnownTest]) -> Iterator[Quote]:
    for test in tests[: 4 * _NAMED]:
        path, _, name = test.id.partition("[")[0].partition("::")
        if function := name.rpartition("::")[2]:
            yield Quote(path=path, text=f"def {function}("[:MAX_CHARACTERS])


def _cut(text: str) -> str:
    return text if len(text) <= MAX_CHARACTERS else f"{text[: MAX_CHARACTERS - 1]}…"
