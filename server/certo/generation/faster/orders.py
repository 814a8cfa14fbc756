"""Templates for order, sums and numbers: less sorting, sums kept from step to step, recursion that remembers."""

from __future__ import annotations

import ast
import copy

from certo.generation.faster.draft import (
    Found,
    Function,
    FunctionDraft,
    drafts,
    expression,
    is_call,
    is_same,
    method_call,
    names_in,
    statements,
)


def extreme(function: Function) -> Found:
    """Yield: `sorted(items)[0]` made `min`, `[-1]` made `max`, and `[:k]` made `nsmallest`."""
    for draft, found in drafts(function, ast.Subscript):
        _inline_sorted(draft, found)
        call = found.value
        if not is_call(call, "sorted"):
            continue
        assert isinstance(call, ast.Call)
        keywords = [one for one in call.keywords if one.arg != "reverse"]
        backwards = [one.value for one in call.keywords if one.arg == "reverse"]
        if any(not isinstance(one, ast.Constant) for one in backwards) or len(call.args) != 1:
            continue
        is_falling = bool(backwards and backwards[0].value)  # type: ignore[attr-defined] # a constant
        new = _extreme(found, is_falling=is_falling, keywords=keywords)
        if new is None:
            continue
        draft.replace(found, new)
        if isinstance(found.slice, ast.Slice):
            draft.begin_with(
                statements(
                    "from heapq import nlargest, nsmallest".replace(
                        "nlargest, nsmallest", "nlargest" if is_falling else "nsmallest"
                    )
                )
            )
        yield "no sorting for the first elements", draft


def _inline_sorted(draft: FunctionDraft, found: ast.Subscript) -> None:
    """Put `sorted(…)` in place of a name for it that is used nowhere else, without the assignment."""
    if not isinstance(found.value, ast.Name) or isinstance(found.slice, ast.Slice):
        return
    name = found.value.id
    value = draft.single_binding(name)
    if is_call(value, "sorted") and len(draft.uses(name)) == 2 and value is not None:
        assignment = draft.statement(value)
        if draft.loops(assignment) == draft.loops(found):
            draft.replace(assignment, [])
            found.value = value


def _extreme(whole: ast.Subscript, *, is_falling: bool, keywords: list[ast.keyword]) -> ast.expr | None:
    """Return what gives the same as a part of the sorted elements; None for another part."""
    place, call = whole.slice, whole.value
    assert isinstance(call, ast.Call)
    items = call.args[0]
    if is_same(place, ast.Constant(0)):
        return ast.Call(expression("max" if is_falling else "min"), [items], keywords)
    if is_same(place, expression("-1")) and not keywords:
        return ast.Call(expression("min" if is_falling else "max"), [items], keywords)
    if isinstance(place, ast.Slice) and place.lower is None and place.step is None and place.upper is not None:
        taken = ast.Call(expression("nlargest" if is_falling else "nsmallest"), [place.upper, items], keywords)
        if isinstance(place.upper, ast.Constant):
            return taken
        # A negative number leaves out elements at the end.
        return expression("TAKEN if NUMBER >= 0 else WHOLE", TAKEN=taken, NUMBER=place.upper, WHOLE=whole)
    return None


def inserted_in_order(function: Function) -> Found:
    """Yield: a list that is sorted after each append, made one into which is inserted in order."""
    names = {method_call(one, "sort", 0) for one in FunctionDraft(function).all(ast.Call)}
    for name in sorted(filter(None, names)):
        draft = FunctionDraft(function)
        value = draft.single_binding(name)
        if not isinstance(value, ast.List) or len(value.elts) > 1:
            continue
        changed = False
        for one in draft.all(ast.Expr):
            if one not in draft.parents:
                continue  # It was taken out already.
            block = draft.block(one)
            after = block[block.index(one) + 1] if block.index(one) + 1 < len(block) else None
            is_sorted = isinstance(after, ast.Expr) and method_call(after.value, "sort", 0) == name
            if method_call(one.value, "append", 1) == name and is_sorted and after is not None and draft.loops(one):
                added = one.value.args[0]  # type: ignore[attr-defined] # a call
                draft.replace(after, [])
                draft.replace(one, statements(f"insort({name}, VALUE)", VALUE=added))
                changed = True
        others = [one for one in draft.all(ast.Call) if method_call(one, "append", 1) == name]
        if changed and not others:
            draft.begin_with(statements("from bisect import insort"))
            yield "insertion in order", draft


