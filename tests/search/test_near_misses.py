"""Near misses are repaired beside the search, and what comes of it is a candidate like any other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import anyio
import pytest

from certo.costs.measures import EditSize
from certo.edits.target import ByName, find_target
from certo.generation.builtin.agreement import Agreement
from certo.generation.builtin.votes import Ballot, Group
from certo.generation.generator import Proposal
from certo.generation.scripted import ScriptedGenerator, ScriptedProposal
from certo.search.board import SearchState
from certo.search.checkpoint import NO_RECORD, Checkpoint, checkpoint_from, numbers_of
from certo.search.emitter import EventEmitter
from certo.search.engine import Parts, search
from certo.search.near_misses import MAX_JUDGED, MAX_REPAIRS, REPAIRED
from certo.search.replay import replay_tree
from certo.search.scoring import GuardedEvaluator, as_evaluator
from certo.search.strategy import Strategy
from certo.sessions.history import History
from certo.strategies.auto import Auto, AutoOptions
from certo.strategies.best_of import BestOf, BestOfOptions
from certo.strategies.linear_search import LinearSearch, LinearSearchOptions
from certo.strategies.llm_tree_search import LlmTreeSearch, LlmTreeSearchOptions
from certo.strategies.mcts import Mcts, MctsOptions
from certo.strategies.retry import Retry, RetryOptions
from certo.verification.verifier import Pipeline
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.cost import Budget
from certo.vocabulary.errors import BrokenWorld
from certo.vocabulary.events import (
    CandidateDeclined,
    CandidateDrafted,
    CandidateProposed,
    CandidateScored,
    Event,
    GeneratorReported,
    SearchStarted,
    SearchStopped,
)
from certo.vocabulary.guidance import Guidance
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Baseline, Goal, Problem
from certo.vocabulary.text import TextEdit
from certo.vocabulary.verdict import Finding, Ruling, Verdict
from support.search.candidates import HALF, problem
from support.search.text_verifiers import Wants

LATE = 3600.0


def says(body: str, *, seconds: float = 0.0) -> ScriptedProposal:
    """An answer of the model, after so many seconds."""
    return ScriptedProposal(source=f"def half(n):\n    return {body}", delay_seconds=seconds)


@dataclass
class Edits:
    """Repairs each candidate with the same bodies, after `seconds`, and keeps what it was asked to repair."""

    bodies: Sequence[str] = ("n // 2",)
    rivals: Sequence[str] = ()
    seconds: float = 0.0
    failure: BrokenWorld | None = None
    began: Callable[[], None] = lambda: None
    asked: list[Candidate] = field(default_factory=list)

    async def repairs_of(self, candidate: Candidate, problem: Problem, /) -> Sequence[Proposal]:
        self.asked.append(candidate)
        self.began()
        await anyio.sleep(self.seconds)
        if self.failure is not None:
            raise self.failure
        span = find_target(problem.text, ByName("half"), path=problem.path).span

        def made(body: str) -> Proposal:
            return Proposal(edits=(TextEdit(span, f"def half(n):\n    return {body}"),), note="line 2: / → //")

        rivals = tuple(made(body) for body in self.rivals)
        return [replace(made(body), rivals=rivals) for body in self.bodies]


class Alike:
    """Takes all answers for alike."""

    async def agreement(self, problem: Problem, ballots: Sequence[Ballot]) -> Agreement:
        number = len(ballots)
        group = Group(members=tuple(range(number)), votes=number, backed=number, answers=1)
        return Agreement(groups=(group,))


async def run(
    repairer: Edits | None,
    *replies: ScriptedProposal,
    strategy: Strategy | None = None,
    verifier: object = None,
    asked: Problem | None = None,
    record: Checkpoint = NO_RECORD,
    budget: Budget | None = None,
    into: list[Event] | None = None,
    comparer: Alike | None = None,
    evaluating: GuardedEvaluator | None = None,
    stop_at_score: float | None = None,
) -> list[Event]:
    """Run one search over a script, with near misses repaired, and return its events."""
    events = [] if into is None else into
    parts = Parts(
        generator=ScriptedGenerator(replies),
        strategy=strategy or Retry(RetryOptions(num_candidates=1, max_iterations=9)),
        pipeline=Pipeline(verifiers=(verifier or Wants("// 2"),)),
        cost_model=EditSize(),
        repairer=repairer,
        comparer=comparer,
        evaluating=evaluating,
        stop_at_score=stop_at_score,
    )
    limit = budget or Budget(seconds=10 * LATE)
    with anyio.fail_after(100):
        emitter = EventEmitter("s1", events.append)
        await search(asked or problem(), parts=parts, budget=limit, emitter=emitter, record=record)
    return events


def proposed(events: list[Event]) -> list[CandidateProposed]:
    return [event for event in events if isinstance(event, CandidateProposed)]


def state_of(events: list[Event]) -> SearchState:
    state = SearchState()
    for event in events:
        state.apply(event)
    return state


def stopped(events: list[Event]) -> SearchStopped:
    (last,) = [event for event in events if isinstance(event, SearchStopped)]
    return last


async def test_repair_runs_beside_the_next_request():
    """The model's next answer would come in an hour, and is not waited for."""
    events = await run(Edits(), says("n / 2"), says("n - 1", seconds=LATE))
    near_miss, repaired = proposed(events)
    assert stopped(events).outcome is Outcome.SOLVED
    assert stopped(events).winner.candidate_id == repaired.candidate_id
    assert (repaired.origin.generator, repaired.parent) == ("builtin", near_miss.candidate_id)
    assert repaired.origin.note == "line 2: / → //, in #1 of scripted"
    # Its diff is from the user's text, and the request that was cancelled costs no candidate.
    assert "-    return n\n+    return n // 2" in repaired.diff
    assert stopped(events).spent.candidates == 2


