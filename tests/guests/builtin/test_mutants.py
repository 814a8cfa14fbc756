"""Mutants: small, valid, different from each other and from the original, and none where nobody wants one."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certo_builtin.execution.runner import FAILED, PASSED
from certo_builtin.source import applied
from certo_builtin.strength.mutants import Mutant, mutants
from support.search.repair_context import alive

EXAMPLES = settings().max_examples
"""How many examples a run tries; the mutants of each are made in a process or run, so that here they are fewer."""

ARID = """\
import logging
import warnings
from typing import TYPE_CHECKING
logger = logging.getLogger(__name__)

def target(n):
    \"\"\"Doc 1.\"\"\"
    if TYPE_CHECKING:
        import sys
    logger.debug("n is %s", n + 1)
    warnings.warn("n %d" % (n + 1))
    if n < 0:
        raise ValueError("negative: " + str(n + 1))
    assert n != 5, "five" + str(n)
    n = n + 3  # pragma: no mutate
    return n * 2
"""


def made(source: str, tests: Sequence[str], *, seed: int = 0, first: Sequence[int] = ()) -> list[Mutant]:
    """Return the mutants of the function `target`."""
    with TemporaryDirectory() as place, alive(Path(place), source, tests) as patient:
        return mutants(patient.context, patient.runner.hot_swap, patient.question.end, seed, first)


def test_lines_for_people_have_none() -> None:
    lines = {mutant.line for mutant in made(ARID, ["target(1)"])}
    assert lines == {12, 13, 14, 16}
    texts = [applied(ARID, mutant.edits) for mutant in made(ARID, ["target(1)"]) if mutant.line == 13]
    assert all('"negative: " + str(n + 1)' in text or "raise" not in text for text in texts)


def test_each_line_has_its_turn() -> None:
    source = "def target(a, b):\n    c = a + b\n    d = c * 2\n    return d - 1\n"
    found = made(source, ["assert target(1, 2) == 5"])
    assert [mutant.line for mutant in found[:6]] == [2, 3, 4, 2, 3, 4]
    changed = made(source, ["assert target(1, 2) == 5"], first=[4])
    assert [mutant.line for mutant in changed[:3]] == [4, 2, 3]
    assert {mutant.edits for mutant in changed} == {mutant.edits for mutant in found}


@pytest.mark.usual_cases("0")
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_seed_decides(seed: int) -> None:
    source = "def target(a):\n    return a + 5\n"
    assert made(source, ["target(1)"], seed=seed) == made(source, ["target(1)"], seed=seed)


expressions = st.recursive(
    st.sampled_from(["a", "b", "1", "2", "7"]),
    lambda inner: st.tuples(inner, st.sampled_from(["+", "-", "*", "<", "==", "and", "or"]), inner).map(
        lambda parts: "({} {} {})".format(*parts)
    ),
    max_leaves=6,
)


@settings(max_examples=EXAMPLES // 3)
@given(expressions, expressions)
def test_mutants_are_valid_and_distinct(condition: str, result: str) -> None:
    """Each is valid Python, leaves the rest of the file alone, and has other code than the original and the others."""
    source = f"def target(a, b):\n    if {condition}:\n        a = a + 1\n    return {result}\n\nOTHER = 1\n"
    found = made(source, ["target(1, 2)"])
    texts = [applied(source, mutant.edits) for mutant in found]
    trees = [ast.dump(ast.parse(text)) for text in texts]
    assert len(set(trees)) == len(trees)
    assert ast.dump(ast.parse(source)) not in trees
    assert all(text.startswith("def target(a, b):\n") and text.endswith("\n\nOTHER = 1\n") for text in texts)


@settings(max_examples=EXAMPLES // 6)
@given(expressions)
def test_noticed_mutants_fail_when_run(result: str) -> None:
    """The runner's verdict on a mutant is that of running the changed text."""
    source = f"def target(a, b):\n    return {result}\n"
    names: dict[str, object] = {}
    exec(source, names)
    test = f"assert repr(target(3, 4)) == {eval('repr(target(3, 4))', names)!r}"
    with TemporaryDirectory() as place, alive(Path(place), source, [test]) as patient:
        found = mutants(patient.context, patient.runner.hot_swap, patient.question.end, 0, ())
        judged = dict(patient.runner.judge([mutant.edits for mutant in found], 8000))
    for number, mutant in enumerate(found):
        assert judged[number].ending in (PASSED, FAILED)
        assert (judged[number].ending == PASSED) == passes(applied(source, mutant.edits), test)


def passes(source: str, test: str) -> bool:
    """True if a test passes on a text."""
    names: dict[str, object] = {}
    exec(source, names)
    try:
        exec(test, names)
    except Exception:  # noqa: BLE001 - a mutant may raise anything
        return False
    return True
