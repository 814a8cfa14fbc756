"""Evidence of examples for a body: the bits of their results beyond the arguments, per part of the body.

This is minimum description length, conditional on the input (Rissanen, "Modeling by shortest data description", 1978).
A result that equals an argument has the bits of choosing that argument, and one made of parts of an argument has the
bits of choosing the parts; only content that is in no argument counts in full. So a sorted list of fifty numbers is not
fifty times the evidence for a body that sorts. Words of the docstring that a body matches are evidence as well.
"""

from __future__ import annotations

import ast
import math
from typing import Any, Sequence, Set

from certo_builtin.synthesis.expected_values import Known
from certo_builtin.synthesis.loops import Body
from certo_builtin.synthesis.unused_hints import UnusedHints

BITS_PER_CHARACTER = 5.0

CONSTANT_BIT_COST = 0.5
"""Cost of each bit of a constant, if that is more than one part: results written into the body explain nothing."""

_COSTS = (
    (ast.Name, 1), (ast.Attribute, 1), (ast.Subscript, 1), (ast.operator, 1), (ast.unaryop, 1),
    (ast.boolop, 1), (ast.cmpop, 1), (ast.comprehension, 1), (ast.IfExp, 2), (ast.Lambda, 1), (ast.If, 2),
    (ast.While, 2), (ast.For, 1), (ast.List, 1), (ast.Tuple, 1), (ast.Set, 1), (ast.Dict, 1),
)  # fmt: skip


def cost_of(code: str) -> float:
    """Return the number of names, operators, clauses and constants in some code, at least 1."""
    nodes = list(ast.walk(ast.parse(code)))
    parts = sum(cost for node in nodes for kind, cost in _COSTS if isinstance(node, kind))
    fixed = sum(max(1.0, CONSTANT_BIT_COST * bits_in(node.value)) for node in nodes if isinstance(node, ast.Constant))
    return max(1.0, parts + fixed)


def bits_in(value: Any) -> float:
    """Return the approximate bits in a value."""
    if value is None or isinstance(value, bool):
        return 1.0
    if isinstance(value, int):
        # The length of the Elias gamma code, which needs no bound of the number (Elias, "Universal codeword sets and
        # representations of the integers", 1975), and a bit for the sign.
        return float(2 * (abs(value) + 1).bit_length() - 1 + (value < 0))
    if isinstance(value, float):
        return float(len(repr(value)) * 4)
    if isinstance(value, (str, bytes)):
        return bits_in(len(value)) + BITS_PER_CHARACTER * len(value)
    if isinstance(value, dict):
        return bits_in(len(value)) + sum(bits_in(key) + bits_in(one) for key, one in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        return bits_in(len(value)) + sum(bits_in(one) for one in value)
    return BITS_PER_CHARACTER * len(repr(value))


MAX_CHANCE_BOOLEANS = 5
"""Number of booleans that may be matched by chance, and so are no evidence."""

ARGUMENT_BITS = 2.0
UNUSED_PARAMETER_FACTOR = 4.0
"""Factor on the required evidence for each unused parameter of a body.

Of the bodies found for stubs of MBPP+ and HumanEval with an unused parameter, none was right.
"""

WORD_BITS = 5.0
"""Evidence, in bits, of a word that at most a few of some two hundred components match."""

SHORT = 8.0
PARTS = 0.5


def spoken_for(body: Body, known: Sequence[Known], hints: UnusedHints) -> float:
    """Return the evidence of examples for a body in bits per part, reduced for unmatched words and unused parameters.

    A unit of cost counts as half a part: every part that no word of the docstring suggests costs one more.

    Constants written into the body are no discovery of it. A few booleans, normally no evidence, count if the body
    matches every word: its author and the docstring's arrived at the same by two ways.
    """
    text = "\n".join(body.lines)
    bits = told_by(known)
    if _are_few_truths(known) and any(one.expected != known[0].expected for one in known):
        words = hints.answered_all(text)
        bits = len(known) + WORD_BITS * words if words else bits
    told = max(0.0, bits - _written(text))
    return told / max(0.5, PARTS * body.cost) * hints.answered(text) / UNUSED_PARAMETER_FACTOR ** hints.unused(text)


def _written(text: str) -> float:
    """Return the bits in the constants of some statements, without those as short as any other part."""
    constants = [node.value for node in ast.walk(ast.parse(_function(text))) if isinstance(node, ast.Constant)]
    return sum(max(0.0, bits_in(value) - SHORT) for value in constants)


def _function(text: str) -> str:
    return "def f():\n    " + text.replace("\n", "\n    ")


def told_by(known: Sequence[Known]) -> float:
    """Return the bits in results beyond their arguments; a repeated result has the bits of a choice."""
    if _are_few_truths(known):
        return 0.0
    seen: Set[str] = set()
    bits = 0.0
    for one in known:
        try:
            shown = repr(one.expected)
            bits += 1.0 if shown in seen else _beyond(one)
        except Exception:  # a project's own methods may raise, and what holds itself has no end
            continue
        seen.add(shown)
    return bits


def _are_few_truths(known: Sequence[Known]) -> bool:
    return len(known) <= MAX_CHANCE_BOOLEANS and all(isinstance(one.expected, bool) for one in known)


def _beyond(one: Known) -> float:
    """Return the bits in a result, given its arguments."""
    result = one.expected
    whole = bits_in(result)
    # The conditional description length of the result: name the argument it equals, or the position of each part in an
    # argument, whichever is shortest.
    if any(type(argument) is type(result) and repr(argument) == repr(result) for argument in one.arguments):
        return min(whole, ARGUMENT_BITS)
    if isinstance(result, (list, tuple, str)):
        for argument in one.arguments:
            if isinstance(argument, (list, tuple, str)) and _picked(result, argument):
                whole = min(whole, 1.0 + len(result) * math.log2(2 + len(argument)))
    if isinstance(result, dict):
        for argument in one.arguments:
            if isinstance(argument, (list, tuple, str, dict)) and _picked(list(result), argument):
                keys = len(result) * math.log2(2 + len(argument))
                same = argument if isinstance(argument, dict) else {}
                changed = [value for key, value in result.items() if key not in same or same[key] != value]
                whole = min(whole, 1.0 + keys + sum(map(bits_in, changed)))
    return whole


def _picked(result: Any, argument: Any) -> bool:
    """True if each part of a result is a part of an argument."""
    if isinstance(argument, str) and not all(isinstance(part, str) for part in result):
        return False
    return all(part in argument for part in result)
