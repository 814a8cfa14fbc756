"""Templates for wrong names: another variable, attribute, function or method of the same kind."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict, deque
from typing import Dict, Iterable, Iterator

from certo_builtin.repair.context import CALLABLES, RepairContext
from certo_builtin.repair.templates.template import Change, Template

# Names confused with one another, by function; each stands for all others of its row.
FAMILIES = (
    "any all", "min max", "append extend appendleft insert", "pop popleft", "add update discard remove",
    "sorted reversed list", "startswith endswith", "lower upper casefold swapcase", "islower isupper",
    "isdigit isalpha isalnum", "strip lstrip rstrip", "find rfind index rindex", "keys values items", "ceil floor",
    "union intersection difference", "issuperset issubset", "heappush heappop", "int float round", "str repr",
    "list tuple set", "len sum max min", "split rsplit", "get setdefault", "title capitalize", "ljust rjust center",
)  # fmt: skip
SIBLINGS: Dict[str, Dict[str, None]] = {}
for _family in FAMILIES:
    for _name in _family.split():
        SIBLINGS.setdefault(_name, {}).update({other: None for other in _family.split() if other != _name})


def variables(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield other variables in scope, most likely ones that held values of the same types; functions are passed too."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and not context.is_callee(node):
        for name in context.names(node):
            if name != node.id:
                yield Change(context.replace(node, name), context.alike(node, node.id, name))


def callees(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield other functions of the module or in scope."""
    if isinstance(node, ast.Name) and context.is_callee(node):
        function = context.function_of(node)
        local = [name for name in context.names(node) if context.kinds(function, name) & CALLABLES]
        for name in dict.fromkeys(local + context.functions):
            if name != node.id:
                yield Change(context.replace(node, name), 0.6)


def siblings(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield built-ins or methods of the same family: `any` for `all`, `append` for `extend`."""
    if isinstance(node, ast.Name) and context.is_callee(node):
        for name in SIBLINGS.get(node.id, ()):
            yield Change(context.replace(node, name))
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        end = context.source.end(node)
        for name in SIBLINGS.get(node.attr, ()):
            yield Change(((end - len(node.attr), end, name),))


TYPES: Dict[str, type] = {
    one.__name__: one for one in (str, list, dict, set, tuple, int, float, bytes, deque, defaultdict, Counter)
}


def methods(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield other methods of the types its owner had at run time or, if unobserved, of types with the called one."""
    if not isinstance(node, ast.Attribute) or not context.is_callee(node):
        return
    seen: Iterable[str] = ()
    if isinstance(node.value, ast.Name):
        seen = context.kinds(context.function_of(node), node.value.id)
    types = [TYPES[kind] for kind in sorted(seen) if kind in TYPES]
    types = types or [one for one in TYPES.values() if hasattr(one, node.attr)]
    end = context.source.end(node)
    for name in dict.fromkeys(name for one in types for name in dir(one)):
        if not name.startswith("_") and name != node.attr:
            yield Change(((end - len(node.attr), end, name),))


def attributes(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield other attributes observed on the project's objects."""
    if isinstance(node, ast.Attribute) and not context.is_callee(node):
        end = context.source.end(node)
        known = context.attribute_names()
        if isinstance(node.value, ast.Name):
            kinds = context.kinds(context.function_of(node), node.value.id)
            own = sorted(set().union(*(context.attributes.get(kind, set()) for kind in kinds)))
            known = own or known
        for name in known:
            if name != node.attr:
                yield Change(((end - len(node.attr), end, name),))


def targets(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield other targets of an assignment: a variable, item or attribute the function writes or reads."""
    stored = isinstance(node, (ast.Name, ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store)
    if not stored or not isinstance(node, ast.expr):
        return
    parent = context.parent(node)
    if not isinstance(parent, (ast.Assign, ast.AugAssign, ast.For, ast.Tuple)):
        return
    text = context.text(node)
    for name in context.values(node):
        if name != text:
            yield Change(context.swap(node, name), 0.7)
    if not isinstance(parent, (ast.Assign, ast.AugAssign)):
        return
    for other, one, _ in context.ingredients(node):
        sliced = isinstance(one, ast.Subscript) and isinstance(one.slice, ast.Slice)
        if other != text and isinstance(one, (ast.Subscript, ast.Attribute)) and not sliced:
            yield Change(context.swap(node, other), 0.7)


def items(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield other keys of an item assignment: the assigned variable, indexed by a value in scope."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
        containers = [name for name in context.values(node) if context.may_be(node, name, frozenset({"dict", "list"}))]
        keys = [name for name in context.values(node) if name not in containers]
        for container in containers:
            for key in keys:
                yield Change(context.swap(node, "{}[{}]".format(container, key)), 0.5)


TEMPLATES = (
    Template("another variable", 0.9, variables),
    Template("another function", 0.6, callees),
    Template("a sibling of a built-in or method", 0.8, siblings),
    Template("another method of the type", 0.3, methods),
    Template("another attribute", 0.6, attributes),
    Template("another target", 0.3, targets),
    Template("another item", 0.25, items),
)
