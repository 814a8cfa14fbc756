"""Launch of a worker: it reads its order, and has the supervisor keep the process that executes it."""

from __future__ import annotations

import importlib
import json
import os
import sys
from typing import Any, Dict, NoReturn, Tuple

from certo_worker.confinement import activation
from certo_worker.process import run as program
from certo_worker.process import supervisor

_STARTED = b'{"started": true}\n'


def take_streams() -> Tuple[int, int]:
    """Reserve standard output for messages and standard input for the rest of the order; report the start.

    The program prints to standard error, and reads from an empty input.
    """
    said, orders = os.dup(1), os.dup(0)
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.write(said, _STARTED)
    return said, orders


def run(order_path: str, said: int, ended: int) -> NoReturn:
    """Execute the order in the file `order_path`; `said` and `ended` are pipes to the executor."""
    order = _read(order_path)

    def carry_out() -> int:
        if order["control"] is None:
            return program.run(order, said)
        from certo_worker.process import zygote  # other runs need nothing of it

        return zygote.serve(order, said)

    limits, walled, privileged = order["limits"], order["walls"]["seccomp"], order["mounts"] is not None
    watched = limits["memory_mebibytes"] if limits["watched"] else None
    supervisor.keep(carry_out, ended, order["parent"], hidden=walled, privileged=privileged, watched=watched)


def run_directly(order_path: str) -> NoReturn:
    """Execute the order in this process, with the standard streams as pipes: for systems without fork."""
    order = _read(order_path)
    said, orders = take_streams()
    if order["awaits"] is not None:
        order["awaits"]["pipe"] = orders
    supervisor.leave(program.run(order, said))


def _read(order_path: str) -> Dict[str, Any]:
    with open(order_path, encoding="utf-8") as order_file:
        order: Dict[str, Any] = json.load(order_file)
    try:
        _require(order)
    except OSError as error:
        sys.exit(str(error))
    return order


def _require(order: Dict[str, Any]) -> None:
    activation.require(order["walls"])
    if order["mounts"] is not None:
        try:
            importlib.import_module("certo_worker.confinement.mounts")
        except (ImportError, AttributeError) as error:
            raise OSError("this Python has no working ctypes, which certo needs to mount: {}".format(error)) from error
