"""The project's pytest configuration of test files and doctests."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import sys
from typing import Any, Dict, List, Set

# pytest takes the first of these that has the section; an ini file counts even when it is empty.
_SECTIONS = (
    ("pytest.toml", "pytest"),
    (".pytest.toml", "pytest"),
    ("pytest.ini", "pytest"),
    (".pytest.ini", "pytest"),
    ("pyproject.toml", "tool.pytest.ini_options"),
    ("pyproject.toml", "tool.pytest"),
    ("tox.ini", "pytest"),
    ("setup.cfg", "tool:pytest"),
)


class Configured:
    """Relevant settings of pytest before it starts, each a list of words; empty if unset."""

    def __init__(self, root: str):
        settings = _settings(root)
        self.testpaths = _words(settings.get("testpaths"))
        self.python_files = _words(settings.get("python_files"))
        self.addopts = _words(settings.get("addopts"))
        self.doctest_flags = _words(settings.get("doctest_optionflags"))

    @property
    def blocked_plugins(self) -> Set[str]:
        """The names of plug-ins that `-p no:NAME` switches off, and with them their options."""
        names = re.findall(r"(?:^|\s)-p[ =]?\s*no:(\S+)", " ".join(self.addopts))
        return {*names, *("pytest_" + name for name in names)}


def default_paths(root: str) -> List[str]:
    """Return the paths where pytest looks for tests by default, relative to the root."""
    named = [path for path in Configured(root).testpaths if os.path.exists(os.path.join(root, path))]
    return named or [os.curdir]


def _settings(root: str) -> Dict[str, Any]:
    for name, section in _SECTIONS:
        path = os.path.join(root, name)
        if not os.path.isfile(path):
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        found = _toml(text, section) if name.endswith(".toml") else _ini(text, section)
        if found or name.lstrip(".") == "pytest.ini":
            return found
    return {}


def _ini(text: str, section: str) -> Dict[str, Any]:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        # pytest itself will report the error in the file.
        return {}
    return dict(parser.items(section)) if parser.has_section(section) else {}


def _toml(text: str, section: str) -> Dict[str, Any]:
    """Return one table of a TOML file; before Python 3.11, which has a parser, only its strings and lists of these."""
    if sys.version_info >= (3, 11):
        return _parsed(text, section)
    table = re.search(r"^\[" + re.escape(section) + r"\][^\n]*\n(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL)
    if table is None:
        return {}
    found: Dict[str, Any] = {}
    entry = re.compile(r"""^(\w+)\s*=\s*(\[[^\]]*\]|"[^"\n]*"|'[^'\n]*')""", re.MULTILINE)
    for name, value in entry.findall(table.group(1)):
        strings = re.findall(r""""([^"\n]*)"|'([^'\n]*)'""", value)
        found[name] = [double or single for double, single in strings]
        if not value.startswith("["):
            found[name] = found[name][0]
    return found


def _parsed(text: str, section: str) -> Dict[str, Any]:
    import tomllib

    try:
        found: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        # pytest itself will report the error in the file.
        return {}
    for name in section.split("."):
        found = found.get(name, {}) if isinstance(found, dict) else {}
    return found if isinstance(found, dict) else {}


def _words(value: Any) -> List[str]:
    """Return a setting split as pytest does it, from a list or a string."""
    if isinstance(value, str):
        return shlex.split(value, comments=False)
    return [str(part) for part in value or []]
