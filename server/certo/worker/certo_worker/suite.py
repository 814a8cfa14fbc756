"""The program that runs pytest tests of the project and tells how each stands."""

from __future__ import annotations

import importlib.util
import os
import sys
import tempfile
import time
from typing import Any, Dict, List

from certo_worker.clock import Clock
from certo_worker.describing import Tell
from certo_worker.watch import Sight

# What a project may have switched on that keeps tests from being run once, here, in order: the name under which the
# plug-in is installed, and its own option that switches it off.
_NEUTRAL = {
    "pytest_cov": ["--no-cov"],
    "xdist": ["-n0"],
    "timeout": ["--timeout=0"],
    "randomly": ["--randomly-seed=0"],
    "hypothesispytest": ["--hypothesis-seed=0"],
}


def main(request: Dict[str, Any], tell: Tell) -> None:
    """Run the tests of `request`: `paths` (files or node ids, relative to `root`), of these only `ids` unless null.

    `skip` and `hung` hold ids to leave out, `seconds` the time for one test, `total` that for all. `target` is a dict
    with `file`, `first`, `last`, `changed` and `entry_counts`, as Sight takes them. The project's own configuration
    counts.
    """
    if importlib.util.find_spec("pytest") is None:
        tell({"kind": "no_pytest"})
        return
    root = os.path.abspath(request["root"])
    _make_importable(root)
    import pytest

    from certo_worker.reporter import Reporter

    reporter = Reporter(
        tell,
        sight_of(request),
        Clock(request["seconds"]),
        root=root,
        chosen=None if request["ids"] is None else set(request["ids"]),
        skipped={*request["skip"], *request["hung"]},
        deadline=time.monotonic() + request["total"],
    )
    with tempfile.TemporaryDirectory() as scratch:
        # Hypothesis would keep its examples in the project, and try other ones for the next candidate.
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = scratch
        paths = [os.path.join(root, path) for path in request["paths"]]
        status = pytest.main(_arguments(root, scratch) + paths, plugins=[reporter])
    tell({"kind": "suite_ended", "status": int(status)})


def sight_of(request: Dict[str, Any]) -> Sight:
    """Return what is to be watched for a request."""
    target = request["target"]
    return Sight(
        os.path.join(request["root"], target["file"]),
        target["first"],
        target["last"],
        target["changed"],
        entry_counts=target["entry_counts"],
    )


def _make_importable(root: str) -> None:
    """Let tests import the project as `python -m pytest` would, and a `src` layout that nobody installed."""
    for path in (os.path.join(root, "src"), root):
        if os.path.isdir(path) and path not in sys.path[:2]:
            sys.path.insert(0, path)


def _arguments(root: str, scratch: str) -> List[str]:
    """Return pytest's arguments: they come after the project's `addopts` and win over them."""
    arguments = ["--rootdir", root, "-o", "cache_dir=" + os.path.join(scratch, "cache"), "--maxfail=0"]
    arguments += ["--continue-on-collection-errors", "--junitxml=", "--color=no", "--tb=short", "--show-capture=no"]
    arguments += ["-q", "-rN", "--no-header", "--no-summary", "-o", "faulthandler_timeout=0"]
    installed = _installed_plugins()
    for name, options in _NEUTRAL.items():
        arguments += options if name in installed else []
    return arguments


def _installed_plugins() -> List[str]:
    from importlib import metadata

    found = metadata.entry_points()
    if sys.version_info >= (3, 10):
        return [entry.name for entry in found.select(group="pytest11")]
    return [entry.name for entry in found.get("pytest11", [])]