SMALLER = {
    ast.Lt: ("bisect_left", False),
    ast.LtE: ("bisect_right", False),
    ast.Gt: ("bisect_right", True),
    ast.GtE: ("bisect_left", True),
}
TURNED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}


def counted_in_order(function: Function) -> Found:
    """Yield: a count of the elements below or above each of many values, made a bisection of the sorted elements."""
    for draft, found in drafts(function, ast.Call, lambda call: is_call(call, "sum", 1) or is_call(call, "len", 1)):
        made, is_sum = found.args[0], is_call(found, "sum", 1)
        if not isinstance(made, ast.ListComp) and not (is_sum and isinstance(made, ast.GeneratorExp)):
            continue
        counted = _counted(made, is_sum=is_sum)
        if counted is None:
            continue
        items, kind, limit = counted
        loop = draft.steady_loop(found, items)
        if loop is None:
            continue
        function_name, is_above = SMALLER[kind]
        name = draft.fresh("ordered")
        place = f"{function_name}({name}, LIMIT)"
        draft.replace(found, expression(f"len({name}) - {place}" if is_above else place, LIMIT=limit))
        draft.insert_before(draft.statement(loop), statements(f"{name} = sorted(ITEMS)", ITEMS=items))
        draft.begin_with(statements(f"from bisect import {function_name}"))
        yield "a bisection for a count", draft


def _counted(
    made: ast.GeneratorExp | ast.ListComp, *, is_sum: bool
) -> tuple[ast.expr, type[ast.cmpop], ast.expr] | None:
    """Return the elements, the comparison and the limit of a comprehension that counts."""
    part = made.generators[0]
    if len(made.generators) != 1 or not isinstance(part.target, ast.Name):
        return None
    tests = part.ifs
    if is_sum and not tests and isinstance(made.elt, ast.Compare):
        tests = [made.elt]
    elif is_sum and not is_same(made.elt, ast.Constant(1)):
        return None
    if len(tests) != 1 or not isinstance(tests[0], ast.Compare) or len(tests[0].ops) != 1:
        return None
    test, own = tests[0], {part.target.id}
    kind = type(test.ops[0])
    if kind not in SMALLER:
        return None
    if names_in(test.left) == own and isinstance(test.left, ast.Name) and not names_in(test.comparators[0]) & own:
        return part.iter, kind, test.comparators[0]
    right = test.comparators[0]
    if isinstance(right, ast.Name) and right.id in own and not names_in(test.left) & own:
        return part.iter, TURNED[kind], test.left
    return None


def running_sums(function: Function) -> Found:
    """Yield: `sum(items[:i])` and `sum(items[i:j])` in a loop, made differences of sums taken once."""
    for draft, found in drafts(function, ast.Call, lambda call: is_call(call, "sum", 1)):
        taken = found.args[0]
        if not isinstance(taken, ast.Subscript):
            continue
        part = taken.slice
        loop = draft.steady_loop(found, taken.value)
        if not isinstance(part, ast.Slice) or part.step is not None or loop is None:
            continue
        if not isinstance(loop, ast.For) and not hasattr(loop, "generators"):
            continue
        name = draft.fresh("sums")
        end = expression(f"{name}[END]", END=part.upper) if part.upper is not None else expression(f"{name}[-1]")
        new = end if part.lower is None else expression(f"END - {name}[BEGIN]", END=end, BEGIN=part.lower)
        draft.replace(found, new)
        made = statements(f"{name} = [0, *accumulate(ITEMS)]", ITEMS=taken.value)
        draft.insert_before(draft.statement(loop), made)
        draft.begin_with(statements("from itertools import accumulate"))
        yield "sums taken once", draft


def running_extremes(function: Function) -> Found:
    """Yield: `max(items[:i + 1])` in a loop, taken from step to step."""
    for draft, found in drafts(function, ast.Call):
        kind = next((name for name in ("max", "min") if is_call(found, name, 1)), None)
        taken = found.args[0] if kind is not None else None
        if not isinstance(taken, ast.Subscript):
            continue
        part = taken.slice
        loop = draft.steady_loop(found, taken.value)
        if not isinstance(part, ast.Slice) or part.step is not None or part.lower is not None or loop is None:
            continue
        if not (isinstance(part.upper, ast.BinOp) and isinstance(part.upper.op, ast.Add)):
            continue
        if not is_same(part.upper.right, ast.Constant(1)):
            continue
        name = draft.fresh("highest" if kind == "max" else "lowest")
        draft.replace(found, expression(f"{name}[PLACE]", PLACE=part.upper.left))
        made = statements(f"{name} = list(accumulate(ITEMS, {kind}))", ITEMS=taken.value)
        draft.insert_before(draft.statement(loop), made)
        draft.begin_with(statements("from itertools import accumulate"))
        yield "extremes taken once", draft


