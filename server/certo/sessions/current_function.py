"""Verifying a function as it stands: the same checks and tests as for a candidate, on the text there is."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from anyio.abc import TaskGroup

from certo.concurrency import background_tasks, side_by_side
from certo.llm.model import Models
from certo.sandbox.executor import Policy
from certo.sessions.assembly.criteria import gates
from certo.sessions.assembly.parts import reading_verifiers
from certo.sessions.assembly.problem_statement import ExecutionContext, ResolvedRequest, state_problem
from certo.sessions.evidence.strength import strength_of
from certo.sessions.suspects import test_of
from certo.sessions.tested_functions import tested_functions
from certo.verification.dynamic.evidence import EvidenceVerifier
from certo.verification.dynamic.forgery import StandingForgeryVerifier
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.harness_source import warm_harnesses
from certo.verification.dynamic.remaining_tests import RemainingTests
from certo.verification.strength.strength import StrengthBudget
from certo.verification.tools.toolbox import Toolbox
from certo.verification.tools.verifiers import TriedTools, try_tools
from certo.verification.verdict_cache import cached, evidence_lasts, forgery_lasts, tests_last
from certo.verification.verifier import Questions, Verifier
from certo.vocabulary.candidate import Candidate, Origin, candidate_id
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Baseline, Goal, KnownTest, Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Finding, Report, Ruling, TestEvidence, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The evidence for a function as it is, and the tests it rests on; `seconds` is the wall time it all took.

    `not_run` names the verifiers that were not asked, because one before them did not pass. It `lasts` if another run
    on exactly this state of the project would come to the same. `digest` vouches for the verdict: `certo check` says
    what for; it is empty if nothing was kept.
    """

    resolved: ResolvedRequest
    report: Report
    baseline: Baseline
    seconds: float
    not_run: tuple[str, ...] = ()
    lasts: bool = False
    digest: str = ""


async def verify_current(
    resolved: ResolvedRequest,
    context: ExecutionContext,
    say: Callable[[str], None],
    *,
    models: Models,
    strength: StrengthBudget | None = None,
    changed: Collection[int] = (),
) -> Standing:
    """Judge the target's text as it is; `models` are asked about the project's criteria, when nothing objects before.

    It is judged as a candidate that changes nothing, so the verifiers that compare have little to say. The tests are
    run once, and only those count that execute the target. When they are green, they run apart from the target, with
    broken assertions, and on wrong versions of it; so it is verified in the same sense as a candidate whose changed
    lines were executed. If the context has a memory, what earlier runs have shown in exactly this state of the project
    is not run again, and its verdicts say so. With a budget for `strength`, the tests that pass run on small changes of
    it at last, those of the lines `changed` first.

    Raises:
        BadRequest: the target is a test.
        BrokenWorld: nothing can be run here, a tool that a setting names cannot judge, or the budget does not grant
            what a criterion asks.
        BadSetting: a criterion names a model that there is not, or a check of the user's is not there.
    """
    _refuse_test(resolved)
    async with background_tasks() as group:
        warm = context if context.kept is not None else context.warm(group)
        standing, problem = await _verify(resolved, warm, say, models, group)
        return standing if strength is None else await _with_strength(standing, problem, warm, say, strength, changed)


async def _verify(
    resolved: ResolvedRequest,
    context: ExecutionContext,
    say: Callable[[str], None],
    models: Models,
    group: TaskGroup,
) -> tuple[Standing, Problem]:
    began = time.monotonic()
    fresh = context.harnesses(resolved.settings.tests)
    remaining = RemainingTests(fresh, context.known_tests)
    toolbox = context.toolbox(resolved.settings.verify)
    problem = await _state(resolved, context, say, toolbox, begun=lambda each: group.start_soon(remaining.begin, each))
    own_text = Candidate(
        id=candidate_id(problem.text, problem.text), edits=(), text=problem.text, origin=Origin(generator="user")
    )
    isolation = context.executor.isolation_under(Policy(problem.baseline.policy))
    read = [await verifier.judge(own_text, problem) for verifier in reading_verifiers(resolved.settings)]
    tested = tuple(_tested(problem, isolation))
    verdicts = [*read, *tested]
    others = cached(remaining, context.memory, tests_last)
    paid = [*_own_checks(resolved, toolbox, models)]
    async with warm_harnesses(fresh, problem, confirms=False) as harnesses, background_tasks() as beside:
        questions = Questions(own_text, problem, beside)
        asked = paid
        if tested:
            forgery = cached(StandingForgeryVerifier(harnesses), context.memory, forgery_lasts)
            evidence = cached(EvidenceVerifier(harnesses, strict=True), context.memory, evidence_lasts)
            joining = ("running the tests that no name leads to", others)
            apart = ("trying it apart from its tests", forgery)
            wrong = ("running the tests on wrong versions of it", evidence)
            # Nobody is paid to judge what the tests may refuse.
            asked = [joining, *paid, apart, wrong] if paid else [apart, wrong, joining]
            if all(verdict.ruling is Ruling.PASSED for verdict in verdicts):
                questions.begin((others, forgery, evidence))
        for message, verifier in asked:
            if any(verdict.ruling is not Ruling.PASSED for verdict in verdicts):
                break
            say(message)
            verdict = await questions.ask(verifier)
            if verifier is others:
                last = len(read) + len(tested) - 1
                verdicts[last] = _joined(verdicts[last], verdict)
            else:
                verdicts.append(verdict)
    reached = {verdict.verifier for verdict in verdicts}
    standing = Standing(
        resolved=resolved,
        report=Report(candidate_id=own_text.id, verdicts=tuple(verdicts)),
        baseline=problem.baseline,
        seconds=round(time.monotonic() - began, 3),
        not_run=tuple(
            verifier.name for _, verifier in asked if verifier is not others and verifier.name not in reached
        ),
        lasts=_all_last(verdicts, problem, resolved),
    )
    return standing, problem


