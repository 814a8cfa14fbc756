"""Templates for searches that are repeated: a set, a mapping or a count takes the place of walking through a list."""

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
    loaded,
    method_call,
    names_in,
    statements,
)


def membership(function: Function) -> Found:
    """Yield: `x in items` within a loop that does not change `items`, made a lookup in a set."""
    for draft, found in drafts(function, ast.Compare, _is_membership):
        items = found.comparators[0]
        loop = draft.steady_loop(found, items)
        if loop is None or _is_quick(draft, items):
            continue
        name = draft.fresh(f"{items.id}_set" if isinstance(items, ast.Name) else "known")
        for each in draft.all(ast.Compare):
            if _is_membership(each) and is_same(each.comparators[0], items) and loop in draft.loops(each):
                each.comparators = [load(name)]
        made = statements(f"{name} = set(ITEMS)", ITEMS=items)
        draft.insert_before(draft.statement(loop), made)
        yield "a set for membership", draft


def _is_membership(test: ast.Compare) -> bool:
    return len(test.ops) == 1 and isinstance(test.ops[0], ast.In | ast.NotIn)


def _is_quick(draft: FunctionDraft, items: ast.expr) -> bool:
    """True if membership in an expression is quick already, or means something else, as in a text."""
    if isinstance(
        items, ast.Constant | ast.Set | ast.SetComp | ast.Dict | ast.DictComp | ast.JoinedStr | ast.Tuple | ast.List
    ):
        return True
    if isinstance(items, ast.Call):
        quick = {"set", "frozenset", "dict", "range", "str"}
        named = items.func.id if isinstance(items.func, ast.Name) else getattr(items.func, "attr", "")
        return named in quick or named in {"keys", "lower", "upper", "strip", "items", "read", "casefold", "join"}
    if not isinstance(items, ast.Name):
        return not isinstance(items, ast.ListComp | ast.Attribute)
    value = draft.single_binding(items.id)
    if value is not None:
        return (
            not isinstance(value, ast.Name) and _is_quick(draft, value) and not isinstance(value, ast.List | ast.Tuple)
        )
    arguments = draft.function.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        if argument.arg == items.id and argument.annotation is not None:
            said = ast.unparse(argument.annotation).strip("'\"").lower()
            return said.startswith(("str", "set", "frozenset", "dict", "mapping", "defaultdict", "abstractset"))
    return False


def seen_list(function: Function) -> Found:
    """Yield: a list that is searched while it grows by `append`, with a set beside it, or made one."""
    for name in sorted(_searched(FunctionDraft(function))):
        draft = FunctionDraft(function)
        appends = [node for node in draft.all(ast.Expr) if method_call(node.value, "append", 1) == name]
        searches = _searches(draft, name)
        if not (draft.own_list(name) and appends and any(draft.loops(one) for one in searches)):
            continue
        calls = [node.value for node in appends]
        others = [
            node
            for node in draft.uses(name)
            if isinstance(node.ctx, ast.Load)
            and not any(node is one.comparators[0] for one in searches)
            and not any(isinstance(one, ast.Call) and node in ast.walk(one.func) for one in calls)
        ]
        if _changes(draft, name, len(appends)):
            continue
        binding = next(node for node in draft.uses(name) if not isinstance(node.ctx, ast.Load))
        start = draft.statement(binding)
        if others:
            beside = draft.fresh(f"{name}_set")
            for one in searches:
                one.comparators = [load(beside)]
            for added in appends:
                value = added.value.args[0]  # type: ignore[attr-defined] # it is a call of append
                draft.insert_after(added, statements(f"{beside}.add(VALUE)", VALUE=value))
            draft.insert_after(start, statements(f"{beside} = set({name})"))
        else:
            value = draft.single_binding(name)
            assert value is not None
            draft.replace(value, expression("set(ITEMS)", ITEMS=value) if not _is_empty(value) else expression("set()"))
            for call in calls:
                call.func.attr = "add"  # type: ignore[attr-defined] # it is a call of append
        yield "a set of what was seen", draft


