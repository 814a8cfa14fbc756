"""Code that is run has one of six outcomes, with its tests one by one, and a score."""

from __future__ import annotations

import os
import re
import signal
import textwrap
from pathlib import Path

import anyio
import pytest

from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.process.process_table import descendants
from certo.verification.code_evaluation import CodeError, CodeOutcome, Evaluation, RanTest, evaluate, score_feedback
from certo.verification.code_feedback import code_feedback
from support.projects.bare_environment import bare_interpreter

pytestmark = pytest.mark.acceptance(97, 99)

SUITE = """
import unittest
import pytest

def half(x):
    return x // 2

def test_even():
    assert half(4) == 2

def test_odd():
    assert half(3) == 1.5

@pytest.mark.parametrize("x, y", [(2, 1), pytest.param(0, 0), (5, 3)])
def test_each(x, y):
    assert half(x) == y

async def test_none():
    half(None)

def test_raises():
    with pytest.raises(ValueError):
        half(1)

def test_left_out():
    pytest.skip("not now")

def test_of_its_own(something):
    pass

class TestMethods:
    def test_zero(self):
        assert not half(0)

class Cases(unittest.TestCase):
    def setUp(self):
        self.x = 6

    def test_three(self):
        self.assertEqual(half(self.x), 3)

    def test_four(self):
        self.assertEqual(half(self.x), 4)

if __name__ == "__main__":
    unittest.main()
"""


async def ran(code: str, seconds: float = 60.0) -> Evaluation:
    executor = LocalExecutor(SandboxOptions(isolation="process"))
    return await evaluate(textwrap.dedent(code), executor, bare_interpreter(), seconds=seconds)


async def test_running_code_is_a_success() -> None:
    """Its output is kept."""
    evaluation = await ran("print('häl', end='')\nprint('lo 🙂')\nraise SystemExit")
    assert (evaluation.outcome, evaluation.stdout, evaluation.error) == (CodeOutcome.SUCCESS, "hällo 🙂\n", None)
    assert evaluation.success
    assert evaluation.seconds > 0
    assert score_feedback(evaluation) == 10


@pytest.mark.parametrize(
    ("code", "output"),
    [("x = [1]\nx * 2", "[1, 1]"), ("print(1)", ""), ("async def f():\n    return 'é'\nf()", "'é'"), ("5;", "5")],
)
async def test_the_value_at_the_end_is_told(code: str, output: str) -> None:
    evaluation = await ran(code)
    assert (evaluation.output, evaluation.success) == (output, True)


async def test_errors_include_their_causes() -> None:
    evaluation = await ran("try:\n    1 / 0\nexcept ZeroDivisionError as no:\n    raise ValueError('bad') from no\n")
    assert str(evaluation.error) == "ValueError: bad; ZeroDivisionError: division by zero"
    assert evaluation.error_lines == (4,)


async def test_the_beginning_of_endless_output_is_kept() -> None:
    evaluation = await ran("for _ in range(300):\n    print('x' * 10**6)\n")
    assert (evaluation.outcome, evaluation.stdout) == (CodeOutcome.SUCCESS, "x" * 100_000)


async def test_without_code_nothing_is_run() -> None:
    evaluation = await ran(" \n")
    assert (evaluation.outcome, score_feedback(evaluation)) == (CodeOutcome.EMPTY, 0)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("x = 1\ndef f(:\n", CodeError(kind="SyntaxError", words="invalid syntax", lines=(2,))),
        ("return 1", CodeError(kind="SyntaxError", words="'return' outside function", lines=(1,))),
        ("x = '\0'", CodeError(kind="SyntaxError", words="source code string cannot contain null bytes", lines=())),
    ],
)
async def test_what_does_not_parse(code: str, error: CodeError) -> None:
    evaluation = await ran(code)
    assert (evaluation.outcome, score_feedback(evaluation)) == (CodeOutcome.FAILED_PARSE, 1)
    assert evaluation.error is not None
    assert (evaluation.error.words, evaluation.error.lines) == (error.words, error.lines)