async def test_repair_outlasts_the_model():
    events = await run(Edits(seconds=0.2), says("n / 2"))
    assert [event.origin.generator for event in proposed(events)] == ["scripted", "builtin"]
    assert stopped(events).outcome is Outcome.SOLVED


async def test_models_own_answer_ends_a_repair():
    repairer = Edits(seconds=LATE)
    events = await run(repairer, says("n / 2"), says("n // 2"))
    assert len(repairer.asked) == 1
    assert [event.origin.generator for event in proposed(events)] == ["scripted", "scripted"]
    assert stopped(events).outcome is Outcome.SOLVED


async def test_independent_attempts_are_not_cancelled():
    """A strategy that compares answers gets all of them."""
    replies = (says("n / 2"), says("n // 2  # slow", seconds=0.3))
    events = await run(Edits(), *replies, strategy=BestOf(BestOfOptions(num_candidates=2)))
    passed = [event for event in events if isinstance(event, CandidateScored) and event.passed]
    assert len(proposed(events)) == 3
    assert len(passed) == 2


async def test_cheapest_of_all_lanes_waits():
    strategy = Retry(RetryOptions(num_candidates=2, first_try=True, select="cheapest"))
    late = [says(f"n // 2  # {number}", seconds=0.3) for number in range(2)]
    events = await run(Edits(), says("n / 2"), *late, strategy=strategy)
    assert [row.passed for row in state_of(events).rows.values()] == [False, True, True, True]


TREES = (
    LinearSearch(LinearSearchOptions(parent_policy="baseline")),
    LlmTreeSearch(LlmTreeSearchOptions()),
    Mcts(MctsOptions(n_samples=1, max_retries=9)),
    Auto(AutoOptions()),
    Retry(RetryOptions(num_candidates=2, first_try=False)),
)


@pytest.mark.parametrize("strategy", TREES, ids=lambda strategy: strategy.name)
async def test_edit_ends_attempts_without_a_past(strategy: Strategy):
    events = await run(Edits(), says("n / 2"), *[says("n - 1", seconds=LATE)] * 9, strategy=strategy)
    assert [event.origin.generator for event in proposed(events)] == ["scripted", "builtin"]
    assert stopped(events).outcome is Outcome.SOLVED


