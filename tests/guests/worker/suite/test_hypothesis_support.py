"""Hypothesis tries the same examples in every run, and is not imported for tests that make no use of it."""

from __future__ import annotations

import os
import subprocess
from ast import literal_eval
from pathlib import Path

from certo.guests import WORKER_HOME
from support.projects.bare_environment import HYPOTHESIS, bare_python

RUN = """\
import sys
sys.path.insert(0, {home!r})
from certo_worker.suite.hypothesis_support import stop_at_first_failure
from certo_worker.suite.pytest_run import run_pytest
if {brief!r}:
    stop_at_first_failure()
status = run_pytest({root!r}, [{file!r}], object())
print(status, "hypothesis.core" in sys.modules)
"""

PLAIN = "def test_it():\n    assert True\n"

AT_MODULE_LEVEL = """\
import os
from hypothesis import given, strategies as some

@given(some.integers(), some.text("abcdef"))
def test_it(n, text):
    with open(os.environ["SEEN"], "a") as seen:
        seen.write(repr((n, text)) + "\\n")
"""

WITHIN_A_TEST = """\
import os

def test_it():
    from hypothesis import given, strategies as some

    @given(some.integers(), some.text("abcdef"))
    def tried(n, text):
        with open(os.environ["SEEN"], "a") as seen:
            seen.write(repr((n, text)) + "\\n")

    tried()
"""


def ran(root: Path, text: str, *, record: Path, brief: bool = False) -> str:
    """Return pytest's status for a test file in its own process, and if Hypothesis was imported.

    Where to record comes by the environment: on a CI server Hypothesis derives its examples from the test's own text.
    """
    file = root / "test_it.py"
    file.write_text(text)
    script = RUN.format(home=str(WORKER_HOME), root=str(root), file=str(file), brief=brief)
    environ = {**os.environ, "SEEN": str(record)}
    command = [bare_python(*HYPOTHESIS), "-B", "-c", script]
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


def test_failing_examples_need_not_be_shrunk(tmp_path: Path) -> None:
    """After the first failing example, Hypothesis calls the test only with this one again, to report it."""
    failing = AT_MODULE_LEVEL + "    assert len(text) < 2 and n < 50\n"
    counts = []
    for brief in (True, False):
        record = tmp_path / f"seen_{brief}"
        assert ran(tmp_path, failing, record=record, brief=brief) == "1 True"
        examples = [literal_eval(line) for line in record.read_text().splitlines()]
        failed = [example for example in examples if len(example[1]) >= 2 or example[0] >= 50]
        counts.append(len(set(failed)))
    assert counts[0] == 1 < counts[1]


LOOKING = """\
import os
from hypothesis import given, strategies as some
from hypothesis.internal.conjecture import providers

@given(some.booleans())
def test_it(_value):
    with open(os.environ["SEEN"], "w") as seen:
        seen.write(" ".join(providers._get_local_constants().strings))
"""


def test_constants_of_ours_are_not_drawn(tmp_path: Path) -> None:
    """Hypothesis reads the constants of all modules that are not installed, as ours are in an editable install."""
    (tmp_path / "shop.py").write_text("KIND = 'cheese'\n")
    assert ran(tmp_path, "import sys\nsys.path.insert(0, '.')\nimport shop\n" + LOOKING, record=tmp_path / "seen")
    drawn = (tmp_path / "seen").read_text()
    assert "cheese" in drawn
    assert "shrink" not in drawn