async def test_raised_errors_keep_lines_and_output() -> None:
    evaluation = await ran("print(1)\ndef f(x):\n    return y\nf(2)\n")
    assert (evaluation.outcome, evaluation.stdout, score_feedback(evaluation)) == (CodeOutcome.FAILED_EVAL, "1\n", 2)
    assert evaluation.error == CodeError(kind="NameError", words="name 'y' is not defined", lines=(4, 3), name="y")
    assert evaluation.error_lines == (3, 4)


async def test_endless_loops_are_killed() -> None:
    """Output and tests before the loop are kept."""
    code = "print('so far')\ndef test_a():\n    pass\ndef test_b():\n    while True: pass\n"
    evaluation = await ran(code, seconds=2.0)
    assert (evaluation.outcome, evaluation.stdout) == (CodeOutcome.FAILED_TIMEOUT, "so far\n")
    words = r"TimeoutError: the run was killed: it used \d+\.\d s of processor time, in test_b"
    assert re.fullmatch(words, str(evaluation.error))
    assert (evaluation.tests, score_feedback(evaluation)) == ((RanTest(name="test_a", how="passed"),), 2)


async def test_waiting_and_computing_are_told_apart() -> None:
    """Code that only waits is ended too."""
    evaluation = await ran("import time\nprint('so far')\ntime.sleep(1e6)\n", seconds=0.1)
    assert (evaluation.outcome, evaluation.stdout) == (CodeOutcome.FAILED_WAITING, "so far\n")
    words = r"TimeoutError: the run was killed: .* s passed, of which it used only .* s of processor time: it waits .*"
    assert re.fullmatch(words, str(evaluation.error))
    assert "loops" not in code_feedback(evaluation)
    assert score_feedback(evaluation) == 2


async def test_starved_code_is_not_timed_out() -> None:
    code = "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\nprint(1)\n"

    async def keep_off_the_processor() -> None:
        while not (stopped := stopped_below()):  # noqa: ASYNC110 - nobody tells when another process is stopped
            await anyio.sleep(0.02)
        await anyio.sleep(1.5)
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)

    async with anyio.create_task_group() as group:
        group.start_soon(keep_off_the_processor)
        evaluation = await ran(code, seconds=1.0)
    assert (evaluation.outcome, evaluation.stdout) == (CodeOutcome.SUCCESS, "1\n")


def stopped_below() -> list[int]:
    states = {each.pid: Path(f"/proc/{each.pid}/stat") for each in descendants(os.getpid())}
    return [pid for pid, path in states.items() if path.exists() and ") T " in path.read_text()]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os; os._exit(0)", "the process left before its end"),
        ("import sys; sys.exit('no')", "no"),
    ],
)
async def test_leaving_early_is_no_success(code: str, words: str) -> None:
    evaluation = await ran(code)
    assert (evaluation.outcome, score_feedback(evaluation)) == (CodeOutcome.FAILED_EVAL, 2)
    assert words in str(evaluation.error)


async def test_each_test_result_has_line_and_sides() -> None:
    evaluation = await ran(SUITE)
    assert {test.name: test.how for test in evaluation.tests} == {
        "test_even": "passed",
        "test_odd": "failed",
        "test_each[0]": "passed",
        "test_each[1]": "passed",
        "test_each[2]": "failed",
        "test_none": "error",
        "test_raises": "failed",
        "test_of_its_own": "error",
        "TestMethods.test_zero": "passed",
        "Cases.test_three": "passed",
        "Cases.test_four": "failed",
    }
    said = {test.name: test.error for test in evaluation.tests}
    assert said["test_odd"].words == "the left side is 1 and the right side is 1.5"
    assert said["Cases.test_four"].words == "3 != 4"
    assert evaluation.outcome is CodeOutcome.FAILED_EVAL
    assert evaluation.error is None
    assert score_feedback(evaluation) == 10 + 5 - 4 - 2 * 2


async def test_nothing_of_the_callers_is_within_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    evaluation = await ran("import os\nprint(sorted(os.environ), os.listdir('.'))\n")
    assert evaluation.stdout.endswith(" []\n")
    assert "KEY" not in evaluation.stdout
