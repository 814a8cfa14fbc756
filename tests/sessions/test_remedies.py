"""The command that makes bubblewrap work: install it, or let the kernel allow it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from certo.sessions.remedies import bubblewrap_remedy

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    return programs


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
