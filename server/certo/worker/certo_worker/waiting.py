"""A worker that is ready before its run is known: behind its walls, prepared, it waits for the rest of its order."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any, Callable, Dict, List

from certo_worker import confine, overlay


def receive(order: Dict[str, Any], tell: Callable[[Dict[str, Any]], None]) -> Any:
    """Say that this process is prepared, wait for a byte on the order's pipe, and return the request that came.

    Two messages go out: first the CPU seconds used so far and the project's files that were loaded, by which the
    executor sees later whether one has changed since; then, when the order has come, the overlaid files among those
    that are loaded. With any of them the run would judge the text they had before, so it ends there.
    """
    used = time.process_time()
    tell({"prepared": used, "loaded": _loaded(order["root"])})
    pipe = order["awaits"]["pipe"]
    if not os.read(pipe, 1):
        # Who was to send the order is gone or needs us no more.
        sys.exit(0)
    os.close(pipe)
    with open(order["awaits"]["rest"], encoding="utf-8") as rest_file:
        rest = json.load(rest_file)
    changed = {os.path.realpath(os.path.join(order["root"], *path.split("/"))) for path in rest["overlay"]}
    stale = [path for path in _loaded(order["root"]) if path in changed]
    tell({"stale": stale})
    if stale:
        sys.exit(0)
    confine.limit_cpu(time.process_time() + rest["cpu_seconds"])
    overlay.install(order["root"], rest["overlay"])
    return rest["request"]


def _loaded(root: str) -> List[str]:
    """The real paths of the project's files that modules were made of."""
    inside = os.path.join(os.path.realpath(root), "")
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    places = {os.path.realpath(file) for file in files if isinstance(file, str)}
    installed = os.sep + "site-packages" + os.sep
    return sorted(place for place in places if place.startswith(inside) and installed not in place)
