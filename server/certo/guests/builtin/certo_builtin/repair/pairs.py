"""Pairs of edits, the first of which alone brings the failing checks nearer to passing.

All pairs would be too many. But if two things are wrong, repairing one mostly shows: another failing check passes, or a
result comes closer to the expected one. This is a fitness function as in search-based repair (Weimer et al.,
"Automatically finding patches using genetic programming", 2009, where fitness is the number of passing tests; here the
distance of the results counts too). Every likely edit is measured alone, and only those with progress are paired.
"""

from __future__ import annotations

import copy
from difflib import SequenceMatcher
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from certo_builtin.execution.fork_pool import each
from certo_builtin.execution.hot_swap import HotSwap
from certo_builtin.execution.runner import PASSED, CandidateRunner
from certo_builtin.question import Question
from certo_builtin.repair.ranking import Ranked
from certo_builtin.source import Edit
from certo_builtin.synthesis import space
from certo_builtin.synthesis.annotations import Signature
from certo_builtin.synthesis.expected_values import PROBE, Known, distinct, from_checks, from_doctests
from certo_builtin.synthesis.insertion import filled

MAX_FIRST_EDITS = 1500
"""Maximum number of edits that are measured alone."""

MAX_PROGRESSING = 24
MAX_SECOND_EDITS = 300
"""Number of edits combined with each of those with progress."""

MAX_EXAMPLES = 12
NOISE = 0.05
"""Progress up to this value counts as chance."""

NO_RESULT = 1.5
"""Distance of a call that gives no result, as by an exception; more than that of any result, which is at most 1."""

FUEL = 20000
"""Maximum number of steps of each check and call that is measured."""

SECONDS = 1.0
"""Maximum time of each of them, for code that is slow without making steps."""

MAX_CHARACTERS = 2000
"""Maximum length of texts and sequences that are compared."""


class Measured(NamedTuple):
    """Distance of code from passing: the failing checks left, and the error of their results."""

    failed: int
    distance: float


class ProgressMeasure:
    """Measure of progress: the failing checks, and the results that checks are known to expect."""

    def __init__(
        self, runner: CandidateRunner, functions: Sequence[Tuple[Question, HotSwap]], failing: Sequence[int]
    ) -> None:
        """Measure by these checks; the results are those of the first of the `functions` of which some are known."""
        self.runner = runner
        self.functions = functions
        self.called: Any = None
        self.failing = [index for index in failing if index not in runner.last]
        self.passing = [
            index for index in range(len(runner.checks)) if index not in failing and index not in runner.last
        ]
        self.examples: List[Known] = []

    def probe(self) -> None:
        """Find the expected results; called in the child, because it runs the checks."""
        for question, hot_swap in self.functions:
            if not self.examples:
                self.examples = self._known(question, hot_swap)
                self.called = hot_swap.live[0][0]
                hot_swap.try_on(())

    def _known(self, question: Question, hot_swap: HotSwap) -> List[Known]:
        target = hot_swap.source.function_at(question.line, question.name)
        if target is None or target is not hot_swap.outermost:
            return []
        names = "".join(name + ", " for name in space.parameters(target))
        hot_swap.try_on(filled(hot_swap.source, target, ["return {}(({}))".format(PROBE, names)]))
        signature = Signature.of(target)
        found = from_checks(self.runner, signature)
        found += from_doctests(self.runner, question.examples, hot_swap.live[0][0].__globals__, signature)
        return distinct(found)[:MAX_EXAMPLES]

    def measured(self, edits: Sequence[Edit]) -> Optional[Measured]:
        """Return the distance of the code with these edits; None if it breaks a passing check."""
        self.runner.hot_swap.try_on(edits)
        if edits and any(self.runner.run_check(index, FUEL, SECONDS) != PASSED for index in self.passing):
            return None
        failed = sum(self.runner.run_check(index, FUEL, SECONDS) != PASSED for index in self.failing)
        return Measured(failed, sum(map(self._distance, self.examples)))

    def _distance(self, example: Known) -> float:
        results: List[Any] = []

        def call() -> None:
            results.append(self.called(*copy.deepcopy(example.arguments)))

        self.runner.run_limited(call, FUEL, SECONDS)
        return distance(results[0], example.expected) if results else NO_RESULT


