"""The options of the verifiers that run tests."""

from __future__ import annotations

from dataclasses import dataclass


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
