"""File systems for the copies of a process that has no right to mount: made by another, which takes few orders."""

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

START = """
    import ctypes, json, os, sys
    sys.path.insert(0, sys.argv[1])
    from certo_worker.confinement import kernel, mounts, privileges
    from certo_worker.process import mount_server

    user, group = os.getuid(), os.getgid()
    kernel.unshare(0x10000000)
    maps = {"setgroups": "deny", "uid_map": "%d %d 1" % (user, user), "gid_map": "%d %d 1" % (group, group)}
    for name, line in maps.items():
        with open("/proc/self/" + name, "w") as file:
            file.write(line)
    request = json.loads(sys.argv[2])
    mounts.lay_out({**request["mounts"], "files": {}})
    seen = mount_server.Views(request["place"], request["runs"])
    privileges.drop()

    def tell(**said):
        print(json.dumps(said), flush=True)

    def looked():
        files = {}
        for place, _, names in os.walk("."):
            for name in names:
                with open(os.path.join(place, name)) as file:
                    files[os.path.normpath(os.path.join(place, name))] = file.read()
        return files

    def fork(body):
        child = os.fork()
        if child == 0:
            try:
                body()
            except BaseException as error:
                tell(failed=repr(error))
            finally:
                os._exit(0)
        return child

    def refused(body):
        try:
            body()
        except Exception as error:
            return str(error)
        return ""
"""


def run(root: Path, code: str) -> list[dict[str, Any]]:
    """Return the messages of a process without privileges, and of its copies."""
    tmp = root.parent
    for name in ("views", "runs/0", "memory"):
        (tmp / name).mkdir(parents=True, exist_ok=True)
    request = {
        "place": str(tmp / "views"),
        "runs": str(tmp / "runs"),
        "text": str(tmp / "runs" / "0" / "text"),
        "secret": str(tmp / "secret"),
        "mounts": {
            "roots": [str(root)],
            "files": {},
            "hidden": [],
            "places": ["/dev/shm", str(tmp / "memory")],
            "mebibytes": 8,
            "inodes": 1000,
        },
    }
    (tmp / "runs" / "0" / "text").write_text("text")
    (tmp / "secret").write_text("secret")
    command = [
        sys.executable,
        "-I",
        "-S",
        "-B",
        "-c",
        dedent(START) + dedent(code),
        str(WORKER_HOME),
        json.dumps(request),
    ]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with two files."""
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    (root / "one.py").write_text("one")
    (root / "tests" / "two.py").write_text("two")
    return root


AS_IT_IS = {"one.py": "one", "tests/two.py": "two"}


def test_copies_see_only_their_own_files(root: Path) -> None:
    told = run(
        root,
        """
        import time
        def look(name):
            place = request["mounts"]["places"][1]
            before = os.listdir(place)
            with open(place + "/" + name, "w") as file:
                file.write(name)
            status = dict(line.split(":", 1) for line in open("/proc/self/status"))
            tell(name=name, files=looked(), memory=before, privileges=status["CapEff"].strip(),
                 others=sorted(os.listdir(request["place"])), inside=os.getcwd() == request["mounts"]["roots"][0])
        text = request["text"]
        for name, files in (("a", {"one.py": text}), ("b", {"new.py": text, "one.py": None}), ("c", {})):
            with seen.of_run(name, {**request["mounts"], "files": files}):
                child = fork(lambda: look(name))
            os.waitpid(child, 0)
        look("original")
        for name in "abc":
            seen.remove(name)
        """,
    )
    nothing = "0" * 16
    assert told == [
        {"name": name, "files": files, "memory": [], "privileges": nothing, "others": others, "inside": True}
        for name, files, others in (
            ("a", {**AS_IT_IS, "one.py": "text"}, []),
            ("b", {"new.py": "text", "tests/two.py": "two"}, []),
            ("c", AS_IT_IS, []),
            ("original", AS_IT_IS, ["a", "b", "c"]),
        )
    ]
    assert not os.listdir(root.parent / "views")


def test_candidates_share_memory_but_not_hidden_files(root: Path) -> None:
    told = run(
        root,
        """
        mounts = {**request["mounts"], "files": {"one.py": request["text"]}}
        with seen.of_run("a", {**mounts, "files": {}}):
            def judge():
                with open(request["mounts"]["places"][1] + "/shared", "w") as file:
                    file.write("shared")
                tell(files=looked())
            os.waitpid(fork(judge), 0)
            with seen.of_candidate("a", mounts, ["tests"]):
                place = request["mounts"]["places"][1]
                os.waitpid(fork(lambda: tell(files=looked(), memory=os.listdir(place))), 0)
        seen.remove("a")
        with seen.of_run("a", {**mounts, "files": {}}):
            os.waitpid(fork(lambda: tell(memory=os.listdir(place))), 0)
        """,
    )
    assert told == [{"files": AS_IT_IS}, {"files": {"one.py": "text"}, "memory": ["shared"]}, {"memory": []}]


def test_it_takes_no_other_orders(root: Path) -> None:
    told = run(
        root,
        """
        def asks(**request):
            return refused(lambda: seen._ask(request))
        secret = {**request["mounts"], "files": {"one.py": request["secret"]}}
        linked = request["runs"] + "/0/link"
        os.symlink(request["secret"], linked)
        tell(said=[
            asks(do="lay out", name="a", mounts=secret),
            asks(do="lay out", name="a", mounts={**secret, "files": {"one.py": linked}}),
            asks(do="lay out", name="../a", mounts=request["mounts"]),
            asks(do="remove", name="../../runs"),
            asks(do="lay over", name="none", mounts=request["mounts"]),
            asks(do="nothing", name="a", mounts=request["mounts"]),
            asks(),
        ])
        tell(files=looked(), there=os.listdir(request["place"]))
        with seen.of_run("b", request["mounts"]):
            os.waitpid(fork(lambda: tell(files=looked())), 0)
        """,
    )
    assert all(told[0]["said"]), told[0]
    assert "no text of a run" in told[0]["said"][0]
    assert "no text of a run" in told[0]["said"][1]
    assert told[1]["files"] == AS_IT_IS
    assert told[2] == {"files": AS_IT_IS}


def test_mount_server_is_out_of_reach(root: Path) -> None:
    """Its client can neither trace it nor read it nor mount by itself."""
    told = run(
        root,
        """
        import signal
        [keeper] = [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) > os.getpid()
                    and b"certo_worker" in open("/proc/%s/cmdline" % name, "rb").read()
                    and int(open("/proc/%s/stat" % name).read().split()[3]) == os.getppid()] or [0]
        tell(
            found=keeper > 0,
            opened=[name for name in ("mem", "root", "environ", "fd/2") if not refused(
                lambda: os.open("/proc/%d/%s" % (keeper, name), os.O_RDONLY))],
            traced=ctypes.CDLL(None).ptrace(0x4206, keeper, None, None),
            mounted=not refused(lambda: kernel.mount("tmpfs", request["mounts"]["roots"][0], "tmpfs", 0)),
            entered=not refused(lambda: os.chroot(request["mounts"]["roots"][0])),
        )
        """,
    )
    assert told == [{"found": True, "opened": [], "traced": -1, "mounted": False, "entered": False}]
