"""The generator without a model, seen from the daemon's side: what it hands out, what it declines, how it ends."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import anyio
import pytest

from certo.concurrency import background_tasks
from certo.generation.builtin.generator import BuiltinGenerator
from certo.generation.builtin.options import BuiltinOptions
from certo.generation.generator import Ask, Declined, ProblemPreview, Proposal
from certo.project.interpreter import find_interpreter
from certo.sandbox.executor import ExecutorWrapper, Finished, Interpreter, Message, Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.process.process import Launch
from certo.sandbox.process.process_table import descendants
from certo.vocabulary.errors import NoInterpreter
from certo.vocabulary.problem import Goal, Problem
from support.projects.bare_environment import bare_interpreter
from support.projects.environments import make_environment
from support.search.builtin_searches import generator, searched, stated, text_of

SOURCE = dedent(
    """
    def double(n):
        return n + 1
    """
)
TESTS = """
from mod import double
def test_two():
    assert double(2) > 3
def test_one():
    assert double(1) == 2
"""


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    return stated(tmp_path, SOURCE, "double", tests=TESTS, failing=["test_two"], passing=["test_one"])


@pytest.mark.slow
async def test_one_seed_gives_one_answer(problem: Problem) -> None:
    first, ended = await searched(problem)
    again, ended_again = await searched(problem)
    assert first, ended.reason
    assert first == again
    assert ended == ended_again


async def test_no_two_proposals_are_the_same_program(problem: Problem) -> None:
    found, _ = await searched(problem, BuiltinOptions(seconds=40.0, plausible=5))
    shapes = [ast.dump(ast.parse(text_of(problem, one))) for one in found]
    assert 1 < len(shapes) == len(set(shapes)) <= 5


async def test_concurrent_requests_get_different_proposals(problem: Problem) -> None:
    answers: list[Proposal | Declined] = []
    async with generator(BuiltinOptions(seconds=40.0, plausible=2)).open(problem, lambda _: None) as proposer:

        async def asker(slot: int) -> None:
            answers.append(await proposer.propose(Ask(slot=slot)))

        async with anyio.create_task_group() as group:
            for slot in range(3):
                group.start_soon(asker, slot)
    proposals = [one for one in answers if isinstance(one, Proposal)]
    assert len({one.edits for one in proposals}) == len(proposals) == 2
    (declined,) = (one for one in answers if isinstance(one, Declined))
    assert declined.reason


class Begun(ExecutorWrapper):
    """An executor that notes the programs it began; `searched` is set when a search has ended."""

    def __init__(self) -> None:
        super().__init__(LocalExecutor(SandboxOptions()))
        self.programs: list[str] = []
        self.searched = anyio.Event()

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        self.programs.append(work.program.module)
        finished = await self._executor.run(work, tell)
        if work.program.module == "certo_builtin.search":
            self.searched.set()
        return finished


async def test_comparison_waits_for_the_first_verdict(problem: Problem) -> None:
    begun = Begun()
    options = BuiltinOptions(seconds=40.0, plausible=3)
    async with BuiltinGenerator(begun, bare_interpreter(), options).open(problem, lambda _: None) as proposer:
        assert isinstance(await proposer.propose(Ask()), Proposal)
        await begun.searched.wait()
        await anyio.wait_all_tasks_blocked()
        assert begun.programs == ["certo_builtin.search"]
        assert await proposer.selection()
        assert begun.programs[1:]


async def test_unsuccessful_search_reports_its_trials(tmp_path: Path) -> None:
    tests = """
    from mod import double
    def test_red():
        assert double(2) == object()
    """
    problem = stated(tmp_path, SOURCE, "double", tests=tests, failing=["test_red"])
    found, ended = await searched(problem, BuiltinOptions(seconds=60.0, candidates=50))
    assert not found
    assert ended.reason.startswith("tried 50 edits of ")
    assert ended.reason.endswith("none passes the failing tests")


async def test_progress_is_said(problem: Problem) -> None:
    said: list[str] = []
    async with generator().open(problem, said.append) as proposer:
        await proposer.propose(Ask())
    assert any("2 tests" in sentence for sentence in said)


async def test_leaving_ends_the_search_and_its_processes(tmp_path: Path) -> None:
    """The processes below ours are listed from outside, for the search can leave no mark there."""
    tests = """
    from mod import double
    def test_red():
        assert double(2) == object()
    """
    problem = stated(tmp_path / "project", SOURCE, "double", tests=tests, failing=["test_red"])
    async with generator().open(problem, lambda _: None):
        with anyio.fail_after(100):
            # The keeper, the program, and a trial in a process of its own.
            while len(pids := {process.pid for process in descendants(os.getpid())}) < 3:
                await anyio.lowlevel.checkpoint()
    assert not [pid for pid in pids if is_alive(pid)]


def is_alive(pid: int) -> bool:
    """True if a process runs; one that is dead and waits to be noticed by its parent does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize(
    ("goal", "failing", "words"),
    [
        (Goal.REWRITE, ["test_two"], "cannot follow an instruction"),
        (Goal.REPAIR, [], "no test of double fails"),
        (Goal.IMPLEMENT, [], "no doctest, no test and no example says what double should do"),
    ],
)
async def test_unsupported_problems_are_declined_with_a_reason(
    goal: Goal, failing: list[str], words: str, tmp_path: Path
) -> None:
    problem = stated(tmp_path, SOURCE, "double", tests=TESTS, failing=failing, goal=goal)
    found, ended = await searched(problem)
    assert not found
    assert words in ended.reason
    assert "language model" in ended.reason


