"""A winner and its rivals beside each other: what each gives for the same calls, and the examples that decide."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

from certo.search.board import CandidateState
from certo.vocabulary.candidate import Observation

_DEEDS = ("raises ", "yields ", "does not come back")
"""How a result begins that is no value."""

Results = tuple[tuple[str, tuple[CandidateState, ...]], ...]
"""What comes of one call, in words, each with the candidates that give it."""


def compared(contenders: Sequence[CandidateState]) -> tuple[tuple[str, Results], ...]:
    """The calls by which candidates can all be told apart, each with what they give, in the order of the candidates."""
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
    """Return the rivals of a winner of which nobody knows how they act."""
    return tuple(row for row in contenders[1:] if row.uncompared)


def differing_calls(row: CandidateState, contenders: Sequence[CandidateState]) -> tuple[str, ...]:
    """The same in a sentence for each call, as it is seen from one of them: "f(1) gives 2 here, gives 3 with #2"."""
    ordered = sorted(contenders, key=lambda other: other is not row)
    return tuple(
        f"{call} {', '.join(f'{said} {_who(rows, row)}' for said, rows in results)}"
        for call, results in compared(ordered)
    )


def deciding_examples(row: CandidateState, others: Iterable[CandidateState]) -> tuple[Observation, ...]:
    """As few of what a candidate gives as hold for none of the others; none where they do not do that together.

    Only values that can be written down are among them, so that each can be given as an example.
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
    """What was seen, as an example: "total([1, 1]) == 2"."""
    return f"{seen.call} == {seen.result}"


def as_one_example(seen: Sequence[Observation]) -> str:
    """All of what was seen as one example: as it stands in a doctest where it is more than one call."""
    if len(seen) == 1:
        return example_of(seen[0])
    return "".join(f">>> {example_of(each)}\nTrue\n" for each in seen)


def did(result: str) -> str:
    """What came of a call as a verb and its object: "gives 2", "raises ValueError"."""
    return result if result.startswith(_DEEDS) else f"gives {result}"


def _who(rows: Sequence[CandidateState], row: CandidateState) -> str:
    others = [f"#{other.number}" for other in rows if other is not row]
    within = [f"with {' and '.join(others)}"] if others else []
    return " and ".join(["here", *within] if row in rows else within)


def _contradicts(other: CandidateState, seen: Observation) -> bool:
    """Whether an example that says what was seen would fail for another candidate."""
    theirs = next((each.result for each in other.observations if each.call == seen.call), None)
    if theirs is None or theirs == seen.result:
        return False
    value, another = _value(seen.result), _value(theirs)
    return value is not ... and (another is ... or bool(value != another))


def _value(result: str) -> Any:
    """The value that a result is; an ellipsis where it is none that can be written down."""
    try:
        return ast.literal_eval(result)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ...
