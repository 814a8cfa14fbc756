"""The confirming run: before a candidate passes, its tests run once more, as they would in the user's next run.

They run after all others of their files, with another hash seed, and in another time zone and locale. If something
fails in this combined run, separate runs find out the reason.

Tests that were left out of the baseline because no name in them leads to the target run too, if they execute it. Names
do not show each way to a function: a registry, a lookup by a text that is put together, a class made at run time. Their
files run as a whole, after the others and in one process with them, as tests may depend on those before them; where
that takes long, they run alone, and the whole files only if one fails. If a candidate changes more than the body, all
left-out tests run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from certo.concurrency import gather_until
from certo.sandbox.executor import Finished
from certo.verification.dynamic.harness import (
    HASH_SEED,
    OTHER_LOCALE,
    OTHER_ZONE,
    Harness,
    Selection,
    run_past_killed,
    watched,
)
from certo.verification.dynamic.harness_source import HarnessSource, LeftOutTests
from certo.verification.dynamic.results import CaseResult, RunResults, how_it_ended, without_addresses
from certo.verification.dynamic.warm_pool import files_of
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import KnownTest, Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Finding, Ruling

OTHER_ORDER = f"red under another order of sets (PYTHONHASHSEED={HASH_SEED})"
ELSEWHERE = {
    f"red in another time zone (TZ={OTHER_ZONE['TZ']})": OTHER_ZONE,
    f"red under another locale (LC_ALL={OTHER_LOCALE['LC_ALL']})": OTHER_LOCALE,
}
AFTER_OTHERS = "green alone, red after the tests that run before it"


MAX_CONFIRMING_SECONDS = 20.0
"""The time that a run of whole files may take; tests of the baseline that do not get their turn run by themselves."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Why each test fails that fails in the confirming run only with the candidate.

    `untried` counts the left-out tests of which nobody knows if they execute the target, as there was no time for them.
    """

    findings: tuple[Finding, ...] = ()
    untried: int = 0

    def __bool__(self) -> bool:
        """True if a test fails."""
        return bool(self.findings)


async def confirm(harnesses: HarnessSource, candidate: Candidate, problem: Problem) -> Confirmation:
    """Run the tests under other conditions, and return what they say of the candidate.

    Raises:
        BrokenWorld: Nothing can be run at all.
    """
    known = _known(problem)
    harness = await harnesses.of(problem)
    cold = harness.under_other_conditions()
    theirs = cold.with_files_of(candidate)
    ran = tuple(dict.fromkeys((*problem.baseline_run.ran, *known)))
    # One run combines all conditions, since nearly always nothing fails in it. Only a failure is worth the separate
    # runs that tell the conditions apart. They are in fresh processes, and so is this one then: a prepared process may
    # be the reason of a failure too, or the tests that did not run before one that depends on them.
    for run, left_out in await _confirming_runs(harnesses, candidate, problem):
        red = await _red(run, candidate.text, ran, left_out)
        remaining = remaining_tests(red, problem)
        if red.keys().isdisjoint(known) and not remaining:
            return Confirmation(untried=left_out.untried)
    asked = [partial(_red, cold, cold.base, ran, left_out)]
    if not red.keys().isdisjoint(known):
        asked.append(partial(_red, theirs, candidate.text, tuple(known)))
    before, *alone = (await gather_until(asked, lambda _: False)).values()
    failing = [
        name for name, test in known.items() if name in red and not _is_so_anyway(test, before.get(name), red[name])
    ]
    asked = []
    if any(name in each for each in alone for name in failing):
        for environment in ELSEWHERE.values():
            there = replace(theirs, hash_seed=harness.hash_seed, environment=environment)
            asked.append(partial(_red, there, candidate.text, tuple(known)))
    elsewhere = (await gather_until(asked, lambda _: False)).values()
    findings = [Finding(message=f"{name}: {_why(name, *alone, *elsewhere)}: {red[name].message}") for name in failing]
    findings += [
        Finding(message=f"{name}: {case.message}")
        for name, case in remaining.items()
        if not _is_so_before(before.get(name), case)
    ]
    return Confirmation(tuple(findings), left_out.untried)


async def _confirming_runs(
    harnesses: HarnessSource, candidate: Candidate, problem: Problem
) -> list[tuple[Harness, LeftOutTests]]:
    """Return the harness of each run that may have to confirm a candidate, with the left-out tests that it has."""
    confirming = (await harnesses.confirming(problem)).with_files_of(candidate)
    all_of_them = LeftOutTests(problem.baseline_run.rest)
    left_out = all_of_them if _changes_more_than_the_body(candidate, problem) else await harnesses.left_out(problem)
    runs = [(confirming, left_out)]
    judging = (path for path in files_of(_known(problem)) if path in problem.baseline_run.rest)
    files = (*judging, *left_out.files, *files_of(left_out.tests))
    whole = LeftOutTests(tuple(dict.fromkeys(files)), untried=left_out.untried) if left_out.narrowed else left_out
    if confirming.preparation is not None or left_out.narrowed:
        runs.append((confirming.fresh, whole))
    return runs


def _changes_more_than_the_body(candidate: Candidate, problem: Problem) -> bool:
    """True if a candidate changes other files, a second function or the target's head: other tests may execute it."""
    more = bool(candidate.elsewhere) or problem.target.second is not None
    return more or watched(problem.text, candidate.text, problem.target).entry_counts


