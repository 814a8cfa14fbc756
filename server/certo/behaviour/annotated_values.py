"""Values for a parameter by its annotation or default: a few simple ones, boundaries among them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence

from certo.behaviour.nearby_values import FRACTIONS, NUMBERS, TEXTS, literal, near

_PLAIN: Mapping[str, Sequence[str]] = {
    "int": [repr(number) for number in NUMBERS],
    "float": ["0.0", "1.0", *FRACTIONS],
    "complex": ["0j", "1j"],
    "str": [repr(text) for text in TEXTS],
    "Text": [repr(text) for text in TEXTS],
    "bool": ["False", "True"],
    "bytes": ["b''", "b'a'", "b'ab'"],
    "None": ["None"],
    "object": ["0", "''", "None"],
    "Any": ["0", "1", "'a'", "[]", "None"],
    "Hashable": ["0", "'a'"],
}
_LISTS = frozenset({"list", "List", "Sequence", "Iterable", "Collection", "MutableSequence", "Reversible", "Container"})
_ITERATORS = frozenset({"Iterator", "Generator"})
_SETS = frozenset({"set", "Set", "AbstractSet", "MutableSet"})
_MAPPINGS = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})
_FROZEN = frozenset({"frozenset", "FrozenSet"})
_TUPLES = frozenset({"tuple", "Tuple"})
_MAX_ITEMS = 14


def values_for(argument: ast.arg, default: ast.expr | None, numbers: Iterable[int] = ()) -> tuple[str, ...]:
    """Return expressions for a parameter, the simplest first; none if nothing tells its type."""
    found: list[str] = []
    if default is not None:
        found.append(ast.unparse(default))
        if literal(default) is not ...:
            found += near(found[0], numbers)
    if argument.annotation is not None:
        found += _values(argument.annotation)
        if "0" in found and "-1" in found:
            found += map(repr, numbers)
    return tuple(dict.fromkeys(found))


def _values(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return _values(ast.parse(node.value, mode="eval").body)
        except SyntaxError:
            return []
    if isinstance(node, ast.Constant) and node.value is None:
        return ["None"]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _taking_turns([_values(node.left), _values(node.right)])
    if isinstance(node, ast.Subscript):
        inner = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        return _generic(_name(node.value), inner)
    name = _name(node)
    if name in _LISTS | _ITERATORS | _SETS | _FROZEN | _MAPPINGS | _TUPLES:
        return _generic(name, [])
    return list(_PLAIN.get(name, ()))


def _generic(name: str, inner: list[ast.expr]) -> list[str]:
    """Return values of a generic type, with its own or default parameters."""
    match name:
        case "Annotated" | "Final" | "Required":
            return _values(inner[0])
        case "Literal":
            return [ast.unparse(one) for one in inner]
        case "Optional":
            return [*_values(inner[0]), "None"]
        case "Union":
            return _taking_turns([_values(one) for one in inner])
    if name in _ITERATORS:
        inner = inner[:1]  # what a generator is sent and returns is nothing to go through
    of = [_values(one) for one in inner if not _is_dots(one)] or [list(_PLAIN["int"])]
    return _collections(name, inner, of) if all(of) else []


def _collections(name: str, inner: list[ast.expr], of: list[list[str]]) -> list[str]:
    """Return collections of these values."""
    if name in _LISTS | _ITERATORS:
        lists = dict.fromkeys("[" + ", ".join(row) + "]" for row in _chosen(of[0]))
        return [f"iter({one})" for one in lists] if name in _ITERATORS else list(lists)
    if name in _SETS:
        return ["set()", *("{" + ", ".join(of[0][:size]) + "}" for size in (1, 2, 3))]
    if name in _FROZEN:
        return ["frozenset()", *("frozenset({" + ", ".join(of[0][:size]) + "})" for size in (1, 3))]
    if name in _MAPPINGS:
        values = of[-1]
        pairs = [f"{key}: {values[place % len(values)]}" for place, key in enumerate(of[0][1:4] or of[0])]
        return ["{}", *("{" + ", ".join(pairs[:size]) + "}" for size in range(1, len(pairs) + 1))]
    return _tuples(inner, of) if name in _TUPLES else []


def _chosen(of: list[str]) -> list[list[str]]:
    """Return lists of such elements: none, one, in both orders, with repetitions, and many."""
    first, second, third = of[0], of[1 % len(of)], of[2 % len(of)]
    several = [[], [second], [first, second], [second, first], [second, second], [second, third, first]]
    several += [[third, second, third, first], [second, third, third], of[:5], [*of[:4], *of[:4]]]
    return [*several, *([one] for one in of)][:_MAX_ITEMS]


def _tuples(inner: list[ast.expr], of: list[list[str]]) -> list[str]:
    if len(inner) != 2 or not _is_dots(inner[1]):
        most = min(max(map(len, of)), _MAX_ITEMS) if inner else 0
        rows = [[values[(place + shift) % len(values)] for shift, values in enumerate(of)] for place in range(most)]
    else:
        rows = _chosen(of[0])
    return ["(" + ", ".join(row) + ("," if len(row) == 1 else "") + ")" for row in rows or _chosen(of[0])]


def _taking_turns(several: list[list[str]]) -> list[str]:
    longest = max(map(len, several), default=0)
    return list(dict.fromkeys(one[place] for place in range(longest) for one in several if place < len(one)))


def _is_dots(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