async def _state(
    resolved: ResolvedRequest,
    context: ExecutionContext,
    say: Callable[[str], None],
    toolbox: Toolbox,
    begun: Callable[[Harness], object],
) -> Problem:
    """State the problem while the project's tools read the text.

    They compare, and find nothing new in what changes nothing; which of them could judge is said all the same.
    """
    tried = TriedTools()

    async def read() -> None:
        nonlocal tried
        tried = await try_tools(_unproved(resolved), toolbox)

    async with side_by_side() as group:
        group.start_soon(read)
        problem = await state_problem(resolved, context, say, begun=begun)
    return tried.added_to(problem)


def _unproved(resolved: ResolvedRequest) -> Problem:
    """Return the problem before any of its tests has run."""
    return Problem(
        root=resolved.root,
        path=resolved.path,
        text=resolved.request.text,
        target=resolved.target,
        goal=Goal.REPAIR,
        unsaved=resolved.unsaved,
    )


def _own_checks(resolved: ResolvedRequest, toolbox: Toolbox, models: Models) -> Iterator[tuple[str, Verifier]]:
    """Yield the user's own checks and criteria, each with what is said while it is asked."""
    if resolved.settings.verify.custom:
        yield "asking your own checks", toolbox.custom()
    for gate in gates(resolved.settings.criteria, models):
        yield f"putting {gate.name} to the vote", gate


def _all_last(verdicts: Sequence[Verdict], problem: Problem, resolved: ResolvedRequest) -> bool:
    """True if another run on exactly this state of the project would reach the same verdicts."""
    # Checks of the user's own and votes depend on more than the project.
    depends_on_more = resolved.settings.verify.custom or resolved.settings.criteria
    return problem.baseline_run.lasts and not depends_on_more and all(map(_lasts, verdicts))


def _lasts(verdict: Verdict) -> bool:
    """True if another run would reach the same verdict; that of the baseline's tests is known to last elsewhere."""
    rules = {"forgery": forgery_lasts, "evidence": evidence_lasts, "tests": _ended}
    return rules.get(verdict.verifier, _is_decided)(verdict)


def _ended(verdict: Verdict) -> bool:
    return verdict.ruling is Ruling.UNDECIDED or tests_last(verdict)


def _is_decided(verdict: Verdict) -> bool:
    return verdict.ruling is not Ruling.UNDECIDED


async def _with_strength(
    standing: Standing,
    problem: Problem,
    context: ExecutionContext,
    say: Callable[[str], None],
    budget: StrengthBudget,
    changed: Collection[int],
) -> Standing:
    """Return a report with the strength of its tests."""
    began = time.monotonic()
    seed = standing.resolved.settings.search.seed
    measured = await strength_of(problem, context, say, seed=seed, budget=budget, changed=changed)
    report = replace(standing.report, strength=measured)
    # Changes that were left out for lack of time would be tried by another run.
    is_whole = measured.tried >= min(measured.possible, budget.mutants) and not measured.unsettled
    return replace(
        standing,
        report=report,
        seconds=round(standing.seconds + time.monotonic() - began, 3),
        lasts=standing.lasts and is_whole,
    )


def _joined(verdict: Verdict, remaining: Verdict) -> Verdict:
    """Return the verdict of the tests, joined with that of the tests left out of the baseline."""
    if remaining.ruling is Ruling.PASSED:
        return replace(verdict, findings=(*verdict.findings, *remaining.findings))
    return replace(verdict, ruling=remaining.ruling, findings=remaining.findings, remembered=False)


def _refuse_test(resolved: ResolvedRequest) -> None:
    """Raise BadRequest if the target is a test, which no other test exercises; name the functions that it calls."""
    if test_of(resolved) is None:
        return
    called = tested_functions(resolved)
    such = f", as {' or '.join(called)}" if called else ""
    raise BadRequest(
        f"verify takes a function, and {resolved.target.short_name} is a test; name the function that it tests{such}"
    )


def _tested(problem: Problem, isolation: str) -> Iterator[Verdict]:
    """Return a verdict for each kind of test that reaches the target."""
    tests = problem.baseline.tests
    kinds = {
        "doctests": [test for test in tests if test.is_doctest],
        "tests": [test for test in tests if not test.is_doctest],
    }
    remembered = problem.baseline_run.remembered
    return (
        replace(_verdict(verifier, known, isolation), remembered=remembered)
        for verifier, known in kinds.items()
        if known
    )


def _verdict(verifier: str, known: list[KnownTest], isolation: str) -> Verdict:
    """Return the verdict of these tests on the target; it stays open if none passed, for then nothing is proved."""
    rulings = [test.ruling for test in known]
    passed, failed = rulings.count(Ruling.PASSED), rulings.count(Ruling.FAILED)
    return Verdict(
        verifier=verifier,
        ruling=Ruling.FAILED if failed else Ruling.PASSED if passed else Ruling.UNDECIDED,
        findings=tuple(
            Finding(message=f"{test.id}: {test.message}" if test.message else test.id)
            for test in known
            if test.ruling is not Ruling.PASSED
        ),
        seconds=round(sum(test.seconds for test in known), 4),
        tests=TestEvidence(
            collected=len(known),
            ran=len(known),
            passed=passed,
            failed=failed,
            skipped=len(known) - passed - failed,
            seconds=round(sum(test.seconds for test in known), 4),
            touched=True,
            isolation=isolation,
            failing=tuple(test.id for test in known if test.ruling is Ruling.FAILED),
            unrun=tuple(test.id for test in known if test.ruling is Ruling.UNDECIDED),
        ),
    )
