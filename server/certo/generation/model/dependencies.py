"""Imports and definitions around an answer's function that it needs and the document lacks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from certo.edits.definitions import Function
from certo.edits.source import parse
from certo.generation.model.code_extraction import framed, parsed, statements
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True)
class Support:
    """A statement outside the function, and the text that contains it."""

    statement: ast.stmt
    source: str


def supporting(function: Function, code: tuple[ast.Module, str], imports: str, text: str) -> tuple[Support, ...]:
    """Return the statements at the top of an answer's code and among its `imports` that the function needs, in order.

    An import is left out if the document `text` has the same one, a definition if the document has its name: the
    document's version counts then, because only the target may be changed.
    """
    tree, source = code
    beside = parsed(imports) if imports else None
    offered = [Support(each, framed(imports)) for each in statements(beside)] if beside is not None else []
    offered += [Support(each, source) for each in statements(tree) if function not in ast.walk(each)]
    module = parse(text)
    known = {name for statement in module.body for name in _bound(statement)}
    definitions = [
        each for each in offered if not _is_import(each.statement) and not set(_bound(each.statement)) & known
    ]
    # Names used only in the head are not needed: the target keeps its own.
    needed = {name for statement in function.body for name in _used(statement)}
    taken: list[Support] = []
    while more := [each for each in definitions if each not in taken and set(_bound(each.statement)) & needed]:
        taken += more
        needed.update(name for each in more for name in _used(each.statement))
    known_imports = {ast.unparse(each) for each in _single_imports(module)}
    kept = [_kept(each, needed, known_imports) for each in offered if _is_import(each.statement)]
    return (*filter(None, kept), *(each for each in definitions if each in taken))


def _is_import(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Import | ast.ImportFrom)


def _kept(offered: Support, needed: set[str], known: set[str]) -> Support | None:
    """Return an import as it is, or with fewer names, or not at all."""
    statement = offered.statement
    kept = _needed_of(statement, needed, known) if isinstance(statement, ast.Import | ast.ImportFrom) else None
    if kept is None or kept is statement:
        return offered if kept is not None else None
    return Support(kept, ast.unparse(kept))


def _needed_of(
    statement: ast.Import | ast.ImportFrom, needed: set[str], known: set[str]
) -> ast.Import | ast.ImportFrom | None:
    """Return an import of the needed names that are not imported yet; None if there are none.

    The result is a statement as parsed from its own source, so that its position is right.
    """
    if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
        return None
    kept = [
        alias
        for alias, single in zip(statement.names, _split(statement), strict=True)
        if _name_of(alias) in needed and ast.unparse(single) not in known
    ]
    if not kept or len(kept) == len(statement.names):
        return statement if kept else None
    parts = (
        ast.Import(kept)
        if isinstance(statement, ast.Import)
        else ast.ImportFrom(statement.module, kept, statement.level)
    )
    made = ast.parse(ast.unparse(parts)).body[0]
    return made if isinstance(made, ast.Import | ast.ImportFrom) else None


def _split(statement: ast.Import | ast.ImportFrom) -> list[ast.Import | ast.ImportFrom]:
    """Return an import with several names as several imports."""
    if isinstance(statement, ast.Import):
        return [ast.Import([alias]) for alias in statement.names]
    return [ast.ImportFrom(statement.module, [alias], statement.level) for alias in statement.names]


def _single_imports(module: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    for statement in module.body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            yield from _split(statement)


def _name_of(alias: ast.alias) -> str:
    """Return the name an import binds; that of `import a.b` is `a`."""
    return alias.asname or alias.name.partition(".")[0]


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a module binds."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        yield from map(_name_of, statement.names)
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        for target in targets:
            yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def _used(node: ast.AST) -> set[str]:
    """Return the names that are read anywhere in a piece of code."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
