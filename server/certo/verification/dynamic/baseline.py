"""The baseline: the tests that reach the target, and their results before any candidate."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from pathlib import Path
from shlex import quote

from certo.analysis.code_blocks import code_blocks
from certo.project.requirements import django_settings
from certo.sandbox.confinement.secrets import hidden_in, is_within
from certo.sandbox.executor import Ending, Finished
from certo.verification.dynamic.baseline_runs import SuiteRun, ends_so_when_fresh, run_with_needed_files
from certo.verification.dynamic.flaky import MAX_RERUN_SECONDS, flaky_tests, should_rerun
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.missing_tests import remedies, why_no_test
from certo.verification.dynamic.needed_secrets import remarks
from certo.verification.dynamic.permissions import green, is_denied, lacks_network
from certo.verification.dynamic.relevance import related
from certo.verification.dynamic.results import CaseResult, RunResults, complaint, is_whole
from certo.verification.dynamic.test_map import KnownTests, MappedTests
from certo.verification.dynamic.warm_pool import PROJECT, Preparation, WarmPool, files_of, why_not_warm
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.problem import FLAKY, Baseline, BaselineRun, KnownTest
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineRequest:
    """Parameters of a baseline for one problem, besides how its tests run.

    `required_test` counts, with all its parameters, if it executes the target, wherever it fails. With `recheck_green`,
    tests run again to find flaky ones even though all of them pass. Processes prepared for that stay in `warm`. The
    runs are recorded in the test map `known_tests`, by which tests that cannot execute the target are left out, and
    those that did before come first; with `reuse`, results of tests that execute it are taken over as well. `begun` is
    called with the harness of prepared processes when the tests begin there.
    """

    required_test: str = ""
    recheck_green: bool = False
    warm: WarmPool | None = None
    known_tests: KnownTests | None = None
    reuse: bool = False
    begun: Callable[[Harness], object] | None = None


async def take_baseline(harness: Harness, request: BaselineRequest) -> tuple[Baseline, BaselineRun]:
    """Run the tests that may reach the target, its doctests and the user's examples, on the text as it is.

    Return the results, and the conditions of the runs for those that follow.

    The files `extra_files` of the harness are run even if no test in them seems to reach the target. If the harness has
    the `whole_suite`, its passing tests count as well, because candidates that change other files may break them.

    Tests run under the strictest policy first; those that look refused run again under weaker ones. Candidates get the
    strictest policy under which no further test of the target passes or gets further. Files that look like secrets
    and the `hidden` files of the harness are hidden from the tests, except those that the tests turn out to need.

    Raises:
        BadSetting: A test path that the user chose does not exist, or a user's example does not run the target.
        BrokenWorld: Nothing can be run at all.
    """
    ignored = harness.hidden
    harness = replace(harness, hidden=without_secrets(harness.root, ignored))
    mapped, name = await _mapped(harness, request)
    harness = _with_known(harness, request, mapped, name)
    run, warm = await _run_tests(harness, request)
    results, finished = run.results, run.finished
    harness = replace(run.harness, executor=harness.executor, preparation=None)
    counted, set_aside = _sort(list(results.tests.values()), request.required_test, harness, results.documents)
    _refuse_unrelated_examples(harness, results, {case.id for case in counted})
    flaky, reruns = await _find_flaky(harness, results, counted, request, warm)
    baseline = Baseline(
        tests=tuple(_known(case) for case in counted if case.id not in flaky),
        set_aside=(*map(_known, related(set_aside, harness)), *_broken(results), *map(_flaky_test, sorted(flaky))),
        problems=(
            *_problems(harness, results, finished, ignored),
            *why_no_test(harness, results, counted, complete=finished.complete),
            *_flaky_warnings(flaky),
        ),
        policy=harness.policy.value,
        needs=run.needs,
        whole=harness.whole_suite,
    )
    conditions = replace(_conditions(harness, results, counted), prepared=warm is not None, reruns=reruns)
    lasts = not run.needs and not flaky and is_whole(results, finished)
    if lasts and request.known_tests is not None and harness.recorded:
        conditions = replace(
            conditions,
            rest=tuple(
                path for path in conditions.rest if not mapped.needs_no_run(path, harness.path, name, ran=results.tests)
            ),
        )
        skipped = files_of((*harness.known, *harness.unreached))
        ran_whole = [path for path in results.paths if path not in (*results.rest, *skipped, *results.uncollected)]
        request.known_tests.record(results, ran_whole)
    return baseline, replace(conditions, lasts=lasts)


async def _mapped(harness: Harness, request: BaselineRequest) -> tuple[MappedTests, str]:
    """Return the entries of the test map that hold, and the target's name in it; nothing if it is of no use here."""
    name = code_blocks(harness.base).at(harness.target.line)
    is_of_one = not harness.whole_suite and harness.target.second is None
    if request.known_tests is None or name is None or not is_of_one or harness.options.paths:
        return MappedTests(), ""
    return await request.known_tests.known(), name


