"""Definitions that names of a project's code lead to, found by reading its files; nothing of the project runs.

A name leads through imports to a module, class, function or value of the project. The class of a value is known if it
is annotated, or made by a call of the class or of a function with an annotated result.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path

from certo.vocabulary.records import dataclass

MAX_BYTES = 1_000_000
"""Largest file that is read."""

_MAX_STEPS = 12
"""Maximum number of imports, bases and assignments that one name is followed through."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef | ast.Assign | ast.AnnAssign


@dataclass(frozen=True)
class Module:
    """A module of the project: its file, its text by lines, and the statements that bind its names."""

    path: Path
    lines: tuple[str, ...]
    tree: ast.Module
    bound: dict[str, ast.stmt]
    stars: tuple[ast.ImportFrom, ...]


@dataclass(frozen=True)
class Found:
    """The end of a name: a module, if there is no `node`, or a definition in it.

    `owner` is the class that a method or attribute was found in, and `is_instance` marks a value of the class `node`.
    """

    module: Module
    node: Definition | None = None
    owner: ast.ClassDef | None = None
    is_instance: bool = False


@dataclass(frozen=True)
class Scope:
    """A place in a module from which names are looked up: within `function`, a method of `owner`, if any."""

    module: Module
    function: Function | None = None
    owner: ast.ClassDef | None = None


@dataclass
class Modules:
    """The modules of the project at `root`, read when they are needed; `texts` come before files."""

    root: Path
    texts: dict[Path, str] = field(default_factory=dict)
    _read: dict[Path, Module | None] = field(default_factory=dict)

    def at(self, path: Path) -> Module | None:
        """Return the module in a file; None if it cannot be read."""
        if path not in self._read:
            self._read[path] = self._parsed(path)
        return self._read[path]

    def _parsed(self, path: Path) -> Module | None:
        try:
            if path not in self.texts and path.stat().st_size > MAX_BYTES:
                return None
            text = self.texts[path] if path in self.texts else path.read_text(encoding="utf-8")
            tree = ast.parse(text)
        except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
            return None
        bound: dict[str, ast.stmt] = {}
        stars = []
        for statement in _statements(tree.body):
            if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
                stars.append(statement)
            for name in _bound_by(statement):
                bound.setdefault(name, statement)
        return Module(path, tuple(text.split("\n")), tree, bound, tuple(stars))

    def imported(self, dotted: str, level: int, importer: Path) -> Module | None:
        """Return the module that an import names; None if it is not the project's."""
        if level:
            places = [importer.parents[level - 1]] if level <= len(importer.parents) else []
        else:
            outside = importer.parent
            while (outside / "__init__.py").is_file():
                outside = outside.parent
            places = [self.root, self.root / "src", outside]
        parts = [part for part in dotted.split(".") if part]
        for place in dict.fromkeys(places):
            inner = place.joinpath(*parts)
            files = (inner / "__init__.py", inner.with_suffix(".py") if parts else inner / "__init__.py")
            for file in files:
                if (file in self.texts or file.is_file()) and self.root in file.parents:
                    return self.at(file)
        return None


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module or class, those under conditions included."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If | ast.Try | ast.With):
            for inner in ("body", "handlers", "orelse", "finalbody"):
                for each in getattr(statement, inner, ()):
                    yield from _statements(each.body if isinstance(each, ast.ExceptHandler) else [each])


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, Function | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in statement.names)
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        yield from (each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name))


def scopes(module: Module) -> Iterator[tuple[ast.AST, Scope]]:
    """Yield each node of a module with the scope that its names are looked up from."""
    left: list[tuple[ast.AST, Scope]] = [(module.tree, Scope(module))]
    while left:
        node, scope = left.pop()
        yield node, scope
        inner = scope
        if isinstance(node, ast.ClassDef):
            inner = Scope(module, scope.function, node)
        elif isinstance(node, Function):
            inner = Scope(module, node, scope.owner)
        left += [(child, inner) for child in ast.iter_child_nodes(node)]


