"""A winner made smaller: what its checks do without goes, and nothing is called verified that was not judged so."""

from __future__ import annotations

from dataclasses import replace

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.costs.measures import EditSize
from certo.generation.scripted import ScriptedGenerator, ScriptedProposal
from certo.search.emitter import EventEmitter
from certo.search.engine import Parts, search
from certo.search.winner import Minimizer
from certo.strategies.retry import Retry, RetryOptions
from certo.verification.static.syntax import SyntaxVerifier
from certo.verification.verifier import Pipeline
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Budget
from certo.vocabulary.events import CandidateProposed, Event, SearchStopped, VerdictReached
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Goal, Problem
from certo.vocabulary.verdict import Ruling, TestEvidence, Verdict
from support.search.candidates import problem

pytestmark = pytest.mark.acceptance(43)

LINES = 12
BASE = (
    "def half(n):\n"
    + "".join(f"    x{number} = {number}\n    # {number}\n" for number in range(LINES))
    + "    return n\n"
)

SMALLER = Minimizer()


class Needs:
    """Passes a candidate that has the changes of all the lines that are needed, as a test would."""

    name = "tests"

    def __init__(self, needed: frozenset[int], *, seconds: float = 0.0, touched: bool = True) -> None:
        self._needed = needed
        self._seconds = seconds
        self._touched = touched

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        await anyio.sleep(self._seconds)
        has = all(f"x{number} = -{number}\n" in candidate.text for number in self._needed)
        evidence = TestEvidence(
            collected=1, ran=1, passed=int(has), failed=int(not has), skipped=0, touched=self._touched
        )
        return Verdict(verifier=self.name, ruling=Ruling.PASSED if has else Ruling.FAILED, tests=evidence)


def changed(numbers: range | frozenset[int]) -> str:
    """The function with these lines changed."""
    text = BASE
    for number in numbers:
        text = text.replace(f"x{number} = {number}\n", f"x{number} = -{number}\n")
    return text


async def run(
    tests: Needs,
    *,
    compaction: Minimizer | None = SMALLER,
    budget: Budget | None = None,
    asked: Problem | None = None,
    reply: str = "",
) -> tuple[list[Event], SearchStopped]:
    events: list[Event] = []
    parts = Parts(
        generator=ScriptedGenerator((ScriptedProposal(source=(reply or changed(range(LINES))).rstrip("\n")),)),
        strategy=Retry(RetryOptions()),
        pipeline=Pipeline(verifiers=(SyntaxVerifier(), tests)),
        cost_model=EditSize(),
        compaction=compaction,
    )
    with anyio.fail_after(100):
        emitter = EventEmitter("s1", events.append)
        await search(asked or problem(text=BASE), parts=parts, budget=budget or Budget(), emitter=emitter)
    assert isinstance(events[-1], SearchStopped)
    return events, events[-1]


def source(stopped: SearchStopped) -> str:
    assert stopped.winner is not None
    return stopped.winner.source


@given(st.frozensets(st.integers(1, LINES - 1), min_size=1))
def test_minimised_edit_keeps_only_needed_changes(needed: frozenset[int]) -> None:
    events, stopped = anyio.run(lambda: run(Needs(needed), budget=Budget(candidates=500)))
    assert source(stopped) == changed(needed)
    assert stopped.outcome is Outcome.SOLVED
    # What is shown was judged on exactly that text.
    assert stopped.winner is not None
    verdicts = [event.verdict for event in events if isinstance(event, VerdictReached)]
    assert stopped.winner.evidence.verified
    assert all(verdict in verdicts for verdict in stopped.winner.evidence.verdicts)


async def test_minimisation_steps_are_candidates_with_parents() -> None:
    events, stopped = await run(Needs(frozenset({3})))
    first, *others = [event for event in events if isinstance(event, CandidateProposed)]
    assert others[0].parent == first.candidate_id
    assert {event.origin.generator for event in others} == {"compaction"}
    assert others[0].origin.note == f"6 of 12 changes of {first.candidate_id}"
    assert len({event.candidate_id for event in (first, *others)}) == len(others) + 1
    assert stopped.spent.candidates == len(others) + 1


async def test_minimisation_ends_with_the_budget() -> None:
    """It keeps the smallest edit so far."""
    _events, stopped = await run(Needs(frozenset({3, 9})), budget=Budget(candidates=4))
    assert stopped.outcome is Outcome.SOLVED
    assert stopped.spent.candidates == 4
    assert "x3 = -3\n" in source(stopped)
    assert "x9 = -9\n" in source(stopped)


async def test_minimisation_ends_with_the_time() -> None:
    """It keeps the smallest edit so far."""
    _events, stopped = await run(Needs(frozenset({3}), seconds=0.05), budget=Budget(seconds=0.3))
    assert stopped.outcome is Outcome.SOLVED
    assert "x3 = -3\n" in source(stopped)


@pytest.mark.parametrize("case", ["off", "asked for in words", "not verified"])
async def test_a_candidate_is_left_alone(case: str) -> None:
    asked = replace(problem(text=BASE), goal=Goal.REWRITE if case == "asked for in words" else Goal.REPAIR)
    tests = Needs(frozenset({3}), touched=case != "not verified")
    events, stopped = await run(tests, asked=asked, compaction=None if case == "off" else SMALLER)
    assert source(stopped) == changed(range(LINES))
    assert len([event for event in events if isinstance(event, CandidateProposed)]) == 1


async def test_the_target_is_formatted_and_judged_again() -> None:
    async def formatter(candidate: Candidate, problem: Problem) -> str:
        return candidate.text.replace("-  3", "-3")

    untidy = changed(frozenset({3})).replace("x3 = -3\n", "x3 = -  3\n")
    events, stopped = await run(Needs(frozenset()), compaction=Minimizer(formatter=formatter), reply=untidy)
    assert source(stopped) == changed(frozenset({3}))
    assert [event.origin.note.partition(", ")[2] for event in events if isinstance(event, CandidateProposed)][-1] == (
        "formatted"
    )

    async def breaking(candidate: Candidate, problem: Problem) -> str:
        return candidate.text.replace("x3 = -3", "x3 = - 3")

    _events, stopped = await run(Needs(frozenset({3})), compaction=Minimizer(formatter=breaking))
    assert source(stopped) == changed(frozenset({3}))
