"""Where a worker process takes its order, and lets the keeper keep what carries it out."""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any, Dict, NoReturn

from certo_worker import direct, keeper, program, walls, zygote


def run(order_path: str, said: int, ended: int) -> NoReturn:
    """Carry out the order in the file `order_path`; `said` and `ended` are pipes to the executor."""
    order = _read(order_path)

    def carry_out() -> int:
        return program.run(order, said) if order["control"] is None else zygote.serve(order, said)

    limits, walled, privileged = order["limits"], order["walls"]["seccomp"], order["mounts"] is not None
    watched = limits["memory_mebibytes"] if limits["watched"] else None
    keeper.keep(carry_out, ended, order["parent"], hidden=walled, privileged=privileged, watched=watched)


def run_directly(order_path: str) -> NoReturn:
    """Carry out the order in this process, with the standard streams for pipes: where there is no fork."""
    order = _read(order_path)
    said, orders = direct.take_streams()
    if order["awaits"] is not None:
        order["awaits"]["pipe"] = orders
    keeper.leave(program.run(order, said))


def _read(order_path: str) -> Dict[str, Any]:
    with open(order_path, encoding="utf-8") as order_file:
        order: Dict[str, Any] = json.load(order_file)
    try:
        _require(order)
    except OSError as error:
        sys.exit(str(error))
    return order


def _require(order: Dict[str, Any]) -> None:
    walls.require(order["walls"])
    if order["mounts"] is not None:
        try:
            importlib.import_module("certo_worker.mounting")
        except (ImportError, AttributeError) as error:
            raise OSError("this Python has no working ctypes, which certo needs to mount: {}".format(error)) from error
