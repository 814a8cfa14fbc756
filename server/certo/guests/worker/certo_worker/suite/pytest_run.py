"""Running pytest as the project has configured it, but once, here, in order, and without a trace in the project."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from typing import Any, List, Sequence

# What a project may have switched on that keeps tests from being run once, here, in order: the name under which the
# plug-in is installed, and its own option that switches it off.
_NEUTRAL = {
    "pytest_cov": ["--no-cov"],
    "xdist": ["-n0"],
    "timeout": ["--timeout=0"],
    "randomly": ["--randomly-seed=0"],
}


def make_importable(root: str) -> None:
    """Let tests import the project as `python -m pytest` would, and a `src` layout that nobody installed."""
    for path in (os.path.join(root, "src"), root):
        if os.path.isdir(path) and path not in sys.path[:2]:
            sys.path.insert(0, path)


def import_pytest(root: str) -> None:
    """Import pytest and the plug-ins that it loads for the project at `root`, but for those that are its conftests.

    pytest has to do that itself, by reading the configuration: it rewrites the assertions of plug-ins as it imports
    them. Where it cannot, as when an option is a conftest's, what it has imported by then is imported.
    """
    from _pytest.config import _prepareconfig

    with tempfile.TemporaryDirectory() as scratch:
        try:
            config = _prepareconfig([*arguments_for(root, scratch), "--noconftest", root])
        except (Exception, SystemExit):
            return
        config._ensure_unconfigure()


def run_pytest(root: str, paths: Sequence[str], *plugins: Any, more: Sequence[str] = ()) -> int:
    """Run pytest on `paths` with plug-ins of ours and `more` arguments; return its exit status."""
    import pytest

    from certo_worker.suite.isolation_plugin import Alone

    # pytest looks for garbage five times when it ends, and need not look at itself; of the project nothing is here yet.
    gc.freeze()
    with tempfile.TemporaryDirectory() as scratch:
        make_cache(os.path.join(scratch, "cache"))
        # Hypothesis would keep its examples in the project, and try other ones for the next candidate.
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = scratch
        return int(pytest.main([*arguments_for(root, scratch), *more, *paths], plugins=[*plugins, Alone()]))


def make_cache(place: str) -> None:
    """Make the directory of pytest's cache, for pytest itself would change its mode, which a confined run may not.

    pytest would warn of that, and a project that turns warnings into errors would end pytest itself.
    """
    os.makedirs(place, exist_ok=True)


def arguments_for(root: str, scratch: str) -> List[str]:
    """Return pytest's arguments: they come after the project's `addopts` and win over them."""
    # Above the root nothing may be listed, and with a configuration up there pytest would start to look from it.
    arguments = [
        "--rootdir",
        root,
        "--confcutdir",
        root,
        "-o",
        "cache_dir=" + os.path.join(scratch, "cache"),
        "--maxfail=0",
    ]
    arguments += ["--continue-on-collection-errors", "--junitxml=", "--color=no", "--tb=no", "--show-capture=no"]
    arguments += ["-q", "-rN", "--capture=sys", "--no-header", "--no-summary", "-o", "faulthandler_timeout=0"]
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
