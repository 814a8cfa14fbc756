"""Tries with language models: all at once, each failing for itself, drafts and repetitions told.

As many answers are awaited at once as there are lanes. A generator of one's own declines with a reason, and the user
reads it. An answer that was given before is not judged again, and the user is told.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import anyio
import pytest

from certo.costs.measures import EditSize
from certo.generation.generator import Ask, Declined, Draft, Generator, Proposal
from certo.llm.prompt import Prompt, Reply
from certo.search.board import SearchState
from certo.search.emitter import EventEmitter
from certo.search.engine import Parts, search
from certo.search.strategy import Bench
from certo.strategies.retry import Retry, RetryOptions
from certo.verification.verifier import Pipeline
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Budget
from certo.vocabulary.errors import BadSetting, BudgetExhausted, ModelFailed
from certo.vocabulary.events import (
    CandidateDeclined,
    CandidateDrafted,
    CandidateProposed,
    CandidateRepeated,
    Event,
    SearchStopped,
)
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Problem
from certo.vocabulary.text import TextEdit
from certo.vocabulary.verdict import Ruling, Verdict
from support.models.model_generator import block, generator
from support.models.scripted_answers import Answers, reply
from support.search.candidates import problem
from support.search.text_verifiers import Wants

pytestmark = pytest.mark.acceptance(11, 12, 13)

RIGHT = reply(block("def half(n):\n    return n // 2"))
WRONG = reply(block("def half(n):\n    return n - 1"))
DOWN = ModelFailed("openai:m did not answer", transient=True)


async def run(made: Generator, verifier: Wants | None = None, **retry: object) -> list[Event]:
    """Run one search and return its events."""
    events: list[Event] = []
    parts = Parts(
        generator=made,
        strategy=Retry(RetryOptions(**retry)),
        pipeline=Pipeline(verifiers=(verifier or Wants("// 2"),)),
        cost_model=EditSize(),
    )
    with anyio.fail_after(100):
        await search(problem(), parts=parts, budget=Budget(), emitter=EventEmitter("s1", events.append))
    return events


def stopped(events: list[Event]) -> SearchStopped:
    assert isinstance(events[-1], SearchStopped)
    return events[-1]


def of(events: list[Event], kind: type[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, kind)]


async def test_branches_wait_for_answers_in_parallel():
    everybody = anyio.Event()
    model = Answers()

    async def together(prompt: Prompt) -> Reply:
        if model.active == 5:
            everybody.set()
        await everybody.wait()
        return RIGHT

    model.answers = [together]
    last = stopped(await run(generator(model), first_try=False, num_candidates=5))
    assert last.outcome is Outcome.SOLVED
    assert model.most_active == 5


async def test_success_cancels_calls_of_other_branches():
    async def never(prompt: Prompt) -> Reply:
        await anyio.sleep_forever()
        raise AssertionError

    slow, quick = Answers([never], name="a:1"), Answers([RIGHT], name="b:2")
    last = stopped(await run(generator(slow, quick, models=("a:1", "b:2")), first_try=False, num_candidates=2))
    assert last.outcome is Outcome.SOLVED
    assert slow.active == 0


class Caught(Wants):
    """Finds that whatever it does not pass has cheated."""

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge one candidate."""
        verdict = await super().judge(candidate, problem)
        return replace(verdict, cheated=verdict.ruling is Ruling.FAILED)


@pytest.mark.parametrize("verifier", [Wants("// 2"), Caught("// 2")], ids=["wrong", "cheating"])
async def test_cheating_ends_the_branch(verifier: Wants) -> None:
    """The generator is not asked again on a branch whose last candidate was caught cheating."""
    model = Answers([WRONG, RIGHT])
    last = stopped(await run(generator(model), verifier, first_try=False, num_candidates=1))
    caught = isinstance(verifier, Caught)
    assert (last.outcome is Outcome.SOLVED, len(verifier.judged)) == ((False, 1) if caught else (True, 2))


async def test_failed_model_ends_its_own_branch():
    """The reason is emitted, and other branches go on."""
    made = generator(Answers([DOWN], name="a:1"), Answers([WRONG, RIGHT], name="b:2"), models=("a:1", "b:2"))
    events = await run(made, num_candidates=2)
    assert [(event.slot, event.reason) for event in of(events, CandidateDeclined)] == [(0, str(DOWN))]
    assert stopped(events).outcome is Outcome.SOLVED
    assert stopped(events).reason == ""


async def test_outage_on_every_branch_breaks_the_world():
    """The reason has the failures of all models."""
    failing = [DOWN, ModelFailed("no such key")]
    last = stopped(await run(generator(Answers(failing)), num_candidates=3))
    assert last.outcome is Outcome.WORLD_BROKEN
    assert set(last.reason.split("; ")) == {str(DOWN), "no such key"}


async def test_missing_key_ends_its_own_branch():
    """A search that has no other branch is refused."""
    keyless = Answers([BadSetting("set OPENAI_API_KEY")], name="a:1")
    made = generator(keyless, Answers([RIGHT], name="b:2"), models=("a:1", "b:2"))
    assert stopped(await run(made, num_candidates=2)).outcome is Outcome.SOLVED
    last = stopped(await run(generator(keyless)))
    assert (last.outcome, last.reason) == (Outcome.REFUSED, "set OPENAI_API_KEY")


