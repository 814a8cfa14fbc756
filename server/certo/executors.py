"""Names that an executor of a plug-in is written with."""

from __future__ import annotations

from certo.plugins import register
from certo.sandbox.executor import (
    Ending,
    Executor,
    ExecutorWrapper,
    Finished,
    Interpreter,
    Limits,
    Policy,
    Program,
    Work,
)
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions

__all__ = [
    "Ending",
    "Executor",
    "ExecutorWrapper",
    "Finished",
    "Interpreter",
    "Limits",
    "LocalExecutor",
    "Policy",
    "Program",
    "SandboxOptions",
    "Work",
    "register",
]
