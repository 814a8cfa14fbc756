"""Rebinding of definitions of a file: a target might replace the functions that tests compare its results with.

Setting a variable of the module or an attribute of an object is ordinary. Replacing a function, a class, a constant or
a method is not: a test that compares `fast(n)` with `slow(n)` would then compare it with the target's own version of
`slow`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from certo.analysis.scopes import imported
from certo.vocabulary.records import dataclass

_NAMES_OF_CLASSES = frozenset({"__qualname__", "__module__"})
"""Attributes that identify a class: a class that copies another's would be mistaken for it."""

_STILL_CALLED = frozenset({"staticmethod", "classmethod"})
"""Decorators of methods that are still called as such; with others, such as a property, assignment may be intended."""


@dataclass(frozen=True, slots=True)
class Rebinding:
    """One rebinding of a definition: the `construct` in words, the `name` it replaces, its line."""

    construct: str
    name: str
    line: int


@dataclass(frozen=True, slots=True)
class _Store:
    """An attribute that is set or deleted, with its new value if that is known."""

    receiver: ast.expr
    name: str
    value: ast.expr | None
    line: int


def rebindings(node: ast.AST, module: ast.Module) -> Iterator[Rebinding]:
    """Yield the rebindings of a module's definitions in one of its nodes."""
    definitions = _Definitions(node, module)
    for each in ast.walk(node):
        if isinstance(each, ast.Global):
            names = [name for name in each.names if name in definitions.fixed]
            yield from (Rebinding(f"global {name}", name, each.lineno) for name in names)
        if isinstance(each, ast.ClassDef):
            borrowed = [name for statement in each.body for name in _assigned(statement) if name in _NAMES_OF_CLASSES]
            yield from (Rebinding(f"a {name} of its own", name, each.lineno) for name in borrowed)
        for store in _stores(each):
            if definitions.are_replaced_by(store):
                yield Rebinding(f"a new value for .{store.name}", store.name, store.line)


class _Definitions:
    """Names defined by a module: `fixed` are its functions, classes, imports and constants."""

    def __init__(self, node: ast.AST, module: ast.Module) -> None:
        classes = [each for each in ast.walk(module) if isinstance(each, ast.ClassDef)]
        self._classes = {each.name for each in classes}
        self._methods = frozenset(name for each in classes for name in _methods(each))
        self._own = frozenset(name for each in classes if node in each.body for name in _methods(each))
        self._imported = frozenset(
            name
            for each in module.body
            if isinstance(each, ast.Import | ast.ImportFrom)
            for name, _, _ in imported(each)
        )
        functions = {each.name for each in module.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}
        constants = {name for each in module.body for name in _assigned(each) if name.isupper()}
        self.fixed = self._classes | self._imported | functions | constants

    def are_replaced_by(self, store: _Store) -> bool:
        """True if a stored attribute replaces a method, a constant of a class, or an import."""
        if store.name in _NAMES_OF_CLASSES:
            return True
        receiver = store.receiver
        if self._is_class(receiver):
            return store.name in self._methods or store.name.isupper()
        if isinstance(receiver, ast.Name) and receiver.id in self._imported:
            return True
        if isinstance(receiver, ast.Name) and receiver.id == "self" and store.name in self._own:
            return True
        # Another object may well have an attribute with the name of some class's method.
        return store.name in self._methods and isinstance(store.value, ast.Lambda)

    def _is_class(self, receiver: ast.expr) -> bool:
        match receiver:
            case ast.Name(id=name):
                return name == "cls" or name in self._classes
            case ast.Call(func=ast.Name(id="type"), args=[_]) | ast.Attribute(attr="__class__"):
                return True
            case _:
                return False


def _methods(node: ast.ClassDef) -> Iterator[str]:
    for each in node.body:
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            decorators = [ast.unparse(decorator) for decorator in each.decorator_list]
            if _STILL_CALLED.issuperset(decorators):
                yield each.name


def _assigned(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that an assignment binds."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    yield from (each.id for each in targets if isinstance(each, ast.Name))


def _stores(node: ast.AST) -> Iterator[_Store]:
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from (store for each in targets for store in _attributes(each, value))
        case ast.AnnAssign(target=target, value=value) | ast.AugAssign(target=target, value=value):
            yield from _attributes(target, value)
        case ast.For(target=target) | ast.AsyncFor(target=target) | ast.NamedExpr(target=target):
            yield from _attributes(target, None)
        case ast.withitem(optional_vars=ast.expr() as target):
            yield from _attributes(target, None)
        case ast.Delete(targets=targets):
            yield from (store for each in targets for store in _attributes(each, None))
        case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[receiver, ast.Constant(value=str(name)), *rest]):
            yield _Store(receiver, name, rest[0] if rest else None, node.lineno)


def _attributes(target: ast.expr, value: ast.expr | None) -> Iterator[_Store]:
    match target:
        case ast.Attribute(value=receiver, attr=name):
            yield _Store(receiver, name, value, target.lineno)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            yield from (store for each in parts for store in _attributes(each, None))
        case ast.Starred(value=inner):
            yield from _attributes(inner, None)
