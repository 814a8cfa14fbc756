"""A function's syntax tree to be changed, with what a template asks of it: loops, names, and what stays the same."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
BLOCKS = ("body", "orelse", "finalbody")

MUTATING = frozenset(
    [
        "append",
        "extend",
        "insert",
        "pop",
        "remove",
        "clear",
        "sort",
        "reverse",
        "add",
        "discard",
        "update",
        "setdefault",
        "popitem",
        "appendleft",
        "popleft",
        "extendleft",
        "write",
        "writelines",
        "difference_update",
        "intersection_update",
        "symmetric_difference_update",
        "__setitem__",
        "heappush",
        "heappop",
    ]
)
"""Names of methods that change their object."""

Node = TypeVar("Node", bound=ast.AST)


class FunctionDraft:
    """A copy of a function that a template changes."""

    def __init__(self, function: Function) -> None:
        self.function = copy.deepcopy(function)
        self._number()

    def _number(self) -> None:
        self.parents = {child: node for node in ast.walk(self.function) for child in ast.iter_child_nodes(node)}
        self.names = {node.id for node in ast.walk(self.function) if isinstance(node, ast.Name)}
        self.names |= {node.arg for node in ast.walk(self.function) if isinstance(node, ast.arg)}

    @property
    def names_floats(self) -> bool:
        """True if an annotation names a type whose sums are rounded."""
        annotations = [node.annotation for node in self.all(ast.arg) if node.annotation is not None]
        said = " ".join(ast.unparse(one).lower() for one in annotations)
        return any(name in said for name in ("float", "complex", "decimal"))

    def all(self, kind: type[Node]) -> list[Node]:
        """Return all nodes of a kind, in a fixed order."""
        return [node for node in ast.walk(self.function) if isinstance(node, kind)]

    def fresh(self, wanted: str) -> str:
        """Return a name that the function does not use."""
        name, number = wanted, 2
        while name in self.names:
            name, number = f"{wanted}_{number}", number + 1
        self.names.add(name)
        return name

    def above(self, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
        """Yield the nodes around one, from the inside, each with its child on the way."""
        while node in self.parents:
            yield self.parents[node], node
            node = self.parents[node]

    def loops(self, node: ast.AST) -> list[ast.AST]:
        """Return the loops that repeat a node, from the inside, within its own function."""
        found: list[ast.AST] = []
        inside: ast.AST = node
        for outer, child in self.above(node):
            if isinstance(outer, SCOPES):
                break
            if isinstance(outer, LOOPS):
                is_repeated = child is not getattr(outer, "iter", None) and child not in outer.orelse
            else:
                is_repeated = isinstance(outer, COMPREHENSIONS) and not _is_first(outer, child, inside)
            if is_repeated:
                found.append(outer)
            inside = child
        return found

    def statement(self, node: ast.AST) -> ast.stmt:
        """Return the statement that a node is, or is in."""
        if isinstance(node, ast.stmt):
            return node
        return next(outer for outer, _ in self.above(node) if isinstance(outer, ast.stmt))

    def block(self, statement: ast.stmt) -> list[ast.stmt]:
        """Return the list of statements that one stands in."""
        parent = self.parents[statement]
        for name in BLOCKS:
            block = getattr(parent, name, [])
            if isinstance(block, list) and statement in block:
                return block
        raise ValueError("the statement stands in no block")

    def insert_before(self, statement: ast.stmt, new: Sequence[ast.stmt]) -> None:
        """Insert statements before one."""
        block = self.block(statement)
        place = block.index(statement)
        block[place:place] = new
        self._number()

    def insert_after(self, statement: ast.stmt, new: Sequence[ast.stmt]) -> None:
        """Insert statements after one."""
        block = self.block(statement)
        place = block.index(statement) + 1
        block[place:place] = new
        self._number()

    def replace(self, old: ast.AST, new: ast.AST | Sequence[ast.stmt]) -> None:
        """Put a node, or statements, in place of another one."""
        if isinstance(old, ast.stmt):
            block = self.block(old)
            place = block.index(old)
            block[place : place + 1] = [new] if isinstance(new, ast.stmt) else list(new)  # type: ignore[arg-type] # a statement is replaced by statements
        else:
            parent = self.parents[old]
            for name, value in ast.iter_fields(parent):
                if value is old:
                    setattr(parent, name, new)
                elif isinstance(value, list):
                    setattr(parent, name, [new if one is old else one for one in value])
        self._number()

    def begin_with(self, new: Sequence[ast.stmt]) -> None:
        """Insert statements at the beginning, after the docstring."""
        place = 1 if ast.get_docstring(self.function, clean=False) is not None else 0
        self.function.body[place:place] = new
        self._number()

    def uses(self, name: str) -> list[ast.Name]:
        """Return the places where a name is read or bound."""
        return [node for node in self.all(ast.Name) if node.id == name]

    def single_binding(self, name: str) -> ast.expr | None:
        """Return the value of the only assignment to a local name; None if it is bound otherwise too."""
        stores = [node for node in self.uses(name) if not isinstance(node.ctx, ast.Load)]
        if len(stores) != 1 or name in _parameters(self.function):
            return None
        parent = self.parents[stores[0]]
        if isinstance(parent, ast.Assign) and parent.targets == [stores[0]]:
            return parent.value
        if isinstance(parent, ast.AnnAssign):
            return parent.value
        return None

    def is_invariant(self, expression: ast.expr, loop: ast.AST) -> bool:
        """True if nothing in the loop binds a name of an expression or visibly changes what it reads."""
        names = {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}
        return not names & _touched(loop)

    def steady_loop(self, node: ast.AST, expression: ast.expr) -> ast.AST | None:
        """Return the outermost loop around a node in which an expression stays the same; None if there is none."""
        found = None
        for loop in self.loops(node):
            if not self.is_invariant(expression, loop):
                break
            found = loop
        return found

    def own_list(self, name: str) -> bool:
        """True if a name is bound once, to a list made in the function."""
        return is_new_list(self.single_binding(name))


Found: TypeAlias = Iterator[tuple[str, FunctionDraft]]
"""The changes that a template makes of a function, each with what it is in words."""


def drafts(
    function: Function, kind: type[Node], is_wanted: Callable[[Node], bool] = lambda _: True
) -> Iterator[tuple[FunctionDraft, Node]]:
    """Yield each wanted node of a kind, in a draft of its own that may be changed there."""
    for number, node in enumerate(FunctionDraft(function).all(kind)):
        if is_wanted(node):
            draft = FunctionDraft(function)
            yield draft, draft.all(kind)[number]


def _is_first(outer: ast.AST, child: ast.AST, inside: ast.AST) -> bool:
    """True if a node stands in the first iterable of a comprehension, which is evaluated once."""
    generators: list[ast.comprehension] = getattr(outer, "generators", [])
    return bool(generators) and child is generators[0] and inside is generators[0].iter


def _parameters(function: Function) -> set[str]:
    return {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}


def _touched(loop: ast.AST) -> set[str]:
    """Return the names that a loop binds, or whose objects it visibly changes."""
    found: set[str] = set()
    for node in ast.walk(loop):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            found |= base_name(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MUTATING:
            found |= base_name(node.func.value)
            found |= base_name(node.args[0]) if node.func.attr.startswith("heap") and node.args else set()
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
        elif isinstance(node, ast.Yield | ast.YieldFrom | ast.Await):
            # Others run meanwhile, and may change anything.
            found |= {one.id for one in ast.walk(loop) if isinstance(one, ast.Name)} - set(dir(__builtins__))
    return found


def base_name(node: ast.AST) -> set[str]:
    """Return the name of the object that attributes and items are taken of."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def is_new_list(value: ast.AST | None) -> bool:
    """True for an expression that makes a list."""
    return isinstance(value, ast.List | ast.ListComp) or is_call(value, "list") or is_call(value, "sorted")


