"""What a tool that reads code says of a text, and why it may not be able to say anything."""

from __future__ import annotations

from typing import Callable, List


class Remark:
    """One thing a tool says of a text: on which line (1-based), and the tool's code for things of that kind."""

    def __init__(self, line: int, code: str, message: str) -> None:
        self.line = line
        self.code = code
        self.message = message


Read = Callable[[str], List[Remark]]
"""Lets a tool read a text in the document's place."""


class Trouble(Exception):
    """Why a tool cannot judge: it is `absent`, its configuration has the document `excluded`, or it is `broken`."""

    def __init__(self, why: str, message: str = "") -> None:
        super().__init__(message)
        self.why = why
        self.message = message
