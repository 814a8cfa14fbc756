"""Repair: find the edits that make the failing checks pass without breaking the passing ones.

Run the checks once under a watch, blame lines, let the templates propose edits, try them from the likeliest down, and
tell each one that gets through as it is found, until enough are gathered. Edits that only ran out of steps get more
now and then: the right repair of a slow program is itself slow.
"""

from __future__ import annotations

import ast
import gc
from typing import Callable, Iterator, List, Sequence, Set, Tuple

from certo_builtin.execution.allowance import Allowance, Spent
from certo_builtin.execution.checks import Check
from certo_builtin.execution.fuel import Meter
from certo_builtin.execution.hot_swap import Graft
from certo_builtin.execution.runner import LOST, PASSED, PROMPT_SECONDS, SLUGGISH_SECONDS, STARVED, CandidateRunner
from certo_builtin.progress import Teller
from certo_builtin.question import Question, Unwanted
from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.fault_localization import Suspicion, Trace, traced
from certo_builtin.repair.holes.filler import fillings
from certo_builtin.repair.pairs import pairs
from certo_builtin.repair.ranking import Ranked, ranked
from certo_builtin.source import Function, Source

FUEL = 8000
"""Steps every check may take at least; ten times what the slowest passing check takes when that is more."""

ESCALATIONS = ((500_000, 6, 2.0, 0), (20_000_000, 2, 25.0, 1))
"""More fuel for those that ran out while nothing has passed: how many steps, for how many of those that came
furthest, the clock's backstop, and how many checks they have to have passed: what starves on the very first one more
likely loops for ever than needs its time."""

FIRST_SHARE = 800
"""Edits that are tried before the first are given more fuel; each later share is twice as large."""

MAX_ALONE = 256
"""So many of the likeliest edits have a process each before none of them is said to pass."""

MORE_AFTER = 2
"""Shares without a find after which expressions are enumerated."""


