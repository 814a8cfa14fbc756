"""What a verdict depends on besides texts and settings: every file that runs can see, and their interpreter."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from certo.sandbox.executor import Executor, Interpreter, Limits, Message, Program, Work
from certo.sandbox.visible import SYSTEM
from certo.sandbox.walls import CONFIGURATIONS
from certo.vocabulary.errors import BrokenWorld
from certo.worker import HOME

log = logging.getLogger(__name__)

MOST_FILES = 100_000
MOST_SECONDS = 2.0
"""Where there is more to look at, or it takes the processor longer, there is no fingerprint."""

_GRACE = 5.0
"""Seconds in which a program starts and says goodbye."""

_SETTINGS_OF_THE_SYSTEM = ("/etc/ld.so.cache", "/etc/localtime")
"""What changes when the system's libraries do, or its clock."""


async def take_fingerprint(root: Path, executor: Executor, interpreter: Interpreter, own: Path | None) -> str | None:
    """Return a text that is another as soon as anything changed that runs over `root` could see; None for no such text.

    It is taken in the sandbox, by the interpreter itself, for only there the directories are seen that it imports from.
    `own` is where certo has tools of its own. What the system keeps in directories from which nothing is imported is
    not looked at, and only the day counts of the time.
    """
    readable = (*interpreter.readable, *([own] if own is not None else []))
    work = Work(
        program=Program(home=HOME, module="certo_worker.fingerprint"),
        request={
            "root": str(root),
            "places": [str(HOME), *map(str, _outside_the_system(interpreter.readable))],
            "flat": [*map(str, _single_files(root)), *([str(own)] if own is not None else [])],
            "most": MOST_FILES,
            "seconds": MOST_SECONDS,
        },
        interpreter=replace(interpreter, readable=readable),
        root=root,
        # It runs no code of the project, and what tests may read belongs to what their verdicts depend on.
        shown=(".",),
        limits=Limits.within(MOST_SECONDS + _GRACE),
    )
    heard = _Heard()
    try:
        finished = await executor.run(work, heard)
    except BrokenWorld as error:
        # Whoever runs the tests says so to the user.
        log.debug("no fingerprint of %s: %s", root, error)
        return None
    if not finished.complete or not heard.text:
        log.debug("no fingerprint of %s: %s", root, heard.why or finished.ending.value)
        return None
    return heard.text


def _outside_the_system(places: tuple[Path, ...]) -> Iterator[Path]:
    """The places to be looked at as a whole; of the system's own, only what is imported from is."""
    return (place for place in places if not any(place.is_relative_to(system) for system in SYSTEM))


def _single_files(root: Path) -> Iterator[Path]:
    """Files beside the project that runs may read."""
    yield from map(Path, _SETTINGS_OF_THE_SYSTEM)
    yield from (above / name for above in root.resolve().parents for name in CONFIGURATIONS)


@dataclass(slots=True)
class _Heard:
    """What the run has told; called with each message."""

    text: str = ""
    why: str = ""

    def __call__(self, message: Message) -> None:
        """Take in one message; what the interpreter loads at its start runs there too, so anything odd is no text."""
        self.text = str(message.get("text", ""))
        self.why = str(message.get("why", ""))
