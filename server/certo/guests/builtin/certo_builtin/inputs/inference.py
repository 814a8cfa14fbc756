"""Kinds of values of parameters without an annotation: by values that were seen, by use in the body, and by name."""

from __future__ import annotations

import ast
import re
from typing import Any, Dict, Iterator, List, Optional, Sequence, Set

from certo_builtin.inputs.kinds import Kind, fixed, floats, integers, lists, mappings, texts, tuples, unions
from certo_builtin.inputs.variants import MISSING, Words, literal

MAX_SEEN = 60
"""Maximum number of seen values from which a kind is learned."""

_TEXT_METHODS = frozenset(
    [
        "split",
        "rsplit",
        "splitlines",
        "strip",
        "lstrip",
        "rstrip",
        "lower",
        "upper",
        "title",
        "capitalize",
        "swapcase",
        "startswith",
        "endswith",
        "encode",
        "format",
        "isdigit",
        "isalpha",
        "isalnum",
        "isspace",
        "isupper",
        "islower",
        "replace",
        "zfill",
        "ljust",
        "rjust",
        "center",
        "partition",
        "rpartition",
        "casefold",
        "removeprefix",
        "removesuffix",
        "join",
    ]
)
_LIST_METHODS = frozenset(["append", "extend", "insert", "sort", "reverse"])
_MAPPING_METHODS = frozenset(["items", "keys", "values", "get", "setdefault", "update"])
_SET_METHODS = frozenset(
    ["add", "union", "intersection", "difference", "issubset", "issuperset", "discard", "symmetric_difference"]
)
_NAMES = {
    "whole": "n i j k m count size num number limit index idx length depth width height year month day age total a b x "
    "y z base low high start stop end lo hi",
    "text": "s t text name word string line char sentence path prefix suffix pattern msg message title key label "
    "string1 string2 source target url email",
    "list": "xs ys items lst arr array list values nums numbers elements seq sequence data words lines rows args",
    "mapping": "d dict mapping table counts config options map lookup weights",
    "flag": "flag verbose strict reverse reversed inclusive",
}
_BY_NAME = {word: kind for kind, words in _NAMES.items() for word in words.split()}


def kind_of_values(expressions: Sequence[str], words: Words) -> Optional[Kind]:
    """Return the kind of values like some that were seen; None if there are none."""
    values = [literal(text) for text in expressions[:MAX_SEEN]]
    others = [text for text, value in zip(expressions, values) if value is MISSING]
    kinds = [like([value for value in values if value is not MISSING], words), fixed(others) if others else None]
    known = [kind for kind in kinds if kind is not None]
    return unions(known) if known else None


def like(values: Sequence[Any], words: Words, depth: int = 4) -> Optional[Kind]:
    """Return the kind of literal values like these, with their numbers and characters."""
    of = {kind: [value for value in values if type(value) is kind] for kind in {type(value) for value in values}}
    if depth == 0:
        return None
    kinds: List[Optional[Kind]] = []
    for kind in sorted(of, key=lambda one: one.__name__):
        several = of[kind]
        if kind is bool:
            kinds.append(fixed(["False", "True"]))
        elif kind is int:
            kinds.append(integers(words, several))
        elif kind is float:
            kinds.append(floats(words, several))
        elif kind is str:
            kinds.append(texts(words, several))
        elif kind is tuple:
            kinds.append(_like_tuples(several, words, depth))
        elif kind in (list, set):
            inner = like([one for value in several for one in value], words, depth - 1) or integers(words)
            kinds.append(lists(inner, lengths=words.lengths) if kind is list else lists(inner, "set([{}])", "set()"))
        elif kind is dict:
            keys = like([key for value in several for key in value], words, depth - 1)
            held = like([one for value in several for one in value.values()], words, depth - 1)
            kinds.append(mappings(keys or texts(words), held or integers(words)))
        else:
            kinds.append(fixed(map(repr, several)))
    known = [kind for kind in kinds if kind is not None]
    return unions(known) if known else None


def _like_tuples(several: Sequence[Any], words: Words, depth: int) -> Optional[Kind]:
    sizes = {len(value) for value in several}
    if len(sizes) == 1 and sizes != {0}:
        columns = [like(column, words, depth - 1) for column in zip(*several)]
        known = [column for column in columns if column is not None]
        return tuples(known) if len(known) == len(columns) else None
    inner = like([one for value in several for one in value], words, depth - 1) or integers(words)
    return lists(inner, "({})", "()", words.lengths)


