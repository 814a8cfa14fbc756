"""What every executor must do for runs that are prepared together: the same as for any others, only sooner."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from certo.sandbox.executor import Ending, Executor, Message
from support.sandbox.prepared_runs import heard_of, own_mark, own_processes, work_of
from support.sandbox.stage import Stage

PREPARED = """
    import os

    prepared = []

    def prepare(preparation):
        prepared.append([os.getpid(), preparation["word"]])

    def main(request, tell):
        import thing
        tell({"prepared": prepared, "pid": os.getpid(), "thing": thing.NAME})
"""

EVERYTHING = """
    import os, sys

    kept = []

    def prepare(preparation):
        kept.append(preparation["word"])

    def main(request, tell):
        import thing
        seen = {"kept": list(kept), "thing": thing.NAME, "environ": os.environ.get("LEFT_BEHIND")}
        for place in (os.environ["HOME"], os.environ["TMPDIR"]):
            seen[os.path.basename(place)] = os.listdir(place)
            with open(os.path.join(place, "left"), "w") as file:
                file.write(thing.NAME)
        kept.append(thing.NAME)
        os.environ["LEFT_BEHIND"] = thing.NAME
        sys.modules["left_behind"] = thing
        tell(seen)
"""

WAITS = """
    import os, time

    def prepare(preparation):
        pass

    def main(request, tell):
        tell({"zygote": os.getppid()})
        time.sleep(request["seconds"])
        tell({"over": True})
