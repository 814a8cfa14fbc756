"""Watching real processes from outside: too much memory, a lost parent, the sizes of structures."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from textwrap import dedent

import pytest

from certo.guests import WORKER_HOME
from certo.sandbox.process.libproc import BsdInfo, TaskInfo
from certo.sandbox.process.run_output import read_report
from certo_worker.confinement import libproc, seatbelt
from certo_worker.process import supervisor

KEEPER = """
    import sys
    from certo_worker.process.supervisor import keep

    def program():
        exec(sys.argv[3])
        return 0

    keep(program, int(sys.argv[1]), int(sys.argv[2]), hidden=False, privileged=False, watched=200)
"""


def kept(program: str, ended: int, parent: int) -> subprocess.Popen[bytes]:
    """Start a keeper that looks after a program, with 200 MiB for it."""
    return subprocess.Popen(
        [sys.executable, "-c", dedent(KEEPER), str(ended), str(parent), program],
        env={"PYTHONPATH": str(WORKER_HOME)},
        pass_fds=(ended,),
        stdout=subprocess.PIPE,
    )


def report_of(program: str) -> dict[str, object]:
    ended, ended_in = os.pipe()
    with kept(program, ended_in, os.getpid()):
        os.close(ended_in)
    with os.fdopen(ended, "rb") as pipe:
        text = pipe.read()
    read = read_report(text)
    return {"status": read.status, "full": read.full, "lines": len(text.splitlines())}


def test_too_much_memory_kills_and_is_reported() -> None:
    assert report_of("bytearray(b'x' * (1 << 29)); import time; time.sleep(1000)") == {
        "status": -9,
        "full": True,
        "lines": 2,
    }


def test_the_memory_of_its_children_counts() -> None:
    program = "import os, time; os.fork(); kept = bytearray(b'x' * (150 << 20)); time.sleep(1000)"
    assert report_of(program)["full"] is True


@pytest.mark.parametrize(("program", "status"), [("pass", 0), ("import os; os._exit(7)", 7), ("1 / 0", 1)])
def test_any_other_end_is_reported_as_ever(program: str, status: int) -> None:
    assert report_of(program) == {"status": status, "full": False, "lines": 2}


def test_descendants_die_with_the_parent() -> None:
    code = """
        import os, time
        from certo_worker.process.supervisor import Lookout
        if os.fork() == 0:
            time.sleep(1000)
        assert Lookout(1000, parent=os.getppid() + 1).wait()[1] == 9
        if os.fork() == 0:
            os._exit(3)
        assert os.WEXITSTATUS(Lookout(1000, parent=os.getppid()).wait()[1]) == 3
    """
    subprocess.run([sys.executable, "-c", dedent(code)], env={"PYTHONPATH": str(WORKER_HOME)}, check=True)


def test_descendants_are_all_that_are_below() -> None:
    code = (
        "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', 'input()']); print(flush=True); input()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        below = supervisor.descendants(child.pid)
        assert len(below) == 1
        assert child.pid in supervisor.children(os.getpid())
        assert below[0] not in supervisor.children(os.getpid())
        supervisor.kill([*below, child.pid])
    assert supervisor.children(child.pid) == []


def test_memory_of_a_process_is_measured() -> None:
    before = supervisor.footprint(os.getpid())
    taken = bytearray(b"x" * (64 << 20))
    after = supervisor.footprint(os.getpid())
    assert before is not None
    assert after is not None
    assert after - before > 50 << 20
    assert len(taken)


def test_structures_have_the_sizes_of_macos() -> None:
    assert ctypes.sizeof(libproc.RusageV0) == 96
    assert libproc.RusageV0.footprint.offset == 72
    assert ctypes.sizeof(BsdInfo) == 136
    assert BsdInfo.parent.offset == 16
    assert BsdInfo.start_seconds.offset == 120
    assert ctypes.sizeof(TaskInfo) == 96


def test_missing_seatbelt_is_a_clear_error() -> None:
    with pytest.raises(OSError, match="there is no Seatbelt here"):
        seatbelt.require()
    with pytest.raises(OSError, match="there is no Seatbelt here"):
        seatbelt.restrict("(version 1)")
    assert seatbelt.works() is False
