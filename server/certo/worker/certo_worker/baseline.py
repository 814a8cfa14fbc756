"""The program that takes the baseline: finds the tests that may reach the target, and runs them and its doctests."""

from __future__ import annotations

from typing import Any, Dict

from certo_worker import doctest_run, reach, suite
from certo_worker.describing import Tell
from certo_worker.session import libraries


def main(request: Dict[str, Any], tell: Tell) -> None:
    """Do what `request` asks of the suite and of the doctests; `paths` are searched for when that is null.

    Those that are `besides` the ones that are found come last.
    """
    paths = request["paths"]
    if paths is None:
        target = request["target"]
        paths, stopped = reach.find(request["root"], target["file"], target["qualname"], request["texts"])
        paths += [path for path in request["besides"] if path not in paths]
        tell({"kind": "reach", "paths": paths, "stopped": stopped})
    if paths:
        suite.main({**request, "paths": paths}, tell)
    doctest_run.main(request, tell)
    tell({"kind": "imported", "libraries": libraries()})
