"""Comparison of a winner and its rivals: results of the same calls, and examples that decide between them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

from certo.search.board import CandidateState
from certo.vocabulary.candidate import Observation
from certo.vocabulary.display import amount

_DEEDS = ("raises ", "yields ", "does not come back")
"""Beginnings of results that are no values."""

UNUSUAL = "only on calls unlike those of the tests"
"""Added if no usual call tells candidates apart."""

Results = tuple[tuple[str, tuple[CandidateState, ...]], ...]
"""Results of one call in words, each with the candidates that give it."""


def compared(contenders: Sequence[CandidateState]) -> tuple[tuple[str, Results], ...]:
    """Return the calls that distinguish all candidates, each with its results in the order of candidates."""
    table: dict[str, dict[str, list[CandidateState]]] = {}
    for row in contenders:
        for seen in row.observations:
            table.setdefault(seen.call, {}).setdefault(did(seen.result), []).append(row)
    return tuple(
        (call, tuple((said, tuple(rows)) for said, rows in results.items()))
        for call, results in table.items()
        if len(results) > 1
    )


def uncompared(contenders: Sequence[CandidateState]) -> tuple[CandidateState, ...]:
    """Return the rivals of a winner whose behaviour is unknown."""
    return tuple(row for row in contenders[1:] if row.uncompared)


def why_alone(row: CandidateState, contenders: Sequence[CandidateState]) -> str:
    """Return that the only answer that passed was compared with no other, and why; "" for one beside others."""
    return f"with no other answer: {row.uncompared}" if row.uncompared and not contenders else ""


def agreement_in_words(row: CandidateState, groups: Sequence[Sequence[CandidateState]]) -> str:
    """Return how a candidate stands beside the others that passed, in a line; "" if it was compared with none.

    "2 of 3 candidates agree; #1 differs on `median([1, 2, 6])`: 2 here, 3.0 there"
    """
    own = next((group for group in groups if row in group), ())
    apart = [said for group in groups if group is not own and (said := _differs(row, group))]
    return "; ".join(filter(None, [_votes(row, own), *apart])) + (f" ({UNUSUAL})" if row.unusual and apart else "")


def _votes(row: CandidateState, own: Sequence[CandidateState]) -> str:
    if row.compared < 2:
        return ""
    if row.agreeing == row.compared and len(own) == 1:
        return f"the same answer was given {row.agreeing} times"
    if row.agreeing == row.compared:
        return f"all {row.compared} candidates agree on the calls that were tried"
    repeated = ", counting answers that were given more than once" if row.agreeing > len(own) else ""
    partly = row.backed - row.agreeing
    if row.agreeing == 1 and not partly:
        return f"no other of {row.compared} candidates agrees"
    more = f", and {partly} more wherever both answer" if partly else ""
    return f"{row.agreeing} of {amount(row.compared, 'candidate')} agree{more}{repeated}"


def _differs(row: CandidateState, group: Sequence[CandidateState]) -> str:
    """Return the most telling call on which a group differs from a candidate, with both results."""
    theirs = {seen.call: seen.result for seen in group[0].observations}
    differing = [seen for seen in row.observations if theirs.get(seen.call, seen.result) != seen.result]
    if not differing:
        return ""
    # Two values tell more than a value and no answer; the order of the calls decides otherwise.
    seen = min(differing, key=lambda each: each.result.startswith(_DEEDS) + theirs[each.call].startswith(_DEEDS))
    who = " and ".join(f"#{other.number}" for other in group)
    differ = "differs" if len(group) == 1 else "differ"
    return f"{who} {differ} on `{seen.call}`: {seen.result} here, {theirs[seen.call]} there"


def differing_calls(row: CandidateState, contenders: Sequence[CandidateState]) -> tuple[str, ...]:
    """Return a sentence per distinguishing call from one candidate's view: "f(1) gives 2 here, gives 3 with #2"."""
    ordered = sorted(contenders, key=lambda other: other is not row)
    return tuple(
        f"{call} {', '.join(f'{said} {_who(rows, row)}' for said, rows in results)}"
        for call, results in compared(ordered)
    )


def deciding_examples(row: CandidateState, others: Iterable[CandidateState]) -> tuple[Observation, ...]:
    """Return a minimal set of results of a candidate that none of the others shares; empty if there is none.

    Only values that can be written as literals are used, so that each can become an example.
    """
    left = [other for other in others if other is not row and not (row.agreeing and not row.acts_otherwise(other))]
    chosen = []
    while left:
        ruled = {seen: [other for other in left if _contradicts(other, seen)] for seen in row.observations}
        best = max(row.observations, key=lambda seen: len(ruled[seen]), default=None)
        if best is None or not ruled[best]:
            return ()
        chosen.append(best)
        left = [other for other in left if other not in ruled[best]]
    return tuple(chosen)


def example_of(seen: Observation) -> str:
    """Return an observation as an example: "total([1, 1]) == 2"."""
    return f"{seen.call} == {seen.result}"


def as_one_example(seen: Sequence[Observation]) -> str:
    """Return an observation as one example; in doctest form if it has more than one call."""
    if len(seen) == 1:
        return example_of(seen[0])
    return "".join(f">>> {example_of(each)}\nTrue\n" for each in seen)


def did(result: str) -> str:
    """Return the result of a call as a verb and its object: "gives 2", "raises ValueError"."""
    return result if result.startswith(_DEEDS) else f"gives {result}"


def _who(rows: Sequence[CandidateState], row: CandidateState) -> str:
    others = [f"#{other.number}" for other in rows if other is not row]
    within = [f"with {' and '.join(others)}"] if others else []
    return " and ".join(["here", *within] if row in rows else within)


def _contradicts(other: CandidateState, seen: Observation) -> bool:
    """True if an example from this observation would fail for another candidate."""
    theirs = next((each.result for each in other.observations if each.call == seen.call), None)
    if theirs is None or theirs == seen.result:
        return False
    value, another = _value(seen.result), _value(theirs)
    return value is not ... and (another is ... or bool(value != another))


def _value(result: str) -> Any:
    """Return the value of a result; an ellipsis if it is no literal."""
    try:
        return ast.literal_eval(result)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ...
