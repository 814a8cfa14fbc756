"""How far examples speak for a body that was made to fit them: the bits that they tell, over the parts that it has.

A body that is shorter than the results it explains has found something out; one that is as long may as well have been
made up. This is the principle of minimum description length (Rissanen, "Modeling by shortest data description", 1978),
as far as bits can be counted by rule of thumb: about two for each doubling of a number, five for a letter, one for a
truth value, one for a result that was seen before.
"""

from __future__ import annotations

import ast
from typing import Any

LETTER = 5.0

FIXED = 0.5
"""What each bit of a constant costs, if it is more than one part: who may write down the results explains nothing."""

_COSTS = (
    (ast.Name, 1), (ast.Attribute, 1), (ast.Subscript, 1), (ast.operator, 1), (ast.unaryop, 1),
    (ast.boolop, 1), (ast.cmpop, 1), (ast.comprehension, 1), (ast.IfExp, 2), (ast.Lambda, 1), (ast.If, 2),
    (ast.While, 2), (ast.For, 1), (ast.List, 1), (ast.Tuple, 1), (ast.Set, 1), (ast.Dict, 1),
)  # fmt: skip


def cost_of(code: str) -> float:
    """How many names, operators, clauses and constants an expression or some statements are made of, at least one."""
    nodes = list(ast.walk(ast.parse(code)))
    parts = sum(cost for node in nodes for kind, cost in _COSTS if isinstance(node, kind))
    fixed = sum(max(1.0, FIXED * bits_in(node.value)) for node in nodes if isinstance(node, ast.Constant))
    return max(1.0, parts + fixed)


def bits_in(value: Any) -> float:
    """The bits in a value, by the rule of thumb."""
    if value is None or isinstance(value, bool):
        return 1.0
    if isinstance(value, int):
        return float(2 * (abs(value) + 1).bit_length() - 1 + (value < 0))
    if isinstance(value, float):
        return float(len(repr(value)) * 4)
    if isinstance(value, (str, bytes)):
        return bits_in(len(value)) + LETTER * len(value)
    if isinstance(value, dict):
        return bits_in(len(value)) + sum(bits_in(key) + bits_in(one) for key, one in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        return bits_in(len(value)) + sum(bits_in(one) for one in value)
    return LETTER * len(repr(value))
