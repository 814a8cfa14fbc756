"""The forgery verifier: it finds out whether a candidate really passed its tests, or only made them pass.

Code in the process of the tests can make them report a pass. So a candidate that passed everything is run again in two
ways. First, tests and candidate run in two processes ("apart"), connected only by remote calls, and the tests have to
pass. Second, every assertion of the tests is broken on purpose (the "canary"), and the tests have to fail.

Some tests cannot run apart, for example if they hand their own objects to the candidate. They have an excuse, and run
with broken assertions in the candidate's process; of many tests, a few find that out for all. The verdict's `assurance`
says what each candidate was put to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from certo.concurrency import side_by_side
from certo.verification.dynamic.flaky import FlakinessCheck
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.harness_source import HarnessSource, LeftOutTests
from certo.verification.dynamic.mutants import without_target
from certo.verification.dynamic.rerun import bounded
from certo.verification.dynamic.variant_run import VariantRun, run_variant
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.errors import SandboxUnavailable
from certo.vocabulary.problem import KnownTest, Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import APART, TOGETHER, Finding, Ruling, Verdict

SHARED = "the candidate's own file holds the test"


_SHARES = "passes only if the candidate shares a process with the tests"
_EQUALS_ANYTHING = "forged: what the candidate returns equals anything"
_NOT_RUN = "with the candidate no assertion of it is executed"
NEXT_TIME = "this may differ next time"
"""Said of an excuse that is due to time, or to the machine."""
_SEVERAL = "the candidate changes several files"
_FAILS_SO_TOO = "it does not pass in another process with the text as it was either"
_UNREAD = "its file cannot be collected in another process with the text as it was either"
_UNNAMED = "it is not found under its name in another process with the text as it was either"

_MANY_TESTS = 24
"""The number of tests from which on a few are run apart first: each call between the processes takes its time."""
_FEW_TESTS = 8
"""The number of tests that are run apart first."""
_FEW_NEW = 2
"""The number of those among them that failed before."""


class ForgeryVerifier:
    """Passes a candidate that passes its tests without tampering; its `assurance` says how far that was checked."""

    def __init__(self, harnesses: HarnessSource) -> None:
        self._harnesses = harnesses

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return "forgery"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge one candidate for one problem.

        Raises:
            BrokenWorld: Nothing can be run at all.
        """
        harness = await self._harnesses.of(problem)
        known = tuple(test for test in problem.baseline.tests if test.ruling is not Ruling.UNDECIDED)
        check = _ForgeryCheck(harness, candidate)
        await check.run(known)
        ruling = Ruling.FAILED if check.forged else Ruling.UNDECIDED if check.open else Ruling.PASSED
        findings = check.forged or check.open or check.vacuous
        assurance = check.assurance if ruling is Ruling.PASSED and known else ""
        return Verdict(
            verifier=self.name,
            ruling=ruling,
            findings=bounded(findings),
            assurance=assurance,
            cheated=check.cheated,
        )


