"""The user's git is found, and asked for its version only while it is not known."""

from __future__ import annotations

from pathlib import Path

from certo.project.git import find_git


def write_git(folder: Path, version: str) -> Path:
    """Write a git that notes each question."""
    program = folder / "git"
    program.write_text(f"#!/bin/sh\necho asked >> {folder}/log\necho git version {version}\n")
    program.chmod(0o755)
    return program


async def test_version_is_asked_once(tmp_path: Path) -> None:
    program = write_git(tmp_path, "2.40.0")
    environ = {"PATH": str(tmp_path)}
    assert await find_git(environ) == await find_git(environ) == str(program)
    assert (tmp_path / "log").read_text() == "asked\n"


async def test_another_program_is_asked_again(tmp_path: Path) -> None:
    environ = {"PATH": str(tmp_path)}
    write_git(tmp_path, "2.40.0")
    assert await find_git(environ)
    write_git(tmp_path, "1.7.0.5")
    assert await find_git(environ) is None
    assert (tmp_path / "log").read_text() == "asked\nasked\n"