@pytest.mark.parametrize("failures", range(1, 6))
async def test_edit_ends_new_beginnings_of_auto(failures: int):
    """A branch on which scores rise no more is left for a new beginning, which has no past."""
    quick = [says(f"n - {number}") for number in range(1, failures)]
    events = await run(
        Edits(seconds=0.3), says("n / 2"), *quick, *[says("n", seconds=LATE)] * 9, strategy=Auto(AutoOptions())
    )
    assert stopped(events).outcome is Outcome.SOLVED
    assert len(proposed(events)) == failures + 1


async def test_edit_is_one_answer_of_several_lanes():
    """It ends the request of one lane; where few tests depend on the function, another answer is waited for."""
    lanes = [says(body) for body in ("n / 2", "n - 1", "n - 2")]
    late = [says("n // 2  # late", seconds=0.5), *[says("n", seconds=LATE)] * 2]
    strategy = Auto(AutoOptions(num_candidates=3))
    events = await run(Edits(seconds=0.2), *lanes, *late, strategy=strategy, comparer=Alike())
    passed = [row for row in state_of(events).rows.values() if row.passed]
    assert [row.origin.generator for row in passed] == ["builtin", "scripted"]
    assert [row.agreeing for row in passed] == [2, 2]


async def test_request_cut_short_has_an_end():
    """What is shown of its draft would stay for good."""
    events = await run(Edits(), says("n / 2"), says("n - 1", seconds=LATE))
    declined = [event for event in events if isinstance(event, CandidateDeclined)]
    assert [(event.slot, event.attempt, event.reason) for event in declined] == [(0, 1, REPAIRED)]


async def test_paid_answers_are_judged_to_their_end():
    """An edit that is verified meanwhile does not end it."""
    replies = (says("n / 2"), says("n // 2  # slow", seconds=0.2))
    events = await run(Edits(), *replies, verifier=Wants("// 2", seconds=0.4))
    assert [row.passed for row in state_of(events).rows.values()] == [False, True, True]


async def test_rivals_of_an_edit_undo_no_comparison():
    """They are judged after the answers were compared, and are known to behave differently."""
    replies = (says("n / 2"), says("n // 2  # slow", seconds=0.3))
    strategy = BestOf(BestOfOptions(num_candidates=2))
    repairer = Edits(rivals=("n // 2 + 0",))
    events = await run(repairer, *replies, strategy=strategy, comparer=Alike())
    rows = list(state_of(events).rows.values())
    assert [(row.agreeing, row.group, row.uncompared) for row in rows if row.passed] == [(2, 1, "")] * 2 + [(0, 0, "")]
    assert rows[-1].rival_of == rows[1].candidate_id


class Refuses:
    """Refuses every candidate without running anything."""

    name = "policy"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        return Verdict(verifier=self.name, ruling=Ruling.FAILED, findings=(Finding(message="it imports socket"),))


async def test_candidates_that_policy_refuses_are_not_repaired():
    repairer = Edits()
    events = await run(repairer, says("n / 2"), verifier=Refuses())
    assert repairer.asked == []
    assert len(proposed(events)) == 1


class Caught(Wants):
    """Catches every candidate deceiving its tests."""

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        return replace(await super().judge(candidate, problem), ruling=Ruling.FAILED, cheated=True)


async def test_forged_candidates_are_not_repaired():
    repairer = Edits()
    await run(repairer, says("n / 2"), verifier=Caught("// 2"))
    assert repairer.asked == []


async def test_rewritten_functions_are_not_repaired():
    """Tests do not say what an instruction asked for."""
    repairer = Edits()
    await run(repairer, says("n / 2"), asked=problem(goal=Goal.REWRITE))
    assert repairer.asked == []


