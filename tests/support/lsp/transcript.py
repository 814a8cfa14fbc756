"""A written conversation, message by message, that is compared with a real one.

A line with `→` is a message of the client, one with `←` a message of the server. The server's messages must have the
written keys, and may have others; `…` stands for anything. Ids of searches and the like differ in each run: the first
id in the place of one of the `stand_ins` is the value of that stand-in from then on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

ANYTHING = "…"


@dataclass(frozen=True)
class Line:
    """One message, and True if the client sends it."""

    sent: bool
    message: dict[str, Any]


def lines_of(section: str) -> list[Line]:
    """Return the messages in the blocks of a document's section that are marked `session`."""
    blocks = re.findall(r"^```session\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    written = [line for block in blocks for line in block.splitlines()]
    assert all(line[:2] in ("→ ", "← ") for line in written), "a line of a session begins with → or ←"
    return [Line(line[0] == "→", json.loads(line[2:])) for line in written]


@dataclass
class Meaning:
    """The values of a transcript's words in this run: `replaced` within texts, `stand_ins` once they are bound."""

    replaced: dict[str, str]
    stand_ins: frozenset[Any]
    bound: dict[Any, Any] = field(default_factory=dict)

    def now(self, written: Any) -> Any:
        """Return a written value as it is to be sent in this run."""
        match written:
            case dict():
                return {self.now(key): self.now(value) for key, value in written.items()}
            case list():
                return [self.now(each) for each in written]
            case str() | int() if written in self.bound:
                return self.bound[written]
            case str():
                texts = {old: new for old, new in self.bound.items() if isinstance(old, str) and isinstance(new, str)}
                for old, new in {**self.replaced, **texts}.items():
                    written = written.replace(old, new)
        return written

    def fits(self, written: Any, came: Any) -> bool:
        """True if the received value is the written one; binds the stand-ins that it meets."""
        bound = dict(self.bound)
        if self._fits(written, came):
            return True
        self.bound = bound
        return False

    def _fits(self, written: Any, came: Any) -> bool:
        match written:
            case dict():
                named = ((self.now(key), value) for key, value in written.items())
                return isinstance(came, dict) and all(key in came and self._fits(v, came[key]) for key, v in named)
            case list():
                fits = isinstance(came, list) and len(written) == len(came)
                return fits and all(self._fits(*pair) for pair in zip(written, came, strict=True))
        if written == ANYTHING:
            return True
        if written in self.stand_ins and written not in self.bound:
            self.bound[written] = came
        return bool(self.now(written) == came)


def one_by_one(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a message, or, if it has several events, one message for each."""
    params = message.get("params")
    value = params.get("value") if isinstance(params, dict) and message.get("method") == "$/progress" else None
    if not isinstance(value, list):
        yield message
        return
    for each in value:
        yield {**message, "params": {**params, "value": [each]}}
