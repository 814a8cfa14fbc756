"""Wire forms of comparisons of a function with an older version of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from certo.protocol.wire import Wire


class BranchCoverage(Wire):
    """The branches of one version: how many, and those that no call executed, by line and in words."""

    number: int
    missed: tuple[tuple[int, str], ...] = ()


class Sensitivity(Wire):
    """The number of small changes of the function that the calls notice, of those tried; 0 of 0 if a call differs."""

    noticed: int = 0
    tried: int = 0


class BehaviourDifference(Wire):
    """A call on which two versions differ, with both outcomes; `where` is the test that makes it, if only that can."""

    call: str
    before: str
    now: str
    kind: Literal[
        "value", "exception", "endless", "arguments", "state", "output", "message", "slight", "log", "sharing"
    ]
    domain: Literal["usual", "unusual", "accident"]
    is_slight: bool
    where: str = ""


class BehaviourDiff(Wire):
    """The result for one function at `line`, in the version `older` at `older_line`.

    `compared` calls had outcomes that could be compared; `made` counts the calls by source, and `skipped` those not
    compared by reason. A function that was moved or renamed is at `older_place` there. The evidence `is_weak` if there
    were fewer than 20 calls, only exceptions, or a branch of the change that none executed. Without a comparison,
    `reason` says why there is none.
    """

    type: Literal["diff"] = "diff"
    path: str
    qualname: str
    line: int
    older: str
    older_line: int
    older_place: str = ""
    result: Literal["different", "no-difference-found", "not-compared"]
    reason: str = ""
    compared: int
    made: Mapping[str, int]
    skipped: Mapping[str, int]
    branches: BranchCoverage
    older_branches: BranchCoverage
    sensitivity: Sensitivity = Sensitivity()
    differences: tuple[BehaviourDifference, ...] = ()
    is_weak: bool = False
    seconds: float
