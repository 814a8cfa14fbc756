"""Generated code runs in a process of its own, within limits, and its whole result is reported."""

from __future__ import annotations

import os
import re

import pytest

from certo.api.execution import Code, SandboxedCode
from certo.sandbox.executor import Limits
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from support.projects.projects import own_interpreter

pytestmark = pytest.mark.acceptance(40, 41, 42)


@pytest.fixture
def code() -> SandboxedCode:
    limits = Limits(wall_seconds=5.0, cpu_seconds=5.0, memory_mebibytes=256)
    return SandboxedCode(LocalExecutor(SandboxOptions()), own_interpreter(), limits)


async def test_output_print_and_time_are_told(code: SandboxedCode) -> None:
    ran = await code.execute(
        Code(text="def f(x):\n    print('half way')\n    return {'sum': x + 1}", function="f"), {"x": 1}
    )
    assert (ran.output, ran.stdout, ran.error, ran.error_lines) == ({"sum": 2}, "half way\n", "", ())
    assert ran.seconds > 0


async def test_error_is_told_with_its_lines(code: SandboxedCode) -> None:
    text = "def f(x):\n    return g(x)\n\n\ndef g(x):\n    return 1 // x\n"
    ran = await code.execute(Code(text=text, function="f"), {"x": 0})
    assert ran.error == "ZeroDivisionError: integer division or modulo by zero"
    assert ran.error_lines == (2, 6)
    broken = await code.execute(Code(text="def f(:", function="f"), {})
    assert "SyntaxError" in broken.error
    assert broken.error_lines == (1,)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return {1, 2}", "JSON"),
        ("return float('nan')", "JSON"),
        ("raise SystemExit(0)", "SystemExit"),
        ("import os; os._exit(0)", "ended without an answer"),
        ("return open('/etc/hostname', 'a')", "Error"),
        ("import socket; socket.socket()", "Error"),
    ],
)
async def test_hostile_code_is_only_an_error(code: SandboxedCode, body: str, words: str) -> None:
    """Misbehaviour of the code is an error of the code."""
    ran = await code.execute(Code(text=f"def f():\n    {body}\n", function="f"), {})
    assert words in ran.error
    assert ran.output is None


FORGING = """\
import sys

def f():
    frame = sys._getframe()
    while "tell" not in frame.f_locals:
        frame = frame.f_back
    frame.f_locals["tell"]({message})
    return 1
"""


@pytest.mark.parametrize("tool", [["look"], {"look": 1}, None, "other"])
async def test_invented_calls_are_errors(code: SandboxedCode, tool: object) -> None:
    """A call that the code makes up is an error of the code."""
    forging = Code(text=FORGING.format(message={"kind": "call", "tool": tool}), function="f", tools="def look(): ...")
    ran = await code.execute(forging, {}, outside={"look": lambda: 1})
    assert ran.output == 1 or "outside, which is not allowed" in ran.error
    assert ran.calls == ()


async def test_a_tight_loop_is_killed(code: SandboxedCode) -> None:
    quick = SandboxedCode(LocalExecutor(SandboxOptions()), own_interpreter(), Limits.within(1.0))
    ran = await quick.execute(Code(text="def f():\n    while True:\n        pass\n", function="f"), {})
    assert re.fullmatch(r"the code was killed: it used \d+\.\d s of processor time", ran.error)


async def test_memory_is_limited(code: SandboxedCode) -> None:
    ran = await code.execute(Code(text="def f():\n    return len(bytearray(2 ** 30))\n", function="f"), {})
    assert ran.error == "the code ran out of memory"


async def test_the_environment_has_nothing_of_ours(code: SandboxedCode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    ran = await code.execute(Code(text="import os\ndef f():\n    return dict(os.environ)\n", function="f"), {})
    assert ran.output
    assert "sk-canary" not in str(ran.output)


async def test_runs_leave_nothing_behind(code: SandboxedCode) -> None:
    text = "import builtins, os\ndef f():\n    before = vars(builtins).get('left')\n    builtins.left = os.getpid()\n"
    text += "    return [before, os.getpid()]\n"
    runs = [await code.execute(Code(text=text, function="f"), {}) for _ in range(2)]
    assert [run.output[0] for run in runs] == [None, None]
    assert len({os.getpid(), *(run.output[1] for run in runs)}) == 3


async def test_outside_tool_is_called_here(code: SandboxedCode) -> None:
    text = "from tools import rate\ndef f(n):\n    return [rate(str(i)) for i in range(n)] + [rate(currency='x')]\n"

    async def rate(currency: str) -> float:
        if currency == "x":
            raise KeyError(currency)
        return float(currency) / 2

    asked = Code(text=text.replace("rate(currency='x')", "rate()"), function="f", tools="def rate(currency='4'): ...")
    ran = await code.execute(asked, {"n": 2}, outside={"rate": rate})
    assert ran.output == [0.0, 0.5, 2.0]
    assert [call.arguments for call in ran.calls] == [{"currency": "0"}, {"currency": "1"}, {"currency": "4"}]
    failed = await code.execute(Code(text=text, function="f", tools=asked.tools), {"n": 0}, outside={"rate": rate})
    assert failed.error == "RuntimeError: KeyError: 'x'"
    assert [call.error for call in failed.calls] == ["KeyError: 'x'"]


async def test_nondeterministic_calls_are_explained(code: SandboxedCode) -> None:
    """Code that calls by chance is told why that cannot be."""
    text = "import os\nfrom tools import log\ndef f():\n    log(os.getpid())\n    log(1)\n"
    ran = await code.execute(
        Code(text=text, function="f", tools="def log(it): ..."), {}, outside={"log": lambda it: it}
    )
    assert "may not depend on time or chance" in ran.error


async def test_ready_process_is_copied_per_call(
    code: SandboxedCode,
) -> None:
    """A process is kept ready and each call has a copy that knows of no other."""
    text = "import builtins, os\ndef f():\n    before = vars(builtins).get('left')\n    builtins.left = os.getpid()\n"
    text += "    return [before, os.getpid()]\n"
    async with code.kept_ready() as ready:
        runs = [await ready.execute(Code(text=text, function="f"), {}) for _ in range(3)]
        slow = await ready.execute(Code(text="def f():\n    return 1 // 0\n", function="f"), {})
    assert [run.cold for run in runs] == ["", "", ""]
    assert [run.output[0] for run in runs] == [None, None, None]
    assert len({run.output[1] for run in runs}) == 3
    assert (slow.error, slow.error_lines) == ("ZeroDivisionError: integer division or modulo by zero", (2,))