"""


class WarmContract:
    """Checks for one executor; a subclass offers it as the fixture `executor`."""

    @pytest.fixture
    def stage(self, tmp_path: Path) -> Stage:
        stage = Stage(tmp_path)
        stage.write({"thing.py": "NAME = 'on disk'\n"})
        return stage

    @pytest.fixture(autouse=True)
    def nothing_is_left(self) -> Iterator[None]:
        """After every check no process of ours lives, no scratch directory is there, and no descriptor more is open."""
        before = len(os.listdir("/proc/self/fd"))
        yield
        assert own_processes() == []
        assert not list(Path(tempfile.gettempdir()).glob(own_mark() + "*"))
        assert len(os.listdir("/proc/self/fd")) <= before

    async def test_preparation_serves_runs_with_own_texts(self, executor: Executor, stage: Stage) -> None:
        async with executor.warmed(work_of(stage, PREPARED)) as warm:
            for number in range(6):
                finished, [message] = await heard_of(warm, work_of(stage, PREPARED, name=f"number {number}"))
                assert (finished.complete, finished.status, finished.cold) == (True, 0, "")
                assert message["thing"] == f"number {number}"
                assert [word for _, word in message["prepared"]] == ["common"]

    async def test_nothing_is_started_before_the_first_run(self, executor: Executor, stage: Stage) -> None:
        async with executor.warmed(work_of(stage, PREPARED)):
            assert own_processes() == []

    async def test_cold_runs_are_prepared_before_beginning(self, executor: Executor, stage: Stage) -> None:
        finished, [message] = await heard_of(executor, work_of(stage, PREPARED, name="theirs"))
        assert finished.complete
        assert [word for _, word in message["prepared"]] == ["common"]
        assert message["thing"] == "theirs"

    @pytest.mark.usual_cases(
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        "import os; os._exit(0)",
        "import socket; socket.socket()",
        "open('thing.py', 'a')",
        "print('said'); raise ValueError('the program broke')",
        "tell({'number': 1}); tell({'text': '\\xe9'})",
    )
    @pytest.mark.parametrize(
        "do",
        [
            "tell({'number': 1}); tell({'text': 'é'})",
            "1 / 0",
            "raise MemoryError",
            "import sys; sys.exit(3)",
            "import os; os._exit(0)",
            "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
            "import resource; tell({'cannot': resource.setrlimit(resource.RLIMIT_NOFILE, (9999, 9999))})",
            "import os, resource; tell({'files': resource.getrlimit(resource.RLIMIT_NOFILE)[0]}); os.fork()",
            "import socket; socket.socket()",
            "open('thing.py', 'a')",
            "print('said'); raise ValueError('the program broke')",
        ],
    )
    async def test_warm_runs_report_like_cold_ones(self, executor: Executor, stage: Stage, do: str) -> None:
        source = f"def prepare(preparation): pass\ndef main(request, tell):\n    {do}\n"
        work = work_of(stage, source)
        cold, cold_messages = await heard_of(executor, work)
        async with executor.warmed(work) as warm:
            finished, messages = await heard_of(warm, work)
        assert finished.cold == ""
        assert messages == cold_messages
        assert (finished.ending, finished.status, finished.complete) == (cold.ending, cold.status, cold.complete)
        assert finished.printed.splitlines()[-1:] == cold.printed.splitlines()[-1:]

    @pytest.mark.usual_cases(
        "kept = bytearray(1 << 30)-limits2-Ending.MEMORY", "import time; time.sleep(1000)-limits1-Ending.WALL"
    )
    @pytest.mark.parametrize(
        ("do", "limits", "ending"),
        [
            ("while True: pass", {"cpu_seconds": 1.0}, Ending.CPU),
            ("import time; time.sleep(1000)", {"wall_seconds": 1.0}, Ending.WALL),
            ("kept = bytearray(1 << 30)", {"memory_mebibytes": 256}, Ending.MEMORY),
            ("while True: print('x' * 1000)", {"output_mebibytes": 1}, Ending.OUTPUT),
        ],
    )
    async def test_limits_hold_next_run_stays_warm(
        self, executor: Executor, stage: Stage, do: str, limits: dict[str, float], ending: Ending
    ) -> None:
        source = f"def prepare(preparation): pass\ndef main(request, tell):\n    if request:\n        {do}\n"
        work = work_of(stage, source, request={"go": True}, **limits)
        async with executor.warmed(work) as warm:
            finished, _ = await heard_of(warm, work)
            assert (finished.ending, finished.complete, finished.cold) == (ending, False, "")
            finished, _ = await heard_of(warm, work_of(stage, source, **limits))
            assert (finished.complete, finished.cold) == (True, "")

    async def test_parallel_runs_are_isolated(self, executor: Executor, stage: Stage) -> None:
        seen: dict[str, Message] = {}

        async def run(name: str) -> None:
            finished, [message] = await heard_of(warm, work_of(stage, EVERYTHING, name=name))
            assert (finished.complete, finished.cold) == (True, ""), finished.printed
            seen[name] = message

        async with executor.warmed(work_of(stage, EVERYTHING)) as warm:
            for _ in range(2):
                async with anyio.create_task_group() as group:
                    for number in range(6):
                        group.start_soon(run, f"number {number}")
        assert len(seen) == 6
        for name, message in seen.items():
            assert message == {"kept": ["common"], "thing": name, "environ": None, "home": [], "tmp": []}

    async def test_changed_modules_are_imported_again(self, executor: Executor, stage: Stage) -> None:
        stage.write({"helper.py": "VALUE = 1\n"})
        source = """
            def prepare(preparation):
                import helper

            def main(request, tell):
                import helper
                tell({"helper": helper.VALUE})
        """
        work = work_of(stage, source)
        async with executor.warmed(work) as warm:
            for value in (1, 22, 333):
                stage.write({"helper.py": f"VALUE = {value}\n"})
                finished, messages = await heard_of(warm, work)
                assert messages == [{"helper": value}]
                assert (finished.complete, finished.cold) == (True, "")

    async def test_candidates_imported_in_advance_run_cold(self, executor: Executor, stage: Stage) -> None:
        source = """
            def prepare(preparation):
                import thing

            def main(request, tell):
                import thing
                tell({"thing": thing.NAME})
        """
        async with executor.warmed(work_of(stage, source)) as warm:
            finished, messages = await heard_of(warm, work_of(stage, source, name="theirs"))
            assert messages == [{"thing": "theirs"}]
            assert finished.complete
            assert "the target too" in finished.cold or "what the candidate changes" in finished.cold

    @pytest.mark.usual_cases("import os; os._exit(3)-", "import os; os.fork()-Operation not permitted")
    @pytest.mark.parametrize(
        ("statement", "why"),
        [
            ("raise ValueError('nothing to prepare')", "ValueError: nothing to prepare"),
            ("import sys; sys.exit('bye')", "bye"),
            ("import os; os._exit(3)", ""),
            ("import os; os.fork()", "Operation not permitted"),
        ],
    )
    async def test_unpreparable_runs_are_cold_with_reason(
        self, executor: Executor, stage: Stage, statement: str, why: str
    ) -> None:
        source = f"def prepare(preparation):\n    {statement}\ndef main(request, tell): tell({{}})\n"
        work = work_of(stage, source)
        async with executor.warmed(work) as warm:
            for _ in range(2):
                finished, messages = await heard_of(warm, work)
                # It is prepared in the cold run as well, and fails there as it would in any.
                assert (finished.complete, messages) == (False, [])
                assert finished.cold
                assert why in finished.cold

    async def test_threaded_programs_are_prepared_each_time(self, executor: Executor, stage: Stage) -> None:
        source = """
            import threading

            def prepare(preparation):
                prepare.stop = threading.Event()
                threading.Thread(target=prepare.stop.wait, daemon=True).start()

            def main(request, tell):
                import thing
                tell({"thing": thing.NAME, "threads": threading.active_count()})
        """
        async with executor.warmed(work_of(stage, source)) as warm:
            for name in ("one", "two"):
                finished, messages = await heard_of(warm, work_of(stage, source, name=name))
                assert messages == [{"thing": name, "threads": 2}]
                assert (finished.complete, finished.cold) == (True, "")

    async def test_runs_have_few_open_files(self, executor: Executor, stage: Stage) -> None:
        source = """
            import os

            def prepare(preparation):
                pass

            def main(request, tell):
                tell({"open": sorted(os.readlink(f"/proc/self/fd/{name}").partition(":")[0] for name in numbers())})

            def numbers():
                listed = os.listdir("/proc/self/fd")
                return [name for name in listed if os.path.lexists("/proc/self/fd/" + name)]
        """
        work = work_of(stage, source)
        async with executor.warmed(work) as warm:
            for _ in range(2):
                assert (await heard_of(warm, work))[1] == [{"open": ["/dev/null", "pipe", "pipe", "pipe"]}]

    async def test_cancelling_keeps_the_next_run_warm(self, executor: Executor, stage: Stage) -> None:
        quick = work_of(stage, WAITS, request={"seconds": 0})
        async with executor.warmed(quick) as warm:
            for number in range(12):
                with anyio.move_on_after(number * 0.03):
                    await warm.run(work_of(stage, WAITS, request={"seconds": 1000}), lambda _: None)
            finished, messages = await heard_of(warm, quick)
            assert (finished.complete, finished.cold, messages[-1]) == (True, "", {"over": True})

    async def test_messages_are_heard_only_once(self, executor: Executor, stage: Stage) -> None:
        source = """
            import os

            def prepare(preparation):
                pass

            def main(request, tell):
                tell({"before": 1})
                for number in range(3, 64):
                    try:
                        os.write(number, b'{"end":"stale"}\\n')
                    except OSError:
                        continue
                os._exit(0)
        """
        work = work_of(stage, source)
        async with executor.warmed(work) as warm:
            finished, messages = await heard_of(warm, work)
        assert messages == [{"before": 1}]
        assert not finished.complete

    async def test_errors_of_the_context_are_unwrapped(self, executor: Executor, stage: Stage) -> None:
        async def fail() -> None:
            work = work_of(stage, PREPARED)
            async with executor.warmed(work) as warm:
                await heard_of(warm, work)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await fail()
