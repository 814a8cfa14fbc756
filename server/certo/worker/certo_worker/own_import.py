"""Letting a module import something of ours, under a name that no program can spell."""

from __future__ import annotations

import ast


def import_into(tree: ast.Module, module: str, name: str, alias: str) -> None:
    """Have a module import `name` of `module` as `alias` before all that it does itself."""
    place = 0
    for statement in tree.body:
        docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not docstring and not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            break
        place += 1
    imported = ast.ImportFrom(module, [ast.alias(name, alias)], 0)
    tree.body.insert(place, ast.copy_location(imported, tree.body[0]) if tree.body else imported)
    ast.fix_missing_locations(tree)
