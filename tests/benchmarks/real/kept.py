"""What runs of a project's tests have told of a fix, kept between measurements, for it takes longer than they do."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from real.cases import Fix, Unusable

_PARTS = ("cases.py", "suite.py", "near_misses.py", "pytest_observer.py")
"""Programs of the benchmark that decide what is told of a fix."""


class Kept:
    """The facts of one fix in a file; they are asked for anew if the benchmark or the environment has changed."""

    def __init__(self, folder: Path, fix: Fix, environment: str) -> None:
        name = f"{fix.repo}@{fix.commit} {fix.function}"
        programs = b"".join((Path(__file__).parent / part).read_bytes() for part in _PARTS)
        self._key = hashlib.sha256(programs + environment.encode()).hexdigest()
        self._file = folder / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.json"

    def get(self, word: str, make: Callable[[], Any]) -> Any:
        """Return the fact of a name; if it is not kept, that which `make` returns.

        Raises:
            Unusable: The fix cannot be measured, as this or an earlier call has found.
        """
        facts = self._facts()
        if word not in facts:
            try:
                facts[word] = make()
            except Unusable as error:
                facts[word] = {"unusable": str(error)}
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(json.dumps({"key": self._key, **facts}), encoding="utf-8")
        found = facts[word]
        if isinstance(found, dict) and "unusable" in found:
            raise Unusable(found["unusable"])
        return found

    def _facts(self) -> dict[str, Any]:
        try:
            told: dict[str, Any] = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return told if told.pop("key", "") == self._key else {}
