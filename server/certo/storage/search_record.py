"""What a search was asked, as far as it must be known to offer its candidates again in another process."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from certo.vocabulary.cost import NOTHING_SPENT, Spent
from certo.vocabulary.guidance import UNGUIDED, Guidance


@cache
def _guidance() -> TypeAdapter[Guidance]:
    return TypeAdapter(Guidance)


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """A function that is searched where nothing is found in an earlier one; `path` is seen from the project's root."""

    path: str
    qualname: str
    number: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRecord:
    """The document by its absolute path, the text of it that candidates are edits of, and the function in that text.

    `path` is the document seen from the project's root, `number` tells the function from others of its qualified name.
    `guidance` is what there was to go by besides, after an earlier search. `flags` are the settings that counted for
    this search alone, `folders` the workspace's at that time. `test` is the test through which the function was found,
    `selected` where the stretch begins and ends that was meant above all. `settings` are those in force, as far as they
    differ from what they are by themselves, under their dotted names; None in what an older version has written. `then`
    are the functions that are searched after this one, `spent_before` is what went into those before it.
    """

    document: str
    path: str
    text: str
    qualname: str
    number: int = 0
    instruction: str = ""
    guidance: Guidance = UNGUIDED
    flags: Mapping[str, Any] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    background: bool = False
    editor: bool = False
    test: str = ""
    selected: tuple[int, int] | None = None
    settings: Mapping[str, Any] | None = None
    then: tuple[Other, ...] = ()
    spent_before: Spent = NOTHING_SPENT

    def as_json(self) -> str:
        """All of it as JSON, in ASCII, so that text of every kind can be written."""
        return json.dumps(asdict(self), default=_value)

    @classmethod
    def from_json(cls, written: str) -> SearchRecord:
        """What `as_json` has written."""
        fields = json.loads(written)
        guidance = _guidance().validate_python(fields["guidance"])
        selected = fields.get("selected")
        read = {"folders": tuple(fields["folders"]), "selected": selected and tuple(selected), "guidance": guidance}
        then = tuple(Other(**other) for other in fields.get("then", ()))
        return cls(**{**fields, **read, "then": then, "spent_before": Spent(**fields.get("spent_before", {}))})


def _value(word: object) -> object:
    """What an enum is written as."""
    if isinstance(word, Enum):
        return word.value
    raise TypeError(f"{type(word).__name__} cannot be written")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSearch:
    """A search in a journal: what it was asked, when it began in seconds since 1970, and in which life of a process.

    `outcome` is the word of its end, empty while it runs or when its process died. `standing` says what became of
    it; see Standing. `world` is a text that is another as soon as anything changed that its tests could see, empty
    where that is not known; it was so for what was told after the event number `since`.
    """

    id: str
    root: str
    asked: SearchRecord
    began: float
    life: str
    outcome: str
    standing: str
    world: str = ""
    since: int = 0
