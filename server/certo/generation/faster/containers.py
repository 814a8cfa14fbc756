"""Templates for texts, lists and mappings that are built piece by piece, and for queues and priority queues."""

from __future__ import annotations

import ast

from certo.generation.faster.draft import (
    Found,
    Function,
    FunctionDraft,
    drafts,
    expression,
    is_call,
    is_same,
    load,
    method_call,
    names_in,
    statements,
)

READING = frozenset({"len", "sum", "max", "min", "sorted", "list", "set", "tuple", "dict", "any", "all"})
"""Builtins that only read what they are given."""


def joined(function: Function) -> Found:
    """Yield: a text that grows by `+=` in a loop and is not read there, collected and joined after it."""
    for name in sorted(_grown_names(FunctionDraft(function))):
        draft = FunctionDraft(function)
        start = [one for one in draft.all(ast.Assign) if _is_target(one, name) and _is_text(one.value)]
        additions = _additions(draft, name)
        if len(start) != 1 or not additions:
            continue
        loops = [loop for loop in draft.loops(additions[0][0]) if loop not in draft.loops(start[0])]
        if not loops or not isinstance(loops[-1], ast.For | ast.While):
            continue
        outer = loops[-1]
        inside = [one for one in draft.uses(name) if outer in draft.loops(one) or one in set(ast.walk(outer))]
        known = {
            id(node) for statement, _, _ in additions for node in ast.walk(statement) if isinstance(node, ast.Name)
        }
        if any(id(one) not in known for one in inside) or any(name in names_in(value) for _, value, _ in additions):
            continue
        fronts = {is_front for _, _, is_front in additions}
        if len(fronts) != 1 or any(outer not in draft.loops(one) for one, _, _ in additions):
            continue
        parts = draft.fresh("parts")
        for statement, value, _ in additions:
            draft.replace(statement, statements(f"{parts}.append(VALUE)", VALUE=value)[0])
        first = statements(f"{parts} = [{name}]")
        draft.insert_before(outer, first)
        order = f"reversed({parts})" if fronts == {True} else parts
        draft.insert_after(outer, statements(f'{name} = "".join({order})'))
        yield "a text joined at the end", draft


def _is_text(value: ast.expr) -> bool:
    return (isinstance(value, ast.Constant) and isinstance(value.value, str)) or is_call(value, "str", 0)


def _is_target(statement: ast.Assign, name: str) -> bool:
    return (
        len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name) and statement.targets[0].id == name
    )


def _grown_names(draft: FunctionDraft) -> set[str]:
    grown = {one.target.id for one in draft.all(ast.AugAssign) if isinstance(one.target, ast.Name)}
    return grown | {
        one.targets[0].id
        for one in draft.all(ast.Assign)
        if len(one.targets) == 1 and isinstance(one.targets[0], ast.Name) and one.targets[0].id in names_in(one.value)
    }


def _additions(draft: FunctionDraft, name: str) -> list[tuple[ast.stmt, ast.expr, bool]]:
    """Return the statements that add to a name, with what is added, and true if that is in front."""
    found: list[tuple[ast.stmt, ast.expr, bool]] = [
        (one, one.value, False)
        for one in draft.all(ast.AugAssign)
        if isinstance(one.target, ast.Name) and one.target.id == name and isinstance(one.op, ast.Add)
    ]
    for one in draft.all(ast.Assign):
        value = one.value
        if _is_target(one, name) and isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
            chain = _terms(value)
            if is_same(chain[0], load(name)):
                found.append((one, _sum(chain[1:]), False))
            elif is_same(chain[-1], load(name)):
                found.append((one, _sum(chain[:-1]), True))
    return found


def _terms(value: ast.expr) -> list[ast.expr]:
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        return [*_terms(value.left), *_terms(value.right)]
    return [value]


def _sum(terms: list[ast.expr]) -> ast.expr:
    total = terms[0]
    for term in terms[1:]:
        total = ast.BinOp(total, ast.Add(), term)
    return total


