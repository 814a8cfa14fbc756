"""A run's own file system: each fork of one process gets another, and nobody else sees any of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from certo.guests import WORKER_HOME

# They need a user namespace, which machines that have no bubblewrap may not grant.
pytestmark = pytest.mark.bubblewrap

FORKS = """
    import json, os, sys
    sys.path.insert(0, sys.argv[1])
    from certo_worker.confinement import kernel, mounts as mounting

    user, group = os.getuid(), os.getgid()
    # A new user namespace, in which this process has every capability and the same ids as before.
    kernel.unshare(0x10000000)
    maps = {"setgroups": "deny", "uid_map": "%d %d 1" % (user, user), "gid_map": "%d %d 1" % (group, group)}
    for name, line in maps.items():
        with open("/proc/self/" + name, "w") as file:
            file.write(line)

    # As in a sandbox, where these are mounted before any run begins.
    request = json.loads(sys.argv[2])
    for source, place in request["mounted"]:
        if source == request["mounted"][0][0]:
            kernel.unshare(0x20000)
        kernel.mount(source, place, None, 1 << 12)

    for mounts in request["runs"]:
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            mounting.lay_out(mounts)
            seen = {}
            for place, _, names in os.walk("."):
                for name in names:
                    path = os.path.normpath(os.path.join(place, name))
                    with open(path) as file:
                        seen[path] = file.read()
            memory = {}
            for place in mounts["places"]:
                memory[place] = sorted(os.listdir(place))
                with open(os.path.join(place, "mine"), "w") as file:
                    file.write("mine")
            print(json.dumps({"seen": seen, "memory": memory}), flush=True)
            os._exit(0)
        assert os.waitpid(pid, 0)[1] == 0
"""


def run(runs: list[dict[str, Any]], mounted: list[tuple[str, str]] | None = None) -> list[dict[str, Any]]:
    """Return what each of several forks of one process saw in its own file system."""
    request = json.dumps({"runs": runs, "mounted": mounted or []})
    command = [sys.executable, "-I", "-S", "-B", "-c", dedent(FORKS), str(WORKER_HOME), request]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


def mounts(root: Path, files: dict[str, str | None], *places: Path) -> dict[str, Any]:
    """That part of an order, for a run in `root`."""
    memory = ["/dev/shm", *map(str, places)]
    return {"roots": [str(root)], "files": files, "hidden": [], "places": memory, "mebibytes": 8, "inodes": 1000}


@pytest.fixture(params=["project", "a: b,c\\d\té"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A project with two files; its name holds characters that mean something in tables of mounts."""
    root = tmp_path / request.param
    (root / "pack").mkdir(parents=True)
    (root / "one.py").write_text("one")
    (root / "pack" / "two.py").write_text("two")
    return root


@pytest.fixture
def text(tmp_path: Path) -> str:
    """The place of a text."""
    (tmp_path / "text").write_text("text")
    return str(tmp_path / "text")


AS_IT_IS = {"one.py": "one", "pack/two.py": "two"}


def test_forks_each_see_their_own_files(root: Path, text: str) -> None:
    overlays: list[dict[str, str | None]] = [
        {},
        {"one.py": text},
        {"new/new.py": text, "pack/two.py": None, "one.py": text},
        {"one.py": None, "one.py/inner.py": text, "not/there.py": None},
        {"pack/two.py": text},
        {"pack": None},
    ]
    seen = [ran["seen"] for ran in run([mounts(root, files) for files in overlays])]
    assert seen == [
        AS_IT_IS,
        {**AS_IT_IS, "one.py": "text"},
        {"one.py": "text", "new/new.py": "text"},
        {"one.py/inner.py": "text", "pack/two.py": "two"},
        {**AS_IT_IS, "pack/two.py": "text"},
        {"one.py": "one"},
    ]
    assert {path.name for path in root.iterdir()} == {"one.py", "pack"}


def test_memory_is_each_runs_own(root: Path, text: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    ran = run([mounts(root, {"new.py": text}, home), mounts(root, {}, home)])
    assert [one["memory"] for one in ran] == [{"/dev/shm": [], str(home): []}] * 2
    assert list(home.iterdir()) == []


def test_mounts_below_the_project_stay_visible(root: Path, text: str, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "deep").mkdir(parents=True)
    (elsewhere / "deep" / "three.py").write_text("three")
    # One place of memory holds the project, as /tmp may, and the project holds another mount.
    ran = run(
        [mounts(root, {"new.py": text}, root.parent)],
        [(str(root), str(root)), (str(elsewhere), str(root / "pack")), (text, str(root / "one.py"))],
    )
    assert ran[0]["seen"] == {"one.py": "text", "pack/deep/three.py": "three", "new.py": "text"}
    assert ran[0]["memory"][str(root.parent)] == [root.name]


@pytest.mark.parametrize("relative", ["link.py", "../outside.py", "away/outside.py"])
def test_nothing_outside_the_project_is_changed(root: Path, text: str, relative: str) -> None:
    outside = root.parent / "outside.py"
    outside.write_text("outside")
    os.symlink(outside, root / "link.py")
    os.symlink(root.parent, root / "away")
    seen = {**AS_IT_IS, "link.py": "outside"}
    assert run([mounts(root, {relative: text})])[0]["seen"] == seen
    assert outside.read_text() == "outside"


def test_link_in_the_project_shows_the_text(root: Path, text: str) -> None:
    os.symlink("one.py", root / "link.py")
    seen = {"one.py": "text", "link.py": "text", "pack/two.py": "two"}
    assert run([mounts(root, {"link.py": text})])[0]["seen"] == seen


def test_deleting_a_link_leaves_its_target(root: Path) -> None:
    os.symlink("one.py", root / "link.py")
    assert run([mounts(root, {"link.py": None})])[0]["seen"] == AS_IT_IS
