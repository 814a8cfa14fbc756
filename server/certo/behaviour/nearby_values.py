"""Mutation of values: at boundaries, longer, reordered, empty; and simpler ones, for shrinking.

A value is an expression. Its variants are expressions of the same type, apart from a few marked as strange.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

NUMBERS = (0, 1, -1, 2, 3, 10, 100)
FRACTIONS = ("0.0", "0.5", "-1.0", "1.5", "float('nan')", "float('inf')")
TEXTS = ("", " ", "a", "ab", "aba", "A b", "0", "é", "ß\n")
LISTED = (ast.List, ast.Tuple, ast.Set)
MAX_ELEMENTS = 6
"""Maximum number of elements of a collection that are changed, one at a time."""


def near(text: str, numbers: Iterable[int] = ()) -> Iterator[str]:
    """Yield expressions near one, all different from it; `numbers` are boundaries in the code."""
    node = ast.parse(text, mode="eval").body
    own = ast.unparse(node)
    seen = {own, text}
    for changed in _near(node, tuple(numbers)):
        written = changed if isinstance(changed, str) else ast.unparse(changed)
        if written not in seen:
            seen.add(written)
            yield written


def strange(text: str) -> Iterator[str]:
    """Yield None in place of the value or one of its elements, which callers may not have considered."""
    yield "None"
    node = ast.parse(text, mode="eval").body
    if isinstance(node, ast.List | ast.Tuple):
        none = ast.Constant(None)
        yield ast.unparse(_listed(type(node), [none]))
        yield ast.unparse(_listed(type(node), [*node.elts[:1], none]))


def simpler(text: str) -> Iterator[str]:
    """Yield shorter or simpler expressions of the same type, the simplest first."""
    node = ast.parse(text, mode="eval").body
    seen = {ast.unparse(node), text}
    for changed in _simpler(node):
        written = changed if isinstance(changed, str) else ast.unparse(changed)
        if written not in seen and (len(written), written) < (len(text), text):
            seen.add(written)
            yield written


def _near(node: ast.expr, numbers: tuple[int, ...]) -> Iterator[ast.expr | str]:
    value = literal(node)
    if isinstance(value, bool):
        yield repr(not value)
    elif isinstance(value, int):
        yield from map(repr, (*NUMBERS, value + 1, value - 1, -value, *numbers))
    elif isinstance(value, float):
        yield from (repr(-value), repr(value + 1), repr(value / 2), *FRACTIONS)
    elif isinstance(value, str):
        yield from map(repr, _near_text(value))
    elif isinstance(value, bytes):
        yield from map(repr, (b"", value + value, value[::-1], value[1:], b"\xff"))
    elif isinstance(node, LISTED):
        yield from _near_elements(node, numbers)
    elif isinstance(node, ast.Dict):
        yield from _near_pairs(node, numbers)
    elif isinstance(node, ast.Call) and not _is_float(node):
        yield from _within(node, node.args, numbers)


def _near_text(value: str) -> Iterator[str]:
    yield from ("", value[:-1], value[1:], value + value, value[::-1], value.upper(), value.lower(), value.swapcase())
    yield value[:1].swapcase() + value[1:]
    yield from (f" {value}", f"{value} ", f"{value}\n", value.replace(" ", "  "), f"{value}é", value + value[-1:])
    yield from TEXTS


def _near_elements(node: ast.expr, numbers: tuple[int, ...]) -> Iterator[ast.expr | str]:
    """Yield subsets, reorderings, and variants with one changed element."""
    assert isinstance(node, LISTED)
    elements = node.elts
    kind = type(node)

    def of(chosen: Sequence[ast.expr]) -> ast.expr | str:
        return "set()" if kind is ast.Set and not chosen else _listed(kind, chosen)

    yield from (of(()), of(elements[:1]), of(elements[1:]), of(elements[:-1]))
    if kind is not ast.Set and elements:
        yield from (of(elements[::-1]), of([*elements, *elements]), of([*elements, elements[0]]))
        yield from (of([elements[-1], *elements]), of([elements[0]] * 3), of(sorted(elements, key=ast.unparse)))
        yield of([*elements[1:], elements[0]])
    yield from _within(node, elements, numbers)


def _within(node: ast.expr, elements: list[ast.expr], numbers: tuple[int, ...]) -> Iterator[ast.expr | str]:
    """Yield the expression with one element changed; it is restored at the end."""
    for place, element in enumerate(elements[:MAX_ELEMENTS]):
        for changed in _near(element, numbers):
            elements[place] = ast.parse(changed, mode="eval").body if isinstance(changed, str) else changed
            yield ast.unparse(node)
        elements[place] = element


def _near_pairs(node: ast.Dict, numbers: tuple[int, ...]) -> Iterator[ast.expr | str]:
    pairs = list(zip(node.keys, node.values, strict=True))
    yield "{}"
    for place in range(min(len(pairs), MAX_ELEMENTS)):
        kept = [*pairs[:place], *pairs[place + 1 :]]
        yield ast.Dict(keys=[key for key, _ in kept], values=[value for _, value in kept])
    yield ast.Dict(keys=node.keys[::-1], values=node.values[::-1])
    yield from _within(node, node.values, numbers)
    if all(key is not None for key in node.keys):
        yield from _within(node, node.keys, numbers)  # type: ignore[arg-type]  # none of them is None here


def _simpler(node: ast.expr) -> Iterator[ast.expr | str]:
    value = literal(node)
    if isinstance(value, int) and not isinstance(value, bool):
        yield from (repr(each) for each in (0, 1, -1, 2, value // 2, value - 1) if abs(each) <= abs(value))
    elif isinstance(value, float):
        yield from ("0.0", "1.0")
    elif isinstance(value, str):
        half = len(value) // 2
        yield from map(repr, ("", "a", " ", value[:half], value[half:]))
        yield from (repr(value[:place] + value[place + 1 :]) for place in range(min(len(value), 2 * MAX_ELEMENTS)))
    elif isinstance(value, bytes):
        yield from map(repr, (b"", value[: len(value) // 2], value[:-1]))
    elif isinstance(node, LISTED):
        elements = node.elts
        yield "set()" if isinstance(node, ast.Set) else _listed(type(node), ())
        for place in range(min(len(elements), 2 * MAX_ELEMENTS)):
            rest = [*elements[:place], *elements[place + 1 :]]
            yield _listed(type(node), rest) if rest else "[]" if isinstance(node, ast.List) else "()"
        yield from _simpler_within(node, elements)
    elif isinstance(node, ast.Dict):
        pairs = list(zip(node.keys, node.values, strict=True))
        for place in range(min(len(pairs), MAX_ELEMENTS)):
            kept = [*pairs[:place], *pairs[place + 1 :]]
            yield ast.Dict(keys=[key for key, _ in kept], values=[value for _, value in kept])
        yield from _simpler_within(node, node.values)
    elif isinstance(node, ast.Call) and not _is_float(node):
        yield from _simpler_within(node, node.args)


def _simpler_within(node: ast.expr, elements: list[ast.expr]) -> Iterator[str]:
    for place, element in enumerate(elements[:MAX_ELEMENTS]):
        for changed in _simpler(element):
            elements[place] = ast.parse(changed, mode="eval").body if isinstance(changed, str) else changed
            yield ast.unparse(node)
        elements[place] = element


def _listed(kind: type[ast.expr], chosen: Sequence[ast.expr]) -> ast.expr:
    """Return a list, a tuple or a set of these elements."""
    if kind is ast.Set:
        return ast.Set(elts=list(chosen))
    return (
        ast.List(elts=list(chosen), ctx=ast.Load())
        if kind is ast.List
        else ast.Tuple(elts=list(chosen), ctx=ast.Load())
    )


def _is_float(node: ast.Call) -> bool:
    """True if it is a float without a literal, as `float('inf')`."""
    return isinstance(node.func, ast.Name) and node.func.id == "float"


def literal(node: ast.expr) -> object:
    """Return the value of a literal expression; Ellipsis if it is none."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ...
    return value if isinstance(value, bool | int | float | str | bytes) else ...
