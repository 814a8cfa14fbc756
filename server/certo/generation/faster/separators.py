"""Templates for texts whose parts are divided: each loop that puts a separator before all parts but the first."""

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
    names_in,
    statements,
)

EMPTY = ast.Constant("")


def separated(function: Function) -> Found:
    """Yield: a text whose parts are divided by a separator unless it is empty, collected and joined after the loop."""
    for draft, loop in drafts(function, ast.For, lambda loop: not loop.orelse):
        for name in sorted(_texts(draft)):
            part = _divided(loop.body, name)
            if part is None or not _is_only_there(draft, loop, name, part) or not _starts_empty(draft, loop, name):
                continue
            parts = draft.fresh("parts")
            added = load(draft.fresh("part")) if not isinstance(part.value, ast.Name) else part.value
            bound = statements("NAME = VALUE", NAME=added, VALUE=part.value) if added is not part.value else []
            for one in bound:
                one.targets = [ast.Name(added.id, ast.Store())]  # type: ignore[attr-defined] # an assignment
            # A part in front of which there is nothing but empty ones gets no separator.
            kept = statements(f"if {parts} or PART:\n    {parts}.append(PART)", PART=added)
            place = loop.body.index(part.statements[0])
            loop.body[place : place + len(part.statements)] = [*bound, *kept]
            order = f"reversed({parts})" if part.is_front else parts
            draft.insert_before(loop, statements(f"{parts} = []"))
            draft.insert_after(loop, statements(f"{name} = SEPARATOR.join({order})", SEPARATOR=part.separator))
            yield "a text joined with its separator", draft
            break


def enumerated(function: Function) -> Found:
    """Yield: a loop over numbered parts that puts a separator before all but the first, made a `join`."""
    for draft, loop in drafts(function, ast.For, lambda loop: is_call(loop.iter, "enumerate", 1) and not loop.orelse):
        if len(loop.body) != 2 or not isinstance(loop.target, ast.Tuple) or len(loop.target.elts) != 2:
            continue
        place, value = loop.target.elts
        condition, added = loop.body
        if not isinstance(condition, ast.If) or condition.orelse or len(condition.body) != 1:
            continue
        name = _name_of(added)
        separator = _added(condition.body[0], name)
        part = _added(added, name)
        if name is None or separator is None or part is None or not isinstance(place, ast.Name):
            continue
        if not _is_text(separator) or place.id in names_in(part) or name in names_in(part):
            continue
        if not any(is_same(condition.test, expression(f"{place.id}{test}")) for test in ("", " > 0", " != 0", " >= 1")):
            continue
        inside = set(ast.walk(loop))
        if any(one not in inside for each in names_in(loop.target) for one in draft.uses(each)):
            continue
        items: ast.expr = loop.iter.args[0]  # type: ignore[attr-defined] # a call of enumerate
        if not is_same(part, _loaded_name(value)):
            items = ast.ListComp(part, [ast.comprehension(value, items, [], 0)])
        draft.replace(loop, statements(f"{name} += SEPARATOR.join(PARTS)", SEPARATOR=separator, PARTS=items))
        yield "a text joined with its separator", draft


class _Part:
    """The part that a loop adds: its value, its separator, the statements that do it, and true if it comes in front."""

    def __init__(self, value: ast.expr, separator: ast.expr, done: list[ast.stmt], *, is_front: bool) -> None:
        self.value = value
        self.separator = separator
        self.statements = done
        self.is_front = is_front


