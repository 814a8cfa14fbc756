"""What every executor must do besides where warm runs are copies of one process."""

from __future__ import annotations

import contextlib
import os
import signal
from dataclasses import replace

import anyio

from certo.sandbox.executor import Ending, Executor, Finished
from contracts.warm import PREPARED, WAITS, WarmContract
from support.sandbox.prepared_runs import heard_of, own_zygotes, work_of
from support.sandbox.stage import Stage


class CopiesContract(WarmContract):
    """What must hold besides where warm runs are copies of one process."""

    async def test_all_runs_are_copies_of_one_process(self, executor: Executor, stage: Stage) -> None:
        prepared, copies = set(), set()
        async with executor.warmed(work_of(stage, PREPARED)) as warm:
            for number in range(4):
                _, [message] = await heard_of(warm, work_of(stage, PREPARED, name=f"number {number}"))
                prepared.add(message["prepared"][0][0])
                copies.add(message["pid"])
        assert len(prepared) == 1
        assert len(copies) == 4
        assert prepared.isdisjoint(copies)

    async def test_changed_or_new_deciding_files_are_reread(self, executor: Executor, stage: Stage) -> None:
        source = """
            import os

            def prepare(preparation):
                prepare.text = open("settings.txt").read() if os.path.exists("settings.txt") else "none"

            def main(request, tell):
                tell({"settings": prepare.text})
        """
        work = replace(work_of(stage, source), protected=("settings.txt",))
        async with executor.warmed(work) as warm:
            assert (await heard_of(warm, work))[1] == [{"settings": "none"}]
            for text in ("new", "newer"):
                stage.write({"settings.txt": text})
                finished, messages = await heard_of(warm, work)
                assert messages == [{"settings": text}]
                assert finished.cold == ""

    async def test_forgotten_imports_of_candidates_run_cold(self, executor: Executor, stage: Stage) -> None:
        source = """
            import sys

            def prepare(preparation):
                import thing
                prepare.thing = thing
                del sys.modules["thing"]

            def main(request, tell):
                tell({"thing": prepare.thing.NAME})
        """
        async with executor.warmed(work_of(stage, source)) as warm:
            finished, messages = await heard_of(warm, work_of(stage, source, name="theirs"))
            assert messages == [{"thing": "theirs"}]
            assert "the target too" in finished.cold
            # What was imported is the text as it is, so a run on that very text can start there.
            finished, messages = await heard_of(warm, work_of(stage, source))
            assert (messages, finished.cold) == ([{"thing": "the user's"}], "")

    async def test_left_open_descriptors_are_not_reused(self, executor: Executor, stage: Stage) -> None:
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
        work = work_of(stage, source)
        async with executor.warmed(work) as warm:
            finished, messages = await heard_of(warm, work)
        assert messages == [{"position": None}, {"same": False}]
        assert finished.cold == ""

    async def test_death_of_the_zygote_loses_nothing(self, executor: Executor, stage: Stage) -> None:
        work = work_of(stage, WAITS, request={"seconds": 0})
        long = work_of(stage, WAITS, request={"seconds": 1000})

        async def run_long() -> None:
            results.append((await heard_of(warm, long, tell=lambda _: begun.set()))[0])

        results: list[Finished] = []
        async with executor.warmed(work) as warm:
            assert (await heard_of(warm, work))[0].cold == ""
            zygotes = own_zygotes()
            begun = anyio.Event()
            async with anyio.create_task_group() as group:
                group.start_soon(run_long)
                await begun.wait()
                for zygote in zygotes:
                    # One of an earlier test may have ended since they were looked up.
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(zygote, signal.SIGKILL)
            assert [(finished.complete, finished.ending) for finished in results] == [(False, Ending.KILLED)]
            finished, messages = await heard_of(warm, work)
            assert (finished.complete, finished.cold) == (True, "")
            assert messages[-1] == {"over": True}

    async def test_running_runs_survive_file_changes(self, executor: Executor, stage: Stage) -> None:
        stage.write({"pyproject.toml": ""})
        slow, quick = (work_of(stage, WAITS, request={"seconds": seconds}) for seconds in (1.5, 0))
        results: list[Finished] = []
        begun = anyio.Event()

        async def run_slow() -> None:
            results.append((await heard_of(warm, slow, tell=lambda _: begun.set()))[0])

        async with executor.warmed(quick) as warm:
            async with anyio.create_task_group() as group:
                group.start_soon(run_slow)
                await begun.wait()
                stage.write({"pyproject.toml": "[project]\n"})
                finished, _ = await heard_of(warm, quick)
                assert (finished.complete, finished.cold) == (True, "")
            assert [(finished.complete, finished.cold) for finished in results] == [(True, "")]
