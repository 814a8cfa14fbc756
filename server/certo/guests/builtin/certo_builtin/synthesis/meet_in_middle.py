"""Meet in the middle: the last operator of an answer, found from one of its operands.

If the answer is `a + b` and a term could be the `a`, then the goal minus its values is the value of `b`, and a term
with that value is looked up in a table by its fingerprint. So an answer is found once its costlier operand is
enumerated, and not only after all pairs of terms. This is bidirectional search; the inverses of operators are the
witness functions of FlashMeta (Polozov, Gulwani, "FlashMeta: a framework for inductive program synthesis", 2015).
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from certo_builtin.synthesis.goals import Answer, Goal
from certo_builtin.synthesis.terms import ATOM, PRODUCT, SUM, Near, Term, agrees, fingerprint

NUMBERS = (int, float)


class InvertibleOperator(NamedTuple):
    """An operator of two terms: its text, the precedence of operands and itself, its cost, and its inverse.

    `other` gives the second operand from the result and the first, or raises if there is none.
    """

    text: str
    levels: Tuple[int, int, int]
    cost: int
    apply: Callable[[Any, Any], Any]
    other: Callable[[Any, Any], Any]
    swaps: bool = False


def _factor(want: Any, one: Any) -> Any:
    if type(want) is int and type(one) is int:
        other, left = divmod(want, one)
        if left:
            raise ValueError("not a factor")
        return other
    return want / one


def _after(want: Any, start: Any) -> Any:
    if want[: len(start)] != start:
        raise ValueError("begins otherwise")
    return want[len(start) :]


def _before(want: Any, end: Any) -> Any:
    if want[len(want) - len(end) :] != end:
        raise ValueError("ends otherwise")
    return want[: len(want) - len(end)]


_PLUS = InvertibleOperator(
    "{0} + {1}", (SUM, PRODUCT, SUM), 1, lambda a, b: a + b, lambda want, one: want - one, swaps=True
)
_MINUS = InvertibleOperator("{0} - {1}", (SUM, PRODUCT, SUM), 1, lambda a, b: a - b, lambda want, one: one - want)
_TIMES = InvertibleOperator("{0} * {1}", (PRODUCT, ATOM, PRODUCT), 1, lambda a, b: a * b, _factor, swaps=True)
_OVER = InvertibleOperator(
    "{0} / {1}", (PRODUCT, ATOM, PRODUCT), 2, lambda a, b: a / b, lambda want, one: _factor(one, want)
)
_INTO = InvertibleOperator("{1} / {0}", (ATOM, PRODUCT, PRODUCT), 2, lambda a, b: b / a, lambda want, one: want * one)
_THEN = InvertibleOperator("{0} + {1}", (SUM, PRODUCT, SUM), 2, lambda a, b: a + b, _after)
_FIRST = InvertibleOperator("{1} + {0}", (PRODUCT, SUM, SUM), 2, lambda a, b: b + a, _before)

JOINTS: Dict[str, List[InvertibleOperator]] = {
    "number": [_PLUS, _MINUS, _TIMES, _OVER, _INTO],
    "str": [_THEN, _FIRST],
    "list": [_THEN, _FIRST],
    "tuple": [_THEN, _FIRST],
}


def _kind(values: Sequence[Any]) -> Optional[str]:
    kinds = {type(value) for value in values}
    if kinds and kinds <= {*NUMBERS, Near}:
        return "number"
    return kinds.pop().__name__ if len(kinds) == 1 else None


class MeetInMiddle:
    """Finds the answers that join two terms, a new one and a known one."""

    def __init__(self, goals: Sequence[Goal], known: Dict[str, Term]) -> None:
        self.goals = [(goal, kind) for goal in goals for kind in [_kind(goal.values)] if kind in JOINTS]
        self.known = known
        self.rounded: Dict[str, Term] = {}
        self.digits = 3 if any(type(value) is Near for goal, _ in self.goals for value in goal.values) else 6
        self.inexact = any(isinstance(value, float) for goal, _ in self.goals for value in goal.values)

    def with_term(self, term: Term) -> Iterator[Answer]:
        """Yield the answers with this term as one operand of the last operator."""
        if term.partial:
            return
        if self.inexact and _kind(term.values) == "number":
            self.rounded.setdefault(self._rounded(term.values), term)
        for goal, kind in self.goals:
            if kind in term.kinds:
                for joint in JOINTS[kind]:
                    yield from self._joined(goal, joint, term)

    def _rounded(self, values: Sequence[Any]) -> str:
        return repr(["{:.{}g}".format(value, self.digits) for value in values])

    def _joined(self, goal: Goal, joint: InvertibleOperator, term: Term) -> Iterator[Answer]:
        try:
            needed = tuple(map(joint.other, goal.values, term.values))
        except (ArithmeticError, ValueError, TypeError):
            return
        # The second operand is known from the goal and the first, so it is looked up instead of paired: linear in the
        # terms, not quadratic. An inverse loses the last digits of a float, so floats are looked up rounded as well;
        # `_right` has the last word.
        other = self.known.get(fingerprint(needed) or "")
        if other is None and self.inexact and _kind(needed) == "number":
            other = self.rounded.get(self._rounded(needed))
        if other is None or other.partial or (other.fixed and term.fixed) or not _right(joint, goal, term, other):
            return
        if any(all(map(agrees, one.values, goal.values)) for one in (term, other)):
            # One operand is the answer already, and the other adds nothing.
            return
        left, right, own = joint.levels
        # The earlier term is the simpler, and comes first if the order is free.
        first, second = (other, term) if joint.swaps else (term, other)
        text = joint.text.format(first.at(left), second.at(right))
        yield goal.answer(text, own, term.cost + other.cost + joint.cost)


def _right(joint: InvertibleOperator, goal: Goal, term: Term, other: Term) -> bool:
    try:
        return all(map(agrees, map(joint.apply, term.values, other.values), goal.values))
    except (ArithmeticError, TypeError):
        return False
