"""Larger calls like a known one: its values are repeated, each time under other names and numbers.

A repetition renames consistently: equal parts stay equal, numbers keep their order, a letter becomes a letter. So what
belongs together in the known call, as the keys of two lists, still does in each repetition.
"""

from __future__ import annotations

import ast
import math
import random
import types
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

Call = Dict[str, Any]

MAX_COPIES = 1024
MAX_NUMBER = 1_000_000
"""Largest sizes, as multiples of that of the known call, of containers and texts and of whole numbers."""

CONTAINERS = (ast.List, ast.Set, ast.Dict)

_LOWER, _UPPER, _DIGITS = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"

Values = Tuple[List[Any], Dict[str, Any], Any]
"""Arguments by place, by name, and the receiver."""


class Growing:
    """Makes the arguments of one known call at growing sizes; `names` are those that its texts use."""

    def __init__(self, call: Call, names: Dict[str, Any]) -> None:
        self._names = names
        self._places = [ast.parse(text, mode="eval").body for text in call["arguments"]]
        self._named = {name: ast.parse(text, mode="eval").body for name, text in call["named"].items()}
        self._receiver = None if call["receiver"] is None else ast.parse(call["receiver"], mode="eval").body
        trees = [*self._places, *self._named.values(), *([] if self._receiver is None else [self._receiver])]
        constants: List[Any] = [
            node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)
        ]
        numbers = [value for value in constants if type(value) in (int, float) and math.isfinite(value)]
        self._span = max(numbers) - min(numbers) + 1 if numbers else 1
        self._has_containers = any(
            (isinstance(node, CONTAINERS) and _size(node)) or _is_long_tuple(node)
            for tree in trees
            for node in ast.walk(tree)
        )
        self._has_texts = any(isinstance(value, (str, bytes)) and len(value) > 1 for value in constants)
        self._has_numbers = any(type(value) is int and value > 1 for value in constants)

    @property
    def can_grow(self) -> bool:
        """True if there is a container, a text or a whole number that can be larger."""
        return self._has_containers or self._has_texts or self._has_numbers

    @property
    def is_numeric(self) -> bool:
        """True if only whole numbers can be larger, so that time may grow like a power of anything."""
        return not (self._has_containers or self._has_texts)

    def compiled(self, factor: float, seed: int) -> "Compiled":
        """Return the arguments at so many times their size, still to be evaluated, and the receiver."""
        making = _Making(self, factor, seed)
        return Compiled(
            [making.made(tree) for tree in self._places],
            {name: making.made(tree) for name, tree in self._named.items()},
            None if self._receiver is None else making.made(self._receiver),
        )

    def values(self, factor: float, seed: int) -> Values:
        """Return the arguments at so many times their size, and the receiver; None stands for no receiver."""
        return self.compiled(factor, seed).values(self._names)


class Compiled(NamedTuple):
    """Arguments of a call as compiled expressions, and the receiver; each evaluation makes them anew."""

    places: List[types.CodeType]
    named: Dict[str, types.CodeType]
    receiver: Optional[types.CodeType]

    def values(self, names: Dict[str, Any]) -> Values:
        """Return the values; `names` are those that the expressions use."""
        own = dict(names)
        return (
            [eval(code, own) for code in self.places],
            {name: eval(code, own) for name, code in self.named.items()},
            None if self.receiver is None else eval(self.receiver, own),
        )


