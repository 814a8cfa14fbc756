"""Where a worker process takes its order, and lets the keeper keep what carries it out."""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any, Dict, NoReturn

from certo_worker import keeper, program, walls, zygote


def run(order_path: str, said: int, ended: int) -> NoReturn:
    """Carry out the order in the file `order_path`; `said` and `ended` are pipes to the executor."""
    with open(order_path, encoding="utf-8") as order_file:
        order = json.load(order_file)
    try:
        _require(order)
    except OSError as error:
        sys.exit(str(error))

    def carry_out() -> int:
        return program.fresh(order, said) if order["control"] is None else zygote.serve(order, said)

    limits, walled, privileged = order["limits"], order["walls"]["seccomp"], order["mounts"] is not None
    watched = limits["memory_mebibytes"] if limits["watched"] else None
    keeper.keep(carry_out, ended, order["parent"], hidden=walled, privileged=privileged, watched=watched)


def _require(order: Dict[str, Any]) -> None:
    walls.require(order["walls"])
    if order["mounts"] is not None:
        try:
            importlib.import_module("certo_worker.mounting")
        except (ImportError, AttributeError) as error:
            raise OSError("this Python has no working ctypes, which certo needs to mount: {}".format(error)) from error
