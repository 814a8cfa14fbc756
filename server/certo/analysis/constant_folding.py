"""Constant folding: values of constants, expressions over them, and names bound to them once."""

from __future__ import annotations

import ast
import functools
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

_OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_SIGNS: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
_MAX_ITEMS: Final = 10_000
"""Maximum length of a text or list, bits of a number, and steps of an evaluation."""


class NotConstant(Exception):
    """The value of an expression cannot be determined statically."""


class Constants:
    """Constant values of one module."""

    def __init__(self, tree: ast.Module) -> None:
        self._names = _bound_once(tree)
        self._entered: list[str] = []
        self._steps = 0

    def value_of(self, node: ast.expr) -> Any:
        """Return the value of an expression of the module.

        Raises:
            NotConstant: It is only known at run time, or too expensive to compute.
        """
        self._entered, self._steps = [], 0
        return self._value(node)

    def _value(self, node: ast.expr) -> Any:
        self._steps += 1
        if self._steps > _MAX_ITEMS:
            raise NotConstant
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return self._named(name)
            case ast.List(elts=elements):
                return [self._value(each) for each in elements]
            case ast.Tuple(elts=elements):
                return tuple(self._value(each) for each in elements)
            case ast.Dict(keys=keys, values=values):
                pairs = [(self._value(key), self._value(value)) for key, value in _pairs(keys, values)]
                return _made(lambda: dict(pairs))
            case ast.UnaryOp(op=sign, operand=operand):
                value = self._value(operand)
                return _made(lambda: _SIGNS[type(sign)](value))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return _computed(_OPERATORS[type(op)], self._value(left), self._value(right))
            case ast.JoinedStr(values=parts):
                return functools.reduce(_joined, map(self._text, parts), "")
            case _:
                raise NotConstant

    def _named(self, name: str) -> Any:
        """Return the value of a name, unless its definition is circular."""
        if name in self._entered or name not in self._names:
            raise NotConstant
        self._entered.append(name)
        value = self._value(self._names[name])
        self._entered.pop()
        return value

    def _text(self, part: ast.expr) -> str:
        match part:
            case ast.Constant(value=str() as text):
                return text
            case ast.FormattedValue(value=inner, conversion=-1, format_spec=None):
                value = self._value(inner)
                if not isinstance(value, str | int | float | None):
                    raise NotConstant
                return str(_made(lambda: str(value)))
            case _:
                raise NotConstant


def _bound_once(tree: ast.Module) -> Mapping[str, ast.expr]:
    """Return the names bound exactly once in the module, to an expression, with that expression."""
    bound = Counter[str]()
    values: dict[str, ast.expr] = {}
    for node in ast.walk(tree):
        bound.update(_binds(node))
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                values[name] = value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                values[name] = value
    return {name: value for name, value in values.items() if bound[name] == 1}


def _binds(node: ast.AST) -> Iterable[str]:
    """Return the names that a node binds; global and nonlocal ones twice, since they may be rebound."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            return (name,)
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return (*names, *names)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.alias(name=name, asname=other):
            return (other or name.partition(".")[0],)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return (name,)
        case ast.MatchMapping(rest=str(name)):
            return (name,)
        case _:
            return ()


def _pairs(keys: Sequence[ast.expr | None], values: Sequence[ast.expr]) -> Iterator[tuple[ast.expr, ast.expr]]:
    for key, value in zip(keys, values, strict=True):
        if key is None:
            raise NotConstant
        yield key, value


def _computed(how: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    if how is operator.mul and _length(left, right) > _MAX_ITEMS:
        raise NotConstant
    # `%` formats texts too, with any width.
    if how is operator.mod and isinstance(left, str | bytes):
        raise NotConstant
    result = _made(lambda: how(left, right))
    if _size(result) > _MAX_ITEMS:
        raise NotConstant
    return result


def _joined(left: str, right: str) -> str:
    return str(_computed(operator.add, left, right))


def _length(left: Any, right: Any) -> int:
    """Return the maximum length of a product."""
    for repeated, times in ((left, right), (right, left)):
        if isinstance(repeated, Sequence) and isinstance(times, int):
            return len(repeated) * times
    return _size(left) + _size(right)


def _size(value: Any) -> int:
    """Return the length of a sequence, or the size of a number in bits."""
    if isinstance(value, Sequence):
        return len(value)
    return value.bit_length() if isinstance(value, int) else 1


def _made(how: Callable[[], Any]) -> Any:
    try:
        return how()
    except (TypeError, ValueError, ArithmeticError) as error:
        # The program itself will raise this at run time.
        raise NotConstant from error