def _with_known(harness: Harness, request: BaselineRequest, mapped: MappedTests, name: str) -> Harness:
    """Return the harness with the results that need no run, and the files to begin with; the required test runs."""
    known = {
        test: replace(case, reached=mapped.executes(test, harness.path, name), touched=False)
        for test, (case, _) in mapped.tests.items()
        if test.partition("[")[0] != request.required_test
    }
    # Only passing tests need no run. Where a test fails depends on the target that it was run for, and one that was
    # skipped may have its reason elsewhere.
    passing = {test: case for test, case in known.items() if case.ruling is Ruling.PASSED}
    taken = {test: case for test, case in passing.items() if case.reached and request.reuse}
    unreached = frozenset(test for test, case in passing.items() if not case.reached)
    first = tuple(mapped.likely_files(harness.path, name))
    return replace(harness, known=taken, unreached=unreached, first=first, recorded=bool(name))


async def _run_tests(harness: Harness, request: BaselineRequest) -> tuple[SuiteRun, Harness | None]:
    """Run the tests in a process prepared for the project if possible; return the harness for more such runs as well.

    If that did not end well, or a test fails there for another reason than the target and otherwise in a fresh process,
    fresh processes decide: all candidates would be judged by the results.
    """
    if request.warm is not None and harness.executor.forks and not why_not_warm(harness):
        warm = await request.warm.harness(harness, PROJECT)
        if request.begun is not None:
            request.begun(warm)
        run = await _run_leading_tests(warm, request)
        if run.finished.cold and not run.results.killed:
            return run, None  # All of it ran in fresh processes.
        if await ends_so_when_fresh(run, harness):
            is_same = (run.harness.policy, run.harness.shown, run.harness.hidden) == (
                warm.policy,
                warm.shown,
                warm.hidden,
            )
            return run, (_with_libraries(warm, run.results) if is_same else None)
    return await _run_leading_tests(harness, request), None


def _with_libraries(warm: Harness, results: RunResults) -> Harness:
    return replace(warm, libraries=tuple(results.libraries), characters=results.characters)


async def _run_leading_tests(harness: Harness, request: BaselineRequest) -> SuiteRun:
    """Run the tests that lead to the target by names, or all that may reach it if these leave a question open.

    None of them may execute the target, or none may fail although its user wants it repaired: then others may, in a way
    that names do not show.
    """
    paths = _chosen_paths(harness)
    run = await run_with_needed_files(harness, paths)
    cases = run.results.tests.values()
    is_open = not any(case.reached for case in cases) or (
        request.recheck_green and not any(case.ruling is Ruling.FAILED for case in cases)
    )
    if not (is_open and run.results.rest):
        return run
    return await run_with_needed_files(harness, paths, after=run)


def _conditions(harness: Harness, results: RunResults, counted: list[CaseResult]) -> BaselineRun:
    """Return the conditions that the tests ran under; the tools of the project are looked at later."""
    return BaselineRun(
        ran=_ran(results, counted),
        rest=tuple(results.rest),
        libraries=tuple(results.libraries),
        characters=results.characters,
        early=results.early,
        shown=harness.shown,
        hidden=harness.hidden,
    )


