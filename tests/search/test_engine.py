"""A search grants before it works, judges each candidate once, names the best, and always says how it ended."""

from __future__ import annotations

from dataclasses import replace

import anyio
import pytest

from certo.costs.measures import EditSize
from certo.costs.model import CostModel
from certo.generation.scripted import ScriptedGenerator, ScriptedProposal
from certo.search.board import SearchState
from certo.search.emitter import EventEmitter
from certo.search.engine import Parts, search
from certo.strategies.retry import Retry, RetryOptions
from certo.verification.verifier import Pipeline
from certo.vocabulary.cost import Budget
from certo.vocabulary.events import (
    CandidateProposed,
    CandidateScored,
    Event,
    SearchStarted,
    SearchStopped,
    VerdictReached,
)
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import FLAKY, Baseline, Goal, KnownTest, Problem
from certo.vocabulary.verdict import Ruling
from support.search.candidates import problem
from support.search.text_verifiers import Wants

WRONG = ScriptedProposal(source="def half(n):\n    return n - 1")
RIGHT = ScriptedProposal(source="def half(n):\n    return n // 2")
LONG = ScriptedProposal(source="def half(n):\n    result = n // 2\n    return result")


async def run(
    *replies: ScriptedProposal,
    budget: Budget | None = None,
    verifier: Wants | None = None,
    asked: Problem | None = None,
    cost_model: CostModel | None = None,
    **retry,
) -> list[Event]:
    """Run one search over a script and return its events."""
    events: list[Event] = []
    parts = Parts(
        generator=ScriptedGenerator(replies),
        strategy=Retry(RetryOptions(**retry)),
        pipeline=Pipeline(verifiers=(verifier or Wants("// 2"),)),
        cost_model=cost_model or EditSize(),
    )
    with anyio.fail_after(100):
        emitter = EventEmitter("s1", events.append)
        await search(asked or problem(), parts=parts, budget=budget or Budget(), emitter=emitter)
    return events


def stopped(events: list[Event]) -> SearchStopped:
    (last,) = [event for event in events if isinstance(event, SearchStopped)]
    assert events[-1] is last
    return last


async def test_passing_candidate_wins_with_its_evidence():
    last = stopped(await run(RIGHT))
    assert last.outcome is Outcome.SOLVED
    assert last.verified
    assert last.winner is not None
    assert last.winner.source == "def half(n):\n    return n // 2\n"
    assert "+    return n // 2" in last.winner.diff
    assert last.winner.evidence.verified


async def test_events_are_numbered_without_gaps():
    """They go from one start to one stop."""
    events = await run(WRONG, RIGHT)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert isinstance(events[0], SearchStarted)
    assert isinstance(events[-1], SearchStopped)


async def test_failed_candidate_is_the_next_ones_parent():
    events = await run(WRONG, RIGHT, num_candidates=1)
    first, second = [event for event in events if isinstance(event, CandidateProposed)]
    assert second.parent == first.candidate_id
    assert (second.origin.slot, second.origin.attempt) == (0, 1)


async def test_the_cheapest_of_several_is_the_winner():
    last = stopped(await run(LONG, RIGHT, select="cheapest", num_candidates=2, first_try=False, max_iterations=1))
    assert last.winner is not None
    assert "result" not in last.winner.source


async def test_equal_candidates_are_judged_once():
    """The second one costs nothing more."""
    verifier = Wants("// 2")
    events = await run(WRONG, WRONG, WRONG, WRONG, verifier=verifier)
    assert len(verifier.judged) == 1
    assert stopped(events).spent.candidates == 1


async def test_the_budget_of_candidates_is_never_exceeded():
    verifier = Wants("nowhere to be found")
    replies = [ScriptedProposal(source=f"def half(n):\n    return {n}") for n in range(9)]
    last = stopped(await run(*replies, verifier=verifier, budget=Budget(candidates=4), num_candidates=5))
    assert len(verifier.judged) == 4
    assert last.outcome is Outcome.BUDGET_SPENT


async def test_time_limit_keeps_the_best_candidate():
    never = ScriptedProposal(source=RIGHT.source, delay_seconds=3600)
    replies = (LONG, never)
    options = {"select": "cheapest", "first_try": False, "num_candidates": 2}
    last = stopped(await run(*replies, budget=Budget(seconds=2.0), **options))
    assert last.winner is not None
    assert "result" in last.winner.source


async def test_time_limit_without_candidates_is_named():
    last = stopped(await run(ScriptedProposal(source=RIGHT.source, delay_seconds=3600), budget=Budget(seconds=0.1)))
    assert last.outcome is Outcome.BUDGET_SPENT
    assert last.winner is None
    assert last.spent.candidates == 0


async def test_exhausted_generator_gives_its_reason():
    last = stopped(await run(ScriptedProposal(decline="I cannot read minds")))
    assert last.outcome is Outcome.EXHAUSTED
    assert last.reason == "I cannot read minds"


async def test_refunded_grant_is_not_spent():
    last = stopped(await run(WRONG, ScriptedProposal(decline="no more"), budget=Budget(candidates=2)))
    assert (last.outcome, last.reason) == (Outcome.EXHAUSTED, "no more")
    assert last.spent.candidates == 1


async def test_untested_candidate_is_never_verified():
    last = stopped(await run(RIGHT, verifier=Wants("// 2", touched=False)))
    assert last.outcome is Outcome.UNVERIFIED
    assert not last.verified