def in_place(function: Function) -> Found:
    """Yield: a list, set or dict made anew with one element more in a loop, changed in place instead."""
    draft = FunctionDraft(function)
    is_changed = False
    for one in draft.all(ast.Assign):
        if len(one.targets) != 1 or not isinstance(one.targets[0], ast.Name) or not draft.loops(one):
            continue
        name = one.targets[0].id
        new = _change(name, one.value)
        if new is None or not _starts_new(draft, name, one) or not _is_private(draft, name, one):
            continue
        draft.replace(one, new)
        is_changed = True
    if is_changed:
        yield "a change in place", draft


def _starts_new(draft: FunctionDraft, name: str, growing: ast.Assign) -> bool:
    others = [one for one in draft.all(ast.Assign) if _is_target(one, name) and one is not growing]
    fresh = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
    makes = ("list", "dict", "set")
    return bool(others) and all(
        isinstance(one.value, fresh)
        or any(is_call(one.value, made) for made in makes)
        or _change(name, one.value) is not None
        for one in others
    )


def _is_private(draft: FunctionDraft, name: str, growing: ast.Assign) -> bool:
    """True if nothing else comes to hold the object while it grows."""
    return not any(_is_held(draft, one, name, growing) for one in draft.uses(name))


def _is_held(draft: FunctionDraft, use: ast.Name, name: str, growing: ast.Assign) -> bool:
    parent = draft.parents[use]
    if use in set(ast.walk(growing)):
        return False
    if isinstance(parent, ast.Call) and use in parent.args:
        holds = not (isinstance(parent.func, ast.Name) and parent.func.id in READING)
    else:
        is_part = isinstance(parent, ast.List | ast.Tuple | ast.Dict | ast.Set | ast.Yield)
        holds = is_part or (isinstance(parent, ast.Assign) and parent.value is use)
    if not holds or not draft.loops(use):
        return isinstance(parent, ast.Assign) and parent.value is use
    # It may be held if it is made anew before it grows again.
    around = draft.loops(use)
    anew = [one for one in draft.all(ast.Assign) if _is_target(one, name) and draft.loops(one) == around]
    return draft.loops(growing)[0] in around or not anew


def _change(name: str, value: ast.expr) -> list[ast.stmt] | None:
    """Return statements that change an object to what `value` makes anew of it."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add) and is_same(value.left, load(name)):
        added = value.right
        if isinstance(added, ast.List) and len(added.elts) == 1 and not isinstance(added.elts[0], ast.Starred):
            return statements(f"{name}.append(VALUE)", VALUE=added.elts[0])
        return statements(f"{name}.extend(VALUE)", VALUE=added) if isinstance(added, ast.List | ast.ListComp) else None
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr) and is_same(value.left, load(name)):
        return statements(f"{name}.update(VALUE)", VALUE=value.right)
    if isinstance(value, ast.List) and len(value.elts) > 1 and is_same(value.elts[0], expression(f"[*{name}]").elts[0]):  # type: ignore[attr-defined] # a list
        return statements(f"{name}.extend(VALUE)", VALUE=ast.List(value.elts[1:], ast.Load()))
    if isinstance(value, ast.Dict) and value.keys and value.keys[0] is None and is_same(value.values[0], load(name)):
        pairs = list(zip(value.keys[1:], value.values[1:], strict=True))
        if all(key is not None for key, _ in pairs):
            return [
                one
                for key, item in pairs
                for one in statements("NAME[KEY] = ITEM", NAME=load(name), KEY=key, ITEM=item)  # type: ignore[arg-type] # no key is None
            ]
    return None


def at_front(function: Function) -> Found:
    """Yield: `items.insert(0, x)` in a loop that does nothing else with the list, made appends and one reversal."""
    names = {method_call(one, "insert", 2) for one in FunctionDraft(function).all(ast.Call)}
    for name in sorted(filter(None, names)):
        draft = FunctionDraft(function)
        inserts = [one for one in draft.all(ast.Expr) if method_call(one.value, "insert", 2) == name]
        if not draft.own_list(name) or not inserts or not draft.loops(inserts[0]):
            continue
        if any(not is_same(one.value.args[0], ast.Constant(0)) for one in inserts):  # type: ignore[attr-defined] # a call
            continue
        value = draft.single_binding(name)
        outer = draft.loops(inserts[0])[-1]
        used = [one for one in ast.walk(outer) if isinstance(one, ast.Name) and one.id == name]
        if (
            not isinstance(value, ast.List)
            or value.elts
            or len(used) != len(inserts)
            or not isinstance(outer, ast.stmt)
        ):
            continue
        for one in inserts:
            draft.replace(one, statements(f"{name}.append(VALUE)", VALUE=one.value.args[1]))  # type: ignore[attr-defined] # a call
        draft.insert_after(outer, statements(f"{name}.reverse()"))
        yield "appends instead of inserts at the front", draft


def queue(function: Function) -> Found:
    """Yield: a list of the function's own that is taken from the front, made a deque."""
    names = {method_call(one, "pop", 1) for one in FunctionDraft(function).all(ast.Call)}
    for name in sorted(filter(None, names)):
        draft = FunctionDraft(function)
        value = draft.single_binding(name)
        pops = [one for one in draft.all(ast.Call) if method_call(one, "pop", 1) == name]
        if value is None or not draft.own_list(name) or not all(is_same(one.args[0], ast.Constant(0)) for one in pops):
            continue
        if not all(_queue_use(draft, one) for one in draft.uses(name)):
            continue
        for one in pops:
            draft.replace(one, expression(f"{name}.popleft()"))
        draft.replace(value, expression("deque(ITEMS)", ITEMS=value))
        draft.begin_with(statements("from collections import deque"))
        yield "a deque for a queue", draft


