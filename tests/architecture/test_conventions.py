"""Names and words follow the conventions of CONTRIBUTING.md."""

from __future__ import annotations

import ast
import collections
import functools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "server" / "certo"
GUESTS = PACKAGE / "guests"
FILES = sorted(path for path in PACKAGE.rglob("*.py") if "example" not in path.parts)
TESTS = sorted((ROOT / "tests").rglob("*.py"))

MAX_FILES_IN_A_FOLDER = 25
MAX_TEST_WORDS = 7

NOUNS_IN_ING = frozenset(
    ("constant_folding", "formatting", "framing", "grouping", "listing", "ranking", "sampling", "scoring", "tracing")
)
"""Words in -ing that are nouns of the field."""

QUESTION = re.compile(r"(?:What|Whether|Which|Who|Whoever|Where|How)\b")
TWICE = {
    "Example": "public in certo; the vocabulary has the user's example under the same name",
    "Sample": "a sample of a call is named so in AgentTools, a sample of a criterion in A1",
    "Strategy": "the contract of plug-ins, and its counterpart in Python's API, which A1 names",
    "Span": "a span of text, and a span of a trace, which the field calls so",
    "Standing": "the standing of a candidate, and the one that is printed of a function as it is",
}
"""Class names that stand in two rooms, each with the reason."""


@functools.cache
def trees() -> dict[str, ast.Module]:
    """Return the modules by path: parsed in the tests that read them, not in each process that collects tests."""
    return {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in FILES}


def test_no_folder_holds_too_many_files():
    counts = collections.Counter(path.parent.relative_to(PACKAGE).as_posix() for path in FILES)
    assert {name: count for name, count in counts.items() if count > MAX_FILES_IN_A_FOLDER} == {}


def test_modules_are_named_as_nouns():
    assert {path.stem for path in FILES if path.stem.endswith("ing")} - NOUNS_IN_ING == set()


def test_limits_are_named_max_or_min():
    old = re.compile(
        r"_?(?:MOST|LEAST|LONGEST|SHORTEST|LARGEST|DEEPEST|WIDEST|NARROWEST|FEWEST|HIGHEST|SOONEST)(?:_|$)"
    )
    names = {
        f"{name}: {node.id}"
        for name, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and old.match(node.id)
    }
    assert names == set()


def test_a_class_name_means_one_thing():
    """Wire models mirror values of the vocabulary, and a guest's classes are its own."""
    places = collections.defaultdict(set)
    for name, tree in trees().items():
        if name.startswith(("guests/", "protocol/")):
            continue
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(name)
    assert {name: files for name, files in places.items() if len(files) > 1 and name not in TWICE} == {}


def test_docstrings_are_statements():
    """A docstring says "Return …", "True if …" or is a noun phrase; it does not open with a question word."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    questions = [
        f"{name}: {text.splitlines()[0]}"
        for name, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, kinds) and (text := ast.get_docstring(node)) and QUESTION.match(text)
    ]
    assert questions == []


def test_test_names_are_short():
    names = [
        f"{path.relative_to(ROOT).as_posix()}: {node.name}"
        for path in TESTS
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
        if len(node.name.split("_")) - 1 > MAX_TEST_WORDS
    ]
    assert names == []


@pytest.mark.parametrize("guest", ["worker", "builtin", "calls"])
def test_guests_are_found_only_by_own_names(guest: str):
    assert not (GUESTS / guest / "__init__.py").exists()
