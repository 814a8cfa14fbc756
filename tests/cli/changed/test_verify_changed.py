"""`certo verify --changed` judges what differs from a revision, once, and says what it could not judge."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from certo.cli.main import main
from support.projects.bare_environment import bare_python

BEFORE = """\
LIMIT = 3


def total(prices: list[int]) -> int:
    amount = 0
    for price in prices:
        if price < 0:
            continue
        amount += price
    return amount


def shout(word: str) -> str:
    return word.upper() + "!"


def gone():
    return [each for each in "abc"]


def outer():
    def inner(n):
        return n
    return inner


def half(n: int) -> int:
    return n // 2


def same():
    return 1
"""
NOW = """\
LIMIT = 4


def total(prices: list[int]) -> int:
    amount = 0
    for price in prices:
        amount += price
    return amount


def shout(word: str) -> str:
    return word.title() + "?"


def outer():
    def inner(n):
        return n + 1
    return inner


def halved(n: int) -> int:
    return n // 2 + 0


def same():
    return 1
"""
TESTS = """\
from shop import halved, shout, total


def test_total():
    assert total([1, 2]) == 3


def test_shout():
    assert shout("a") == "A!"


def test_half():
    assert halved(4) == 2
"""


def git(root: Path, *words: str) -> str:
    """Run git in a folder, as somebody."""
    who = (
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "init.defaultBranch=main",
        "-c",
        "protocol.file.allow=always",
    )
    ran = subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True, text=True)
    return ran.stdout


def repository(root: Path, text: str = BEFORE) -> Path:
    """Commit a module with tests in a new repository; its folder."""
    root.mkdir()
    (root / "shop.py").write_text(text, encoding="utf-8")
    (root / "test_shop.py").write_text(TESTS.replace("halved", "half"), encoding="utf-8")
    (root / "pyproject.toml").touch()
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    return root


def verify(root: Path, *words: str) -> int:
    """Run the command in a folder, with an interpreter that has pytest and nothing else; the exit code."""
    before = Path.cwd()
    os.chdir(root)
    try:
        return main(["verify", "--changed", *words, "--interpreter", str(bare_python())])
    finally:
        os.chdir(before)


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@dataclass
class Twice:
    """The lines of two runs on the same state of a project, and their exit codes."""

    root: Path
    codes: tuple[int, int]
    first: list[dict[str, Any]]
    second: list[dict[str, Any]]

    def __getitem__(self, name: str) -> dict[str, Any]:
        return next(one for one in self.first if one.get("qualname") == name)


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Twice:
    place = tmp_path_factory.mktemp("changed")
    root = repository(place / "shop")
    (root / "shop.py").write_text(NOW, encoding="utf-8")
    (root / "test_shop.py").write_text(TESTS, encoding="utf-8")
    (root / "bad.py").write_text("def x(:\n", encoding="utf-8")
    # A file that was just written could change once more without a trace.
    time.sleep(0.2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(place / "state"))
        patch.setenv("XDG_DATA_HOME", str(place / "state"))
        codes = tuple(verify(root, "--format", f"jsonl={place / name}") for name in ("one", "two"))
    return Twice(root, codes, lines(place / "one"), lines(place / "two"))  # type: ignore[arg-type]


def test_each_function_has_its_result(twice: Twice) -> None:
    *functions, end = twice.first
    assert {one["qualname"]: one["result"] for one in functions} == {
        "": "unreadable",
        "gone": "deleted",
        "total": "verified",
        "shout": "failed",
        "outer": "not-verified",
        "halved": "verified",
    }
    assert twice.codes == (1, 1)
    assert (end["type"], end["functions"], end["exitCode"], end["cached"]) == ("changes", 6, 1, 0)
    assert (end["outside"], end["testFiles"]) == (["shop.py"], ["test_shop.py"])
    assert end["revision"].endswith("the last commit in common with main")


def test_behaviour_and_strength_are_told(twice: Twice) -> None:
    assert twice["total"]["diff"]["differences"][0]["call"] == "total([-1])"
    assert twice["total"]["evidence"]["strength"]["of"] > 0
    assert twice["halved"]["diff"]["olderPlace"] == "shop.py::half"
    assert any(note["rule"] == "gap" for note in twice["halved"]["notes"])
    assert twice["shout"]["notes"][0]["rule"] == "failed"
    assert "test_shout" in twice["shout"]["notes"][0]["message"]
    assert twice["outer"]["diff"]["result"] == "not-compared"


def test_second_run_comes_from_the_cache(twice: Twice) -> None:
    *functions, end = twice.second
    assert {one["qualname"] for one in functions if one["cached"]} == {"total", "shout", "outer", "halved"}
    assert end["cached"] == 4
    anew = [{**one, "cached": False} for one in functions]
    assert anew == twice.first[:-1]


@pytest.mark.slow
def test_nothing_stale_comes_from_the_cache(twice: Twice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests in another file than all that changed ask for something else: every result may depend on it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(twice.root.parent / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(twice.root.parent / "state"))
    root = twice.root
    before = (root / "test_shop.py").read_text(encoding="utf-8")
    (root / "test_shop.py").write_text(before.replace("== 3", "== 4").replace("== 2", "== 5"), encoding="utf-8")
    assert verify(root, "--format", f"jsonl={tmp_path / 'out'}") == 1
    found = {one.get("qualname"): one for one in lines(tmp_path / "out")}
    assert [(found[name]["result"], found[name]["cached"]) for name in ("total", "halved")] == [("failed", False)] * 2


def test_nothing_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = repository(tmp_path / "shop")
    assert verify(root) == 0
    said = capsys.readouterr().out
    assert said.startswith("Changed since ")
    assert said.endswith("nothing to verify\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "there is no revision 'nowhere'"),
        (["HEAD", "--format", "pdf"], "write one of table, jsonl, sarif, junit, github"),
        (["HEAD", "--format", "table", "--format", "sarif"], "table goes to standard output already"),
        (["HEAD", "--json", "--format", "sarif"], "give one of them"),
        (["HEAD", "--strength"], "in any case"),
    ],
    ids=["no revision", "format", "two on one", "json twice", "strength"],
)
def test_bad_requests(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert verify(repository(tmp_path / "shop"), *words) == 2
    assert said in capsys.readouterr().err


def test_without_git_or_a_commit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "pyproject.toml").touch()
    assert verify(root) == 2
    assert "is in no git repository" in capsys.readouterr().err
    git(root, "init", "-q")
    assert verify(root) == 2
    assert "has no commit yet, so there is no older version; name a function" in capsys.readouterr().err
    monkeypatch.setenv("PATH", "")
    assert verify(root) == 2
    assert "there is no git on the PATH" in capsys.readouterr().err


def test_shallow_clone_names_what_helps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = repository(tmp_path / "shop")
    git(root, "checkout", "-qb", "work")
    (root / "shop.py").write_text(NOW, encoding="utf-8")
    git(root, "commit", "-qam", "two")
    git(root, "checkout", "-q", "main")
    (root / "other.py").touch()
    git(root, "add", "-A")
    git(root, "commit", "-qm", "three")
    git(tmp_path, "clone", "-q", "--depth", "1", "--no-single-branch", f"file://{root}", "clone")
    git(tmp_path / "clone", "checkout", "-q", "work")
    assert verify(tmp_path / "clone", "origin/main") == 2
    said = capsys.readouterr().err
    assert "this clone is shallow and lacks the last commit in common with origin/main" in said
    assert "fetch-depth: 0" in said
    assert verify(tmp_path / "clone", "main~1") == 2
    assert "`git fetch --unshallow` brings the rest" in capsys.readouterr().err


def test_detached_head_without_main_branch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = repository(tmp_path / "shop")
    git(root, "checkout", "-q", "--detach")
    assert verify(root) == 0
    assert "the last commit in common with main" in capsys.readouterr().out
    git(root, "branch", "-m", "main", "elsewhere")
    assert verify(root) == 2
    assert "no main branch was found" in capsys.readouterr().err
    assert verify(root, "HEAD") == 0
    assert "Changed since HEAD (" in capsys.readouterr().out


def test_project_in_a_folder_of_its_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """GitHub and SARIF name files from the top of the repository."""
    outer = tmp_path / "all"
    outer.mkdir()
    root = repository(outer / "server")
    shutil.rmtree(root / ".git")
    git(outer, "init", "-q")
    git(outer, "add", "-A")
    git(outer, "commit", "-qm", "one")
    (root / "shop.py").write_text(BEFORE + "\n\ndef x(:\n", encoding="utf-8")
    (outer / "elsewhere.py").write_text("def y():\n    return 1\n", encoding="utf-8")
    assert verify(root, "--format", "github", "--format", f"sarif={tmp_path / 'out'}") == 1
    assert "::error file=server/shop.py,line=" in capsys.readouterr().out
    (run,) = json.loads((tmp_path / "out").read_text(encoding="utf-8"))["runs"]
    assert run["originalUriBaseIds"]["ROOT"]["uri"] == f"{outer.as_uri()}/"
    [place] = [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in run["results"]]
    assert place == "server/shop.py"
