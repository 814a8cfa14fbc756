"""The options of the verifiers that run something: tests, and tools that read code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class TestOptions:
    """How tests are run: seconds for one test, seconds for all of them, and which ones.

    `paths` are test files, directories or pytest node ids relative to the project's root; when there are none, the
    tests that may reach the target are found.
    """

    __test__ = False  # not a test class, whatever its name makes pytest think

    seconds: float = 10.0
    total_seconds: float = 60.0
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOptions:
    """Which of the project's own tools read a candidate, and the seconds they may take over one text.

    `auto` is the one the project configures; a name insists on that one; `off` is none.
    """

    types: Literal["auto", "off", "mypy"] = "auto"
    lint: Literal["auto", "off", "ruff", "flake8"] = "auto"
    seconds: float = 20.0