class _ForgeryCheck:
    """Runs the tests of one candidate apart and with broken assertions, and collects findings.

    The findings in `forged` fail the candidate, those in `open` leave it undecided, and `vacuous` ones inform the user.
    `excuses` say why tests could not be run apart. `cheated` is set if the candidate was seen to lie.
    """

    def __init__(self, harness: Harness, candidate: Candidate) -> None:
        self._harness = harness
        self._theirs = harness.with_files_of(candidate)
        self._text = candidate.text
        self.forged: list[Finding] = []
        self.open: list[Finding] = []
        self.vacuous: list[Finding] = []
        self.excuses: dict[str, str] = {}
        self.cheated = False
        self._hurry = ""
        self._held = 0
        self._bare: list[KnownTest] = []

    async def run(self, known: Sequence[KnownTest]) -> None:
        """Run the tests in all variants that their results call for."""
        self._held = len(known)
        shared = [test for test in known if not test.is_doctest and test.id.partition("::")[0] == self._harness.path]
        self.excuses.update((test.id, SHARED) for test in shared)
        # Only the document itself can run in another process; objects from other changed files stay with the tests.
        self.excuses.update((test.id, _SEVERAL) for test in known if self._theirs.changed)
        separate = [test for test in known if test.id not in self.excuses]
        try:
            separate, plain, broken = await self._apart(separate)
        except SandboxUnavailable as error:
            # The tests can still run with broken assertions in one process, which raises if nothing can be run at all.
            self.excuses.update((test.id, str(error)) for test in separate)
            self._hurry = str(error)
            plain, broken, separate = VariantRun(), VariantRun(), []
        await self._weigh(separate, plain)
        decided = [test for test in separate if plain.deciding_operator(test)]
        if decided and not self.forged:
            # A test decided by the candidate's own operator shows nothing. If it also passes with broken assertions,
            # the operator lies.
            await self._doubt(decided, broken, apart=True)
            again = await run_variant(self._theirs, self._text, decided, apart=False, broken=True)
            await self._doubt(decided, again, apart=False)
        if self.forged or self.open:
            return
        await self._doubt([test for test in separate if test.id not in self.excuses], broken, apart=True)
        together = [test for test in known if test.id in self.excuses]
        if together:
            again = await run_variant(self._theirs, self._text, together, apart=False, broken=True)
            await self._doubt(together, again, apart=False)
        await self._doubt_all(known)

    async def _doubt_all(self, known: Sequence[KnownTest]) -> None:
        """Leave a candidate undecided if no assertion is executed with it, but some are with the original text."""
        if self._bare and len(self._bare) == len(known):
            before = await run_variant(self._harness, self._harness.base, self._bare, apart=True, broken=True)
            self.open += [
                Finding(message=f"{test.id} passes, but {_NOT_RUN}") for test in self._bare if before.sites(test)
            ]

    async def _apart(self, tests: Sequence[KnownTest]) -> tuple[list[KnownTest], VariantRun, VariantRun]:
        """Run tests apart, and return those that ran: of many a few at first, and no others if none of these can be.

        A project whose tests hand their own objects to its functions does so in all tests, as a rule. If one of the few
        can run apart, all are judged together: what is hidden from a candidate depends on all of its tests.
        """
        if len(tests) >= _MANY_TESTS:
            few = _some(tests)
            plain = await run_variant(self._theirs, self._text, few, apart=True, broken=False)
            excuses = {test.id: plain.excuse(test) for test in few if not plain.passed(test)}
            is_decided = any(map(plain.deciding_operator, few))
            if len(excuses) == len(few) and all(excuses.values()) and not is_decided and not plain.hurry:
                self.excuses.update(excuses)
                said = f"as in the tests that were tried, {excuses[few[0].id]}"
                self.excuses.update((test.id, said) for test in tests if test.id not in excuses)
                return few, plain, VariantRun()
        return [*tests], *await self._both(tests)

    async def _both(self, tests: Sequence[KnownTest]) -> tuple[VariantRun, VariantRun]:
        """Run tests apart twice at once: with their assertions as they are, and broken."""
        trials = {}

        async def run(*, broken: bool) -> None:
            trials[broken] = await run_variant(self._theirs, self._text, tests, apart=True, broken=broken)

        async with side_by_side() as group:
            group.start_soon(partial(run, broken=False))
            group.start_soon(partial(run, broken=True))
        return trials[False], trials[True]

    async def _weigh(self, tests: Sequence[KnownTest], plain: VariantRun) -> None:
        """Object to tests that fail apart without an excuse; failing apart on the original text too is an excuse."""
        self._hurry = self._hurry or plain.hurry
        # A result decided by the candidate's own operator may be honest or forged.
        deciding = {test.id: operator for test in tests if (operator := plain.deciding_operator(test))}
        self.open += [Finding(message=f"{name} is decided by {operator}") for name, operator in deciding.items()]
        # A test that passes because the candidate changed its expectation shows nothing about the candidate.
        swayed = {test.id: said for test in tests if plain.passed(test) and (said := plain.influence(test))}
        self.excuses.update(swayed)
        red = [test for test in tests if not plain.passed(test) and test.id not in deciding]
        self.excuses.update((test.id, excuse) for test in red if (excuse := plain.excuse(test)))
        unexplained = [test for test in red if test.id not in self.excuses]
        green = [test for test in unexplained if test.ruling is Ruling.PASSED]
        others = [test for test in unexplained if test.ruling is not Ruling.PASSED]
        lost = [test for test in others if plain.is_lost(test)]
        unread = [test for test in others if plain.is_uncollected(test)]
        if asked := green + lost + unread:
            before = await run_variant(self._harness, self._harness.base, asked, apart=True, broken=False)
            self._hurry = self._hurry or before.hurry
            self.excuses.update((test.id, _FAILS_SO_TOO) for test in green if not before.passed(test))
            self.excuses.update((test.id, _UNNAMED) for test in lost if before.is_lost(test))
            self.excuses.update((test.id, _UNREAD) for test in unread if plain.is_uncollected_like(before, test))
        for test in (each for each in unexplained if each.id not in self.excuses):
            lie = plain.lie(test)
            self.cheated = self.cheated or bool(lie)
            said = f"forged: {lie}" if lie else plain.trouble(test)
            if test.id not in plain.cases and plain.cut_short:
                # Two processes take more time and memory than one, so running out of them is no sign of forgery.
                self.open.append(Finding(message=f"{test.id} could not be tried apart: {said}"))
            else:
                self.forged.append(Finding(message=f"{test.id} {_SHARES}: {said}"))

    async def _doubt(self, tests: Sequence[KnownTest], broken: VariantRun, *, apart: bool) -> None:
        """Object to tests that pass with broken assertions, unless they do so with the original text too."""
        self.open += [
            Finding(message=f"{test.id} could not be tried with broken assertions: {broken.trouble(test)}")
            for test in tests
            if test.id not in broken.cases
        ]
        green, bare = list(filter(broken.passed, tests)), list(filter(broken.is_bare, tests))
        # In one process with the tests, the candidate itself could have hidden that a broken assertion was executed.
        suspect = [test for test in green if broken.sites(test) or not apart] + ([] if apart else bare)
        before = VariantRun()
        if suspect:
            before = await run_variant(self._harness, self._harness.base, suspect, apart=apart, broken=True)
        doubted = {test.id for test in suspect if not (before.passed(test) or before.is_bare(test))}
        for test in green + bare:
            if test.id in doubted and (before.sites(test) or not broken.is_bare(test)):
                said = _EQUALS_ANYTHING if broken.sites(test) else _NOT_RUN
                self.cheated |= said is _EQUALS_ANYTHING
                self.forged.append(Finding(message=f"{test.id} passes with its assertions broken on purpose: {said}"))
            elif not test.is_doctest:
                self._bare += [test] if apart and not broken.sites(test) else []
                self.vacuous.append(Finding(message=f"{test.id} asserts nothing that could fail"))

    @property
    def assurance(self) -> str:
        """The checks that the candidate was put to, in words."""
        if not self.excuses:
            return APART
        why = f"{self._hurry} ({NEXT_TIME})" if self._hurry else next(iter(self.excuses.values()))
        if len(self.excuses) == self._held:
            return f"{TOGETHER}: {why}"
        return f"{APART}; {TOGETHER} for {len(self.excuses)} of {self._held} tests: {why}"


