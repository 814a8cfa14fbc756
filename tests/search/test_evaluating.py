"""An evaluator of the user's scores candidates, and is believed as long as its files are what they were.

It is asked for each candidate that could be tried, on its exact text; its numbers are finite, one of them is the score,
and one that fails is recorded or ends the search. The hash of its files is compared before a score counts. More is
better, or less is. A search says which rule ended it.
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from certo.costs.measures import EditSize
from certo.generation.generator import Ask, Declined, Proposal
from certo.search.board import SearchState
from certo.search.emitter import EventEmitter
from certo.search.engine import Parts, search
from certo.search.options import SearchOptions
from certo.search.scoring import GuardedEvaluator, as_evaluator
from certo.sessions.failures import failure
from certo.strategies.best_of import BestOf, BestOfOptions
from certo.strategies.linear_search import LinearSearch, LinearSearchOptions
from certo.verification.verifier import Pipeline
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Budget
from certo.vocabulary.errors import BadSetting, EvaluationFailed
from certo.vocabulary.events import CandidateProposed, CandidateScored, Event, GeneratorReported, SearchStopped
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Problem
from certo.vocabulary.text import TextEdit
from certo.vocabulary.verdict import Finding, Ruling, TestEvidence, Verdict
from support.search.candidates import problem

pytestmark = pytest.mark.acceptance(57, 68, 71, 72)


class Says:
    """A generator that proposes these bodies, one after the other."""

    name = "says"

    def __init__(self, bodies: Sequence[str]) -> None:
        self._bodies = list(bodies)

    @asynccontextmanager
    async def open(self, problem: Problem, say: Callable[[str], None], /) -> AsyncIterator[Says]:
        self._problem = problem
        yield self

    async def propose(self, ask: Ask, /) -> Proposal | Declined:
        await anyio.lowlevel.checkpoint()
        if not self._bodies:
            return Declined(reason="no more")
        return Proposal(edits=(TextEdit(self._problem.target.body, self._bodies.pop(0)),))


class Passes:
    """Passes all but `broken`, which cannot be tried, and `wrong`, which fails a test."""

    name = "tests"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        if "broken" in candidate.text:
            return Verdict(verifier="tests", ruling=Ruling.FAILED, findings=(Finding(message="it is broken"),))
        wrong = "wrong" in candidate.text
        evidence = TestEvidence(collected=1, ran=1, passed=1 - wrong, failed=int(wrong), skipped=0, touched=True)
        ruling = Ruling.FAILED if wrong else Ruling.PASSED
        return Verdict(verifier="tests", ruling=ruling, findings=(Finding(message="no"),) * wrong, tests=evidence)


def returned(text: str) -> float:
    """The number that a text returns."""
    return float(text.partition("return ")[2].split("#")[0])


async def scored(
    bodies: Sequence[str],
    brought: object,
    *,
    maximize: bool = True,
    policy: str = "record",
    stop_at_score: float | None = None,
    candidates: int = 20,
    line: bool = False,
) -> list[Event]:
    events: list[Event] = []
    strategy = (
        LinearSearch(LinearSearchOptions(code_debug_tries=0))
        if line
        else BestOf(BestOfOptions(num_candidates=len(bodies)))
    )
    parts = Parts(
        generator=Says(bodies),
        strategy=strategy,
        pipeline=Pipeline(verifiers=(Passes(),)),
        cost_model=EditSize(),
        evaluating=GuardedEvaluator(as_evaluator(brought, "mine"), maximize=maximize, policy=policy),
        stop_at_score=stop_at_score,
    )
    budget = Budget(candidates=candidates, seconds=1000)
    await search(problem(), parts=parts, budget=budget, emitter=EventEmitter("s", events.append))
    return events


def scores(events: list[Event]) -> list[float | None]:
    """The scores of all candidates, in the order in which these were proposed."""
    found = {event.candidate_id: event.score for event in events if isinstance(event, CandidateScored)}
    ordered = [found[event.candidate_id] for event in events if isinstance(event, CandidateProposed)]
    return [None if score is None else score.value for score in ordered]


def said(events: list[Event]) -> list[str]:
    return [event.message for event in events if isinstance(event, GeneratorReported)]


def stopped(events: list[Event]) -> SearchStopped:
    assert isinstance(events[-1], SearchStopped)
    return events[-1]


@pytest.mark.parametrize(("maximize", "best"), [(True, "return 30"), (False, "return 10")])
async def test_best_score_wins_whatever_the_cost(maximize: bool, best: str):
    """Less is better without `maximize`."""
    bodies = ["return 10  # and a long way to get there", "return 20", "return 30  # and a long way to get there"]
    events = await scored(bodies, returned, maximize=maximize)
    winner = stopped(events).winner
    assert winner is not None
    assert best in winner.source
    assert scores(events) == [10, 20, 30]
    board = SearchState()
    for event in events:
        board.apply(event)
    values = [row.score.value for row in board.ranked() if row.score is not None]
    assert values == sorted([10, 20, 30], reverse=maximize)


async def test_only_candidates_that_ran_are_evaluated():
    """The evaluator gets their exact text."""
    seen: list[str] = []

    async def seeing(text: str) -> float:
        seen.append(text)
        return 1

    events = await scored(["return 1", "return 'broken'", "return 'wrong'"], seeing)
    text = problem().text
    body = problem().target.body
    assert sorted(seen) == [text[: body.start] + new + text[body.end :] for new in ("return 'wrong'", "return 1")]
    assert scores(events) == [1, None, 1]


async def test_other_numbers_are_only_recorded():
    class Measured:
        def evaluate(self, candidate: Candidate, problem: Problem) -> dict[str, float]:
            return {"score": 2, "seconds": 0.5}

    events = await scored(["return 1"], Measured)
    (event,) = (event for event in events if isinstance(event, CandidateScored))
    assert event.score is not None
    assert (event.score.value, event.score.metrics, event.score.source) == (2, {"seconds": 0.5}, "points by mine")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (math.nan, "only finite numbers count"),
        (-math.inf, "only finite numbers count"),
        ({"score": 1, "other": math.inf}, "as 'other'; only finite numbers count"),
        (True, "which is no number"),
        ("9", "which is no number"),
        (None, "which is no number"),
        ({"accuracy": 1}, "there is no 'score'"),
    ],
)
async def test_scores_must_be_finite_numbers(answer: object, words: str):
    """Anything else leaves the score unknown, which is not 0."""
    events = await scored(["return 1", "return 2"], lambda text: answer if "return 1" in text else -5.0)
    assert scores(events) == [None, -5]
    winner = stopped(events).winner
    assert winner is not None
    assert "return 2" in winner.source, "an unknown score is worse than any that is known"
    assert any(words in message and "'mine'" in message for message in said(events))


async def test_raising_evaluator_keeps_the_verdicts():
    """Its failure is recorded."""

    def failing(text: str) -> float:
        raise KeyError(text[:0])

    events = await scored(["return 1", "return 2"], failing)
    assert stopped(events).outcome is Outcome.SOLVED
    assert [event.passed for event in events if isinstance(event, CandidateScored)] == [True, True]
    assert len(said(events)) == 1, "it is said once"


async def test_raising_evaluator_can_end_the_search():
    def failing(text: str) -> float:
        raise KeyError("lost")

    with pytest.raises(EvaluationFailed) as raised:
        await scored(["return 1"], failing, policy="raise")
    outcome, reason = failure("s", raised.value, SearchOptions())
    assert outcome is Outcome.WORLD_BROKEN
    assert "the evaluator 'mine' failed: KeyError: 'lost'" in reason


async def test_changed_evaluator_file_voids_scores(tmp_path: Path):
    data = tmp_path / "expected.csv"
    data.write_text("1")

    class Reading:
        files = (data,)

        def evaluate(self, candidate: Candidate, problem: Problem) -> float:
            if "cheat" in candidate.text:
                data.write_text("2")
            return 100 if "cheat" in candidate.text else 1

    events = await scored(["return 1", "return 2  # cheat", "return 3"], Reading, line=True, stop_at_score=1000)
    assert scores(events) == [1, None, None]
    winner = stopped(events).winner
    assert winner is not None
    assert "return 1" in winner.source
    assert [message for message in said(events) if "have changed since the search began" in message]


async def test_missing_evaluator_file_is_named_first(tmp_path: Path):
    """Nothing has been tried by then."""

    class Reading:
        files = (str(tmp_path / "nowhere.csv"),)

        def evaluate(self, candidate: Candidate, problem: Problem) -> float:
            return 1

    with pytest.raises(EvaluationFailed, match=r"'mine' depends on .*nowhere\.csv"):
        await scored(["return 1"], Reading)


def test_its_own_module_is_among_its_files():
    assert Path(__file__) in as_evaluator(returned, "mine").files


def test_what_cannot_evaluate_is_refused():
    with pytest.raises(BadSetting, match="the evaluator 'mine' is a int"):
        as_evaluator(3, "mine")


async def test_rule_that_ended_search_is_named():
    bodies = [f"return {number}" for number in range(1, 9)]
    events = await scored(bodies, returned, stop_at_score=3, line=True)
    assert stopped(events).reason == "its score is 3, and search.stop_at_score is 3"
    assert scores(events) == [1, 2, 3]
    events = await scored(bodies, returned, stop_at_score=30, line=True, candidates=4)
    assert stopped(events).outcome is Outcome.SOLVED
    assert stopped(events).reason == "search.candidates = 4 does not cover one more candidate"
    events = await scored(bodies, returned, line=True)
    assert (stopped(events).reason, scores(events)) == ("", [1]), "the goal is reached, as the outcome says"
    events = await scored(["return 'wrong'"] * 30, returned_length, line=True)
    assert stopped(events).reason == "10 tries in a row brought no candidate that was not there before"
    events = await scored(["return 'wrong'", "return 'wrong' # 2"], returned_length, line=True, candidates=1)
    assert stopped(events).outcome is Outcome.BUDGET_SPENT
    assert stopped(events).reason == "search.candidates = 1 does not cover one more candidate"


def returned_length(text: str) -> float:
    return len(text)
