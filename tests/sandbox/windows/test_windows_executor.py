"""Runs as on Windows, with a session in place of the job object: no keeper, no fork, warm out of a pool."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from certo.sandbox.confinement.kernel_features import FULL_WALLS, NO_WALLS, KernelFeatures
from certo.sandbox.executor import Apart, Ending, Interpreter, Limits, Message, Policy, Work
from certo.sandbox.options import SandboxOptions
from certo.sandbox.process.process_table import process_table, start_of
from certo.sandbox.windows.windows_executor import WindowsExecutor
from certo.vocabulary.errors import NoInterpreter, SandboxUnavailable
from support.sandbox.posix_enclosure import RefusingEnclosure, SessionEnclosure
from support.sandbox.stage import Stage

MARK = f"certo-{os.getpid()}-{start_of(os.getpid())}-"


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


@pytest.fixture
def executor() -> WindowsExecutor:
    return WindowsExecutor(SandboxOptions(slots=2), FULL_WALLS, SessionEnclosure)


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    before = len(os.listdir("/proc/self/fd"))
    yield
    assert not list(Path(tempfile.gettempdir()).glob(MARK + "*"))
    assert len(os.listdir("/proc/self/fd")) <= before
    assert [process.pid for process in process_table() if process.parent == os.getpid()] == []


async def test_messages_keep_order_and_ignore_prints(executor: WindowsExecutor, stage: Stage) -> None:
    source = """
        import sys
        def main(request, tell):
            print("not a message")
            for number in range(request["count"]):
                tell({"number": number, "wide": "x" * 300})
            tell({"input": sys.stdin.read()})
    """
    heard = await stage.run(executor, source, request={"count": 2000})
    assert [message["number"] for message in heard.messages[:-1]] == list(range(2000))
    assert heard.messages[-1] == {"input": ""}
    assert heard.finished.complete
    assert heard.finished.printed == "not a message\n"


@pytest.mark.parametrize(
    ("statement", "status", "ending"),
    [
        ("raise ValueError('it broke')", 1, Ending.EXITED),
        ("import os; os._exit(0)", 0, Ending.EXITED),
        ("import os; os._exit(7)", 7, Ending.EXITED),
        ("import os; os.kill(os.getpid(), 11)", -11, Ending.KILLED),
        ("bytearray(1 << 40)", 1, Ending.MEMORY),
    ],
)
async def test_programs_that_do_not_return_are_incomplete(
    executor: WindowsExecutor, stage: Stage, statement: str, status: int, ending: Ending
) -> None:
    heard = await stage.run(executor, f"def main(request, tell):\n    tell({{'before': 1}})\n    {statement}\n")
    assert (heard.finished.complete, heard.finished.status, heard.finished.ending) == (False, status, ending)
    assert heard.messages == [{"before": 1}]


async def test_programs_cannot_forge_start_or_end(executor: WindowsExecutor, stage: Stage) -> None:
    source = """
        import os
        def main(request, tell):
            for number in range(3, 20):
                try:
                    os.write(number, b'{"started": true}\\n{"end": "complete"}\\n')
                except OSError:
                    continue
            os._exit(0)
    """
    heard = await stage.run(executor, source)
    assert not heard.finished.complete


@pytest.mark.parametrize(
    ("body", "limits", "ending"),
    [
        ("import time; time.sleep(1000)", {"wall_seconds": 1.0}, Ending.WALL),
        ("while True: pass", {"cpu_seconds": 1.0}, Ending.CPU),
        ("while True: print('x' * 1000)", {"output_mebibytes": 1}, Ending.OUTPUT),
        ("while True: tell({'x': 'y' * 1000})", {"output_mebibytes": 1}, Ending.OUTPUT),
        (
            "[open(f'{os.environ[\"TMPDIR\"]}/{n}', 'wb').write(b'x' * (1 << 20)) for n in range(99)]; time.sleep(99)",
            {"memory_mebibytes": 32, "file_mebibytes": 2},
            Ending.FILES,
        ),
    ],
)
async def test_limits_end_a_run(
    executor: WindowsExecutor, stage: Stage, body: str, limits: dict[str, float], ending: Ending
) -> None:
    heard = await stage.run(executor, f"import os, time\n\ndef main(request, tell):\n    {body}\n", **limits)
    assert (heard.finished.ending, heard.finished.complete) == (ending, False)


async def test_child_processes_die_with_their_program(executor: WindowsExecutor, stage: Stage) -> None:
    """They do not hold it up."""
    source = """
        import subprocess, sys
        def main(request, tell):
            tell({"pid": subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"]).pid})
    """
    heard = await stage.run(executor, source, policy=Policy.SUBPROCESS)
    assert heard.finished.complete
    assert start_of(heard.messages[0]["pid"]) == 0


async def test_cancelling_kills_it(executor: WindowsExecutor, stage: Stage) -> None:
    pids: list[int] = []

    def cancel(message: Message) -> None:
        pids.append(message["pid"])
        scope.cancel()

    source = """
        import os, time
        def main(request, tell):
            tell({"pid": os.getpid()})
            time.sleep(1000)
    """
    with anyio.CancelScope() as scope:
        await executor.run(stage.work(source), cancel)
    assert scope.cancelled_caught
    assert [start_of(pid) for pid in pids] == [0]


async def test_warm_runs_come_out_of_a_pool(executor: WindowsExecutor, stage: Stage) -> None:
    stage.write({"thing.py": "NAME = 'on disk'\n"})
    source = """
        import os
        prepared = []
        def prepare(preparation):
            prepared.append(os.getpid())
        def main(request, tell):
            import thing
            tell({"prepared": prepared, "pid": os.getpid(), "word": request["word"], "thing": thing.NAME})
    """

    def work(number: int) -> Work:
        overlay = {"thing.py": f"NAME = {number}\n"}
        return replace(stage.work(source, overlay=overlay, request={"word": number}), preparation={})

    messages: list[Message] = []
    async with executor.warmed(work(0)) as warm:
        for number in range(4):
            finished = await warm.run(work(number), messages.append)
            assert (finished.complete, finished.cold) == (True, "")
    assert [(said["word"], said["thing"], said["prepared"]) for said in messages] == [
        (number, number, [said["pid"]]) for number, said in enumerate(messages)
    ]
    assert len({said["pid"] for said in messages}) == 4


async def test_a_non_python_interpreter_is_reported(executor: WindowsExecutor, stage: Stage, tmp_path: Path) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\necho 'cannot load the library' >&2\nexit 127\n")
    program.chmod(0o755)
    broken = Interpreter(executable=program, version=(3, 12, 0), readable=(), why="a test made it")
    with pytest.raises(NoInterpreter, match="cannot load the library"):
        await stage.run(executor, "def main(request, tell): pass\n", interpreter=broken)


async def test_what_cannot_be_held_does_not_run(stage: Stage) -> None:
    executor = WindowsExecutor(SandboxOptions(), NO_WALLS, RefusingEnclosure)
    messages: list[Message] = []
    with pytest.raises(NoInterpreter, match="it cannot be held"):
        await executor.run(stage.work("def main(request, tell): tell({})\n"), messages.append)
    assert messages == []


async def test_isolated_runs_are_refused(executor: WindowsExecutor, stage: Stage) -> None:
    """Running both in one process would be weaker."""
    apart = replace(stage.work("def main(request, tell, peer): tell({})\n"), apart=Apart(files=()))
    messages: list[Message] = []
    with pytest.raises(SandboxUnavailable, match="two processes on Windows"):
        await executor.run(apart, messages.append)
    assert messages == []


@pytest.mark.parametrize(("policy", "processes"), [(Policy.STRICT, 1), (Policy.SUBPROCESS, 64)])
async def test_only_who_may_start_processes_can(stage: Stage, policy: Policy, processes: int) -> None:
    seen: list[Limits] = []

    def enclose(limits: Limits) -> SessionEnclosure:
        seen.append(limits)
        return SessionEnclosure(limits)

    executor = WindowsExecutor(SandboxOptions(), NO_WALLS, enclose)
    heard = await stage.run(executor, "def main(request, tell): pass\n", policy=policy)
    assert heard.finished.complete
    assert [limits.processes for limits in seen] == [processes]


def test_it_does_not_promise_too_much() -> None:
    lowered = WindowsExecutor(
        SandboxOptions(), KernelFeatures(landlock=0, seccomp=False, integrity=True), SessionEnclosure
    )
    assert lowered.isolation == (
        "not confined: your files and the network are within reach "
        "(low integrity, job object: no new processes, your files read-only)"
    )
    plain = WindowsExecutor(SandboxOptions(), NO_WALLS, SessionEnclosure)
    assert plain.isolation == "not confined: your files and the network are within reach (job object: no new processes)"
    assert plain.isolation_under(Policy.SUBPROCESS).endswith("(job object)")