def _some(tests: Sequence[KnownTest]) -> list[KnownTest]:
    """Return a few of many tests: some that failed before, and others from everywhere in the list."""
    new = [test for test in tests if test.ruling is Ruling.FAILED][:_FEW_NEW]
    others = [test for test in tests if test not in new]
    wanted = min(_FEW_TESTS - len(new), len(others))
    return [*new, *(others[place * len(others) // wanted] for place in range(wanted))]


_EARLIER = " with the text as it was either"


class StandingForgeryVerifier:
    """Passes a text that passes its tests without tampering, compared with one whose target gives nothing.

    No earlier text says how its tests behave apart or with broken assertions. A test that passes with broken assertions
    asserts nothing if it does so with that text as well; if not, the result of the target made it pass.
    """

    def __init__(self, harnesses: HarnessSource) -> None:
        self._verifier = ForgeryVerifier(_WithoutTarget(harnesses))

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return self._verifier.name

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge the text of a problem, given as a candidate that changes nothing.

        Raises:
            BrokenWorld: nothing can be run at all.
        """
        verdict = await self._verifier.judge(candidate, problem)
        # There is no earlier text, so that a test does not pass apart is all that is known.
        return replace(verdict, assurance=verdict.assurance.removesuffix(_EARLIER))


@dataclass(frozen=True, slots=True)
class _WithoutTarget:
    """Gives each problem its harness, with a target that gives nothing in the text to compare with."""

    harnesses: HarnessSource

    @property
    def flakiness(self) -> FlakinessCheck:
        """The check for failing tests that are flaky."""
        return self.harnesses.flakiness

    async def of(self, problem: Problem, /) -> Harness:
        """Return the harness of `problem`."""
        return replace(await self.harnesses.of(problem), base=without_target(problem))

    async def confirming(self, problem: Problem, /) -> Harness:
        """Return the harness of the confirming run of `problem`."""
        return await self.harnesses.confirming(problem)

    async def left_out(self, problem: Problem, /) -> LeftOutTests:
        """Return the left-out tests that a candidate has to pass."""
        return await self.harnesses.left_out(problem)
