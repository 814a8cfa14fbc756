"""A map is made of the files that git does not ignore, and of no file that is named like a key."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from certo.project import listing
from certo.project.listing import list_files
from support.projects.projects import write_project

pytestmark = pytest.mark.acceptance(64)

FILES = {
    "shop.py": "",
    "pkg/deep/mod.py": "",
    ".env": "KEY=sk-canary\n",
    "keys/server.pem": "",
    "secrets.py": "",
    "ignored.py": "",
    "build/made.py": "",
    "env/pyvenv.cfg": "",
    "env/lib/site.py": "",
    ".gitignore": "ignored.py\n",
}
KEY = "-----BEGIN PRIVATE KEY-----\n" + "x" * 99
READABLE = ["pkg/deep/mod.py", "shop.py"]


def git(root: Path, *words: str) -> None:
    identity = {
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b",
    }
    subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, env={**os.environ, **identity})


async def listed(root: Path) -> list[str]:
    found = await list_files(root, os.environ)
    return [each.path for each in found.files if not each.path.startswith(".git")]


async def test_tracked_and_addable_files_are_listed(tmp_path: Path) -> None:
    """Secret files are left out though git tracks them."""
    root = write_project(tmp_path / "shop", FILES)
    git(root, "init")
    assert await listed(root) == READABLE
    git(root, "add", "-f", "shop.py", "secrets.py", ".env")
    (root / "later.py").write_text("")
    assert await listed(root) == ["later.py", *READABLE]


async def test_without_git_it_is_what_lies_below(tmp_path: Path) -> None:
    root = write_project(tmp_path / "shop", FILES)
    assert await listed(root) == ["ignored.py", *READABLE]


async def test_nothing_is_listed_when_git_fails(tmp_path: Path) -> None:
    root = write_project(tmp_path / "shop", {**FILES, ".git": "gitdir: nowhere\n"})
    found = await list_files(root, os.environ)
    assert (found.files, found.whole) == ((), False)


async def test_nothing_leads_out_of_the_project(tmp_path: Path) -> None:
    outside = write_project(tmp_path / "outside", {"mod.py": "secret = 1\n"})
    root = write_project(tmp_path / "shop", {"pkg/mod.py": "", "shop.py": ""})
    git(root, "init")
    git(root, "add", ".")
    # Git still lists what was in the folder before it became a link.
    (root / "pkg" / "mod.py").unlink()
    (root / "pkg").rmdir()
    (root / "pkg").symlink_to(outside)
    (root / "link.py").symlink_to(outside / "mod.py")
    assert await listed(root) == ["shop.py"]


async def test_no_program_of_the_repository_is_run(tmp_path: Path) -> None:
    root = write_project(tmp_path / "shop", {"shop.py": "", "spy": "#!/bin/sh\ntouch ran\n"})
    (root / "spy").chmod(0o755)
    git(root, "init")
    git(root, "config", "core.fsmonitor", str(root / "spy"))
    assert await listed(root) == ["shop.py", "spy"]
    assert not (root / "ran").exists()


async def test_too_many_files_are_cut_and_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MAX_FILES", 1)
    found = await list_files(write_project(tmp_path / "shop", {"b.py": "", "a.py": "x"}), os.environ)
    assert ([each.path for each in found.files], found.files[0].size, found.whole) == (["a.py"], 1, False)


@pytest.mark.parametrize(
    "path", ["a/.env", ".env.local", "prod.env", "id_rsa", "x/ID_ED25519.pub", "CREDENTIALS.json", ".aws/x"]
)
async def test_secrets_are_not_listed(tmp_path: Path, path: str) -> None:
    root = write_project(tmp_path, {path: "", "environment.py": "", "deploy": KEY})
    assert [each.path for each in (await list_files(root, os.environ)).files] == ["environment.py"]
