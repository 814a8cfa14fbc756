"""A run in two processes without an executor: the tests of a small project in one, a candidate's text in the other."""

from __future__ import annotations

import functools
import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

from certo.guests import WORKER_HOME
from support.folder_end import at_end_of_folder
from support.projects.bare_environment import bare_python

_PROGRAM = """
import importlib, json, os, socket, sys, traceback

sys.path.append(sys.argv[1])
import pytest
from certo_worker.process import overlay
from certo_worker.suite import doctest_run, reporter, suite


def run(order):
    os.chdir(order["root"])
    sys.path[:0] = [order["root"]]
    program = importlib.import_module("certo_worker.suite." + order["program"])
    ours, theirs = socket.socketpair()
    child = os.fork() if order["apart"] else None
    if not child:
        overlay.install(order["root"], order["overlay"])
    if child == 0:
        ours.close()
        program.candidate(order["request"], theirs)
        os._exit(0)
    theirs.close()
    told = os.open(order["told"], os.O_WRONLY | os.O_CREAT, 0o600)
    def tell(message):
        os.write(told, json.dumps(message).encode() + b"\\n")

    program.main(order["request"], tell, *([ours] if child else []))
    ours.close()
    if child:
        os.waitpid(child, 0)


for line in sys.stdin:
    copy = os.fork()
    if copy == 0:
        status = 1
        try:
            order = json.loads(line)
            for descriptor, place in enumerate((os.devnull, os.devnull, order["errors"])):
                os.dup2(os.open(place, os.O_RDWR | os.O_CREAT, 0o600), descriptor)
            run(order)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    print(os.waitpid(copy, 0)[1], flush=True)
"""


@functools.cache
def _process(python: Path) -> subprocess.Popen[str]:
    """Return a process that has imported pytest and the worker, and runs each order in a copy of itself.

    As in a sandbox, nothing that the pytest which runs this test says in its environment is there.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    process = subprocess.Popen(
        [python, "-B", "-c", _PROGRAM, str(WORKER_HOME)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    at_end_of_folder(functools.partial(_end, process))
    return process


def _end(process: subprocess.Popen[str]) -> None:
    _process.cache_clear()
    process.communicate()


def _run(python: Path, order: Mapping[str, Any]) -> None:
    process = _process(python)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(order) + "\n")
    process.stdin.flush()
    assert process.stdout.readline() == "0\n", Path(order["errors"]).read_text(encoding="utf-8", errors="replace")


def run_apart(
    place: Path,
    candidate: str,
    tests: Mapping[str, str],
    *,
    program: str = "suite",
    apart: bool = True,
    base: str | None = None,
    line: int = 0,
    python: Path | None = None,
    **request: Any,
) -> dict[str, dict[str, Any]]:
    """Return the result of each test and uncollectable file, with `candidate` as the text of shop.py elsewhere.

    Without `apart` the candidate runs in the tests' process. `request` has unusual fields of the program's request.
    `base` is the original text, if it differs, with the target's `def` at `line`. The file shop.py on the disk fails
    when it is run, so that running it in place of the candidate is noticed. `python` is for projects that need more
    than pytest; its plug-ins take longer to load than the tests to run.
    """
    root = place / "project"
    files = {"shop.py": "raise AssertionError('the text on the disk was run')", **tests}
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    copy = place / "candidate.py"
    copy.write_text(dedent(candidate), encoding="utf-8")
    target = {
        "file": "shop.py",
        "qualname": "",
        "first": 1,
        "last": 1,
        "changed": [],
        "entry_counts": False,
        "text": dedent(candidate if base is None else base),
        "line": line,
    }
    asked = {
        "root": str(root),
        "paths": sorted(tests),
        "ids": None,
        "skip": [],
        "hung": [],
        "seconds": 10,
        "total": 60,
    }
    order = {
        "root": str(root),
        "program": program,
        "apart": apart,
        "overlay": {"shop.py": str(copy)},
        "request": {**asked, "target": target, **request},
        "told": str(place / "told"),
        "errors": str(place / "errors"),
    }
    (place / "told").unlink(missing_ok=True)
    _run(python or bare_python(), order)
    told = [json.loads(line) for line in (place / "told").read_text(encoding="utf-8").splitlines()]
    uncollected = {each["path"]: each for each in told if each["kind"] == "uncollected"}
    return {**uncollected, **{each["id"]: each for each in told if each["kind"] == "test"}}