@pytest.mark.parametrize(
    ("ruling", "outcome"),
    [
        (Ruling.PASSED, Outcome.NOTHING_TO_FIX),
        (Ruling.UNDECIDED, Outcome.NOTHING_TO_GO_BY),
        (None, Outcome.NOTHING_TO_GO_BY),
    ],
)
async def test_repair_without_failing_tests_stops_immediately(ruling, outcome):
    """It claims passing tests only if there are some."""
    tests = () if ruling is None else (KnownTest(id="tests/test_half.py::test_half", ruling=ruling),)
    events = await run(RIGHT, asked=replace(problem(), baseline=Baseline(tests=tests)))
    assert (stopped(events).outcome, stopped(events).reason) == (outcome, "")
    assert not any(isinstance(event, CandidateProposed) for event in events)


@pytest.mark.parametrize("tests_first", [True, False])
async def test_untested_rewrite_waits_for_tests(tests_first):
    asked = replace(problem(), goal=Goal.REWRITE, baseline=Baseline(), tests_first=tests_first)
    events = await run(RIGHT, asked=asked)
    assert (stopped(events).outcome is Outcome.NOTHING_TO_GO_BY) is tests_first
    assert any(isinstance(event, CandidateProposed) for event in events) is not tests_first


async def test_lone_flaky_test_is_named() -> None:
    """It is named if no other test fails."""
    aside = tuple(KnownTest(id=f"test_half.py::test_{n}", ruling=Ruling.UNDECIDED, message=FLAKY) for n in (1, 2))
    last = stopped(await run(RIGHT, asked=replace(problem(), baseline=Baseline(set_aside=aside))))
    assert last.outcome is Outcome.NOTHING_TO_GO_BY
    assert last.reason.startswith(f"test_half.py::test_1 (and 1 more) {FLAKY}")


async def test_cancellation_is_emitted_first():
    """The event comes before the cancellation goes on."""
    events: list[Event] = []
    parts = Parts(
        generator=ScriptedGenerator((ScriptedProposal(source=RIGHT.source, delay_seconds=3600),)),
        strategy=Retry(RetryOptions()),
        pipeline=Pipeline(verifiers=(Wants("// 2"),)),
        cost_model=EditSize(),
    )

    async def begin() -> None:
        await search(problem(), parts=parts, budget=Budget(), emitter=EventEmitter("s1", events.append))

    async with anyio.create_task_group() as group:
        group.start_soon(begin)
        await anyio.wait_all_tasks_blocked()
        group.cancel_scope.cancel()
    assert stopped(events).outcome is Outcome.CANCELLED


async def test_a_full_report_asks_every_verifier():
    events: list[Event] = []
    pipeline = Pipeline(verifiers=(Wants("nothing"), Wants("// 2")), full=True)
    parts = Parts(
        generator=ScriptedGenerator((RIGHT,)),
        strategy=Retry(RetryOptions(num_candidates=1, max_iterations=1)),
        pipeline=pipeline,
        cost_model=EditSize(),
    )
    await search(problem(), parts=parts, budget=Budget(), emitter=EventEmitter("s1", events.append))
    assert len([event for event in events if isinstance(event, VerdictReached)]) == 2
    assert stopped(events).winner is None


async def test_the_board_knows_what_the_events_said():
    board = SearchState()
    for event in await run(WRONG, RIGHT, LONG, num_candidates=1):
        board.apply(event)
    assert [row.passed for row in board.rows.values()] == [False, True]
    (best,) = board.ranked()
    assert board.best == best.candidate_id
    assert best.number == 2
    assert board.stopped is not None


@pytest.mark.parametrize("wrong", [{"candidates": 0}, {"seconds": 0}, {"seconds": float("nan")}])
def test_a_budget_that_grants_nothing_is_refused(wrong):
    with pytest.raises(ValueError, match="a budget needs"):
        Budget(**wrong)


@pytest.mark.acceptance(37)
@pytest.mark.parametrize("slow_first", [True, False])
async def test_earlier_proposal_wins_equal_costs(slow_first: bool):
    """Cost decides, then arrival, whichever was judged sooner."""

    class Sleepy(Wants):
        async def judge(self, candidate, problem, /):
            await anyio.sleep(0.05 if ("n & 1" in candidate.text) == slow_first else 0.0)
            return await super().judge(candidate, problem)

    same = ScriptedProposal(source="def half(n):\n    return n & 1")
    options = {"select": "cheapest", "num_candidates": 2, "first_try": False, "max_iterations": 1}
    events = await run(
        same, ScriptedProposal(source="def half(n):\n    return n % 1"), verifier=Sleepy("return n"), **options
    )
    costs = [event.cost for event in events if isinstance(event, CandidateScored)]
    assert len(costs) == 2
    assert costs[0] == costs[1]
    winner = stopped(events).winner
    assert winner is not None
    assert "n & 1" in winner.source


@pytest.mark.acceptance(37)
async def test_failing_cost_loses_no_passing_candidate():
    """The one it cannot price comes last, and says why."""

    class Picky:
        async def price(self, candidate, report, asked, /):
            if "result" not in candidate.text:
                raise RuntimeError("not that one")
            return await EditSize().price(candidate, report, asked)

    options = {"select": "cheapest", "num_candidates": 2, "first_try": False, "max_iterations": 1}
    events = await run(RIGHT, LONG, cost_model=Picky(), **options)
    scored = [event.cost for event in events if isinstance(event, CandidateScored) and event.cost]
    assert [cost.source for cost in scored if not cost.known] == ["not priced: RuntimeError: not that one"]
    winner = stopped(events).winner
    assert winner is not None
    assert "result" in winner.source
    assert stopped(await run(RIGHT, cost_model=Picky())).outcome is Outcome.SOLVED