def _is_empty(value: ast.expr) -> bool:
    return isinstance(value, ast.List) and not value.elts


def _searches(draft: FunctionDraft, name: str) -> list[ast.Compare]:
    return [
        one
        for one in draft.all(ast.Compare)
        if _is_membership(one) and isinstance(one.comparators[0], ast.Name) and one.comparators[0].id == name
    ]


def _searched(draft: FunctionDraft) -> set[str]:
    return {
        one.comparators[0].id
        for one in draft.all(ast.Compare)
        if len(one.ops) == 1 and isinstance(one.comparators[0], ast.Name)
    }


def _changes(draft: FunctionDraft, name: str, appends: int) -> bool:
    """True if a list is changed otherwise than by so many appends."""
    calls = [
        node
        for node in draft.all(ast.Attribute)
        if isinstance(node.value, ast.Name) and node.value.id == name and node.attr not in ("index", "count", "copy")
    ]
    stored = [
        node
        for node in draft.all(ast.Subscript)
        if not isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name) and node.value.id == name
    ]
    return len(calls) != appends or bool(stored)


def nested_search(function: Function) -> Found:
    """Yield: an inner loop for the elements of one key, made a lookup in a mapping from keys to elements."""
    for draft, inner in drafts(function, ast.For, lambda loop: len(loop.body) == 1):
        condition = inner.body[0]
        if not isinstance(condition, ast.If) or condition.orelse:
            continue
        rest = _indexed(draft, inner, inner, [condition.test])
        if rest is not None:
            if rest:
                condition.test = _joined(rest)
            else:
                inner.body = condition.body
            yield "an index for a nested search", draft
    for draft, part in drafts(function, ast.comprehension, lambda part: bool(part.ifs) and not part.is_async):
        rest = _indexed(draft, part, part.iter, part.ifs)
        if rest is not None:
            part.ifs = rest
            yield "an index for a nested search", draft


def _indexed(
    draft: FunctionDraft, inner: ast.For | ast.comprehension, place: ast.AST, tests: list[ast.expr]
) -> list[ast.expr] | None:
    """Let an inner loop go through an index; return the conditions that are left, None if that is impossible."""
    conditions = [part for test in tests for part in _conjuncts(test)]
    own = names_in(inner.target)
    for part in conditions:
        sides = _sides(part, own)
        if sides is None:
            continue
        key, wanted = sides
        if draft.names_floats and not any(is_same(one, wanted) for one in ast.walk(part)):
            # Of numbers that are rounded, `a + b == c` is another question than `a == c - b`.
            continue
        items, more = _whole_range(inner)
        # What is looked up may not depend on later parts of the loop.
        loop = draft.steady_loop(place, items)
        outer = [one for one in draft.loops(place) if one is not inner]
        if loop is None or loop is inner or not outer or names_in(key) - own & _bound(outer):
            continue
        if not all(draft.is_invariant(load(name), loop) for name in names_in(key) - own):
            continue
        index = draft.fresh("index")
        filled = statements(
            f"{index} = {{}}\nfor TARGET in ITEMS:\n    {index}.setdefault(KEY, []).append(VALUE)",
            ITEMS=items,
            KEY=key,
            VALUE=loaded(inner.target),
        )
        assert isinstance(filled[1], ast.For)
        filled[1].target = ast.parse(f"{ast.unparse(inner.target)} = 0").body[0].targets[0]  # type: ignore[attr-defined] # an assignment
        # Neither a key nor what it has to be is looked at where the loops would not have come to it.
        inner.iter = expression(f"{index}.get(WANTED, ()) if {index} else ()", WANTED=wanted)
        around = loop.iter if isinstance(loop, ast.For) else getattr(loop, "generators", [loop])[0]
        around = getattr(around, "iter", around)
        if isinstance(around, ast.Name) and not is_same(around, items):
            filled[1].iter = expression("ITEMS if AROUND else ()", ITEMS=items, AROUND=around)
        draft.insert_before(draft.statement(loop), filled)
        return [*more, *(one for one in conditions if one is not part)]
    return None


