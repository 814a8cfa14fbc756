"""Guest program that takes the baseline: finds the tests that may reach the target, and runs them and its doctests."""

from __future__ import annotations

from typing import Any, Dict, List, Set

from certo_worker.confinement import secret_files
from certo_worker.observation.failure_text import Tell
from certo_worker.suite import discovery, doctest_run, hypothesis_support, suite
from certo_worker.suite.pytest_config import default_paths
from certo_worker.suite.session import libraries


def main(request: Dict[str, Any], tell: Tell) -> None:
    """Run the requested tests and doctests; `paths` are searched for if that is null.

    For the `whole` suite they are pytest's own defaults. Those in `besides` are run after the ones found.
    """
    paths = request["paths"]
    left_out: Dict[str, Set[str]] = {}
    documents: List[str] = []
    if paths is None and request["whole"]:
        paths = default_paths(request["root"])
        tell({"kind": "reach", "paths": paths, "rest": [], "documents": [], "stopped": ""})
    elif paths is None:
        target = request["target"]
        found = discovery.find(request["root"], target["file"], target["qualname"], request["texts"], request["first"])
        kept = found.paths if request["narrowed"] else [*found.paths, *found.dropped]
        paths = [*kept, *(path for path in request["besides"] if path not in kept)]
        if request["narrowed"]:
            left_out = {path: names for path, names in found.left_out.items() if path not in request["besides"]}
        rest = [path for path in (*found.paths, *found.dropped) if left_out.get(path) or path not in paths]
        documents = found.documents
        told = {"kind": "reach", "paths": paths, "rest": rest, "documents": documents, "stopped": found.stopped}
        tell(told)
    # Only now: that we have looked for the tests everywhere says nothing of what they need.
    secret_files.watch()
    if paths:
        suite.main({**request, "paths": paths, "left_out": left_out}, tell)
    doctest_run.main({**request, "documents": documents}, tell)
    tell({"kind": "wanted", "paths": secret_files.wanted()})
    tell({"kind": "imported", "libraries": libraries(), "characters": hypothesis_support.were_made()})