async def test_a_missing_interpreter_is_a_broken_world(problem: Problem, tmp_path: Path) -> None:
    gone = Interpreter(executable=tmp_path / "gone", version=(3, 11, 0), readable=(), why="a test")
    builtin = BuiltinGenerator(LocalExecutor(SandboxOptions()), gone, BuiltinOptions())
    async with builtin.open(problem, lambda _: None) as proposer:
        with pytest.raises(NoInterpreter):
            await proposer.propose(Ask())


class Removing(ExecutorWrapper):
    """An executor whose first run ends after the project's environment was removed."""

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run a program; at its end, its interpreter is gone."""
        finished = await self._executor.run(work, tell)
        work.interpreter.executable.unlink()
        return finished


async def test_removing_the_interpreter_is_a_broken_world(tmp_path: Path) -> None:
    """The environment has no pytest any more, but installing that is no advice."""
    python = make_environment(tmp_path / "env")
    found = await find_interpreter(tmp_path, chosen=str(python), environ={})
    problem = stated(tmp_path, SOURCE, "double", tests=TESTS, failing=["test_two"])
    builtin = BuiltinGenerator(Removing(LocalExecutor(SandboxOptions())), found, BuiltinOptions())
    async with builtin.open(problem, lambda _: None) as proposer:
        with pytest.raises(NoInterpreter, match="was removed while certo searched"):
            await proposer.propose(Ask())


async def test_failing_imports_end_with_a_reason(tmp_path: Path) -> None:
    tests = """
    from mod import double, missing
    def test_red():
        assert double(2) == 4
    """
    problem = stated(tmp_path, SOURCE, "double", tests=tests, failing=["test_red"])
    found, ended = await searched(problem)
    assert not found
    assert "collect" in ended.reason


@pytest.mark.usual_cases("--stepwise --junitxml=out.xml")
@pytest.mark.parametrize("addopts", ["--last-failed", "--stepwise --junitxml=out.xml"])
async def test_pytest_settings_do_not_end_the_search(tmp_path: Path, addopts: str) -> None:
    """A project may set any option of pytest."""
    others = {"pytest.ini": f"[pytest]\naddopts = {addopts}\n"}
    problem = stated(tmp_path, SOURCE, "double", tests=TESTS, failing=["test_two"], passing=["test_one"], others=others)
    found, ended = await searched(problem, BuiltinOptions(plausible=1))
    assert found, ended.reason
    assert "out.xml" not in os.listdir(tmp_path)


async def test_report_reading_fixtures_can_pass(tmp_path: Path) -> None:
    tests = """
    from mod import double
    def test_two(tmp_path):
        assert double(2) > 3
    """
    problem = stated(tmp_path, SOURCE, "double", tests=tests, failing=["test_two"])
    found, ended = await searched(problem, BuiltinOptions(seconds=60.0, plausible=1))
    assert found, ended.reason


class Counting(LocalExecutor):
    """An executor that notes of each worker it starts whether it is to wait for its run."""

    def __init__(self) -> None:
        super().__init__(SandboxOptions())
        self.waiting: list[bool] = []
        self.started = anyio.Event()

    def launch(self, work: Work, directory: Path, awaits: int | None = None, control: int | None = None) -> Launch:
        self.waiting.append(awaits is not None)
        self.started.set()
        return super().launch(work, directory, awaits, control)


async def test_prepared_process_runs_the_search(problem: Problem) -> None:
    executor = Counting()
    ahead = BuiltinGenerator(executor, bare_interpreter(), BuiltinOptions(seconds=40.0, plausible=1))
    async with background_tasks() as beside:
        beside.start_soon(ahead.stand_by, ProblemPreview.of(problem))
        await executor.started.wait()
        async with ahead.open(problem, lambda _: None) as proposer:
            found = await proposer.propose(Ask())
    assert isinstance(found, Proposal)
    assert executor.waiting == [True]


PLUGIN = """
import pytest

class Later:
    def __init__(self, number):
        self.number = number

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    for name, value in item.funcargs.items():
        item.funcargs[name] = value.number if isinstance(value, Later) else int(value)
"""


@pytest.mark.parametrize("values", ['["1", "2"]', "[Later(2)]"])
async def test_pytest_runs_what_a_plugin_changes(tmp_path: Path, values: str) -> None:
    """Called directly, all of them fail whatever the function does."""
    tests = f"""
    import pytest
    from later import Later
    from mod import double
    @pytest.mark.parametrize("number", {values})
    def test_double(number):
        assert double(number) == number + number
    """
    conftest = """
    import os, sys
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "site-packages"))
    pytest_plugins = ["later"]
    """
    others = {"site-packages/later.py": PLUGIN, "conftest.py": dedent(conftest)}
    failing, passing = (
        (["test_double[2]"], ["test_double[1]"]) if "Later" not in values else (["test_double[number0]"], [])
    )
    problem = stated(tmp_path, SOURCE, "double", tests=tests, failing=failing, passing=passing, others=others)
    found, ended = await searched(problem)
    assert found, ended.reason
