"""The interpreter that runs certo: one that is always there, for trying out how others would be run."""

from __future__ import annotations

import sys
from pathlib import Path

from certo.sandbox.executor import Interpreter


def own_interpreter() -> Interpreter:
    """The interpreter that runs certo, as one to run programs with."""
    return Interpreter(
        executable=Path(sys.executable),
        version=sys.version_info[:3],
        readable=tuple(map(Path, {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix})),
        why="it runs certo",
    )