def remembered(function: Function) -> Found:
    """Yield: a function that calls itself twice and more, with results remembered within one outer call."""
    arguments = function.args
    plain = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    name = function.name
    calls = [node for node in ast.walk(function) if is_call(node, name)]
    uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name]
    is_plain = not (arguments.vararg or arguments.kwarg or arguments.kwonlyargs or function.decorator_list)
    has_self = plain[:1] in (["self"], ["cls"])
    if (
        len(calls) < 2
        or len(uses) != len(calls)
        or not is_plain
        or has_self
        or isinstance(function, ast.AsyncFunctionDef)
    ):
        return
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function)):
        return
    draft = FunctionDraft(function)
    if _may_return_changeable(draft):
        return
    inner_name = draft.fresh("solve")
    inner = copy.deepcopy(draft.function)
    assert isinstance(inner, ast.FunctionDef)
    docstring = inner.body[:1] if ast.get_docstring(inner, clean=False) is not None else []
    inner.body = inner.body[len(docstring) :]
    for node in ast.walk(inner):
        if isinstance(node, ast.Name) and node.id == name:
            node.id = inner_name
    inner.name, inner.returns = inner_name, None
    inner.decorator_list = [expression("lru_cache(maxsize=None)")]
    for argument in (*inner.args.posonlyargs, *inner.args.args):
        argument.annotation = None
    called = ", ".join(plain)
    draft.function.body = [
        *docstring,
        *statements("from functools import lru_cache"),
        inner,
        *statements(f"return {inner_name}({called})"),
    ]
    yield "results remembered within the call", draft


def _may_return_changeable(draft: FunctionDraft) -> bool:
    """True if results are lists or the like: remembered, they would be shared, and change together."""
    said = ast.unparse(draft.function.returns).strip("'\"").lower() if draft.function.returns is not None else ""
    if said.startswith(("list", "dict", "set", "defaultdict", "deque")):
        return True
    values = [node.value for node in draft.all(ast.Return) if node.value is not None]
    named = [draft.single_binding(node.id) for node in values if isinstance(node, ast.Name)]
    return any(value is not None and _holds_changeable(value) for value in [*values, *named])


def _holds_changeable(value: ast.AST) -> bool:
    """True if an expression makes a list or the like that its value is, or holds."""
    if isinstance(value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp):
        return True
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in ("list", "dict", "set", "sorted")
    if isinstance(value, ast.Compare | ast.Subscript | ast.Attribute | ast.JoinedStr):
        return False
    return any(_holds_changeable(part) for part in ast.iter_child_nodes(value))


def up_to_the_root(function: Function) -> Found:
    """Yield: a search for a divisor below n, ended at the root of n."""
    for draft, loop in drafts(function, ast.For):
        if not is_call(loop.iter, "range", 2) or not isinstance(loop.target, ast.Name) or loop.orelse:
            continue
        assert isinstance(loop.iter, ast.Call)
        begin, end = loop.iter.args
        [condition] = loop.body if len(loop.body) == 1 else [None]
        if not isinstance(condition, ast.If) or not is_same(begin, ast.Constant(2)) or condition.orelse:
            continue
        whole = _dividend(condition.test, loop.target.id)
        leaves = all(isinstance(one, ast.Return | ast.Break) or _sets_constant(one) for one in condition.body)
        inside = set(ast.walk(ast.Module(condition.body, [])))
        if whole is None or not leaves or any(one in inside for one in draft.uses(loop.target.id)):
            continue
        if not isinstance(condition.body[-1], ast.Return | ast.Break) or names_in(end) - {"int", "len"} != {whole}:
            continue
        loop.iter.args[1] = expression(f"isqrt({whole}) + 1 if {whole} > 0 else 0")
        draft.begin_with(statements("from math import isqrt"))
        yield "divisors up to the root", draft


def _dividend(test: ast.expr, divisor: str) -> str | None:
    """Return n of the test `n % divisor == 0`."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)):
        return None
    left = test.left
    if not is_same(test.comparators[0], ast.Constant(0)) or not isinstance(left, ast.BinOp):
        return None
    is_rest = isinstance(left.op, ast.Mod) and isinstance(left.right, ast.Name) and left.right.id == divisor
    return left.left.id if is_rest and isinstance(left.left, ast.Name) else None


def _sets_constant(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)
