"""Simpler values, for shrinking: expressions of the same type."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

LISTED = (ast.List, ast.Tuple, ast.Set)
MAX_ELEMENTS = 6
"""Maximum number of elements of a collection that are changed, one at a time."""


def simpler(text: str) -> Iterator[str]:
    """Yield shorter or simpler expressions of the same type, the simplest first."""
    node = ast.parse(text, mode="eval").body
    seen = {ast.unparse(node), text}
    for changed in _simpler(node):
        written = changed if isinstance(changed, str) else ast.unparse(changed)
        if written not in seen and (len(written), written) < (len(text), text):
            seen.add(written)
            yield written


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
