"""Judging whether what a candidate passed was earned: by tests in another process, and by assertions that must fail.

Whatever runs in one process with the tests can say that they passed. So a candidate that passed everything has to pass
once more from a process of its own, and must not pass where every assertion is broken on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from certo.concurrency import side_by_side
from certo.sandbox.executor import Apart, Ending
from certo.verification.dynamic.harness import Harness, Selection, work_of
from certo.verification.dynamic.harness_source import HarnessSource
from certo.verification.dynamic.oracle_leaks import oracle_files
from certo.verification.dynamic.rerun import bounded
from certo.verification.dynamic.results import CaseResult, RunResults
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.errors import SandboxUnavailable
from certo.vocabulary.problem import KnownTest, Problem
from certo.vocabulary.verdict import APART, TOGETHER, Finding, Ruling, Verdict

SHARED = "the candidate's own file holds the test"
_FOREIGN = "it handles objects that stay in the candidate's process"


@dataclass(slots=True)
class VariantRun:
    """How tests stood: `told` by id, `uncollected` by file with the reason and whether that is an excuse.

    `cut_short` says how a run ended that did not come to its own end.
    """

    told: dict[str, CaseResult] = field(default_factory=dict)
    uncollected: dict[str, tuple[str, bool]] = field(default_factory=dict)
    ended: dict[str, str] = field(default_factory=dict)
    cut_short: str = ""

    def passed(self, test: KnownTest) -> bool:
        """Whether a test was green."""
        told = self.told.get(test.id)
        return told is not None and told.ruling is Ruling.PASSED

    def is_lost(self, test: KnownTest) -> bool:
        """Whether a test was not there, in a file that was read and in a run that came to its own end."""
        return not (
            test.id in self.told or test.id in self.ended or _file_of(test) in self.uncollected or self.cut_short
        )

    def sites(self, test: KnownTest) -> int:
        """How many of its broken assertions a test executed."""
        told = self.told.get(test.id)
        return 0 if told is None else told.sites

    def own(self, test: KnownTest) -> str:
        """Which operator of the candidate's decided a test, if one did."""
        told = self.told.get(test.id)
        return "" if told is None else told.own

    def lie(self, test: KnownTest) -> str:
        """In what an operator of the candidate's was found to lie, if one was."""
        told = self.told.get(test.id)
        return "" if told is None else told.lie

    def excuse(self, test: KnownTest) -> str:
        """Why a test that was not green may be none the worse for it, or nothing."""
        told = self.told.get(test.id)
        if told is not None:
            return told.carried or (_FOREIGN if told.foreign else "")
        said, excused = self.uncollected.get(_file_of(test), ("", False))
        return said if excused else ""

    def trouble(self, test: KnownTest) -> str:
        """What a test that was not green said, or what became of it."""
        told = self.told.get(test.id)
        if told is not None:
            return told.message or "it failed"
        if test.id not in self.ended and self.cut_short:
            return self.cut_short
        return self.ended.get(test.id) or self.uncollected.get(_file_of(test), ("it did not run", False))[0]


async def run_variant(
    ground: Harness, text: str, tests: Iterable[KnownTest], *, apart: bool, broken: bool
) -> VariantRun:
    """Run tests on `text`: `apart` from it or together with it, their assertions `broken` on purpose or as they are.

    Raises:
        BrokenWorld: nothing can be run at all.
    """
    trial = VariantRun()
    listed = tuple(tests)
    for program, doctest in (("suite", False), ("doctest_run", True)):
        chosen = tuple(test for test in listed if test.is_doctest is doctest)
        if chosen:
            await _run(ground, text, program, chosen, trial, apart=apart, broken=broken)
    return trial


