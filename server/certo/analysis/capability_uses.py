"""Uses of capabilities in a piece of code, found without running it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from certo.analysis.capabilities import Capability, is_listed, is_mixed, reach_of
from certo.analysis.computed_names import made_names
from certo.analysis.introspection import hidden_in_text, is_hidden_name, is_introspective
from certo.analysis.rebindings import rebindings
from certo.analysis.scopes import (
    Bindings,
    Comprehension,
    class_bindings,
    comprehension_bindings,
    function_bindings,
    imported,
    module_bindings,
)
from certo.analysis.text_expressions import folded, identifiers
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True)
class CapabilityUse:
    """One construct that gives access to the surroundings.

    `charged` is the module, member or attribute that gives it; uses with the same `charged` and `reach` are of one
    kind. `line` is 1-based.
    """

    construct: str
    charged: str
    reach: Capability
    line: int

    @property
    def kind(self) -> tuple[str, Capability]:
        """The kind of use; a file that has one of a kind already may have more."""
        return self.charged, self.reach


def uses_in(node: ast.AST, module: ast.Module, enclosing: Iterable[ast.AST] = ()) -> tuple[CapabilityUse, ...]:
    """Return the uses in a node of a module, in the order of the text; `enclosing` are the nodes it stands in."""
    reader = _Reader(_scopes(module, enclosing))
    reader.visit(node)
    return (*reader.uses, *_made(node, module), *_rebound(node, module))


def kinds_used(module: ast.Module) -> frozenset[tuple[str, Capability]]:
    """Return the kinds of uses in a module.

    An imported but unused module counts with its general capability: it was imported for code that is still to be
    written.
    """
    reader = _Reader(_scopes(module, ()))
    reader.visit(module)
    unused = [found for dotted in reader.mixed_imports - reader.mentioned if (found := reach_of(dotted)) is not None]
    rebound = [use.kind for use in _rebound(module, module)]
    made = [use.kind for each in _functions(module) for use in _made(each, module)]
    return frozenset([*(use.kind for use in reader.uses), *unused, *made, *rebound])


def _functions(module: ast.Module) -> Iterator[ast.AST]:
    """Yield the outermost functions of a module and the statements outside of them: each is read by itself."""
    waiting: list[ast.AST] = list(module.body)
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.ClassDef):
            waiting += each.body
        else:
            yield each


def _made(node: ast.AST, module: ast.Module) -> list[CapabilityUse]:
    """Return the uses of computed names; a module is read as a whole and, more strictly, in its parts."""
    parts = (node, *_functions(node)) if isinstance(node, ast.Module) else (node,)
    found = dict.fromkeys(each for part in parts for each in made_names(part, module))
    return [CapabilityUse(each.construct, each.charged, Capability.INTERNALS, each.line) for each in found]


def _rebound(node: ast.AST, module: ast.Module) -> list[CapabilityUse]:
    return [
        CapabilityUse(each.construct, each.name, Capability.DEFINITIONS, each.line) for each in rebindings(node, module)
    ]


def _scopes(module: ast.Module, enclosing: Iterable[ast.AST]) -> list[Bindings]:
    functions = [each for each in enclosing if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [module_bindings(module), *map(function_bindings, functions)]


class _Reader(ast.NodeVisitor):
    """Visitor that tracks scopes and records uses."""

    def __init__(self, scopes: list[Bindings]) -> None:
        self.uses: list[CapabilityUse] = []
        self.mixed_imports: set[str] = set()
        self.mentioned: set[str] = set()
        self._scopes = scopes

    def visit_Import(self, node: ast.Import) -> None:
        """Record an import."""
        self._note_import(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Record an import."""
        self._note_import(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Enter a function's scope."""
        self._enter_function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        """Enter a function's scope."""
        self._enter_function(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Enter a class's scope; its imports are accessible from outside as attributes, out of sight."""
        for outside in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(outside)
        bound = class_bindings(node)
        for statement in node.body:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                for _, dotted, _ in imported(statement):
                    self._note_value(dotted, statement)
            # Methods do not see names of their class.
            with self._scope({} if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) else bound):
                self.visit(statement)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        """Record a module imported into an outer function, where it is not recognized as one."""
        for name in node.names:
            for dotted in self._scopes[-1].get(name, ()):
                self._note_value(dotted, node)

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        """Record attributes that a pattern reads."""
        for name in filter(is_introspective, node.kwd_attrs):
            self._note(f".{name}", name, Capability.INTERNALS, node.cls)
        self.generic_visit(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Enter a lambda's scope."""
        self.visit(node.args)
        with self._scope(function_bindings(node)):
            self.visit(node.body)

    def visit_ListComp(self, node: ast.ListComp) -> None:
        """Enter a comprehension's scope."""
        self._enter_comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        """Enter a comprehension's scope."""
        self._enter_comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        """Enter a comprehension's scope."""
        self._enter_comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        """Enter a comprehension's scope."""
        self._enter_comprehension(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        """Skip docstrings: unused text does nothing."""
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit(self, node: ast.AST) -> None:
        """Note variables and keywords that are called like the interpreter's inner attributes."""
        for name in filter(is_hidden_name, identifiers(node)):
            self._note(f"the name {name}", name, Capability.INTERNALS, node)
        super().visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Note names of the interpreter's inner attributes in strings, which `getattr` or `format` would follow."""
        text = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
        name = hidden_in_text(text) if isinstance(text, str) else None
        if name is not None:
            self._note(repr(name), name, Capability.INTERNALS, node)

    def visit_Name(self, node: ast.Name) -> None:
        """Record a name that refers to a builtin or an import with a capability."""
        for dotted in self._meanings(node.id):
            self._note_dotted(dotted, node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Record a dotted name with a capability, or an attribute of interpreter internals."""
        names: list[str] = []
        below: ast.expr = node
        while isinstance(below, ast.Attribute):
            names.insert(0, below.attr)
            below = below.value
        if isinstance(below, ast.Name):
            for dotted in self._meanings(below.id):
                self._note_dotted(".".join([dotted, *names]), node)
        else:
            self.visit(below)
        for name in filter(is_introspective, names):
            self._note(f".{name}", name, Capability.INTERNALS, node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Record names of interpreter internals concatenated from constants."""
        whole = folded(node)
        name = None if whole is None else hidden_in_text(whole)
        if name is not None:
            self._note(f"{name!r}, put together at run time,", name, Capability.INTERNALS, node)
            return
        if whole is None and isinstance(node.op, ast.Add) and (folded(node.left) or "")[:2] == "__":
            self._note("a name put together at run time", "getattr", Capability.INTERNALS, node)
        self.generic_visit(node)

    def _note_import(self, node: ast.Import | ast.ImportFrom) -> None:
        for _, _, dotted in imported(node):
            found = reach_of(dotted)
            if found is None:
                continue
            if is_mixed(dotted):
                self.mixed_imports.add(dotted)
            else:
                self._note(f"import of {dotted}", *found, node)

    def _note_dotted(self, dotted: str, node: ast.expr) -> None:
        self.mentioned.add(dotted.partition(".")[0])
        if self._note_value(dotted, node):
            return
        found = reach_of(dotted)
        if found is not None:
            self._note(dotted.removeprefix("builtins."), *found, node)

    def _note_value(self, dotted: str, node: ast.expr | ast.stmt) -> bool:
        """Record a module used as a plain value: it can be renamed or passed to getattr, out of sight."""
        seen = is_mixed(dotted) and dotted.partition(".")[0] in sys.stdlib_module_names
        if seen:
            self._note(f"the module {dotted} as a value", dotted, Capability.INTERNALS, node)
        return seen

    def _note(self, construct: str, charged: str, reach: Capability, node: ast.AST) -> None:
        self.uses.append(CapabilityUse(construct, charged, reach, getattr(node, "lineno", 1)))

    def _meanings(self, name: str) -> Iterable[str]:
        """Return the dotted names that a name may refer to; none if the code itself binds it."""
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        return [f"builtins.{name}"] if is_listed(f"builtins.{name}") else []

    def _enter_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        outside = [*node.decorator_list, node.args, *([node.returns] if node.returns else [])]
        for each in outside:
            self.visit(each)
        with self._scope(function_bindings(node)):
            for statement in node.body:
                self.visit(statement)

    def _enter_comprehension(self, node: Comprehension) -> None:
        # The first iterable is evaluated outside, so names the comprehension binds do not count there.
        self.visit(node.generators[0].iter)
        with self._scope(comprehension_bindings(node)):
            self.generic_visit(node)

    @contextmanager
    def _scope(self, bindings: Bindings) -> Iterator[None]:
        self._scopes.append(bindings)
        yield
        self._scopes.pop()