def _queue_use(draft: FunctionDraft, use: ast.Name) -> bool:
    """True if a deque can do what a use of a list asks for."""
    parent = draft.parents[use]
    if not isinstance(use.ctx, ast.Load):
        return True
    if isinstance(parent, ast.Attribute):
        return parent.attr in ("append", "extend", "pop", "clear", "count", "remove")
    if isinstance(parent, ast.Subscript):
        return isinstance(parent.slice, ast.Constant | ast.UnaryOp)
    if isinstance(parent, ast.Call):
        return any(is_call(parent, name, 1) for name in ("len", "bool", "list", "sorted", "set", "sum", "max", "min"))
    is_condition = isinstance(parent, ast.While | ast.If | ast.UnaryOp | ast.BoolOp)
    return is_condition or (
        isinstance(parent, ast.Compare) and use in parent.comparators and isinstance(parent.ops[0], ast.In | ast.NotIn)
    )


def priority_queue(function: Function) -> Found:
    """Yield: a list that is sorted again before its first element is taken, made a heap."""
    names = {method_call(one, "sort", 0) for one in FunctionDraft(function).all(ast.Call)}
    for name in sorted(filter(None, names)):
        draft = FunctionDraft(function)
        value = draft.single_binding(name)
        sorts = [one for one in draft.all(ast.Expr) if method_call(one.value, "sort", 0) == name]
        pops = [one for one in draft.all(ast.Call) if method_call(one, "pop", 1) == name]
        appends = [one for one in draft.all(ast.Call) if method_call(one, "append", 1) == name]
        if not (isinstance(value, ast.List) and len(value.elts) <= 1 and pops and sorts and draft.loops(sorts[0])):
            continue
        if not all(is_same(one.args[0], ast.Constant(0)) for one in pops):
            continue
        changing = [one for one in draft.all(ast.Attribute) if isinstance(one.value, ast.Name) and one.value.id == name]
        if len(changing) != len(sorts) + len(pops) + len(appends):
            continue
        if not all(_queue_use(draft, one) or draft.parents[one] in changing for one in draft.uses(name)):
            continue
        for one in pops:
            draft.replace(one, expression(f"heappop({name})"))
        for one in appends:
            draft.replace(one, expression(f"heappush({name}, VALUE)", VALUE=one.args[0]))
        for sort in sorts:
            draft.replace(sort, [])
        draft.begin_with(statements("from heapq import heappop, heappush"))
        yield "a heap for a priority queue", draft


def flattened(function: Function) -> Found:
    """Yield: `sum(lists, [])` made a comprehension."""
    for draft, call in drafts(function, ast.Call, lambda call: is_call(call, "sum", 2)):
        if isinstance(call.args[1], ast.List) and not call.args[1].elts:
            part, item = draft.fresh("part"), draft.fresh("item")
            draft.replace(call, expression(f"[{item} for {part} in LISTS for {item} in {part}]", LISTS=call.args[0]))
            yield "lists joined at once", draft
