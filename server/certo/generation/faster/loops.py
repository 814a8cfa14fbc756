"""Templates for work that a loop repeats needlessly."""

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

PURE = frozenset(
    [
        "len",
        "sum",
        "min",
        "max",
        "sorted",
        "set",
        "frozenset",
        "list",
        "tuple",
        "dict",
        "str",
        "int",
        "float",
        "abs",
        "round",
        "any",
        "all",
        "range",
    ]
)
"""Builtins whose result depends on their arguments alone, and which leave them as they are."""

PURE_METHODS = frozenset(
    [
        "lower",
        "upper",
        "strip",
        "lstrip",
        "rstrip",
        "split",
        "splitlines",
        "casefold",
        "title",
        "join",
        "replace",
        "keys",
        "values",
        "items",
        "count",
        "index",
        "copy",
        "encode",
        "decode",
        "format",
        "zfill",
        "startswith",
        "endswith",
        "union",
        "intersection",
        "difference",
        "total_seconds",
        "isoformat",
    ]
)

REGULAR = {"match": 2, "search": 2, "fullmatch": 2, "findall": 2, "finditer": 2, "split": 2, "sub": 3, "subn": 3}
"""Functions of `re` that take a pattern first, by the number of their arguments."""


def invariant(function: Function) -> Found:
    """Yield: a call in a loop that gives the same each time, made once before it."""
    for draft, call in drafts(function, ast.Call, _is_pure):
        found: ast.expr = call
        loop = draft.steady_loop(found, found)
        if loop is None or not names_in(found) - {"len", *PURE} or _is_consumed(draft, found):
            continue
        found = _widest(draft, found, loop)
        if is_call(found, "len") or is_call(found, "range"):
            continue
        name = draft.fresh(_name_for(found))
        guard = _guard(loop, found)
        value = expression("VALUE if GUARD else None", VALUE=found, GUARD=guard) if guard else found
        same = [one for one in draft.all(type(found)) if is_same(one, found) and loop in draft.loops(one)]
        for one in same:
            draft.replace(one, load(name))
        draft.insert_before(draft.statement(loop), statements(f"{name} = VALUE", VALUE=value))
        yield "a constant call out of a loop", draft


def _is_pure(call: ast.Call) -> bool:
    if any(isinstance(one, ast.Lambda | ast.Await | ast.Yield | ast.NamedExpr) for one in ast.walk(call)):
        return False
    if isinstance(call.func, ast.Name):
        return call.func.id in PURE or not call.func.id.startswith(("print", "open", "input", "next", "iter", "super"))
    if isinstance(call.func, ast.Attribute):
        base = call.func.value
        is_module = isinstance(base, ast.Name) and base.id in ("math", "re", "os", "string", "itertools", "operator")
        return call.func.attr in PURE_METHODS or is_module or (isinstance(base, ast.Name) and base.id == "self")
    return False


def _is_consumed(draft: FunctionDraft, call: ast.expr) -> bool:
    """True if the result is used up or changed where it is: an iterable in a loop's head, a new list that grows."""
    parent = draft.parents[call]
    is_head = isinstance(parent, ast.For | ast.comprehension) and parent.iter is call
    is_made = isinstance(parent, ast.Assign | ast.AnnAssign | ast.Expr | ast.Return | ast.Attribute)
    made_of = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("set", "list", "dict")
    return isinstance(parent, ast.Expr) or (is_made and made_of) or (is_head and not _is_costly(call))


def _is_costly(call: ast.expr) -> bool:
    return is_call(call, "sorted") or (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute))


def _widest(draft: FunctionDraft, found: ast.expr, loop: ast.AST) -> ast.expr:
    """Return the largest expression around a call that stays the same in a loop."""
    while True:
        parent = draft.parents[found]
        is_plain = isinstance(parent, ast.BinOp | ast.UnaryOp) or (
            isinstance(parent, ast.Call) and found in parent.args and _is_pure(parent)
        )
        if not is_plain or not isinstance(parent, ast.expr) or not draft.is_invariant(parent, loop):
            return found
        if parent is loop or loop not in draft.loops(parent):
            return found
        found = parent


def _name_for(value: ast.expr) -> str:
    if isinstance(value, ast.Call):
        named = value.func.id if isinstance(value.func, ast.Name) else getattr(value.func, "attr", "value")
        return {"max": "highest", "min": "lowest", "sum": "total", "sorted": "ordered"}.get(named, f"{named}_result")
    return "fixed"


