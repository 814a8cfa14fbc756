"""Settings of a Django project: for pytest-django, which does not read manage.py, and to find what Django imports."""

from __future__ import annotations

import os
import re

_VARIABLE = "DJANGO_SETTINGS_MODULE"
_NAMED = re.compile(_VARIABLE + r"""["'],\s*["']([\w.]+)["']""")
_CONFIGURED = re.compile(_VARIABLE + r"""["']?\]?\s*[=,]\s*["']?([\w.]+)|--ds[= ]["']?([\w.]+)""")
_CHOSEN = re.compile(_VARIABLE + r"|--ds\b|\bsettings\.configure\(")
_PLACES = (
    *("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"),
    *("conftest.py", "tests/conftest.py", "test/conftest.py"),
)


def choose_settings(root: str) -> None:
    """Set the variable that names the settings, if manage.py names them and nothing says otherwise."""
    if _VARIABLE in os.environ or any(_CHOSEN.search(_text(os.path.join(root, place))) for place in _PLACES):
        return
    named = _NAMED.search(_text(os.path.join(root, "manage.py")))
    if named:
        os.environ[_VARIABLE] = named.group(1)


def settings_module(root: str) -> str:
    """Return the module of settings that the tests of a project have; empty if none is named."""
    if os.environ.get(_VARIABLE):
        return os.environ[_VARIABLE]
    for place in (*_PLACES, "manage.py"):
        named = _CONFIGURED.search(_text(os.path.join(root, place)))
        if named:
            return named.group(1) or named.group(2)
    return ""


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
