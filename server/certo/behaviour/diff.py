"""The result of comparing a function with an older version of it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import field
from difflib import SequenceMatcher
from typing import Literal

from certo.behaviour.version_comparison import BehaviourDifference, BranchCoverage, Sensitivity, VersionComparison
from certo.edits.target import definition_of
from certo.vocabulary.display import amount
from certo.vocabulary.problem import Target
from certo.vocabulary.records import dataclass

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

FEW_CALLS = 20
"""Number of calls below which that is said first."""

LOW_SHARE = 0.5
"""Share of small changes noticed below which that is said first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedLines:
    """The lines of a function that are not the same in the other version: `now`, and in the version `older`.

    A statement that holds a changed line, such as an `if`, counts with the line that it begins on.
    """

    now: frozenset[int] = frozenset()
    older: frozenset[int] = frozenset()


def changed_lines(text: str, target: Target, older_text: str, older_target: Target) -> ChangedLines:
    """Return the lines that differ between two versions of a function."""
    sides = [(text, target), (older_text, older_target)]
    lines = [one[where.span.start : where.span.end].splitlines() for one, where in sides]
    differing: list[set[int]] = [set(), set()]
    for kind, start, end, older_start, older_end in SequenceMatcher(
        None, lines[0], lines[1], autojunk=False
    ).get_opcodes():
        if kind != "equal":
            differing[0].update(range(start, end))
            differing[1].update(range(older_start, older_end))
    now, older = (_with_holders(one, where, changed) for (one, where), changed in zip(sides, differing, strict=True))
    return ChangedLines(now=now, older=older)


def _with_holders(text: str, target: Target, changed: set[int]) -> frozenset[int]:
    """Return changed lines, counted from 0 in the function, by line of the text, with those of what holds them."""
    first = text.count("\n", 0, target.span.start) + 1
    lines = {first + line for line in changed}
    function = definition_of(text, target)
    holders = ast.walk(function.node) if function is not None else ()
    return frozenset(lines) | {
        node.lineno
        for node in holders
        if isinstance(node, (ast.stmt, ast.expr, ast.ExceptHandler)) and not isinstance(node, _FUNCTIONS)
        if lines.intersection(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    }


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True, kw_only=True)
class BehaviourDiff:
    """The result for one function: as it is at `line`, and in the version `older` at `older_line`.

    One that was moved or renamed was at `older_place`, which is empty otherwise. `changed` are the lines of the change.
    Without a comparison, `reason` says why there is none.
    """

    path: str
    qualname: str
    line: int
    older: str
    older_line: int = 0
    older_place: str = ""
    changed: ChangedLines = ChangedLines()
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
    def unexecuted(self) -> tuple[tuple[int, str, str], ...]:
        """The branches of the change that no call executed: line, words and version."""
        return (
            *((line, words, self.older) for line, words in self.older_branches.missed if line in self.changed.older),
            *((line, words, "now") for line, words in self.branches.missed if line in self.changed.now),
        )

    @property
    def is_weak(self) -> bool:
        """True if that no difference was found says little: few or dull calls, or an unexecuted branch."""
        few = self.compared < FEW_CALLS or sum(self.comparison.raised.values()) == self.compared
        dull = self.sensitivity.tried > 0 and self.sensitivity.share < LOW_SHARE
        return self.is_compared and not self.is_different and (few or dull or self.lacks_live or bool(self.unexecuted))

    @property
    def lacks_live(self) -> bool:
        """True if tests call it with objects that cannot be written, and none of these calls was compared live."""
        return bool(self.comparison.unwritten) and not self.made.get("live")

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
