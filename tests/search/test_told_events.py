"""What a search tells besides verdicts: pieces of answers, votes as they come, places among those that passed."""

from __future__ import annotations

import anyio
import pytest

from certo.costs.criteria import CriterionCost
from certo.costs.measures import EditSize
from certo.costs.model import CostModel
from certo.criteria.combination import AllOf
from certo.criteria.qualitative import QualitativeCriteria
from certo.criteria.quantitative import QuantitativeCriteria
from certo.edits.diff import hunks_of
from certo.llm.prompt import ToolUse
from certo.search.board import SearchState
from certo.search.emitter import EventEmitter
from certo.search.engine import Parts, search
from certo.strategies.retry import Retry, RetryOptions
from certo.verification.criteria import CriterionVerifier
from certo.verification.verifier import Pipeline, Verifier
from certo.vocabulary.cost import Budget
from certo.vocabulary.events import (
    BestImproved,
    CandidateProposed,
    CandidateRanked,
    CandidateScored,
    CandidateWritten,
    Event,
    ModelLooked,
    SearchPreparing,
    VerdictReached,
    VoteCast,
)
from support.models.model_generator import block, generator
from support.models.scripted_answers import Answers, reply
from support.models.scripted_judges import Judge, Says
from support.search.candidates import HALF, problem
from support.search.text_verifiers import Wants


def answering(*returned: str) -> Answers:
    """A model that writes these, one after the other."""
    return Answers([reply(block(f"def half(n):\n    return {each}")) for each in returned])


async def run(model: Answers, *verifiers: Verifier, cost: CostModel | None = None, **retry: object) -> list[Event]:
    """Run one search and return its events."""
    events: list[Event] = []
    parts = Parts(
        generator=generator(model),
        strategy=Retry(RetryOptions(**retry)),
        pipeline=Pipeline(verifiers=(Wants("return"), *verifiers)),
        cost_model=cost or EditSize(),
    )
    with anyio.fail_after(100):
        await search(problem(), parts=parts, budget=Budget(), emitter=EventEmitter("s1", events.append))
    return events


async def test_votes_come_before_their_verdict() -> None:
    """They are emitted one by one."""
    judge = Judge('{"vote": true, "reason": "it halves"}', ValueError("busy"), "maybe")
    asked = QualitativeCriteria("Is it right?", judge, num_samples=3, min_pass=3, name="right")
    other = QualitativeCriteria("Is it short?", Judge("yes"), name="short")
    events = await run(answering("n // 2"), CriterionVerifier(AllOf(asked, other, name="both")), max_iterations=1)
    (candidate,) = {event.candidate_id for event in events if isinstance(event, CandidateProposed)}
    votes = [event for event in events if isinstance(event, VoteCast)]
    assert {event.candidate_id for event in votes} == {candidate}
    (first,) = [event for event in votes if (event.criterion, event.number) == ("right", 0)]
    assert (first.value, first.reason) == (True, "it halves")
    (useless,) = [event for event in votes if (event.criterion, event.number) == ("right", 1)]
    assert (useless.value, "busy" in useless.reason) == (None, True)
    (verdict,) = [e for e in events if isinstance(e, VerdictReached) and e.verdict.verifier == "both"]
    assert max(event.seq for event in votes) < verdict.seq


async def test_votes_are_emitted_immediately() -> None:
    """The others are still waited for."""
    judge = Judge("yes", Says(text="yes", waits=True))
    events: list[Event] = []
    board, shown = SearchState(), []

    def hear(event: Event) -> None:
        events.append(event)
        board.apply(event)
        if isinstance(event, VoteCast):
            judge.release()
            shown.extend(row.at_work for row in board.rows.values())

    verifier = CriterionVerifier(QualitativeCriteria("Is it right?", judge, num_samples=2, min_pass=2, name="right"))
    parts = Parts(
        generator=generator(answering("n // 2")),
        strategy=Retry(RetryOptions()),
        pipeline=Pipeline(verifiers=(Wants("//"), verifier)),
        cost_model=EditSize(),
    )
    with anyio.fail_after(100):
        await search(problem(), parts=parts, budget=Budget(), emitter=EventEmitter("s1", hear))
    assert [event.number for event in events if isinstance(event, VoteCast)] == [0, 1]
    assert shown == ["right, 1 vote", "right, 2 votes"]


async def test_points_are_told_as_they_are_given() -> None:
    gauge = QuantitativeCriteria("How clear is it?", Judge("7", "9"), num_samples=2, name="clarity")
    events = await run(answering("n // 2"), cost=CriterionCost(gauge))
    votes = [(event.criterion, event.number, event.value) for event in events if isinstance(event, VoteCast)]
    assert sorted(votes) == [("clarity", 0, 7.0), ("clarity", 1, 9.0)]
    (scored,) = [event for event in events if isinstance(event, CandidateScored)]
    assert scored.cost is not None
    assert scored.cost.value == 8.0


async def test_passing_candidates_get_a_place() -> None:
    model = answering("n // 2 + 0 + 0", "n // 2", "n // 2 + 0")
    events = await run(model, first_try=False, num_candidates=3, max_iterations=1, select="cheapest")
    order: list[str] = []
    for event in events:
        if isinstance(event, CandidateRanked):
            order.insert(event.place - 1, event.candidate_id)
            assert event.of == len(order)
    costs = {e.candidate_id: e.cost.value for e in events if isinstance(e, CandidateScored) and e.cost is not None}
    assert len(costs) == 3
    assert order == sorted(costs, key=costs.__getitem__)
    assert [event.candidate_id for event in events if isinstance(event, BestImproved)][-1] == order[0]


async def test_answers_are_emitted_while_written() -> None:
    """The candidate comes with its hunks."""
    events = await run(answering("n // 2"))
    written = [event for event in events if isinstance(event, CandidateWritten)]
    answer = ""
    for event in written:
        answer = answer[: event.at_character] + event.text
    assert "return n // 2" in answer
    assert {(event.slot, event.attempt, event.model) for event in written} == {(0, 0, "scripted:one")}
    (proposed,) = [event for event in events if isinstance(event, CandidateProposed)]
    assert proposed.hunks == hunks_of(HALF, "def half(n):\n    return n // 2\n")


async def test_look_ups_are_emitted_with_their_results() -> None:
    """The line of the search says what was looked up; only the beginning of a long result is told."""
    use = ToolUse(id="1", name="find_callers", arguments='{"name": "half' + " " * 500 + '"}')
    model = Answers([reply("", uses=(use,)), reply(block("def half(n):\n    return n // 2"))], name="openai:m")
    events = await run(model)
    (seen,) = [event for event in events if isinstance(event, ModelLooked)]
    assert (seen.slot, seen.number, seen.model, seen.tool) == (0, 1, "openai:m", "find_callers")
    assert len(seen.arguments) == 400
    assert seen.result.startswith("error: ")
    assert seen.characters == len(model.asked[1].messages[-1].text)
    board = SearchState()
    for event in events[: events.index(seen) + 1]:
        board.apply(event)
    assert board.message.startswith('openai:m looked up find_callers {"name": "half')


def test_event_without_number_is_refused() -> None:
    """An event that did not go through the emitter is a bug of ours, and no state takes it."""
    heard: list[Event] = []
    made = SearchPreparing(message="finding the interpreter")
    with pytest.raises(ValueError, match=r"search\.preparing was never emitted"):
        SearchState().apply(made)
    EventEmitter("s1", heard.append).emit(made)
    assert made.seq == 0
    assert [(event.seq, event.search) for event in heard] == [(1, "s1")]
    SearchState().apply(heard[0])
