"""Templates for calls in the manner of the project: around a value, with an option, of a like-named method, missing."""

from __future__ import annotations

import ast
import builtins
import inspect
from difflib import SequenceMatcher
from functools import lru_cache
from types import FunctionType
from typing import Any, Dict, FrozenSet, Iterator, List, Optional, Tuple

from certo_builtin.execution.unasked_values import is_class
from certo_builtin.repair.context import RepairContext, Scope
from certo_builtin.repair.templates.statements import insertion_places, insertions
from certo_builtin.repair.templates.template import Change, Template
from certo_builtin.source import FUNCTIONS, Function

MAX_CALLEES = 30
"""Maximum number of functions that are offered around a value."""

MAX_METHODS = 12
MAX_MISSING = 24
"""Maximum number of calls that are offered at one place."""

MIN_LIKENESS = 0.05

WITH_NAMED, WITH_UNREAD, WITH_NOTHING = 1.0, 1.0, 0.2
"""Weights of a missing call that passes what is named like its parameters, a variable nobody reads, and nothing."""

IN_FUNCTION, IN_CLASS, IN_MODULE, DEFINED = 1.0, 0.6, 0.3, 0.4
"""Weights of a function called in the target, in its class, in its module, and of one only defined there."""


def wrapped(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield calls, around a value, of functions that the project calls with one argument."""
    if not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)) or context.is_callee(node):
        return
    parent = context.parent(node)
    owner = isinstance(parent, (ast.Attribute, ast.Subscript)) and node is parent.value
    if owner or isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
        return
    text = context.text(node)
    around = context.text(parent.func) if isinstance(parent, ast.Call) else ""
    names = set(context.names(node))
    for callee, weight in callees(context):
        root = callee.partition(".")[0]
        known = root in names or root in context.scope or hasattr(builtins, root)
        if known and callee != around and not text.startswith(callee + "("):
            yield Change(context.replace(node, "{}({})".format(callee, text)), weight)


@lru_cache(maxsize=4)
def callees(context: RepairContext) -> List[Tuple[str, float]]:
    """Return the functions that are called with one argument, or can be, nearest first."""
    found: Dict[str, float] = {}
    own = _class_of(context)
    for scope, weight in ((context.target, IN_FUNCTION), (own, IN_CLASS), (context.source.tree, IN_MODULE)):
        for node in context.within(scope) if scope is not None else ():
            if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
                text = context.text(node.func)
                if _is_path(node.func) and not isinstance(node.args[0], ast.Starred):
                    found.setdefault(text, weight)
    for one in context.source.tree.body:
        if isinstance(one, FUNCTIONS) and _takes_one(one, 0):
            found.setdefault(one.name, DEFINED)
    for one in own.body if own is not None else ():
        if isinstance(one, FUNCTIONS) and _takes_one(one, 1) and not one.decorator_list:
            found.setdefault("self." + one.name, DEFINED)
    return sorted(found.items(), key=lambda entry: -entry[1])[:MAX_CALLEES]


def _is_path(node: ast.expr) -> bool:
    """True for `name`, `module.name` and the like, but not for a method of a passing value."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _takes_one(function: Function, first: int) -> bool:
    """True if a function can be called with one argument, after the `first`."""
    given = function.args
    return len(given.args) > first >= len(given.args) - len(given.defaults) - 1


def _class_of(context: RepairContext) -> Optional[ast.ClassDef]:
    parent = context.source.parents.get(context.target)
    return parent if isinstance(parent, ast.ClassDef) else None


def option(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield a missing keyword argument: one that other calls pass, or that is at hand by its name."""
    if not isinstance(node, ast.Call) or any(one.arg is None for one in node.keywords):
        return
    present = {one.arg for one in node.keywords}
    found: Dict[str, float] = {}
    for parameter, text, weight in (*_passed_elsewhere(context, node), *_at_hand(context, node)):
        if parameter not in present and "\n" not in text:
            found.setdefault("{}={}".format(parameter, text), weight)
    end = context.source.end(node) - 1
    before = context.source.text[context.source.end(node.func) : end].rstrip()
    lead = "" if before.endswith("(") else " " if before.endswith(",") else ", "
    for written, weight in found.items():
        yield Change(((end, end, lead + written),), weight)


def _passed_elsewhere(context: RepairContext, node: ast.Call) -> Iterator[Tuple[str, str, float]]:
    """Yield the keyword arguments of calls of the same name in the module, if they can be passed here."""
    name = _last_name(node.func)
    for other in context.within(context.source.tree):
        if isinstance(other, ast.Call) and other is not node and name and _last_name(other.func) == name:
            for keyword in other.keywords:
                if keyword.arg is not None and _is_visible(context, node, keyword.value):
                    yield keyword.arg, context.text(keyword.value), 1.0


def _at_hand(context: RepairContext, node: ast.Call) -> Iterator[Tuple[str, str, float]]:
    """Yield optional parameters with a variable of their name, or with the other truth value."""
    for parameter, default in _parameters(context, node, _last_name(node.func)):
        if parameter.startswith("_"):
            continue
        if parameter in context.names(node):
            yield parameter, parameter, 1.0
        if isinstance(default, bool):
            yield parameter, repr(not default), 0.6


def _last_name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is_visible(context: RepairContext, node: ast.AST, value: ast.expr) -> bool:
    names = {one.id for one in ast.walk(value) if isinstance(one, ast.Name)}
    return names <= {*context.names(node), *context.scope, *dir(builtins)}


def _parameters(context: RepairContext, node: ast.Call, name: str) -> Iterator[Tuple[str, object]]:
    """Yield the optional parameters of the functions of that name in the module, and of a function known by name."""
    for one in context.within(context.source.tree):
        if isinstance(one, FUNCTIONS) and one.name == name:
            given = one.args
            late = given.args[len(given.args) - len(given.defaults) :]
            for argument, default in [*zip(late, given.defaults), *zip(given.kwonlyargs, given.kw_defaults)]:
                yield argument.arg, default.value if isinstance(default, ast.Constant) else None
    known = context.scope.get(node.func.id) if isinstance(node.func, ast.Name) else None
    if type(known) is FunctionType and known.__name__ == name:
        code, defaults = known.__code__, known.__defaults__ or ()
        late_names = code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount]
        yield from zip(late_names, defaults)
        yield from (known.__kwdefaults__ or {}).items()


def another_method(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield other methods of the project's own classes, the like-named ones first."""
    if not isinstance(node, ast.Attribute) or not context.is_callee(node) or not isinstance(node.value, ast.Name):
        return
    kinds = [context.scope.get(kind) for kind in context.kinds(context.function_of(node), node.value.id)]
    own = _class_of(context)
    if node.value.id in ("self", "cls") and own is not None:
        kinds.append(context.scope.get(own.name))
    names = {name for kind in kinds if is_class(kind) for name in _methods(kind)}
    if own is not None and node.value.id in ("self", "cls"):
        names.update(one.name for one in own.body if isinstance(one, FUNCTIONS))
    end = context.source.end(node)
    likeness = {name: SequenceMatcher(None, name, node.attr).ratio() for name in names}
    for name in sorted(names, key=lambda name: (-likeness[name], name))[:MAX_METHODS]:
        if name != node.attr and not name.startswith("__"):
            yield Change(((end - len(node.attr), end, name),), max(MIN_LIKENESS, likeness[name] ** 2))


def _methods(kind: Any) -> Iterator[str]:
    for each in kind.__mro__:
        if each.__module__ != "builtins":
            yield from (name for name, value in vars(each).items() if type(value) is FunctionType)


def missing(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield calls, as statements, of functions and methods at hand with the variables that are meant for them.

    Those are named like the parameters; or there is one parameter, and a variable that the target never reads.
    """
    places = insertion_places(context, node)
    if not places or not isinstance(node, ast.stmt):
        return
    names = context.names(node)
    unread = [name for name in names if name not in _read(context) and name not in ("self", "cls")]
    texts: Dict[str, float] = {}
    for owner in context.values(node):
        for name, method in _methods_of(context, context.function_of(node), owner):
            texts.update(_calls_of("{}.{}".format(owner, name), method, 1, names, unread))
    for name, function in _functions(context):
        texts.update(_calls_of(name, function, 0, names, unread))
    texts.update(_calls_of_base(context, names))
    likely = sorted(texts.items(), key=lambda entry: -entry[1])[:MAX_MISSING]
    for after in places:
        yield from insertions(context, node, likely, after=after)


def _calls_of(
    callee: str, function: FunctionType, first: int, names: List[str], unread: List[str]
) -> Iterator[Tuple[str, float]]:
    """Yield the calls of a function whose parameters are given after the `first`, with their weights."""
    parameters = _required(function, first)
    if parameters is None:
        return
    if set(parameters) <= set(names):
        yield "{}({})".format(callee, ", ".join(parameters)), WITH_NAMED if parameters else WITH_NOTHING
        for flag, default in _flags(function):
            passed = (*parameters, "{}={}".format(flag, not default))
            yield "{}({})".format(callee, ", ".join(passed)), WITH_NOTHING
    elif len(parameters) == 1:
        yield from (("{}({})".format(callee, name), WITH_UNREAD) for name in unread)


def _flags(function: FunctionType) -> Iterator[Tuple[str, bool]]:
    """Yield the optional parameters that are True or False, with their defaults."""
    code, defaults = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount]
    for name, default in [*zip(names, defaults), *(function.__kwdefaults__ or {}).items()]:
        if isinstance(default, bool):
            yield name, default


@lru_cache(maxsize=4)
def _functions(context: RepairContext) -> List[Tuple[str, FunctionType]]:
    """Return the module's other functions."""
    others = [one.name for one in context.source.tree.body if isinstance(one, FUNCTIONS) and one is not context.target]
    known = [(name, context.scope.get(name)) for name in dict.fromkeys(others)]
    return [(name, one) for name, one in known if isinstance(one, FunctionType)]


@lru_cache(maxsize=256)
def _methods_of(context: RepairContext, function: Scope, owner: str) -> List[Tuple[str, FunctionType]]:
    """Return the public methods of a variable's classes, or all of the target's own class."""
    own = _class_of(context) if owner in ("self", "cls") else None
    kinds = [context.scope.get(kind) for kind in sorted(context.kinds(function, owner))]
    if own is not None:
        kinds.append(context.scope.get(own.name))
    hidden = "__" if own is not None else "_"
    found: Dict[str, FunctionType] = {}
    for kind in kinds:
        for name in _methods(kind) if is_class(kind) else ():
            method = inspect.getattr_static(kind, name)
            if name != context.target.name and not name.startswith(hidden) and type(method) is FunctionType:
                found.setdefault(name, method)
    return sorted(found.items())


def _calls_of_base(context: RepairContext, names: List[str]) -> Iterator[Tuple[str, float]]:
    """Yield the call of the method that the target overrides, with what it shares with it."""
    own = _class_of(context)
    kind: Any = context.scope.get(own.name) if own is not None else None
    name = context.target.name
    if not is_class(kind) or "super" in _read(context):
        return
    for base in kind.__mro__[1:-1]:
        method = vars(base).get(name)
        if type(method) is FunctionType:
            required, code = _required(method, 1), method.__code__
            if required is not None and set(required) <= set(names):
                others = code.co_varnames[1 + len(required) : code.co_argcount]
                optional = tuple("{0}={0}".format(one) for one in others if one in names)
                for passed in dict.fromkeys([(*required, *optional), required]):
                    yield "super().{}({})".format(name, ", ".join(passed)), WITH_NAMED
                    # A function without `super` cannot get it while it is live; by its name, the class always can.
                    if own is not None and base is kind.__mro__[1]:
                        owner = context.text(own.bases[0])
                        yield "{}.{}({})".format(owner, name, ", ".join(("self", *passed))), WITH_NAMED
            return


def _required(function: FunctionType, first: int) -> Optional[Tuple[str, ...]]:
    """Return the parameters that a call has to pass, after the `first`; None if one of them goes by name only."""
    code = function.__code__
    by_name = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    if set(by_name) - set(function.__kwdefaults__ or ()):
        return None
    return code.co_varnames[first : code.co_argcount - len(function.__defaults__ or ())]


@lru_cache(maxsize=4)
def _read(context: RepairContext) -> FrozenSet[str]:
    """Return the variables that the target reads."""
    return frozenset(
        node.id for node in ast.walk(context.target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    )


TEMPLATES = (
    Template("a missing call of the project's", 0.4, wrapped),
    Template("a missing option", 0.4, option),
    Template("another method of the class", 0.4, another_method),
    Template("a missing call statement", 0.4, missing),
)
