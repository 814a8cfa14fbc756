"""The runs that a baseline is made of: with the files that the tests need, and under the strictest policy they need.

Tests run under the strictest policy first. If a test looks refused, it alone runs again under weaker ones. A weaker
policy is chosen only if a test that executes the target gets further with it, because candidates have the same
permissions as the tests that judge them, and because prepared processes exist under the strictest policy only.
"""

from __future__ import annotations

from dataclasses import replace

from certo.sandbox.confinement.secrets import hidden_in
from certo.sandbox.executor import Finished, Policy
from certo.verification.dynamic.harness import Harness, Selection, run_past_killed, run_program
from certo.verification.dynamic.needed_secrets import beside, missed
from certo.verification.dynamic.permissions import green, looks_refused, why
from certo.verification.dynamic.results import CaseResult, RunResults, is_whole, without_addresses
from certo.verification.dynamic.warm_pool import files_of
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Ruling

_MAX_RUNS_WITH_MORE_FILES = 3
"""The number of further runs in which tests see more of the files that were hidden from them."""


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """The results of the tests that may reach the target, and the conditions under which they have them.

    `needs` says in words why the harness has a weaker policy than the strictest; it is empty for the strictest.
    """

    harness: Harness
    results: RunResults
    finished: Finished
    needs: str = ""

    @property
    def progress(self) -> tuple[int, int, int]:
        """A key that grows with progress: tests passed, tests run, and refusals, counted negatively."""
        return len(green(self.results)), len(self.results.tests), -len(self.refused) - self._is_refused_as_a_whole

    @property
    def refused(self) -> tuple[str, ...]:
        """The ids of failing tests whose message reads like a call that the sandbox refused."""
        failing = (case for case in self.results.tests.values() if case.ruling is not Ruling.PASSED)
        return tuple(case.id for case in failing if looks_refused(case.message))

    @property
    def _is_refused_as_a_whole(self) -> bool:
        """True if a test file could not be collected, or pytest could not run, for what reads like a refusal."""
        said = list(self.results.uncollected.values())
        # If pytest itself did not get through, only the printed text says why.
        said += [] if self.results.suite_status in (None, 0, 1) and self.finished.complete else [self.finished.printed]
        return any(map(looks_refused, said))

    async def under_weaker_policies(self, paths: tuple[str, ...] | None, *, narrowed: bool) -> SuiteRun:
        """Return this run, or one under a weaker policy if tests of the target get further with it."""
        best, settled = self, frozenset[str]()
        for policy in self.harness.executor.policies[1:]:
            if best._is_refused_as_a_whole:
                again = await _run_all(replace(self.harness, policy=policy), paths, narrowed=narrowed)
                needs = why(policy, green(again.results) - green(self.results))
                best = max(best, replace(again, needs=needs), key=lambda run: run.progress)
            elif ids := tuple(name for name in best.refused if name not in settled):
                best, passed = await best._with_refused_tests_under(policy, ids, first=self)
                settled |= passed
        return best

    async def _with_refused_tests_under(
        self, policy: Policy, ids: tuple[str, ...], *, first: SuiteRun
    ) -> tuple[SuiteRun, frozenset[str]]:
        """Run refused tests alone under `policy`, and return those that pass; `first` is the strictest run."""
        again = await _run_all(replace(self.harness, policy=policy), files_of(ids), ids)
        found = {name: case for name in ids if (case := again.results.tests.get(name))}
        passed = frozenset(name for name, case in found.items() if case.ruling is Ruling.PASSED)
        gained = {name: case for name, case in found.items() if self._is_gained(case)}
        if not gained:
            return self, passed
        results = replace(self.results, tests={**self.results.tests, **gained})
        needs = why(policy, green(results) - green(first.results))
        return SuiteRun(again.harness, results, self.finished, needs), passed

    def _is_gained(self, case: CaseResult) -> bool:
        """True if a test that was refused is no longer, and judges candidates, which takes that it runs the target."""
        judges = case.reached or (self.harness.whole_suite and case.ruling is Ruling.PASSED)
        return judges and (case.ruling is Ruling.PASSED or not looks_refused(case.message))


async def run_with_needed_files(
    harness: Harness, paths: tuple[str, ...] | None, *, after: SuiteRun | None = None
) -> SuiteRun:
    """Run the tests without the hidden files, then with those they seem to miss, and keep these if results change.

    This takes several runs: tests that open one file after another miss the next one only once the first is there.
    A search for tests is narrowed to those that lead to the target by names; `after` such a run, all that may reach it
    have their turn, and those that have results keep them.

    Raises:
        BrokenWorld: nothing can be run at all.
    """
    narrowed = after is None
    kept = None if after is None or after.harness != harness or not _can_go_on(after) else after.results
    best = last = await _run_under_strictest(harness, paths, narrowed=narrowed, kept=kept)
    if kept is not None and after is not None and bool(last.finished.cold) is not bool(after.finished.cold):
        # Half of it ran in a prepared process, which could not be started again. What a fresh one would say is unknown.
        best = last = await _run_under_strictest(harness, paths, narrowed=narrowed)
    for again in range(_MAX_RUNS_WITH_MORE_FILES):
        secrets = missed(harness.root, hidden_in(harness.root, harness.shown), last.results)
        ignored = missed(harness.root, harness.hidden, last.results)
        if not secrets and not ignored:
            break
        ignored += beside(ignored, harness.hidden) if again else ()
        hidden = tuple(path for path in harness.hidden if path not in ignored)
        harness = replace(harness, shown=(*harness.shown, *secrets), hidden=hidden)
        last = await _run_under_strictest(harness, paths, narrowed=narrowed)
        if _fails_differently(last, best):
            best = last
    return best


