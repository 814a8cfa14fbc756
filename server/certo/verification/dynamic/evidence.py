"""The evidence verifier: mutation testing of the target, to see which of the tests it passes depend on it.

The target is mutated while the assertions stay: it returns a value next to the right one, returns nothing, or does not
run at all. A test that passes with every mutant would pass with any candidate, so it is no evidence. Nor is a test that
passes only after other tests, since it depends on the state they left. If no test is evidence, or no test needs the
changed lines, the candidate is not verified.

A result with items is mutated twice: to an empty one, and to one with other items. A test is evidence if it notices one
of the two. `assert len(f(x)) <= 3` notices neither, and so does a loop over a result that is empty anyway.

If the tests depend on little of the result, the candidate is verified and a finding says so. Examples are tests that
look only at the number of items, that pass with an empty result, or that pass if the first argument is returned, as
`f(f(x)) == f(x)` does. In the same way, single changes of a candidate are named if no test notices their absence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from functools import partial

from certo.concurrency import gather_until
from certo.edits.target import definition_of
from certo.verification.dynamic.harness import Harness, some_cases
from certo.verification.dynamic.harness_source import HarnessSource
from certo.verification.dynamic.mutants import (
    COPIES,
    NEIGHBOURS,
    NOTHING,
    RAISES,
    SAME,
    SKIPPED,
    MutantRun,
    MutantRunner,
    Mutation,
)
from certo.verification.dynamic.rerun import bounded
from certo.verification.dynamic.results import was_cut_short
from certo.verification.dynamic.unnoticed_changes import find_unnoticed_changes, weigh_tests
from certo.verification.dynamic.warm_pool import files_of
from certo.verification.static.reverted_changes import revert_changes, revert_each_change
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import KnownTest, Problem
from certo.vocabulary.verdict import PINNED, Dependence, Finding, Ruling, Verdict

MAX_TESTS, MAX_SECONDS = 200, 30.0
"""The number of tests that run on mutants, and the seconds they may take together; the rest is not called idle."""

MAX_CASES = 6
"""The number of failing and of passing cases of a parametrized test that run on mutants, unless they leave a doubt."""

ORDER_DEPENDENT = "passes only after other tests"

_RAISED = re.compile(r"(?:\w+\.)*[A-Z]\w*(?:: |$)")
_ASSERTED = re.compile(r"AssertionError|Failed: DID NOT RAISE")


class EvidenceVerifier:
    """Passes every candidate; the `dependence` of its verdict says how far the tests are evidence."""

    def __init__(self, harnesses: HarnessSource, *, strict: bool = False) -> None:
        """Verify by these harnesses; if `strict`, tests that depend on little of the result are no evidence either."""
        self._harnesses = harnesses
        self._strict = strict

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return "evidence"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Return a verdict that says which tests depend on what the candidate's target does.

        Raises:
            BrokenWorld: Nothing can be run at all.
        """
        definition = definition_of(candidate.text, problem.target)
        if definition is None:
            return self._undecided(f"{problem.target.qualname} is not where it was, so no wrong version can be made")
        known = [test for test in problem.baseline.tests if test.ruling is not Ruling.UNDECIDED]
        harness = (await self._harnesses.of(problem)).with_files_of(candidate)
        paths = files_of(test.id for test in problem.baseline.tests if not test.is_doctest)
        mutants = MutantRunner(harness=harness, text=candidate.text, line=definition.node.lineno, paths=paths)
        chosen = _chosen(known)
        some = some_cases(chosen, MAX_CASES)
        check = _EvidenceCheck(mutants, candidate, problem, some, strict=self._strict)
        await check.run()
        if len(some) < len(chosen) and check.is_doubtful:
            check = _EvidenceCheck(mutants, candidate, problem, chosen, strict=self._strict)
            await check.run()
        if check.trouble:
            return self._undecided(check.trouble)
        return Verdict(
            verifier=self.name,
            ruling=Ruling.PASSED,
            findings=bounded(check.findings),
            dependence=check.dependence,
        )

    def _undecided(self, why: str) -> Verdict:
        return Verdict(verifier=self.name, ruling=Ruling.UNDECIDED, findings=(Finding(message=why),))


