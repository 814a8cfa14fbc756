"""Guest program that judges texts by pytest tests or doctest examples, and is prepared for both at once.

The baseline is one of its programs, so that a process prepared for candidates serves for it too.
"""

from __future__ import annotations

import os
import socket
import time
from typing import Any, Dict, Optional

from certo_worker.confinement import secret_files
from certo_worker.observation.failure_text import Tell
from certo_worker.suite import baseline, doctest_run, remaining_tests, suite


def go(environment: Dict[str, str]) -> None:
    """Set environment variables, and apply a changed time zone.

    The text encoding was fixed when the process began and stays: files are read as at home.
    """
    if not environment:
        return
    os.environ.update(environment)
    if hasattr(time, "tzset"):
        time.tzset()


_PROGRAMS = {"suite": suite, "doctest_run": doctest_run, "baseline": baseline, "remaining": remaining_tests}

RUNS_UNPREPARED = True
"""A process of its own needs no preparation, which only saves time to the copies of a prepared one."""


def prepare(preparation: Dict[str, Any]) -> None:
    """Prepare for the tests; doctest examples need only the libraries."""
    go(preparation.get("environment") or {})
    suite.prepare(preparation)


def foresee(request: Dict[str, Any]) -> bool:
    """Prepare for more runs like `request`; return True if that imported something."""
    return suite.foresee(request if request["program"] == "suite" else {**request, "paths": ()})


def main(request: Dict[str, Any], tell: Tell, peer: Optional[socket.socket] = None) -> None:
    """Run the program named in `request`, with the variables of its `environment`."""
    go(request.get("environment") or {})
    program: Any = _PROGRAMS[request["program"]]
    if program is baseline:
        baseline.main(request, tell)
        return
    secret_files.unwatch()
    program.main(request, tell, peer)


def candidate(request: Dict[str, Any], peer: socket.socket) -> None:
    """Run as the candidate's process for that program; nothing of the tests, nor their names, is left in it."""
    program: Any = _PROGRAMS[request["program"]]
    secret_files.unwatch()
    request.clear()
    suite.forget()
    program.candidate(request, peer)
