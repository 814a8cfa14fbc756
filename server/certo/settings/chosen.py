"""What settings were chosen: those that differ from what they are by themselves, for comparing two searches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from certo.settings.schema import Settings


def chosen(settings: Settings) -> dict[str, Any]:
    """The settings that differ from their defaults, by their dotted names in snake_case, as JSON has their values.

    What stands in a group that a user has named is always among them. No secret is: settings only say where keys are.
    """
    defaults = dict(_flat(Settings().model_dump(mode="json"), ""))
    return {
        name: value
        for name, value in _flat(settings.model_dump(mode="json"), "")
        if name not in defaults or defaults[name] != value
    }


def _flat(group: Mapping[str, Any], above: str) -> Iterator[tuple[str, Any]]:
    for name, value in group.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield above + name, value
