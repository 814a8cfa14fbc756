"""Files fit on a few screens, functions on one, and conventions that matter are kept."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "server" / "certo"
FILES = sorted(path for path in PACKAGE.rglob("*.py") if "example" not in path.parts)
BANNED_WORDS = re.compile(r"(?:^|_)(?:util|utils|helper|helpers|common|misc|manager|managers)(?:_|$)")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def _texts() -> dict[str, str]:
    """The text of every module, by its path in the package.

    All modules are looked at by each test: one test for each module and rule would be thousands, which take longer to
    be announced and reported than to run.
    """
    return {path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8") for path in FILES}


@cache
def _trees() -> dict[str, ast.Module]:
    return {name: ast.parse(text) for name, text in _texts().items()}


def _functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every function, with the module it stands in."""
    for name, tree in _trees().items():
        for node in ast.walk(tree):
            if isinstance(node, FUNCTIONS):
                yield name, node


def test_there_is_something_to_check():
    assert len(FILES) > 50


def test_a_file_has_at_most_400_lines():
    long = {name: lines for name, text in _texts().items() if (lines := len(text.splitlines())) > 400}
    assert long == {}


def test_a_function_has_at_most_60_lines():
    long = {
        f"{name}: {node.name}": lines
        for name, node in _functions()
        if (lines := node.end_lineno - node.lineno + 1) > 60
    }
    assert long == {}


def test_modules_open_with_a_one_line_docstring():
    opening = {name: (ast.get_docstring(tree) or "").partition("\n")[0] for name, tree in _trees().items()}
    assert {name: line for name, line in opening.items() if not line.endswith((".", ":", "`."))} == {}


def test_our_code_is_imported_at_the_top():
    hidden = [
        f"{name}: {ast.unparse(node)}"
        for name, function in _functions()
        for node in ast.walk(function)
        if (isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "certo")
        or (isinstance(node, ast.Import) and any(alias.name.partition(".")[0] == "certo" for alias in node.names))
    ]
    assert hidden == []


def test_no_broad_except_is_swallowed():
    swallowed = [
        f"{name}:{node.lineno}"
        for name, tree in _trees().items()
        # Programs among foreign code: whatever that raises is a result there.
        if not name.startswith("guests/")
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or ast.unparse(node.type) in {"Exception", "BaseException"})
        and all(isinstance(statement, ast.Pass | ast.Continue) for statement in node.body)
    ]
    assert swallowed == []


def test_every_silenced_check_has_a_reason():
    bare = [
        f"{name}: {line}"
        for name, text in _texts().items()
        for line in text.splitlines()
        if re.search(r"#\s*(?:noqa|type:\s*ignore)", line)
        and not re.search(r"#\s*(?:noqa: [A-Z0-9, ]+|type: ignore\[[a-z, -]+\])\s*(?:-|#|–)\s*\S", line)
    ]
    assert bare == []


def test_names_have_no_catch_all_words():
    names = [(name, Path(name).stem) for name in _texts()]
    names += [
        (name, node.name)
        for name, tree in _trees().items()
        for node in ast.walk(tree)
        if isinstance(node, (*FUNCTIONS, ast.ClassDef))
    ]
    snake = [(place, re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()) for place, name in names]
    assert [each for each in snake if BANNED_WORDS.search(each[1])] == []
