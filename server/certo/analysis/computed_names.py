"""Attribute names computed at run time for getattr, setattr and the like, found by data flow analysis.

An attribute may be had by a name that is written as a whole, or that comes from a parameter. A name that begins or ends
as no dangerous one does is left alone, too. Of any other the reading does not know what it says (see `TextVariables`).
"""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator

from certo.analysis.hidden_texts import HiddenTexts
from certo.analysis.text_expressions import (
    MODULES,
    arguments_of,
    called,
    folded,
    is_harmless,
    is_put_together,
    mentioned,
    operands,
    text_of,
)
from certo.analysis.text_origins import TextOrigins
from certo.analysis.text_variables import MADE, PIECE, TEXT
from certo.vocabulary.records import dataclass

_BY_NAME = {
    "getattr": slice(1, 2),
    "setattr": slice(1, 2),
    "delattr": slice(1, 2),
    "getattr_static": slice(1, 2),
    "attrgetter": slice(0, None),
    "methodcaller": slice(0, None),
    "get_field": slice(0, 1),
    "vformat": slice(0, 1),
    "__getattribute__": slice(-1, None),
    "__setattr__": slice(-2, -1),
    "__delattr__": slice(-1, None),
    "__get__": slice(0, -1),
}
"""What takes an attribute by its name, and which of its arguments may be that name (or has found it, for `__get__`)."""

_STRICT = frozenset({"getattr", "setattr", "delattr", "attrgetter"})
"""Functions for which any name but a constant, a variable or a field is refused."""

_FORMATTING = frozenset({"format", "format_map", "vformat", "get_field"})
_BY_FORMATS = frozenset({"str", "Formatter"})
"""What takes a format as its first argument, which is its receiver otherwise."""

_VARIABLES = frozenset({"vars", "globals", "locals"})
_LOOKING_UP = frozenset({"get", "pop", "setdefault", "__getitem__", "__contains__"})
_MATCHED = "__match_args__"
_FETCHING = _FORMATTING | _BY_NAME.keys() | {"__dict__"}
_PLAIN = ast.Constant(value=0)


@dataclass(frozen=True, slots=True)
class MadeName:
    """One use of a computed name: the `construct` in words, the name it is `charged` to, and its line."""

    construct: str
    line: int
    charged: str = "getattr"


def made_names(node: ast.AST, module: ast.Module) -> Iterator[MadeName]:
    """Yield the uses of computed names in a node of a module."""
    known = _names_of_functions(node, module)
    wanted = {*known, *_FORMATTING, *_VARIABLES, "__dict__", _MATCHED}
    if any(mentioned(each) in wanted or _is_matched(each) or _is_unpacking(each) for each in ast.walk(node)):
        yield from _Uses(node, module, known).found()


