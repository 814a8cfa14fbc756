"""Deterministic time: a candidate is limited in steps, independent of the clock.

Every function entry, loop iteration and comprehension iteration of the code under trial calls `__certo_tick__`, a name
in `builtins` so that it is found from any module. When the steps are used up the tick raises, and goes on raising, so
that a candidate that catches the exception gains nothing. Counting steps instead of seconds makes the same search find
the same answer on slow and fast machines.
"""

from __future__ import annotations

import ast
import builtins
from itertools import chain, repeat
from operator import length_hint
from typing import Any, Callable, Dict, Tuple

TICK = "__certo_tick__"


class OutOfFuel(BaseException):
    """The code under trial used up its steps. A BaseException, so that `except Exception` does not catch it."""


class Meter:
    """The remaining steps, and if they ran out.

    A tick is `next` on an iterator of True values, which takes half the time of a Python function; after them each call
    raises.
    """

    def __init__(self) -> None:
        self.granted = 0
        self.empty = False
        self.fill(0)

    def fill(self, steps: int) -> None:
        """Grant `steps` steps from now on."""
        self.granted = steps
        self.empty = False
        self._left = repeat(True, steps)
        # A granted tick is handled in C alone; only after the last one does the chain go on to our `__next__`.
        setattr(builtins, TICK, chain(self._left, self).__next__)

    @property
    def used(self) -> int:
        """The steps used since the last fill."""
        return self.granted - length_hint(self._left)

    def __iter__(self) -> Meter:
        """Raise OutOfFuel: no steps are left."""
        return self

    def __next__(self) -> bool:
        """Raise OutOfFuel: a step was not granted."""
        self.empty = True
        raise OutOfFuel


def put_ticks(tree: ast.AST) -> None:
    """Insert ticks into a syntax tree, in place.

    Every candidate goes through this: a walk over the relevant nodes takes a third of the time of a NodeTransformer.
    """
    nodes = [tree]
    for node in nodes:
        for name in _INNER[type(node)]:
            inner = getattr(node, name)
            if type(inner) is list:
                nodes += [one for one in inner if type(one) not in _WITHOUT]
            elif type(inner) not in _WITHOUT:
                nodes.append(inner)
    for node in nodes:
        put = _PUT.get(type(node))
        if put is not None:
            put(node)


def _place(at: Any) -> Dict[str, Any]:
    return {
        "lineno": at.lineno,
        "col_offset": at.col_offset,
        "end_lineno": at.end_lineno,
        "end_col_offset": at.end_col_offset,
    }


def _tick(place: Dict[str, Any]) -> ast.Call:
    return ast.Call(func=ast.Name(id=TICK, ctx=ast.Load(), **place), args=[], keywords=[], **place)


def _put_into_body(node: Any) -> None:
    # After a docstring, so that it stays one.
    first = node.body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    place = _place(first)
    node.body.insert(int(is_text), ast.Expr(_tick(place), **place))


def _put_into_lambda(node: Any) -> None:
    """Insert a tick into a lambda: `lambda: tick() and body`."""
    node.body = ast.BoolOp(ast.And(), [_tick(_place(node)), node.body], **_place(node.body))


def _put_into_turns(node: Any) -> None:
    for generator in node.generators:
        # A filter that lets everything pass runs once per iteration.
        generator.ifs[:0] = [_tick(_place(node))]


_PUT: Dict[type, Callable[[Any], None]] = {
    **dict.fromkeys((ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef), _put_into_body),
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp), _put_into_turns),
    ast.Lambda: _put_into_lambda,
}

_WITHOUT = frozenset((type(None), ast.Name, ast.Constant, ast.Pass, ast.Break, ast.Continue, ast.alias))
"""Node types without a place for a tick, and None."""

_PLAIN = frozenset(("id", "ctx", "op", "ops", "arg", "attr", "name", "names", "kind", "conversion", "type_comment"))
"""Fields without code that could hold a tick."""


class _InnerFields(Dict[type, Tuple[str, ...]]):
    """Fields of each node type that may contain nodes; computed once."""

    def __missing__(self, kind: type) -> Tuple[str, ...]:
        self[kind] = tuple(name for name in getattr(kind, "_fields", ()) if name not in _PLAIN)
        return self[kind]


_INNER = _InnerFields()
