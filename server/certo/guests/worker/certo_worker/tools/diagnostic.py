"""Diagnostics of a tool that reads code, and reasons why it may fail."""

from __future__ import annotations

import os
import sys
import sysconfig
from typing import Callable, List


class Diagnostic:
    """One message of a tool about a text: its line (1-based), and the tool's code for its kind."""

    def __init__(self, line: int, code: str, message: str) -> None:
        self.line = line
        self.code = code
        self.message = message


Read = Callable[[str], List[Diagnostic]]
"""Reader of a text in the document's place."""


class Trouble(Exception):
    """Reason why a tool cannot judge: it is `absent` or `broken`, or its configuration has the document `excluded`."""

    def __init__(self, why: str, message: str = "") -> None:
        super().__init__(message)
        self.why = why
        self.message = message


def program(name: str, own: str = "") -> str:
    """Return the path of a program in the environment: beside its Python, or in its scripts directory.

    One in the directory `own`, if given, is used if the environment has none.

    Raises:
        Trouble: There is none of that name.
    """
    file = name + ".exe" if os.name == "nt" else name
    for place in (os.path.dirname(sys.executable), sysconfig.get_path("scripts"), *([own] if own else [])):
        path = os.path.join(place, file)
        if os.access(path, os.X_OK):
            return path
    raise Trouble("absent")
