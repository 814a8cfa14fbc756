"""The baseline: which tests reach the target, and how they stand before any candidate."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import replace
from pathlib import Path

from certo.sandbox.confinement.secrets import hidden_in, is_within
from certo.sandbox.executor import Executor, Finished, Interpreter
from certo.verification.dynamic.flaky import SECONDS, flaky_tests, should_rerun
from certo.verification.dynamic.harness import Harness, Selection, run_program
from certo.verification.dynamic.needed_secrets import beside, missed, remarks
from certo.verification.dynamic.permissions import green, lacks_network, looks_refused, why
from certo.verification.dynamic.relevance import related
from certo.verification.dynamic.results import CaseResult, RunResults, complaint
from certo.verification.dynamic.warm_pool import Preparation, WarmPool, files_of, why_not_warm
from certo.verification.options import TestOptions
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.guidance import Example
from certo.vocabulary.problem import FLAKY, Baseline, KnownTest, Target
from certo.vocabulary.verdict import Ruling

MAX_KILLS = 5
"""How many tests may take their process with them before the rest is given up."""

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+")

_MAX_AGAIN = 3
"""How often the tests are run again with more of what is hidden from them."""


async def take_baseline(
    *,
    root: Path,
    path: str,
    text: str,
    target: Target,
    interpreter: Interpreter,
    executor: Executor,
    unsaved: Mapping[str, str],
    options: TestOptions,
    given: tuple[Example, ...] = (),
    besides: tuple[str, ...] = (),
    owed: str = "",
    whole: bool = False,
    doubted: bool = False,
    kept: WarmPool | None = None,
    ignored: tuple[str, ...] = (),
) -> Baseline:
    """Run the tests that may reach the target, its doctests and the examples `given` besides, on the text as it is.

    Those in the files `besides` are run even where nobody would think that they reach it, or the user chose others. The
    test `owed`, with all its parameters, counts where it executes the target, wherever it fails. A `whole` suite is all
    that pytest finds or the user chose; what passes counts there too, for candidates that change other files may break
    it. Where nothing is red and that is `doubted`, tests run again; what is prepared for that is `kept` for candidates.
    They run under the strictest policy first, and again under weaker ones where that looks like a refusal. Candidates
    get the strictest under which no further test turns green, or gets further. What looks like a secret and what is
    `ignored` by git is hidden from them. Nothing that they need is refused or hidden.

    Raises:
        BadSetting: a test path that the user chose does not exist, or a given example does not run the target.
        BrokenWorld: nothing can be run at all.
    """
    ground = Harness(
        root=root,
        path=path,
        base=text,
        target=target,
        unsaved=unsaved,
        interpreter=interpreter,
        executor=executor,
        options=options,
        given=given,
        besides=besides,
        whole=whole,
        hidden=_no_secrets(root, ignored),
    )
    ground, hearing, finished, needs = await _with_what_they_need(ground, _chosen_paths(root, options, besides))
    counted, set_aside = _sort(list(hearing.tests.values()), owed, whole=whole)
    _refuse_unrelated(ground, hearing, {told.id for told in counted})
    unsteady = await _wavering(ground, hearing, counted, kept, doubted=doubted)
    return replace(
        _conditions(ground, hearing),
        tests=tuple(_known(told) for told in counted if told.id not in unsteady),
        set_aside=(*map(_known, related(set_aside, ground)), *_broken(hearing), *map(_unsteady, sorted(unsteady))),
        problems=(*_problems(ground, hearing, finished, ignored), *_named(unsteady)),
        needs=needs,
        ran=_ran(hearing, counted),
    )


def _conditions(ground: Harness, hearing: RunResults) -> Baseline:
    """Return what is known of how the tests run, with nothing of the tests themselves."""
    return Baseline(
        policy=ground.policy.value,
        whole=ground.whole,
        libraries=tuple(hearing.libraries),
        characters=hearing.characters,
        early=hearing.early,
        shown=ground.shown,
        hidden=ground.hidden,
    )


async def _wavering(
    ground: Harness, hearing: RunResults, counted: list[CaseResult], kept: WarmPool | None, *, doubted: bool
) -> frozenset[str]:
    """Which tests waver, found out where candidates are judged if that is prepared."""
    if not should_rerun(ground, counted, hearing.killed, doubted=doubted):
        return frozenset()
    if kept is None or why_not_warm(ground):
        return await flaky_tests(ground, counted)
    paths = files_of(told.id for told in counted if "::" in told.id)
    preparation = Preparation(paths, tuple(hearing.libraries), session=not hearing.early, characters=hearing.characters)
    return await flaky_tests(ground, counted, await kept.ground(ground, preparation))


def _chosen_paths(root: Path, options: TestOptions, besides: tuple[str, ...]) -> tuple[str, ...] | None:
    for chosen in options.paths:
        if not (root / chosen.partition("::")[0]).exists():
            raise BadSetting(f"tests.paths names {chosen!r}, and {root} has no such file; correct it or leave it out")
    return tuple(dict.fromkeys((*options.paths, *besides))) if options.paths else None


async def _with_what_they_need(
    ground: Harness, paths: tuple[str, ...] | None
) -> tuple[Harness, RunResults, Finished, str]:
    """Run the tests without what is hidden, and with those of it they seem to miss if that makes a difference.

    Who opens one file after the other misses the next one once the first is there.
    """
    best = last = await _under_the_strictest(ground, paths)
    for again in range(_MAX_AGAIN):
        secrets = missed(ground.root, hidden_in(ground.root, ground.shown), last[1])
        ignored = missed(ground.root, ground.hidden, last[1])
        if not secrets and not ignored:
            break
        ignored += beside(ignored, ground.hidden) if again else ()
        hidden = tuple(path for path in ground.hidden if path not in ignored)
        ground = replace(ground, shown=(*ground.shown, *secrets), hidden=hidden)
        last = await _under_the_strictest(ground, paths)
        if _fails_otherwise(last, best):
            best = last
    return best


def _fails_otherwise(
    now: tuple[Harness, RunResults, Finished, str], before: tuple[Harness, RunResults, Finished, str]
) -> bool:
    """True if the tests got further than before, or as far and what is red says something else.

    A test that is red for the target's sake is not green for a file; but a candidate would have to do without that.
    """
    one, other = _progress(now[1], now[2]), _progress(before[1], before[2])
    return one > other or (one == other and _complaints(now[1]) != _complaints(before[1]))


def _complaints(hearing: RunResults) -> dict[str, tuple[bool, str]]:
    """What is said of each test that does not pass, and whether it got to the target, without addresses in memory."""
    return {
        told.id: (told.reached, _ADDRESS.sub("", told.message))
        for told in hearing.tests.values()
        if told.ruling is not Ruling.PASSED
    }


def _no_secrets(root: Path, ignored: tuple[str, ...]) -> tuple[str, ...]:
    """What is ignored without what is hidden anyhow, which is no directory unless all of it is."""
    secrets = hidden_in(root) if ignored else ()
    return tuple(path for path in ignored if not any(is_within(path, secret) for secret in secrets))


def _about_hidden(ground: Harness, ignored: tuple[str, ...]) -> list[str]:
    """Return what the user should read about what runs can read of what was hidden, and what not."""
    needed = tuple(path for path in _no_secrets(ground.root, ignored) if path not in ground.hidden)
    return remarks(hidden_in(ground.root, ground.shown), ground.hidden, (*ground.shown, *needed))


async def _under_the_strictest(
    ground: Harness, paths: tuple[str, ...] | None
) -> tuple[Harness, RunResults, Finished, str]:
    """Run the tests under one policy after the other; return what came of the strictest that they need, and why."""
    best: tuple[Harness, RunResults, Finished, str] | None = None
    at_first: frozenset[str] | None = None
    for policy in ground.executor.policies:
        on = replace(ground, policy=policy)
        hearing = RunResults()
        finished = await _run_out(on, hearing, paths)
        at_first = green(hearing) if at_first is None else at_first
        if best is None or _progress(hearing, finished) > _progress(best[1], best[2]):
            best = on, hearing, finished, why(policy, green(hearing) - at_first)
        if not _refusals(best[1], best[2]):
            break
    assert best is not None, "an executor has one policy at least"
    return best


def _progress(hearing: RunResults, finished: Finished) -> tuple[int, int, int]:
    """How far the tests got, to be compared: how many passed, how many ran, and how little was refused to them."""
    return len(green(hearing)), len(hearing.tests), -_refusals(hearing, finished)


def _refusals(hearing: RunResults, finished: Finished) -> int:
    """How much of what did not pass says what a call says that the sandbox refused."""
    said = [told.message for told in hearing.tests.values() if told.ruling is not Ruling.PASSED]
    said += hearing.uncollected.values()
    # Where pytest itself did not get through, only what it printed says why.
    said += [] if hearing.suite_status in (None, 0, 1) and finished.complete else [finished.printed]
    return sum(map(looks_refused, said))


async def _run_out(ground: Harness, hearing: RunResults, paths: tuple[str, ...] | None) -> Finished:
    """Run until all tests have told how they stand; those that kill their process are told of in their stead."""
    left = ground.options.total_seconds
    while True:
        selection = Selection(paths=paths, skip=tuple(hearing.tests), hung=tuple(hearing.killed))
        finished = await run_program("baseline", ground, ground.base, selection, hearing, seconds=max(0.0, left))
        left -= finished.cpu_seconds
        if hearing.running is None:
            return finished
        killer, hearing.running = hearing.running, None
        hearing.killed.append(killer)
        # What it would have shown died with it, and a test that does not end is most often the target's doing.
        message = hearing.how_it_was_killed(finished)
        hearing.tests[killer] = CaseResult(id=killer, ruling=Ruling.FAILED, message=message, where="test", reached=True)
        if len(hearing.killed) == MAX_KILLS or left <= 0:
            return finished
        paths = paths if paths is not None else tuple(hearing.paths)


def _refuse_unrelated(ground: Harness, hearing: RunResults, counted: Set[str]) -> None:
    """Refuse an example of the user's that does not execute the target: no candidate could be judged by it.

    One that expects nothing prepares those behind it.
    """
    for example in ground.given:
        told = hearing.tests.get(example.id)
        if told is not None and told.id not in counted and (told.ruling is Ruling.FAILED or example.expected):
            why = f" ({told.message})" if told.message else ""
            raise BadSetting(
                f"{example.id}, {example.sentence!r}, does not run {ground.target.qualname}, so nothing can be judged "
                f"by it{why}; write a call of {ground.target.name} and what it has to equal"
            )


def _sort(told: list[CaseResult], owed: str, *, whole: bool) -> tuple[list[CaseResult], list[CaseResult]]:
    """Split the tests into those that count and those that are red for reasons that are not the target's.

    Of what is `owed` all that executes the target counts. Green tests that do not reach the target are in neither; of
    the `whole` suite they count, as do all that are red once they have reached the target, for what they fail at may be
    changed.
    """
    attributable = any(_is_attributable(test) for test in told)
    counted, set_aside = [], []
    for test in told:
        if test.ruling is not Ruling.FAILED:
            counted.extend([test] if test.reached or (whole and test.ruling is Ruling.PASSED) else [])
        elif _is_attributable(test) or (
            test.reached and (whole or _is_of(owed, test) or (test.in_test and not attributable))
        ):
            counted.append(test)
        else:
            set_aside.append(test)
    return counted, set_aside


def _is_attributable(test: CaseResult) -> bool:
    """Whether a red test failed in the target, or in its own body after it had executed the target."""
    if test.ruling is not Ruling.FAILED:
        return False
    return test.where == "target" or (test.reached and test.in_test and test.where == "test")


def _is_of(owed: str, test: CaseResult) -> bool:
    """Whether a test is the one that is owed, or that one with parameters."""
    return test.id.partition("[")[0] == owed


def _ran(hearing: RunResults, counted: list[CaseResult]) -> tuple[str, ...]:
    """All of pytest's tests that ran; where the others take long only those that count.

    They run once more for each candidate that passes, and somebody waits.
    """
    counting = {told.id for told in counted}
    others = sum(told.seconds for name, told in hearing.tests.items() if name not in counting)
    return tuple(name for name in hearing.tests if "::" in name and (others <= SECONDS or name in counting))


def _known(told: CaseResult) -> KnownTest:
    return KnownTest(id=told.id, ruling=told.ruling, message=told.message, seconds=told.seconds)


def _broken(hearing: RunResults) -> list[KnownTest]:
    """The test files that could not be collected."""
    return [KnownTest(id=file, ruling=Ruling.UNDECIDED, message=said) for file, said in hearing.uncollected.items()]


def _unsteady(test: str) -> KnownTest:
    return KnownTest(id=test, ruling=Ruling.UNDECIDED, message=FLAKY)


def _named(unsteady: Set[str]) -> list[str]:
    """What is said of tests that cannot judge anything, if there are any."""
    return [f"{test} {FLAKY}: it is set aside, and judges no candidate" for test in sorted(unsteady)]


def _problems(ground: Harness, hearing: RunResults, finished: Finished, ignored: tuple[str, ...]) -> list[str]:
    """Return what the user should read about how the run went, in which the `ignored` were hidden at first."""
    python = ground.interpreter.executable
    problems = [*hearing.notes, *_about_hidden(ground, ignored)]
    problems += [
        f"{example.id}, `{example.sentence}`, passes already"
        for example in ground.given
        if example.expected and example.id in green(hearing)
    ]
    if hearing.no_pytest:
        problems.append(
            f"{python} has no pytest, so only doctests were run; install it: {python} -m pip install pytest"
        )
    problems += [f"{path} could not be collected: {message}" for path, message in hearing.uncollected.items()]
    problems += filter(None, [lacks_network(hearing, ground.executor.policies)])
    if hearing.suite_status in (3, 4):
        problems.append(f"pytest could not run here: {complaint(finished.printed)}")
    if hearing.stopped:
        problems.append(
            f"The tests were stopped after {ground.options.total_seconds:g} s, and those not run by then do not count; "
            "raise tests.total_seconds or name fewer in tests.paths"
        )
    elif not finished.complete:
        left = len(set(hearing.collected) - set(hearing.tests))
        problems.append(
            f"The test run {finished.ending.value}; {left} tests were not run: {complaint(finished.printed)}"
        )
    return problems
