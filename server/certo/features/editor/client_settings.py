"""The settings that come from the editor: asked for when it lets itself be asked, else as it sent them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio

from certo.settings.loader import wrong_in

SECTION = "certo"
"""The section of an editor's settings that is ours."""

PATIENCE_SECONDS = 2.0
"""How long a command waits for settings that were asked for and have not come."""

Section = Mapping[str, Any]


class ClientSettings:
    """The section `certo` of the editor's settings, for each workspace folder.

    What was asked for counts most, then what the editor sent of itself, then what came with `initialize`.
    """

    def __init__(self) -> None:
        self._initial: Section | None = None
        self._sent: Section | None = None
        self._asked: dict[Path | None, Section] = {}
        self._objections: frozenset[str] = frozenset()
        self._arrived = anyio.Event()
        self._arrived.set()

    def begin(self, options: object) -> None:
        """Take what came with `initialize`: `initializationOptions.settings`."""
        self._initial = _section(options, "settings")

    def send(self, settings: object) -> None:
        """Take what an editor sent of itself when its settings changed."""
        self._sent = _section(settings, SECTION)

    def expect(self) -> anyio.Event:
        """Say that settings have been asked for; `take` wants the event back that this returns."""
        self._arrived = anyio.Event()
        return self._arrived

    def take(self, expected: anyio.Event, folders: Sequence[Path | None], answers: Sequence[object]) -> None:
        """Take an answer: one section for each folder, in the same order."""
        for folder, answer in zip(folders, answers, strict=False):
            self._asked.pop(folder, None)
            if isinstance(answer, Mapping) and answer:
                self._asked[folder] = answer
        expected.set()

    def new_objections(self) -> tuple[str, ...]:
        """What is wrong with the settings that count, in sentences, each of them once until it is mended."""
        counting = [*self._asked.values()] or [self._sent or self._initial or {}]
        objections = dict.fromkeys(sentence for section in counting for sentence in wrong_in(section))
        new = tuple(sentence for sentence in objections if sentence not in self._objections)
        self._objections = frozenset(objections)
        return new

    async def of(self, folder: Path | None) -> Section | None:
        """The settings for a folder; waits a moment for those that were asked for and have not come."""
        with anyio.move_on_after(PATIENCE_SECONDS):
            await self._arrived.wait()
        return self._asked.get(folder) or self._asked.get(None) or self._sent or self._initial


def _section(whole: object, name: str) -> Section | None:
    """One section of settings, if there is one of the right shape."""
    section = whole.get(name) if isinstance(whole, Mapping) else None
    return section if isinstance(section, Mapping) and section else None
