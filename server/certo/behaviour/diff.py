"""The result of comparing a function with an older version of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from certo.behaviour.version_comparison import BehaviourDifference, BranchCoverage, Sensitivity, VersionComparison
from certo.vocabulary.display import amount

NOT_COMPARED = {
    "unsteady": "it gives another answer each time",
    "opaque": "it gives what cannot be looked into",
    "endless": "neither version comes back within its steps and its stack",
    "unmade": "the arguments that certo made up were refused by their own classes",
    "untaken": "the two versions have no call in common that both can take",
    "lost": "its calls end the process they run in, or hang",
    "unanswered": "only one of the versions comes back",
    "unconfirmed": "a second process did not show the difference again",
}
"""Reasons why calls are not compared, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BehaviourDiff:
    """The result for one function: as it is at `line`, and in the version `older` at `older_line`.

    Without a comparison, `reason` says why there is none.
    """

    path: str
    qualname: str
    line: int
    older: str
    older_line: int = 0
    comparison: VersionComparison = field(default_factory=VersionComparison)
    reason: str = ""
    seconds: float = 0.0

    @property
    def compared(self) -> int:
        """The number of calls whose outcomes were compared."""
        return self.comparison.versions[0].compared if self.comparison.versions else 0

    @property
    def made(self) -> Mapping[str, int]:
        """The number of calls by source."""
        return self.comparison.made

    @property
    def skipped(self) -> Mapping[str, int]:
        """The number of calls that were not compared, by reason."""
        return self.comparison.skipped

    @property
    def branches(self) -> BranchCoverage:
        """The branches of the function as it is."""
        return self.comparison.branches

    @property
    def older_branches(self) -> BranchCoverage:
        """The branches of the older version."""
        versions = self.comparison.versions
        return versions[0].branches if versions else BranchCoverage(number=0)

    @property
    def sensitivity(self) -> Sensitivity:
        """The small changes of the function that the calls notice."""
        return self.comparison.sensitivity

    @property
    def differences(self) -> tuple[BehaviourDifference, ...]:
        """The differences, the best first."""
        return tuple(one for version in self.comparison.versions for one in version.differences)

    @property
    def result(self) -> Literal["different", "no-difference-found", "not-compared"]:
        """The result in one word."""
        if not self.is_compared:
            return "not-compared"
        return "different" if self.is_different else "no-difference-found"

    @property
    def is_compared(self) -> bool:
        """True if something could be compared, or nothing had to be."""
        return not self.reason

    @property
    def is_different(self) -> bool:
        """True if a difference was found that a caller may depend on."""
        return any(not one.is_slight for one in self.differences)


def notices(sensitivity: Sensitivity) -> str:
    """Return how many small changes the calls notice."""
    return f"these calls notice {sensitivity.noticed} of {amount(sensitivity.tried, 'small change')}"


_OUTSIDE = frozenset({
    "BlockingIOError", "ConnectionError", "ConnectionRefusedError", "FileNotFoundError", "IsADirectoryError",
    "NotADirectoryError", "OSError", "PermissionError", "TimeoutError", "URLError", "gaierror",
})  # fmt: skip
"""Exceptions of functions that reach for files or a network."""

_WRONG_VALUES = frozenset(("TypeError", "AttributeError"))
"""Exceptions of functions that are given values of a kind that they are not made for."""


def why_not_compared(found: BehaviourDiff) -> str:
    """Return the reason why nothing is known of the versions, and what would help; empty if calls were compared."""
    comparison, name = found.comparison, found.qualname
    if comparison.trouble:
        return comparison.trouble
    if found.compared:
        return "" if found.is_different else _why_all_raised(comparison)
    if "self" in comparison.unmade:
        owner = name.rpartition(".")[0]
        return f"no test calls it, and certo cannot make an object of {owner}; a test that calls it would help"
    if comparison.unmade:
        names = ", ".join(comparison.unmade)
        return f"certo cannot make values for {names}, and no test calls it; a test or an annotation would help"
    if comparison.is_spent and not found.compared:
        return "its calls take longer than the time that there is for all of them"
    skipped = comparison.skipped
    if not sum(comparison.made.values()):
        return "it takes nothing that could be varied, and no test calls it"
    reason = max(skipped, key=skipped.__getitem__, default="")
    return NOT_COMPARED.get(reason, "none of its calls could be compared")


def _why_all_raised(comparison: VersionComparison) -> str:
    """Return the reason why calls that all raised an exception say nothing; empty if they say something."""
    raised, compared = comparison.raised, comparison.versions[0].compared
    names = ", ".join(sorted(raised)[:3])
    if sum(raised.values()) < compared:
        return ""
    if 2 * sum(raised[name] for name in raised.keys() & _OUTSIDE) > compared:
        return (
            f"every call raised {names}: it needs a file or a network that certo does not make up; a test that calls "
            "it would help"
        )
    if raised.keys() <= _WRONG_VALUES:
        return (
            f"every call raised {names}, so no value was of the kind it takes; a test that calls it, or an annotation "
            "of values that can be made, would help"
        )
    return ""