def distance(result: Any, wanted: Any) -> float:
    """Return the distance of a result from the wanted one, from 0 to 1."""
    numbers = (int, float)
    try:
        if result == wanted:
            return 0.0
        if type(result) in numbers and type(wanted) in numbers:
            off = abs(result - wanted)
            return float(off / (1 + off))
        if type(result) is not type(wanted):
            return 1.0
        if isinstance(result, (list, tuple, str)) and len(result) + len(wanted) <= MAX_CHARACTERS:
            ours = result if isinstance(result, str) else list(map(repr, result))
            theirs = wanted if isinstance(wanted, str) else list(map(repr, wanted))
            return 1.0 - SequenceMatcher(None, ours, theirs, autojunk=False).ratio()
        if isinstance(result, (set, dict)):
            got, right = set(result), set(wanted)
            return 1.0 - len(got & right) / max(1, len(got | right))
    except Exception:  # a project's own comparison may raise
        return 1.0
    return 1.0


def pairs(runner: CandidateRunner, question: Question, edits: Sequence[Ranked], failing: Sequence[int]) -> List[Ranked]:
    """Return pairs of edits of which the first makes progress on the failing checks, likeliest first."""
    firsts = edits[:MAX_FIRST_EDITS]
    found: Dict[Tuple[Edit, ...], Ranked] = {}
    for piece in progressing(runner, [(question, runner.hot_swap)], firsts, failing):
        for other in edits[:MAX_SECOND_EDITS]:
            pair = _pair(firsts[piece], other)
            if pair is not None:
                found.setdefault(pair.edits, pair)
    return sorted(found.values(), key=lambda pair: (-pair.probability, pair.edits))


def progressing(
    runner: CandidateRunner,
    functions: Sequence[Tuple[Question, HotSwap]],
    firsts: Sequence[Ranked],
    failing: Sequence[int],
) -> List[int]:
    """Return the numbers of the edits that make progress on the failing checks alone, the most first."""
    progress = ProgressMeasure(runner, functions, failing)

    def measure(piece: int) -> Optional[Measured]:
        # A child that replaces a lost one must find them again.
        if not progress.examples:
            progress.probe()
        return progress.measured(firsts[piece].edits if piece >= 0 else ())

    stall = 2.0 + SECONDS * (len(runner.checks) + MAX_EXAMPLES)
    # Piece -1 is the original code, from which every gain is counted.
    results: Dict[int, Any] = dict(each(measure, [-1, *range(len(firsts))], stall, runner.allowance))
    start = results.pop(-1)
    if start is None:
        return []
    before = Measured(*start)
    gains = [(_gain(before, Measured(*result)), piece) for piece, result in results.items() if result is not None]
    weighed = [(-gain * firsts[piece].probability, piece) for gain, piece in gains if gain > 0]
    return [piece for _, piece in sorted(weighed)[:MAX_PROGRESSING]]


def _gain(before: Measured, after: Measured) -> float:
    """Return the progress from one distance to another: a passing check counts as much as its whole distance."""
    return before.failed - after.failed + before.distance - after.distance - NOISE


def _pair(one: Ranked, other: Ranked) -> Optional[Ranked]:
    """Return both edits as one, or None if they touch."""
    both: Tuple[Edit, ...] = tuple(sorted({*one.edits, *other.edits}))
    if len(both) < len(one.edits) + len(other.edits):
        return None
    if any(first[1] >= second[0] for first, second in zip(both, both[1:])):  # noqa: RUF007 - Python 3.8 has no pairwise
        return None
    template = "{} and {}".format(one.template, other.template)
    return Ranked(one.probability * other.probability, template, min(one.line, other.line), both)
