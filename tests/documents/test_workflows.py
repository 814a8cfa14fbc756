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
    others = [action for action in used if not action.startswith("./") and action != PUBLISHING]
    assert [action for action in others if not re.search(r"@[0-9a-f]{40}$", action)] == []


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
    kept = 'sudo --preserve-env=CI,LOCKED env "PATH=$PATH" '
    assert all(kept in line for line in text.splitlines() if "sudo" in line), (
        "sudo drops what it is not told to keep, and the path in any case"
    )


def test_each_supported_python_is_tested() -> None:
    least = re.search(r'requires-python = ">=3\.(\d+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    tests, packages = re.findall(r"python: \[(.*)\]", (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    assert least is not None
    minors = [int(minor) for minor in re.findall(r'"3\.(\d+)"', tests)]
    assert minors == list(range(int(least[1]), minors[-1] + 1))
    assert packages == tests


def test_a_release_waits_for_all_checks() -> None:
    release = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    assert "    uses: ./.github/workflows/ci.yml " in release
    assert "needs: [checks, build]\n" in release.partition("\n  publish:\n")[2]


def test_lock_files_are_kept_up_to_date() -> None:
    assert '"/.ci/locked"' in (ROOT / ".github/dependabot.yml").read_text(encoding="utf-8")


def test_slow_tests_run_at_night() -> None:
    """What `.ci/run` leaves out is run somewhere: the slow tests, too many for each change."""
    nightly = (ROOT / ".github/workflows/nightly.yml").read_text(encoding="utf-8")
    assert "make test-all" in nightly
