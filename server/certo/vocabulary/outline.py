"""A project's files as they are listed, and what reading a Python file says it is for and defines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A file by its path from the root (POSIX form), with its size in bytes and when it was changed, in nanoseconds."""

    path: str
    size: int
    changed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """A function, method or class: its qualified name, its head as it is shown, and the first line of its docstring."""

    name: str
    shown: str
    doc: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """What a file is for, what it defines (public first), and whether it is made to be run."""

    doc: str = ""
    symbols: tuple[Symbol, ...] = ()
    is_main: bool = False

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Outline:
        """The outline that plain fields stand for."""
        return cls(
            doc=fields["doc"],
            symbols=tuple(Symbol(**symbol) for symbol in fields["symbols"]),
            is_main=fields["is_main"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlined:
    """A file as it was read: its listing then, a hash of its bytes, and its outline.

    `outline` is None where the bytes are those of the time before, and so is the outline.
    """

    listed: Listed
    hash: str
    outline: Outline | None