class _Making:
    """Makes the values of one larger call."""

    def __init__(self, growing: Growing, factor: float, seed: int) -> None:
        self._growing = growing
        self._factor = factor
        self._dice = random.Random(seed)
        self._ciphers: Dict[int, Dict[int, str]] = {}
        self._seed = seed

    def made(self, tree: ast.expr) -> types.CodeType:
        """Return an expression at the larger size."""
        whole = ast.fix_missing_locations(ast.Expression(self._grown(tree)))
        code: types.CodeType = compile(whole, "<call>", "eval")
        return code

    def _grown(self, tree: ast.expr) -> ast.expr:
        """Return an expression for a larger value."""
        if self._factor == 1 and self._seed == 0:
            return tree
        growing = self._growing
        if (isinstance(tree, CONTAINERS) and _size(tree)) or _is_long_tuple(tree):
            return self._container(tree, self._factor)
        if isinstance(tree, ast.Constant):
            return ast.copy_location(ast.Constant(self._constant(tree.value)), tree)
        if isinstance(tree, ast.Call):
            keywords = [ast.keyword(one.arg, self._grown(one.value)) for one in tree.keywords]
            return ast.Call(tree.func, [self._grown(one) for one in tree.args], keywords)
        if isinstance(tree, ast.Tuple) and growing is not None:
            return ast.Tuple([self._grown(one) for one in tree.elts], ast.Load())
        return tree

    def _constant(self, value: Any) -> Any:
        growing = self._growing
        if growing._has_containers:
            return value
        if isinstance(value, str) and growing._has_texts:
            return self._text(value)
        if type(value) is int and value > 1 and not growing._has_texts:
            larger = int(value * self._factor)
            return larger + self._dice.randrange(1 + larger // 50) if self._seed else larger
        return value

    def _text(self, value: str) -> str:
        between = "\n" if "\n" in value else " " if " " in value else ""
        copies = max(1, math.ceil(self._factor))
        return between.join(self._renamed(value, number) for number in range(copies))

    def _container(self, tree: Any, factor: float) -> ast.expr:
        copies = max(1, math.ceil(factor))
        if _is_matrix(tree):
            copies = max(1, math.ceil(math.sqrt(factor)))
            rows = [self._repeated(row.elts, copies) for row in tree.elts]
            return ast.List(
                [self._renumbered(ast.List(row, ast.Load()), n) for n in range(copies) for row in rows], ast.Load()
            )
        if isinstance(tree, ast.Dict):
            keys = [node.value for node in tree.keys if isinstance(node, ast.Constant)]
            pairs = [
                (self._renumbered(key, number), self._linked(value, number, copies, keys))
                for number in range(copies)
                for key, value in zip(tree.keys, tree.values)
                if key is not None
            ]
            return ast.Dict([key for key, _ in pairs], [value for _, value in pairs])
        elements = self._repeated(tree.elts, copies)
        if not (_is_ordered(tree.elts) or _is_ordered(tree.elts, falling=True)):
            self._dice.shuffle(elements)
        return type(tree)(elements, ast.Load()) if not isinstance(tree, ast.Set) else ast.Set(elements)

    def _repeated(self, elements: List[ast.expr], copies: int) -> List[ast.expr]:
        order = range(copies - 1, -1, -1) if _is_ordered(elements, falling=True) else range(copies)
        return [self._renumbered(one, number) for number in order for one in elements]

    def _linked(self, tree: ast.expr, number: int, copies: int, keys: Any) -> ast.expr:
        """Return a value of a mapping; half of the keys in it, as in a graph, lead to the first key of a repetition."""
        tree = _copied(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant):
                leads_on = node.value in keys and self._dice.random() < 0.5
                node.value = (
                    self._other(keys[0], self._dice.randrange(copies)) if leads_on else self._other(node.value, number)
                )
        return tree

    def _renumbered(self, tree: ast.expr, number: int) -> ast.expr:
        """Return an expression with the names and numbers of one repetition."""
        tree = _copied(tree)
        fields = _field_names(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and node not in fields:
                node.value = self._other(node.value, number)
        return tree

    def _other(self, value: Any, number: int) -> Any:
        if isinstance(value, str):
            return self._renamed(value, number) + (_letters(number) if value.isalpha() and number else "")
        if type(value) in (int, float) and math.isfinite(value):
            return value + number * self._growing._span
        return value

    def _renamed(self, value: str, number: int) -> str:
        if not number:
            return value
        if number not in self._ciphers:
            self._ciphers[number] = _cipher(random.Random(self._seed * 1_000_003 + number))
        return value.translate(self._ciphers[number])


def _cipher(dice: random.Random) -> Dict[int, str]:
    found: Dict[int, str] = {}
    for alphabet in (_LOWER, _UPPER, _DIGITS):
        mixed = list(alphabet)
        dice.shuffle(mixed)
        found.update(zip(map(ord, alphabet), mixed))
    return found


def _letters(number: int) -> str:
    said = ""
    while number:
        number, rest = divmod(number, 26)
        said += _LOWER[rest]
    return said


def _copied(tree: ast.expr) -> ast.expr:
    """Return a copy of a literal or a call, deep as far as constants are within."""
    if isinstance(tree, ast.Constant):
        return ast.Constant(tree.value)
    fields: Dict[str, Any] = {}
    for name, value in ast.iter_fields(tree):
        if isinstance(value, list):
            fields[name] = [_copied(one) if isinstance(one, ast.AST) else one for one in value]  # type: ignore[arg-type] # keywords are copied alike
        else:
            fields[name] = _copied(value) if isinstance(value, ast.AST) else value  # type: ignore[arg-type] # contexts are copied alike
    return type(tree)(**fields)


def _field_names(tree: ast.expr) -> Set[ast.AST]:
    """Return the keys of records, that is of mappings within another value, which name their fields."""
    return {key for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys if key is not None}


def _size(tree: Any) -> int:
    return len(tree.keys if isinstance(tree, ast.Dict) else tree.elts)


def _is_long_tuple(tree: Any) -> bool:
    """True for a tuple that is a sequence rather than a record: three and more elements of one kind."""
    return isinstance(tree, ast.Tuple) and len(tree.elts) > 2 and len({_kind(one) for one in tree.elts}) == 1


def _kind(tree: ast.expr) -> Any:
    return type(tree.value) if isinstance(tree, ast.Constant) else type(tree)


def _is_matrix(tree: Any) -> bool:
    """True for a list of at least two lists of numbers, all of one length."""
    if not isinstance(tree, ast.List) or len(tree.elts) < 2 or not all(isinstance(row, ast.List) for row in tree.elts):
        return False
    lengths = {len(row.elts) for row in tree.elts if isinstance(row, ast.List)}
    leaves = [_kind(one) for row in tree.elts if isinstance(row, ast.List) for one in row.elts]
    return len(lengths) == 1 and min(lengths) > 1 and set(leaves) <= {int, float}


def _is_ordered(elements: List[ast.expr], *, falling: bool = False) -> bool:
    """True if all elements are constants in order."""
    values: List[Any] = [one.value for one in elements if isinstance(one, ast.Constant)]
    if len(values) < len(elements) or len(values) < 2 or len({type(value) for value in values}) > 1:
        return False
    pairs = [(values[place - 1], values[place]) for place in range(1, len(values))]
    try:
        return all(one >= other for one, other in pairs) if falling else all(one <= other for one, other in pairs)
    except TypeError:
        return False


def factors(growing: Growing) -> Iterator[float]:
    """Yield the sizes at which a call is tried, as multiples of its own."""
    factor = 1.0
    while factor <= (MAX_NUMBER if growing.is_numeric else MAX_COPIES):
        yield factor
        factor *= 1.25 if growing.is_numeric else 2
