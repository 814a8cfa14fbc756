"""What every executor must put an end to: what uses up the machine, what is cancelled, whatever a run has started."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path
from uuid import uuid4

import anyio
import pytest

from certo.sandbox.executor import Ending, Executor, Policy
from certo.sandbox.process.process_table import process_table, start_of
from support.sandbox.stage import Stage, living

READY_THEN_LOOP = """
    def main(request, tell):
        tell({"ready": True})
        while True:
            pass
"""

KEEPING = {
    "named": """
            def keep():
                kept.append(tempfile.NamedTemporaryFile(delete=False))
                filled(kept[-1].fileno())
    """,
    "open": """
            def keep():
                kept.append(tempfile.TemporaryFile())
                filled(kept[-1].fileno())
    """,
    "mapped": """
            def keep():
                with tempfile.TemporaryFile() as file:
                    kept.append(mmap.mmap(filled(file.fileno()), 4096))
    """,
    "on their way": """
            def keep():
                if not kept:
                    kept.extend(socket.socketpair())
                with tempfile.TemporaryFile() as file:
                    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [filled(file.fileno())]))]
                    kept[0].sendmsg([b"."], rights)
    """,
    "in memory": """
            def keep():
                if sys.platform == "linux":
                    kept.append(filled(os.memfd_create("kept")))
                else:
                    kept.append(tempfile.TemporaryFile())
                    filled(kept[-1].fileno())
    """,
}
"""Ways to keep a file of 4 MiB each time."""

DAEMON = """
    import os, subprocess, sys, time

    def double_fork(argument):
        # The grandchild leaves the group, the session and the environment behind, and its parent dies at once.
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                code = "import time; time.sleep(1000)"
                os.execve(sys.executable, [sys.executable, "-S", "-c", code, argument], {})
            os._exit(0)
        os.wait()
