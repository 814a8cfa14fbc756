"""Changes of Hypothesis, made on its import: its own options make pytest import it in projects without it."""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.util
import sys
import tempfile
import warnings
from types import ModuleType
from typing import Any, List, Optional, Sequence

_CORE = "hypothesis.core"
_PROVIDERS = "hypothesis.internal.conjecture.providers"


def seed_hypothesis() -> None:
    """Make Hypothesis try the same examples for each candidate, as `--hypothesis-seed=0` does."""
    core = sys.modules.get(_CORE)
    if core is not None:
        _seed(core)
    elif not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        # Before pytest's finder, which takes the module for one whose assertions it rewrites.
        sys.meta_path.insert(0, _Finder())


def stop_at_first_failure() -> None:
    """Make Hypothesis neither shrink a failing example nor look for others, where only the failure itself matters.

    That takes hundreds of calls, and with assertions broken on purpose nearly every test fails. If its internals
    differ, it does so.
    """
    _is_brief.append(True)
    core = sys.modules.get(_CORE)
    if core is not None:
        _shorten(core)


_is_brief: List[bool] = []


def _seed(core: Any) -> None:
    core.global_force_seed = 0
    _hide_own_modules()
    if _is_brief:
        _shorten(core)


def _hide_own_modules() -> None:
    """Keep Hypothesis from drawing constants of our modules: those not installed are the project's own to it.

    Reading all of them takes longer than most tests. It notes the modules that it has read; if its internals differ, it
    reads ours.
    """
    seen = getattr(sys.modules.get(_PROVIDERS), "_seen_modules", None)
    if isinstance(seen, set):
        ours = __name__.partition(".")[0]
        seen.update(id(module) for name, module in list(sys.modules.items()) if name.partition(".")[0] == ours)


def _shorten(core: Any) -> None:
    state: Any = getattr(core, "StateForActualGivenExecution", None)
    run = getattr(state, "run_engine", None)
    if run is None:
        return

    @functools.wraps(run)
    def run_briefly(self: Any) -> Any:
        phases = [phase for phase in self.settings.phases if phase.name not in ("shrink", "explain")]
        self.settings = type(self.settings)(self.settings, phases=phases)
        return run(self)

    state.run_engine = run_briefly


class _Finder:
    """Finder of one module that delegates to the other finders, once."""

    def find_spec(
        self,
        fullname: str,
        path: Optional[Sequence[str]] = None,  # noqa: ARG002 - the import system's
        target: Optional[ModuleType] = None,  # noqa: ARG002 - as above
    ) -> Optional[importlib.machinery.ModuleSpec]:
        """Return a spec for that module only."""
        if fullname != _CORE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)  # type: ignore[assignment]  # it has the methods of one
        return spec


class _Loader:
    """Loader that delegates to another one, and changes the module."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Optional[ModuleType]:
        """Create the module by the other loader."""
        module: Optional[ModuleType] = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Execute the module by the other loader, then change it."""
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        _seed(module)


_TABLES = "hypothesis.internal.charmap"


def were_made() -> bool:
    """True if this process had to build Hypothesis's tables of characters."""
    return bool(getattr(sys.modules.get(_TABLES), "_charmap", None))


def make() -> None:
    """Build the tables that any text needs, if Hypothesis is imported; if its internals differ, each run does it."""
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
            # Later requests get the directory of their own run.
            configuration.set_hypothesis_home_dir(None)
