"""What a tool that reads code says of a text, and why it may not be able to say anything."""

from __future__ import annotations

import os
import sys
import sysconfig
from typing import Callable, List


class Diagnostic:
    """One thing a tool says of a text: on which line (1-based), and the tool's code for things of that kind."""

    def __init__(self, line: int, code: str, message: str) -> None:
        self.line = line
        self.code = code
        self.message = message


Read = Callable[[str], List[Diagnostic]]
"""Lets a tool read a text in the document's place."""


class Trouble(Exception):
    """Why a tool cannot judge: it is `absent`, its configuration has the document `excluded`, or it is `broken`."""

    def __init__(self, why: str, message: str = "") -> None:
        super().__init__(message)
        self.why = why
        self.message = message


def program(name: str, own: str = "") -> str:
    """Return where the environment has a program: beside its Python, or where that installs programs otherwise.

    One in the directory `own`, if that is given, will do when the environment has none.

    Raises:
        Trouble: there is none of that name.
    """
    file = name + ".exe" if os.name == "nt" else name
    for place in (os.path.dirname(sys.executable), sysconfig.get_path("scripts"), *([own] if own else [])):
        path = os.path.join(place, file)
        if os.access(path, os.X_OK):
            return path
    raise Trouble("absent")
