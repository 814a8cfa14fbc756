"""Goals: the values that a term must have for a known last step to make it the answer.

The examples give the values of the whole expression. If the last step has an inverse, they also give those of its
argument: if the result is `''.join(...)` of something, that is the list of its characters. Each such goal is looked up
like the result itself, which saves the search its last, most expensive level or two (deduction from examples through
inverses: Feser, Chaudhuri, Dillig, "Synthesizing data structure transformations from input-output examples", 2015;
Polozov, Gulwani, "FlashMeta", 2015).
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from certo_builtin.synthesis.enumeration import bare
from certo_builtin.synthesis.terms import ATOM, COMPARED, PRODUCT, Term, agrees, fingerprint

Wrap = Callable[[str, int], Tuple[str, int]]
"""Makes the text and precedence of an answer from those of a term that reaches the goal."""


class Answer(NamedTuple):
    """An expression that explains every example: its cost, its text, and its precedence."""

    cost: int
    text: str
    level: int


class Goal(NamedTuple):
    """The values to reach, the cost of the steps from there to the answer, and those steps."""

    values: Tuple[Any, ...]
    cost: int
    wrap: Wrap

    def answer(self, text: str, level: int, cost: int) -> Answer:
        """Return the answer from an expression with the goal's values."""
        return Answer(self.cost + cost, *self.wrap(text, level))


def _as_it_is(text: str, level: int) -> Tuple[str, int]:
    return text, level


def _called(call: str) -> Wrap:
    return lambda text, _level: (call.format(bare(text)), ATOM)


def _suffixed(suffix: str) -> Wrap:
    return lambda text, level: ((text if level >= ATOM else "({})".format(text)) + suffix, ATOM)


def _operated(operator: str, own: int) -> Wrap:
    return lambda text, level: (operator.format(text if level >= own else "({})".format(text)), own)


class Goals:
    """The values of the examples, and those from which a step with an inverse leads there."""

    def __init__(self, roots: Sequence[Goal]) -> None:
        self.all: List[Goal] = []
        self.exact: Dict[str, List[Goal]] = {}
        self.near: List[Goal] = []
        for root in roots:
            self._add(root)
            for inner in undone(root):
                self._add(inner)
                for innermost in undone(inner) if _parts(inner) else ():
                    self._add(innermost)

    @classmethod
    def of(cls, expected: Sequence[Any]) -> Goals:
        """Return the goals of a whole expression."""
        return cls([Goal(tuple(expected), 0, _as_it_is)])

    def _add(self, goal: Goal) -> None:
        behaviour = fingerprint(goal.values)
        if behaviour is None or any(goal.cost >= other.cost for other in self.exact.get(behaviour, ())):
            return
        self.all.append(goal)
        self.exact.setdefault(behaviour, []).append(goal)
        if has_float(goal.values):
            self.near.append(goal)

    def reached(self, term: Term) -> Iterator[Answer]:
        """Yield the answers that a term reaches."""
        behaviour = fingerprint(term.values)
        goals = self.exact.get(behaviour or "")
        if goals:
            for goal in goals:
                yield goal.answer(term.text, term.level, term.cost)
        else:
            for goal in self.near:
                if all(map(agrees, term.values, goal.values)):
                    yield goal.answer(term.text, term.level, term.cost)


def has_float(values: Sequence[Any]) -> bool:
    """True if a float is among the values or directly within them, so that approximate equality suffices."""
    return any(
        isinstance(value, float) or (type(value) in (list, tuple) and any(isinstance(one, float) for one in value))
        for value in values
    )


def _of(values: Sequence[Any], kind: type) -> bool:
    return bool(values) and all(type(value) is kind for value in values)


def _parts(goal: Goal) -> bool:
    """True if the values of a goal have parts, so that another inverse step is informative."""
    return all(type(value) in (str, list, tuple) for value in goal.values)


def undone(goal: Goal) -> Iterator[Goal]:
    """Yield the goals one inverse step before this one."""

    def before(values: Optional[Sequence[Any]], cost: int, wrap: Wrap) -> Iterator[Goal]:
        if values is not None:
            after = goal.wrap
            yield Goal(tuple(values), goal.cost + cost, lambda text, level: after(*wrap(text, level)))

    values = goal.values
    if _of(values, str):
        yield from _before_text(values, before)
    elif _of(values, int):
        yield from before([str(value) for value in values], 2, _called("int({})"))
        # Closed forms of sums, such as n(n+1)/2 and n(n+1)(2n+1)/6, are products divided by these. Floor division has
        # several pre-images; only the exact multiple is looked up.
        for part in (2, 3, 6):
            yield from before([value * part for value in values], 3, _operated("{{}} // {}".format(part), PRODUCT))
    elif _of(values, bool):
        yield from before([not value for value in values], 2, _operated("not {}", COMPARED))
    elif _of(values, list):
        yield from before([value[::-1] for value in values], 2, _suffixed("[::-1]"))
    elif _of(values, tuple):
        yield from before([list(value) for value in values], 2, _called("tuple({})"))
    elif _of(values, dict):
        yield from before([list(value.items()) for value in values], 3, _called("dict({})"))


def _before_text(values: Tuple[str, ...], before: Callable[..., Iterator[Goal]]) -> Iterator[Goal]:
    if all(len(value) == 1 for value in values):
        yield from before([ord(value) for value in values], 3, _called("chr({})"))
    else:
        yield from before([value[::-1] for value in values], 2, _suffixed("[::-1]"))
        yield from before([list(value) for value in values], 2, _called("''.join({})"))
    for separator in (" ", ", ", ",", "-", "_", "\n"):
        if any(separator in value for value in values):
            pieces = [value.split(separator) for value in values]
            yield from before(pieces, 3, _called("{!r}.join({{}})".format(separator)))
    if all(value.lstrip("-").isdecimal() and str(int(value)) == value for value in values):
        yield from before([int(value) for value in values], 2, _called("str({})"))
