"""Files that git ignores in a project are named, except those that runs need to import."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from certo.project import ignored_files as ignored
from certo.project.ignored_files import ignored_code, ignored_files
from support.projects.projects import write_project
from support.projects.repositories import begin, git


async def named(root: Path, *kept: str) -> tuple[str, ...]:
    return await ignored_files(root, os.environ, [root / path for path in kept])


def repository(root: Path, patterns: str, *paths: str) -> Path:
    begin(root)
    return write_project(root, {".gitignore": patterns, "mod.py": "", **dict.fromkeys(paths, "text")})


async def test_ignored_files_and_directories_are_named(tmp_path: Path) -> None:
    root = repository(tmp_path, "*.json\nlogs/\n", "local.json", "a/b/c.json", "a/d.txt", "logs/x/1.log")
    assert await named(root) == ("a/b", "logs", "local.json")


async def test_without_git_nothing_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write_project(tmp_path, {".gitignore": "*.json\n", "local.json": ""})
    assert await named(root) == ()
    begin(root)
    assert await named(root) == ("local.json",)
    assert await ignored_files(root, {"PATH": ""}) == ()


async def test_a_broken_repository_ignores_nothing(tmp_path: Path) -> None:
    root = write_project(tmp_path, {".git": "gitdir: nowhere\n", ".gitignore": "*.json\n", "local.json": ""})
    assert await named(root) == ()


async def test_a_wholly_ignored_project_is_seen(tmp_path: Path) -> None:
    root = repository(tmp_path, "work/\n", "work/a/mod.py", "work/a/data.json")
    assert await named(root / "work") == ()
    assert await named(root / "work" / "a") == ()


@pytest.mark.parametrize(
    "path",
    [
        *("_version.py", "pack/_version.py", "grpc_pb2.py", "fast.cpython-311-x86_64-linux-gnu.so", "libfast.so.1"),
        *("fast.pyd", "types.pyi", "own.pth", "pytest.ini", "mypy.ini", "build/lib/pack/__init__.py"),
        *("__pycache__/mod.pyc", ".mypy_cache/3.11/a.json", "pack.egg-info/PKG-INFO", ".tox/py/a.txt"),
        *("env/pyvenv.cfg", "conda/conda-meta/history", "build/pack/__init__.py"),
    ],
)
async def test_code_and_what_is_installed_is_seen(tmp_path: Path, path: str) -> None:
    assert await named(repository(tmp_path, f"/{path.partition('/')[0]}\n", path)) == ()


async def test_code_in_ignored_directories_is_not_named(tmp_path: Path) -> None:
    paths = (
        "build/lib/gen.py",
        "build/lib/data.json",
        "build/docs/a.html",
        "build/pack/__init__.py",
        "build/pack/a.txt",
    )
    assert await named(repository(tmp_path, "build/\n", *paths)) == (
        "build/docs",
        "build/lib/data.json",
        "build/pack/a.txt",
    )


async def test_kept_files_and_link_targets_are_seen(tmp_path: Path) -> None:
    root = repository(tmp_path, "*.md\npython/\nlink*\n", "a.md", "b.md", "python/bin/x", "python/lib/y", "real.txt")
    (root / "link").symlink_to("real.txt")
    assert await named(root, "b.md", "python", ".") == ("a.md",)


async def test_a_directory_stands_for_its_many_files(tmp_path: Path) -> None:
    many = [f"data/{number}.csv" for number in range(300)]
    root = repository(tmp_path, "*.csv\n", "data/.gitkeep", "data/more/1.csv", *many)
    assert await named(root) == ("data",)
    (root / "data" / "own.txt").write_text("")
    assert (await named(root))[0] == "data/more"
    assert len(await named(root)) == len(many) + 1


async def test_files_that_cannot_be_hidden_are_told() -> None:
    few = [f"{number}.csv" for number in range(ignored.MAX_ITEMS)]
    assert ignored.too_many(few) == ""
    assert "runs can read the others, such as x.csv, y.csv; gather" in ignored.too_many([*few, "x.csv", "y.csv"])


async def test_large_directories_are_not_searched_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ignored, "_MAX_LOOKED_AT", 10)
    paths = [f"node_modules/{number}/a.py" for number in range(20)] + [f"data/{number}/a.bin" for number in range(20)]
    assert await named(repository(tmp_path, "node_modules/\ndata/\n", *paths)) == ("data", "node_modules")


@pytest.mark.parametrize("inner", ["sub", "deep/er/sub"])
async def test_repositories_within_a_project_are_asked(tmp_path: Path, inner: str) -> None:
    root = repository(tmp_path, "*.json\n", "a.json")
    repository(root / inner, "*.log\nout/\n", "b.log", "out/c.txt", "d.txt")
    assert await named(root) == (f"{inner}/out", "a.json", f"{inner}/b.log")


async def test_worktrees_and_submodules_are_asked(tmp_path: Path) -> None:
    """Both have a file in the place of the directory."""
    other = repository(tmp_path / "other", "*.log\n")
    git(other, "add", ".")
    git(other, "commit", "-m", "start")
    root = repository(tmp_path / "project", "")
    git(other, "worktree", "add", str(root / "tree"))
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", str(other), "module")
    write_project(root, {"tree/a.log": "", "module/b.log": ""})
    assert await named(root) == ("module/b.log", "tree/a.log")


async def test_what_is_excluded_elsewhere_is_ignored(tmp_path: Path) -> None:
    root = repository(tmp_path / "project", "", "a.mine", "b.local")
    (root / ".git" / "info" / "exclude").write_text("*.mine\n")
    write_project(tmp_path / "home", {".config/git/ignore": "*.local\n"})
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home")}
    assert await ignored_files(root, environ) == ("a.mine", "b.local")


async def test_other_names_are_ignored_too(tmp_path: Path) -> None:
    root = repository(tmp_path, "*.json\ndata/\n", "a.json", "data/deep/b.txt", "c.txt")
    os.link(root / "a.json", root / "plain.txt")
    os.link(root / "data" / "deep" / "b.txt", root / "other.txt")
    os.link(root / "c.txt", root / "honest.txt")
    assert await named(root) == ("data", "a.json", "other.txt", "plain.txt")


async def told(root: Path, environ: Mapping[str, str] = os.environ) -> tuple[tuple[str, ...], list[str]]:
    said: list[str] = []
    return await ignored_files(root, environ, tell=said.append), said


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("inner", [".", "inner"])
async def test_projects_of_another_owner_are_asked(tmp_path: Path, inner: str) -> None:
    root = repository(tmp_path, "a.json\n", "a.json")
    repository(root / inner, "*.log\n*.json\n", "b.log")
    for place in (root, *root.rglob("*")):
        os.chown(place, 12345, 12345)
    assert await told(root) == (("a.json", "b.log" if inner == "." else "inner/b.log"), [])


@pytest.mark.parametrize("inner", [".", "inner"])
async def test_an_unreadable_repository_is_told(tmp_path: Path, inner: str) -> None:
    root = tmp_path if inner == "." else repository(tmp_path, "*.json\n")
    write_project(root / inner, {".git": "gitdir: nowhere\n", "secret.log": ""})
    found, said = await told(root)
    assert found == ()
    assert len(said) == 1
    assert f"failed in {root / inner}" in said[0]
    assert "runs can read" in said[0]


async def test_that_there_is_no_git_is_told(tmp_path: Path) -> None:
    found, said = await told(repository(tmp_path, "*.json\n", "a.json"), {"PATH": ""})
    assert (found, len(said)) == ((), 1)
    assert await told(write_project(tmp_path.parent / "plain", {"a.json": ""}), {"PATH": ""}) == ((), [])


async def test_directories_beside_a_large_one_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ignored, "_MAX_LOOKED_AT", 30)
    many = [f"data/big/{number}.txt" for number in range(40)]
    few = [f"data/{name}/deep/secret.txt" for name in "abcdefgh"]
    root = repository(tmp_path, "data/\n", "data/run.py", "data/code/mod.py", "data/code/a.txt", *many, *few)
    found, said = await told(root)
    whole = sorted(["data/big", *(f"data/{name}" for name in "abcdefgh")])
    assert found == (*whole, "data/code/a.txt")
    assert said == []


async def test_code_not_looked_at_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ignored, "_MAX_LOOKED_AT", 30)
    files = [f"data/{number}{kind}" for number in range(20) for kind in (".py", ".txt")]
    _, said = await told(repository(tmp_path, "data/\n", *files))
    assert len(said) == 1
    assert said[0].startswith("git ignores data, which holds code and more than 30 entries")


async def test_packages_looked_at_late_stay_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ignored, "_MAX_LOOKED_AT", 10)
    monkeypatch.setattr(ignored, "_MAX_LATE", 5)
    files = [f"lib/{pack}/{kind}/{number}.py" for pack in "abc" for kind in ("x", "y") for number in range(9)]
    found, said = await told(repository(tmp_path, "lib/\n", *files))
    assert found == ()
    assert len(said) == 1


async def test_own_files_in_environments_are_named(tmp_path: Path) -> None:
    own = ("venv/.env", "venv/inner/secret.txt", "venv/secret.txt")
    installed = ("venv/pyvenv.cfg", "venv/bin/tool", "venv/lib/data.txt", "venv/src/pack/data.txt", "venv/.gitignore")
    root = repository(tmp_path, "/venv/\n", *own, *installed)
    assert await named(root) == ("venv/inner", "venv/.env", "venv/secret.txt")


async def test_repositories_in_environments_are_asked(tmp_path: Path) -> None:
    root = repository(tmp_path, "", "venv/pyvenv.cfg")
    repository(root / "venv" / "src" / "pack", "*.data\n", "a.data")
    assert await named(root) == ("venv/src/pack/a.data",)


def test_code_made_by_tools_stays(tmp_path: Path) -> None:
    """What an interpreter needs is kept, in whatever directory its environment lies."""
    own = ("local_settings.py", "private", "conversion.py")
    made = ("pkg/_version.py", "api_pb2.py", "pkg.egg-info", "env", ".direnv", "a/__pycache__")
    write_project(tmp_path, {"env/pyvenv.cfg": "", ".direnv/python/bin/python": "", "private/keys.py": ""})
    kept = [tmp_path / ".direnv/python/bin/python"]
    assert ignored_code(tmp_path, [*made, *own], kept) == tuple(sorted(own))
