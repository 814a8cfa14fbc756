"""A caching verifier gives the verdict of the verifier within it, and marks it as remembered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.edits.target import ByName, find_target
from certo.sandbox.executor import Policy
from certo.verification.dynamic.forgery import NEXT_TIME
from certo.verification.verdict_cache import CachingVerifier, forgery_lasts, key_of, tools_last
from certo.verification.verdict_cache import tests_last as lasts_of_tests
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.guidance import Example, Guidance
from certo.vocabulary.problem import Baseline, BaselineRun, Goal, KnownTest, Problem
from certo.vocabulary.verdict import APART, TOGETHER, Finding, Ruling, TestEvidence, Verdict
from support.search.value_strategies import any_of

BASE = "def double(n):\n    return n * 3\n"
TEXT = BASE.replace("3", "2")
CANDIDATE = Candidate(id="c0ffee", edits=(), text=TEXT, origin=Origin(generator="scripted"))
PROBLEM = Problem(
    root=Path("/home/me/sums"),
    path="sums.py",
    text=BASE,
    target=find_target(BASE, ByName("double"), path="sums.py"),
    goal=Goal.REPAIR,
    baseline=Baseline(tests=(KnownTest(id="test_sums.py::test_double", ruling=Ruling.FAILED),)),
    baseline_run=BaselineRun(tools=("ruff",)),
    unsaved={"other.py": "X = 1\n"},
)
CIRCUMSTANCES = {"fingerprint": "f00", "settings": [{"seconds": 10.0}]}


@dataclass(slots=True)
class Shelf:
    """A memory that lasts as long as this process."""

    known: Mapping[str, object] | None = field(default_factory=lambda: CIRCUMSTANCES)
    kept: dict[str, Verdict] = field(default_factory=dict)

    async def circumstances(self, policy: Policy, /) -> Mapping[str, object] | None:
        return self.known

    def when_known(self, policy: Policy, then: Callable[[Mapping[str, object]], None], /) -> None:
        if self.known is not None:
            then(self.known)

    def may_recall(self, verifier: str, /) -> bool:
        return bool(self.kept)

    def recall(self, key: str, /) -> Verdict | None:
        return self.kept.get(key)

    def keep(self, key: str, verdict: Verdict, /) -> None:
        self.kept[key] = verdict


@dataclass(slots=True)
class Says:
    """A verifier that has one thing to say; `asked` counts how often."""

    verdict: Verdict
    asked: int = 0

    @property
    def name(self) -> str:
        return self.verdict.verifier

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        self.asked += 1
        return self.verdict


def judged(verifier: CachingVerifier, problem: Problem = PROBLEM, candidate: Candidate = CANDIDATE) -> Verdict:
    return anyio.run(verifier.judge, candidate, problem)


@given(any_of(Verdict), st.sampled_from((lasts_of_tests, tools_last, forgery_lasts)))
def test_only_lasting_verdicts_are_remembered(verdict, lasts):
    """A remembered verdict is the same but for the mark; others are asked for again."""
    verdict = replace(verdict, remembered=False)
    within, memory = Says(verdict), Shelf()
    verifier = CachingVerifier(within, memory, lasts)
    first, second = judged(verifier), judged(verifier)
    assert verifier.name == verdict.verifier
    assert first == verdict
    assert second == replace(verdict, remembered=lasts(verdict))
    assert within.asked == (1 if lasts(verdict) else 2)
    assert len(memory.kept) == int(lasts(verdict))


PASSED = Verdict(verifier="tests", ruling=Ruling.PASSED)


class Slow(Shelf):
    """A memory whose circumstances are known only after the first verdict."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[Callable[[Mapping[str, object]], None]] = []

    async def circumstances(self, policy: Policy, /) -> Mapping[str, object] | None:
        assert not self.waiting, "a verdict waits for the circumstances of the one before it"
        return await super().circumstances(policy)

    def when_known(self, policy: Policy, then: Callable[[Mapping[str, object]], None], /) -> None:
        self.waiting.append(then)


def test_first_verdict_awaits_no_circumstances():
    within, memory = Says(PASSED), Slow()
    verifier = CachingVerifier(within, memory, lasts_of_tests)
    assert (judged(verifier), judged(verifier), memory.kept) == (PASSED, PASSED, {})
    for then in memory.waiting:
        then(CIRCUMSTANCES)
    memory.waiting.clear()
    assert judged(verifier) == replace(PASSED, remembered=True)
    assert within.asked == 2


def test_unknown_circumstances_prevent_remembering():
    within, memory = Says(PASSED), Shelf(known=None)
    verifier = CachingVerifier(within, memory, lasts_of_tests)
    assert (judged(verifier), judged(verifier), within.asked, memory.kept) == (PASSED, PASSED, 2, {})


