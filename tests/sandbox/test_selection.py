"""The choice of an executor: tried out for real, once, and honest about the findings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest

from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.confinement.kernel_features import FULL_WALLS, NO_WALLS, KernelFeatures
from certo.sandbox.executor import Executor
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.selection import beside_editor, choose_executor, first_that_holds, strongest
from certo.sandbox.selftest import EscapeAttempt, attempt_all
from certo.vocabulary.errors import SandboxUnavailable


@pytest.fixture
def broken_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bubblewrap that is installed but may not make namespaces, as in many containers."""
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return program


async def test_a_broken_bubblewrap_is_skipped(broken_bubblewrap: Path) -> None:
    executor = await choose_executor(SandboxOptions())
    assert isinstance(executor, LocalExecutor)
    assert executor.isolation.startswith("Landlock, seccomp: no network")


async def test_required_bubblewrap_failures_give_advice(broken_bubblewrap: Path) -> None:
    with pytest.raises(SandboxUnavailable, match=r"No permissions to create new namespace.*sandbox.isolation"):
        await choose_executor(SandboxOptions(isolation="bubblewrap"))


async def test_insisting_on_it_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxUnavailable, match="apt install bubblewrap"):
        await choose_executor(SandboxOptions(isolation="bubblewrap"))


async def test_equal_options_share_an_executor() -> None:
    """They share its slots with it."""
    options = SandboxOptions(isolation="process")
    assert await choose_executor(options) is await choose_executor(SandboxOptions(isolation="process"))
    assert await choose_executor(options) is not await choose_executor(SandboxOptions(isolation="process", slots=7))


@pytest.mark.parametrize(("total", "runs"), [(1, 1), (2, 2), (3, 2), (16, 15)])
def test_editors_are_left_one_processor(total: int, runs: int) -> None:
    """Of two none is left free, as one run after the other takes its user's time twice."""
    assert beside_editor(total) == runs


@pytest.mark.bubblewrap
async def test_where_it_works_bubblewrap_is_taken() -> None:
    assert (await choose_executor(SandboxOptions())).isolation.startswith("bubblewrap")


@pytest.mark.parametrize(
    ("walls", "words"),
    [
        (NO_WALLS, "the kernel offers no Landlock and no seccomp"),
        (KernelFeatures(landlock=0, seccomp=True), "the kernel offers no Landlock"),
        (KernelFeatures(landlock=7, seccomp=False), "the kernel offers no seccomp"),
    ],
)
async def test_runs_without_confinement_need_consent(
    broken_bubblewrap: Path, walls: KernelFeatures, words: str
) -> None:
    for isolation in ("auto", "process"):
        with pytest.raises(SandboxUnavailable, match=rf"{words}.*sandbox\.allow_unsandboxed"):
            await strongest(SandboxOptions(isolation=isolation), walls)
    choice = await strongest(SandboxOptions(allow_unsandboxed=True), walls)
    assert choice.withstood == 0
    assert choice.executor.isolation.startswith("not confined: ")


async def test_working_confinement_is_used_despite_consent(broken_bubblewrap: Path) -> None:
    choice = await strongest(SandboxOptions(allow_unsandboxed=True), FULL_WALLS)
    assert choice.withstood == 17
    assert choice.executor.isolation.startswith("Landlock, seccomp: ")


@pytest.mark.bubblewrap
async def test_bubblewrap_needs_seccomp_but_not_landlock() -> None:
    assert await find_bubblewrap()
    choice = await strongest(SandboxOptions(), KernelFeatures(landlock=0, seccomp=True))
    executor = choice.executor
    assert choice.passed_over == ("the kernel offers no Landlock",)
    assert isinstance(executor, BubblewrapExecutor)
    assert executor.isolation.startswith("bubblewrap, seccomp: ")
    with pytest.raises(SandboxUnavailable, match="seccomp"):
        await strongest(SandboxOptions(isolation="bubblewrap"), KernelFeatures(landlock=7, seccomp=False))


async def test_leaky_executors_are_skipped_and_reported(caplog: pytest.LogCaptureFixture) -> None:
    without_filter = LocalExecutor(SandboxOptions(), KernelFeatures(landlock=6, seccomp=False))
    without_files = LocalExecutor(SandboxOptions(), KernelFeatures(landlock=0, seccomp=True))
    whole = LocalExecutor(SandboxOptions())
    choice, passed_over = await first_that_holds([without_filter, without_files, whole])
    assert choice is not None
    assert choice.executor is whole
    assert passed_over == (
        "not confined does not hold here: a program of the self-test could send to a local port, connect to a local "
        "socket, fork, start a program and 7 things more",
        "not confined does not hold here: a program of the self-test could write into the home directory, write into "
        "the project, read a key file",
    )
    assert [record.getMessage() for record in caplog.records] == list(passed_over)


async def test_where_none_holds_there_is_none(broken_bubblewrap: Path) -> None:
    open_to_all = LocalExecutor(SandboxOptions(), NO_WALLS)
    broken = BubblewrapExecutor(SandboxOptions(), broken_bubblewrap)
    choice, passed_over = await first_that_holds([broken, open_to_all])
    assert choice is None
    assert "No permissions to create new namespace" in passed_over[0]
    assert "does not hold here" in passed_over[1]


async def test_concurrent_callers_share_the_trial() -> None:
    found = []

    async def ask() -> None:
        found.append(await choose_executor(SandboxOptions(isolation="process")))

    async with anyio.create_task_group() as group:
        group.start_soon(ask)
        group.start_soon(ask)
    assert found[0] is found[1]


def test_another_event_loop_needs_no_self_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program may call `certo.wait` again and again, which starts an event loop each time."""
    attacked = []

    async def attempts(executor: Executor, *rest: Any) -> tuple[EscapeAttempt, ...]:
        attacked.append(executor)
        return await attempt_all(executor, *rest)

    monkeypatch.setattr("certo.sandbox.selection.attempt_all", attempts)
    options = SandboxOptions(slots=7)
    first, second = (anyio.run(choose_executor, options) for _ in range(2))
    assert first.isolation == second.isolation
    assert first is not second
    assert len(attacked) == 1
