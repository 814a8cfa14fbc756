"""Witnesses where the tests call the function: for arguments that no expression can make, such as handles and mocks.

The process of the test forks as it enters the function, once for each mutant, so that each has the real arguments. What
differs has to differ again in a second run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from certo.behaviour.diff import NOT_COMPARED
from certo.behaviour.execution import ComparedCandidate
from certo.behaviour.subject import subject_of
from certo.behaviour.version_comparison import (
    BehaviourDifference,
    ComparisonBudget,
    VersionComparison,
    compare_versions,
)
from certo.verification.strength.mutation_run import JudgedMutant
from certo.vocabulary.records import dataclass

MAX_MUTANTS = 40
"""Maximum number of mutants that are compared; each needs a fork for each call."""

BUDGET = ComparisonBudget(calls=0, seconds=15.0, exhaustive=True, is_other_reference=False)
"""No call is made up: what can be made up was tried before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveWitnesses:
    """The difference that shows each mutant, by its place; the others made none on `calls` calls.

    `unsettled` are places of mutants that were not compared. `reason` says why no call could be compared.
    """

    found: dict[int, BehaviourDifference] = field(default_factory=dict)
    calls: int = 0
    unsettled: frozenset[int] = frozenset()
    reason: str = ""


async def find_live_witnesses(side: ComparedCandidate, mutants: Sequence[JudgedMutant]) -> LiveWitnesses:
    """Compare mutants with the original on the calls that the tests make and nobody can write.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    some = mutants[:MAX_MUTANTS]
    subject = replace(subject_of(side.problem, side.executor, side.interpreter), text=side.text, target=side.target)
    comparison = await compare_versions(subject, [mutant.edits for mutant in some], budget=BUDGET)
    shown = {
        place: next((one for one in version.differences if one.where and not one.is_slight), None)
        for place, version in enumerate(comparison.versions)
    }
    left = range(len(comparison.versions), len(mutants))
    return LiveWitnesses(
        found={place: one for place, one in shown.items() if one is not None},
        calls=max((version.compared for version in comparison.versions), default=0),
        unsettled=frozenset(left),
        reason=_reason(comparison),
    )


def _reason(comparison: VersionComparison) -> str:
    """Return the reason why no call was compared; empty if one was."""
    if comparison.trouble or any(version.compared for version in comparison.versions):
        return comparison.trouble
    skipped = comparison.skipped
    reason = max(skipped, key=skipped.__getitem__, default="")
    return NOT_COMPARED.get(reason, "no test was seen to call it")
