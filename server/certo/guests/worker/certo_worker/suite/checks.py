"""Guest program that judges candidates by pytest tests or doctest examples, and is prepared for both at once."""

from __future__ import annotations

import os
import socket
import time
from typing import Any, Dict, Optional

from certo_worker.observation.failure_text import Tell
from certo_worker.suite import doctest_run, suite


def go(environment: Dict[str, str]) -> None:
    """Set environment variables, and apply a changed time zone.

    The text encoding was fixed when the process began and stays: files are read as at home.
    """
    if not environment:
        return
    os.environ.update(environment)
    if hasattr(time, "tzset"):
        time.tzset()


_PROGRAMS = {"suite": suite, "doctest_run": doctest_run}


def prepare(preparation: Dict[str, Any]) -> None:
    """Prepare for the tests; doctest examples need only the libraries."""
    suite.prepare(preparation)


def foresee(request: Dict[str, Any]) -> None:
    """Prepare for more runs like `request`; doctest examples need nothing."""
    if request["program"] == "suite":
        suite.foresee(request)


def main(request: Dict[str, Any], tell: Tell, peer: Optional[socket.socket] = None) -> None:
    """Run the program named in `request`, with the variables of its `environment`."""
    go(request.get("environment") or {})
    _PROGRAMS[request["program"]].main(request, tell, peer)


def candidate(request: Dict[str, Any], peer: socket.socket) -> None:
    """Run as the candidate's process for that program; nothing of the tests, nor their names, is left in it."""
    program = _PROGRAMS[request["program"]]
    request.clear()
    suite.forget()
    program.candidate(request, peer)
