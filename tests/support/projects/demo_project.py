"""A copy of the project that `certo demo` works on, for blocks of the documents to run in."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from certo.cli.demo import EXAMPLE
from support.cli.command import environment

_ID = re.compile(r"\b[0-9a-f]{8,40}\b")
_NUMBER_WITH_POINT = re.compile(r"\d+\.\d+")
CHOSEN = {"CERTO_SEARCH__SEED": "0", "CERTO_SEARCH__SECONDS": "300", "CERTO_BUILTIN__SECONDS": "120"}
_ANY = "…"
"""What stands in shown output for anything: a part of a line or, alone on its line, any number of lines."""


@dataclass(frozen=True)
class Shown:
    """A command as a block of `console` shows it, with its output."""

    command: str
    output: str


def copy_demo_project(parent: Path) -> Path:
    """Return a new copy of the demo project below `parent`."""
    return Path(shutil.copytree(EXAMPLE, parent / "till", ignore=shutil.ignore_patterns("__pycache__", ".*")))


def run_line(line: str, project: Path) -> tuple[int, str]:
    """Run a line of shell in the project and return its exit code and what a terminal would show.

    `certo` is the one under test, with the random seed 0 and so much time that a busy machine finds the same.
    """
    programs = project.parent / "bin"
    programs.mkdir(exist_ok=True)
    certo = programs / "certo"
    certo.write_text(f'#!/bin/sh\nexec {sys.executable} -m certo "$@"\n', encoding="utf-8")
    certo.chmod(0o755)
    variables = environment(project.parent, **CHOSEN, COLUMNS="100")
    variables["PATH"] = f"{programs}:{Path(sys.executable).parent}:{variables['PATH']}"
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=project,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=300,
    )
    return done.returncode, done.stdout.decode("utf-8")


def shown_commands(text: str) -> Iterator[Shown]:
    """Yield the commands of a block of `console`, each with the lines up to the next one."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield Shown(command, output)


def is_as_shown(shown: str, printed: str) -> bool:
    """True if the output is the one that is shown; times, ids and the layout in columns may differ."""
    lines = [_comparable(line) for line in shown.strip().splitlines()]
    pattern = "\n".join(".*" if line == _ANY else re.escape(line).replace(_ANY, "[^\n]*") for line in lines)
    comparable = "\n".join(_comparable(line) for line in printed.strip().splitlines())
    return re.fullmatch(pattern, comparable, re.DOTALL) is not None


def _comparable(line: str) -> str:
    return " ".join(_NUMBER_WITH_POINT.sub("0.0", _ID.sub("0", line)).split())
