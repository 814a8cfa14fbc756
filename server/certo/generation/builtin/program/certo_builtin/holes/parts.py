"""The parts of an expression: what it takes to write it, and how likely it is for that."""

from __future__ import annotations

import ast

PART = 0.3
"""How much less likely an expression is for each part of it: a name, a constant, an operator or a call."""


def parts(text: str, old: str) -> int:
    """How many parts an expression has that stands in the place of an old one, which counts as one within it."""
    new = size(text)
    return max(1, new - size(old) + 1) if old in text else new


def size(text: str) -> int:
    """How many parts an expression has."""
    return sum(isinstance(node, (ast.expr, ast.comprehension)) for node in ast.walk(parsed(text)))


def parsed(text: str) -> ast.expr:
    """An expression that may go on over several lines."""
    return ast.parse("({}\n)".format(text), mode="eval").body