def kind_by_use(name: str, function: ast.AST, words: Words) -> Optional[Kind]:
    """Return the kind of a parameter by what the body does with it, or by its name; None if neither tells."""
    uses = set(_uses(name, function))
    if not uses:
        uses = {_BY_NAME.get(name.lower()) or _BY_NAME.get(re.split(r"_", name.lower().rstrip("0123456789"))[-1], "")}
    kinds = [made for use in sorted(uses) if (made := _made(use, words)) is not None]
    return unions(kinds) if kinds else None


def anything(words: Words) -> Kind:
    """Return the kind of a parameter of which nothing is known: some plain values."""
    return unions([integers(words), texts(words), lists(integers(words)), fixed(["None", "{}", "0.5"])])


def _made(use: Optional[str], words: Words) -> Optional[Kind]:
    whole = integers(words)
    made: Dict[Optional[str], Kind] = {
        "whole": whole,
        "text": texts(words),
        "list": lists(whole, lengths=words.lengths),
        "iterable": unions([lists(whole, lengths=words.lengths), texts(words), lists(texts(words))]),
        "mapping": mappings(texts(words), whole),
        "set": lists(whole, "set([{}])", "set()"),
        "flag": fixed(["False", "True"]),
        "callable": fixed(["bool", "str", "len"]),
    }
    return made.get(use)


def _uses(name: str, function: ast.AST) -> Iterator[str]:
    """Yield what a parameter is used as."""
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and _is(node.value, name):
            found = {"text": _TEXT_METHODS, "list": _LIST_METHODS, "mapping": _MAPPING_METHODS, "set": _SET_METHODS}
            yield from (use for use, methods in found.items() if node.attr in methods)
        elif isinstance(node, (ast.For, ast.comprehension)) and _is(node.iter, name):
            yield "iterable"
        elif isinstance(node, ast.Subscript) and _is(node.value, name):
            yield "list" if isinstance(node.slice, ast.Slice) or not isinstance(_index(node), str) else "mapping"
        elif isinstance(node, ast.Compare):
            yield from _compared(name, node)
        elif isinstance(node, ast.BinOp):
            yield from _computed(name, node)
        elif isinstance(node, ast.Call):
            yield from _given(name, node)


def _index(node: ast.Subscript) -> Any:
    inner: Any = node.slice
    inner = getattr(inner, "value", inner)
    return inner if isinstance(inner, (str, int)) else getattr(inner, "value", None)


def _compared(name: str, node: ast.Compare) -> Iterator[str]:
    sides = [node.left, *node.comparators]
    if _is(sides[-1], name) and isinstance(node.ops[-1], (ast.In, ast.NotIn)):
        yield "iterable"
    elif any(_is(side, name) for side in sides):
        yield from (use for side in sides if (use := _of_constant(side)))


def _computed(name: str, node: ast.BinOp) -> Iterator[str]:
    if _is(node.left, name) or _is(node.right, name):
        other = node.right if _is(node.left, name) else node.left
        use = _of_constant(other)
        if use:
            yield use
        elif not isinstance(node.op, (ast.Add, ast.Mod, ast.Mult)):
            yield "whole"


def _given(name: str, node: ast.Call) -> Iterator[str]:
    if _is(node.func, name):
        yield "callable"
    called = getattr(node.func, "id", "")
    if any(_is(one, name) for one in node.args):
        if called in ("range", "abs", "chr", "divmod", "round", "hex", "bin"):
            yield "whole"
        elif called in ("len", "sorted", "enumerate", "reversed", "sum", "min", "max", "zip", "set", "list", "tuple"):
            yield "iterable"
        elif called == "ord":
            yield "text"
    if called == "isinstance" and len(node.args) == 2 and _is(node.args[0], name):
        classes: Set[str] = {getattr(one, "id", "") for one in ast.walk(node.args[1])}
        by_class = {"int": "whole", "float": "whole", "str": "text", "list": "list", "tuple": "list", "dict": "mapping"}
        yield from (by_class[one] for one in sorted(classes) if one in by_class)


def _of_constant(node: ast.AST) -> str:
    value = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
    if isinstance(value, bool) or value is None:
        return ""
    return "whole" if isinstance(value, (int, float)) else "text" if isinstance(value, str) else ""


def _is(node: Any, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