def _guard(loop: ast.AST, value: ast.expr) -> ast.expr | None:
    """Return what has to hold before a value that may raise for nothing is computed; None if it cannot raise so."""
    raises = any(
        is_call(one, "max")
        or is_call(one, "min")
        or (isinstance(one, ast.BinOp) and isinstance(one.op, ast.Div | ast.FloorDiv | ast.Mod))
        or isinstance(one, ast.Subscript)
        for one in ast.walk(value)
    )
    items = loop.iter if isinstance(loop, ast.For) else getattr(loop, "generators", [loop])[0]
    items = getattr(items, "iter", items)
    return items if raises and isinstance(items, ast.Name) else None


def compiled(function: Function) -> Found:
    """Yield: functions of `re` in a loop, with the pattern compiled before it."""
    for draft, found in drafts(function, ast.Call, lambda call: not call.keywords):
        if not isinstance(found.func, ast.Attribute) or len(found.args) != REGULAR.get(found.func.attr):
            continue
        pattern = found.args[0]
        loop = draft.steady_loop(found, pattern)
        if loop is None or not isinstance(found.func.value, ast.Name) or found.func.value.id != "re":
            continue
        name = draft.fresh(f"{found.func.attr}_pattern")
        method = found.func.attr
        draft.replace(found, ast.Call(expression(f"{name}.{method}"), found.args[1:], []))
        made = statements(f"{name} = re.compile(PATTERN)", PATTERN=pattern)
        draft.insert_before(draft.statement(loop), made)
        yield "a pattern compiled once", draft


def copies(function: Function) -> Found:
    """Yield: copies that are only read, dropped."""
    for draft, found in drafts(function, ast.expr, _is_copy):
        inner = found.value if isinstance(found, ast.Subscript) else _argument(found)
        parent = draft.parents[found]
        if _only_reads(parent, found) and (
            not isinstance(parent, ast.For) or draft.is_invariant(inner, parent) or not names_in(inner)
        ):
            draft.replace(found, inner)
            yield "a copy dropped", draft


def _argument(node: ast.expr) -> ast.expr:
    assert isinstance(node, ast.Call)
    if isinstance(node.func, ast.Attribute):
        return node.func.value
    return node.args[0]