async def _find_flaky(
    harness: Harness,
    results: RunResults,
    counted: list[CaseResult],
    request: BaselineRequest,
    warm: Harness | None,
) -> tuple[frozenset[str], int]:
    """Return the ids of flaky tests, and the number of reruns as `flaky_tests` does.

    They are rerun in warm processes, as candidates are, if there are any. What they execute is known by then.
    """
    if not should_rerun(harness, counted, results.killed, recheck_green=request.recheck_green):
        return frozenset(), 0
    if warm is not None:
        return await flaky_tests(harness, counted, replace(warm, recorded=False))
    if request.warm is None or why_not_warm(harness):
        return await flaky_tests(harness, counted)
    paths = files_of(case.id for case in counted if "::" in case.id)
    preparation = Preparation(paths, tuple(results.libraries), session=not results.early, characters=results.characters)
    return await flaky_tests(harness, counted, await request.warm.harness(harness, preparation))


def _chosen_paths(harness: Harness) -> tuple[str, ...] | None:
    """Return the paths that the user chose with the extra files, or None if tests are to be searched for.

    Raises:
        BadSetting: A path that the user chose does not exist.
    """
    chosen = harness.options.paths
    for path in chosen:
        if not (harness.root / path.partition("::")[0]).exists():
            raise BadSetting(
                f"tests.paths names {path!r}, and {harness.root} has no such file; correct it or leave it out"
            )
    return tuple(dict.fromkeys((*chosen, *harness.extra_files))) if chosen else None


def without_secrets(root: Path, ignored: tuple[str, ...]) -> tuple[str, ...]:
    """Return the ignored paths that do not look like secrets; secrets are hidden in any case."""
    secrets = hidden_in(root) if ignored else ()
    return tuple(path for path in ignored if not any(is_within(path, secret) for secret in secrets))


def _about_hidden(harness: Harness, ignored: tuple[str, ...]) -> list[str]:
    """Return messages about hidden files: which of them runs can read, and which they cannot."""
    needed = tuple(path for path in without_secrets(harness.root, ignored) if path not in harness.hidden)
    return remarks(hidden_in(harness.root, harness.shown), harness.hidden, (*harness.shown, *needed))


def _refuse_unrelated_examples(harness: Harness, results: RunResults, counted: Set[str]) -> None:
    """Raise BadSetting if a user's example does not execute the target, as no candidate could be judged by it.

    An example without an expected value only prepares the ones after it, so it may pass without the target.
    """
    for example in harness.user_examples:
        case = results.tests.get(example.id)
        if case is not None and case.id not in counted and (case.ruling is Ruling.FAILED or example.expected):
            why = f" ({case.message})" if case.message else ""
            raise BadSetting(
                f"{example.id}, {example.sentence!r}, does not run {harness.target.qualname}, so nothing can be judged "
                f"by it{why}; write a call of {harness.target.name} and what it has to equal"
            )


def _sort(
    cases: list[CaseResult], required_test: str, harness: Harness, documents: Sequence[str]
) -> tuple[list[CaseResult], list[CaseResult]]:
    """Split the tests into those that count and those that fail for reasons outside the target.

    Failing examples of the target's module and classes do not count, if the project does not run them: they may have
    been out of date for long. If nothing else fails, and nothing else counts, they are all there is.
    """
    around = f"doctest:{harness.path}:"
    doubtful = [case for case in cases if case.ruling is Ruling.FAILED and case.id.startswith(around)]
    if harness.path not in documents:
        others = [case for case in cases if case not in doubtful]
        counted, set_aside = _split(others, required_test, harness)
        if not all(case.id.startswith(around) for case in counted):
            return counted, [*set_aside, *doubtful]
    return _split(cases, required_test, harness)


