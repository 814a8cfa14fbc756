"""Which executor is chosen: tried out for real, once, and honest about what it found."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.sandbox.choosing import choose_executor
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.vocabulary.errors import SandboxUnavailable


@pytest.fixture
def broken_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bubblewrap that is installed but may not make namespaces, as in many containers."""
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return program


async def test_a_bubblewrap_that_does_not_work_is_passed_over(broken_bubblewrap: Path) -> None:
    executor = await choose_executor(SandboxOptions())
    assert isinstance(executor, LocalExecutor)
    assert executor.isolation.startswith("Landlock, seccomp: no network")


async def test_insisting_on_it_says_what_is_wrong_and_what_to_do(broken_bubblewrap: Path) -> None:
    with pytest.raises(SandboxUnavailable, match=r"No permissions to create new namespace.*sandbox.isolation"):
        await choose_executor(SandboxOptions(isolation="bubblewrap"))


async def test_insisting_on_it_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxUnavailable, match="apt install bubblewrap"):
        await choose_executor(SandboxOptions(isolation="bubblewrap"))


async def test_equal_options_share_one_executor_and_so_its_slots() -> None:
    options = SandboxOptions(isolation="process")
    assert await choose_executor(options) is await choose_executor(SandboxOptions(isolation="process"))
    assert await choose_executor(options) is not await choose_executor(SandboxOptions(isolation="process", slots=7))


@pytest.mark.bubblewrap
async def test_where_it_works_bubblewrap_is_taken() -> None:
    assert (await choose_executor(SandboxOptions())).isolation.startswith("bubblewrap")
