"""The runs that a baseline is made of: with the files that the tests need, and under the strictest policy they need.

Tests run under the strictest policy first. If a test looks refused, it alone runs again under weaker ones. A weaker
policy is chosen only if a test that executes the target gets further with it, because candidates have the same
permissions as the tests that judge them, and because prepared processes exist under the strictest policy only.
"""

from __future__ import annotations

from dataclasses import replace

from certo.sandbox.confinement.secrets import hidden_in
from certo.sandbox.executor import Finished, Policy
from certo.verification.dynamic.harness import Harness, Selection, run_past_killed
from certo.verification.dynamic.needed_secrets import beside, missed
from certo.verification.dynamic.permissions import green, looks_refused, why
from certo.verification.dynamic.results import CaseResult, RunResults, without_addresses
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
        best = self
        for policy in self.harness.executor.policies[1:]:
            if best._is_refused_as_a_whole:
                again = await _run_all(replace(self.harness, policy=policy), paths, narrowed=narrowed)
                needs = why(policy, green(again.results) - green(self.results))
                best = max(best, replace(again, needs=needs), key=lambda run: run.progress)
            elif best.refused:
                best = await best._with_refused_tests_under(policy, first=self)
        return best

    async def _with_refused_tests_under(self, policy: Policy, *, first: SuiteRun) -> SuiteRun:
        """Run the refused tests alone under `policy`; `first` is the run under the strictest one."""
        ids = self.refused
        again = await _run_all(replace(self.harness, policy=policy), files_of(ids), ids)
        gained = {name: case for name in ids if (case := again.results.tests.get(name)) and self._is_gained(case)}
        if not gained:
            return self
        results = replace(self.results, tests={**self.results.tests, **gained})
        needs = why(policy, green(results) - green(first.results))
        return SuiteRun(again.harness, results, self.finished, needs)

    def _is_gained(self, case: CaseResult) -> bool:
        """True if a test that was refused is no longer, and judges candidates, which takes that it runs the target."""
        judges = case.reached or (self.harness.whole_suite and case.ruling is Ruling.PASSED)
        return judges and (case.ruling is Ruling.PASSED or not looks_refused(case.message))


async def run_with_needed_files(harness: Harness, paths: tuple[str, ...] | None, *, narrowed: bool = True) -> SuiteRun:
    """Run the tests without the hidden files, then with those they seem to miss, and keep these if results change.

    This takes several runs: tests that open one file after another miss the next one only once the first is there.

    Raises:
        BrokenWorld: nothing can be run at all.
    """
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


async def _run_under_strictest(harness: Harness, paths: tuple[str, ...] | None, *, narrowed: bool) -> SuiteRun:
    """Run the tests under the strictest policy that those of the target need."""
    strictest = replace(harness, policy=harness.executor.policies[0])
    return await (await _run_all(strictest, paths, narrowed=narrowed)).under_weaker_policies(paths, narrowed=narrowed)


async def _run_all(
    harness: Harness, paths: tuple[str, ...] | None, ids: tuple[str, ...] | None = None, *, narrowed: bool = True
) -> SuiteRun:
    """Run until every test has a result."""
    results = RunResults(tests=dict(harness.known))
    selection = Selection(paths=paths, ids=ids, skip=tuple(harness.unreached), narrowed=narrowed)
    seconds = harness.options.total_seconds
    finished = await run_past_killed("baseline", harness, harness.base, selection, results, seconds=seconds)
    return SuiteRun(harness, results, finished)
