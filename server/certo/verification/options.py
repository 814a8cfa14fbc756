"""Settings of the verifiers that run something: tests, and tools that read code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_CHECK = re.compile(r"\w+(\.\w+)*:\w+(\.\w+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class TestOptions:
    """Settings of test runs: seconds for one test, seconds for all of them, and the tests to run.

    `paths` are test files, directories or pytest node ids relative to the project's root; if empty, the tests that may
    reach the target are searched for.
    """

    __test__ = False  # not a test class, whatever its name makes pytest think

    seconds: float = 10.0
    total_seconds: float = 60.0
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOptions:
    """Settings of the project's own tools that read candidates, and the seconds they may take for one text.

    `auto` is the configured tool, for types otherwise certo's own ty; a name insists on that tool; `off` is none.
    `custom` are the user's own checks as `module:function`, `plugins` the names of verifiers from plug-ins.
    """

    types: Literal["auto", "off", "mypy", "pyright", "ty"] = "auto"
    lint: Literal["auto", "off", "ruff", "flake8"] = "auto"
    seconds: float = 20.0
    custom: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for check in self.custom:
            if not _CHECK.fullmatch(check):
                raise ValueError(f'verify.custom: {check!r} is not of the form "module:function"')
