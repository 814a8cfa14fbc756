"""A file's role in a project is told by its path."""

from __future__ import annotations

import pytest

from certo.knowledge.repo_map import ROLES, role_of

pytestmark = pytest.mark.acceptance(64)


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("shop/till.py", "package"),
        ("shop/contest.py", "package"),
        ("test_till.py", "tests"),
        ("shop/till_test.py", "tests"),
        ("tests/data/prices.json", "tests"),
        ("tests/conftest.py", "tests"),
        ("conftest.py", "config"),
        ("setup.py", "config"),
        ("requirements-dev.txt", "config"),
        ("Makefile", "config"),
        ("uv.lock", "config"),
        ("README", "docs"),
        ("docs/conf.py", "docs"),
        ("notes.md", "docs"),
        ("logo.png", "other"),
    ],
)
def test_roles_follow_from_folder_and_name(path: str, role: str) -> None:
    assert role_of(path) == role
    assert role in ROLES