@pytest.mark.parametrize("goal", [Goal.IMPLEMENT, Goal.REPAIR])
@pytest.mark.parametrize("words", [{"instruction": "be fast"}, {"guidance": Guidance(feedback="be fast")}])
async def test_words_of_the_user_forbid_repair(goal: Goal, words: dict[str, Any]):
    """A stub stays one to implement, and a red test one to repair, whatever else is asked for."""
    repairer = Edits()
    await run(repairer, says("n / 2"), asked=replace(problem(goal=goal), **words))
    assert repairer.asked == []


async def test_few_edits_of_one_are_judged():
    verifier = Wants("nowhere to be found")
    bodies = [f"n + {number}" for number in range(20)]
    events = await run(Edits(bodies), says("n / 2"), verifier=verifier)
    assert len(verifier.judged) == 1 + MAX_JUDGED
    assert stopped(events).outcome is not Outcome.SOLVED


async def test_few_near_misses_are_repaired():
    repairer = Edits(())
    replies = [says(f"n + {number}") for number in range(MAX_REPAIRS + 4)]
    strategy = Retry(RetryOptions(num_candidates=1, max_iterations=99))
    await run(repairer, *replies, strategy=strategy)
    assert len(repairer.asked) == MAX_REPAIRS


async def test_edits_count_as_candidates_of_the_budget():
    events = await run(Edits(["n + 1", "n // 2"]), says("n / 2"), budget=Budget(candidates=2))
    assert [event.origin.generator for event in proposed(events)] == ["scripted", "builtin"]
    assert stopped(events).outcome is Outcome.BUDGET_SPENT


async def test_a_broken_repair_ends_no_search():
    events = await run(Edits(failure=BrokenWorld("nothing can be run")), says("n / 2"), says("n // 2", seconds=0.1))
    said = [event.message for event in events if isinstance(event, GeneratorReported)]
    assert "#1 was not repaired: nothing can be run" in said
    assert stopped(events).outcome is Outcome.SOLVED


@pytest.mark.parametrize("bodies", [(), ("n + 1",)])
async def test_repair_in_vain_is_told(bodies: Sequence[str]):
    events = await run(Edits(bodies), says("n / 2"))
    said = [event.message for event in events if isinstance(event, GeneratorReported)]
    assert said[-2:] == ["the built-in generator tries to repair #1", "#1 was not repaired: no edit of it passes"]


async def test_time_limit_ends_a_repair():
    events = await run(Edits(seconds=LATE), says("n / 2"), budget=Budget(seconds=0.5))
    assert stopped(events).outcome is Outcome.BUDGET_SPENT


async def test_stopping_cancels_a_repair():
    repairer = Edits(seconds=LATE)
    events: list[Event] = []
    with anyio.CancelScope() as scope:
        repairer.began = scope.cancel
        await run(repairer, says("n / 2"), says("n - 1", seconds=LATE), into=events)
    assert stopped(events).outcome is Outcome.CANCELLED


async def test_nothing_is_repaired_without_a_repairer():
    events = await run(None, says("n / 2"))
    assert [event.origin.generator for event in proposed(events)] == ["scripted"]


async def test_resumed_search_asks_no_model_again():
    """A near miss that was repaired before the search stopped is its answer."""
    events = await run(Edits(), says("n / 2"), says("n - 1", seconds=LATE))
    repairer = Edits()
    record = checkpoint_from(state_of(events), events, HALF)
    again = await run(repairer, says("n / 2"), says("n - 1", seconds=LATE), record=record)
    assert proposed(again) == []
    assert stopped(again).winner.candidate_id == stopped(events).winner.candidate_id


def one(code: str) -> float:
    """Score each candidate alike."""
    return 1.0