@pytest.mark.parametrize("policy", [policy for policy in Policy if policy is not Policy.STRICT])
def test_wider_policies_prevent_remembering(policy):
    problem = replace(PROBLEM, baseline=replace(PROBLEM.baseline, policy=policy.value))
    within, memory = Says(PASSED), Shelf()
    verifier = CachingVerifier(within, memory, lasts_of_tests)
    assert (judged(verifier, problem), judged(verifier, problem)) == (PASSED, PASSED)
    assert (within.asked, memory.kept) == (2, {})


def test_verdicts_of_other_verifiers_are_ignored():
    within, memory = Says(PASSED), Shelf()
    memory.keep(key_of("tests", CANDIDATE, PROBLEM, CIRCUMSTANCES), replace(PASSED, verifier="types"))
    assert judged(CachingVerifier(within, memory, lasts_of_tests)) == PASSED
    assert within.asked == 1


def with_baseline(**changes: object) -> Problem:
    return replace(PROBLEM, baseline=replace(PROBLEM.baseline, **changes))


OTHERS: Mapping[str, Callable[[], str]] = {
    "the verifier": lambda: key_of("types", CANDIDATE, PROBLEM, CIRCUMSTANCES),
    "the candidate": lambda: key_of("tests", replace(CANDIDATE, text=BASE), PROBLEM, CIRCUMSTANCES),
    "what there is": lambda: key_of("tests", CANDIDATE, PROBLEM, {**CIRCUMSTANCES, "fingerprint": "f01"}),
    "a setting": lambda: key_of("tests", CANDIDATE, PROBLEM, {**CIRCUMSTANCES, "settings": [{"seconds": 9.0}]}),
    "the root": lambda: of(replace(PROBLEM, root=Path("/home/me/other"))),
    "the path": lambda: of(replace(PROBLEM, path="other.py")),
    "the base text": lambda: of(replace(PROBLEM, text=BASE + "\n")),
    "an unsaved document": lambda: of(replace(PROBLEM, unsaved={"other.py": "X = 2\n"})),
    "the target": lambda: of(replace(PROBLEM, target=replace(PROBLEM.target, number=1))),
    "the tests": lambda: of(with_baseline(tests=())),
    "how a test stood": lambda: of(
        with_baseline(tests=(KnownTest(id="test_sums.py::test_double", ruling=Ruling.PASSED),))
    ),
    "the tools": lambda: of(replace(PROBLEM, baseline_run=BaselineRun(tools=("flake8",)))),
    "an example": lambda: of(
        replace(PROBLEM, guidance=Guidance(examples=(Example(id="example 1", source="double(1)", expected="2"),)))
    ),
}


def of(problem: Problem) -> str:
    return key_of("tests", CANDIDATE, problem, CIRCUMSTANCES)


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS.keys())
def test_each_dependency_changes_the_key(other):
    assert other() != of(PROBLEM)


def test_volatile_details_do_not_change_the_key():
    [known] = PROBLEM.baseline.tests
    run = replace(PROBLEM.baseline_run, libraries=("json",), characters=True, early=True)
    again = with_baseline(tests=(replace(known, seconds=3.0, message="at 0x7f2"),))
    assert of(replace(again, baseline_run=run)) == of(PROBLEM)


def test_lone_surrogates_have_a_key_too():
    assert key_of("tests", replace(CANDIDATE, text="'\ud800'"), PROBLEM, CIRCUMSTANCES) != of(PROBLEM)


EVIDENCE = TestEvidence(collected=2, ran=2, passed=1, failed=1, skipped=0)
RED = Verdict(verifier="tests", ruling=Ruling.FAILED, findings=(Finding(message="test_a: assert 1"),), tests=EVIDENCE)


@pytest.mark.parametrize(
    ("verdict", "lasts"),
    [
        (PASSED, True),
        (RED, True),
        (replace(RED, ruling=Ruling.UNDECIDED), False),
        (replace(RED, tests=None), False),
        (replace(RED, tests=replace(EVIDENCE, ran=1)), False),
        (replace(RED, tests=replace(EVIDENCE, passed=2, failed=0)), False),
        (replace(RED, findings=(Finding(message="test_a: did not end within 2 s"),)), False),
        (replace(RED, findings=RED.findings * 11), False),
    ],
)
def test_test_verdicts_last_after_complete_runs(verdict, lasts):
    assert lasts_of_tests(verdict) is lasts


@pytest.mark.parametrize(
    ("ruling", "assurance", "lasts"),
    [
        (Ruling.PASSED, APART, True),
        (Ruling.PASSED, f"{APART}; {TOGETHER} for 1 of 2 tests: it hands over", True),
        (Ruling.PASSED, f"{APART}; {TOGETHER} for 1 of 2 tests: it did not end ({NEXT_TIME})", False),
        (Ruling.PASSED, "", False),
        (Ruling.FAILED, "", False),
        (Ruling.UNDECIDED, "", False),
    ],
)
def test_forgery_lasts_unless_time_was_short(ruling, assurance, lasts):
    assert forgery_lasts(Verdict(verifier="forgery", ruling=ruling, assurance=assurance)) is lasts
