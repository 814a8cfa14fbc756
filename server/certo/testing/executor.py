"""Contract of an executor: run a program, pass on its messages, enforce its limits, leave nothing behind."""

from __future__ import annotations

import os
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import anyio

from certo.sandbox.executor import Ending, Executor, Finished, Interpreter, Limits, Message, Program, Work
from certo.testing.fixtures import awaited

_CANARY = "CERTO_CONTRACT_KEY"


class ExecutorContract(ABC):
    """Tests for an executor; a Test… subclass creates one for each test."""

    @abstractmethod
    def executor(self) -> Executor:
        """Return the executor under test."""

    def interpreter(self) -> Interpreter:
        """Return the Python that programs run under, by default the one of the tests."""
        prefixes = {Path(sys.prefix), Path(sys.base_prefix)}
        version = sys.version_info[:3]
        return Interpreter(
            executable=Path(sys.executable), version=version, readable=tuple(sorted(prefixes)), why="it runs the tests"
        )

    def test_it_says_how_runs_are_confined(self) -> None:
        """Users decide by this description."""
        executor = self.executor()
        assert executor.isolation.strip()
        assert executor.policies, "it allows no policy at all"
        assert all(executor.isolation_under(policy).strip() for policy in executor.policies)

    def test_messages_come_in_order_each_once(self) -> None:
        """Messages of a program arrive in the order in which they were sent."""
        finished, heard = self._ran(
            "def main(request, tell):\n    for n in range(request['n']):\n        tell({'n': n})\n"
        )
        assert [message["n"] for message in heard] == list(range(100))
        assert finished.complete
        assert (finished.ending, finished.status) == (Ending.EXITED, 0)

    def test_a_program_that_breaks_is_no_exception_and_proves_nothing(self) -> None:
        """It ends with a status, its words are kept, and it is not complete."""
        finished, heard = self._ran("def main(request, tell):\n    tell({'n': 0})\n    raise ValueError('it broke')\n")
        assert heard == [{"n": 0}]
        assert not finished.complete
        assert finished.status != 0
        assert "it broke" in finished.printed

    def test_a_program_that_leaves_early_proves_nothing(self) -> None:
        """Only a program that returned has sent all its messages."""
        finished, _ = self._ran("import os\n\ndef main(request, tell):\n    os._exit(0)\n")
        assert not finished.complete

    def test_a_program_that_does_not_end_is_killed(self) -> None:
        """No loop is too tight for it."""
        limits = Limits(wall_seconds=0.5, cpu_seconds=60)
        finished, _ = self._ran("def main(request, tell):\n    while True:\n        pass\n", limits=limits)
        assert finished.ending is Ending.WALL
        assert not finished.complete

    def test_imports_see_the_candidate_and_the_file_stays_as_it_is(self) -> None:
        """The overlay's text replaces the file's, and the file is not written."""
        with _staged("import thing\n\ndef main(request, tell):\n    tell({'name': thing.NAME})\n") as (root, program):
            (root / "thing.py").write_text("NAME = 'on disk'\n", encoding="utf-8")
            work = replace(self._work(root, program), overlay={"thing.py": "NAME = 'theirs'\n"})
            _, heard = awaited(lambda: _run(self.executor(), work))
            assert heard == [{"name": "theirs"}]
            assert (root / "thing.py").read_text(encoding="utf-8") == "NAME = 'on disk'\n"

    def test_nothing_of_our_environment_is_seen(self) -> None:
        """Environments contain keys."""
        os.environ[_CANARY] = "sk-canary"
        try:
            _, [seen] = self._ran("import os\n\ndef main(request, tell):\n    tell({'names': sorted(os.environ)})\n")
        finally:
            del os.environ[_CANARY]
        assert _CANARY not in seen["names"]

    def test_being_cancelled_ends_the_run(self) -> None:
        """A cancelled caller does not wait for the program."""
        with _staged("import time\n\ndef main(request, tell):\n    tell({})\n    time.sleep(1000)\n") as (
            root,
            program,
        ):

            async def cancel() -> None:
                async with anyio.create_task_group() as group:
                    said = anyio.Event()
                    group.start_soon(self.executor().run, self._work(root, program), lambda _: said.set())
                    await said.wait()
                    group.cancel_scope.cancel()

            awaited(cancel)

    def _ran(self, source: str, limits: Limits | None = None) -> tuple[Finished, list[Message]]:
        with _staged(source) as (root, program):
            work = self._work(root, program)
            wanted = work if limits is None else replace(work, limits=limits)
            return awaited(lambda: _run(self.executor(), wanted))

    def _work(self, root: Path, program: Program) -> Work:
        return Work(program=program, request={"n": 100}, interpreter=self.interpreter(), root=root)


async def _run(executor: Executor, work: Work) -> tuple[Finished, list[Message]]:
    heard: list[Message] = []
    finished = await executor.run(work, heard.append)
    return finished, heard


@contextmanager
def _staged(source: str) -> Iterator[tuple[Path, Program]]:
    """Yield an empty project root and a program of this source beside it."""
    with tempfile.TemporaryDirectory() as folder:
        root, home = Path(folder, "project"), Path(folder, "program")
        root.mkdir()
        home.mkdir()
        (home / "contract_program.py").write_text(dedent(source), encoding="utf-8")
        yield root, Program(home=home, module="contract_program")