async def test_used_up_branch_outweighs_an_outage():
    """If one branch had all its attempts, that is the outcome; the failure of another is in the reason."""
    made = generator(Answers([DOWN], name="a:1"), Answers([WRONG], name="b:2"), models=("a:1", "b:2"))
    last = stopped(await run(made, num_candidates=2))
    assert last.outcome is Outcome.ATTEMPTS_SPENT
    assert last.reason == str(DOWN)


async def test_outage_keeps_the_candidate_that_passed():
    made = generator(Answers([RIGHT], name="a:1"), Answers([DOWN], name="b:2"), models=("a:1", "b:2"))
    last = stopped(await run(made, first_try=False, num_candidates=2, select="cheapest"))
    assert (last.outcome, last.reason) == (Outcome.SOLVED, "")


async def test_exhausted_ledger_keeps_the_best_candidate():
    model = Answers([RIGHT, BudgetExhausted("search.calls is 1")])
    last = stopped(await run(generator(model), first_try=False, num_candidates=2, select="cheapest"))
    assert last.outcome is Outcome.SOLVED


async def test_repeated_answers_are_not_judged_again():
    """The repetition is emitted."""
    verifier = Wants("nowhere to be found")
    events = await run(generator(Answers([WRONG], name="a:1")), verifier, num_candidates=2, max_iterations=2)
    (first,) = of(events, CandidateProposed)
    repeated = of(events, CandidateRepeated)
    assert [event.candidate_id for event in repeated] == [first.candidate_id] * 2
    assert sorted(event.origin.slot for event in repeated) == [0, 1]
    assert len(verifier.judged) == 1
    board = SearchState()
    for event in events:
        board.apply(event)
    assert board.rows[first.candidate_id].times == 3


class Impatient:
    """Cancels its first attempt while that is judged, and makes another."""

    name = "impatient"

    async def pursue(self, bench: Bench, /) -> None:
        with anyio.move_on_after(0.1):
            await bench.attempt(Ask())
        await bench.attempt(Ask(slot=1))


async def test_cancelled_judgement_is_made_again():
    """The same answer may be given once more."""
    verifier, events = Wants("// 2", seconds=0.3), []
    parts = Parts(
        generator=generator(Answers([RIGHT])),
        strategy=Impatient(),
        pipeline=Pipeline(verifiers=(verifier,)),
        cost_model=EditSize(),
    )
    with anyio.fail_after(100):
        await search(problem(), parts=parts, budget=Budget(), emitter=EventEmitter("s1", events.append))
    assert stopped(events).outcome is Outcome.SOLVED
    assert len(verifier.judged) == 2


async def test_drafts_are_emitted_as_diffs():
    """They are gone once the candidate is proposed."""
    events = await run(generator(Answers([RIGHT], name="a:1")))
    (draft,) = of(events, CandidateDrafted)
    assert (draft.slot, draft.attempt, draft.model, draft.lines) == (0, 0, "a:1", 2)
    assert "+    return n // 2" in draft.diff
    board = SearchState()
    for event in events:
        board.apply(event)
        if event is draft:
            assert board.drafts == {0: draft}
    assert board.drafts == {}


class Own:
    """A generator as somebody else would write it: an async function from an ask to an answer."""

    name = "own"

    def __init__(self, propose: Callable[[Problem, Ask], Proposal | Declined]) -> None:
        self._propose = propose

    @asynccontextmanager
    async def open(self, problem: Problem, say: Callable[[str], None], /) -> AsyncIterator[Own]:
        self._problem = problem
        yield self

    async def propose(self, ask: Ask, /) -> Proposal | Declined:
        return self._propose(self._problem, ask)


async def test_custom_generator_declines_with_a_reason():
    """It is told of its failures before."""
    asks: list[Ask] = []

    def propose(asked: Problem, ask: Ask) -> Proposal | Declined:
        asks.append(ask)
        if ask.past:
            return Declined(reason="I have only one idea")
        edit = TextEdit(asked.target.body, "return n - 1")
        ask.drafting(Draft(model="mine", edits=(edit,)))
        return Proposal(edits=(edit,), note="my idea")

    events = await run(Own(propose), num_candidates=1)
    assert stopped(events).outcome is Outcome.EXHAUSTED
    assert stopped(events).reason == "I have only one idea"
    assert [event.reason for event in of(events, CandidateDeclined)] == ["I have only one idea"]
    assert [len(ask.past) for ask in asks] == [0, 1]
    assert asks[1].past[0].report.failure is not None
    assert [event.model for event in of(events, CandidateDrafted)] == ["mine"]


@pytest.mark.parametrize("first_try", [True, False])
async def test_answer_without_code_is_no_outage(first_try: bool):
    last = stopped(await run(generator(Answers([reply("no")], name="a:1")), first_try=first_try))
    assert last.outcome is Outcome.EXHAUSTED
    assert last.reason == (
        "a:1 was asked 3 times for one candidate: there was no usable code in its answer, which begins 'no'"
    )
