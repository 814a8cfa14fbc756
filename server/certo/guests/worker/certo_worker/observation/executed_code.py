"""Record of the project's functions that each test executes, and of the project's source files that it reads."""

from __future__ import annotations

import builtins
import functools
import io
import os
import sys
import tokenize
from types import CodeType
from typing import Any, Dict, List, Optional, Set

from certo_worker import STAND_INS
from certo_worker.observation.failure_text import Tell, is_own

_HOOKS = frozenset(
    (
        "pytest_addoption",
        "pytest_cmdline_main",
        "pytest_collection",
        "pytest_collection_finish",
        "pytest_collection_modifyitems",
        "pytest_configure",
        "pytest_deselected",
        "pytest_itemcollected",
        "pytest_plugin_registered",
        "pytest_report_header",
        "pytest_runtestloop",
        "pytest_sessionstart",
    )
)
"""Hooks that run while nothing is recorded."""


class ExecutedCode:
    """The project's code that ran since `take`, each piece told once as the line it begins at, then by its number."""

    def __init__(self, root: str, tell: Tell) -> None:
        self._root = os.path.realpath(root)
        self._tell = tell
        self._names: Dict[str, Optional[str]] = {}
        self._numbers: Dict[int, int] = {}
        # Code by its id, for its hash is computed anew each time; it is kept, or another could get the same id.
        self._codes: Dict[int, CodeType] = {}
        self._seen: Set[int] = set()
        self._read: Set[str] = set()
        self._foreign: Set[int] = set()
        self._early = self.imported()
        self.is_partial = False
        self._hear_opens()

    def lose(self) -> None:
        """Record that more code may have run than was seen, so that the record is of no use."""
        self.is_partial = True

    def enter(self, code: CodeType) -> None:
        """Record that code started to run."""
        # This runs on every call of any function on old Pythons.
        number = id(code)
        if number in self._foreign or number in self._seen:
            return
        self._codes[number] = code
        (self._foreign if self._file_of(code.co_filename) is None else self._seen).add(number)

    def swap(self, seen: Optional[Set[int]] = None) -> Set[int]:
        """Return what ran so far, and begin with `seen` instead."""
        before, self._seen = self._seen, set() if seen is None else seen
        return before

    def merge(self, seen: Set[int]) -> None:
        """Record that all of this ran."""
        self._seen |= seen

    def take(self) -> Dict[str, Any]:
        """Return the recorded code by number, with the source files that were read, and reset."""
        told = {"code": sorted(self._number(code) for code in self.swap()), "read": sorted(self._read)}
        self._read.clear()
        return told

    def tell_rest(self) -> None:
        """Report what ran after the last test, and which files were imported, if all of it was seen."""
        self._tell({"kind": "between", **self.take()})
        if not self.is_partial:
            self._tell({"kind": "modules", "early": self.as_wholes(), "imported": self.imported()})

    def imported(self) -> List[str]:
        """Return the project's files that have been imported so far, relative to its root."""
        files = [getattr(module, "__dict__", {}).get("__file__") for module in list(sys.modules.values())]
        return sorted({found for file in files if isinstance(file, str) for found in [self._file_of(file)] if found})

    def as_wholes(self) -> List[str]:
        """Return the imported files of which more may have run than was recorded, so that any change of them counts.

        They are those imported before recording, and all if a conftest.py has hooks that run beside tests and imports.
        """
        conftests = [
            module
            for module in list(sys.modules.values())
            if os.path.basename(str(getattr(module, "__dict__", {}).get("__file__") or "")) == "conftest.py"
        ]
        if any(name in _HOOKS for module in conftests for name in vars(module)):
            return self.imported()
        return self._early

    def _number(self, seen: int) -> int:
        if seen not in self._numbers:
            code = self._codes[seen]
            self._numbers[seen] = len(self._numbers)
            self._tell({"kind": "code", "file": self._file_of(code.co_filename), "line": code.co_firstlineno})
        return self._numbers[seen]

    def _file_of(self, name: str) -> Optional[str]:
        if name not in self._names:
            place = os.path.realpath(name)
            own = not name.startswith("<") and is_own(place, self._root)
            self._names[name] = os.path.relpath(place, self._root).replace(os.sep, "/") if own else None
        return self._names[name]

    def _hear_opens(self) -> None:
        """Record which source files are opened from now on."""
        # An audit hook would be called for each `frame.f_code` of a tracer too, which takes longer than all tests.
        real = builtins.open

        @functools.wraps(real)
        def heard(file: Any, *arguments: Any, **named: Any) -> Any:
            found = self._file_of(os.fsdecode(file)) if isinstance(file, (str, bytes, os.PathLike)) else None
            if found is not None and found.endswith(".py"):
                self._read.add(found)
            return real(file, *arguments, **named)

        STAND_INS.append((heard, "builtins", "open"))
        builtins.open = io.open = heard
        # Sources are read for tracebacks and by `inspect` through a name of their own.
        vars(tokenize)["_builtin_open"] = heard
