"""A project's declarations, read for choosing an interpreter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from certo.project.configuration import Declared, read_declared

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("requirement", "oldest"),
    [(">=3.9", (3, 9)), (">= 3.10, <4", (3, 10)), ("~=3.11.2", (3, 11)), ("<4", None), ("!=3.9.*", None)],
)
def test_the_oldest_python_is_read_where_plain(
    tmp_path: Path, requirement: str, oldest: tuple[int, int] | None
) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[project]\nrequires-python = '{requirement}'\n")
    assert read_declared(tmp_path).oldest == oldest


def test_distributions_are_names_without_what_is_conditional(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        "[project]\n"
        "dependencies = ['anyio>=4', 'rich', 'tomli; python_version<\"3.11\"', 'ruamel.yaml [jinja2] ~=0.1']\n"
        "[tool.other]\n"
    )
    declared = read_declared(tmp_path)
    assert declared.distributions == ("anyio", "rich", "ruamel.yaml")
    assert declared.tools == {"other"}


def test_poetrys_older_table_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        "[tool.poetry.dependencies]\npython = '^3.9'\nanyio = '^4'\nrich = {version = '*', optional = true}\n"
    )
    assert read_declared(tmp_path) == Declared(oldest=(3, 9), distributions=("anyio",), tools=frozenset({"poetry"}))


@pytest.mark.parametrize(
    "text", [None, "not toml [", "project = 3\ntool = []\n", "[project]\ndependencies = 'x'\nrequires-python = 3\n"]
)
def test_unreadable_declarations_declare_nothing(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "pyproject.toml").write_text(text)
    assert read_declared(tmp_path) == Declared()


def test_scripts_and_test_paths_are_read(tmp_path: Path) -> None:
    """Poetry's scripts and a test path written as one text are read too."""
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nscripts = {shop = "shop.cli:run", odd = 3}\n'
        '[tool.poetry.scripts]\nold = "shop.old:run"\n'
        '[tool.pytest.ini_options]\ntestpaths = ["tests", 7]\n',
        encoding="utf-8",
    )
    declared = read_declared(tmp_path)
    assert declared.scripts == (("old", "shop.old:run"), ("shop", "shop.cli:run"))
    assert declared.test_paths == ("tests",)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\ntestpaths = "tests checks"\n', encoding="utf-8"
    )
    assert read_declared(tmp_path).test_paths == ("tests", "checks")