def _is_copy(node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and isinstance(node.ctx, ast.Load):
        part = node.slice
        return part.lower is None and part.upper is None and part.step is None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in ("copy", "keys") and not node.args and not node.keywords
    return any(is_call(node, name, 1) for name in ("list", "tuple", "sorted"))


def _only_reads(parent: ast.AST, child: ast.expr) -> bool:
    """True if a value is only gone through, or searched, where it stands."""
    if isinstance(parent, ast.For | ast.comprehension):
        return parent.iter is child and not is_call(child, "sorted")
    if isinstance(parent, ast.Compare) and len(parent.ops) == 1:
        return isinstance(parent.ops[0], ast.In | ast.NotIn) and parent.comparators[0] is child
    sinks: tuple[str, ...] = (
        "set",
        "frozenset",
        "sorted",
        "max",
        "min",
        "list",
        "tuple",
        "any",
        "all",
        "enumerate",
        "sum",
        "len",
    )
    if is_call(child, "sorted"):
        sinks = ("set", "frozenset", "len", "any", "all", "max", "min", "sorted")
    return any(is_call(parent, name, 1) for name in sinks)


def direct(function: Function) -> Found:
    """Yield: `for i in range(len(items))` that reads `items[i]`, made a loop over the elements."""
    for draft, found in drafts(function, ast.For, lambda loop: is_call(loop.iter, "range", 1)):
        if not isinstance(found.target, ast.Name):
            continue
        length = found.iter.args[0]  # type: ignore[attr-defined] # it is a call of range
        if not is_call(length, "len", 1) or not isinstance(length.args[0], ast.Name):
            continue
        items, index = length.args[0].id, found.target.id
        if not all(draft.is_invariant(load(name), ast.Module(found.body, [])) for name in (items, index)):
            continue
        wanted = expression(f"{items}[{index}]")
        reads = [one for one in ast.walk(found) if isinstance(one, ast.Subscript) and is_same(one, wanted)]
        if not reads:
            continue
        name = draft.fresh("item")
        for one in reads:
            draft.replace(one, load(name))
        body = ast.Module(found.body, [])
        after = [one for one in draft.uses(index) if one not in set(ast.walk(found))]
        if index in names_in(body) or after:
            found.target = ast.Tuple([ast.Name(index, ast.Store()), ast.Name(name, ast.Store())], ast.Store())
            found.iter = expression(f"enumerate({items})")
        else:
            found.target, found.iter = ast.Name(name, ast.Store()), load(items)
        yield "a loop over elements", draft


def comprehensions(function: Function) -> Found:
    """Yield: a loop that only appends to a new list, adds to a new set or fills a new dict, made a comprehension."""
    for draft, loop in drafts(function, ast.For):
        block = draft.block(loop)
        place = block.index(loop)
        before = _start(loop, block[:place])
        if before is None:
            continue
        name = before.targets[0].id  # type: ignore[attr-defined] # a name, as `_start` sees to
        made = _collected(loop, name, before.value)
        inside = set(ast.walk(loop))
        if made is None or any(one not in inside for each in names_in(loop.target) for one in draft.uses(each)):
            continue
        draft.replace(before, [])
        draft.replace(loop, statements(f"{name} = MADE", MADE=made))
        yield "a comprehension", draft


def _start(loop: ast.For, before: list[ast.stmt]) -> ast.Assign | None:
    """Return the assignment of an empty collection that a loop fills, if nothing between them names it."""
    filled = names_in(ast.Module(loop.body, []))
    for one in reversed(before):
        if not isinstance(one, ast.Assign) or len(one.targets) != 1 or not isinstance(one.targets[0], ast.Name):
            filled -= names_in(one)
            continue
        is_empty = is_call(one.value, "set", 0) or isinstance(one.value, ast.List | ast.Dict)
        if one.targets[0].id in filled and is_empty:
            return one
        filled -= names_in(one)
    return None


def _collected(loop: ast.For, name: str, start: ast.expr) -> ast.expr | None:
    """Return the comprehension that collects what a loop does; None if it does something else."""
    generators = [ast.comprehension(loop.target, loop.iter, [], 0)]
    body = loop.body
    while not loop.orelse and len(body) == 1:
        one = body[0]
        if isinstance(one, ast.If) and not one.orelse:
            generators[-1].ifs.append(one.test)
        elif isinstance(one, ast.For) and not one.orelse:
            generators.append(ast.comprehension(one.target, one.iter, [], 0))
        else:
            break
        body = one.body
    if loop.orelse or len(body) != 1 or any(name in names_in(part) for part in generators):
        return None
    return _comprehension(body[0], name, start, generators)


def _comprehension(last: ast.stmt, name: str, start: ast.expr, generators: list[ast.comprehension]) -> ast.expr | None:
    if (
        isinstance(last, ast.Expr)
        and isinstance(last.value, ast.Call)
        and name not in names_in(ast.Tuple(last.value.args))
    ):
        if method_call(last.value, "append", 1) == name and isinstance(start, ast.List) and not start.elts:
            return ast.ListComp(last.value.args[0], generators)
        if method_call(last.value, "add", 1) == name and is_call(start, "set", 0):
            return ast.SetComp(last.value.args[0], generators)
    if isinstance(last, ast.Assign) and len(last.targets) == 1 and isinstance(start, ast.Dict) and not start.keys:
        target = last.targets[0]
        if isinstance(target, ast.Subscript) and is_same(target.value, load(name)):
            is_read = name in names_in(last.value) | names_in(target.slice)
            return None if is_read else ast.DictComp(target.slice, last.value, generators)
    return None


def early_exit(function: Function) -> Found:
    """Yield: a loop that only sets a flag, ended when it is set; `any([…])` that stops at the first."""
    for draft, loop in drafts(function, ast.For):
        inner = loop
        while len(inner.body) == 1 and isinstance(inner.body[0], ast.For) and not inner.orelse:
            inner = inner.body[0]
        [condition] = inner.body if len(inner.body) == 1 else [None]
        if not isinstance(condition, ast.If) or condition.orelse or loop.orelse or inner.orelse:
            continue
        if all(_is_flag(one) for one in condition.body) and inner is loop:
            condition.body.append(ast.Break())
            yield "an early exit", draft
    for draft, found in drafts(function, ast.Call, lambda call: is_call(call, "any", 1) or is_call(call, "all", 1)):
        made = found.args[0]
        if isinstance(made, ast.ListComp):
            found.args = [ast.GeneratorExp(made.elt, made.generators)]
            yield "an early exit", draft


def _is_flag(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)