def _known(problem: Problem) -> dict[str, KnownTest]:
    return {test.id: test for test in problem.baseline.tests if test.ruling is not Ruling.UNDECIDED}


def remaining_tests(red: Mapping[str, CaseResult], problem: Problem) -> dict[str, CaseResult]:
    """Return the failing tests that execute the target and that the baseline does not have."""
    baseline = {test.id for test in (*problem.baseline.tests, *problem.baseline.set_aside)}
    return {name: case for name, case in red.items() if case.reached and name not in baseline}


def _is_so_before(before: CaseResult | None, now: CaseResult) -> bool:
    """True if a test fails on the original text too, and for a reason outside the target.

    If the target is to blame there, the test judges the candidate, as in the baseline. If there is no result of its
    own, nobody knows what is to blame, so that only the same end says that it is not the candidate.
    """
    if before is None or before.is_attributable:
        return False
    return bool(before.where) or without_addresses(before.message) == without_addresses(now.message)


def _why(name: str, alone: Mapping[str, object], *elsewhere: Mapping[str, object]) -> str:
    """Return why a test fails only in the combined run, judged by the separate runs in which it fails."""
    if name not in alone:
        return AFTER_OTHERS
    return next((why for why, red in zip(ELSEWHERE, elsewhere, strict=True) if name in red), OTHER_ORDER)


def _is_so_anyway(test: KnownTest, before: CaseResult | None, now: CaseResult) -> bool:
    """True if a test fails under these conditions on the original text too, so that the target is not to blame.

    A test that failed at the baseline is told by its message: the candidate's is also that of the original text under
    these conditions, and is not that of the baseline.
    """
    if before is None:
        return False
    return test.ruling is Ruling.PASSED or before.message == now.message != test.message


_NONE = LeftOutTests()


async def _red(
    harness: Harness, text: str, ids: Sequence[str], left_out: LeftOutTests = _NONE
) -> Mapping[str, CaseResult]:
    """Return the failing tests by id: of `ids`, and of the tests `left_out`."""
    suite = [*(name for name in ids if "::" in name), *left_out.tests]
    examples = [name for name in ids if "::" not in name]
    asked = []
    if left_out.files:
        files = left_out.files if left_out.narrowed else (*files_of(suite), *left_out.files)
        within = [name for name in suite if not left_out.narrowed or name.partition("::")[0] in files]
        asked.append(partial(_red_of_files, harness, text, tuple(dict.fromkeys(files)), within))
        suite = [name for name in suite if name not in within]
    if suite:
        asked.append(partial(_red_of, "suite", harness, text, suite))
    if examples:
        asked.append(partial(_red_of, "doctest_run", harness, text, examples))
    case = await gather_until(asked, lambda _: False)
    return {name: found for each in case.values() for name, found in each.items()}


async def _red_of_files(
    harness: Harness, text: str, paths: tuple[str, ...], ids: Sequence[str]
) -> Mapping[str, CaseResult]:
    """Return the failing tests of whole files; those of `ids` that do not get their turn there run by themselves."""
    seconds = min(MAX_CONFIRMING_SECONDS, harness.options.total_seconds)
    results, finished = await _run("suite", harness, text, Selection(paths=paths), seconds)
    red = _failing(results)
    if not finished.complete and not results.stopped:
        # The run was ended between tests, or before the first one.
        unrun = [name for name in results.collected or paths if name not in results.tests and name not in ids]
        red.update((name, _lost(name, f"the run {how_it_ended(finished)}")) for name in unrun)
    missed = [name for name in ids if name not in results.tests]
    return {**red, **(await _red_of("suite", harness, text, missed) if missed else {})}


async def _red_of(program: str, harness: Harness, text: str, ids: Sequence[str]) -> Mapping[str, CaseResult]:
    selection = Selection(paths=files_of(ids), ids=ids)
    results, _ = await _run(program, harness, text, selection, harness.options.total_seconds)
    unread = {name: results.uncollected.get(name.partition("::")[0]) for name in ids}
    return {**_failing(results), **{name: _lost(name, said) for name, said in unread.items() if said is not None}}


async def _run(
    program: str, harness: Harness, text: str, selection: Selection, seconds: float
) -> tuple[RunResults, Finished]:
    results = RunResults()
    return results, await run_past_killed(program, harness, text, selection, results, seconds=seconds)


def _failing(results: RunResults) -> dict[str, CaseResult]:
    """Return the failing tests by id, with those that ended their process and the files that were not collected."""
    red = {name: case for name, case in results.tests.items() if case.ruling is Ruling.FAILED}
    red.update((name, _lost(name, results.tests[name].message)) for name in results.killed)
    red.update((path, _lost(path, f"could not be collected: {said}")) for path, said in results.uncollected.items())
    return red


def _lost(name: str, message: str) -> CaseResult:
    """Return the result of a test or file that has none of its own; it counts as if it executes the target."""
    return CaseResult(id=name, ruling=Ruling.FAILED, message=message, reached=True)
