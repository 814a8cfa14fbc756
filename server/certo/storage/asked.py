"""What a search was asked, as far as it must be known to offer its candidates again in another process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The document by its absolute path, the text of it that candidates are edits of, and the function in that text.

    `path` is the document seen from the project's root, `number` tells the function from others of its qualified name.
    `flags` are the settings that counted for this search alone, `folders` the workspace's at that time.
    """

    document: str
    path: str
    text: str
    qualname: str
    number: int = 0
    instruction: str = ""
    flags: Mapping[str, Any] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    background: bool = False
    editor: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A search in a journal: what it was asked, when it began in seconds since 1970, and in which life of a process.

    `outcome` is the word of its end, empty while it runs or when its process died. `standing` says what became of
    it; see Standing.
    """

    id: str
    root: str
    asked: Asked
    began: float
    life: str
    outcome: str
    standing: str