def _bound(loops: list[ast.AST]) -> set[str]:
    return {
        node.id
        for loop in loops
        for node in ast.walk(loop)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }


def _whole_range(inner: ast.For | ast.comprehension) -> tuple[ast.expr, list[ast.expr]]:
    """Return what an inner loop goes through, from its first element, and the condition that this adds."""
    items = inner.iter
    if is_call(items, "range", 2) and isinstance(inner.target, ast.Name):
        assert isinstance(items, ast.Call)
        begin, end = items.args
        return (
            expression("range(END)", END=end),
            [expression("INDEX >= BEGIN", INDEX=loaded(inner.target), BEGIN=begin)],
        )
    if isinstance(items, ast.Subscript) and isinstance(items.slice, ast.Slice):
        return items, []
    return items, []


def _conjuncts(test: ast.expr) -> list[ast.expr]:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return [part for value in test.values for part in _conjuncts(value)]
    return [test]


def _joined(tests: list[ast.expr]) -> ast.expr:
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def _sides(test: ast.expr, own: set[str]) -> tuple[ast.expr, ast.expr] | None:
    """Return the key of an element and what it has to be equal to; None if the test is another one."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)):
        return None
    for one, other in ((test.left, test.comparators[0]), (test.comparators[0], test.left)):
        if names_in(one) & own and not names_in(other) & own:
            if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Add):
                for part, rest in ((one.left, one.right), (one.right, one.left)):
                    if names_in(part) & own and not names_in(rest) & own:
                        return part, expression("TOTAL - REST", TOTAL=other, REST=rest)
            return one, other
    return None


def any_equal(function: Function) -> Found:
    """Yield: `any(item.key == wanted for item in items)` within a loop, made a lookup in a set of keys."""
    for draft, found in drafts(function, ast.Call, lambda call: is_call(call, "any", 1)):
        made = found.args[0]
        if not isinstance(made, ast.GeneratorExp | ast.ListComp) or len(made.generators) != 1:
            continue
        if made.generators[0].ifs:
            continue
        part = made.generators[0]
        sides = _sides(made.elt, names_in(part.target))
        loop = draft.steady_loop(found, part.iter)
        if sides is None or loop is None:
            continue
        if draft.names_floats and not any(is_same(one, sides[1]) for one in ast.walk(made.elt)):
            continue
        keys = draft.fresh("keys")
        values = ast.SetComp(sides[0], [ast.comprehension(part.target, part.iter, [], 0)])
        draft.replace(found, expression(f"WANTED in {keys}", WANTED=sides[1]))
        draft.insert_before(draft.statement(loop), statements(f"{keys} = KEYS", KEYS=values))
        yield "a set of keys for a search", draft


def counts(function: Function) -> Found:
    """Yield: `items.count(x)` and `items.index(x)` within a loop, made lookups in a mapping."""
    for draft, found in drafts(function, ast.Call):
        method = next((name for name in ("count", "index") if method_call(found, name, 1)), None)
        if method is None:
            continue
        assert isinstance(found.func, ast.Attribute)
        items = found.func.value
        loop = draft.steady_loop(found, items)
        if loop is None or draft.is_invariant(found, loop):
            continue
        name = draft.fresh("counts" if method == "count" else "places")
        for one in draft.all(ast.Call):
            is_alike = method_call(one, method, 1) is not None and is_same(one.func, found.func)
            if is_alike and loop in draft.loops(one):
                draft.replace(one, expression(f"{name}[WANTED]", WANTED=one.args[0]))
        if method == "count":
            draft.insert_before(draft.statement(loop), statements(f"{name} = Counter(ITEMS)", ITEMS=items))
            draft.begin_with(statements("from collections import Counter"))
        else:
            place, value = draft.fresh("place"), draft.fresh("value")
            filled = f"for {place}, {value} in enumerate(ITEMS):\n    {name}.setdefault({value}, {place})"
            draft.insert_before(draft.statement(loop), statements(f"{name} = {{}}\n{filled}", ITEMS=items))
        yield "a count of all elements at once" if method == "count" else "the places of all elements at once", draft