def _divided(body: list[ast.stmt], name: str) -> _Part | None:
    """Return what a body adds to a text with a separator unless the text is empty; None if it does something else."""
    for place, one in enumerate(body):
        if not isinstance(one, ast.If):
            continue
        is_filled = _is_filled(one.test, name)
        if is_filled is not None and len(one.body) == len(one.orelse) == 1:
            first, more = (one.orelse[0], one.body[0]) if is_filled else (one.body[0], one.orelse[0])
            part = _with_separator(first, more, name, one)
        elif is_filled and len(one.body) == 1 and not one.orelse and place + 1 < len(body):
            separator, value = _added(one.body[0], name), _added(body[place + 1], name)
            is_one = separator is not None and value is not None and _is_text(separator)
            part = _Part(value, separator, [one, body[place + 1]], is_front=False) if is_one else None  # type: ignore[arg-type] # neither is None
        else:
            part = None
        if part is not None and name not in names_in(part.value):
            return part
    return None


def _with_separator(first: ast.stmt, more: ast.stmt, name: str, whole: ast.stmt) -> _Part | None:
    """Return the part of `text = part` and `text = text + separator + part`, or the other way round."""
    if not (isinstance(first, ast.Assign) and _name_of(first) == name):
        return None
    part = first.value
    added = _added(more, name)
    if isinstance(added, ast.BinOp) and isinstance(added.op, ast.Add) and is_same(added.right, part):
        return _Part(part, added.left, [whole], is_front=False) if _is_text(added.left) else None
    if isinstance(more, ast.Assign) and _name_of(more) == name:
        value = more.value
        for front, separator, behind, is_front in _sums(value):
            ends = (behind, front) if is_front else (front, behind)
            if is_same(ends[0], load(name)) and is_same(ends[1], part) and _is_text(separator):
                return _Part(part, separator, [whole], is_front=is_front)
    return None


def _sums(value: ast.expr) -> list[tuple[ast.expr, ast.expr, ast.expr, bool]]:
    """Return the three terms of `a + b + c`, for both orders."""
    if not (isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add)):
        return []
    left = value.left
    if not (isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add)):
        return []
    return [(left.left, left.right, value.right, is_front) for is_front in (False, True)]


def _is_filled(test: ast.expr, name: str) -> bool | None:
    """Return if a test asks that a text has characters, False if that it has none; None for another test."""
    for text, answer in (
        ("{}", True),
        ("{} != ''", True),
        ("len({}) > 0", True),
        ("{} == ''", False),
        ("not {}", False),
    ):
        if is_same(test, expression(text.format(name))):
            return answer
    return None


def _added(statement: ast.stmt, name: str | None) -> ast.expr | None:
    """Return what a statement adds to a name with `+=`."""
    is_addition = isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add)
    return statement.value if is_addition and _name_of(statement) == name else None  # type: ignore[attr-defined] # an addition


def _name_of(statement: ast.stmt) -> str | None:
    """Return the plain name that a statement assigns to."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else None


def _is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _loaded_name(target: ast.expr) -> ast.expr:
    """Return a plain name as it is read; any other target is no part by itself."""
    return load(target.id) if isinstance(target, ast.Name) else target


def _texts(draft: FunctionDraft) -> set[str]:
    """Return the names that begin as an empty text."""
    return {name for one in draft.all(ast.Assign) if (name := _name_of(one)) is not None and is_same(one.value, EMPTY)}


def _starts_empty(draft: FunctionDraft, loop: ast.For, name: str) -> bool:
    """True if a text is made empty right before the loop, as far as its name is concerned."""
    block = draft.block(loop)
    for one in reversed(block[: block.index(loop)]):
        if name in names_in(one):
            return isinstance(one, ast.Assign) and _name_of(one) == name and is_same(one.value, EMPTY)
    return False


def _is_only_there(draft: FunctionDraft, loop: ast.For, name: str, part: _Part) -> bool:
    """True if the loop uses a text nowhere else, and cannot be left before its end."""
    known = {node for statement in part.statements for node in ast.walk(statement)}
    inside = [node for node in ast.walk(loop) if isinstance(node, ast.Name) and node.id == name]
    leaves = any(isinstance(node, ast.Return | ast.Yield | ast.YieldFrom | ast.Try) for node in ast.walk(loop))
    return not leaves and all(node in known for node in inside) and bool(draft.uses(name))