class _Uses:
    """The uses of names in one node of a module."""

    def __init__(self, node: ast.AST, module: ast.Module, known: dict[str, slice]) -> None:
        self._known = known
        self._origins = TextOrigins(node, module)
        self._functions = {id(each.func) for each in self._origins.nodes if isinstance(each, ast.Call)}
        self._is_handed_on = any(
            mentioned(each) in _BY_NAME and id(each) not in self._functions for each in self._origins.nodes
        )
        self._formatters = any(mentioned(each) == "Formatter" for each in self._origins.nodes)
        # Whole modules are read in parts, see `capability_uses`.
        whole = isinstance(node, ast.Module)
        self._names = HiddenTexts(node, self._origins, MADE + whole)
        self._formats = HiddenTexts(node, self._origins, TEXT + 2 * whole)
        self._looked_up = {id(place): key for each in self._origins.nodes for place, key in _lookups(each)}
        self._looked_up.update((id(place), _PLAIN) for each in self._origins.nodes for place in self._filled(each))

    def found(self) -> Iterator[MadeName]:
        """Yield the uses, in the order of the tree."""
        for each in self._origins.nodes:
            if isinstance(each, ast.Call):
                yield from self._of_call(each)
            elif isinstance(each, ast.Attribute):
                yield from self._of_attribute(each)
            elif isinstance(each, ast.Assign | ast.AnnAssign | ast.keyword | ast.Dict):
                yield from self._of_matched(each)
            elif isinstance(each, ast.MatchClass) and _is_unpacking(each) and self._names.may_be_in(each.cls):
                yield MadeName("patterns of a class with names put together", each.cls.lineno)
            if isinstance(each, ast.expr) and _are_variables(each):
                yield from self._of_variables(each)

    def _of_call(self, call: ast.Call) -> Iterator[MadeName]:
        function = called(call)
        if function in self._known:
            names = _names_taken(call, self._known[function])
            if any(is_put_together(name) for name in names if function in _STRICT) or any(
                map(self._is_dangerous, names)
            ):
                yield MadeName(f"{function} with a name put together at run time", call.lineno)
        elif function in _FORMATTING and isinstance(call.func, ast.Attribute):
            taken = self._formatters or mentioned(call.func.value) in _BY_FORMATS
            if taken and any(map(self._is_dangerous_format, call.args[:1])):
                yield MadeName("a format put together at run time", call.lineno, "format")
        elif (self._origins.given_to(call) == MADE or any(map(self._names.may_be_in, arguments_of(call)))) and (
            self._is_handed_on or any(map(self._takes_names, _handed_over(call)))
        ):
            # Where `getattr` is a value, any function may be it.
            yield MadeName("a function that is handed a name put together at run time", call.lineno)

    def _takes_names(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Attribute) and node.attr in _FORMATTING:
            return mentioned(node.value) in _BY_FORMATS
        return mentioned(node) in self._known

    def _of_attribute(self, node: ast.Attribute) -> Iterator[MadeName]:
        if node.attr in _FORMATTING:
            is_handed_on = mentioned(node.value) in _BY_FORMATS and id(node) not in self._functions
            text = folded(node.value)
            if (is_handed_on and self._formats) or (
                self._is_dangerous_format(node.value) if text is None else _names_modules(text)
            ):
                yield MadeName("a format put together at run time", node.lineno, "format")
        elif node.attr == "__get__" and self._origins.level(node.value) == MADE:
            yield MadeName("an attribute fetched by what was found among others", node.lineno)

    def _of_matched(self, node: ast.Assign | ast.AnnAssign | ast.keyword | ast.Dict) -> Iterator[MadeName]:
        """Yield a class that says by names put together what its patterns fetch."""
        if isinstance(node, ast.Dict):
            values = [value for key, value in zip(node.keys, node.values, strict=True) if key and _is_matched(key)]
        elif isinstance(node, ast.keyword):
            values = [node.value] if node.arg == _MATCHED else []
        else:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            values = [node.value] if node.value and any(map(_is_matched, targets)) else []
        for value in values:
            if not isinstance(value, ast.Tuple) or any(map(self._is_dangerous, value.elts)):
                yield MadeName("patterns with names put together at run time", value.lineno)

    def _of_variables(self, node: ast.expr) -> Iterator[MadeName]:
        """Yield the use of the variables of a class or a module, unless one is looked up by a plain name."""
        key = self._looked_up.get(id(node))
        if key is not None:
            if self._is_dangerous(key):
                yield MadeName("an attribute looked up by a name put together at run time", node.lineno)
        elif isinstance(node, ast.Attribute):
            if isinstance(node.ctx, ast.Load) and self._origins.level(node.value) >= PIECE:
                yield MadeName("all attributes of what is not its own", node.lineno)
        elif isinstance(node, ast.Call) and self._origins.given_to(node) >= PIECE:
            yield MadeName("all attributes of what is not its own", node.lineno)

    def _filled(self, node: ast.AST) -> Iterator[ast.expr]:
        """Yield the variables of an object of the function's own that are set all at once."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Attribute(value=owner) as place, attr="update")):
                if self._origins.is_local(owner):
                    yield place

    def _is_dangerous(self, name: ast.expr) -> bool:
        whole = folded(name)
        if whole is not None:
            if self._formats and whole in _FETCHING:
                return True
            return not MODULES.isdisjoint(part.lstrip("_") for part in whole.split("."))
        return self._origins.level(name) == MADE or (not is_harmless(operands(name)) and self._names.may_be_in(name))

    def _is_dangerous_format(self, text: ast.expr) -> bool:
        if folded(text) is not None:
            return self._is_dangerous(text)
        return self._origins.level(text) >= TEXT or self._formats.may_be_in(text)


def _names_taken(call: ast.Call, where: slice) -> list[ast.expr]:
    """Return the arguments of a call that may be the name; a keyword may be any, and what is unpacked all."""
    if any(isinstance(each, ast.Starred) for each in call.args):
        return arguments_of(call)
    return [*call.args[where], *(each.value for each in call.keywords if where.start == 0)]


def _handed_over(call: ast.Call) -> Iterator[ast.AST]:
    """Yield what a call hands over or calls, but for functions that are called within it."""
    inner = {id(each.func) for each in ast.walk(call) if isinstance(each, ast.Call) and each is not call}
    return (each for each in ast.walk(call) if id(each) not in inner)


def _names_modules(text: str) -> bool:
    """True if a format fetches a module of another by an attribute."""
    try:
        fields = [field for _, field, _, _ in string.Formatter().parse(text) if field]
    except ValueError:
        return False
    return any(part.lstrip("_") in MODULES for field in fields for part in field.partition(".")[2].split("."))


def _is_matched(node: ast.AST) -> bool:
    return _MATCHED in (mentioned(node), text_of(node), node.arg if isinstance(node, ast.keyword) else "")


def _is_unpacking(node: ast.AST) -> bool:
    """True if a pattern fetches attributes by the names that a class gives."""
    return isinstance(node, ast.MatchClass) and bool(node.patterns)


def _are_variables(node: ast.expr) -> bool:
    """True if a node gives the dictionary of an object, a class or a module."""
    match node:
        case ast.Attribute(attr="__dict__") | ast.Call(func=ast.Name(id="vars" | "globals" | "locals")):
            return True
        case _:
            return False


def _lookups(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield a dictionary that one key is looked up in, and the key."""
    match node:
        case ast.Subscript(value=place, slice=key):
            yield place, key
        case ast.Call(func=ast.Attribute(value=place, attr=name), args=[key, *_]) if name in _LOOKING_UP:
            yield place, key
        case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[place]):
            yield place, _PLAIN
        case _:
            return


def _names_of_functions(node: ast.AST, module: ast.Module) -> dict[str, slice]:
    """Return the functions that take an attribute name, under the aliases that the code gives them."""
    known = dict(_BY_NAME)
    for each in (*module.body, *ast.walk(node)):
        match each:
            case ast.ImportFrom(names=names):
                renamed = [(alias.asname, alias.name) for alias in names if alias.asname and alias.name in _BY_NAME]
                known.update((new, _BY_NAME[old]) for new, old in renamed)
            case ast.Assign(targets=[ast.Name(id=new)], value=value):
                used = {mentioned(inner) for inner in ast.walk(value)} - {called(inner) for inner in ast.walk(value)}
                if used & _BY_NAME.keys():
                    known[new] = slice(0, None)
            case _:
                continue
    return known