def is_call(node: ast.AST | None, name: str, arguments: int | None = None) -> bool:
    """True for a call of a plain name, with so many arguments by place and none by name if a number is given."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == name
        and (arguments is None or (len(node.args) == arguments and not node.keywords))
        and not any(isinstance(one, ast.Starred) for one in node.args)
    )


def method_call(node: ast.AST | None, method: str, arguments: int | None = None) -> str | None:
    """Return the name of the object whose method is called; None for anything else."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == method
        and isinstance(node.func.value, ast.Name)
        and not node.keywords
        and (arguments is None or len(node.args) == arguments)
    ):
        return node.func.value.id
    return None


def names_in(node: ast.AST) -> set[str]:
    """Return the names that a node reads or binds."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def is_same(one: ast.AST, other: ast.AST) -> bool:
    """True for equal syntax trees, whatever their places."""
    return ast.dump(one) == ast.dump(other)


def load(name: str) -> ast.Name:
    """Return a name that is read."""
    return ast.Name(name, ast.Load())


def loaded(target: ast.expr) -> ast.expr:
    """Return the target of an assignment as an expression that reads it."""
    return ast.parse(ast.unparse(target), mode="eval").body


def expression(text: str, **parts: ast.AST) -> ast.expr:
    """Return the expression written in `text`, in which names of `parts` stand for these."""
    return _Filled(parts).visit(ast.parse(text, mode="eval").body)  # type: ignore[no-any-return] # it is what was parsed


def statements(text: str, **parts: ast.AST) -> list[ast.stmt]:
    """Return the statements written in `text`, in which names of `parts` stand for these."""
    filled = _Filled(parts)
    return [filled.visit(one) for one in ast.parse(text).body]


class _Filled(ast.NodeTransformer):
    def __init__(self, parts: dict[str, ast.AST]) -> None:
        self._parts = parts

    def visit_Name(self, node: ast.Name) -> ast.AST:
        part = self._parts.get(node.id)
        return node if part is None else copy.deepcopy(part)
