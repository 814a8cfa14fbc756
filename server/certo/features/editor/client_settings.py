"""Settings from the editor: requested if it allows that, otherwise as it sent them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio

from certo.settings.loader import wrong_in

SECTION = "certo"
"""Name of certo's section in an editor's settings."""

PATIENCE_SECONDS = 2.0
"""Maximum time that a command waits for requested settings."""

Section = Mapping[str, Any]


class ClientSettings:
    """The section `certo` of the editor's settings, per workspace folder.

    Requested settings take precedence over sent ones, and these over those in `initialize`.
    """

    def __init__(self) -> None:
        self._initial: Section | None = None
        self._sent: Section | None = None
        self._asked: dict[Path | None, Section] = {}
        self._objections: frozenset[str] = frozenset()
        self._arrived = anyio.Event()
        self._arrived.set()

    def begin(self, options: object) -> None:
        """Store the settings that came with `initialize`: `initializationOptions.settings`."""
        self._initial = _section(options, "settings")

    def send(self, settings: object) -> None:
        """Store settings that the editor sent when they changed."""
        self._sent = _section(settings, SECTION)

    def expect(self) -> anyio.Event:
        """Record a request for settings; return the event that `take` needs."""
        self._arrived = anyio.Event()
        return self._arrived

    def take(self, expected: anyio.Event, folders: Sequence[Path | None], answers: Sequence[object]) -> None:
        """Store an answer: one section per folder, in the same order."""
        for folder, answer in zip(folders, answers, strict=False):
            self._asked.pop(folder, None)
            if isinstance(answer, Mapping) and answer:
                self._asked[folder] = answer
        expected.set()

    def new_objections(self) -> tuple[str, ...]:
        """Return sentences about errors in the effective settings, each once until it is corrected."""
        counting = [*self._asked.values()] or [self._sent or self._initial or {}]
        objections = dict.fromkeys(sentence for section in counting for sentence in wrong_in(section))
        new = tuple(sentence for sentence in objections if sentence not in self._objections)
        self._objections = frozenset(objections)
        return new

    async def of(self, folder: Path | None) -> Section | None:
        """Return the settings of a folder, waiting a moment for requested ones."""
        with anyio.move_on_after(PATIENCE_SECONDS):
            await self._arrived.wait()
        return self._asked.get(folder) or self._asked.get(None) or self._sent or self._initial

    def names_model(self, folder: Path | None) -> bool:
        """True if the settings of a folder, as far as they are known, name a language model."""
        section = self._asked.get(folder) or self._asked.get(None) or self._sent or self._initial or {}
        model = section.get("model")
        return isinstance(model, Mapping) and bool(model.get("name"))


def _section(whole: object, name: str) -> Section | None:
    """Return one section of settings if it exists and is an object."""
    section = whole.get(name) if isinstance(whole, Mapping) else None
    return section if isinstance(section, Mapping) and section else None
