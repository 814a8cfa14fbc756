"""The command that makes bubblewrap work: install it, or let the kernel allow it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from certo.sandbox.executor import Interpreter
from certo.sessions.remedies import bubblewrap_remedy, pytest_remedy
from support.environments import make_environment

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    return programs


def interpreter(executable: Path) -> Interpreter:
    return Interpreter(executable=executable, version=(3, 11, 0), readable=(), why="")


def test_pytest_goes_into_the_environment_with_what_made_it(tmp_path: Path) -> None:
    python = make_environment(tmp_path / "my env")
    assert pytest_remedy(tmp_path, interpreter(python)) == f"'{python}' -m pip install pytest"
    with (tmp_path / "my env" / "pyvenv.cfg").open("a") as configuration:
        configuration.write("uv = 0.5.0\n")
    assert pytest_remedy(tmp_path, interpreter(python)) == f"uv pip install --python '{python}' pytest"


def test_pytest_does_not_go_into_the_systems_python(tmp_path: Path) -> None:
    remedy = pytest_remedy(tmp_path, interpreter(tmp_path / "usr" / "bin" / "python3"))
    place = tmp_path / ".venv"
    assert remedy == f"{tmp_path}/usr/bin/python3 -m venv {place} && {place}/bin/python -m pip install pytest"


@pytest.mark.parametrize(
    ("program", "command"),
    [
        ("dnf", "sudo dnf install bubblewrap"),
        ("pacman", "sudo pacman -S bubblewrap"),
        ("something", ""),
    ],
)
def test_what_is_not_installed_is_installed_with_what_there_is(programs: Path, program: str, command: str) -> None:
    (programs / program).touch(mode=0o755)
    assert bubblewrap_remedy() == command


@pytest.mark.parametrize(
    ("switches", "command"),
    [
        ({}, ""),
        ({"unprivileged_userns_clone": "1\n", "apparmor_restrict_unprivileged_userns": "0\n"}, ""),
        (
            {"apparmor_restrict_unprivileged_userns": "1\n"},
            "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0",
        ),
        ({"unprivileged_userns_clone": "0\n"}, "sudo sysctl kernel.unprivileged_userns_clone=1"),
    ],
)
def test_what_the_kernel_forbids_is_allowed(
    programs: Path, tmp_path: Path, switches: dict[str, str], command: str
) -> None:
    (programs / "bwrap").touch(mode=0o755)
    for name, value in switches.items():
        (tmp_path / name).write_text(value)
    assert bubblewrap_remedy(tmp_path) == command
