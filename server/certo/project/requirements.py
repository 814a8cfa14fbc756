"""The command that installs what a project and its tests need into an interpreter."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

_FOR_TESTS = ("test", "tests", "testing", "dev", "develop", "development")
"""Usual names of the extra or group of a project that its tests need, the likeliest first."""

_FILES = (
    *("requirements-test.txt", "requirements-tests.txt", "test-requirements.txt", "requirements-dev.txt"),
    *("requirements_dev.txt", "requirements/test.txt", "requirements/tests.txt", "requirements/dev.txt"),
)

_PIP = "-m pip install"


def install_project(executable: Path, root: Path) -> str:
    """Return the command that installs the project at `root`, so that its own package and metadata are found."""
    return f"{shlex.quote(str(executable))} {_PIP} -e {shlex.quote(str(root))}"


def package_of(root: Path, path: str) -> Path:
    """Return the nearest directory of a file that can be installed; the root if there is none in between."""
    for parent in (root / path).parents:
        if parent == root or any((parent / name).is_file() for name in ("pyproject.toml", "setup.py")):
            return parent
    return root


def install_for_tests(executable: Path, root: Path) -> str:
    """Return the command that installs what the tests of a project need; empty if the project does not say so."""
    table = _pyproject(root)
    extras = _table(_table(table, "project"), "optional-dependencies")
    python = shlex.quote(str(executable))
    for name in _FOR_TESTS:
        if name in extras:
            return f"{python} {_PIP} -e {shlex.quote(f'{root}[{name}]')}"
    for name in _FOR_TESTS:
        if name in _table(table, "dependency-groups"):
            return f"cd {shlex.quote(str(root))} && {python} {_PIP} --group {name}"
    for name in _FILES:
        if (root / name).is_file():
            return f"{python} {_PIP} -r {shlex.quote(str(root / name))}"
    return ""


def is_own_module(root: Path, path: str, module: str) -> bool:
    """True if a module that cannot be imported is, by its name, the project's own package or in the file `path`."""
    top = module.partition(".")[0]
    places = (root, root / "src", *(root / parent for parent in Path(path).parents))
    return any((place / top).is_dir() or (place / f"{top}.py").is_file() for place in places)


def django_settings(root: Path) -> str:
    """Return the module of settings that the project's manage.py names; empty if there is none."""
    try:
        text = (root / "manage.py").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    found = re.search(r"""DJANGO_SETTINGS_MODULE["'],\s*["']([\w.]+)["']""", text)
    return found.group(1) if found else ""


def _pyproject(root: Path) -> dict[str, Any]:
    try:
        return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _table(outer: dict[str, Any], name: str) -> dict[str, Any]:
    inner = outer.get(name)
    return inner if isinstance(inner, dict) else {}
