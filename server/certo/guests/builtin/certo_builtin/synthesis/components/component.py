"""A component of expressions: its text, cost, function, argument kinds, and words that suggest it."""

from __future__ import annotations

from typing import Any, Callable, FrozenSet, NamedTuple, Tuple

from certo_builtin.synthesis.docstring_words import stems
from certo_builtin.synthesis.terms import ATOM, COMPARED, LOOSE, PRODUCT, SUM

SUM_LEVELS = (SUM, PRODUCT, SUM)
PRODUCT_LEVELS = (PRODUCT, ATOM, PRODUCT)
TEST_LEVELS = (SUM, SUM, COMPARED)


class Component(NamedTuple):
    """A component of expressions.

    `text` has a place {0}, {1}, … for each argument, which must bind at least as tightly as `needs` says. `takes` are
    the kinds of the arguments; `words` in a docstring or name make it cheaper. `swaps` means that its two arguments may
    be exchanged, `walks` that it only iterates over its first argument, so that a `list(...)` around that can be
    dropped.
    """

    text: str
    needs: Tuple[int, ...]
    level: int
    cost: int
    apply: Callable[..., Any]
    takes: Tuple[str, ...]
    words: FrozenSet[str] = frozenset()
    swaps: bool = False
    walks: bool = False


def _kinds(takes: str) -> Tuple[str, ...]:
    return tuple(takes.split(", "))


def call(
    text: str, cost: int, apply: Callable[..., Any], takes: str, words: str = "", *, swaps: bool = False
) -> Component:
    """Return a call or display, whose arguments may be any expressions."""
    kinds = _kinds(takes)
    return Component(text, (LOOSE,) * len(kinds), ATOM, cost, apply, kinds, stems(words), swaps)


def walk(text: str, cost: int, apply: Callable[..., Any], takes: str, words: str = "") -> Component:
    """Return a call that iterates over its one argument once."""
    return call(text, cost, apply, takes, words)._replace(walks=True)


def on(text: str, cost: int, apply: Callable[..., Any], takes: str, words: str = "") -> Component:
    """Return a method, index or slice of its first argument, which must be an atom."""
    kinds = _kinds(takes)
    return Component(text, (ATOM, *(LOOSE,) * (len(kinds) - 1)), ATOM, cost, apply, kinds, stems(words))


def operator(
    text: str,
    levels: Tuple[int, int, int],
    cost: int,
    apply: Callable[..., Any],
    takes: str,
    words: str = "",
    *,
    swaps: bool = False,
) -> Component:
    """Return a binary operator with the precedence of its left operand, right operand and itself."""
    left, right, own = levels
    return Component(text, (left, right), own, cost, apply, _kinds(takes), stems(words), swaps)


def question(text: str, needs: int, cost: int, apply: Callable[..., Any], takes: str, words: str = "") -> Component:
    """Return a predicate of one argument."""
    return Component(text, (needs,), COMPARED, cost, apply, _kinds(takes), stems(words))


def priced(component: Component, words: FrozenSet[str]) -> int:
    """Return the cost of a component for these stems: half if one of its own is among them, else one more."""
    return (component.cost + 1) // 2 if component.words & words else component.cost + bool(component.words)