class Repair:
    """One search for edits; `run` returns the sentence that says how it ended."""

    def __init__(
        self, question: Question, source: Source, target: Function, bench: CandidateRunner, teller: Teller
    ) -> None:
        self.question = question
        self.source = source
        self.target = target
        self.bench = bench
        self.teller = teller
        self.told: Set[str] = set()
        self.kinds: Set[str] = set()
        self.unwanted = Unwanted(question)

    def run(self) -> str:
        """Search to the end or until there are as many plausible edits as were asked for."""
        # Ranking makes so much that the collector would go through all there is again and again, and find nothing.
        gc.disable()
        gc.freeze()
        trace = traced(self.bench)
        if all(ending == PASSED for ending in trace.endings):
            return (
                "the failing tests pass when they are run in one process with the others; no edit can be judged by them"
            )
        self._order(trace)
        scene = RepairContext(self.source, self.target, trace.kinds, trace.attributes, trace.literals)
        suspicion = Suspicion(trace.lines, trace.endings)
        edits = ranked(scene, suspicion, self.question)
        failing = [index for index, ending in enumerate(trace.endings) if ending != PASSED]
        tests = len(self.bench.checks)
        self.teller.progress("{:,} edits to try on {:,} test{}".format(len(edits), tests, "" if tests == 1 else "s"))
        quickest = [used for used, ending in zip(trace.used, trace.endings) if ending == PASSED]
        fuel = max([FUEL, *(10 * used for used in quickest)])
        try:
            for share in self._shares(edits, lambda: fillings(self.bench, scene, suspicion, self.question, failing)):
                starved = self._try(share, fuel)
                for steps, most, seconds, least in ESCALATIONS:
                    far = [entry for entry in starved if entry[1] >= least]
                    furthest = sorted(far, key=lambda entry: -entry[1])[:most]
                    if self.told or not furthest:
                        break
                    starved = self._try([one for one, _ in furthest], max(steps, 2 * fuel), seconds)
                if self.teller.gathered.is_enough(self.bench.tried):
                    break
            if not self.told and not quickest:
                # Where no check passes, nobody sees what one candidate left behind for the next.
                self._try(edits[: min(MAX_ALONE, self._left)], fuel, alone=True)
            if not self.told and self._left:
                self._try(pairs(self.bench, self.question, edits, failing), fuel)
        except Spent as spent:
            return self._ending("when {}".format(spent))
        return self._ending("")

    @property
    def _left(self) -> int:
        """Return the number of candidates that may still be tried."""
        return max(0, self.question.candidates - self.bench.tried)

    def _order(self, trace: Trace) -> None:
        """Failing checks first, the quick ones before the slow; then the sluggish ones, then those that never ended."""
        failing = [index for index, ending in enumerate(trace.endings) if ending != PASSED]
        slow = [index for index in failing if trace.endings[index] in (STARVED, LOST)]
        took = {index: seconds for index, seconds in enumerate(trace.seconds) if index not in slow}
        self.bench.sluggish = {index: seconds for index, seconds in took.items() if seconds > SLUGGISH_SECONDS}
        sluggish = sorted(self.bench.sluggish, key=lambda index: (index not in failing, index))
        prompt = sorted((index for index in took if index not in sluggish), key=lambda index: trace.used[index])
        quick = [index for index in prompt if index in failing]
        passing = [index for index in prompt if index not in failing]
        telling = quick or any(index in failing for index in sluggish)
        self.bench.order = quick + passing + sluggish + slow if telling else slow + passing + sluggish
        self.bench.last = sluggish + slow

    def _try(
        self, edits: Sequence[Ranked], fuel: int, seconds: float = PROMPT_SECONDS, *, alone: bool = False
    ) -> List[Tuple[Ranked, int]]:
        """Try edits in order and tell those that pass; return those that ran out of fuel, with how far they came."""
        starved: List[Tuple[Ranked, int]] = []
        for index, judged in self.bench.judge([one.edits for one in edits], fuel, seconds, alone=alone):
            one = edits[index]
            self.kinds.add(one.template)
            if judged.ending == STARVED:
                starved.append((one, judged.passed))
            elif judged.ending == PASSED and self._is_new(one):
                self.teller.candidate(
                    one.edits,
                    one.note,
                    weight=one.probability,
                    tried=self.bench.tried,
                    confidence=one.confidence,
                )
            if self.teller.gathered.is_enough(self.bench.tried):
                return []
            self.teller.progress("tried {:,} edits".format(self.bench.tried))
        return starved

    def _is_new(self, one: Ranked) -> bool:
        """True if no edit told before makes the same syntax tree, and none was made that is not wanted."""
        if self.unwanted.made_by(one.edits):
            return False
        shape = ast.dump(self.bench.graft.tree(one.edits))
        if shape in self.told:
            return False
        self.told.add(shape)
        return True

    def _shares(self, edits: Sequence[Ranked], more: Callable[[], List[Ranked]]) -> Iterator[Sequence[Ranked]]:
        """The edits in growing shares, so that a likely but slow one does not wait for all the unlikely ones.

        When the first shares hold nothing, `more` edits join the others: they cost more to find than to try. All
        together they are no more than may be tried.
        """
        rest, size, shares, left = list(edits), FIRST_SHARE, 0, self.question.candidates
        while left and (rest or shares < MORE_AFTER):
            share, rest, size = rest[: min(size, left)], rest[size:], size * 2
            shares, left = shares + 1, left - len(share)
            yield share
            if shares == MORE_AFTER and not self.told:
                rest = sorted([*rest, *more()], key=lambda one: -one.probability)

    def _ending(self, when: str) -> str:
        counted = "tried {:,} edits of {} kinds".format(self.bench.tried, len(self.kinds))
        found = len(self.told)
        if found:
            found_words = "{} pass{} the tests here".format(found, "es" if found == 1 else "")
            return ", ".join(part for part in (counted, found_words, when and "it stopped " + when) if part)
        return "{}, none passes the failing tests{}".format(counted, " " + when if when else "")


def repair(question: Question, checks: Sequence[Check], teller: Teller, allowance: Allowance) -> str:
    """Repair the question's target by these checks; return how it ended."""
    source = Source(question.text)
    target = source.function_at(question.line, question.name)
    if target is None:
        return "there is no function {} on line {}".format(question.qualname, question.line)
    graft = Graft(source, question.path, target)
    if not graft.live:
        return "no test imports {} into the process that runs it".format(question.path)
    return Repair(question, source, target, CandidateRunner(graft, checks, Meter(), allowance), teller).run()
