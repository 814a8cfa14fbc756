"""What every executor must do for runs that are prepared together: the same as for any others, only sooner."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import anyio
import pytest

from certo.sandbox.census import census, descendants, start_of
from certo.sandbox.executor import Apart, Ending, Executor, Finished, Message, Work
from support.stage import Stage

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
        assert _processes() == []
        assert not list(Path(tempfile.gettempdir()).glob(_mine() + "*"))
        assert len(os.listdir("/proc/self/fd")) <= before

    async def test_each_run_is_prepared_once_and_gets_its_own_text(self, executor: Executor, stage: Stage) -> None:
        async with executor.warmed(_work(stage, PREPARED)) as warm:
            for number in range(6):
                finished, [message] = await _heard(warm, _work(stage, PREPARED, name=f"number {number}"))
                assert (finished.complete, finished.status, finished.cold) == (True, 0, "")
                assert message["thing"] == f"number {number}"
                assert [word for _, word in message["prepared"]] == ["common"]

    async def test_nothing_is_started_before_the_first_run(self, executor: Executor, stage: Stage) -> None:
        async with executor.warmed(_work(stage, PREPARED)):
            assert _processes() == []

    async def test_a_run_that_is_not_warm_is_prepared_before_it_begins(self, executor: Executor, stage: Stage) -> None:
        finished, [message] = await _heard(executor, _work(stage, PREPARED, name="theirs"))
        assert finished.complete
        assert [word for _, word in message["prepared"]] == ["common"]
        assert message["thing"] == "theirs"

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
    async def test_a_warm_run_tells_and_ends_as_a_cold_one_does(
        self, executor: Executor, stage: Stage, do: str
    ) -> None:
        source = f"def prepare(preparation): pass\ndef main(request, tell):\n    {do}\n"
        work = _work(stage, source)
        cold, cold_messages = await _heard(executor, work)
        async with executor.warmed(work) as warm:
            finished, messages = await _heard(warm, work)
        assert finished.cold == ""
        assert messages == cold_messages
        assert (finished.ending, finished.status, finished.complete) == (cold.ending, cold.status, cold.complete)
        assert finished.printed.splitlines()[-1:] == cold.printed.splitlines()[-1:]

    @pytest.mark.parametrize(
        ("do", "limits", "ending"),
        [
            ("while True: pass", {"cpu_seconds": 1.0}, Ending.CPU),
            ("import time; time.sleep(1000)", {"wall_seconds": 1.0}, Ending.WALL),
            ("kept = bytearray(1 << 30)", {"memory_mebibytes": 256}, Ending.MEMORY),
            ("while True: print('x' * 1000)", {"output_mebibytes": 1}, Ending.OUTPUT),
        ],
    )
    async def test_limits_hold_and_the_next_run_is_as_warm(
        self, executor: Executor, stage: Stage, do: str, limits: dict[str, float], ending: Ending
    ) -> None:
        source = f"def prepare(preparation): pass\ndef main(request, tell):\n    if request:\n        {do}\n"
        work = _work(stage, source, request={"go": True}, **limits)
        async with executor.warmed(work) as warm:
            finished, _ = await _heard(warm, work)
            assert (finished.ending, finished.complete, finished.cold) == (ending, False, "")
            finished, _ = await _heard(warm, _work(stage, source, **limits))
            assert (finished.complete, finished.cold) == (True, "")

    async def test_runs_that_go_on_together_see_nothing_of_each_other(self, executor: Executor, stage: Stage) -> None:
        seen: dict[str, Message] = {}

        async def run(name: str) -> None:
            finished, [message] = await _heard(warm, _work(stage, EVERYTHING, name=name))
            assert (finished.complete, finished.cold) == (True, ""), finished.printed
            seen[name] = message

        async with executor.warmed(_work(stage, EVERYTHING)) as warm:
            for _ in range(2):
                async with anyio.create_task_group() as group:
                    for number in range(6):
                        group.start_soon(run, f"number {number}")
        assert len(seen) == 6
        for name, message in seen.items():
            assert message == {"kept": ["common"], "thing": name, "environ": None, "home": [], "tmp": []}

    async def test_a_module_that_was_imported_and_changes_is_read_anew(self, executor: Executor, stage: Stage) -> None:
        stage.write({"helper.py": "VALUE = 1\n"})
        source = """
            def prepare(preparation):
                import helper

            def main(request, tell):
                import helper
                tell({"helper": helper.VALUE})
        """
        work = _work(stage, source)
        async with executor.warmed(work) as warm:
            for value in (1, 22, 333):
                stage.write({"helper.py": f"VALUE = {value}\n"})
                finished, messages = await _heard(warm, work)
                assert messages == [{"helper": value}]
                assert (finished.complete, finished.cold) == (True, "")

    async def test_a_candidate_that_was_imported_in_advance_is_judged_cold(
        self, executor: Executor, stage: Stage
    ) -> None:
        source = """
            def prepare(preparation):
                import thing

            def main(request, tell):
                import thing
                tell({"thing": thing.NAME})
        """
        async with executor.warmed(_work(stage, source)) as warm:
            finished, messages = await _heard(warm, _work(stage, source, name="theirs"))
            assert messages == [{"thing": "theirs"}]
            assert finished.complete
            assert "the target too" in finished.cold or "what the candidate changes" in finished.cold

    @pytest.mark.parametrize(
        ("statement", "why"),
        [
            ("raise ValueError('nothing to prepare')", "ValueError: nothing to prepare"),
            ("import sys; sys.exit('bye')", "bye"),
            ("import os; os._exit(3)", ""),
            ("import os; os.fork()", "Operation not permitted"),
        ],
    )
    async def test_what_cannot_be_prepared_runs_cold_and_says_why(
        self, executor: Executor, stage: Stage, statement: str, why: str
    ) -> None:
        source = f"def prepare(preparation):\n    {statement}\ndef main(request, tell): tell({{}})\n"
        work = _work(stage, source)
        async with executor.warmed(work) as warm:
            for _ in range(2):
                finished, messages = await _heard(warm, work)
                # It is prepared in the cold run as well, and fails there as it would in any.
                assert (finished.complete, messages) == (False, [])
                assert finished.cold
                assert why in finished.cold

    async def test_what_runs_threads_is_prepared_for_each_run(self, executor: Executor, stage: Stage) -> None:
        source = """
            import threading

            def prepare(preparation):
                prepare.stop = threading.Event()
                threading.Thread(target=prepare.stop.wait, daemon=True).start()

            def main(request, tell):
                import thing
                tell({"thing": thing.NAME, "threads": threading.active_count()})
        """
        async with executor.warmed(_work(stage, source)) as warm:
            for name in ("one", "two"):
                finished, messages = await _heard(warm, _work(stage, source, name=name))
                assert messages == [{"thing": name, "threads": 2}]
                assert (finished.complete, finished.cold) == (True, "")

    async def test_a_run_has_no_more_open_than_it_needs(self, executor: Executor, stage: Stage) -> None:
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
        work = _work(stage, source)
        async with executor.warmed(work) as warm:
            for _ in range(2):
                assert (await _heard(warm, work))[1] == [{"open": ["/dev/null", "pipe", "pipe", "pipe"]}]

    async def test_cancelling_at_any_moment_leaves_the_next_run_warm(self, executor: Executor, stage: Stage) -> None:
        quick = _work(stage, WAITS, request={"seconds": 0})
        async with executor.warmed(quick) as warm:
            for number in range(12):
                with anyio.move_on_after(number * 0.03):
                    await warm.run(_work(stage, WAITS, request={"seconds": 1000}), lambda _: None)
            finished, messages = await _heard(warm, quick)
            assert (finished.complete, finished.cold, messages[-1]) == (True, "", {"over": True})

    async def test_nobody_is_heard_twice_whatever_a_candidate_says(self, executor: Executor, stage: Stage) -> None:
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
        work = _work(stage, source)
        async with executor.warmed(work) as warm:
            finished, messages = await _heard(warm, work)
        assert messages == [{"before": 1}]
        assert not finished.complete

    async def test_an_error_of_the_context_comes_out_as_it_is(self, executor: Executor, stage: Stage) -> None:
        async def fail() -> None:
            work = _work(stage, PREPARED)
            async with executor.warmed(work) as warm:
                await _heard(warm, work)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await fail()


class CopiesContract(WarmContract):
    """What must hold besides where warm runs are copies of one process."""

    async def test_all_runs_are_copies_of_one_process(self, executor: Executor, stage: Stage) -> None:
        prepared, copies = set(), set()
        async with executor.warmed(_work(stage, PREPARED)) as warm:
            for number in range(4):
                _, [message] = await _heard(warm, _work(stage, PREPARED, name=f"number {number}"))
                prepared.add(message["prepared"][0][0])
                copies.add(message["pid"])
        assert len(prepared) == 1
        assert len(copies) == 4
        assert prepared.isdisjoint(copies)

    async def test_a_file_that_decides_and_appears_or_changes_is_read_anew(
        self, executor: Executor, stage: Stage
    ) -> None:
        source = """
            import os

            def prepare(preparation):
                prepare.text = open("settings.txt").read() if os.path.exists("settings.txt") else "none"

            def main(request, tell):
                tell({"settings": prepare.text})
        """
        work = replace(_work(stage, source), protected=("settings.txt",))
        async with executor.warmed(work) as warm:
            assert (await _heard(warm, work))[1] == [{"settings": "none"}]
            for text in ("new", "newer"):
                stage.write({"settings.txt": text})
                finished, messages = await _heard(warm, work)
                assert messages == [{"settings": text}]
                assert finished.cold == ""

    async def test_a_candidate_that_was_imported_and_forgotten_is_judged_cold(
        self, executor: Executor, stage: Stage
    ) -> None:
        source = """
            import sys

            def prepare(preparation):
                import thing
                prepare.thing = thing
                del sys.modules["thing"]

            def main(request, tell):
                tell({"thing": prepare.thing.NAME})
        """
        async with executor.warmed(_work(stage, source)) as warm:
            finished, messages = await _heard(warm, _work(stage, source, name="theirs"))
            assert messages == [{"thing": "theirs"}]
            assert "the target too" in finished.cold
            # What was imported is the text as it is, so a run on that very text can start there.
            finished, messages = await _heard(warm, _work(stage, source))
            assert (messages, finished.cold) == ([{"thing": "the user's"}], "")

    async def test_what_was_left_open_leads_nowhere_and_its_number_is_not_given_again(
        self, executor: Executor, stage: Stage
    ) -> None:
        source = """
            import os, tempfile

            def prepare(preparation):
                prepare.kept = tempfile.TemporaryFile()
                prepare.kept.write(b"shared")
                prepare.kept.flush()

            def main(request, tell):
                try:
                    tell({"position": prepare.kept.seek(0, os.SEEK_CUR)})
                except OSError:
                    tell({"position": None})
                with open("thing.py") as file:
                    tell({"same": file.fileno() == prepare.kept.fileno()})
                prepare.kept = None
        """
        work = _work(stage, source)
        async with executor.warmed(work) as warm:
            finished, messages = await _heard(warm, work)
        assert messages == [{"position": None}, {"same": False}]
        assert finished.cold == ""

    async def test_the_death_of_what_runs_are_copied_from_loses_no_verdict(
        self, executor: Executor, stage: Stage
    ) -> None:
        work = _work(stage, WAITS, request={"seconds": 0})
        long = _work(stage, WAITS, request={"seconds": 1000})

        async def run_long() -> None:
            results.append((await _heard(warm, long, tell=lambda _: begun.set()))[0])

        results: list[Finished] = []
        async with executor.warmed(work) as warm:
            assert (await _heard(warm, work))[0].cold == ""
            zygotes = _zygotes()
            begun = anyio.Event()
            async with anyio.create_task_group() as group:
                group.start_soon(run_long)
                await begun.wait()
                for zygote in zygotes:
                    os.kill(zygote, signal.SIGKILL)
            assert [(finished.complete, finished.ending) for finished in results] == [(False, Ending.KILLED)]
            finished, messages = await _heard(warm, work)
            assert (finished.complete, finished.cold) == (True, "")
            assert messages[-1] == {"over": True}

    async def test_a_run_that_goes_on_outlives_a_change_of_the_files(self, executor: Executor, stage: Stage) -> None:
        stage.write({"pyproject.toml": ""})
        slow, quick = (_work(stage, WAITS, request={"seconds": seconds}) for seconds in (1.5, 0))
        results: list[Finished] = []
        begun = anyio.Event()

        async def run_slow() -> None:
            results.append((await _heard(warm, slow, tell=lambda _: begun.set()))[0])

        async with executor.warmed(quick) as warm:
            async with anyio.create_task_group() as group:
                group.start_soon(run_slow)
                await begun.wait()
                stage.write({"pyproject.toml": "[project]\n"})
                finished, _ = await _heard(warm, quick)
                assert (finished.complete, finished.cold) == (True, "")
            assert [(finished.complete, finished.cold) for finished in results] == [(True, "")]


class ApartContract:
    """What must hold where a candidate runs apart, whether the run is warm or cold."""

    @pytest.mark.parametrize("warm", [True, False])
    async def test_the_candidate_has_its_text_and_neither_tests_nor_channel(
        self, executor: Executor, stage: Stage, *, warm: bool
    ) -> None:
        source = """
            import json, os

            def prepare(preparation):
                pass

            def seen():
                try:
                    tests = open("tests/test_it.py").read()
                except OSError:
                    tests = None
                try:
                    import thing
                except ImportError:
                    thing = None
                links = [os.readlink("/proc/self/fd/" + name) for name in os.listdir("/proc/self/fd")
                         if os.path.lexists("/proc/self/fd/" + name)]
                kinds = sorted(link.partition(":")[0] for link in links)
                return {"pid": os.getpid(), "tests": tests, "thing": getattr(thing, "NAME", None), "open": kinds}

            def main(request, tell, peer):
                heard = b""
                while True:
                    chunk = peer.recv(65536)
                    if not chunk:
                        break
                    heard += chunk
                tell({"theirs": json.loads(heard.decode()), "mine": seen()})

            def candidate(request, peer):
                peer.sendall(json.dumps(seen()).encode())
        """
        stage.write({"tests/test_it.py": "ANSWER = 42\n"})
        apart = Apart(files=("thing.py",), hidden=("tests",))
        work = replace(_work(stage, source, name="theirs"), apart=apart)
        finished, [message] = await _run_either(executor, work, warm=warm)
        theirs, mine = message["theirs"], message["mine"]
        assert finished.complete
        assert theirs["pid"] != mine["pid"]
        assert (theirs["thing"], mine["thing"]) == ("theirs", "on disk")
        assert (theirs["tests"], mine["tests"]) == (None, "ANSWER = 42\n")
        # What it prints twice, and the socket: no pipe more by which it could say anything.
        assert theirs["open"] == ["/dev/null", "pipe", "pipe", "socket"]
        assert mine["open"] == ["/dev/null", "pipe", "pipe", "pipe", "socket"]

    @pytest.mark.parametrize("warm", [True, False])
    async def test_neither_outlives_the_other_whatever_it_does_against_it(
        self, executor: Executor, stage: Stage, *, warm: bool
    ) -> None:
        source = """
            import ctypes, os, signal, time

            def prepare(preparation):
                pass

            def main(request, tell, peer):
                tell({"heard": peer.recv(1).decode()})

            def candidate(request, peer):
                try:
                    ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)
                except OSError:
                    pass
                for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
                    try:
                        signal.signal(number, signal.SIG_IGN)
                    except (OSError, ValueError):
                        continue
                signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
                peer.sendall(b"x")
                while True:
                    time.sleep(1000)
        """
        work = replace(_work(stage, source), apart=Apart(files=("thing.py",)))
        finished, messages = await _run_either(executor, work, warm=warm)
        assert (finished.complete, messages) == (True, [{"heard": "x"}])
        assert _processes() == []

    @pytest.mark.parametrize("warm", [True, False])
    async def test_the_death_of_the_candidate_is_seen(self, executor: Executor, stage: Stage, *, warm: bool) -> None:
        source = """
            import os

            def prepare(preparation):
                pass

            def main(request, tell, peer):
                tell({"heard": peer.recv(1).decode()})

            def candidate(request, peer):
                os.abort()
        """
        work = replace(_work(stage, source), apart=Apart(files=("thing.py",)))
        finished, messages = await _run_either(executor, work, warm=warm)
        assert (finished.complete, messages) == (True, [{"heard": ""}])


async def _run_either(executor: Executor, work: Work, *, warm: bool) -> tuple[Finished, list[Message]]:
    """Run warm or cold; the processes of either are gone before this returns."""
    if not warm:
        return await _heard(executor, work)
    async with executor.warmed(work) as prepared:
        finished, messages = await _heard(prepared, work)
    assert finished.cold == ""
    return finished, messages


def _work(stage: Stage, source: str, *, name: str = "the user's", **how: Any) -> Work:
    """A run whose candidate is a text for thing.py."""
    return replace(
        stage.work(dedent(source), overlay={"thing.py": f"NAME = {name!r}\n"}, **how), preparation={"word": "common"}
    )


async def _heard(executor: Executor, work: Work, tell: Any = None) -> tuple[Finished, list[Message]]:
    messages: list[Message] = []

    def take(message: Message) -> None:
        messages.append(message)
        if tell is not None:
            tell(message)

    return await executor.run(work, take), messages


def _mine() -> str:
    return f"certo-{os.getpid()}-{start_of(os.getpid())}-"


def _processes() -> list[int]:
    """The processes of runs that are ours, by the mark in their environment."""
    found = []
    for process in census():
        try:
            if _mine().encode() in Path(f"/proc/{process.pid}/environ").read_bytes():
                found.append(process.pid)
        except OSError:
            continue
    return found


def _zygotes() -> list[int]:
    """Our processes that have none below them, while no run goes on."""
    below = descendants(os.getpid())
    parents = {process.parent for process in below}
    return [process.pid for process in below if process.pid not in parents]
