"""Screening against whole sessions of pytest: each candidate has the same result in both.

Tests share objects, fill caches and depend on earlier ones here; candidates leave state behind for later ones.
"""

from __future__ import annotations

import json
import os
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from certo.generation.builtin.options import BuiltinOptions
from certo.guests import BUILTIN_HOME
from support.projects.bare_environment import bare_python
from support.search.builtin_searches import searched, stated, text_of

WORKER_HOME = BUILTIN_HOME.parent / "worker"

BUG = "return n + 3"

CANDIDATES = [
    "return n * 2",
    "return n + n",
    "return n * 3",
    "return LEFT.append(n) or n * 2",
    "return n * 2 + len(LEFT)",
    "return 2 * n if not LEFT else 0",
    "return LEFT.append(n) or 4",
    "raise ValueError(n)",
    "return n + n + 0",
    "return float(n * 2)",
]
"""Bodies of the function: right ones, wrong ones, and some that read or leave state behind."""

MODULE = """\
LEFT = []
KNOWN = {}
def double(n):
    BUG

def kept(n):
    if n not in KNOWN:
        KNOWN[n] = double(n)
    return KNOWN[n]
"""

STYLES = {
    "plain": """
        def test_two():
            assert double(2) == 4
        def test_three():
            assert double(3) == 6
        def test_nothing():
            pass
        def test_nothing_is_left():
            assert MODULE.LEFT == []
    """,
    "cached": """
        def test_kept():
            assert kept(4) == 8
        def test_kept_again():
            assert kept(4) == 8
            assert len(MODULE.KNOWN) == 1
    """,
    "failing one depends on one that never calls": """
        READY = []
        def test_first():
            READY.append(1)
        def test_second():
            assert READY
            assert double(2) == 4
    """,
    "passing one depends on one that never calls": """
        READY = []
        def test_first():
            READY.append(1)
        def test_second():
            assert READY
            assert double(3) == 6
        def test_third():
            assert double(2) == 4
    """,
    "passing one that refutes depends on another": """
        BOX = {}
        def test_two():
            assert double(2) == 4
        def test_box():
            BOX["three"] = double(3)
        def test_boxed():
            assert BOX["three"] == 6
        def test_whole():
            assert isinstance(double(3), int)
    """,
    "shared fixture": """
        @pytest.fixture(scope="module")
        def shared():
            return {"two": 2}
        def test_two(shared):
            assert double(shared["two"]) == 4
        def test_three(shared):
            assert double(shared["two"] + 1) == 6
    """,
    "messages of assertions": """
        def test_message():
            with pytest.raises(AssertionError, match="double|assert 4 == 5"):
                assert double(2) == 5
        def test_two():
            assert double(2) == 4
    """,
}
"""Tests of one function, which have different things in common."""

UNMOVED = {"plain", "passing one that refutes depends on another"}
"""Styles in which a test that never calls the function examines what others left: only a whole session runs it."""

GUEST = """
import json, sys
from certo_builtin.execution.allowance import Allowance
from certo_builtin.execution.checks import with_pytest
from certo_builtin.execution.fuel import Meter
from certo_builtin.execution.hot_swap import HotSwap
from certo_builtin.execution.runner import CandidateRunner
from certo_builtin.progress import Reporter, StoppingRule
from certo_builtin.question import read
from certo_builtin.repair.fault_localization import traced
from certo_builtin.repair.repair import Repair
from certo_builtin.source import Source

request = json.load(sys.stdin)
question = read(request["question"])
told = []

def search(checks):
    for candidates in (request["candidates"], request["candidates"][::-1]):
        source = Source(question.text)
        target = source.function_at(question.line, question.name)
        allowance = Allowance(question.seconds)
        runner = CandidateRunner(HotSwap(source, question.path, target), checks, Meter(), allowance)
        reporter = Reporter(lambda message: None, StoppingRule(10 ** 6, allowance))
        Repair(question, source, target, runner, reporter)._order(traced(runner))
        # Twice, since tests that refuted one come first for those after it.
        results = [judged.ending for _, judged in runner.judge([*candidates, *candidates], 20000)]
        told.append(results[len(candidates):])
        assert results[:len(candidates)] == told[-1]

assert with_pytest(question, search)
with open(sys.argv[1], "w") as out:
    json.dump(told, out)
"""


def environment(root: Path) -> dict[str, str]:
    homes = os.pathsep.join(map(str, (root, WORKER_HOME, BUILTIN_HOME)))
    return {**os.environ, "PYTHONPATH": homes, "PYTHONDONTWRITEBYTECODE": "1"}