async def test_resumed_search_goes_on_below_its_score():
    """An edit that did not end the search does not stand for the answers of its model after it was resumed."""
    scored = GuardedEvaluator(as_evaluator(one, "one"), maximize=True, policy="record")
    events = await run(Edits(), says("n / 2"), says("n - 1", seconds=LATE), evaluating=scored)
    record = checkpoint_from(state_of(events), events, HALF)
    assert [each.attempt.candidate.origin.generator for each in record.judged] == ["scripted", "builtin"]
    replies = (says("n / 2"), says("n // 2  # own"))
    again = await run(Edits(), *replies, record=record, evaluating=scored, stop_at_score=2.0)
    assert [event.origin.generator for event in proposed(again)] == ["scripted"]


async def test_resumed_search_returns_no_rival():
    events = await run(Edits(rivals=("n // 2 + 0",)), says("n / 2"), says("n - 1", seconds=LATE))
    state = state_of(events)
    _, edit, rival = state.rows.values()
    assert rival.rival_of == edit.candidate_id
    record = checkpoint_from(state, events, HALF)
    judged = tuple(each for each in record.judged if each.attempt.candidate.id != edit.candidate_id)
    again = await run(Edits(()), says("n / 2"), says("n // 2  # own"), record=replace(record, judged=judged))
    assert [event.origin.generator for event in proposed(again)] == ["scripted"]


async def test_resumed_search_names_the_near_miss():
    """A candidate that was being judged when the search ended keeps its number."""
    events = await run(None, says("n - 1"), says("n / 2"))
    first = proposed(events)[0].candidate_id
    cut = [each for each in events if not (isinstance(each, CandidateScored) and each.candidate_id == first)]
    record = checkpoint_from(state_of(cut), cut, HALF)
    again = await run(Edits(), says("n / 2"), says("n - 1", seconds=LATE), record=record)
    assert "#2" in proposed(again)[0].origin.note
    # The same holds if everything is judged again, for the project has changed.
    record = Checkpoint(numbers=numbers_of(state_of(events)))
    again = await run(Edits(), says("n / 2"), says("n - 1", seconds=LATE), record=record)
    assert "#2" in proposed(again)[1].origin.note


async def test_nothing_is_repaired_without_budget():
    repairer = Edits()
    await run(repairer, says("n / 2"), budget=Budget(candidates=1))
    assert repairer.asked == []


async def test_refused_edit_ends_all_repairs():
    """The model has used up the budget meanwhile, so nothing is looked for in its second near miss."""
    repairer = Edits(["n + 1"], seconds=0.2)
    replies = (says("n / 2"), says("n - 1", seconds=0.1), says("n - 2", seconds=0.4))
    await run(repairer, *replies, budget=Budget(candidates=3))
    assert len(repairer.asked) == 1


async def test_tree_shows_edits_below_near_misses():
    events = await run(Edits(), says("n / 2"), says("n - 1", seconds=LATE))
    tree = replay_tree(events).tree
    (near_miss,) = tree.root.children
    (repaired,) = near_miss.children
    assert [each.data.row.number for each in (near_miss, repaired)] == [1, 2]
    # What the model's attempts count is theirs alone.
    assert (near_miss.visits, repaired.visits) == (1, 0)


def test_an_edit_ends_no_draft():
    started = SearchStarted(
        root="/", path="half.py", qualname="half", line=1, goal=Goal.REPAIR, generator="model", strategy="auto",
        verifiers=(), budget=Budget(), baseline=Baseline(),
    )  # fmt: skip
    draft = CandidateDrafted(slot=0, attempt=1, model="m", lines=2, diff="")
    edit, own = (
        CandidateProposed(candidate_id=name, parent="a", origin=Origin(generator=name), edits=(), diff="", hunks=())
        for name in ("builtin", "model")
    )
    board, history = SearchState(), History()
    seen = []
    for number, event in enumerate((started, draft, edit, own), 1):
        told = replace(event, seq=number)
        board.apply(told)
        history.append(told)
        seen.append((len(board.drafts), sum(isinstance(each, CandidateDrafted) for each in history.since(0))))
    assert seen == [(0, 0), (1, 1), (1, 1), (0, 0)]
