"""Named things: built in, or brought by others through entry points."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar, cast

from certo.vocabulary.errors import BadSetting

Thing = TypeVar("Thing")


@dataclass(frozen=True, kw_only=True)
class Registry(Generic[Thing]):
    """A table from name to thing, loaded by import path so that naming a thing imports nothing.

    `kind` is the noun for messages and, as `certo.<kind>s`, the entry-point group from which others add theirs.
    A plug-in that takes a built-in's name is refused, naming both.
    """

    kind: str
    builtin: Mapping[str, str]

    def names(self) -> tuple[str, ...]:
        """Every known name, built-in ones first."""
        return (*self.builtin, *sorted(self._brought()))

    def load(self, name: str) -> Thing:
        """Import and return the thing called `name`.

        Raises:
            BadSetting: the name is unknown (the message lists the known ones), taken twice, or fails to import.
        """
        brought = self._brought()
        if name in self.builtin and name in brought:
            raise BadSetting(
                f"the {self.kind} {name!r} is built in ({self.builtin[name]}) "
                f"and also brought by {brought[name].value}; rename or remove the plug-in"
            )
        if name in self.builtin:
            module, _, attribute = self.builtin[name].partition(":")
            return cast("Thing", getattr(importlib.import_module(module), attribute))
        if name not in brought:
            raise BadSetting(f"there is no {self.kind} {name!r}; known: {', '.join(self.names())}")
        try:
            return cast("Thing", brought[name].load())
        except (ImportError, AttributeError) as error:
            raise BadSetting(f"the {self.kind} {name!r} of {brought[name].value} cannot be loaded: {error}") from error

    def _brought(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group=f"certo.{self.kind}s")}