def written(root: Path, body: str) -> dict[str, str]:
    """Write a module and its tests for each style, with one body of the function; return the styles by file."""
    root.mkdir()
    (root / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    styles = {}
    for number, (style, tests) in enumerate(STYLES.items()):
        (root / f"mod{number}.py").write_text(MODULE.replace("BUG", body), encoding="utf-8")
        head = f"import pytest\nimport mod{number} as MODULE\nfrom mod{number} import double, kept\n"
        lines = [line[8:] for line in tests.splitlines()]
        (root / f"test_mod{number}.py").write_text("\n".join([head, *lines]), encoding="utf-8")
        styles[f"test_mod{number}"] = style
    return styles


def session(root: Path) -> dict[str, dict[str, bool]]:
    """Run pytest as a user does; by file, its tests and if they passed."""
    report = root / "report.xml"
    command = [bare_python(), "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", "."]
    quick = {**environment(root), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    subprocess.run(command, cwd=root, capture_output=True, check=False, env=quick)
    found: dict[str, dict[str, bool]] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        passed = not case.findall("failure") + case.findall("error")
        found.setdefault(case.attrib["classname"], {})[case.attrib["name"]] = passed
    return found


def screened(root: Path, file: str, results: dict[str, bool]) -> list[list[str]]:
    """Screen the candidates by the tests of a file, in both orders; return the endings of each."""
    module = file.replace("test_", "") + ".py"
    text = (root / module).read_text(encoding="utf-8")
    start = text.index(BUG)
    ids = {f"{file}.py::{name}": passed for name, passed in results.items()}
    question: dict[str, Any] = {
        "root": str(root), "path": module, "text": text, "qualname": "double", "start": 0, "end": len(text),
        "line": 3,
        "is_hole": False, "docstring": "", "instruction": "", "selected": None,
        "failing": [name for name, passed in ids.items() if not passed],
        "passing": [name for name, passed in ids.items() if passed],
        "examples": [], "seconds": 600.0, "steps": 0, "candidates": 1, "seed": 0, "plausible": 1, "unwanted": [],
    }  # fmt: skip
    request = {"question": question, "candidates": [[[start, start + len(BUG), body]] for body in CANDIDATES]}
    out = root / "told.json"
    done = subprocess.run(
        [bare_python(), "-c", GUEST, str(out)],
        input=json.dumps(request),
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        env=environment(root),
    )
    assert done.returncode == 0, done.stderr
    told: list[list[str]] = json.loads(out.read_text(encoding="utf-8"))
    return told


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, dict[str, bool]]]:
    """Results of pytest for each candidate, by file and test."""
    found = []
    for number, body in enumerate(CANDIDATES):
        root = tmp_path_factory.mktemp("fresh") / str(number)
        written(root, body)
        found.append(session(root))
    return found


async def test_order_hidden_by_the_bug_loses_nothing(tmp_path: Path) -> None:
    """The failing test depends on the one before it, which shows only in the right code."""
    source = "KNOWN = {}\ndef triple(n):\n    return n * 4\ndef kept(n):\n    return KNOWN.setdefault(n, triple(n))\n"
    tests = """
    import mod
    def test_nothing():
        assert mod.kept(0) == 0
    def test_four():
        assert mod.kept(4) == 12
        assert sorted(mod.KNOWN) == [0, 4]
    """
    problem = stated(tmp_path, source, "triple", tests=tests, failing=["test_four"], passing=["test_nothing"])
    found, ended = await searched(problem, BuiltinOptions(seconds=60.0, plausible=1))
    assert [text_of(problem, one) for one in found] == [source.replace("n * 4", "n * 3")], ended.reason


@pytest.mark.usual_cases("cached")
@pytest.mark.parametrize("style", STYLES)
def test_screening_judges_as_sessions_do(
    tmp_path: Path, sessions: list[dict[str, dict[str, bool]]], style: str
) -> None:
    root = tmp_path / "project"
    file = next(file for file, one in written(root, BUG).items() if one == style)
    before = session(root)[file]
    assert not all(before.values())
    fresh = [all(results[file].values()) for results in sessions]
    assert any(fresh)
    forwards, backwards = screened(root, file, before)
    accepted = [one == "passed" for one in forwards]
    assert [one for one, passed in enumerate(fresh) if passed and not accepted[one]] == []
    assert accepted == fresh or style in UNMOVED
    assert backwards == forwards[::-1]
