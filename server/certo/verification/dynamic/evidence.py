"""Judging whether the tests that a candidate passes depend on what the target does: only those are evidence.

The target is broken, not the assertions: it gives something next to what it gave, or nothing, or does not run at all.
A test that passes all the same would pass with any candidate, and one that passes only after other tests have run is
green by what these left. Where no test is left, or none needs the changed lines, nothing is verified.

The rule for what has items: a test is evidence if it notices that the result is empty, or that it has others. One that
notices neither, such as `assert len(f(x)) <= 3`, is none; nor is a loop over a result that is empty anyway. Where
all tests depend on little, a remark says so and the candidate is verified: they look only at how many items there are,
or pass with an empty result, or with the first argument in its place, as a test for `f(f(x)) == f(x)` alone does. So it
is with single changes: of several, of which some test needs one, those are named that no test misses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from certo.concurrency import gather_until
from certo.edits.target import definition_of
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.harness_source import HarnessSource
from certo.verification.dynamic.mutants import (
    COPIES,
    NEIGHBOURS,
    NOTHING,
    RAISES,
    SAME,
    SKIPPED,
    Stood,
    Versions,
    Wrong,
)
from certo.verification.dynamic.rerun import bounded
from certo.verification.dynamic.results import was_cut_short
from certo.verification.dynamic.reverted_changes import one_by_one, without_changes
from certo.verification.dynamic.unnoticed_changes import unnoticed, weighed
from certo.verification.dynamic.warm_pool import files_of
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import KnownTest, Problem
from certo.vocabulary.verdict import Dependence, Finding, Ruling, Verdict

MAX_TESTS, MAX_SECONDS = 200, 30.0
"""How many tests are tried, and how long they may take together; those that are left are not called idle."""

LEANS = "passes only after other tests"

_RAISED = re.compile(r"(?:\w+\.)*[A-Z]\w*(?:: |$)")
_ASSERTED = re.compile(r"AssertionError|Failed: DID NOT RAISE")


class EvidenceVerifier:
    """Passes a candidate in any case; how far its tests are evidence is said as the `dependence` of the verdict."""

    def __init__(self, grounds: HarnessSource) -> None:
        self._grounds = grounds

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return "evidence"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Find out which tests depend on what the target does, as the candidate has it.

        Raises:
            BrokenWorld: nothing can be run at all.
        """
        definition = definition_of(candidate.text, problem.target)
        if definition is None:
            return self._undecided(f"{problem.target.qualname} is not where it was, so no wrong version can be made")
        known = [test for test in problem.baseline.tests if test.ruling is not Ruling.UNDECIDED]
        ground = (await self._grounds.of(problem)).under(candidate)
        paths = files_of(test.id for test in problem.baseline.tests if not test.is_doctest)
        versions = Versions(ground=ground, text=candidate.text, line=definition.node.lineno, paths=paths)
        inquiry = _EvidenceCheck(versions, candidate, problem, _chosen(known))
        await inquiry.hold()
        if inquiry.trouble:
            return self._undecided(inquiry.trouble)
        return Verdict(
            verifier=self.name,
            ruling=Ruling.PASSED,
            findings=bounded(inquiry.findings),
            dependence=inquiry.dependence,
        )

    def _undecided(self, why: str) -> Verdict:
        return Verdict(verifier=self.name, ruling=Ruling.UNDECIDED, findings=(Finding(message=why),))


