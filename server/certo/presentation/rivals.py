"""Comparison of a winner and its rivals: results of the same calls, and examples that decide between them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

from certo.search.board import CandidateState
from certo.vocabulary.candidate import Observation

_DEEDS = ("raises ", "yields ", "does not come back")
"""Beginnings of results that are no values."""

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
