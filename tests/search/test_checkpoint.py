"""A search cut short after any event goes on from its record: judged once, paid once, with the same winner."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

import anyio
import pytest

from certo.costs.measures import EditSize
from certo.llm.ledger import Ledger
from certo.llm.wrappers.budgeted import Budgeted
from certo.search.board import SearchState
from certo.search.checkpoint import NO_RECORD, Checkpoint, checkpoint_from
from certo.search.emitter import EventEmitter
from certo.search.engine import Parts, search
from certo.search.strategy import Strategy
from certo.strategies.fixer import Fixer, FixerOptions
from certo.strategies.linear_search import LinearSearch, LinearSearchOptions
from certo.strategies.llm_tree_search import LlmTreeSearch, LlmTreeSearchOptions
from certo.strategies.mcts import Mcts, MctsOptions
from certo.strategies.retry import Retry, RetryOptions
from certo.verification.verifier import Pipeline
from certo.vocabulary.cost import Budget, Cost
from certo.vocabulary.events import (
    BestImproved,
    CandidateProposed,
    CandidateRanked,
    CandidateScored,
    Event,
    SearchResumed,
    SearchStopped,
)
from support.models.model_generator import generator
from support.search.candidates import HALF, problem
from support.search.interrupted_searches import Slips, thoughtful
from support.search.text_verifiers import Wants

pytestmark = pytest.mark.acceptance(69)

STRATEGIES = {
    "retry": lambda: Retry(RetryOptions(num_candidates=2, max_iterations=5)),
    "linear_search": lambda: LinearSearch(LinearSearchOptions()),
    "llm_tree_search": lambda: LlmTreeSearch(LlmTreeSearchOptions()),
    "mcts": lambda: Mcts(MctsOptions()),
    "fixer": lambda: Fixer(FixerOptions(num_rounds=5)),
}


MOST_CUTS = 10
"""After so many events a search is cut short, which are chosen by chance and always the same."""

IN_ONE_BREATH = (CandidateScored, CandidateRanked, BestImproved)
"""What is followed at once by what the budget is then."""


@dataclass
class Run:
    """One run of a search: what it told, the receipts there were after each event, and whom it asked and judged."""

    events: list[Event] = field(default_factory=list)
    slips: list[Slips] = field(default_factory=list)
    verifier: Wants = field(default_factory=lambda: Wants("// 2"))
    spoken: int = 0

    @property
    def stopped(self) -> SearchStopped:
        """How it ended."""
        last = self.events[-1]
        assert isinstance(last, SearchStopped)
        return last


async def run(strategy: Strategy, slips: Slips, record: Checkpoint = NO_RECORD, after: Event | None = None) -> Run:
    """Run a search, or go on with one."""
    made, model = Run(), thoughtful()
    taken = slips.taken

    def listen(event: Event) -> None:
        made.events.append(event)
        made.slips.append(slips.found())

    ledger = Ledger(Budget(), taken)
    parts = Parts(
        generator=generator(Budgeted(model, ledger, None, slips)),
        strategy=strategy,
        pipeline=Pipeline(verifiers=(made.verifier,)),
        cost_model=EditSize(),
    )
    with anyio.fail_after(100):
        await search(
            problem(),
            parts=parts,
            budget=Budget(candidates=20),
            emitter=EventEmitter("s1", listen, after=after),
            ledger=ledger,
            record=record,
        )
    made.spoken = len(model.asked)
    return made


def won(made: Run) -> tuple[str, Cost] | None:
    """The winner of a run, and its cost."""
    winner = made.stopped.winner
    return None if winner is None else (winner.candidate_id, winner.cost)


def board_of(events: list[Event]) -> SearchState:
    board = SearchState()
    for event in events:
        board.apply(event)
    return board


@pytest.mark.usual_cases("retry", "linear_search", "mcts", "fixer")
@pytest.mark.parametrize("name", STRATEGIES)
async def test_resumed_search_ends_the_same(name: str) -> None:
    """Cut short after any event, it does nothing twice."""
    whole = await run(STRATEGIES[name](), Slips())
    assert whole.spoken > 3
    # What is told in one breath is in the journal together or not at all: a score, a place, and the budget then.
    apart = [n for n, event in enumerate(whole.events, start=1) if not isinstance(event, IN_ONE_BREATH)]
    for cut in sorted(random.Random(name).sample(apart[:-1], MOST_CUTS)):
        before, slips = whole.events[:cut], whole.slips[cut - 1].found()
        resumed = SearchResumed(seq=before[-1].seq + 1, search="s1", at=before[-1].at, candidates=0, answers=0, lost=0)
        record = checkpoint_from(board_of(before), before, HALF)
        rest = await run(STRATEGIES[name](), slips, record, after=resumed)
        everything = [*before, resumed, *rest.events]
        assert [event.seq for event in everything] == list(range(1, len(everything) + 1))
        # The same comes of it, and as much is spent, but for what was under way.
        assert (rest.stopped.outcome, won(rest)) == (whole.stopped.outcome, won(whole))
        lost = sum(reply is None for _, _, reply in whole.slips[cut - 1].kept)
        assert 0 <= rest.stopped.spent.calls - whole.stopped.spent.calls <= lost
        assert rest.stopped.spent.candidates == whole.stopped.spent.candidates
        # Nothing that was judged is judged or proposed again, and no answer that was had is asked for.
        known = {event.candidate_id for event in before if isinstance(event, CandidateScored)}
        assert not known & {event.candidate_id for event in rest.events if isinstance(event, CandidateProposed)}
        assert not known & set(rest.verifier.judged)
        answers = Counter(key for key, _, reply in slips.kept if reply is not None)
        assert max(answers.values(), default=1) == 1
        board = board_of(everything)
        assert board.rows.keys() == board_of(whole.events).rows.keys()
        assert all(row.scored for row in board.rows.values())
        assert [row.number for row in board.rows.values()] == list(range(1, len(board.rows) + 1))


async def test_earlier_best_stands_until_beaten() -> None:
    whole = await run(STRATEGIES["retry"](), Slips())
    [improved] = [number for number, event in enumerate(whole.events) if isinstance(event, BestImproved)]
    before = whole.events[: improved + 1]
    rest = await run(
        STRATEGIES["retry"](), whole.slips[improved].found(), checkpoint_from(board_of(before), before, HALF)
    )
    assert not [event for event in rest.events if isinstance(event, BestImproved)]
    assert won(rest) == won(whole)
    assert rest.spoken == 0


async def test_what_was_judged_counts_to_the_budget() -> None:
    whole = await run(STRATEGIES["mcts"](), Slips())
    before = whole.events[:-1]
    record = checkpoint_from(board_of(before), before, HALF)
    assert record.candidates == whole.stopped.spent.candidates
    assert checkpoint_from(board_of(before), [], HALF).judged == ()
