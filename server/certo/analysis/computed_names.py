"""Attribute names computed at run time for getattr, setattr and the like, found by data flow analysis.

The analysis follows strings through the variables of the function, regardless of statement order. A literal in the
function is a piece, and two pieces concatenated, or a piece that is cut or changed, make a name unknown to the
analysis. Strings from outside (a parameter, a field, another function's result) are not the function's own, and neither
are names with a beginning or end that no dangerous one has.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from certo.analysis.introspection import FRAMES

_OUTSIDE, _PIECE, _MADE = 0, 1, 2

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

_BY_NAME = {
    "getattr": slice(1, 2),
    "setattr": slice(1, 2),
    "delattr": slice(1, 2),
    "getattr_static": slice(1, 2),
    "attrgetter": slice(0, None),
    "methodcaller": slice(0, 1),
    "__getattribute__": slice(0, 2),
    "__setattr__": slice(0, 2),
    "__delattr__": slice(0, 2),
}
"""Functions that take an attribute name, with the arguments that may be the name."""

_STRICT = frozenset({"getattr", "setattr", "delattr", "attrgetter"})
"""Functions for which any name but a constant, a variable or a field is refused."""

_MODULES = frozenset({"os", "sys", "builtins", "importlib", "subprocess", "ctypes", "gc"})
"""Modules that are attributes of others, and so could be fetched by name unseen."""

_SPECIAL = FRAMES | _MODULES

_MAKERS = frozenset({"chr", "dir"})
_PASSING_NAMES = "list tuple set frozenset dict sorted reversed iter next min max zip map filter enumerate str sum"
_PASSING = frozenset(_PASSING_NAMES.split())

_CHANGING_NAMES = """
    lower upper swapcase casefold title capitalize replace strip lstrip rstrip removeprefix removesuffix translate
    decode zfill expandtabs format format_map
"""
_CHANGING = frozenset(_CHANGING_NAMES.split())

_FILLING_NAMES = "append appendleft add insert extend update setdefault push put"
_FILLING = frozenset(_FILLING_NAMES.split())

_FORMATTING = frozenset({"format", "format_map"})

_LIBRARY_NAMES = "str bytes bytearray memoryview operator functools re string codecs base64 binascii struct array"
_LIBRARIES = frozenset(_LIBRARY_NAMES.split())


_MAX_TIMES = 80
"""Maximum repetition of a constant text that may still be part of a name."""


@dataclass(frozen=True, slots=True)
class MadeName:
    """One use of a computed name: the `construct` in words, the name it is `charged` to, and its line."""

    construct: str
    line: int
    charged: str = "getattr"


def made_names(node: ast.AST, module: ast.Module) -> Iterator[MadeName]:
    """Yield the uses of computed names in a node of a module."""
    known = _names_of_functions(node, module)
    wanted = {*known, *_FORMATTING}
    if any(_mentioned(each) in wanted or _is_lookup(each) for each in ast.walk(node)):
        yield from _NameReader(node, known).uses()


def is_put_together(name: ast.expr) -> bool:
    """True if an expression computes a name that could be a dangerous one; `"visit_" + kind` cannot."""
    match name:
        case ast.Constant() | ast.Name() | ast.Attribute():
            return False
        case ast.BinOp(op=ast.Add()) | ast.JoinedStr():
            return not _is_harmless(_operands(name))
        case _:
            return True


def folded(node: ast.expr) -> str | None:
    """Return the text of concatenated constants, or None for anything else."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if not isinstance(node, ast.BinOp):
        return None
    first, second = folded(node.left), folded(node.right)
    if isinstance(node.op, ast.Add):
        return None if first is None or second is None else first + second
    if not isinstance(node.op, ast.Mult):
        return None
    text, times = (first, node.right) if second is None else (second, node.left)
    if text is None or not isinstance(times, ast.Constant) or not isinstance(times.value, int):
        return None
    return text * times.value if times.value <= _MAX_TIMES else None


