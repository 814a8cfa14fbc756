"""Strength of tests: how many small changes of a function they notice, and a call that shows each that they miss."""

from __future__ import annotations

from typing import ClassVar

from certo.vocabulary.records import dataclass
from certo.vocabulary.truth import NoTruthValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A small change of the function that no test notices, and the simplest call found that shows it.

    `line` is that of the change, 1-based; `before` and `after` are the changed lines without and with it, and `kind`
    says in words what was changed. The `call` gives `now` as the function is, and would give `changed`. `where` is the
    test that makes the call, if it can be made only there. `unusual` is true if no call like it was found in the tests.
    `same_call` is true for a change that the call of an earlier gap shows as well.
    """

    line: int
    kind: str
    before: str
    after: str
    call: str
    now: str
    changed: str
    unusual: bool = False
    same_call: bool = False
    where: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusedTest:
    """A test that judged no change: `why` says in words what is the matter with it."""

    id: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TestStrength(NoTruthValue):
    """The share of small changes that the tests notice: `noticed` of those `of` which a call is known that shows them.

    `endless` of the noticed ones were noticed because a test did not come back or its process died. The others have a
    gap each. `uncounted` further changes went unnoticed by the tests and made no difference on `calls` calls, or there
    was no call at all; `unsettled` tells how many of them were not compared to the end. `tried` of `possible` changes
    ran on the tests within the budget. `tests` is the number of tests that judged them, and `unused` are those set
    aside. `reason` says why nothing could be measured, and `without_calls` why there is no call.
    """

    ask_for: ClassVar[str] = ".noticed and .of, which are numbers"
    __test__ = False  # not a test class, whatever its name makes pytest think

    noticed: int = 0
    of: int = 0
    endless: int = 0
    gaps: tuple[Gap, ...] = ()
    uncounted: int = 0
    unsettled: int = 0
    calls: int = 0
    tried: int = 0
    possible: int = 0
    tests: int = 0
    unused: tuple[UnusedTest, ...] = ()
    reason: str = ""
    without_calls: str = ""

    @property
    def is_measured(self) -> bool:
        """True if any change was tried."""
        return self.tried > 0

    @property
    def is_sample(self) -> bool:
        """True if not all possible changes were tried."""
        return self.tried < self.possible
