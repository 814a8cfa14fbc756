"""Verifiers that are asked before their turn, while a stepwise one confirms what its first run has shown."""

from __future__ import annotations

from collections.abc import Callable

import anyio
import pytest

from certo.verification.verdict_cache import CachingVerifier
from certo.verification.verifier import Pipeline, Verifier
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.errors import BrokenWorld
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Report, Ruling, Verdict
from support.search.candidates import HALF, problem


class Confirms:
    """A stepwise verifier that passes the first run, and ends when `go` is set."""

    name = "tests"

    def __init__(self, ruling: Ruling = Ruling.PASSED) -> None:
        self.ruling = ruling
        self.go = anyio.Event()

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        return await self.judge_in_steps(candidate, problem, lambda: None)

    async def judge_in_steps(
        self, candidate: Candidate, problem: Problem, passed_once: Callable[[], None], /
    ) -> Verdict:
        passed_once()
        await self.go.wait()
        return Verdict(verifier=self.name, ruling=self.ruling)


class Asked:
    """A verifier that calls `then` when it is asked, and raises `error` if there is one."""

    def __init__(self, name: str, then: Callable[[], None], error: Exception | None = None) -> None:
        self.name = name
        self.then = then
        self.error = error

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        self.then()
        if self.error is not None:
            raise self.error
        return Verdict(verifier=self.name, ruling=Ruling.PASSED)


async def judged(*verifiers: Verifier, full: bool = False) -> tuple[Report, list[str]]:
    """Judge a candidate; return its report, and the names of verifiers as they were reported to start and to rule."""
    told: list[str] = []
    candidate = Candidate(id="c", edits=(), text=HALF, origin=Origin(generator="user"))
    pipeline = Pipeline(verifiers=verifiers, full=full, early=frozenset({"forgery"}))
    with anyio.fail_after(60):
        report = await pipeline.judge(
            candidate,
            problem(),
            started=lambda name: told.append(f"? {name}"),
            reached=lambda verdict: told.append(f"! {verdict.verifier}"),
        )
    return report, told


async def test_early_verifier_begins_beside_confirming_runs() -> None:
    """The first ends only once the second was asked; both are reported in their order."""
    tests = Confirms()
    report, told = await judged(tests, Asked("forgery", tests.go.set))
    assert report.passed
    assert told == ["? tests", "! tests", "? forgery", "! forgery"]


async def test_other_verifiers_wait_for_their_turn() -> None:
    tests = Confirms()
    asked: list[bool] = []
    await judged(tests, Asked("vote", lambda: asked.append(tests.go.is_set())), Asked("forgery", tests.go.set))
    assert asked == [True]


async def test_early_verdict_of_refused_candidate_is_dropped() -> None:
    tests = Confirms(Ruling.FAILED)
    report, told = await judged(tests, Asked("forgery", tests.go.set))
    assert not report.passed
    assert told == ["? tests", "! tests"]


async def test_early_error_is_raised_in_its_turn() -> None:
    """Of a candidate that is refused before, it says nothing."""
    tests = Confirms(Ruling.FAILED)
    report, _ = await judged(tests, Asked("forgery", tests.go.set, BrokenWorld("no sandbox")))
    assert [verdict.verifier for verdict in report.verdicts] == ["tests"]
    tests = Confirms()
    with pytest.raises(BrokenWorld, match="no sandbox"):
        await judged(tests, Asked("forgery", tests.go.set, BrokenWorld("no sandbox")))


class Forgets:
    """A memory of verdicts that knows none."""

    async def circumstances(self, policy: object, /) -> dict[str, object]:
        return {}

    def when_known(self, policy: object, then: object, /) -> None:
        return None

    def may_recall(self, verifier: str, /) -> bool:
        return True

    def recall(self, key: str, /) -> None:
        return None

    def keep(self, key: str, verdict: Verdict, /) -> None:
        return None


async def test_cached_verifier_tells_its_first_run() -> None:
    tests = Confirms()
    forgery = Asked("forgery", tests.go.set)
    cached = [CachingVerifier(each, Forgets(), lambda _: True) for each in (tests, forgery)]
    report, _ = await judged(*cached)
    assert report.passed