class _EvidenceCheck:
    """What is found out of the tests of one candidate.

    Those that `noticed` a wrong version depend on the target, the `idle` did not notice any, and the `leaning` pass
    only after others; the rest did not come to an end. `unneeded` says which changed lines none of the first needs, and
    `remarks` what else they do not look at.
    """

    def __init__(self, versions: Versions, candidate: Candidate, problem: Problem, tests: Sequence[KnownTest]) -> None:
        self._versions = versions
        self._candidate = candidate
        self._problem = problem
        self._tests = tests
        self.noticed: set[str] = set()
        self.idle: set[str] = set()
        self.leaning: set[str] = set()
        self.unneeded = ""
        self.remarks: list[Finding] = []
        self.trouble = ""
        self._gave_nothing = Stood()
        self._by_result: set[str] = set()
        self._only_raising = False

    async def hold(self) -> None:
        """Run everything there is to run."""
        first = NEIGHBOURS[0]
        control = partial(self._versions.of, SAME, self._tests, backwards=True)
        heard = await gather_until([control, partial(self._versions.of, first, self._tests)], lambda _: False)
        same, other = heard[0], heard[1]
        self.leaning = set(same.red)
        self._take(other, same.green)
        self._by_result |= other.red
        told = self._told_apart_before() & same.green
        self.noticed |= told
        await self._ask_again(same.green - self.noticed, calm=other.calm)
        await self._weigh(told)
        if not self.noticed:
            self.trouble = await self._why_none(same)
            self._only_raising = not self.trouble and await self._misses_only_errors()
        elif self._candidate.text != self._problem.text:
            together = bool(told) or await self._leave_out()
            if not self.unneeded:
                await self._leave_out_one_by_one(together=together)

    def _take(self, stood: Stood, asked: Iterable[str]) -> None:
        self.noticed |= stood.red.intersection(asked)

    def _chosen_of(self, ids: Iterable[str]) -> list[KnownTest]:
        return [test for test in self._tests if test.id in ids]

    async def _weigh(self, told: frozenset[str]) -> None:
        """Find out on how little of a result those tests depend that noticed another one."""
        tests = self._chosen_of(self.noticed & self._by_result)
        if not tests:
            return
        alone = self.noticed <= self._by_result
        found = await weighed(self._versions, tests, self._problem.target.qualname, alone=alone)
        self.remarks += [Finding(message=each) for each in found.remarks]
        self.noticed -= found.vacuous - told
        self.idle |= found.vacuous - told

    async def _misses_only_errors(self) -> bool:
        """True if the tests that depend on no result would notice an exception, and not even that nothing is given."""
        ids = self.idle - self._gave_nothing.red
        if not ids or ids != self.idle:
            return False
        return bool((await self._versions.of(RAISES, self._chosen_of(ids))).red)

    def _told_apart_before(self) -> frozenset[str]:
        """The tests that were red by what they assert on the text as it was, which is a wrong version as well.

        One that was red by an exception may look at nothing, and a hole does not do anything yet.
        """
        if self._problem.target.is_hole:
            return frozenset()
        return frozenset(test.id for test in self._tests if test.ruling is Ruling.FAILED and _asserted(test.message))

    async def _ask_again(self, rest: frozenset[str], *, calm: frozenset[str]) -> None:
        """Ask the tests that have not noticed anything about other versions; with the first so many were `calm`."""
        if not rest:
            return
        one, other, nothing = await self._ask((NEIGHBOURS[1], rest), (NEIGHBOURS[2], rest), (NOTHING, rest))
        self._take(one, rest)
        self._take(other, rest)
        self._by_result |= one.red | other.red
        self._gave_nothing = nothing
        left = rest - self.noticed
        # Where a test does not miss what is given, it shows whether it misses what is done; else that is done to
        # copies, for without any result it would be red for another reason.
        unlike = await self._ask((SKIPPED, left - nothing.red), (COPIES, left & nothing.red))
        for stood in unlike:
            self._take(stood, left)
        ended = frozenset().union(*(stood.calm for stood in unlike))
        self.idle = set(left & calm & one.calm & other.calm & ended) - self.noticed

    async def _ask(self, *questions: tuple[Wrong, frozenset[str]]) -> list[Stood]:
        async def asked(wrong: Wrong, ids: frozenset[str]) -> Stood:
            tests = self._chosen_of(ids)
            return await self._versions.of(wrong, tests) if tests else Stood()

        return list((await gather_until([partial(asked, *each) for each in questions], lambda _: False)).values())

    async def _why_none(self, same: Stood) -> str:
        """Why it cannot be said that no test depends on the target, or nothing when it can."""
        open_ones = [test.id for test in self._tests if test.id not in self.idle | self.leaning]
        if open_ones:
            return f"{open_ones[0]} could not be tried on wrong versions: {same.trouble or 'it did not end'}"
        if not self.leaning:
            return ""
        # Red in another order is one thing; but it may be red with anything in the place of the target.
        again = (await self._versions.of(SAME, self._tests)).red & self.leaning
        if not again:
            return ""
        return f"{min(again)} cannot be tried on wrong versions: it fails with the target in a wrapper"

    async def _leave_out(self) -> bool:
        """Find out whether the tests need the changed lines; where one of them is red without, they do.

        False if they do not, and where nothing can be left out.
        """
        left = without_changes(self._problem, self._candidate)
        if left is None:
            return False
        tests = self._chosen_of(self.noticed)
        versions = self._versions
        if self._candidate.elsewhere:
            # What they bring to other files is left out by showing these as they are.
            versions = Versions(
                ground=_bare(versions.ground), text=versions.text, line=versions.line, paths=versions.paths
            )
        stood = await versions.without(left.text, tests)
        if not stood.red and stood.green >= self.noticed:
            self.unneeded = f"no test depends on {left.described}"
        return not self.unneeded

    async def _leave_out_one_by_one(self, *, together: bool) -> None:
        """Name the changes that no test notices; that all are noticed `together` is known."""
        changes = one_by_one(self._problem, self._candidate)
        if together and len(changes) < 2:
            return
        tests = self._chosen_of(self.noticed)
        self.remarks += await unnoticed(self._versions, changes, tests, seconds=MAX_SECONDS, together=together)

    @property
    def dependence(self) -> Dependence:
        """What was found out, in numbers and names."""
        name = self._problem.target.qualname
        reason = self.unneeded
        if not self.noticed:
            reason = f"no test depends on what {name} returns"
            if self._only_raising:
                reason += "; the tests notice only that it does not raise"
        return Dependence(noticed=len(self.noticed), idle=tuple(test.id for test in self._without()), reason=reason)

    def _without(self) -> list[KnownTest]:
        """The tests that are no evidence; examples that prepare others are not named where one of these is."""
        named = any(test.is_doctest for test in self._tests if test.id in self.noticed)
        return [test for test in self._tests if test.id in self.idle | self.leaning and not (named and test.is_doctest)]

    @property
    def findings(self) -> list[Finding]:
        """What the user should read: tests that are no evidence, and changed lines that none needs."""
        name = self._problem.target.qualname
        said = [self.unneeded] if self.unneeded else []
        said += [
            f"{test.id} {LEANS}" if test.id in self.leaning else f"{test.id} does not depend on what {name} returns"
            for test in self._without()
        ]
        return [*self.remarks, *(Finding(message=each) for each in said)]


def _bare(ground: Harness) -> Harness:
    return replace(ground, changed=())


def _asserted(message: str) -> bool:
    """Whether a red test says that an assertion failed, and not that something was raised."""
    if message.startswith("doctest") or " raised " in message or was_cut_short(message):
        return False
    return bool(_ASSERTED.match(message)) or _RAISED.match(message) is None


def _chosen(known: Sequence[KnownTest]) -> list[KnownTest]:
    """The tests that are tried: those that were red first, and of the others as many as there is time for."""
    chosen: list[KnownTest] = []
    seconds = 0.0
    for test in sorted(known, key=lambda test: test.ruling is Ruling.PASSED):
        seconds += test.seconds
        if len(chosen) < MAX_TESTS and (seconds <= MAX_SECONDS or not chosen):
            chosen.append(test)
    return chosen
