"""Settings of the verifiers that run something: tests, and tools that read code."""

from __future__ import annotations

import re
from typing import Literal

from certo.plugins import PROGRAM_RESERVED, names_installed_code
from certo.vocabulary.options import check_bounds, option
from certo.vocabulary.records import dataclass

_CHECK = re.compile(r"\w+(\.\w+)*:\w+(\.\w+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class TestOptions:
    """Options of test runs."""

    __test__ = False  # not a test class, whatever its name makes pytest think

    seconds: float = option(
        10.0,
        "Processor seconds that one test may take. A test that sleeps or waits may take three times as long.",
        above=0,
    )
    total_seconds: float = option(
        60.0,
        "Seconds that the tests of one candidate may take together, without the time they wait for a processor.",
        above=0,
    )
    paths: tuple[str, ...] = option(
        (),
        "Test files, directories or pytest node ids to run, relative to the root. Empty: the tests that reach the "
        "target.",
    )
    when_idle: bool = option(
        False,
        "While an editor is open and the machine has nothing to do, run the tests that no search has run yet, so that "
        "later searches know which of them execute a function.",
    )

    def __post_init__(self) -> None:
        check_bounds(self, "tests")


@dataclass(frozen=True, slots=True, kw_only=True)
class StrengthOptions:
    """Options of test strength."""

    after_search: bool = option(
        True,
        "After a search in an editor, while no other runs, count how many small changes of its best candidate the "
        "tests notice. Running the tests takes at most five seconds of processor time.",
    )
    hints: bool = option(
        False,
        "Show the changes that no test notices as hints in a candidate's text, in editors that pull diagnostics.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOptions:
    """Options of the checks by tools that read candidates, and of checks that projects and packages add."""

    types: Literal["auto", "off", "mypy", "pyright", "ty"] = option(
        "auto",
        "The type checker for candidates. `auto` takes mypy or pyright if the project configures it, otherwise ty (the "
        "extra `certo[tools]`). A name requires that one; `off` runs none.",
    )
    lint: Literal["auto", "off", "ruff", "flake8"] = option(
        "auto",
        "The linter for candidates. `auto` takes ruff, or else flake8, if the project configures it. A name requires "
        "that one; `off` runs none.",
    )
    seconds: float = option(
        20.0,
        "Processor seconds that such a tool may take for one text. A tool that needs more for your current text is "
        "left out.",
    )
    custom: tuple[str, ...] = option(
        (),
        'Your own checks, as `"module:function"` of the project, in the order in which they run in the sandbox. Each '
        "function takes the target's code and returns whether it passes, alone or with a message.",
    )
    plugins: tuple[str, ...] = option(
        (),
        "Checks from installed packages (entry points `certo.verifiers`), by name or as `module:attribute`. A "
        "project's file may only give names.",
        reserved=PROGRAM_RESERVED,
        project_may=names_installed_code,
    )

    def __post_init__(self) -> None:
        for check in self.custom:
            if not _CHECK.fullmatch(check):
                raise ValueError(f'verify.custom: {check!r} is not of the form "module:function"')
