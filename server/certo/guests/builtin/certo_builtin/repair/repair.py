"""Repair: search for edits that make the failing checks pass without breaking the passing ones.

This is generate-and-validate repair. The checks run once under observation, which gives each line its suspicion
(`fault_localization`). Templates propose edits, which are ranked by probability (`ranking`) and run on the checks from
the likeliest down. Each plausible edit is reported when it is found, until the stopping rule is met. Two kinds of edits
are made only if templates find nothing, because they cost more: expressions that fit angelic values (`holes.filler`)
and pairs of edits (`pairs`).

An edit that only ran out of steps is run again with more of them: the right repair of a slow program is itself slow.
"""

from __future__ import annotations

import gc
import math
from typing import Callable, Iterable, Iterator, List, Optional, Sequence, Set, Tuple

from certo_builtin.execution.allowance import Allowance, Spent
from certo_builtin.execution.checks import Check, affordable
from certo_builtin.execution.fuel import Meter
from certo_builtin.execution.hot_swap import HotSwap
from certo_builtin.execution.runner import (
    FAILED,
    LOST,
    MAX_STEPLESS_SECONDS,
    PASSED,
    SLUGGISH_SECONDS,
    STARVED,
    CandidateRunner,
)
from certo_builtin.progress import Reporter, counted
from certo_builtin.question import Question, Unwanted
from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.fault_localization import Suspicion, Trace, traced
from certo_builtin.repair.holes.filler import fillings
from certo_builtin.repair.module_execution import ModuleExecution
from certo_builtin.repair.pairs import pairs
from certo_builtin.repair.ranking import Ranked, Ranking, asked_for, ranked
from certo_builtin.source import Edit, Function, Source

FUEL = 8000
"""Minimum number of steps of every check; ten times those of the slowest passing check if that is more."""


def fuel_for(trace: Trace) -> int:
    """Return the number of steps that a candidate may take for each check."""
    return max([FUEL, *(10 * used for used, ending in zip(trace.used, trace.endings) if ending == PASSED)])


ESCALATIONS = ((500_000, 6, 2.0, 0), (20_000_000, 2, 25.0, 1))
"""Larger step limits for edits that ran out, used while nothing has passed.

Each entry has the steps, the number of edits that came furthest, the seconds as a backstop, and the checks that an edit
must have passed: one that starves on the first check more likely loops for ever than needs the time.
"""

MIN_ESCALATION_SECONDS = 2.0
ESCALATION_SHARE = 0.25
"""Maximum time of an edit with more steps, at least and as a share of the time of all edits before it."""

FIRST_SHARE = 800
"""Number of edits tried before the first get more steps; each later share is twice as large."""

MAX_ALONE = 256
"""Number of likeliest edits that run in a process each, before the search ends without a result."""

SINGLE_EDITS = 0.8
"""Maximum share of the candidates that may be single edits: the others are left for pairs."""

MORE_AFTER = 2
"""Number of shares without a plausible edit after which expressions are synthesised."""


NOTHING_FAILS = "the failing tests pass when they are run in one process with the others; no edit can be judged by them"


def context_of(trace: Trace, source: Source, target: Function, hot_swap: HotSwap) -> RepairContext:
    """Return the context of a repair of a function that was observed."""
    return RepairContext(
        source,
        target,
        trace.kinds,
        trace.attributes,
        trace.literals,
        expected=trace.expected,
        raised=trace.raised,
        usual_kinds=trace.usual_kinds,
        bases=trace.bases,
        scope=next(iter(hot_swap.namespaces), {}),
    )


