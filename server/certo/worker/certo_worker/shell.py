"""One run from inside: read the order, make ourselves at home without moving the project's furniture, call main."""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback
from typing import Any, NoReturn

from certo_worker import confine, keeper, overlay, waiting, walls
from certo_worker.channel import Channel


def run(order_path: str, said: int, ended: int) -> NoReturn:
    """Carry out the order in the file `order_path`; `said` and `ended` are pipes to the executor."""
    with open(order_path, encoding="utf-8") as order_file:
        order = json.load(order_file)
    try:
        _require(order)
    except OSError as error:
        sys.exit(str(error))

    def program() -> int:
        return _run_program(order, said)

    limits, walled, privileged = order["limits"], order["walls"]["seccomp"], order["mounts"] is not None
    watched = limits["memory_mebibytes"] if limits["watched"] else None
    keeper.keep(program, ended, order["parent"], hidden=walled, privileged=privileged, watched=watched)


def _require(order: dict[str, Any]) -> None:
    walls.require(order["walls"])
    if order["mounts"] is not None:
        try:
            importlib.import_module("certo_worker.mounting")
        except (ImportError, AttributeError) as error:
            raise OSError("this Python has no working ctypes, which certo needs to mount: {}".format(error)) from error


def _run_program(order: dict[str, Any], said: int) -> int:
    channel = Channel(said)
    confine.limit(order["limits"])
    try:
        _arrange_path(order["root"], order["home"])
        if order["mounts"] is not None:
            from certo_worker import mounting  # it needs ctypes, which only those who ask for walls are sure to have

            mounting.lay_out(order["mounts"])
        overlay.install(order["root"], order["overlay"])
        walls.put_up(order["walls"])
        module = importlib.import_module(order["module"])
        if order["preparation"] is not None:
            module.prepare(order["preparation"])
        request = order["request"] if order["awaits"] is None else waiting.receive(order, channel.tell)
        module.main(request, channel.tell)
    except MemoryError:
        channel.end("memory")
        return 1
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    channel.end("complete")
    return 0


def _arrange_path(root: str, home: str) -> None:
    """Make `sys.path` what a script in the project's root has; our own homes come last, where they shadow nothing."""
    ours = sys.path[0]
    sys.path[0] = root
    sys.path.extend(dict.fromkeys((home, ours)))
    sys.argv[:] = [os.path.join(root, "")]
