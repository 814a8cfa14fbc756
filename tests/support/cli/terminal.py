"""A terminal for a program that draws on one: tests type keys and read its screen."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyte

PATIENCE_SECONDS = 500.0
"""How long something may take to appear on the screen."""


class Terminal:
    """A screen of `columns` by `lines`; give `end` to the program as its standard input, output and error."""

    def __init__(self, columns: int = 120, lines: int = 45) -> None:
        self._own, self.end = os.openpty()
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self._screen = _Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)

    def press(self, keys: str) -> None:
        """Type keys as they come from a keyboard; Enter is a carriage return."""
        os.write(self._own, keys.encode())

    def screen(self) -> str:
        """Return the text on the screen."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    @property
    def harm(self) -> int:
        """The number of actions that no text should cause: bells and changed titles."""
        return self._screen.harm

    def shows(self, wanted: str) -> str:
        """Wait until a text is on the screen, even across the end of a line, and return the whole screen."""
        return self.until(lambda screen: wanted in screen.replace("\n", ""), wanted)

    def until(self, held: Callable[[str], bool], what: str) -> str:
        """Wait until a condition holds for the screen, and return the screen.

        Raises:
            AssertionError: it was not true in time, or the program ended; what it had on the screen is in the message.
        """
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not held(self.screen()):
            if not self._read(deadline - time.monotonic()):
                raise AssertionError(f"{what!r} did not come on the screen:\n{self.screen()}")
        return self.screen()

    def drain(self, ended: Callable[[], Any]) -> None:
        """Read until the program has ended; a program that cannot write cannot end."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while ended() is None and time.monotonic() < deadline:
            self._read(0.1)

    def close(self) -> None:
        """Close the terminal."""
        os.close(self._own)
        os.close(self.end)

    def keep(self, path: Path) -> None:
        """Write the screen to a file, so that people can see it."""
        path.write_text(self.screen() + "\n", encoding="utf-8")

    def _read(self, seconds: float) -> bool:
        """Draw the output of the program and return True, or False if there was none in that time."""
        ready, _, _ = select.select([self._own], [], [], max(seconds, 0))
        if ready:
            self._stream.feed(os.read(self._own, 1 << 16))
        return bool(ready)


class _Screen(pyte.Screen):
    """A screen that ignores a private sequence for colours, which Vim sends to an xterm and pyte does not know."""

    def select_graphic_rendition(self, *attributes: int, private: bool = False) -> None:
        if not private:
            super().select_graphic_rendition(*attributes)

    harm = 0
    """How often it was told to ring, or to change its title."""

    def bell(self, *_: object) -> None:
        self.harm += 1

    def set_title(self, param: str) -> None:
        self.harm += 1

    def set_icon_name(self, param: str) -> None:
        self.harm += 1
