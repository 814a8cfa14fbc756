"""Every model of what crosses the wire, by its name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache

from certo import protocol
from certo.protocol.wire import Wire


@cache
def wire_models() -> dict[str, type[Wire]]:
    """Return every model of the protocol's modules by name; refuse two of one name, which the schema would merge."""
    for module in pkgutil.iter_modules(protocol.__path__):
        importlib.import_module(f"{protocol.__name__}.{module.name}")
    found: dict[str, type[Wire]] = {}
    for kind in _below(Wire):
        # Agents have answers of their own, which are described on a page of their own.
        if kind.__module__.startswith("certo.agents."):
            continue
        if found.setdefault(kind.__name__, kind) is not kind:
            raise AssertionError(f"two models are called {kind.__name__}: {kind} and {found[kind.__name__]}")
    return found


def _below(kind: type[Wire]) -> Iterator[type[Wire]]:
    for sub in kind.__subclasses__():
        yield sub
        yield from _below(sub)
