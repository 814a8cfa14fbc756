"""Names, words and sizes follow the conventions of CONTRIBUTING.md."""

from __future__ import annotations

import ast
import collections
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.garbage import no_collection

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "server" / "certo"
GUESTS = PACKAGE / "guests"
FILES = sorted(path for path in PACKAGE.rglob("*.py") if "example" not in path.parts)
TESTS = sorted((ROOT / "tests").rglob("*.py"))

MAX_FILES_IN_A_FOLDER = 25
MAX_TEST_WORDS = 7
MAX_MESSAGE = 160
COPIED_COMMANDS = ("sessions/assembly/remedies.py",)
"""Modules whose long texts are commands that the user copies."""

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


BANNED_WORDS = re.compile(r"(?:^|_)(?:util|utils|helper|helpers|common|misc|manager|managers)(?:_|$)")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
OUR_IMPORT = re.compile(r"[ \t:;](?:from|import)\b.*\bcerto\b")


@functools.cache
def texts() -> dict[str, str]:
    """Return the text of every module, by its path in the package.

    All modules are looked at by each test: one test for each module and rule would be thousands, which take longer to
    be announced and reported than to run.
    """
    return {path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8") for path in FILES}


@functools.cache
def trees() -> dict[str, ast.Module]:
    """Return the modules by path: parsed once, in the tests that read them, not in each process that collects tests."""
    with no_collection():
        return {name: ast.parse(text) for name, text in texts().items()}


@functools.cache
def nodes() -> dict[str, list[ast.AST]]:
    """Return all nodes of each module, by path: walking through them takes as long as parsing."""
    with no_collection():
        return {name: list(ast.walk(tree)) for name, tree in trees().items()}


def test_there_is_something_to_check():
    assert len(FILES) > 50


def test_no_folder_holds_too_many_files():
    counts = collections.Counter(path.parent.relative_to(PACKAGE).as_posix() for path in FILES)
    assert {name: count for name, count in counts.items() if count > MAX_FILES_IN_A_FOLDER} == {}


def test_modules_are_named_as_nouns():
    assert {path.stem for path in FILES if path.stem.endswith("ing")} - NOUNS_IN_ING == set()


def test_messages_take_two_lines_at_most():
    """Texts for users say what happened and what to do; buttons and cards have the rest. Docstrings are no messages."""
    rooms = ("features/", "sessions/", "vocabulary/outcome.py")
    long = {
        f"{name}:{node.lineno}": len(said)
        for name, walked in nodes().items()
        if name.startswith(rooms) and name not in COPIED_COMMANDS
        for node, said in _spoken(walked)
        if len(said) > MAX_MESSAGE
    }
    assert long == {}


def _spoken(walked: list[ast.AST]) -> Iterator[tuple[ast.expr, str]]:
    """Yield each text among the nodes of a module that is no docstring; values in it count as few characters."""
    idle = {id(node.value) for node in walked if isinstance(node, ast.Expr)}
    for node in walked:
        if isinstance(node, ast.JoinedStr):
            yield (
                node,
                "".join(str(part.value) if isinstance(part, ast.Constant) else "{value}" for part in node.values),
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in idle:
            yield node, node.value


def test_limits_are_named_max_or_min():
    old = re.compile(
        r"_?(?:MOST|LEAST|LONGEST|SHORTEST|LARGEST|DEEPEST|WIDEST|NARROWEST|FEWEST|HIGHEST|SOONEST)(?:_|$)"
    )
    names = {
        f"{name}: {node.id}"
        for name, walked in nodes().items()
        for node in walked
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
        for name, walked in nodes().items()
        for node in walked
        if isinstance(node, kinds) and (text := ast.get_docstring(node)) and QUESTION.match(text)
    ]
    assert questions == []


def test_test_names_are_short():
    # Only what looks too long is parsed: it may be within a text.
    looks_long = re.compile(rf"def test(?:_[^\W_]*){{{MAX_TEST_WORDS + 1}}}")
    suspects = {path: text for path in TESTS if looks_long.search(text := path.read_text(encoding="utf-8"))}
    names = [
        f"{path.relative_to(ROOT).as_posix()}: {node.name}"
        for path, text in suspects.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, FUNCTIONS) and node.name.startswith("test_")
        if len(node.name.split("_")) - 1 > MAX_TEST_WORDS
    ]
    assert names == []


@pytest.mark.parametrize("guest", ["worker", "builtin", "calls"])
def test_guests_are_found_only_by_own_names(guest: str):
    assert not (GUESTS / guest / "__init__.py").exists()


def _functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every function, with the module it stands in."""
    for name, walked in nodes().items():
        for node in walked:
            if isinstance(node, FUNCTIONS):
                yield name, node


def test_a_file_has_at_most_400_lines():
    long = {name: lines for name, text in texts().items() if (lines := len(text.splitlines())) > 400}
    assert long == {}


def test_a_function_has_at_most_60_lines():
    long = {
        f"{name}: {node.name}": lines
        for name, node in _functions()
        if (lines := node.end_lineno - node.lineno + 1) > 60
    }
    assert long == {}


def test_modules_open_with_a_one_line_docstring():
    opening = {name: (ast.get_docstring(tree) or "").partition("\n")[0] for name, tree in trees().items()}
    assert {name: line for name, line in opening.items() if not line.endswith((".", ":", "`."))} == {}


def test_our_code_is_imported_at_the_top():
    hidden = [
        f"{name}: {ast.unparse(node)}"
        for name, function in _functions()
        # Only where an indented line may be such an import.
        if OUR_IMPORT.search(texts()[name])
        for node in ast.walk(function)
        if (isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "certo")
        or (isinstance(node, ast.Import) and any(alias.name.partition(".")[0] == "certo" for alias in node.names))
    ]
    assert hidden == []


def test_dataclasses_are_those_made_quickly():
    slow = [
        name
        for name, tree in trees().items()
        # The example is copied, and the program it shows is a user's own.
        if not name.startswith(("guests/", "cli/example/")) and name != "vocabulary/records.py"
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "dataclasses"
        if any(alias.name == "dataclass" for alias in node.names)
    ]
    assert slow == [], "take it from certo.vocabulary.records"


def test_no_broad_except_is_swallowed():
    swallowed = [
        f"{name}:{node.lineno}"
        for name, walked in nodes().items()
        # Programs among foreign code: whatever that raises is a result there.
        if not name.startswith("guests/")
        for node in walked
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or ast.unparse(node.type) in {"Exception", "BaseException"})
        and all(isinstance(statement, ast.Pass | ast.Continue) for statement in node.body)
    ]
    assert swallowed == []


def test_every_silenced_check_has_a_reason():
    bare = [
        f"{name}: {line}"
        for name, text in texts().items()
        for line in text.splitlines()
        if re.search(r"#\s*(?:noqa|type:\s*ignore)", line)
        and not re.search(r"#\s*(?:noqa: [A-Z0-9, ]+|type: ignore\[[a-z, -]+\])\s*(?:-|#|–)\s*\S", line)
    ]
    assert bare == []


def test_names_have_no_catch_all_words():
    names = [(name, Path(name).stem) for name in texts()]
    names += [
        (name, node.name)
        for name, walked in nodes().items()
        for node in walked
        if isinstance(node, (*FUNCTIONS, ast.ClassDef))
    ]
    snake = [(place, re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()) for place, name in names]
    assert [each for each in snake if BANNED_WORDS.search(each[1])] == []
