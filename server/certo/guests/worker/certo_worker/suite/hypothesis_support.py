"""Hypothesis with one seed, set when it is imported: its own option has pytest import it for projects without it."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
import tempfile
import warnings
from types import ModuleType
from typing import Any, Optional, Sequence

_CORE = "hypothesis.core"


def seed_hypothesis() -> None:
    """Have Hypothesis try the same examples for each candidate, which is what `--hypothesis-seed=0` asks of it."""
    core = sys.modules.get(_CORE)
    if core is not None:
        _seed(core)
    elif not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        # Before pytest's, which takes it for one of those whose assertions it rewrites.
        sys.meta_path.insert(0, _Finder())


def _seed(core: Any) -> None:
    core.global_force_seed = 0


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module, where the others find it, and once."""

    def find_spec(
        self,
        fullname: str,
        path: Optional[Sequence[str]] = None,  # noqa: ARG002 - the import system's
        target: Optional[ModuleType] = None,  # noqa: ARG002 - as above
    ) -> Optional[importlib.machinery.ModuleSpec]:
        """Answer for the module that has the seed only."""
        if fullname != _CORE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


class _Loader(importlib.abc.Loader):
    """Loads a module as another loader does, and sets its seed."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Optional[ModuleType]:
        """Make the module as the other does."""
        module: Optional[ModuleType] = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module to the other, and then set the seed."""
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        _seed(module)


_TABLES = "hypothesis.internal.charmap"


def were_made() -> bool:
    """Whether this process has had to make them."""
    return bool(getattr(sys.modules.get(_TABLES), "_charmap", None))


def make() -> None:
    """Make those that any text needs, if Hypothesis is imported; where it makes them otherwise, each run will."""
    tables: Any = sys.modules.get(_TABLES)
    configuration: Any = sys.modules.get("hypothesis.configuration")
    if tables is None or configuration is None:
        return
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as directory:
        warnings.simplefilter("ignore")
        try:
            configuration.set_hypothesis_home_dir(directory)
            tables.charmap()
            tables.intervals_from_codec("utf-8")
        except Exception:
            return
        finally:
            # The next to ask for it gets that of its own run.
            configuration.set_hypothesis_home_dir(None)