class _EvidenceCheck:
    """Runs the tests of one candidate on mutants, and keeps what they show.

    The tests that `noticed` a mutant depend on the target. The `idle` tests noticed none, and the `order_dependent`
    ones pass only after others; the rest did not end. `unneeded` says which changed lines no test needs, and `remarks`
    what else the tests do not look at.
    """

    def __init__(
        self,
        mutants: MutantRunner,
        candidate: Candidate,
        problem: Problem,
        tests: Sequence[KnownTest],
        *,
        strict: bool,
    ) -> None:
        self._strict = strict
        self._mutants = mutants
        self._candidate = candidate
        self._problem = problem
        self._tests = tests
        self.noticed: set[str] = set()
        self.idle: set[str] = set()
        self.order_dependent: set[str] = set()
        self.unneeded = ""
        self.remarks: list[Finding] = []
        self.trouble = ""
        self._gave_nothing = MutantRun()
        self._by_result: set[str] = set()
        self._only_raising = False

    async def run(self) -> None:
        """Run the tests on as many mutants as their results call for."""
        first = NEIGHBOURS[0]
        # The control wraps the target like a mutant but changes nothing, so a test that fails in it fails for the
        # wrapper or for its order, and its failures with mutants show nothing.
        control = partial(self._mutants.of, SAME, self._tests, backwards=True)
        runs = await gather_until([control, partial(self._mutants.of, first, self._tests)], lambda _: False)
        same, other = runs[0], runs[1]
        self.order_dependent = set(same.red)
        self._take(other, same.green)
        self._by_result |= other.red
        failed = self._failed_before() & same.green
        told = failed - await self._saw_nothing(failed - other.red)
        self.noticed |= told
        await self._ask_again(same.green - self.noticed, calm=other.calm)
        await self._weigh(told)
        if not self.noticed:
            self.trouble = await self._why_none(same)
            self._only_raising = not self.trouble and await self._misses_only_errors()
        elif self._candidate.text != self._problem.text:
            together = bool(failed) or await self._leave_out()
            if not self.unneeded:
                await self._leave_out_one_by_one(together=together)

    def _take(self, run: MutantRun, asked: Iterable[str]) -> None:
        self.noticed |= run.red.intersection(asked)

    def _chosen_of(self, ids: Iterable[str]) -> list[KnownTest]:
        return [test for test in self._tests if test.id in ids]

    async def _weigh(self, told: frozenset[str]) -> None:
        """Drop tests that depend on no item of the result, and remark on aspects that the others ignore."""
        tests = self._chosen_of(self.noticed & self._by_result)
        if not tests:
            return
        alone = self.noticed <= self._by_result
        found = await weigh_tests(self._mutants, tests, self._problem.target.qualname, alone=alone)
        self.remarks += [Finding(message=each) for each in found.remarks]
        if self._strict and found.remarks:
            self.unneeded = found.remarks[0]
        self.noticed -= found.vacuous - told
        self.idle |= found.vacuous - told

    async def _misses_only_errors(self) -> bool:
        """True if the tests that depend on no result would notice an exception, and not even that nothing is given."""
        ids = self.idle - self._gave_nothing.red
        if not ids or ids != self.idle:
            return False
        return bool((await self._mutants.of(RAISES, self._chosen_of(ids))).red)

    def _failed_before(self) -> frozenset[str]:
        """Return the tests that failed by an assertion on the original text, which is a mutant as well.

        A test that failed by an exception may look at no result at all, and a hole returns nothing yet.
        """
        if self._problem.target.is_hole:
            return frozenset()
        return frozenset(test.id for test in self._tests if test.ruling is Ruling.FAILED and _asserted(test.message))

    async def _saw_nothing(self, ids: frozenset[str]) -> frozenset[str]:
        """Return the tests that failed on the original text in the words in which they fail if nothing is returned.

        That they failed says no more about them: `assert f(x) is not None` fails so if the original returned None.
        """
        tests = self._chosen_of(ids)
        if not tests:
            return frozenset()
        messages = (await self._mutants.of(NOTHING, tests)).messages
        return frozenset(test.id for test in tests if messages.get(test.id) == test.message)

    async def _ask_again(self, rest: frozenset[str], *, calm: frozenset[str]) -> None:
        """Run the tests that have not noticed a mutant yet on further ones; they did not fail (`calm`) on the first."""
        if not rest:
            return
        # Several neighbours, since an assertion may hold for one wrong value by chance.
        one, other, nothing = await self._ask((NEIGHBOURS[1], rest), (NEIGHBOURS[2], rest), (NOTHING, rest))
        self._take(one, rest)
        self._take(other, rest)
        self._by_result |= one.red | other.red
        self._gave_nothing = nothing
        remaining = rest - self.noticed
        # A test that does not need the result may still need the side effects: for it the call is skipped. Any other
        # test would fail without a result, so for it the target runs on copies of its arguments.
        unlike = await self._ask((SKIPPED, remaining - nothing.red), (COPIES, remaining & nothing.red))
        for run in unlike:
            self._take(run, remaining)
        ended = frozenset().union(*(run.calm for run in unlike))
        self.idle = set(remaining & calm & one.calm & other.calm & ended) - self.noticed

    async def _ask(self, *questions: tuple[Mutation, frozenset[str]]) -> list[MutantRun]:
        async def asked(wrong: Mutation, ids: frozenset[str]) -> MutantRun:
            tests = self._chosen_of(ids)
            return await self._mutants.of(wrong, tests) if tests else MutantRun()

        return list((await gather_until([partial(asked, *each) for each in questions], lambda _: False)).values())

    async def _why_none(self, same: MutantRun) -> str:
        """Return why it is unknown whether any test depends on the target, or nothing if none does."""
        open_ones = [test.id for test in self._tests if test.id not in self.idle | self.order_dependent]
        if open_ones:
            return f"{open_ones[0]} could not be tried on wrong versions: {same.trouble or 'it did not end'}"
        if not self.order_dependent:
            return ""
        # These tests failed in reverse order. If they fail in the usual order too, the wrapper around the target is the
        # reason, and they say nothing about mutants.
        again = (await self._mutants.of(SAME, self._tests)).red & self.order_dependent
        if not again:
            return ""
        return f"{min(again)} cannot be tried on wrong versions: it fails with the target in a wrapper"

    async def _leave_out(self) -> bool:
        """True if a test fails once all changed lines are left out; False as well if none can be left out."""
        reverted = revert_changes(self._problem, self._candidate)
        if reverted is None:
            return False
        tests = self._chosen_of(self.noticed)
        mutants = self._mutants
        if self._candidate.elsewhere:
            # Changes to other files are left out by running with the files as they are on disk.
            mutants = MutantRunner(
                harness=_bare(mutants.harness), text=mutants.text, line=mutants.line, paths=mutants.paths
            )
        run = await mutants.without(reverted.text, tests)
        if not run.red and run.green >= self.noticed:
            self.unneeded = f"no test depends on {reverted.described}"
        return not self.unneeded

    async def _leave_out_one_by_one(self, *, together: bool) -> None:
        """Remark on single changes that no test notices; `together` says that the tests notice all of them at once."""
        changes = revert_each_change(self._problem, self._candidate)
        if together and len(changes) < 2:
            return
        tests = self._chosen_of(self.noticed)
        self.remarks += await find_unnoticed_changes(
            self._mutants, changes, tests, seconds=MAX_SECONDS, together=together
        )

    @property
    def is_doubtful(self) -> bool:
        """True if the tests are no evidence, or there is something that they do not look at."""
        return bool(self.trouble or self.remarks or self.dependence.reason)

    @property
    def dependence(self) -> Dependence:
        """The number of tests that depend on the target, and the names of those that do not."""
        name = self._problem.target.qualname
        reason = self.unneeded
        if not self.noticed:
            reason = f"no test depends on what {name} returns"
            if self._only_raising:
                reason += "; the tests notice only that it does not raise"
        elif not reason and self.noticed <= self._problem.pinned:
            reason = f"{PINNED}: only tests that certo wrote notice what {name} does; nobody has said they are right"
        return Dependence(noticed=len(self.noticed), idle=tuple(test.id for test in self._without()), reason=reason)

    def _without(self) -> list[KnownTest]:
        """Return the tests that are no evidence, without examples that only prepare one that is."""
        named = any(test.is_doctest for test in self._tests if test.id in self.noticed)
        return [
            test
            for test in self._tests
            if test.id in self.idle | self.order_dependent and not (named and test.is_doctest)
        ]

    @property
    def findings(self) -> list[Finding]:
        """Findings for the user: changed lines that no test needs, and tests that are no evidence."""
        name = self._problem.target.qualname
        idle = f"does not depend on what {name} returns"
        remarked = {each.message for each in self.remarks}
        messages = [self.unneeded] if self.unneeded and self.unneeded not in remarked else []
        without = [test.id for test in self._without()]
        messages += [f"{each} {idle}" for each in _by_function(set(without) - self.order_dependent, without)]
        messages += [f"{each} {ORDER_DEPENDENT}" for each in without if each in self.order_dependent]
        return [*self.remarks, *(Finding(message=each) for each in messages)]


def _by_function(ids: Set[str], order: Sequence[str]) -> list[str]:
    """Return these ids in order, those of one test with several parameters as one."""
    several = Counter(name.partition("[")[0] for name in ids)
    words = [
        f"{test} ({several[test]} of its parameters)" if several[test] > 1 else name
        for name in order
        if name in ids and (test := name.partition("[")[0])
    ]
    return list(dict.fromkeys(words))


def _bare(harness: Harness) -> Harness:
    return replace(harness, changed=())


def _asserted(message: str) -> bool:
    """True if the message of a failed test shows a failed assertion, and not an exception."""
    if message.startswith("doctest") or " raised " in message or was_cut_short(message):
        return False
    return bool(_ASSERTED.match(message)) or _RAISED.match(message) is None


def _chosen(known: Sequence[KnownTest]) -> list[KnownTest]:
    """Return the tests that run on mutants: the failing ones first, then as many of the others as time allows."""
    chosen: list[KnownTest] = []
    seconds = 0.0
    for test in sorted(known, key=lambda test: test.ruling is Ruling.PASSED):
        seconds += test.seconds
        if len(chosen) < MAX_TESTS and (seconds <= MAX_SECONDS or not chosen):
            chosen.append(test)
    return chosen
