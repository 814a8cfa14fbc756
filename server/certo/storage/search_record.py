"""Request of a search, as stored so that another process can offer its candidates again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, field
from enum import Enum
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from certo.vocabulary.cost import NOTHING_SPENT, Spent
from certo.vocabulary.guidance import UNGUIDED, Guidance
from certo.vocabulary.records import dataclass


@cache
def _guidance() -> TypeAdapter[Guidance]:
    return TypeAdapter(Guidance)


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """A function to search besides, next or together with a `second` one; `path` is relative to the project's root."""

    path: str
    qualname: str
    number: int | None
    second: Other | None = None

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Other:
        """Return the function that was written as these fields."""
        second = fields.get("second")
        return cls(**{**fields, "second": second and cls.read(second)})


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRecord:
    """Request of a search: the document by absolute path, its text, and the function in that text.

    `path` is relative to the project's root, and `number` tells functions with the same qualified name apart.
    `guidance` is the user's guidance after an earlier search. `flags` are settings given for this search only,
    `folders` the workspace's folders at the time. `test` is the test from which the function was found, and `selected`
    the begin and end of the selected range. `settings` are those that differ from their defaults, by dotted name; None
    in records of older versions. `then` are the functions to search after this one, and `spent_before` the cost of
    those before it. `goal` is that of the request, if it named one. With `preserve`, candidates must keep the behaviour
    of the function. An `ambient` search was asked for by nobody. With a `second` function, candidates may change both.
    """

    document: str
    path: str
    text: str
    qualname: str
    number: int = 0
    instruction: str = ""
    goal: str = ""
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
    preserve: bool = False
    ambient: bool = False
    second: Other | None = None

    def as_json(self) -> str:
        """Return the record as JSON in ASCII, so that any text can be written."""
        return json.dumps(asdict(self), default=_value)

    @classmethod
    def from_json(cls, written: str) -> SearchRecord:
        """Return the record written by `as_json`."""
        fields = json.loads(written)
        guidance = _guidance().validate_python(fields["guidance"])
        selected = fields.get("selected")
        read = {"folders": tuple(fields["folders"]), "selected": selected and tuple(selected), "guidance": guidance}
        then = tuple(map(Other.read, fields.get("then", ())))
        second = fields.get("second")
        more = {"then": then, "second": second and Other.read(second)}
        return cls(**{**fields, **read, **more, "spent_before": Spent(**fields.get("spent_before", {}))})


def _value(word: object) -> object:
    """Return the value of an enum member."""
    if isinstance(word, Enum):
        return word.value
    raise TypeError(f"{type(word).__name__} cannot be written")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSearch:
    """A search in a journal: request, start in seconds since 1970, and identity of the process.

    `outcome` is empty while it runs or if its process died. `standing` is its state; see Standing. `world` is a
    fingerprint of everything its tests could see, empty if unknown; it applies to events after number `since`.
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