def _split(cases: list[CaseResult], required_test: str, harness: Harness) -> tuple[list[CaseResult], list[CaseResult]]:
    """Split the tests by the code in which they fail.

    Passing tests that do not reach the target are in neither list. The `required_test` counts if it executes the
    target. In a whole suite, all passing tests count, and so does each failing test that reached the target: the code
    it fails in may be changed as well. A test that failed for what no run is allowed does not count.
    """
    whole_suite = harness.whole_suite
    denied = {test.id for test in cases if test.ruling is Ruling.FAILED and is_denied(test.message, harness.root)}
    attributable = any(test.is_attributable for test in cases if test.id not in denied)
    counted, set_aside = [], []
    for test in cases:
        in_test = test.in_test and not attributable
        if test.ruling is not Ruling.FAILED:
            counted.extend([test] if test.reached or (whole_suite and test.ruling is Ruling.PASSED) else [])
        elif test.id not in denied and (
            test.is_attributable or (test.reached and (whole_suite or _is_required(required_test, test) or in_test))
        ):
            counted.append(test)
        else:
            set_aside.append(test)
    return counted, set_aside


def _is_required(required_test: str, test: CaseResult) -> bool:
    """True if the test is the required one, with or without parameters."""
    return test.id.partition("[")[0] == required_test


def _ran(results: RunResults, counted: list[CaseResult]) -> tuple[str, ...]:
    """Return the ids of all pytest tests that ran, or only of those that count if the others take long.

    They run once more for each candidate that passes, while the user waits.
    """
    counting = {case.id for case in counted}
    others = sum(case.seconds for name, case in results.tests.items() if name not in counting)
    return tuple(name for name in results.tests if "::" in name and (others <= MAX_RERUN_SECONDS or name in counting))


def _known(case: CaseResult) -> KnownTest:
    return KnownTest(id=case.id, ruling=case.ruling, message=case.message, seconds=case.seconds)


def _broken(results: RunResults) -> list[KnownTest]:
    """Return the test files that could not be collected, as tests without a result."""
    return [KnownTest(id=file, ruling=Ruling.UNDECIDED, message=said) for file, said in results.uncollected.items()]


def _flaky_test(test: str) -> KnownTest:
    return KnownTest(id=test, ruling=Ruling.UNDECIDED, message=FLAKY)


def _flaky_warnings(flaky: Set[str]) -> list[str]:
    """Return a message for each flaky test."""
    return [f"{test} {FLAKY}, so this search ignores it" for test in sorted(flaky)]


def _problems(harness: Harness, results: RunResults, finished: Finished, ignored: tuple[str, ...]) -> list[str]:
    """Return messages for the user about the run, in which the files `ignored` by git were hidden at first."""
    python = harness.interpreter.executable
    problems = [*results.notes, *_about_hidden(harness, ignored)]
    problems += [
        f"{example.id}, `{example.sentence}`, passes already"
        for example in harness.user_examples
        if example.expected and example.id in green(results)
    ]
    if results.no_pytest:
        django = " pytest-django" if django_settings(harness.root) else ""
        problems.append(
            f"{python} has no pytest, so only doctests were run; install it: {python} -m pip install pytest{django}"
        )
    problems += [f"{path} could not be collected: {message}" for path, message in results.uncollected.items()]
    errors = list(results.uncollected.values())
    problems += filter(None, [lacks_network(results, harness.executor.policies)])
    if results.suite_status in (3, 4):
        problems.append(f"pytest could not run here: {complaint(finished.printed)}")
        errors.append(complaint(finished.printed))
    if results.stopped:
        problems.append(
            f"The tests were stopped after {harness.options.total_seconds:g} s; those that had not run do not count. "
            "Raise tests.total_seconds or name fewer tests in tests.paths"
        )
    elif not finished.complete:
        errors.append(complaint(finished.printed))
        left = len(set(results.collected) - set(results.tests))
        which = f"; {left} tests were not run" if left else ""
        problems.append(f"The test run {finished.ending.value}{which}: {errors[-1]}")
    helping = list(remedies(harness, errors))
    broke_down = finished.ending is Ending.EXITED and not finished.complete and not results.collected
    if (results.suite_status in (3, 4) or broke_down) and not helping:
        helping.append(
            f"make pytest run first; this shows the whole error: cd {quote(str(harness.root))} && {python} -m pytest"
        )
    return [*problems, *helping]
