"""Small projects with tests that pass for any target, and with tests that do not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Small:
    """A project: the code of its `m.py`, its tests if it has any, and the function in question."""

    name: str
    code: str
    tests: str
    target: str


def _read(name: str) -> tuple[Small, ...]:
    """Return the projects of a file: each begins with `=== its name`, perhaps `| its target`; then `--- tests`."""
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    parts = re.split(r"^=== ([^|\n]+?)(?: \| (.+))?\n", text, flags=re.MULTILINE)[1:]
    found = []
    for called, target, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        code, _, tests = body.partition("--- tests\n")
        found.append(Small(name=called, code=code, tests=tests, target=target or "f"))
    return tuple(found)


WEAK = _read("weak_tests.txt")
HONEST = _read("honest_tests.txt")
