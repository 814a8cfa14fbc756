"""The part of the pytest plug-in that works: it asks the command `certo generate` about each failing test."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

from certo.cli.exit_codes import BAD_REQUEST, NONE, SOLVED
from certo.vocabulary.display import as_diff, one_line
from certo.vocabulary.records import dataclass
from certo.vocabulary.truth import NoTruthValue

GRACE = 30.0
"""Additional seconds for a search to end by itself, as when a test hangs."""

MIN_SECONDS = 5.0
"""Seconds that a search needs at least to find anything."""


@dataclass(frozen=True, slots=True)
class _SearchAnswer(NoTruthValue):
    """The result for one test: the diff of a verified repair, or the reason why there is none; `ends` all searches."""

    diff: str = ""
    reason: str = ""
    ends: bool = False


class FailingTests:
    """Plug-in that notes the failing tests of a run, and shows their repairs in its summary; no file is changed."""

    def __init__(self, config: Any) -> None:
        self._root = config.rootpath
        self._seconds = float(config.getoption("certo_seconds"))
        self._failed: dict[str, None] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note a failing test; under xdist, the reports of all workers come here."""
        if report.failed and report.when == "call":
            # One repair is looked for, whatever the parameters.
            self._failed[report.nodeid.partition("[")[0]] = None

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Look for repairs, and show them."""
        if not self._failed:
            return
        say = terminalreporter
        say.section("certo: verified repairs, not applied")
        ends, shown = time.monotonic() + self._seconds, dict[str, str]()
        waiting = list(self._failed)
        while waiting:
            left = ends - time.monotonic()
            if left < MIN_SECONDS:
                say.line(f"{len(waiting)} more failing, but the {self._seconds:g} s of --certo-seconds are over")
                return
            test = waiting.pop(0)
            answer = self._ask(test, max(MIN_SECONDS, left / (len(waiting) + 1)))
            if answer.diff in shown and answer.diff:
                say.line(f"{one_line(test)}: the repair for {one_line(shown[answer.diff])}")
            elif answer.diff:
                shown[answer.diff] = test
                say.line(f"{one_line(test)}: this change makes it pass; certo generate '{one_line(test)}' --apply")
                say.line("")
                say.line(as_diff(answer.diff.rstrip("\n")))
                say.line("")
            else:
                say.line(f"{one_line(test)}: {one_line(answer.reason)}")
            if answer.ends:
                return

    def _ask(self, test: str, seconds: float) -> _SearchAnswer:
        """Search for a repair of the function that a failing test is due to."""
        command = [sys.executable, "-m", "certo", "generate", test, "--json", "--timeout", f"{seconds:.1f}"]
        process = subprocess.Popen(
            [*command, "--interpreter", sys.executable],
            cwd=self._root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        try:
            printed, complaint = process.communicate(timeout=seconds + GRACE)
        except subprocess.TimeoutExpired:
            return _SearchAnswer(reason=f"no repair within {seconds:.0f} s")
        finally:
            # Also when the user interrupts pytest: the command ends its own processes then.
            process.terminate()
            process.wait()
        if process.returncode in (SOLVED, NONE):
            return _found(printed.decode("utf-8", "replace"))
        said = complaint.decode("utf-8", "replace").strip().splitlines()
        reason = said[-1].removeprefix("certo: ") if said else f"certo ended with status {process.returncode}"
        # Another test may be a target, but nothing else changes where certo cannot run.
        return _SearchAnswer(reason=f"certo cannot search: {reason}", ends=process.returncode != BAD_REQUEST)


def _found(printed: str) -> _SearchAnswer:
    """Return what the last event says."""
    lines = printed.strip().splitlines()
    last = json.loads(lines[-1]) if lines else {}
    winner = last.get("winner")
    if winner and winner["evidence"]["verified"]:
        return _SearchAnswer(diff=winner["diff"])
    said = last.get("reason") or last.get("outcome") or "the search told nothing"
    return _SearchAnswer(reason=f"no verified repair was found ({said})")
