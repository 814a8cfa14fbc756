"""What every executor must do, whatever it confines its runs with."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import time
from pathlib import Path
from uuid import uuid4

import anyio
import pytest

from certo.sandbox.census import census, start_of
from certo.sandbox.executor import Ending, Executor, Interpreter, Message, Policy
from certo.vocabulary.errors import NoInterpreter
from support.stage import Stage, living

READY_THEN_LOOP = """
    def main(request, tell):
        tell({"ready": True})
        while True:
            pass
"""

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


class ExecutorContract:
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
        for process in census():
            try:
                assert mine.encode() not in Path(f"/proc/{process.pid}/environ").read_bytes()
            except OSError:
                continue

    async def test_messages_come_in_order_each_once(self, executor: Executor, stage: Stage) -> None:
        heard = await stage.run(
            executor,
            """
            import os, threading

            def main(request, tell):
                for number in range(request["count"]):
                    tell({"number": number, "text": "é\\n\\udc80", "wide": "x" * 300})
                if os.fork() == 0:
                    tell({"number": "from a copy"})
                    return
                os.wait()
            """,
            request={"count": 2000},
            policy=Policy.FORKING,
        )
        assert [message["number"] for message in heard.messages] == list(range(2000))
        assert heard.messages[0]["text"] == "é\n\udc80"
        assert heard.finished.complete
        assert heard.finished.ending is Ending.EXITED
        assert heard.finished.status == 0

    @pytest.mark.parametrize(
        ("statement", "status"),
        [
            ("raise ValueError('the program broke')", 1),
            ("import sys; sys.exit(0)", 0),
            ("import sys; sys.exit(3)", 3),
            ("import os; os._exit(0)", 0),
            ("raise KeyboardInterrupt", 1),
            ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", -signal.SIGSEGV),
            ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
            ("import os, signal; os.kill(os.getppid(), signal.SIGKILL); signal.pause()", 1),
        ],
    )
    async def test_a_program_that_does_not_return_is_not_complete(
        self, executor: Executor, stage: Stage, statement: str, status: int
    ) -> None:
        heard = await stage.run(
            executor, f"def main(request, tell):\n    tell({{'before': 1}})\n    print('said')\n    {statement}\n"
        )
        assert not heard.finished.complete
        assert heard.finished.status == status
        assert heard.finished.ending is (Ending.EXITED if status >= 0 else Ending.KILLED)
        assert heard.messages == [{"before": 1}]

    async def test_the_words_of_an_exception_are_kept(self, executor: Executor, stage: Stage) -> None:
        heard = await stage.run(executor, "def main(request, tell):\n    raise ValueError('the program broke')\n")
        assert heard.finished.printed.endswith("ValueError: the program broke\n")

    async def test_garbage_in_the_channel_proves_nothing(self, executor: Executor, stage: Stage) -> None:
        heard = await stage.run(
            executor,
            """
            import os, sys

            def main(request, tell):
                tell({"before": 1})
                for number in range(3, 64):
                    try:
                        os.write(number, b"[" * 100000 + b"\\n{}\\n")
                    except OSError:
                        continue
            """,
        )
        assert not heard.finished.complete
        assert heard.messages == [{"before": 1}]

    async def test_an_endless_loop_is_killed_by_the_wall_clock(self, executor: Executor, stage: Stage) -> None:
        begun = time.monotonic()
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
        assert 1.0 <= heard.finished.seconds <= time.monotonic() - begun < 8.0

    async def test_processor_time_is_limited(self, executor: Executor, stage: Stage) -> None:
        heard = await stage.run(executor, READY_THEN_LOOP, cpu_seconds=1.0)
        assert heard.finished.ending is Ending.CPU
        assert 0.5 < heard.finished.cpu_seconds < 4.0

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

    async def test_files_are_limited_in_all(self, executor: Executor, stage: Stage) -> None:
        heard = await stage.run(
            executor,
            """
            import tempfile

            def main(request, tell):
                kept = []
                for _ in range(1000):
                    kept.append(tempfile.NamedTemporaryFile(delete=False))
                    kept[-1].write(bytes(4 << 20))
                    kept[-1].flush()
                tell({"made": "all of them"})
            """,
            memory_mebibytes=256,
        )
        assert heard.messages == []
        assert not heard.finished.complete
        # Where it is a limit of the file system's the program fails, and elsewhere it is killed.
        assert heard.finished.ending is Ending.FILES or "No space left on device" in heard.finished.printed

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

    async def test_a_tree_of_forks_dies_with_the_run(self, executor: Executor, stage: Stage) -> None:
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

    async def test_cancelling_kills_at_once(self, executor: Executor, stage: Stage) -> None:
        argument = f"certo-test-{uuid4().hex}"
        source = f"""{DAEMON}
    def main(request, tell):
        double_fork({argument!r})
        tell({{"ready": True}})
        while True:
            pass
    """
        cancelled_at = 0.0

        def cancel(message: Message) -> None:
            nonlocal cancelled_at
            cancelled_at = time.monotonic()
            scope.cancel()

        with anyio.CancelScope() as scope:
            await executor.run(stage.work(source, policy=Policy.SUBPROCESS), cancel)
        assert scope.cancelled_caught
        assert time.monotonic() - cancelled_at < 2.0
        assert living(argument) == []

    async def test_runs_that_are_cancelled_while_they_wait_leave_their_slot(
        self, executor: Executor, stage: Stage
    ) -> None:
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

    async def test_nothing_secret_is_in_the_environment(
        self, executor: Executor, stage: Stage, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CERTO_CANARY_KEY", "sk-canary")
        monkeypatch.setenv("LC_TIME", "C")
        heard = await stage.run(
            executor,
            """
            import os

            def main(request, tell):
                # The first process of a namespace has an environment too, which all in it can read.
                seen = [dict(os.environ)]
                for pid in (1, os.getppid(), os.getpid()) if os.getppid() < 10 else (os.getppid(), os.getpid()):
                    try:
                        with open("/proc/%d/environ" % pid, "rb") as environ:
                            seen.append(environ.read().decode())
                    except OSError:
                        continue
                tell({"seen": repr(seen), "own": seen[0]})
            """,
        )
        [message] = heard.messages
        assert "canary" not in message["seen"].lower()
        assert message["own"]["LC_TIME"] == "C"
        assert message["own"]["PYTHONHASHSEED"] == "0"
        assert Path(message["own"]["HOME"]) != Path.home()

    async def test_standard_input_is_at_its_end_and_nothing_else_is_inherited(
        self, executor: Executor, stage: Stage
    ) -> None:
        reading, writing = os.pipe()
        os.set_inheritable(writing, True)
        try:
            heard = await stage.run(
                executor,
                """
                import os, sys

                def main(request, tell):
                    pipes = set()
                    for name in os.listdir("/proc/self/fd"):
                        try:
                            pipes.add(os.readlink("/proc/self/fd/" + name))
                        except OSError:
                            continue
                    tell({"read": sys.stdin.read(), "pipes": sorted(one for one in pipes if one.startswith("pipe"))})
                """,
            )
        finally:
            os.close(reading)
            os.close(writing)
        [message] = heard.messages
        assert message["read"] == ""
        assert len(message["pipes"]) == 2  # what it prints, and the channel

    async def test_the_overlay_stands_in_for_the_project_and_the_files_are_not_touched(
        self, executor: Executor, stage: Stage
    ) -> None:
        stage.write({"pack/__init__.py": "", "pack/one.py": "def answer():\n    return 1\n", "other.py": "value = 1\n"})
        before = stage.digest()
        heard = await stage.run(
            executor,
            """
            import inspect

            def main(request, tell):
                import other
                from pack import new, one

                tell({
                    "answers": [one.answer(), new.answer, other.value],
                    "source": inspect.getsource(one.answer),
                    "file": one.__file__,
                })
            """,
            overlay={"pack/one.py": "def answer():\n    return 'é'\n", "pack/new.py": "answer = 3\n"},
        )
        assert heard.finished.complete, heard.finished.printed
        [message] = heard.messages
        assert message["answers"] == ["é", 3, 1]
        assert message["source"] == "def answer():\n    return 'é'\n"
        assert message["file"] == str(stage.root / "pack" / "one.py")
        assert stage.digest() == before

    async def test_a_file_that_the_overlay_deletes_cannot_be_imported(self, executor: Executor, stage: Stage) -> None:
        stage.write({"gone.py": "", "moved.py": "value = 1\n", "pack/__init__.py": "", "pack/gone.py": ""})
        heard = await stage.run(
            executor,
            """
            import importlib, importlib.util

            def main(request, tell):
                for name in ("gone", "pack.gone"):
                    try:
                        importlib.import_module(name)
                        tell({"imported": name})
                    except ModuleNotFoundError as error:
                        tell({"missing": error.name})
                try:
                    spec = importlib.util.spec_from_file_location("by_place", "gone.py")
                    spec.loader.exec_module(importlib.util.module_from_spec(spec))
                    tell({"loaded": "gone.py"})
                except FileNotFoundError:
                    tell({"missing": "gone.py"})
                import moved
                tell({"value": moved.value})
            """,
            overlay={"gone.py": None, "pack/gone.py": None, "moved.py": None, "moved/__init__.py": "value = 2\n"},
        )
        assert heard.messages == [
            {"missing": "gone"},
            {"missing": "pack.gone"},
            {"missing": "gone.py"},
            {"value": 2},
        ]

    async def test_what_is_protected_stays_what_it_is_on_the_disk(self, executor: Executor, stage: Stage) -> None:
        stage.write({"one.py": "value = 1\n", "tests/two.py": "value = 1\n", "three.py": "value = 1\n"})
        os.symlink("tests", stage.root / "linked")
        heard = await stage.run(
            executor,
            """
            import importlib

            def main(request, tell):
                found = {}
                for name in ("one", "tests.two", "tests.new", "conftest", "three", "tests.mine"):
                    try:
                        found[name] = importlib.import_module(name).value
                    except ModuleNotFoundError:
                        found[name] = None
                tell(found)
            """,
            overlay={
                "one.py": "value = 2\n",
                "linked/two.py": "value = 2\n",
                "tests/new.py": "value = 2\n",
                "tests/../conftest.py": "value = 2\n",
                "three.py": None,
                "tests/mine.py": "value = 2\n",
            },
            protected=("tests", "conftest.py", "three.py"),
            unprotected=("tests/mine.py",),
        )
        unchanged = {"tests.two": 1, "tests.new": None, "conftest": None, "three": 1}
        assert heard.messages == [{"one": 2, "tests.mine": 2, **unchanged}]

    async def test_an_interpreter_that_is_none_is_named(self, executor: Executor, stage: Stage) -> None:
        missing = Interpreter(executable=stage.root / "python", version=(3, 11, 0), readable=(), why="a test")
        with pytest.raises(NoInterpreter, match="project/python is not a program"):
            await stage.run(executor, "", interpreter=missing)

    async def test_an_interpreter_that_does_not_start_is_named_with_its_words(
        self, executor: Executor, stage: Stage
    ) -> None:
        broken = stage.root / "python"
        broken.write_text("#!/bin/sh\necho libpython is gone >&2\nexit 127\n")
        broken.chmod(0o755)
        interpreter = Interpreter(executable=broken, version=(3, 11, 0), readable=(), why="a test")
        with pytest.raises(NoInterpreter, match="libpython is gone"):
            await stage.run(executor, "", interpreter=interpreter)