@dataclass(frozen=True)
class Resolver:
    """Follows names and expressions to their definitions in the project."""

    modules: Modules

    def expression(self, node: ast.expr, scope: Scope, steps: int = _MAX_STEPS) -> Found | None:
        """Return the definition of a name or attribute, or a value of a known class; None if nothing is known."""
        if steps <= 0:
            return None
        if isinstance(node, ast.Name):
            return self._name(node.id, scope, steps - 1)
        if isinstance(node, ast.Attribute):
            held = self.expression(node.value, scope, steps - 1)
            held = self._value_of(held, steps - 1) if held is not None else None
            return self.member(held, node.attr, steps - 1) if held is not None else None
        if isinstance(node, ast.Await):
            return self.expression(node.value, scope, steps - 1)
        if isinstance(node, ast.Call):
            return self._called(self.expression(node.func, scope, steps - 1), steps - 1)
        return None

    def _name(self, name: str, scope: Scope, steps: int) -> Found | None:
        if scope.function is not None:
            here, local = self._local(name, scope, scope.function, steps)
            if here:
                return local
        return self.global_name(name, scope.module, steps)

    def _local(self, name: str, scope: Scope, function: Function, steps: int) -> tuple[bool, Found | None]:
        """Return True if a function binds the name, and the value that it has there as far as known."""
        signature = function.args
        arguments = [*signature.posonlyargs, *signature.args, *signature.kwonlyargs]
        for number, argument in enumerate(arguments):
            if argument.arg != name:
                continue
            if argument.annotation is not None:
                return True, self.annotated(argument.annotation, scope, steps)
            if number == 0 and scope.owner is not None:
                return True, Found(scope.module, scope.owner, is_instance=True)
            return True, None
        for node in ast.walk(function):
            if isinstance(node, ast.AnnAssign) and _is_named(node.target, name):
                return True, self.annotated(node.annotation, scope, steps)
            if isinstance(node, ast.Assign) and any(_is_named(target, name) for target in node.targets):
                return True, None if _mentions(node.value, name) else self.expression(node.value, scope, steps)
            if isinstance(node, ast.Import | ast.ImportFrom) and name in _bound_by(node):
                return True, self._imported_name(node, name, scope.module, steps)
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
                return True, None
        return False, None

    def global_name(self, name: str, module: Module, steps: int = _MAX_STEPS) -> Found | None:
        """Return the definition of a name at the top of a module."""
        if steps <= 0:
            return None
        statement = module.bound.get(name)
        if isinstance(statement, ast.Import | ast.ImportFrom):
            return self._imported_name(statement, name, module, steps - 1)
        if isinstance(statement, Definition):
            return Found(module, statement)
        for star in module.stars:
            source = self.modules.imported(star.module or "", star.level, module.path)
            found = self.global_name(name, source, steps - 1) if source is not None else None
            if found is not None:
                return found
        return None

    def _imported_name(
        self, statement: ast.Import | ast.ImportFrom, name: str, module: Module, steps: int
    ) -> Found | None:
        for alias in statement.names:
            if (alias.asname or alias.name.partition(".")[0]) != name:
                continue
            if isinstance(statement, ast.Import):
                dotted = alias.name if alias.asname else alias.name.partition(".")[0]
                whole = self.modules.imported(dotted, 0, module.path)
                return Found(whole) if whole is not None else None
            source = self.modules.imported(statement.module or "", statement.level, module.path)
            found = self.global_name(alias.name, source, steps) if source is not None and source is not module else None
            if found is not None:
                return found
            inner = ".".join(filter(None, (statement.module, alias.name)))
            submodule = self.modules.imported(inner, statement.level, module.path)
            return Found(submodule) if submodule is not None else None
        return None

    def member(self, holder: Found, name: str, steps: int = _MAX_STEPS) -> Found | None:
        """Return the definition of an attribute of a module, a class or a value of a class."""
        if steps <= 0:
            return None
        if holder.node is None:
            return self._of_module(holder.module, name, steps)
        if not isinstance(holder.node, ast.ClassDef):
            return None
        scope = Scope(holder.module, None, holder.node)
        for statement in _statements(holder.node.body):
            if isinstance(statement, Definition) and name in _bound_by(statement):
                return Found(holder.module, statement, holder.node)
        for value in _assigned_to_self(holder.node, name):
            return self.expression(value[1], Scope(holder.module, value[0], holder.node), steps - 1)
        for base in holder.node.bases:
            found = self.expression(base, scope, steps - 1)
            inherited = self.member(found, name, steps - 1) if found is not None else None
            if inherited is not None:
                return inherited
        return None

    def _of_module(self, module: Module, name: str, steps: int) -> Found | None:
        found = self.global_name(name, module, steps)
        if found is None and module.path.name == "__init__.py":
            inner = self.modules.imported(name, 1, module.path)
            return Found(inner) if inner is not None else None
        return found

    def _value_of(self, found: Found, steps: int) -> Found | None:
        """Return a value of the class that a variable or property has, or what was found itself."""
        scope = Scope(found.module, None, found.owner)
        if isinstance(found.node, ast.AnnAssign):
            return self.annotated(found.node.annotation, scope, steps)
        if isinstance(found.node, ast.Assign):
            return self.expression(found.node.value, scope, steps)
        if isinstance(found.node, Function) and any("property" in ast.dump(each) for each in found.node.decorator_list):
            return self.annotated(found.node.returns, scope, steps) if found.node.returns is not None else None
        return found

    def _called(self, found: Found | None, steps: int) -> Found | None:
        if found is None or found.is_instance:
            return None
        if isinstance(found.node, ast.ClassDef):
            return Found(found.module, found.node, is_instance=True)
        if isinstance(found.node, Function) and found.node.returns is not None:
            return self.annotated(found.node.returns, Scope(found.module, None, found.owner), steps)
        return None

    def annotated(self, annotation: ast.expr, scope: Scope, steps: int = _MAX_STEPS) -> Found | None:
        """Return a value of the class that an annotation names; of several classes, the first that is known."""
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            try:
                annotation = ast.parse(annotation.value, mode="eval").body
            except SyntaxError:
                return None
        if isinstance(annotation, ast.BinOp):
            left = self.annotated(annotation.left, scope, steps - 1)
            return left or self.annotated(annotation.right, scope, steps - 1)
        if isinstance(annotation, ast.Subscript):
            named = annotation.value
            is_optional = (named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")) == "Optional"
            annotation = annotation.slice if is_optional else named
        if not isinstance(annotation, ast.Name | ast.Attribute):
            return None
        # A parameter may have the name of its own class's module, so its annotation is looked up outside the function.
        found = self.expression(annotation, Scope(scope.module, None, scope.owner), steps - 1)
        if found is None or not isinstance(found.node, ast.ClassDef):
            return None
        return Found(found.module, found.node, is_instance=True)


def _is_named(target: ast.expr, name: str) -> bool:
    return isinstance(target, ast.Name) and target.id == name


def _mentions(value: ast.expr, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(value))


def _assigned_to_self(owner: ast.ClassDef, name: str) -> Iterator[tuple[Function, ast.expr]]:
    """Yield the values that methods assign to an attribute, each with its method."""
    for method in owner.body:
        if not isinstance(method, Function) or not method.args.args:
            continue
        first = method.args.args[0].arg
        for node in ast.walk(method):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Attribute) and target.attr == name and _is_named(target.value, first):
                        yield method, node.value
