"""Tools count as configured by real files in a real folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.project.configuration import configured_tools
from support.projects.projects import write_project


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, set()),
        ({"pyproject.toml": "[tool.mypy]\nstrict = true\n"}, {"mypy"}),
        ({"pyproject.toml": "[[tool.mypy.overrides]]\nmodule = 'a'\n"}, {"mypy"}),
        ({"mypy.ini": ""}, {"mypy"}),
        ({".mypy.ini": ""}, {"mypy"}),
        ({"setup.cfg": "[metadata]\nname = a\n[mypy]\nstrict = True\n"}, {"mypy"}),
        ({"setup.cfg": "[mypy-yaml.*]\nignore_missing_imports = True\n"}, {"mypy"}),
        ({"setup.cfg": "[options]\n# [mypy]\n[mypyc]\n"}, set()),
        ({"pyproject.toml": "[tool.ruff.lint]\nselect = ['E']\n"}, {"ruff"}),
        ({"ruff.toml": ""}, {"ruff"}),
        ({"src/.ruff.toml": ""}, {"ruff"}),
        ({"src/deep/ruff.toml": ""}, set()),
        ({"src/mypy.ini": ""}, set()),
        ({".flake8": ""}, {"flake8"}),
        ({"tox.ini": "[tox]\n[flake8]\n"}, {"flake8"}),
        ({"pyproject.toml": "[tool.mypy]\n[tool.ruff]\n", "setup.cfg": "[flake8]\n"}, {"mypy", "ruff", "flake8"}),
        ({"pyproject.toml": "no toml at all", "setup.cfg": "\x00[mypy"}, set()),
    ],
)
def test_configured_tools_are_found_by_their_files(tmp_path: Path, files: dict[str, str], expected: set[str]) -> None:
    """Each file is one in which the tool itself would look."""
    write_project(tmp_path, {"src/a.py": "", **files})
    assert configured_tools(tmp_path, "src/a.py") == expected