class _NameReader:
    """Possible values of one function's variables, by iteration over its statements to a fixed point."""

    def __init__(self, node: ast.AST, known: dict[str, slice]) -> None:
        self._nodes = list(ast.walk(node))
        self._known = known
        self._levels: dict[str, int] = {}
        self._functions = dict(_named_functions(self._nodes))
        self._handlers = [each.name for each in self._nodes if isinstance(each, ast.ExceptHandler) and each.name]
        before = None
        while before != self._levels:
            before = dict(self._levels)
            for each in self._nodes:
                self._bind(each)

    def uses(self) -> Iterator[MadeName]:
        """Yield the uses, in the order of the tree."""
        for each in self._nodes:
            if isinstance(each, ast.Call):
                yield from self._used_by(each)
            elif isinstance(each, ast.Subscript) and _is_lookup(each) and self._is_dangerous(each.slice):
                yield MadeName("an attribute looked up by a name put together at run time", each.lineno)

    def _used_by(self, call: ast.Call) -> Iterator[MadeName]:
        function = _called(call)
        if function in self._known:
            names = call.args[self._known[function]]
            if any(is_put_together(name) for name in names if function in _STRICT) or any(
                self._is_dangerous(name) for name in names
            ):
                yield MadeName(f"{function} with a name put together at run time", call.lineno)
        elif function in _FORMATTING and isinstance(call.func, ast.Attribute):
            if self._level(call.func.value) == _MADE:
                yield MadeName("a format put together at run time", call.lineno, "format")
        elif self._given(call) == _MADE and any(_mentioned(each) in self._known for each in ast.walk(call)):
            yield MadeName("a function that is handed a name put together at run time", call.lineno)

    def _is_dangerous(self, name: ast.expr) -> bool:
        whole = folded(name)
        if whole is not None:
            return not _MODULES.isdisjoint(part.lstrip("_") for part in whole.split("."))
        return self._level(name) == _MADE

    def _bind(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._store(target, self._level(value))
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                self._store(target, self._level(value))
            case ast.AugAssign(target=target, op=op, value=value):
                self._store(target, self._level(ast.BinOp(left=target, op=op, right=value)))
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                self._store(target, self._level(value))
            case ast.comprehension(target=target, iter=value):
                self._store(target, self._level(value))
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                self._store(target, self._level(value))
            case _:
                self._bind_further(node)

    def _bind_further(self, node: ast.AST) -> None:
        match node:
            case ast.Call():
                self._hand_over(node)
            case ast.Raise(exc=ast.expr() as value):
                given = self._given(value) if isinstance(value, ast.Call) else _OUTSIDE
                for name in self._handlers:
                    self._raise(name, max(given, self._level(value)))
            case ast.Match(subject=subject):
                captures = (each for each in ast.walk(node) if isinstance(each, ast.MatchAs | ast.MatchStar))
                for capture in captures:
                    self._raise(capture.name or "_", self._level(subject))
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                ends = (each for each in ast.walk(node) if isinstance(each, ast.Return | ast.Yield | ast.YieldFrom))
                self._raise(name, max((self._level(each.value) for each in ends if each.value), default=_OUTSIDE))

    def _hand_over(self, call: ast.Call) -> None:
        """Propagate the arguments of a call to the function's own functions, and to mutated containers."""
        given = self._given(call)
        if given == _OUTSIDE:
            return
        if isinstance(call.func, ast.Attribute) and call.func.attr in _FILLING:
            self._store(call.func.value, given)
        for keyword in call.keywords:
            if keyword.arg is not None:
                self._raise(keyword.arg, given)
        for each in (call.func, *call.args):
            function = each if isinstance(each, ast.Lambda) else self._functions.get(_mentioned(each))
            if function is not None:
                taken = function.args
                for argument in (*taken.posonlyargs, *taken.args, *taken.kwonlyargs, taken.vararg, taken.kwarg):
                    if argument is not None and argument.arg not in ("self", "cls"):
                        self._raise(argument.arg, given)

    def _store(self, target: ast.expr, level: int) -> None:
        match target:
            case ast.Name(id=name):
                self._raise(name, level)
            case ast.Attribute(value=owner, attr=name):
                self._raise(name, level)
                if not (isinstance(owner, ast.Name) and owner.id in ("self", "cls")):
                    self._store(owner, level)
            case ast.Subscript(value=inner) | ast.Starred(value=inner):
                self._store(inner, level)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for each in parts:
                    self._store(each, level)

    def _raise(self, name: str, level: int) -> None:
        self._levels[name] = max(level, self._levels.get(name, _OUTSIDE))

    def _level(self, node: ast.AST) -> int:
        special = _LEVELS.get(type(node))
        if special is not None:
            return special(self, node)
        return max((self._level(each) for each in ast.iter_child_nodes(node)), default=_OUTSIDE)

    def _given(self, call: ast.Call) -> int:
        return max(map(self._level, (*call.args, *(each.value for each in call.keywords))), default=_OUTSIDE)

    def _of_constant(self, node: ast.Constant) -> int:
        return _PIECE if isinstance(node.value, str | bytes) and node.value else _OUTSIDE

    def _of_name(self, node: ast.Name) -> int:
        return _MADE if node.id in _MAKERS else self._levels.get(node.id, _OUTSIDE)

    def _of_attribute(self, node: ast.Attribute) -> int:
        own = _PIECE if node.attr == "__doc__" else self._levels.get(node.attr, _OUTSIDE)
        return max(own, self._level(node.value))

    def _of_nothing(self, _node: ast.AST) -> int:
        return _OUTSIDE

    def _of_slice(self, node: ast.Subscript) -> int:
        level = self._level(node.value)
        return _MADE if level and isinstance(node.slice, ast.Slice) else level

    def _of_joined(self, node: ast.JoinedStr | ast.BinOp) -> int:
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Add):
            left, right = self._level(node.left), self._level(node.right)
            changed = isinstance(node.op, ast.Mod) and left and (right or _makes_characters(node.left))
            return _MADE if changed else max(left, right)
        operands = _operands(node)
        levels = [self._level(each) for each in operands]
        if _is_harmless(operands) or all(isinstance(each, ast.Constant) for each in operands):
            return _PIECE
        made = _MADE in levels or sum(level > _OUTSIDE for level in levels) > 1
        return _MADE if made else max(levels, default=_OUTSIDE)

    def _of_formatted(self, node: ast.FormattedValue) -> int:
        spelled = node.format_spec is not None and _makes_characters(node.format_spec)
        return _MADE if spelled else self._level(node.value)

    def _of_call(self, node: ast.Call) -> int:
        given = self._given(node)
        if isinstance(node.func, ast.Attribute):
            return self._of_method(node.func, given)
        name = _mentioned(node.func)
        if name in _PASSING:
            return given
        if name in ("bytes", "bytearray", "memoryview", "array", "pack"):
            return max(_PIECE, given)
        if name in ("format", "ascii", "repr", "reduce"):
            return _MADE if given else _OUTSIDE
        return max(self._level(node.func), _MADE if given == _MADE else _OUTSIDE)

    def _of_method(self, method: ast.Attribute, given: int) -> int:
        receiver = self._level(method.value)
        library = isinstance(method.value, ast.Name) and method.value.id in _LIBRARIES
        if given == _MADE or (library and given):
            return _MADE
        if method.attr in ("to_bytes", "tobytes", "pack"):
            return max(_PIECE, receiver, given)
        if method.attr == "join":
            return _MADE if given and _joins_names(method.value) else given
        if method.attr in _CHANGING:
            fits = method.attr != "format" or given or _makes_characters(method.value)
            return _MADE if receiver and fits else receiver
        return max(receiver, self._levels.get(method.attr, _OUTSIDE))


