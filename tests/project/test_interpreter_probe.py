"""One interpreter, asked once: it describes itself, and leaves nothing running."""

from __future__ import annotations

import sys
from pathlib import Path

import anyio
import pytest

from certo.project.interpreter_probe import Probed, UnusableInterpreter, probe
from support.projects.environments import make_environment, make_program


async def test_an_interpreter_says_what_it_is(tmp_path: Path) -> None:
    python = make_environment(tmp_path / "env", "pytest==6.2.5")
    found = await probe(python, ["pytest", "numbo"])
    assert isinstance(found, Probed)
    assert (found.executable, found.version, found.pytest) == (python, sys.version_info[:3], "6.2.5")
    assert (found.prefix, found.base_prefix) == (tmp_path / "env", Path(sys.base_prefix))
    assert found.missing == ("numbo",)
    assert Path(tmp_path / "env") in found.places
    assert all(place.is_dir() for place in found.places)


async def test_a_shim_is_seen_through(tmp_path: Path) -> None:
    python = make_environment(tmp_path / "env")
    shim = make_program(tmp_path / "shim", f'#!/bin/sh\nexec {python} "$@"\n')
    found = await probe(shim)
    assert isinstance(found, Probed)
    assert found.executable == python


async def test_the_probe_sees_no_keys_or_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the user's keys nor the variables of Python reach it."""
    monkeypatch.setenv("SECRET_KEY", "x")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    seen = tmp_path / "seen"
    spy = make_program(tmp_path / "spy", f'#!/bin/sh\nenv > {seen}\nexec {sys.executable} "$@"\n')
    found = await probe(spy)
    assert isinstance(found, Probed)
    assert tmp_path not in found.places
    assert "SECRET_KEY" not in seen.read_text()


async def test_output_of_a_startup_hook_is_ignored(tmp_path: Path) -> None:
    python = make_environment(tmp_path / "env")
    (packages,) = (tmp_path / "env").glob("lib/python*/site-packages")
    (packages / "sitecustomize.py").write_text("print('{}', end='')\n")
    assert isinstance(await probe(python), Probed)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("#!/bin/sh\nexit 7\n", "is not a working Python (exit code 7: it printed nothing)"),
        ("#!/bin/sh\necho broken >&2\nkill -9 $$\n", "is not a working Python (exit code -9: broken)"),
        ("#!/no/such/program\n", "cannot be started (No such file or directory)"),
    ],
)
async def test_a_non_python_is_unusable(tmp_path: Path, script: str, reason: str) -> None:
    assert await probe(make_program(tmp_path / "program", script)) == UnusableInterpreter(reason=reason)


async def test_a_file_without_permission_is_unusable(tmp_path: Path) -> None:
    (tmp_path / "python").write_text("no program")
    assert await probe(tmp_path / "python") == UnusableInterpreter(reason="cannot be started (Permission denied)")


async def test_cancelling_kills_the_whole_tree(tmp_path: Path) -> None:
    alive = tmp_path / "alive"
    slow = make_program(
        tmp_path / "slow", f"#!/bin/sh\n(sleep 60) &\necho $! > {alive}.tmp\nmv {alive}.tmp {alive}\nwait\n"
    )
    async with anyio.create_task_group() as group:
        group.start_soon(probe, slow)
        while not alive.exists():
            await anyio.lowlevel.checkpoint()
        group.cancel_scope.cancel()
    child = Path("/proc") / alive.read_text().strip() / "stat"
    with anyio.fail_after(100):
        while child.exists() and ") Z " not in child.read_text():
            await anyio.lowlevel.checkpoint()


async def test_interpreter_is_asked_again_once_it_changed(tmp_path: Path) -> None:
    """A package that was installed, or another Python under the name, is noticed; else it is not started again."""
    python = make_environment(tmp_path / "env")
    first = await probe(python)
    assert isinstance(first, Probed)
    assert first.pytest is None
    assert await probe(python) is first
    (packages,) = (tmp_path / "env").glob("lib/python*/site-packages")
    (packages / "pytest.py").write_text("")
    metadata = packages / "pytest-8.0.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: pytest\nVersion: 8.0.0\n")
    second = await probe(python)
    assert isinstance(second, Probed)
    assert second.pytest == "8.0.0"
    python.unlink()
    assert isinstance(await probe(python), UnusableInterpreter)


async def test_starting_scripts_are_always_asked(tmp_path: Path) -> None:
    chosen = tmp_path / "chosen"
    shim = make_program(tmp_path / "shim", f'#!/bin/sh\nexec $(cat {chosen}) "$@"\n')
    pythons = [make_environment(tmp_path / name) for name in ("one", "other")]
    for python in pythons:
        chosen.write_text(str(python))
        found = await probe(shim)
        assert isinstance(found, Probed)
        assert found.executable == python
