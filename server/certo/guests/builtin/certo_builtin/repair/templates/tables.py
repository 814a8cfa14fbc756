"""Templates for missing cases: a table, or the types that `isinstance` accepts, with one more element."""

from __future__ import annotations

import ast
import builtins
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Dict, Iterator, List, Set, Tuple

from certo_builtin.execution.unasked_values import is_class, is_module, parts_of_module
from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.templates.template import Change, Template

Element = Tuple[str, float]
"""The text of an element and its weight."""

MAX_ELEMENTS = 40
"""Maximum number of elements that are offered for one table."""

MAX_KEYS, MAX_VALUES = 12, 6
"""Maximum number of keys that are offered for one dictionary, and of values for each."""

TELLING, SEEN = 6.0, 3.0
"""Weights of a type that the module names and only failing checks have, and of another that a value had."""

MAX_TEXT = 18
"""Maximum length of a literal of the checks, as written, that may be a case."""


def missing_case(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield tables with one more element like the others."""
    if not isinstance(node, (ast.Tuple, ast.List, ast.Set)) or len(node.elts) < 2 or not _is_table(context, node):
        return
    end = context.source.end(node.elts[-1])
    for text, weight in _like(context, node.elts):
        yield Change(((end, end, ", " + text),), weight)


def missing_item(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield dictionaries with one more item: a key like the others, with the value of the most alike or a literal."""
    if (
        not isinstance(node, ast.Dict)
        or len(node.keys) < 2
        or not all(isinstance(one, ast.Constant) for one in node.keys)
    ):
        return
    keys: List[ast.expr] = [one for one in node.keys if one is not None]
    values = {context.text(one): context.text(key) for key, one in zip(keys, node.values)}
    written = {type(one.value) for one in node.values if isinstance(one, ast.Constant)}
    given = [repr(one) for one in context.literals if type(one) in written and len(repr(one)) <= MAX_TEXT]
    end = context.source.end(node.values[-1])
    for key, weight in _like(context, keys)[:MAX_KEYS]:
        like = {text: SequenceMatcher(None, key, old).ratio() for text, old in values.items()}
        like.update((text, 0.3) for text in given if text not in values)
        for text in sorted(like, key=lambda text: (-like[text], text))[:MAX_VALUES]:
            if "\n" not in text:
                yield Change(((end, end, ", {}: {}".format(key, text)),), weight * like[text])


def missing_type(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield one more type that `isinstance` or `issubclass` accepts, likeliest that of a failing check's value."""
    if not _tests_types(node) or not isinstance(node, ast.Call) or len(node.args) != 2:
        return
    kind = node.args[1]
    present = {context.text(one) for one in (kind.elts if isinstance(kind, ast.Tuple) else [kind])}
    best = _types_of_values(context, node.args[0])
    # A tuple is a table like any other, so its further elements are offered already.
    for text, weight in [] if isinstance(kind, ast.Tuple) else _like(context, [kind]):
        best.setdefault(text, weight)
    for text, weight in best.items():
        if text in present:
            continue
        if isinstance(kind, ast.Tuple) and kind.elts:
            end = context.source.end(kind.elts[-1])
            yield Change(((end, end, ", " + text),), weight)
        else:
            yield Change(context.swap(kind, "({}, {})".format(context.text(kind), text)), weight)


def _tests_types(node: ast.AST) -> bool:
    """True for a call of `isinstance` or `issubclass`, or of a project's own variant of one."""
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    return "isinstance" in name or "issubclass" in name


def _types_of_values(context: RepairContext, value: ast.expr) -> Dict[str, float]:
    """Return the types of a variable's values and their base classes, as far as they have a name in the module.

    Those that the module imports or defines come first: it has a use for them.
    """
    function, name = context.function_of(value), context.text(value)
    telling = context.telling_kinds(function, name)
    found: Dict[str, float] = {}
    for kind in sorted(context.kinds(function, name), key=lambda kind: (kind not in telling, kind)):
        for text in (kind, *(context.bases.get(kind, ()) if kind in telling else ())):
            if is_class(_known(context, text)):
                found.setdefault(text, TELLING if kind in telling and text in context.scope else SEEN)
    return found


def another_case(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield `x in (a, b)` for `x == a`."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
        value = node.comparators[0]
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            word = "in" if isinstance(node.ops[0], ast.Eq) else "not in"
            for text, weight in _like(context, [value]):
                shape = "{} {} ({}, {})".format(context.text(node.left), word, context.text(value), text)
                yield Change(context.replace(node, shape), weight)


def _is_table(context: RepairContext, node: ast.expr) -> bool:
    """True if a display is a collection of alternatives, and not a pair, a result or an argument of `%`."""
    parent = context.parent(node)
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load) or isinstance(parent, (ast.Return, ast.Subscript)):
        return False
    return not (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod))


def _like(context: RepairContext, elements: List[ast.expr]) -> List[Element]:
    """Return elements that may be missing beside some of one kind."""
    found: Dict[str, float] = {}
    if all(isinstance(one, ast.Attribute) for one in elements):
        found = _members(context, elements)
    elif all(isinstance(one, (ast.Name, ast.Attribute)) for one in elements):
        found = _types(context)
    elif all(isinstance(one, ast.Constant) for one in elements):
        kinds = {type(one.value) for one in elements if isinstance(one, ast.Constant)}
        found = _constants(context, elements[0], kinds.pop()) if len(kinds) == 1 else {}
    present = {context.text(one) for one in elements}
    rest = [entry for entry in found.items() if entry[0] not in present]
    return sorted(rest, key=lambda entry: (-entry[1], entry[0]))[:MAX_ELEMENTS]


def _members(context: RepairContext, elements: List[ast.expr]) -> Dict[str, float]:
    """Return what the modules hold of which the elements are parts, likelier if the file mentions it."""
    found: Dict[str, float] = {}
    for one in elements:
        owner = one.value if isinstance(one, ast.Attribute) else None
        module = context.scope.get(owner.id) if isinstance(owner, ast.Name) else None
        if not isinstance(one, ast.Attribute) or not is_module(module):
            return _types(context)
        parts = parts_of_module(module)
        kind = type(parts.get(one.attr))
        for name, value in parts.items():
            if type(value) is kind and not name.startswith("_"):
                text = "{}.{}".format(context.text(one.value), name)
                found[text] = 1.0 if text in context.source.text else 0.3
    return found


@lru_cache(maxsize=4)
def _types(context: RepairContext) -> Dict[str, float]:
    """Return the types that the module tests values for, by how often it does, and its other classes."""
    tested: Set[str] = set()
    for node in ast.walk(context.source.tree):
        if isinstance(node, ast.Call) and _tests_types(node):
            for kind in node.args[1:]:
                inner = kind.elts if isinstance(kind, ast.Tuple) else [kind]
                tested.update(context.text(one) for one in inner if isinstance(one, (ast.Name, ast.Attribute)))
    found = {name: 0.3 for name, value in context.scope.items() if is_class(value) and name[0] != "_"}
    found.update(dict.fromkeys(tested, 1.0))
    for name in ("str", "bytes", "int", "float", "bool", "list", "tuple", "dict", "set"):
        found.setdefault(name, 0.3)
    return found


def _constants(context: RepairContext, node: ast.expr, kind: type) -> Dict[str, float]:
    """Return constants of a type: those of the failing checks, and the function's own."""
    found = {
        context.text(one): 0.3
        for _, one, _ in context.ingredients(node)
        if isinstance(one, ast.Constant) and type(one.value) is kind
    }
    short = [one for one in context.literals if type(one) is kind and len(repr(one)) <= MAX_TEXT]
    found.update({repr(one): 1.0 for one in short})
    return found


def _known(context: RepairContext, name: str) -> object:
    return context.scope.get(name, getattr(builtins, name, None))


TEMPLATES = (
    Template("a missing case in a table", 0.4, missing_case),
    Template("a missing item of a dictionary", 0.3, missing_item),
    Template("a missing type", 0.3, missing_type),
    Template("a missing case", 0.15, another_case),
)