async def _run(
    ground: Harness,
    text: str,
    program: str,
    tests: tuple[KnownTest, ...],
    trial: VariantRun,
    *,
    apart: bool,
    broken: bool,
) -> None:
    files = tuple(dict.fromkeys(_file_of(test) for test in tests))
    selection = Selection(paths=files, ids=tuple(test.id for test in tests))
    work = work_of(program, ground, text, selection, seconds=ground.options.total_seconds)
    hidden = oracle_files(ground.root, ground.path, files) if program == "suite" else ()
    hearing = RunResults()
    finished = await ground.executor.run(
        replace(
            work,
            request={**work.request, "canary": broken},
            apart=Apart(files=(ground.path,), hidden=hidden) if apart else None,
        ),
        hearing,
    )
    trial.told.update(hearing.tests)
    for path, said in hearing.uncollected.items():
        trial.uncollected[path] = (hearing.excuses.get(path) or said, path in hearing.excuses)
    if hearing.running is not None:
        trial.ended[hearing.running] = hearing.how_it_was_killed(finished)
    if finished.ending is not Ending.EXITED:
        trial.cut_short = f"the run {finished.ending.value}"


def _file_of(test: KnownTest) -> str:
    return test.id.partition("::")[0]


_SHARES = "passes only when the candidate shares a process with the tests"
_EQUALS_ANYTHING = "forged: what the candidate gives equals anything"
_NOT_RUN = "with the candidate no assertion of it is executed"
_SEVERAL = "the candidate changes several files"
_FAILS_SO_TOO = "it does not pass in another process with the text as it was either"
_UNNAMED = "it is not found under its name in another process with the text as it was either"