_LEVELS: dict[type[ast.AST], Callable[[_NameReader, Any], int]] = {
    ast.Constant: _NameReader._of_constant,
    ast.Name: _NameReader._of_name,
    ast.Attribute: _NameReader._of_attribute,
    ast.Compare: _NameReader._of_nothing,
    ast.Subscript: _NameReader._of_slice,
    ast.JoinedStr: _NameReader._of_joined,
    ast.BinOp: _NameReader._of_joined,
    ast.FormattedValue: _NameReader._of_formatted,
    ast.Call: _NameReader._of_call,
}
"""Readers of the kinds of expressions that say more than their parts do."""


def _operands(node: ast.expr) -> list[ast.expr]:
    """Return the operands of a sum or an f-string in order."""
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*_operands(left), *_operands(right)]
        case ast.JoinedStr(values=values):
            return values
        case _:
            return [node]


def _is_harmless(operands: list[ast.expr]) -> bool:
    """True if the concatenated operands begin or end as no dangerous name does."""
    first, last = (_text(each) for each in (operands[0], operands[-1])) if operands else ("", "")
    begins = first not in ("", "_") and first[:2] != "__" and not any(each.startswith(first) for each in _SPECIAL)
    ends = bool(last) and last[-1] != "_" and not any(each.endswith(last) for each in _SPECIAL)
    return begins or ends or any(_is_no_name(_text(each)) for each in operands)


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _is_no_name(text: str) -> bool:
    """True if a text has a character that occurs in no dotted name."""
    return not all(each.isalnum() or each in "_." for each in text)


def _joins_names(separator: ast.expr) -> bool:
    return not _is_no_name(_text(separator))


def _makes_characters(node: ast.AST) -> bool:
    """True if a format turns numbers into characters."""
    return any("%c" in _text(each) or _text(each).endswith("c") or "c}" in _text(each) for each in ast.walk(node))


def _mentioned(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _called(node: ast.AST) -> str:
    return _mentioned(node.func) if isinstance(node, ast.Call) else ""


def _is_lookup(node: ast.AST) -> bool:
    """True if a node is a lookup in the dictionary of an object or a module."""
    match node:
        case ast.Subscript(value=ast.Attribute(attr="__dict__")):
            return True
        case ast.Subscript(value=ast.Call(func=ast.Name(id="vars" | "globals" | "locals"))):
            return True
        case _:
            return False


def _names_of_functions(node: ast.AST, module: ast.Module) -> dict[str, slice]:
    """Return the functions that take an attribute name, under the aliases that the code gives them."""
    known = dict(_BY_NAME)
    for each in (*module.body, *ast.walk(node)):
        match each:
            case ast.ImportFrom(names=names):
                renamed = [(alias.asname, alias.name) for alias in names if alias.asname and alias.name in _BY_NAME]
                known.update((new, _BY_NAME[old]) for new, old in renamed)
            case ast.Assign(targets=[ast.Name(id=new)], value=value):
                used = {_mentioned(inner) for inner in ast.walk(value)} - {_called(inner) for inner in ast.walk(value)}
                if used & _BY_NAME.keys():
                    known[new] = slice(0, None)
            case _:
                continue
    return known


def _named_functions(nodes: list[ast.AST]) -> Iterator[tuple[str, _Function]]:
    for each in nodes:
        match each:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, each
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as function):
                yield name, function
            case _:
                continue
