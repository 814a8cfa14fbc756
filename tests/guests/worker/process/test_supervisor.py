"""The keeper's process from its start to its end."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from certo.guests import WORKER_HOME

KEEP = """
import sys
from certo_worker.process import supervisor

def program():
    print("it ran")
    return 0

supervisor.keep(program, int(sys.argv[1]), 0, hidden=False, privileged=False)
"""


@pytest.mark.parametrize("heard", [True, False])
def test_nothing_runs_for_a_dead_executor(*, heard: bool) -> None:
    reading, writing = os.pipe()
    if not heard:
        os.close(reading)
    try:
        command = [sys.executable, "-B", "-c", KEEP, str(writing)]
        environ = {**os.environ, "PYTHONPATH": str(WORKER_HOME)}
        told = subprocess.run(command, pass_fds=[writing], env=environ, capture_output=True, text=True, timeout=60)
    finally:
        os.close(writing)
        if heard:
            os.close(reading)
    assert (told.stdout, told.returncode) == (("it ran\n", 0) if heard else ("", 1))