class ForgeryVerifier:
    """Passes a candidate that needs no hand on the tests; how much that was put to the test is its `assurance`."""

    def __init__(self, grounds: HarnessSource) -> None:
        self._grounds = grounds

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return "forgery"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge one candidate for one problem.

        Raises:
            BrokenWorld: nothing can be run at all.
        """
        ground = await self._grounds.of(problem)
        known = tuple(test for test in problem.baseline.tests if test.ruling is not Ruling.UNDECIDED)
        inquiry = _ForgeryCheck(ground, candidate)
        await inquiry.hold(known)
        ruling = Ruling.FAILED if inquiry.forged else Ruling.UNDECIDED if inquiry.open else Ruling.PASSED
        findings = inquiry.forged or inquiry.open or inquiry.vacuous
        assurance = inquiry.assurance if ruling is Ruling.PASSED and known else ""
        return Verdict(
            verifier=self.name,
            ruling=ruling,
            findings=bounded(findings),
            assurance=assurance,
            cheated=inquiry.cheated,
        )


class _ForgeryCheck:
    """What is found out of one candidate: `forged` fails it, `open` leaves it undecided, `vacuous` is for the user.

    `cheated` says that it was seen how it lied.
    """

    def __init__(self, ground: Harness, candidate: Candidate) -> None:
        self._ground = ground
        self._theirs = ground.under(candidate)
        self._text = candidate.text
        self.forged: list[Finding] = []
        self.open: list[Finding] = []
        self.vacuous: list[Finding] = []
        self.excuses: dict[str, str] = {}
        self.cheated = False
        self._held = 0
        self._bare: list[KnownTest] = []

    async def hold(self, known: Sequence[KnownTest]) -> None:
        """Run everything there is to run."""
        self._held = len(known)
        shared = [test for test in known if not test.is_doctest and test.id.partition("::")[0] == self._ground.path]
        self.excuses.update((test.id, SHARED) for test in shared)
        # Only the one file can be held in a process of its own, and what comes of the others stays with the tests.
        self.excuses.update((test.id, _SEVERAL) for test in known if self._theirs.changed)
        separate = [test for test in known if test.id not in self.excuses]
        try:
            plain, broken = await self._both(separate)
        except SandboxUnavailable as error:
            # Where no run can be split it still can be tried in one; if none can be run at all, that says so again.
            self.excuses.update((test.id, str(error)) for test in separate)
            plain, broken, separate = VariantRun(), VariantRun(), []
        await self._weigh(separate, plain)
        own = [test for test in separate if plain.own(test)]
        if own and not self.forged:
            # Such a test shows nothing; that it passes with its assertions broken shows that the operator lies.
            await self._doubt(own, broken, apart=True)
            again = await run_variant(self._theirs, self._text, own, apart=False, broken=True)
            await self._doubt(own, again, apart=False)
        if self.forged or self.open:
            return
        await self._doubt([test for test in separate if test.id not in self.excuses], broken, apart=True)
        together = [test for test in known if test.id in self.excuses]
        if together:
            again = await run_variant(self._theirs, self._text, together, apart=False, broken=True)
            await self._doubt(together, again, apart=False)
        await self._doubt_all(known)

    async def _doubt_all(self, known: Sequence[KnownTest]) -> None:
        """Leave open a candidate for which no assertion is executed, where some are for the text as it was."""
        if self._bare and len(self._bare) == len(known):
            before = await run_variant(self._ground, self._ground.base, self._bare, apart=True, broken=True)
            self.open += [
                Finding(message=f"{test.id} passes, but {_NOT_RUN}") for test in self._bare if before.sites(test)
            ]

    async def _both(self, tests: Sequence[KnownTest]) -> tuple[VariantRun, VariantRun]:
        """Run tests apart, as they are and with broken assertions, at once."""
        trials = {}

        async def run(*, broken: bool) -> None:
            trials[broken] = await run_variant(self._theirs, self._text, tests, apart=True, broken=broken)

        async with side_by_side() as group:
            group.start_soon(partial(run, broken=False))
            group.start_soon(partial(run, broken=True))
        return trials[False], trials[True]

    async def _weigh(self, tests: Sequence[KnownTest], plain: VariantRun) -> None:
        """Object to tests that are red apart without an excuse; one that is so without the candidate has one."""
        # What the candidate decided itself shows nothing, and may be as honest as it may be forged.
        self.open += [Finding(message=f"{test.id} is decided by {own}") for test in tests if (own := plain.own(test))]
        red = [test for test in tests if not plain.passed(test) and not plain.own(test)]
        self.excuses.update((test.id, excuse) for test in red if (excuse := plain.excuse(test)))
        unexplained = [test for test in red if test.id not in self.excuses]
        green = [test for test in unexplained if test.ruling is Ruling.PASSED]
        lost = [test for test in unexplained if test not in green and plain.is_lost(test)]
        if green or lost:
            before = await run_variant(self._ground, self._ground.base, green + lost, apart=True, broken=False)
            self.excuses.update((test.id, _FAILS_SO_TOO) for test in green if not before.passed(test))
            self.excuses.update((test.id, _UNNAMED) for test in lost if before.is_lost(test))
        for test in (each for each in unexplained if each.id not in self.excuses):
            lie = plain.lie(test)
            self.cheated = self.cheated or bool(lie)
            said = f"forged: {lie}" if lie else plain.trouble(test)
            if test.id not in plain.told and plain.cut_short:
                # Two processes take longer and use more than one, which is no sign of forgery.
                self.open.append(Finding(message=f"{test.id} could not be tried apart: {said}"))
            else:
                self.forged.append(Finding(message=f"{test.id} {_SHARES}: {said}"))

    async def _doubt(self, tests: Sequence[KnownTest], broken: VariantRun, *, apart: bool) -> None:
        """Object to tests that are green though their assertions are broken, unless they are so in any case."""
        self.open += [
            Finding(message=f"{test.id} could not be tried with broken assertions: {broken.trouble(test)}")
            for test in tests
            if test.id not in broken.told
        ]
        green = [test for test in tests if broken.passed(test)]
        # Where the candidate shares the tests' process, that they met no broken assertion is only what it says itself.
        suspect = [test for test in green if broken.sites(test) or not apart]
        before = VariantRun()
        if suspect:
            before = await run_variant(self._ground, self._ground.base, suspect, apart=apart, broken=True)
        for test in green:
            if test in suspect and not before.passed(test):
                said = _EQUALS_ANYTHING if broken.sites(test) else _NOT_RUN
                self.cheated = self.cheated or said is _EQUALS_ANYTHING
                self.forged.append(Finding(message=f"{test.id} passes with its assertions broken on purpose: {said}"))
            elif not test.is_doctest:
                self._bare += [test] if apart and not broken.sites(test) else []
                self.vacuous.append(Finding(message=f"{test.id} asserts nothing that could fail"))

    @property
    def assurance(self) -> str:
        """What the candidate was put to, in words."""
        if not self.excuses:
            return APART
        why = next(iter(self.excuses.values()))
        if len(self.excuses) == self._held:
            return f"{TOGETHER}: {why}"
        return f"{APART}; {TOGETHER} for {len(self.excuses)} of {self._held} tests: {why}"
