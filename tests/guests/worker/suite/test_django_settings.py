"""Settings of Django projects, as manage.py names them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from certo_worker.suite.django_settings import choose_settings, settings_module
from support.projects.projects import write_project

MANAGE = "import os\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'site1.settings')\n"


def chosen(root: Path, files: dict[str, str], monkeypatch: pytest.MonkeyPatch, **environ: str) -> str | None:
    write_project(root, files)
    monkeypatch.setattr(os, "environ", environ)
    choose_settings(str(root))
    return environ.get("DJANGO_SETTINGS_MODULE")


def test_manage_names_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen(tmp_path, {"setup.py": ""}, monkeypatch) is None
    assert chosen(tmp_path, {"manage.py": MANAGE}, monkeypatch) == "site1.settings"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.ini", "[pytest]\nDJANGO_SETTINGS_MODULE = other\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '--ds=other'\n"),
        ("tests/conftest.py", "from django.conf import settings\nsettings.configure()\n"),
    ],
)
def test_the_projects_own_choice_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    assert chosen(tmp_path, {"manage.py": MANAGE, name: text}, monkeypatch) is None


def test_the_environment_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = {"DJANGO_SETTINGS_MODULE": "mine"}
    assert chosen(tmp_path, {"manage.py": MANAGE}, monkeypatch, **own) == "mine"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("manage.py", MANAGE),
        ("pytest.ini", "[pytest]\nDJANGO_SETTINGS_MODULE = site1.settings\n"),
        ("pyproject.toml", '[tool.pytest.ini_options]\nDJANGO_SETTINGS_MODULE = "site1.settings"\n'),
        ("setup.cfg", "[tool:pytest]\naddopts = -q --ds=site1.settings\n"),
        ("conftest.py", "import os\nos.environ['DJANGO_SETTINGS_MODULE'] = 'site1.settings'\n"),
    ],
)
def test_settings_are_read_wherever_they_stand(tmp_path: Path, name: str, text: str) -> None:
    write_project(tmp_path, {name: text})
    assert settings_module(str(tmp_path)) == "site1.settings"
