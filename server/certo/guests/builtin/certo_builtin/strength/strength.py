"""Guest program that tells which small changes of a function its tests notice.

It is the search for a repair turned round: the tests pass on the original, and each mutant runs on them by hot swap,
first on the test that noticed most of the others. A mutant that no test notices has run on all of them in a process of
its own. One that runs out of steps or time gets more of both before it counts as one that does not come back.

The calls that the tests make are reported as well, and others that are made up: they may show an unnoticed mutant.
"""

from __future__ import annotations

import importlib.util
import os
from typing import Any, Callable, Dict, List, Sequence

from certo_builtin.differential.call_recorder import observed
from certo_builtin.execution.allowance import Allowance, Spent
from certo_builtin.execution.checks import Check, doctest_checks, required_examples, suite_of, with_pytest
from certo_builtin.execution.fork_pool import each
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
    Judged,
)
from certo_builtin.question import Question, read
from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.fault_localization import Trace, traced
from certo_builtin.source import Source
from certo_builtin.strength.mutants import Mutant, mutants
from certo_worker.suite.module_import import import_file

FUEL = 8000
"""Minimum number of steps of every test; ten times those of the one with the most if that is more."""

MORE_FUEL = 60_000
MORE_TIMES = 5
MORE_SECONDS = 2.0
"""Minimum number of steps, their multiple, and the time limit, of a mutant that ran out of either.

More would be wasted: one that takes fifty times the steps of the original mostly takes all there are.
"""

SLOW_SECONDS = 1.0
"""Duration above which a test is set aside: hundreds of mutants would wait for it."""

NOTICED, UNNOTICED, ENDLESS = "noticed", "unnoticed", "endless"
"""Results of a mutant: a test failed, none did, or a test did not come back or its process died."""

FAILS, WAVERS, SLOW, ABSENT = "fails", "wavers", "slow", "absent"
"""Reasons for setting a test aside: it fails here, fails at times, takes too long, or cannot be run here."""

Tell = Callable[[Dict[str, Any]], None]


def main(request: Dict[str, Any], tell: Tell) -> None:
    """Judge the mutants of the request's target; each is told, and finally how many could be made."""
    question = read(request)
    allowance = Allowance(question.seconds, question.steps)

    def judge(checks: List[Check]) -> None:
        tell({"kind": "done", "reason": _judged(question, checks, request, tell, allowance)})

    if not suite_of(question):
        judge([])
    elif importlib.util.find_spec("pytest") is None:
        tell({"kind": "done", "reason": "the tests need pytest, which this interpreter cannot import"})
    elif not with_pytest(question, judge):
        tell({"kind": "done", "reason": "pytest could not collect the tests again"})


def _judged(question: Question, checks: List[Check], request: Dict[str, Any], tell: Tell, allowance: Allowance) -> str:
    """Tell the results of all mutants; return why there is none, or an empty text."""
    module = import_file(os.path.join(question.root, question.path), question.root)
    every = [*checks, *doctest_checks(question, required_examples(question), lambda: vars(module))]
    source = Source(question.text)
    target = source.function_at(question.line, question.name)
    hot_swap = HotSwap(source, question.path, target) if target is not None else None
    if target is None or hot_swap is None or not hot_swap.live:
        return "no test imports {} into the process that runs it".format(question.path)
    for test in sorted({*suite_of(question)} - {check.identity for check in checks}):
        tell({"kind": "aside", "test": test, "reason": ABSENT})
    runner = CandidateRunner(hot_swap, every, Meter(), allowance)
    judging = _Judging(question, runner, tell)
    try:
        trace = traced(runner)
        if not judging.prepare(trace):
            return "no test that certo can run again and again reaches {}".format(question.name)
        context = RepairContext(
            source, target, trace.kinds, trace.attributes, scope=next(iter(hot_swap.namespaces), {})
        )
        found = mutants(context, hot_swap, question.end, question.seed, set(request["changed"]))
        tell({"kind": "made", "number": len(found)})
        judging.run(found[: question.candidates])
    except Spent:
        pass
    except RecursionError:
        return "{} is nested too deeply to be changed".format(question.name)
    counted = [runner.checks[index] for index in sorted(judging.counted)]
    # Told while the allowance lasts, and with one of its own: without calls no mutant can be shown to matter.
    for said in observed(question, counted, vars(module), request["pool"]):
        tell(said)
    return ""


