"""Hypothesis tries the same examples in every run, and is not imported for tests that make no use of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from certo.guests import WORKER_HOME

RUN = """\
import sys
sys.path.insert(0, {home!r})
from certo_worker.suite.pytest_run import run_pytest
status = run_pytest({root!r}, [{file!r}], object())
print(status, "hypothesis.core" in sys.modules)
"""

PLAIN = "def test_it():\n    assert True\n"

AT_MODULE_LEVEL = """\
import os
from hypothesis import given, strategies as some

@given(some.integers(), some.text())
def test_it(n, text):
    with open(os.environ["SEEN"], "a") as seen:
        seen.write(repr((n, text)) + "\\n")
"""

WITHIN_A_TEST = """\
import os

def test_it():
    from hypothesis import given, strategies as some

    @given(some.integers(), some.text())
    def tried(n, text):
        with open(os.environ["SEEN"], "a") as seen:
            seen.write(repr((n, text)) + "\\n")

    tried()
"""


def ran(root: Path, text: str, *, record: Path) -> str:
    """Return pytest's status for a test file in its own process, and if Hypothesis was imported.

    Where to record comes by the environment: on a CI server Hypothesis derives its examples from the test's own text.
    """
    file = root / "test_it.py"
    file.write_text(text)
    script = RUN.format(home=str(WORKER_HOME), root=str(root), file=str(file))
    # Another plug-in, which is here for our own tests, has it imported wherever it is.
    environ = {**os.environ, "PYTEST_ADDOPTS": "-p no:asyncio", "SEEN": str(record)}
    command = [sys.executable, "-B", "-c", script]
    done = subprocess.run(command, cwd=root, env=environ, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1]


def test_hypothesis_is_imported_only_if_used(tmp_path: Path) -> None:
    assert ran(tmp_path, PLAIN, record=tmp_path / "seen") == "0 False"


def test_examples_are_the_same_each_run(tmp_path: Path) -> None:
    for number, text in enumerate((AT_MODULE_LEVEL, WITHIN_A_TEST)):
        seen = []
        for again in range(2):
            record = tmp_path / f"seen_{number}_{again}"
            assert ran(tmp_path, text, record=record) == "0 True"
            seen.append(record.read_text())
        assert seen[0] == seen[1]
        assert len(set(seen[0].splitlines())) > 20
