"""Code that changes a syntax tree parses its own: `certo.edits.source.parse` gives equal texts the same tree."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from support.garbage import no_collection

SERVER = Path(__file__).parents[2] / "server" / "certo"

SHARING = frozenset({"parse", "parse_source", "definition_of", "definitions", "functions"})
"""The names by which a tree, or a node of one, that others read too is got from `certo.edits`."""

WRITERS = frozenset({"NodeTransformer", "fix_missing_locations", "copy_location", "increment_lineno", "setattr"})
BLOCKS = frozenset({"body", "orelse", "finalbody", "handlers", "decorator_list", "targets", "items", "names", "elts"})
"""The fields of nodes that no other class here has."""
ALTERING = frozenset({"append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"})


def written(tree: ast.Module) -> list[int]:
    """The lines that change a syntax tree, or look so."""
    return [node.lineno for node in ast.walk(tree) if isinstance(node, ast.expr) and _writes(node)]


def _writes(node: ast.expr) -> bool:
    """True if this is a writer of `ast`, a field that is set, or a method that alters a field."""
    sets = not isinstance(getattr(node, "ctx", None), ast.Load)
    match node:
        case ast.Name(id=name):
            return name in WRITERS
        case ast.Subscript(value=value):
            return sets and _is_block(value)
        case ast.Attribute(attr=name, value=value):
            return name in WRITERS or (name in ALTERING and _is_block(value)) or (sets and _is_block(node))
    return False


def _is_block(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in BLOCKS


def shared(tree: ast.Module) -> set[str]:
    """Return the names that a file imports to get shared trees, or the module itself."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names = {alias.name for node in imports if (node.module or "").startswith("certo.edits.") for alias in node.names}
    whole = {alias.name for node in imports if node.module == "certo.edits" for alias in node.names}
    return names & SHARING | whole & {"source", "target"}


def test_files_that_change_trees_parse_their_own() -> None:
    guests = (SERVER / "guests",)
    files = [path for path in SERVER.rglob("*.py") if not any(path.is_relative_to(guest) for guest in guests)]
    texts = {path.relative_to(SERVER): path.read_text(encoding="utf-8") for path in files}
    with no_collection():
        trees = {path: ast.parse(text) for path, text in texts.items() if "import ast" in text}
    parsing = {path: tree for path, tree in trees.items() if any(_is_ast(node) for node in ast.walk(tree))}
    writing = {path: lines for path, tree in parsing.items() if (lines := written(tree))}
    assert {path.name for path in writing} >= {"assertion_removal.py", "reverted_changes.py"}
    assert {path: lines for path, lines in writing.items() if shared(trees[path])} == {}


def _is_ast(node: ast.AST) -> bool:
    return isinstance(node, ast.Import) and any(alias.name == "ast" for alias in node.names)


@pytest.mark.parametrize(
    "line",
    [
        "class A(ast.NodeTransformer): ...",
        "ast.fix_missing_locations(tree)",
        "tree.body = []",
        "tree.body.clear()",
        "del tree.body[0]",
        "tree.body[0] = other",
        "tree.body += more",
        "setattr(node, name, value)",
    ],
)
def test_every_way_to_change_a_tree_counts(line: str) -> None:
    assert written(ast.parse(line)) == [1]
    assert shared(ast.parse("from certo.edits.source import parse")) == {"parse"}
