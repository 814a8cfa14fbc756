"""Runs of pytest in the project's configuration, but once, in this process, in order, and leaving no traces."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
import tempfile
from typing import Any, Iterable, Iterator, List, Sequence

from certo_worker.suite.django_settings import choose_settings
from certo_worker.suite.module_import import stands_for
from certo_worker.suite.pytest_config import Configured

# Plug-ins that keep tests from being run once, here, in order: the name under which each is installed, and its option
# that switches it off.
_NEUTRAL = {
    "pytest_cov": ["--no-cov"],
    "xdist": ["-n0"],
    "timeout": ["--timeout=0"],
    "randomly": ["--randomly-seed=0"],
    "benchmark": ["--benchmark-disable"],
}


def make_importable(root: str) -> None:
    """Let tests import the project as with `python -m pytest`, from an uninstalled `src` layout, and by Django."""
    choose_settings(root)
    for path in (os.path.join(root, "src"), root):
        if os.path.isdir(path) and path not in sys.path[:2]:
            sys.path.insert(0, path)


def import_pytest(root: str) -> None:
    """Import pytest and its plug-ins for the project at `root`, except conftests.

    pytest itself must do that by reading the configuration, because it rewrites the assertions of plug-ins as it
    imports them. What plug-ins do next, they do for the session of this configuration, which never begins:
    pytest-django imports the models of the project, and would refuse the databases to any other session.
    """
    import pytest
    from _pytest.config import _prepareconfig

    class Interruption:
        """Plug-in that ends the reading of the configuration as soon as all plug-ins are imported."""

        @pytest.hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_load_initial_conftests(self) -> Iterator[None]:
            """Fail before any other plug-in is called."""
            raise InterruptedError
            yield

    with tempfile.TemporaryDirectory() as scratch, contextlib.suppress(Exception, SystemExit):
        # If it fails before, those imported so far stay.
        _prepareconfig([*arguments_for(root, scratch), "--noconftest", root], [Interruption()])


def give_back(file: str) -> None:
    """Let tests import a file of the project anew, if pytest itself has imported it because it depends on the project.

    pytest and its own plug-ins keep the modules that they have. With a candidate in another process, or with a wrong
    version of it, the tests need another one.
    """
    names = {module.__name__.partition(".")[0] for module in list(sys.modules.values()) if stands_for(module, file)}
    if not names or not names.isdisjoint(("pytest", "_pytest", "certo_worker")):
        return
    for plugin in importlib.import_module("_pytest.config").default_plugins:
        importlib.import_module("_pytest." + plugin)
    for name in [name for name in sys.modules if name.partition(".")[0] in names]:
        del sys.modules[name]


def arguments_of(root: str, paths: Iterable[str]) -> List[str]:
    """Return the absolute form of files, folders and node ids, except of those that pytest takes for parameters.

    For one file with a bracket in its path, pytest would refuse to run all others.
    """
    return [os.path.join(root, path) for path in paths if not has_bracket(path)]


def has_bracket(path: str) -> bool:
    """True if the file or folder of a path or node id has an opening bracket in its name."""
    return "[" in path.partition("::")[0]


def run_pytest(root: str, paths: Sequence[str], *plugins: Any, more: Sequence[str] = ()) -> int:
    """Run pytest on `paths` with our plug-ins and `more` arguments; return its exit status."""
    import pytest

    from certo_worker.suite.isolation_plugin import Alone

    # pytest collects garbage five times at its end, and need not examine itself; nothing of the project is loaded yet.
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
    """Return pytest's arguments: they follow the project's `addopts` and override them."""
    # Nothing above the root may be listed, and pytest would start there if it found a configuration.
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
    blocked = Configured(root).blocked_plugins
    for name, options in _NEUTRAL.items():
        arguments += options if name in installed and name not in blocked else []
    return arguments


def _installed_plugins() -> List[str]:
    from importlib import metadata

    found = metadata.entry_points()
    if sys.version_info >= (3, 10):
        return [entry.name for entry in found.select(group="pytest11")]
    return [entry.name for entry in found.get("pytest11", [])]
