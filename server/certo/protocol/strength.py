"""Wire forms of the strength of tests."""

from __future__ import annotations

from certo.protocol.wire import Wire


class Gap(Wire):
    """A small change of the function, on a 1-based line, that no test notices, and a call that shows it.

    `kind` names what was changed; `before` and `after` are the changed lines, of which `after` is empty if they are
    left out. The `call` gives `now`, and would give `changed`. `unusual` means that no test calls the function like
    this, `sameCall` that the call of an earlier gap shows this one too. `where` is the test that makes the call, if it
    can be made only there.
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


class UnusedTest(Wire):
    """A test that judged no change, and why."""

    id: str
    why: str


class TestStrength(Wire):
    """The number of small changes of the function that the tests notice: `noticed` of those `of` which count.

    A change counts if a test notices it, or a call is known that shows it.
    Of the noticed ones, `endless` made a test hang or ended its process. The others have a gap each. `uncounted`
    further changes went unnoticed and made no difference on `calls` calls, which are 0 if certo could make none;
    `unsettled` of these were not compared to the end. `tried` of `possible` changes ran on `tests` tests within the
    budget. `reason` says why nothing was measured, `withoutCalls` why certo could make no call.
    """

    __test__ = False  # not a test class, whatever its name makes pytest think

    noticed: int
    of: int
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
