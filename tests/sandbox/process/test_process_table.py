"""The process table: living processes, their descendants, and those with a mark."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from uuid import uuid4

from certo.sandbox.process.process_table import descendants, kill, members, process_table, start_of, tree

TWO_BELOW = (
    "import os, signal, subprocess, sys\n"
    "child = subprocess.Popen([sys.executable, '-S', '-c', 'import signal; print(1, flush=True); signal.pause()'],"
    " start_new_session=True)\n"
    "signal.pause()\n"
)


def test_the_living_are_listed_without_the_dead() -> None:
    with subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE) as dead:
        assert dead.stdout is not None
        dead.stdout.read()
        os.waitid(os.P_PID, dead.pid, os.WEXITED | os.WNOWAIT)  # dead, and not reaped yet
        pids = {process.pid for process in process_table()}
        assert os.getpid() in pids
        assert dead.pid not in pids
        assert start_of(dead.pid) == 0
    assert start_of(os.getpid()) > 0


def test_descendants_and_members_are_found_and_killed() -> None:
    mark = uuid4().hex
    environment = {**os.environ, "MARK": mark}
    with subprocess.Popen(
        [sys.executable, "-S", "-c", TWO_BELOW], stdout=subprocess.PIPE, env=environment, start_new_session=True
    ) as top:
        assert top.stdout is not None
        assert top.stdout.readline() == b"1\n"
        below = descendants(top.pid)
        assert [process.parent for process in below] == [top.pid]
        assert top.pid in {process.pid for process in descendants(os.getpid())}
        assert {one.pid for one in tree(top.pid)} == {top.pid, below[0].pid}
        # The child has a session of its own: it is known by the mark alone.
        assert {one.pid for one in members(top.pid, mark)} == {top.pid, below[0].pid}
        assert {one.pid for one in members(top.pid, "no such mark")} == {top.pid}
        kill(members(top.pid, mark))
        kill(below)
        assert top.stdout.read() == b""
        assert below[0].pid not in {one.pid for one in tree(top.pid)}
    assert members(top.pid, mark) == []


def test_processes_with_reused_numbers_are_spared() -> None:
    with subprocess.Popen([sys.executable, "-c", "print(1, flush=True); input()"], stdin=-1, stdout=-1) as other:
        assert other.stdout is not None
        other.stdout.readline()
        [found] = [process for process in process_table() if process.pid == other.pid]
        kill([replace(found, start=found.start - 1)])
        other.communicate(b"\n")
        assert other.returncode == 0


def test_tree_holds_children_of_every_thread() -> None:
    program = (
        "import subprocess, sys, threading\n"
        "start = lambda: subprocess.Popen([sys.executable, '-S', '-c', 'input()'], stdin=subprocess.PIPE)\n"
        "def work():\n    start()\n    print(1, flush=True)\n    threading.Event().wait()\n"
        "threading.Thread(target=work, daemon=True).start()\n"
        "input()\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as top:
        assert top.stdout is not None
        assert top.stdout.readline() == b"1\n"
        below = descendants(top.pid)
        assert len(below) == 1
        assert {one.pid for one in tree(top.pid)} == {top.pid, below[0].pid}
        kill(below)
        top.communicate(b"\n")
