"""`certo searches checkout`, run as a shell would run it, on searches that `certo generate` has made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.cli.command import BROKEN, FIXED, RIGHT, SOURCE, WRONG, Ran, certo, scripted, till
from support.projects.repositories import begin, commit, git

pytestmark = pytest.mark.acceptance(63)


def generated(root: Path, *words: str) -> str:
    """Have a search end with the right candidate, the second one; returns its id."""
    told = certo(root, "generate", "till.py::change", "--json", *scripted(root, WRONG, RIGHT), *words)
    assert told.code == 0, told.err
    return str(told.events[0]["search"])


def checkout(root: Path, *words: str, below: str = "") -> Ran:
    return certo(root / below, "searches", "checkout", *words, HOME=str(root.parent))


def kept_in(home: Path) -> list[Path]:
    return list((home / ".local" / "share" / "certo" / "experiments").rglob("*"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = till(tmp_path / "till")
    begin(root)
    commit(root)
    return root


@pytest.mark.slow
def test_best_candidate_becomes_a_branch(root: Path, tmp_path: Path) -> None:
    """Its stored copy is deleted with its search; the branch stays."""
    assert checkout(root).err == (
        f"certo: no search about a project around {root} has kept a candidate; `certo searches list` shows all "
        "searches, and experiments.keep says which candidates are kept\n"
    )
    search = generated(root)
    (root / "till.py").write_text(SOURCE + "# changed since\n")
    moved = checkout(root)
    assert (moved.code, "till.py is not as when the search began" in moved.err) == (2, True)
    (root / "till.py").write_text(SOURCE)
    for words, why in (
        (("beef",), "no search 'beef' is stored"),
        ((search, "--candidate", "7"), f"search {search} has no candidate '7'"),
        ((search, "--candidate", "#1"), f"search {search} keeps no experiment #1; it has #2"),
    ):
        refused = checkout(root, *words)
        assert (refused.code, why in refused.err) == (2, True), refused.err

    done = checkout(root, below="tests")
    branch = f"certo/{search}/2"
    assert done.code == 0, done.err
    assert done.out == (
        f"candidate #2 of search {search} is on the branch {branch}, which you are on now: till.py\n"
        "`git switch main` leads back.\n"
    )
    assert git(root, "branch", "--show-current") == branch
    assert git(root, "status", "--porcelain") == ""
    assert (root / "till.py").read_text() == SOURCE.replace(BROKEN, FIXED)
    [kept] = certo(root, "searches", "list", "--json").events
    assert kept["standing"] == "accepted"

    assert kept_in(tmp_path)
    assert certo(root, "searches", "forget", search).out.startswith("deleted 1 search, with ")
    assert not kept_in(tmp_path)
    assert git(root, "branch", "--show-current") == branch


def test_without_git_the_files_are_written(tmp_path: Path) -> None:
    root = till(tmp_path / "till")
    search = generated(root)
    done = checkout(root, "--json")
    [said] = [json.loads(line) for line in done.out.splitlines()]
    assert said == {
        "type": "checkout",
        "search": search,
        "candidate": said["candidate"],
        "number": 2,
        "branch": None,
        "back": "",
        "paths": ["till.py"],
        "mixed": [],
    }
    assert (root / "till.py").read_text() == SOURCE.replace(BROKEN, FIXED)
