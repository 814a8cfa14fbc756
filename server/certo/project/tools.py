"""Which tools that read code a project has set up, by the files that configure them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from certo.project.declared import read_declared

_OWN_FILES = {
    "mypy": ("mypy.ini", ".mypy.ini"),
    "pyright": ("pyrightconfig.json",),
    "ty": ("ty.toml",),
    "ruff": ("ruff.toml", ".ruff.toml"),
    "flake8": (".flake8",),
}
"""Files that are there for one tool only."""

_SECTIONS = {
    "mypy": {"setup.cfg": re.compile(r"^\[mypy(-.*)?\]", re.MULTILINE)},
    "flake8": {
        "setup.cfg": re.compile(r"^\[flake8\]", re.MULTILINE),
        "tox.ini": re.compile(r"^\[flake8\]", re.MULTILINE),
    },
}
"""Sections of files that several tools share."""

_TABLES = {"mypy": {"mypy"}, "pyright": {"pyright", "basedpyright"}, "ruff": {"ruff"}, "ty": {"ty"}}
"""The tables that tools read in pyproject.toml."""

_BELOW_TOO = frozenset({"ruff"})
"""Tools that take the configuration nearest to the document; the others take the root's."""


def configured_tools(root: Path, path: str) -> frozenset[str]:
    """Return the names of the tools that are configured for the document at `path` in the project at `root`."""
    return frozenset(
        tool
        for tool, own_files in _OWN_FILES.items()
        for place in _places(root, path, below=tool in _BELOW_TOO)
        if any((place / name).is_file() for name in own_files)
        or not read_declared(place).tools.isdisjoint(_TABLES.get(tool, set()))
        or any(section.search(_text_of(place / name)) for name, section in _SECTIONS.get(tool, {}).items())
    )


def _places(root: Path, path: str, *, below: bool) -> Iterator[Path]:
    yield root
    if below:
        yield from (root / parent for parent in PurePosixPath(path).parents)


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
