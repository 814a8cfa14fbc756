"""Those who change a text's syntax tree change one of their own: equal texts share the one that is parsed."""

from __future__ import annotations

import ast
from pathlib import Path

from certo.analysis.assertion_removal import without_assertions
from certo.edits.source import parse, parse_fresh
from certo.edits.target import functions
from certo.verification.static.reverted_changes import revert_changes
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.problem import Goal, Problem

BASE = "def total(prices):\n    ...\n"
DONE = "def total(prices):\n    return sum(prices)\n"


def test_reverting_changes_leaves_the_shared_tree() -> None:
    before = ast.dump(parse(DONE))
    problem = Problem(root=Path(), path="shop.py", text=BASE, target=functions(BASE)[0], goal=Goal.IMPLEMENT)
    left = revert_changes(problem, Candidate(id="done", edits=(), text=DONE, origin=Origin(generator="planned")))
    assert left is not None
    assert left.lines == (2,)
    assert ast.dump(parse(DONE)) == before


def test_tests_without_assertions_keep_them_for_others() -> None:
    tests = "def test_it():\n    assert total([1]) == 1\n"
    before = ast.dump(parse(tests))
    assert "assert" not in without_assertions(tests)
    assert ast.dump(parse(tests)) == before


def test_a_fresh_tree_is_shared_with_nobody() -> None:
    fresh = parse_fresh(DONE)
    assert fresh is not parse_fresh(DONE)
    fresh.body.clear()
    assert parse(DONE).body