class _Judging:
    """The runs of all mutants on the tests that count."""

    def __init__(self, question: Question, runner: CandidateRunner, tell: Tell) -> None:
        self._question = question
        self._runner = runner
        self._tell = tell
        self._fuel = FUEL
        self.counted: List[int] = []

    def prepare(self, trace: Trace) -> bool:
        """Set aside the tests that cannot judge; return False if none is left."""
        reasons = self._set_aside(trace)
        for index, reason in sorted(reasons.items()):
            self._tell({"kind": "aside", "test": self._runner.checks[index].identity, "reason": reason})
        # A test that took no step never called the function.
        self.counted = [index for index, used in enumerate(trace.used) if used and index not in reasons]
        if not self.counted:
            return False
        runner = self._runner
        seconds = {index: trace.seconds[index] for index in self.counted}
        runner.sluggish = {index: took for index, took in seconds.items() if took > SLUGGISH_SECONDS}
        runner.last = sorted(runner.sluggish)
        prompt = [index for index in self.counted if index not in runner.sluggish]
        runner.telling = set(self.counted)
        runner.order = sorted(prompt, key=lambda index: (trace.used[index], index)) + runner.last
        self._fuel = max(FUEL, 10 * max(trace.used[index] for index in self.counted))
        if runner.depends_on_order():
            runner.order = list(self.counted)
        return True

    def _set_aside(self, trace: Trace) -> Dict[int, str]:
        """Return the tests that fail, waver or take too long here, with the reason."""
        reasons: Dict[int, str] = {}
        for index, ending in enumerate(trace.endings):
            if ending != PASSED:
                reasons[index] = SLOW if ending in (STARVED, LOST) else FAILS
            elif trace.seconds[index] > SLOW_SECONDS:
                reasons[index] = SLOW
        left = [index for index in range(len(trace.endings)) if index not in reasons]

        def again(index: int) -> str:
            self._runner.hot_swap.try_on(())
            return self._runner.run_check(index, self._fuel_for(trace, index), SLOW_SECONDS * 4)

        for index, repeated in each(again, left[::-1], SLOW_SECONDS * 8, self._runner.allowance):
            if repeated != PASSED:
                reasons[index] = WAVERS
        return reasons

    @staticmethod
    def _fuel_for(trace: Trace, index: int) -> int:
        return max(FUEL, 10 * trace.used[index])

    def run(self, found: Sequence[Mutant]) -> None:
        """Run all mutants, those that ran out of steps or time once more, and tell each result."""
        late: List[Mutant] = []
        edits = [mutant.edits for mutant in found]
        for number, judged in self._runner.judge(edits, self._fuel, MAX_STEPLESS_SECONDS):
            if judged.ending in (STARVED, LOST):
                late.append(found[number])
            else:
                self._report(found[number], judged)
        more = max(MORE_FUEL, MORE_TIMES * self._fuel)
        edits = [mutant.edits for mutant in late]
        for number, judged in self._runner.judge(edits, more, MORE_SECONDS, alone=True):
            self._report(late[number], judged)

    def _report(self, mutant: Mutant, judged: Judged) -> None:
        results = {PASSED: UNNOTICED, FAILED: NOTICED, STARVED: ENDLESS, LOST: ENDLESS}
        result = results.get(judged.ending)
        if result is None:
            # No valid code after all.
            return
        stopper = self._runner.checks[judged.stopper].identity if judged.stopper >= 0 else ""
        self._tell(
            {
                "kind": "mutant",
                "edits": [list(edit) for edit in mutant.edits],
                "template": mutant.template,
                "line": mutant.line,
                "result": result,
                "test": stopper,
            }
        )
