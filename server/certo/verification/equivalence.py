"""The verifier that compares what a candidate does with what the text does.

It finds differences and can never show that there are none, so what it says of a candidate that passes is in how many
calls none was found, and which branches these executed.
"""

from __future__ import annotations

from certo.behaviour.diff import BehaviourDiff, notices, why_not_compared
from certo.behaviour.outcome import gives
from certo.behaviour.subject import OtherTree, Subject, subject_of
from certo.behaviour.version_comparison import (
    MUTANTS,
    BehaviourDifference,
    ComparisonBudget,
    VersionComparison,
    compare_versions,
)
from certo.edits.source import parse_source
from certo.edits.target import ByName, find_target
from certo.sandbox.executor import Executor, Interpreter
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.display import amount
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Ruling, Verdict

MAX_FINDINGS = 3
"""Maximum number of differences that a verdict names."""

MAX_MISSED = 4
"""Maximum number of branches that a verdict names as never executed."""


class EquivalenceVerifier:
    """Passes a candidate on which no difference to the text was found; undecided if nothing could be compared.

    The verdict names the calls that were compared and the branches that they executed. It is no proof.
    """

    def __init__(self, executor: Executor, interpreter: Interpreter) -> None:
        """Compare on `executor` under `interpreter`, which is the project's."""
        self._executor = executor
        self._interpreter = interpreter

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return "equivalence"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge one candidate for one problem.

        Raises:
            BrokenWorld: Nothing can be run here.
        """
        try:
            tree = _tree(candidate, problem)
        except BadRequest as error:
            return self._verdict(Ruling.UNDECIDED, str(error))
        comparison = await _compared(subject_of(problem, self._executor, self._interpreter), candidate, tree)
        if differences := [one for one in _differences(comparison) if one.is_breaking]:
            return self._verdict(Ruling.FAILED, *map(_in_words, differences[:MAX_FINDINGS]))
        reason = _why_not_compared(comparison, problem) or _why_doubtful(comparison)
        if reason:
            return self._verdict(Ruling.UNDECIDED, f"not compared with the text: {reason}")
        return self._verdict(Ruling.PASSED, _evidence(comparison))

    def _verdict(self, ruling: Ruling, *messages: str) -> Verdict:
        findings = tuple(Finding(message=message) for message in messages)
        return Verdict(verifier=self.name, ruling=ruling, findings=findings)


def _tree(candidate: Candidate, problem: Problem) -> OtherTree:
    """Return the candidate as a tree of its own.

    Raises:
        BadRequest: It has no such function, or is no Python text.
    """
    parse_source(candidate.text, problem.path)
    target = find_target(candidate.text, ByName.of(problem.target), path=f"{problem.path} of the candidate")
    texts = {change.path: change.after for change in candidate.elsewhere}
    return OtherTree(
        path=problem.path, text=candidate.text, target=target, texts={**texts, problem.path: candidate.text}
    )


async def _compared(subject: Subject, candidate: Candidate, tree: OtherTree) -> VersionComparison:
    """Compare the text, which says what is right, with the candidate."""
    budget = ComparisonBudget(is_other_reference=False, mutants=MUTANTS)
    if candidate.elsewhere:
        return await compare_versions(subject, tree=tree, budget=budget)
    return await compare_versions(subject, [candidate.edits], budget=budget)


def _differences(comparison: VersionComparison) -> tuple[BehaviourDifference, ...]:
    return tuple(one for version in comparison.versions for one in version.differences)


def _in_words(difference: BehaviourDifference) -> str:
    # The text is the subject of the comparison, so its outcome is the one called `now` there.
    call = difference.call if not difference.where else f"{difference.call} in {difference.where}"
    return f"{call} {gives(difference.now)} in the text, and {gives(difference.before)} with this candidate"


def _why_not_compared(comparison: VersionComparison, problem: Problem) -> str:
    """Return the reason why nothing is known; empty if calls were compared."""
    target = problem.target
    found = BehaviourDiff(
        path=problem.path, qualname=target.short_name, line=target.line, older="the text", comparison=comparison
    )
    return why_not_compared(found)


def _why_doubtful(comparison: VersionComparison) -> str:
    """Return the reason why a comparison without a difference says nothing; empty if it does."""
    [version] = comparison.versions
    if version.unconfirmed:
        return "the candidate differs from it in one process and not in the next"
    if version.unanswered:
        calls = amount(version.unanswered, "call")
        return f"the candidate does not come back from {calls} within its steps, and the text does"
    return ""


def _evidence(comparison: VersionComparison) -> str:
    """Return what was compared: the number of calls, what these notice, and the branches of both versions."""
    [version] = comparison.versions
    said = f"no difference found in {amount(version.compared, 'call')}"
    if comparison.sensitivity.tried:
        said += f"; {notices(comparison.sensitivity)}"
    own, other = comparison.branches, version.branches
    if not own.number and not other.number:
        return said
    said += f"; branches executed: {own.executed} of {own.number} in the text, {other.executed} of {other.number} here"
    missed = [f"line {line}, {words}" for line, words in other.missed]
    if missed:
        said += f"; never executed here: {', '.join(missed[:MAX_MISSED])}{' …' if len(missed) > MAX_MISSED else ''}"
    return said
