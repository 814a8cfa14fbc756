"""A run in two processes without an executor: the tests of a small project in one, a candidate's text in the other."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

from certo.guests import WORKER_HOME
from support.projects.bare_environment import bare_python

_PROGRAM = """
import importlib, json, os, socket, sys

order = json.loads(sys.stdin.read())
os.chdir(order["root"])
sys.path[:0] = [order["root"]]
sys.path.append(order["home"])
program = importlib.import_module("certo_worker.suite." + order["program"])
ours, theirs = socket.socketpair()
child = os.fork() if order["apart"] else None
if not child:
    from certo_worker.process import overlay

    overlay.install(order["root"], order["overlay"])
if child == 0:
    ours.close()
    program.candidate(order["request"], theirs)
    os._exit(0)
theirs.close()
said = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
def tell(told):
    os.write(said, json.dumps(told).encode() + b"\\n")

program.main(order["request"], tell, *([ours] if child else []))
ours.close()
if child:
    os.waitpid(child, 0)
"""


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
        "home": str(WORKER_HOME),
        "program": program,
        "apart": apart,
        "overlay": {"shop.py": str(copy)},
        "request": {**asked, "target": target, **request},
    }
    # As in a sandbox, nothing that the pytest which runs this test says in its environment is there.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(
        [python or bare_python(), "-B", "-c", _PROGRAM],
        input=json.dumps(order),
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    uncollected = {each["path"]: each for each in told if each["kind"] == "uncollected"}
    return {**uncollected, **{each["id"]: each for each in told if each["kind"] == "test"}}
