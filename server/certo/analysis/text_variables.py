"""The variables of a function and the origins of the texts in them: given from outside, cut, its own, or made.

The reading follows text through the variables of the function, in any order of its statements. What comes from a
parameter is not the function's own, however it is changed as a whole. All other text is: what is written in it, what
the module and the library hold, what Python says of objects (names, docstrings, messages, `repr`) and the names of
keywords. Of such text one piece may be used as it is. Two pieces put together, a piece that is cut or changed, and
text that is made of numbers are `MADE`: the reading does not know what they say. Properties, descriptors, generators
and the like hand text on unseen, so a name that is not traced is judged by all the text of the function.
"""

from __future__ import annotations

import ast
import builtins
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Final

from certo.analysis.scopes import function_bindings, module_bindings
from certo.analysis.text_expressions import arguments_of, mentioned, named_functions, names_bound, names_of_library

GIVEN: Final = 0
"""From outside, by a parameter."""
CUT: Final = 1
"""A part of what is given; two of them can spell anything."""
PIECE: Final = 2
"""A text of the function's own surroundings, whole."""
TEXT: Final = 3
"""Unknown, but for a beginning or an end that no dangerous name has; as a format it may say anything."""
MADE: Final = 4
"""Unknown."""

_FILLING_NAMES = "append appendleft add insert extend update setdefault push put"
_FILLING = frozenset(_FILLING_NAMES.split())


BUILTINS = frozenset(dir(builtins))


class TextVariables(ABC):
    """The variables of one node of a module, found by reading its statements until nothing changes."""

    def __init__(self, node: ast.AST, module: ast.Module) -> None:
        self.nodes = list(ast.walk(node))
        self.levels: dict[str, int] = {}
        self.known: dict[ast.AST, int] = {}
        self.functions = dict(named_functions(self.nodes))
        self.classes = {each.name for each in self.nodes if isinstance(each, ast.ClassDef)}
        self.local = _local_names(node, self.nodes, module)
        self.fields: dict[str, int] = {}
        self.library = dict(names_of_library([*module.body, *self.nodes]))
        self._handlers = [each.name for each in self.nodes if isinstance(each, ast.ExceptHandler) and each.name]
        self.levels.update(dict.fromkeys(self._handlers, PIECE))
        before = None
        while before != (self.levels, self.fields):
            before = dict(self.levels), dict(self.fields)
            for each in self.nodes:
                self._bind(each)

    @abstractmethod
    def level(self, node: ast.AST) -> int:
        """Return the origin of an expression's text."""

    def is_local(self, node: ast.expr) -> bool:
        """True if an expression is a variable of the function's own."""
        return isinstance(node, ast.Name) and node.id in self.local

    def given_to(self, call: ast.Call) -> int:
        """Return the highest origin among the arguments of a call."""
        return max(map(self.level, arguments_of(call)), default=GIVEN)

    def _bind(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._store(target, self.level(value))
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                self._store(target, self.level(value))
            case ast.AugAssign(target=target, op=op, value=value):
                self._store(target, self.level(ast.BinOp(left=target, op=op, right=value)))
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                self._store(target, self.level(value))
            case ast.comprehension(target=target, iter=value):
                self._store(target, self.level(value))
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                self._store(target, self.level(value))
            case _:
                self._bind_further(node)

    def _bind_further(self, node: ast.AST) -> None:
        match node:
            case ast.Call():
                self._hand_over(node)
            case ast.Raise(exc=ast.expr() as value):
                given = self.given_to(value) if isinstance(value, ast.Call) else GIVEN
                for name in self._handlers:
                    self._raise(name, max(given, self.level(value)))
            case ast.Match(subject=subject):
                captures = (each for each in ast.walk(node) if isinstance(each, ast.MatchAs | ast.MatchStar))
                for capture in captures:
                    self._raise(capture.name or "_", self.level(subject))
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                ends = (each for each in ast.walk(node) if isinstance(each, ast.Return | ast.Yield | ast.YieldFrom))
                self._raise(name, max((self.level(each.value) for each in ends if each.value), default=GIVEN))
            case ast.ClassDef(body=body):
                assigned = (each for each in body if isinstance(each, ast.Assign | ast.AnnAssign))
                self.fields.update({name: self.levels.get(name, GIVEN) for each in assigned for name in _stored(each)})
            case ast.arguments():
                positional = [*node.posonlyargs, *node.args]
                pairs = [*zip(reversed(positional), reversed(node.defaults), strict=False)]
                for argument, default in (*pairs, *zip(node.kwonlyargs, node.kw_defaults, strict=True)):
                    self._raise(argument.arg, self.level(default) if default is not None else GIVEN)

    def _hand_over(self, call: ast.Call) -> None:
        """Follow the arguments of a call into the function's own functions, and into what it fills."""
        given = max(self.given_to(call), PIECE if any(each.arg for each in call.keywords) else GIVEN)
        if given == GIVEN:
            return
        if isinstance(call.func, ast.Attribute) and call.func.attr in _FILLING:
            self._store(call.func.value, given)
        for keyword in call.keywords:
            if keyword.arg is not None:
                self._raise(keyword.arg, self.level(keyword.value))
                self._raise_field(keyword.arg, self.level(keyword.value))
        for each in (call.func, *call.args):
            function = each if isinstance(each, ast.Lambda) else self.functions.get(mentioned(each))
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
                self._raise_field(name, level)
                if not (isinstance(owner, ast.Name) and owner.id in ("self", "cls")):
                    self._store(owner, level)
            case ast.Subscript(value=inner) | ast.Starred(value=inner):
                self._store(inner, level)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for each in parts:
                    self._store(each, level)

    def _raise(self, name: str, level: int) -> None:
        self._put(self.levels, name, level)

    def _raise_field(self, name: str, level: int) -> None:
        self._put(self.fields, name, level)

    def _put(self, levels: dict[str, int], name: str, level: int) -> None:
        if level > levels.get(name, GIVEN):
            # What was found of expressions before may have rested on it.
            self.known.clear()
        levels[name] = max(level, levels.get(name, GIVEN))


def _local_names(node: ast.AST, nodes: Iterable[ast.AST], module: ast.Module) -> frozenset[str]:
    """Return the names that mean variables of a node and nothing else.

    One that only a scope within the node binds, as a comprehension does, means what it always did everywhere else.
    """
    own: set[str] = set()
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        own = {name for name, imported in function_bindings(node).items() if not imported}
    outside = BUILTINS | module_bindings(module).keys()
    inner = {name for each in nodes for name in names_bound(each)} - outside
    return frozenset({"self", "cls"} | own | inner)


def _stored(statement: ast.stmt) -> Iterable[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return (each.id for each in targets if isinstance(each, ast.Name))
