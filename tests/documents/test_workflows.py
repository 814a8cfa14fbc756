"""The workflows of the public repository do what the Makefile does, with actions that cannot change under them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.documents.pages import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PUBLISHING = "pypa/gh-action-pypi-publish@release/v1"
"""What PyPI's documentation names; its branch is protected, and its releases are not pinned to a commit there."""


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned(path: Path) -> None:
    used = re.findall(r"uses: (\S+)", path.read_text(encoding="utf-8"))
    assert used
    assert [action for action in used if action != PUBLISHING and not re.search(r"@[0-9a-f]{40}$", action)] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_jobs_get_no_rights_unasked(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "\npermissions: {}\n" in text
    assert "pull_request_target" not in text


def test_steps_name_targets_that_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    made = {word for path in WORKFLOWS for word in re.findall(r"make (?:--\S+ )*([a-z-]+)", path.read_text())}
    assert {"check", "docs", "demo", "test", "packages", "bench", "audit", "test-models"} <= made <= targets


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_install_what_is_locked(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert '\nenv:\n  LOCKED: "1"' in text
    assert all("LOCKED" in line for line in text.splitlines() if "sudo" in line), (
        "sudo drops what it is not told to keep"
    )


def test_each_supported_python_is_tested() -> None:
    least = re.search(r'requires-python = ">=3\.(\d+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    tested = re.search(r"python: \[(.*)\]", (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    assert least is not None
    assert tested is not None
    minors = [int(minor) for minor in re.findall(r'"3\.(\d+)"', tested[1])]
    assert minors == list(range(int(least[1]), minors[-1] + 1))


def test_slow_tests_run_at_night() -> None:
    """What `.ci/run` leaves out is run somewhere: the slow tests, too many for each change."""
    nightly = (ROOT / ".github/workflows/nightly.yml").read_text(encoding="utf-8")
    assert "make test-all" in nightly