"""


class EndingContract:
    """Checks for one executor; a subclass offers it as the fixture `executor`."""

    @pytest.fixture
    def stage(self, tmp_path: Path) -> Stage:
        return Stage(tmp_path)

    @pytest.fixture(autouse=True)
    def nothing_is_left(self) -> object:
        """After every check no process of a run lives and no scratch directory is there."""
        yield
        mine = f"certo-{os.getpid()}-{start_of(os.getpid())}-"
        assert not list(Path(tempfile.gettempdir()).glob(mine + "*"))
        for process in process_table():
            try:
                assert mine.encode() not in Path(f"/proc/{process.pid}/environ").read_bytes()
            except OSError:
                continue

    async def test_sleepers_are_killed_by_wall_clock(self, executor: Executor, stage: Stage) -> None:
        heard = await stage.run(
            executor,
            """
            import signal, time

            def main(request, tell):
                for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                    signal.signal(number, signal.SIG_IGN)
                tell({"ready": True})
                time.sleep(1000)
            """,
            wall_seconds=1.0,
        )
        assert heard.finished.ending is Ending.WALL
        assert not heard.finished.complete
        assert heard.messages == [{"ready": True}]
        assert heard.finished.seconds >= 1.0

    async def test_processor_time_is_limited(self, executor: Executor, stage: Stage) -> None:
        heard = await stage.run(executor, READY_THEN_LOOP, cpu_seconds=1.0)
        assert heard.finished.ending is Ending.CPU
        assert heard.finished.cpu_seconds > 0.5

    async def test_processor_time_is_that_of_all_processes(self, executor: Executor, stage: Stage) -> None:
        heard = await stage.run(
            executor,
            """
            import subprocess, sys

            def main(request, tell):
                while True:
                    code = "import time\\nwhile time.process_time() < 0.4: pass"
                    subprocess.run([sys.executable, "-S", "-c", code])
            """,
            policy=Policy.SUBPROCESS,
            cpu_seconds=1.0,
        )
        assert heard.finished.ending is Ending.CPU

    async def test_a_memory_bomb_runs_out_of_memory(self, executor: Executor, stage: Stage) -> None:
        heard = await stage.run(
            executor, "def main(request, tell):\n    kept = bytearray(1 << 30)\n", memory_mebibytes=256
        )
        assert heard.finished.ending is Ending.MEMORY
        assert not heard.finished.complete

    async def test_memory_within_the_limit_is_granted(self, executor: Executor, stage: Stage) -> None:
        heard = await stage.run(
            executor, "def main(request, tell):\n    kept = bytearray(200 << 20)\n", memory_mebibytes=256
        )
        assert heard.finished.complete

    @pytest.mark.parametrize("bomb", ["print('x' * 1000)", "tell({'x': 'y' * 1000})"])
    async def test_an_output_bomb_is_killed(self, executor: Executor, stage: Stage, bomb: str) -> None:
        heard = await stage.run(
            executor, f"def main(request, tell):\n    while True:\n        {bomb}\n", output_mebibytes=1
        )
        assert heard.finished.ending is Ending.OUTPUT
        assert not heard.finished.complete
        assert len(heard.finished.printed) <= 4096
        assert sum(len(message["x"]) for message in heard.messages) < 2 << 20

    async def test_a_file_can_only_grow_so_far(self, executor: Executor, stage: Stage) -> None:
        heard = await stage.run(
            executor,
            """
            import tempfile

            def main(request, tell):
                with tempfile.TemporaryFile() as file:
                    try:
                        file.write(bytes(3 << 20))
                        file.flush()
                    except OSError as error:
                        tell({"errno": error.errno})
            """,
            file_mebibytes=2,
        )
        assert [message.keys() for message in heard.messages] == [{"errno"}]

    @pytest.mark.parametrize("keep", KEEPING)
    async def test_files_are_limited_in_all(self, executor: Executor, stage: Stage, keep: str) -> None:
        heard = await stage.run(
            executor,
            f"""
            import array, mmap, os, socket, sys, tempfile, time

            kept = []

            def filled(descriptor):
                for _ in range(4):
                    os.write(descriptor, bytes(1 << 20))
                return descriptor

            {KEEPING[keep]}
            def main(request, tell):
                for _ in range(100):
                    keep()
                tell({{"made": "all of them"}})
                time.sleep(1000)
            """,
            memory_mebibytes=256,
            policy=Policy.SUBPROCESS if keep == "in memory" else Policy.STRICT,
        )
        assert not heard.finished.complete
        # Where it is a limit of the file system's the program fails, and elsewhere it is killed.
        full = heard.messages == [] and "No space left on device" in heard.finished.printed
        assert heard.finished.ending is Ending.FILES or full, heard.finished

    @pytest.mark.slow
    async def test_very_deep_trees_are_removed(self, executor: Executor, stage: Stage) -> None:
        heard = await stage.run(
            executor,
            """
            import os, tempfile

            def main(request, tell):
                os.chdir(tempfile.gettempdir())
                # A path of 6,000 bytes, beyond PATH_MAX, and deeper than Python recurses.
                for _ in range(1200):
                    os.mkdir("deep")
                    os.chdir("deep")
                open("file", "w").close()
                tell({"where": tempfile.gettempdir()})
            """,
        )
        assert heard.finished.complete, heard.finished
        assert not await anyio.Path(heard.messages[0]["where"]).exists()

    @pytest.mark.parametrize("ending", ["return", "os._exit(0)", "time.sleep(1000)"])
    async def test_a_daemon_child_dies_with_the_run(self, executor: Executor, stage: Stage, ending: str) -> None:
        argument = f"certo-test-{uuid4().hex}"
        heard = await stage.run(
            executor,
            f"""{DAEMON}
    def main(request, tell):
        double_fork(request["argument"])
        tell({{"ready": True}})
        {ending}
    """,
            request={"argument": argument},
            policy=Policy.SUBPROCESS,
            wall_seconds=2.0,
        )
        assert heard.messages == [{"ready": True}]
        assert heard.finished.complete is (ending == "return")
        assert living(argument) == []

    async def test_forks_die_with_the_run(self, executor: Executor, stage: Stage) -> None:
        argument = f"certo-test-{uuid4().hex}"
        heard = await stage.run(
            executor,
            """
            import subprocess, sys, time

            def main(request, tell):
                code = "import subprocess, sys, time; depth = int(sys.argv[2]);"
                code += "[subprocess.Popen([sys.executable, '-S', '-c', sys.argv[3], sys.argv[1], str(depth - 1),"
                code += "sys.argv[3]], start_new_session=True) for _ in range(2) if depth]; time.sleep(1000)"
                subprocess.Popen([sys.executable, "-S", "-c", code, request["argument"], "2", code])
                tell({"ready": True})
                time.sleep(1000)
            """,
            request={"argument": argument},
            policy=Policy.SUBPROCESS,
            wall_seconds=1.5,
        )
        assert heard.finished.ending is Ending.WALL
        assert living(argument) == []

    async def test_cancelling_kills_what_would_never_end(self, executor: Executor, stage: Stage) -> None:
        argument = f"certo-test-{uuid4().hex}"
        source = f"""{DAEMON}
    def main(request, tell):
        double_fork({argument!r})
        tell({{"ready": True}})
        while True:
            pass
    """
        with anyio.CancelScope() as scope:
            await executor.run(stage.work(source, policy=Policy.SUBPROCESS), lambda _: scope.cancel())
        assert scope.cancelled_caught
        assert living(argument) == []

    async def test_cancelled_waiters_leave_their_slot(self, executor: Executor, stage: Stage) -> None:
        async def run(scope: anyio.CancelScope) -> None:
            with scope:
                await executor.run(stage.work(READY_THEN_LOOP), lambda _: everything.cancel_scope.cancel())

        async with anyio.create_task_group() as everything:
            for _ in range(8):
                everything.start_soon(run, anyio.CancelScope())
        heard = await stage.run(executor, "def main(request, tell):\n    tell({})\n")
        assert heard.finished.complete

    async def test_cancelling_at_any_moment_leaves_nothing(self, executor: Executor, stage: Stage) -> None:
        argument = f"certo-test-{uuid4().hex}"
        source = (
            f"{DAEMON}\n    def main(request, tell):\n        double_fork({argument!r})\n        time.sleep(1000)\n"
        )
        work = stage.work(source, policy=Policy.SUBPROCESS)
        open_before = len(os.listdir("/proc/self/fd"))

        async def run(seconds: float) -> None:
            with anyio.move_on_after(seconds):
                await executor.run(work, lambda _: None)

        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(run, number * 0.02)
        # A server that cancels its own asyncio tasks goes past every cancel scope.
        tasks = [asyncio.create_task(executor.run(work, lambda _: None)) for _ in range(12)]
        for task in tasks:
            with anyio.move_on_after(0.03):
                await asyncio.wait([task])
            task.cancel()
        await asyncio.wait(tasks)
        assert all(task.cancelled() for task in tasks)
        assert living(argument) == []
        assert len(os.listdir("/proc/self/fd")) == open_before
