"""Test files that a project runs by name, found in its Makefile, tox, nox, CI and setup files."""

from __future__ import annotations

from pathlib import Path

import pytest

import certo_worker.suite.discovery as reach
from support.projects.projects import write_project

TEST = "from shop import price\n\n\ndef test_price():\n    assert price(1) == 1\n"

RUN_BY_NAME = {
    "make": ("Makefile", "check:\n\tpython3 qa/trial.py -v\n", "qa/trial.py"),
    "tox": ("tox.ini", "[testenv]\ncommands = pytest {posargs} \\\n    qa/trial.py::test_price\n", "qa/trial.py"),
    "nox": ("noxfile.py", "def tests(session):\n    session.run('pytest', 'qa/trial.py')\n", "qa/trial.py"),
    "GitHub": (".github/workflows/ci.yaml", "      - run: coverage run -m pytest ./qa/trial.py\n", "qa/trial.py"),
    "a pattern of unittest": ("Makefile", "\tpython -m unittest discover -s qa -p 'tri*.py'\n", "qa/trial.py"),
    "a module of unittest": ("Makefile", "\tpython -m unittest qa.trial.Prices\n", "qa/trial.py"),
    "a package of setup.py": ("setup.py", "setup(name='shop', test_suite='qa')\n", "qa/__init__.py"),
}


def found(root: Path, files: dict[str, str]) -> list[str]:
    write_project(root, {"shop.py": "def price(n):\n    return n\n", **files})
    return reach.find(str(root), "shop.py", "price", {}).paths


@pytest.mark.parametrize(("name", "text", "file"), RUN_BY_NAME.values(), ids=RUN_BY_NAME.keys())
def test_files_run_by_name_hold_tests(tmp_path: Path, name: str, text: str, file: str) -> None:
    assert found(tmp_path, {file: TEST}) == []
    assert found(tmp_path, {name: text}) == [file]


def test_named_files_without_tests_are_none(tmp_path: Path) -> None:
    files = {"Makefile": "\tpython tools/make.py\n", "tools/make.py": "from shop import price\n\nprint(price(1))\n"}
    assert found(tmp_path, files) == []


def test_comments_in_lists_of_patterns(tmp_path: Path) -> None:
    patterns = '[tool.pytest.ini_options]\npython_files = [\n  "check_*.py", # [ours]\n  "*_checks.py",\n]\n'
    assert found(tmp_path, {"pyproject.toml": patterns, "qa/price_checks.py": TEST}) == ["qa/price_checks.py"]
