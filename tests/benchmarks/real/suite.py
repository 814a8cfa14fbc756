"""Runs of a project's tests by pytest itself: outcomes, which of them reach a function, and seconds."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from real.cases import Case, Fix, Unusable

from certo.edits.target import ByName, find_target

SUITE_SECONDS = 300.0
"""Time limit of a whole suite; if it is over, only the tests that the fix touches are looked at."""

USAGE_ERROR = 4


@dataclass(frozen=True)
class Run:
    """One run of tests: outcome by id, the ids that reached the function, what its calls did, and wall seconds."""

    outcomes: dict[str, str]
    reached: tuple[str, ...]
    calls: dict[str, Any]
    varied: list[Any]
    seconds: float

    @property
    def passed(self) -> set[str]:
        """The tests that passed."""
        return {test for test, outcome in self.outcomes.items() if outcome == "passed"}


class Suite:
    """The tests of one case; the file of the function is written for each run, and keeps the fixed text after it."""

    def __init__(self, case: Case, python: Path) -> None:
        self.case = case
        self.python = python
        self.whole = True
        self.options: tuple[str, ...] = ()

    def run(self, text: str, only: tuple[str, ...] | None = None, seconds: float = SUITE_SECONDS) -> Run | None:
        """Run all tests, or `only` these, with a text of the function's file; None if they took too long."""
        self.case.path.write_text(text, encoding="utf-8")
        try:
            return self._run(only, seconds)
        finally:
            self.case.path.write_text(self.case.fixed, encoding="utf-8")

    def _run(self, only: tuple[str, ...] | None, seconds: float) -> Run | None:
        with tempfile.TemporaryDirectory() as directory:
            out, chosen = Path(directory, "out.json"), Path(directory, "only.json")
            names = self._paths(only)
            here = str(Path(__file__).parent)
            environment = {**os.environ, "PYTHONPATH": here, "OBSERVER_OUT": str(out), "PYTHONHASHSEED": "0"}
            environment["PYTHONDONTWRITEBYTECODE"] = "1"  # it is told from an older one by its second and size only
            if only is not None:
                chosen.write_text(json.dumps(only), encoding="utf-8")
                environment["OBSERVER_ONLY"] = str(chosen)
            command = [str(self.python), "-m", "pytest", "-q", "-p", "pytest_observer", "-p", "no:cacheprovider"]
            command.append("--continue-on-collection-errors")
            began = time.perf_counter()
            code = in_time([*command, *self.options, *names], self.case.clone, environment, seconds)
            took = time.perf_counter() - began
            if code == USAGE_ERROR and not self.options:
                self.options = ("-o", "addopts=")
                return self._run(only, seconds)
            if code is None or not out.is_file():
                return None
            told = json.loads(out.read_text(encoding="utf-8"))
        return Run(told["outcomes"], tuple(told["reached"]), told["calls"], told["varied"], took)

    def _paths(self, only: tuple[str, ...] | None) -> list[str]:
        """Return the files to collect: those of the tests, those that the fix touches, or what pytest takes itself."""
        if only is not None:
            return sorted({test.partition("::")[0] for test in only})
        if self.whole:
            odd = self.case.clone / "test.py"
            return ["test.py"] if odd.is_file() and not (self.case.clone / "tests").exists() else []
        return [name for name in self.case.fix.tests if Path(name).name.startswith("test") or "_test" in name]

    def learn(self) -> Run:
        """Run the whole suite on the fixed text and return it; only the fix's tests if it takes too long.

        Raises:
            Unusable: No test ran.
        """
        marked = marked_source(self.case)
        found = self.run(marked)
        if found is None:
            self.whole = False
            found = self.run(marked)
        if found is None or not found.passed:
            raise Unusable("no test of the project passes here")
        return found

    def facts(self) -> dict[str, Any]:
        """Return what the runs of the tests say, as plain data.

        Raises:
            Unusable: No test notices the bug.
        """
        fixed = self.learn()
        reaching = tuple(test for test in fixed.reached if test in fixed.passed)
        if not reaching:
            raise Unusable("no passing test reaches the function")
        broken = self.run(self.case.broken, reaching)
        failing = tuple(test for test in reaching if broken is not None and broken.outcomes.get(test) == "failed")
        if not failing:
            raise Unusable("no test that reaches the function fails with the bug")
        again = self.run(self.case.fixed, reaching)
        if again is None or not set(failing) <= again.passed:
            raise Unusable("the tests that notice the bug do not pass when they run without the others")
        tests = {"outcomes": fixed.outcomes, "reaching": reaching, "failing": failing}
        return {**tests, "whole": self.whole, "options": self.options, "calls": fixed.calls, "varied": fixed.varied}


def in_time(command: list[str], at: Path, environment: dict[str, str], seconds: float) -> int | None:
    """Return the exit code of a command that prints nothing here; None if it was stopped with all its processes."""
    with subprocess.Popen(
        command, cwd=at, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as running:
        try:
            return running.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            return None


def marked_source(case: Case) -> str:
    """Return the fixed text with a first statement in the function that tells the plug-in that it ran."""
    node = function_node(case.fixed, case.fix)
    first = node.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(node.body) > 1:
        first = node.body[1]
    lines = case.fixed.splitlines(keepends=True)
    at = min([first.lineno, *(each.lineno for each in getattr(first, "decorator_list", []))]) - 1
    marker = "__import__('builtins').certo_reached()"
    if lines[at][: first.col_offset].strip():  # a body on the line of the colon
        lines[at] = lines[at][: first.col_offset] + marker + "; " + lines[at][first.col_offset :]
    else:
        lines.insert(at, " " * first.col_offset + marker + "\n")
    return "".join(lines)


def recorded_text(case: Case, source: str) -> str:
    """Return the fixed text with another source of the function, decorated so that the plug-in records its calls."""
    text = case.with_source(source)
    node = function_node(text, case.fix)
    lines = text.splitlines(keepends=True)
    at = node.lineno - 1
    lines.insert(at, " " * node.col_offset + "@__import__('builtins').certo_recorded\n")
    return "".join(lines)


def function_node(text: str, fix: Fix) -> ast.FunctionDef | ast.AsyncFunctionDef:
    """Return the node of the fix's function in a text of its file.

    Raises:
        Unusable: The function is written in a way that the benchmark cannot mark.
    """
    first = find_target(text, ByName(fix.function), path=fix.file).line
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if first in (node.lineno, *(each.lineno for each in node.decorator_list)):
            return node
    raise Unusable("the function is not found in its file")
