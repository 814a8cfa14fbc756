"""Guest programs: they run beside the user's code, under the user's interpreter.

certo imports nothing below this folder and only knows where each program is. A folder named here goes on the `sys.path`
of a run; the package in it is the only name that it adds.
"""

from __future__ import annotations

from pathlib import Path

_GUESTS = Path(__file__).resolve().parent

WORKER_HOME = _GUESTS / "worker"
"""The folder of `certo_worker`, which runs tests and tools in the sandbox."""

BUILTIN_HOME = _GUESTS / "builtin"
"""The folder of `certo_builtin`, the generator that needs no model."""

CALLS_HOME = _GUESTS / "calls"
"""The folder of `certo_calls`, which calls one generated function."""