class Repair:
    """One search for edits; `run` returns the sentence about its ending."""

    def __init__(
        self, question: Question, source: Source, target: Function, runner: CandidateRunner, reporter: Reporter
    ) -> None:
        self.question = question
        self.source = source
        self.target = target
        self.runner = runner
        self.reporter = reporter
        self.reported: Set[str] = set()
        self.kinds: Set[str] = set()
        self.asked: Set[str] = set()
        self.unwanted = Unwanted(question)
        self.suspicion = Suspicion([], [])

    def run(self) -> str:
        """Search until the end, or until there are as many plausible edits as requested."""
        # Ranking allocates so much that the garbage collector would run again and again, and find nothing.
        gc.disable()
        gc.freeze()
        trace = self._traced()
        if all(ending == PASSED for ending in trace.endings):
            return NOTHING_FAILS
        self._order(trace)
        self.module = ModuleExecution(self.runner, self.source, self.target)
        context = context_of(trace, self.source, self.target, self.runner.hot_swap)
        self.asked = asked_for(context)
        self.suspicion = suspicion = Suspicion(trace.lines, trace.endings)
        edits = ranked(context, suspicion, self.question)
        failing = [index for index, ending in enumerate(trace.endings) if ending != PASSED]
        self.reporter.progress("trying edits on {}".format(self._tests_in_words()))
        passing_steps = [used for used, ending in zip(trace.used, trace.endings) if ending == PASSED]
        fuel = fuel_for(trace)
        allowance = self.runner.allowance
        began = allowance.used
        try:
            for share in self._shares(edits, lambda: fillings(self.runner, context, suspicion, self.question, failing)):
                starved = self._try(share, fuel)
                # More steps only while nothing has passed: a slow edit is worth its time only if no quick one repairs
                # the function.
                for steps, most, seconds, least in ESCALATIONS:
                    # A few edits that loop for ever must not take the time of all others.
                    seconds = min(seconds, max(MIN_ESCALATION_SECONDS, ESCALATION_SHARE * (allowance.used - began)))
                    far = [entry for entry in starved if entry[1] >= least]
                    furthest = sorted(far, key=lambda entry: -entry[1])[:most]
                    if self.reported or not furthest:
                        break
                    starved = self._try([one for one, _ in furthest], max(steps, 2 * fuel), seconds)
                if self.reporter.stopping_rule.is_enough(self.runner.tried):
                    break
            if not self.reported and self.runner.leaves_state and not self.runner.is_ordered:
                self._keep_order(trace)
                self._try(edits.first(min(MAX_ALONE, self._left)), fuel, alone=True)
            elif not self.reported and not passing_steps:
                # Without a passing check nothing detects the state that one candidate leaves behind for the next.
                self._try(edits.first(min(MAX_ALONE, self._left)), fuel, alone=True)
            self._try_pairs(edits.all(), failing, fuel)
        except Spent as spent:
            return self._ending("when {}".format(spent))
        return self._ending("")

    def _traced(self) -> Trace:
        """Observe the checks; from now on pytest runs those that only it can run as it does.

        Plug-ins may change a test in ways that only show when it is called directly, as those do that put fixtures
        among its parameters. A test that ends no better by pytest depends on those before it.
        """
        trace = traced(self.runner)
        functions = {
            _function(check) for check in _surprising(self.runner.checks, trace) if check.otherwise is not None
        }
        # Other cases of such a test may fail as they should, but for another reason.
        surprising = [check for check in self.runner.checks if check.otherwise and _function(check) in functions]
        if not surprising:
            return trace
        for check in surprising:
            check.exchange()
        old = self.runner
        trace = traced(CandidateRunner(old.hot_swap, old.checks, old.meter, old.allowance))
        in_vain = {_function(check) for check in _surprising(old.checks, trace)}
        for check in surprising:
            if _function(check) in in_vain:
                check.exchange()
        self.runner = CandidateRunner(old.hot_swap, affordable(old.checks), old.meter, old.allowance)
        return traced(self.runner)

    def _report(self, one: Ranked) -> None:
        """Report a plausible edit."""
        self.reporter.candidate(
            one.edits,
            one.note,
            weight=one.probability,
            tried=self.runner.tried,
            confidence=one.confidence,
            asked=one.template in self.asked,
            suspicion=self._suspicion(one),
        )

    def _try_pairs(self, edits: Sequence[Ranked], failing: List[int], fuel: int) -> None:
        """Try pairs of edits, and then the unlikeliest single ones: a search uses all that it is given."""
        if not self.reported and self._left:
            self._try(pairs(self.runner, self.question, edits, failing)[: self._left], fuel)
        if not self.reported and self._left:
            self._try(edits[int(SINGLE_EDITS * self.question.candidates) :][: self._left], fuel)

    def _tests_in_words(self) -> str:
        """Return the number of tests, and of those that pytest itself must run, with the first reason."""
        tests = counted(len(self.runner.checks), "test")
        reasons = [check.by_pytest for check in self.runner.checks if check.by_pytest]
        return "{}, {} by pytest, slower, as for {}".format(tests, len(reasons), reasons[0]) if reasons else tests

    @property
    def _left(self) -> int:
        """The number of candidates that may still be tried."""
        return max(0, self.question.candidates - self.runner.tried)

    def _order(self, trace: Trace) -> None:
        """Order the checks: failing ones first, quick before slow; then the sluggish ones, then those that never ended.

        A failing check refutes most candidates, so most candidates cost one check.
        """
        failing = [index for index, ending in enumerate(trace.endings) if ending != PASSED]
        slow = [index for index in failing if trace.endings[index] in (STARVED, LOST)]
        took = {index: seconds for index, seconds in enumerate(trace.seconds) if index not in slow}
        self.runner.telling = set(failing)
        # A test that took no step never called the function, so it passes whatever the function does.
        self._set_order([index for index in took if index in failing or trace.used[index]], slow, trace)
        if self.runner.depends_on_order():
            self._keep_order(trace)

    def _keep_order(self, trace: Trace) -> None:
        """Let every candidate meet all checks as pytest runs them."""
        slow = [index for index in self.runner.last if index not in self.runner.sluggish]
        self.runner.is_ordered = True
        self._set_order([index for index in range(len(trace.endings)) if index not in slow], slow, trace)

    def _set_order(self, ended: Sequence[int], slow: List[int], trace: Trace) -> None:
        """Order the checks that `ended` and those that are `slow`; in each group as pytest does, if that matters."""
        took = {index: trace.seconds[index] for index in ended}
        failing = self.runner.telling
        self.runner.sluggish = {index: seconds for index, seconds in took.items() if seconds > SLUGGISH_SECONDS}
        sluggish = sorted(self.runner.sluggish, key=lambda index: (index not in failing, index))
        self.runner.last = sluggish + slow
        prompt = [index for index in took if index not in sluggish]
        quick = [index for index in prompt if index in failing]
        passing = [index for index in prompt if index not in failing]
        # By time, so coarse that it is mostly the same on every machine, and then by steps of the code under trial.
        quick.sort(key=lambda index: (_coarse(took[index]), trace.used[index]))
        telling = quick or any(index in failing for index in sluggish)
        usual = prompt if self.runner.is_ordered else quick + passing
        self.runner.order = usual + sluggish + slow if telling else slow + usual + sluggish

    def _try(
        self, edits: Iterable[Ranked], fuel: int, seconds: float = MAX_STEPLESS_SECONDS, *, alone: bool = False
    ) -> List[Tuple[Ranked, int]]:
        """Run edits in order and report passing ones; return those out of steps, with the number of checks passed.

        So are those that only a slow check stopped: if it never ended on the original code, nobody knows how long it
        takes on the right one.
        """
        starved: List[Tuple[Ranked, int]] = []
        drawn: List[Ranked] = []

        def candidates() -> Iterator[Tuple[Edit, ...]]:
            for one in edits:
                drawn.append(one)
                yield one.edits

        wanted = self.reporter.stopping_rule.left
        for index, judged in self.runner.judge(candidates(), fuel, seconds, alone=alone, wanted=wanted):
            one = drawn[index]
            self.kinds.add(one.template)
            if judged.ending == STARVED or (judged.ending == LOST and judged.stopper in self.runner.last):
                starved.append((one, judged.passed))
            elif judged.ending == PASSED and self._is_new(one):
                self._take(one)
            if self.reporter.stopping_rule.is_enough(self.runner.tried):
                return []
            self.reporter.progress("tried {:,} edits".format(self.runner.tried))
        return starved

    def _suspicion(self, one: Ranked) -> Optional[float]:
        """Return the suspicion of the most suspicious line that is edited, if a failing check ran one."""
        return self.suspicion.seen({one.line, *self.source.lines_at(one.edits)})

    def _take(self, one: Ranked) -> None:
        """Report a plausible edit, unless the module fails with it."""
        if self.module.fails_with(one.edits):
            self.reported.discard(self.runner.hot_swap.shape(one.edits))
        else:
            self._report(one)

    def _is_new(self, one: Ranked) -> bool:
        """True if no edit reported before makes the same syntax tree, and it is not an unwanted one."""
        if self.unwanted.made_by(one.edits):
            return False
        shape = self.runner.hot_swap.shape(one.edits)
        if shape in self.reported:
            return False
        self.reported.add(shape)
        return True

    def _shares(self, edits: Ranking, more: Callable[[], List[Ranked]]) -> Iterator[Iterable[Ranked]]:
        """Yield the edits in growing shares, so that a likely but slow one does not wait for all the unlikely ones.

        The first share is drawn as it is tried. If the first shares hold no plausible edit, `more` edits join the rest:
        they cost more to find than to run.
        """
        left = int(SINGLE_EDITS * self.question.candidates)
        size = min(FIRST_SHARE, left)
        if size:
            yield edits.first(size)
        rest, left, size, shares = edits.all()[size:], left - min(size, len(edits.all())), 2 * FIRST_SHARE, 1
        while left and (rest or shares < MORE_AFTER):
            share, rest, size = rest[: min(size, left)], rest[size:], size * 2
            shares, left = shares + 1, left - len(share)
            yield share
            if shares == MORE_AFTER and not self.reported:
                rest = sorted([*rest, *more()], key=lambda one: -one.probability)

    def _ending(self, when: str) -> str:
        counted = "tried {:,} edits of {} kinds".format(self.runner.tried, len(self.kinds))
        found = len(self.reported)
        if found:
            found_words = "{} pass{} the tests here".format(found, "es" if found == 1 else "")
            return ", ".join(part for part in (counted, found_words, when and "it stopped " + when) if part)
        return "{}, none passes the failing tests{}".format(counted, " " + when if when else "")


def _surprising(checks: Sequence[Check], trace: Trace) -> List[Check]:
    """Return the checks that ended otherwise than in pytest's own run; one that was stopped ended in no way."""
    return [
        check
        for check, ending, used in zip(checks, trace.endings, trace.used)
        if ending in (PASSED, FAILED) and check.is_surprising(passed=ending == PASSED, used=used)
    ]


def _function(check: Check) -> str:
    return check.identity.partition("[")[0]


def _coarse(seconds: float) -> int:
    """Return the order of magnitude of the time of a test, in powers of 4 from 1 ms."""
    return max(0, round(math.log(max(seconds, 1e-6) / 1e-3, 4)))


def repair(question: Question, checks: Sequence[Check], reporter: Reporter, allowance: Allowance) -> str:
    """Repair the question's target by these checks; return the sentence about the ending."""
    source = Source(question.text)
    target = source.function_at(question.line, question.name)
    if target is None:
        return "there is no function {} on line {}".format(question.qualname, question.line)
    hot_swap = HotSwap(source, question.path, target)
    if not hot_swap.live:
        return "no test imports {} into the process that runs it".format(question.path)
    return Repair(question, source, target, CandidateRunner(hot_swap, checks, Meter(), allowance), reporter).run()
