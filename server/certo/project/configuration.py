"""Declarations of a project in pyproject.toml: required Python and distributions, commands and tests."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from certo.vocabulary.records import dataclass

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_OLDEST = re.compile(r"(?:>=|~=|==|\^)\s*3\.(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """Declarations of a project.

    `oldest` is the minimum (major, minor) of Python, None if not stated plainly. `distributions` are required names,
    without those behind an environment marker or an extra. `tools` are the names of the `[tool.…]` tables, `scripts`
    the commands with their entry points ("package.module:function"), and `test_paths` pytest's configured paths.
    """

    oldest: tuple[int, int] | None = None
    distributions: tuple[str, ...] = ()
    tools: frozenset[str] = frozenset()
    scripts: tuple[tuple[str, str], ...] = ()
    test_paths: tuple[str, ...] = ()


def read_declared(root: Path) -> Declared:
    """Return the declarations of the project at `root`; none for a missing or unreadable pyproject.toml.

    An unreadable file is reported elsewhere, by the settings, which are read from it too.
    """
    try:
        return _declared((root / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Declared()


@lru_cache(maxsize=16)
def _declared(text: str) -> Declared:
    """Return what the text of a pyproject.toml declares; the same text is read many times in one search."""
    table = tomllib.loads(text)
    project = _table(table, "project")
    poetry = _table(_table(table, "tool"), "poetry")
    poetry_needs = _table(poetry, "dependencies")
    requirement = project.get("requires-python") or poetry_needs.get("python")
    oldest = _OLDEST.search(requirement) if isinstance(requirement, str) else None
    listed = project.get("dependencies")
    lines = [line for line in listed if isinstance(line, str)] if isinstance(listed, list) else []
    named = [_NAME.match(line.strip()) for line in lines if ";" not in line]
    scripts = {**_table(poetry, "scripts"), **_table(project, "scripts")}
    pytest = _table(_table(_table(table, "tool"), "pytest"), "ini_options").get("testpaths")
    paths = pytest.split() if isinstance(pytest, str) else pytest if isinstance(pytest, list) else []
    required = [name for name, need in poetry_needs.items() if name != "python" and isinstance(need, str)]
    return Declared(
        oldest=(3, int(oldest.group(1))) if oldest else None,
        distributions=(*(match.group() for match in named if match), *required),
        tools=frozenset(_table(table, "tool")),
        scripts=tuple((name, called) for name, called in scripts.items() if isinstance(called, str)),
        test_paths=tuple(path for path in paths if isinstance(path, str)),
    )


def _table(outer: dict[str, Any], name: str) -> dict[str, Any]:
    inner = outer.get(name)
    return inner if isinstance(inner, dict) else {}


_OWN_FILES = {
    "mypy": ("mypy.ini", ".mypy.ini"),
    "pyright": ("pyrightconfig.json",),
    "ty": ("ty.toml",),
    "ruff": ("ruff.toml", ".ruff.toml"),
    "flake8": (".flake8",),
}
"""Configuration files of one tool only."""

_SECTIONS = {
    "mypy": {"setup.cfg": re.compile(r"^\[mypy(-.*)?\]", re.MULTILINE)},
    "flake8": {
        "setup.cfg": re.compile(r"^\[flake8\]", re.MULTILINE),
        "tox.ini": re.compile(r"^\[flake8\]", re.MULTILINE),
    },
}
"""Sections of configuration files shared by several tools."""

_TABLES = {"mypy": {"mypy"}, "pyright": {"pyright", "basedpyright"}, "ruff": {"ruff"}, "ty": {"ty"}}
"""Tables that tools read in pyproject.toml."""

_BELOW_TOO = frozenset({"ruff"})
"""Tools that use the configuration nearest to the document; the others use the root's."""


def configured_tools(root: Path, path: str) -> frozenset[str]:
    """Return the names of the tools that are configured for the document at `path` in the project at `root`."""
    below = (_configured(root / parent, _BELOW_TOO) for parent in PurePosixPath(path).parents[:-1])
    return _configured(root, _OWN_FILES).union(*below)


def _configured(place: Path, tools: Iterable[str]) -> frozenset[str]:
    """Return those of the tools that are configured in one directory."""
    try:
        files = {entry.name for entry in os.scandir(place) if entry.is_file()}
    except OSError:
        return frozenset()
    tables = read_declared(place).tools if "pyproject.toml" in files else frozenset()
    return frozenset(
        tool
        for tool in tools
        if not files.isdisjoint(_OWN_FILES[tool])
        or not tables.isdisjoint(_TABLES.get(tool, set()))
        or any(
            section.search(_text_of(place / name)) for name, section in _SECTIONS.get(tool, {}).items() if name in files
        )
    )


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