def _fails_differently(now: SuiteRun, before: SuiteRun) -> bool:
    """True if the tests got further than before, or as far with other failure messages.

    A test that fails because of the target does not pass for having a file, but its message may show that it read one.
    Candidates are then judged with that file as well.
    """
    if now.progress != before.progress:
        return now.progress > before.progress
    return failures(now.results) != failures(before.results)


def failures(results: RunResults) -> dict[str, tuple[bool, str]]:
    """Return, for each test that does not pass, whether it reached the target, and its message without addresses."""
    return {
        case.id: (case.reached, without_addresses(case.message))
        for case in results.tests.values()
        if case.ruling is not Ruling.PASSED
    }


def _can_go_on(run: SuiteRun) -> bool:
    """True if each test of a run ended by itself, and all is recorded, so that only other files need to run."""
    results = run.results
    is_recorded = results.executed.complete or not run.harness.recorded
    return is_whole(results, run.finished) and is_recorded and not results.uncollected and not results.early


async def _run_under_strictest(
    harness: Harness, paths: tuple[str, ...] | None, *, narrowed: bool, kept: RunResults | None = None
) -> SuiteRun:
    """Run the tests under the strictest policy that those of the target need."""
    strictest = replace(harness, policy=harness.executor.policies[0])
    run = await _run_all(strictest, paths, narrowed=narrowed, kept=kept)
    return await run.under_weaker_policies(paths, narrowed=narrowed)


async def _run_all(
    harness: Harness,
    paths: tuple[str, ...] | None,
    ids: tuple[str, ...] | None = None,
    *,
    narrowed: bool = True,
    kept: RunResults | None = None,
) -> SuiteRun:
    """Run until every test has a result; those that have one in `kept` do not run again."""
    results = kept or RunResults(tests=dict(harness.known))
    if kept is not None:
        kept.continue_in_new_run()
    selection = Selection(paths=paths, ids=ids, skip=tuple(harness.unreached), narrowed=narrowed)
    seconds = harness.options.total_seconds
    finished = await run_past_killed("baseline", harness, harness.base, selection, results, seconds=seconds)
    return SuiteRun(harness, results, finished)


async def ends_so_when_fresh(run: SuiteRun, harness: Harness) -> bool:
    """True if a run in a prepared process ended well, and other failures than the target's come in a fresh one too."""
    results = run.results
    return _ended_well(run) and await _unread_when_fresh(harness, results) and await _fail_when_fresh(harness, results)


def _ended_well(run: SuiteRun) -> bool:
    """True if a run in a prepared process ended as one in a fresh process does.

    If the process has imported the target, for a conftest.py does, each copy has its old code, whatever the candidate.
    """
    results, finished = run.results, run.finished
    return (
        finished.complete
        and not finished.cold
        and not results.early
        and not results.killed
        and not results.no_pytest
        and results.suite_status in (None, 0, 1, 5)
    )


async def _fail_when_fresh(harness: Harness, results: RunResults) -> bool:
    """True if the tests that fail for another reason than the target do so in a fresh process too."""
    others = [
        name
        for name, case in results.tests.items()
        if "::" in name and case.ruling is Ruling.FAILED and not case.is_attributable
    ]
    if not others:
        return True
    again = RunResults()
    selection = Selection(paths=files_of(others), ids=tuple(others))
    await run_program("suite", harness, harness.base, selection, again, seconds=harness.options.total_seconds)
    here, there = failures(results), failures(again)
    return all(here[name] == there.get(name) for name in others)


async def _unread_when_fresh(harness: Harness, results: RunResults) -> bool:
    """True if a fresh process cannot collect the same files and classes; it has no time, and so makes and runs no test.

    A file that cannot be collected for its parameters is not seen there, and so counts as a difference.
    """
    if not results.uncollected:
        return True
    if not results.paths:
        return False
    again = RunResults()
    selection = Selection(paths=results.paths)
    finished = await run_program("suite", harness, harness.base, selection, again, seconds=0.0)
    return finished.complete and not again.nonsense and _unread(results) == _unread(again)


def _unread(results: RunResults) -> dict[str, str]:
    """Return the reasons why files or classes of tests could not be collected, without addresses."""
    return {name: without_addresses(said) for name, said in results.uncollected.items()}
