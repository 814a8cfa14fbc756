"""Strategies that grow a tree, at a real bench with a generator that answers as planned.

Linear search from the best and from the original text; the tree search prunes, expands, selects and exploits; what
cannot be tried is not tried again; a slow experiment holds up no other.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise

import anyio
import pytest

from certo.costs.measures import EditSize
from certo.generation.adviser import IdeaRequest, IdeaSummary, SelectionRequest
from certo.generation.generator import Ask, Declined, Proposal
from certo.search.bench import SearchBench
from certo.search.emitter import EventEmitter
from certo.search.engine import Parts, search
from certo.search.experiment import SearchNode
from certo.search.strategy import Bench, Strategy
from certo.strategies.auto import Auto, AutoOptions
from certo.strategies.best_of import BestOf, BestOfOptions
from certo.strategies.fixer import Fixer, FixerOptions
from certo.strategies.linear_search import LinearSearch, LinearSearchOptions
from certo.strategies.llm_tree_search import TO_DROP, LlmTreeSearch, LlmTreeSearchOptions
from certo.strategies.mcts import Mcts, MctsOptions
from certo.verification.verifier import Pipeline
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Budget
from certo.vocabulary.errors import ModelFailed
from certo.vocabulary.events import CandidateProposed, Event, GeneratorReported, IdeaAdded, IdeaDropped, SearchStopped
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Problem
from certo.vocabulary.text import TextEdit
from certo.vocabulary.verdict import Finding, Ruling, TestEvidence, Verdict
from support.search.candidates import problem

pytestmark = pytest.mark.acceptance(48, 49, 50, 51, 52, 54, 59, 60, 76, 77)

Answer = Callable[[Ask], str]


class Planned:
    """A generator that writes what `answer` says, and has ideas by number and opinions as `choosing` has them."""

    name = "planned"

    def __init__(
        self, answer: Answer, choosing: Callable[[Sequence[IdeaSummary], SelectionRequest], Sequence[int]]
    ) -> None:
        self.answer, self.choosing = answer, choosing
        self.asks: list[Ask] = []
        self.wanted: list[IdeaRequest] = []
        self.choices: list[tuple[tuple[int, ...], SelectionRequest]] = []
        self._ideas = 0

    @asynccontextmanager
    async def open(self, problem: Problem, say: Callable[[str], None], /) -> AsyncIterator[Planned]:
        self._problem = problem
        yield self

    async def propose(self, ask: Ask, /) -> Proposal | Declined:
        self.asks.append(ask)
        await anyio.lowlevel.checkpoint()
        return Proposal(edits=(TextEdit(self._problem.target.body, self.answer(ask)),))

    async def ideas(self, wanted: IdeaRequest, /) -> tuple[str, ...]:
        self.wanted.append(wanted)
        self._ideas += wanted.count
        return tuple(f"idea {number}" for number in range(self._ideas - wanted.count, self._ideas))

    async def choose(self, among: Sequence[IdeaSummary], choice: SelectionRequest, /) -> tuple[int, ...]:
        self.choices.append((tuple(each.number for each in among), choice))
        return tuple(self.choosing(among, choice))


class Counts:
    """Passes `return 10`, lets `broken` not be tried at all, and finds as many of ten tests green as a text returns."""

    name = "tests"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        body = candidate.text.partition("return ")[2].partition("#")[0].strip()
        if body == "broken":
            return Verdict(verifier="tests", ruling=Ruling.FAILED, findings=(Finding(message="it is broken"),))
        green = min(10, int(body))
        evidence = TestEvidence(collected=10, ran=10, passed=green, failed=10 - green, skipped=0, touched=True)
        ruling = Ruling.PASSED if green == 10 else Ruling.FAILED
        said = () if green == 10 else (Finding(message=f"{green} of 10"),)
        return Verdict(verifier="tests", ruling=ruling, findings=said, tests=evidence)


def first(among: Sequence[IdeaSummary], choice: SelectionRequest) -> list[int]:
    return [each.number for each in among][: choice.most]


class Watched:
    """A strategy, and the bench it worked at."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self.name = strategy.name

    async def pursue(self, bench: Bench, /) -> None:
        self.bench = bench
        await self._strategy.pursue(bench)


async def run(
    strategy: Strategy,
    answer: Answer,
    *,
    choosing: Callable[[Sequence[IdeaSummary], SelectionRequest], Sequence[int]] = first,
    candidates: int = 20,
) -> tuple[Planned, Bench, list[Event]]:
    events: list[Event] = []
    generator, watched = Planned(answer, choosing), Watched(strategy)
    parts = Parts(
        generator=generator, strategy=watched, pipeline=Pipeline(verifiers=(Counts(),)), cost_model=EditSize()
    )
    with anyio.fail_after(100):
        budget = Budget(candidates=candidates, seconds=1000)
        await search(problem(), parts=parts, budget=budget, emitter=EventEmitter("s1", events.append))
    return generator, watched.bench, events


def never(ask: Ask) -> str:
    """Another candidate for each try, of which none is any good."""
    never.count = getattr(never, "count", 0) + 1
    return f"return 0  # {never.count}"


def counting_up(ask: Ask) -> str:
    """One test more green than on the last text of the past."""
    last = ask.past[-1].candidate.text.partition("return ")[2] if ask.past else "0"
    return f"return {int(last.partition('#')[0]) + 1}  # {ask.idea} {ask.slot}"


def outcome(events: list[Event]) -> Outcome:
    assert isinstance(events[-1], SearchStopped)
    return events[-1].outcome


def tried(bench: Bench) -> list[SearchNode]:
    return [node for node in bench.tree if node.data.attempt is not None]


async def test_best_of_takes_the_cheapest():
    """It asks for all candidates at once."""
    texts = iter(["return 10  # quite a long one", "return 9", "return 10"])
    generator, _, events = await run(BestOf(BestOfOptions(num_candidates=3)), lambda _: next(texts))
    assert [ask.past for ask in generator.asks] == [(), (), ()]
    last = events[-1]
    assert isinstance(last, SearchStopped)
    assert last.winner is not None
    assert last.winner.source.rstrip().endswith("return 10")


async def test_linear_search_extends_the_best():
    """It is told of the last three."""
    generator, bench, events = await run(LinearSearch(LinearSearchOptions()), counting_up)
    assert outcome(events) is Outcome.SOLVED
    assert [len(ask.past) for ask in generator.asks] == list(range(10))
    assert [len(wanted.known) for wanted in generator.wanted] == [0, 1, 2, 3, 3, 3, 3, 3, 3, 3]
    assert [node.depth for node in tried(bench)] == list(range(1, 11))


async def test_baseline_policy_starts_from_original_text():
    options = LinearSearchOptions(parent_policy="baseline")
    generator, _, _ = await run(LinearSearch(options), never, candidates=6)
    assert [ask.past for ask in generator.asks] == [()] * 6


async def test_repeated_answers_end_the_search():
    generator, _, events = await run(LinearSearch(LinearSearchOptions()), lambda _: "return 3")
    assert outcome(events) is Outcome.ATTEMPTS_SPENT
    assert len(generator.asks) == 11


async def test_broken_code_is_repaired_then_dropped():
    """Its error is remembered."""

    def answer(ask: Ask) -> str:
        return f"return broken  # {ask.idea} {ask.attempt}"

    generator, bench, events = await run(LinearSearch(LinearSearchOptions(code_debug_tries=2)), answer, candidates=6)
    assert [ask.attempt for ask in generator.asks] == [0, 1, 2, 0, 1, 2]
    assert [len(ask.past) for ask in generator.asks] == [0, 1, 2, 0, 1, 2]
    assert generator.asks[0].errors == ()
    assert generator.asks[3].errors == ("it is broken",)
    assert len([event for event in events if isinstance(event, IdeaDropped)]) == 2
    assert all(node.data.dropped for node in tried(bench))


async def test_tree_begins_with_four_limits_of_ideas():
    """Four times as many as are expanded in a step."""
    options = LlmTreeSearchOptions(node_expansion_limit=2, node_expansion_new_childs_count=3)
    generator, bench, _ = await run(LlmTreeSearch(options), never, candidates=1)
    assert [wanted.count for wanted in generator.wanted] == [8, 3, 3]
    assert [len(node.children) for node in bench.tree.root.children] == [3, 3, 0, 0, 0, 0, 0, 0]
    (only,) = tried(bench)
    assert only.depth == 2, "the first ideas are beginnings, and not tried"


async def test_first_step_is_multiplied():
    options = LlmTreeSearchOptions(first_experiment_factor=2, node_expansion_new_childs_count=3, node_expansion_limit=1)
    generator, _, _ = await run(LlmTreeSearch(options), never, candidates=3)
    assert [wanted.count for wanted in generator.wanted] == [4, 6, 3]
    assert [choice.most for _, choice in generator.choices] == [2, 1, 1]


async def test_idea_requests_are_bounded():
    options = LlmTreeSearchOptions(
        node_expansion_limit=1, node_expansion_new_childs_count=7, per_step_maximum_solution_count=3
    )
    generator, _, _ = await run(LlmTreeSearch(options), never, candidates=1)
    assert [wanted.count for wanted in generator.wanted] == [3, 1, 3, 3, 1]


async def test_pruning_stays_within_its_bounds():
    """It begins at a fifth of the budget, and the bounds hold whatever the adviser says."""

    def greedy(among: Sequence[IdeaSummary], choice: SelectionRequest) -> list[int]:
        return [each.number for each in among] + [999, -1]

    options = LlmTreeSearchOptions(node_expansion_new_childs_count=10)
    _, bench, events = await run(LlmTreeSearch(options), never, choosing=greedy, candidates=10)
    dropped = [event.idea for event in events if isinstance(event, IdeaDropped)]
    assert dropped
    assert not {node.id for node in tried(bench)} & set(dropped)


async def test_pruning_drops_twentieth_to_fifth():
    def silent(among: Sequence[IdeaSummary], choice: SelectionRequest) -> list[int]:
        return [] if choice.criteria == TO_DROP else first(among, choice)

    options = LlmTreeSearchOptions(node_expansion_new_childs_count=10)
    generator, _, _ = await run(LlmTreeSearch(options), never, choosing=silent, candidates=10)
    pruned = [(len(among), choice) for among, choice in generator.choices if choice.criteria == TO_DROP]
    assert pruned
    assert all((choice.least, choice.most) == (number // 20, number // 5) for number, choice in pruned)


async def test_pruning_waits_for_its_budget_share():
    """Nothing is pruned before a fifth of the budget is spent."""
    _, _, events = await run(LlmTreeSearch(LlmTreeSearchOptions()), never, candidates=5)
    first_drop = next((event.seq for event in events if isinstance(event, IdeaDropped)), None)
    proposed = [event.seq for event in events if isinstance(event, CandidateProposed)]
    assert first_drop is None or first_drop > proposed[0]


async def test_exploitation_expands_only_the_best():
    def newest(among: Sequence[IdeaSummary], choice: SelectionRequest) -> list[int]:
        return [each.number for each in reversed(among)]

    options = LlmTreeSearchOptions(exploration_budget_percent=0, node_expansion_limit=1)
    _, bench, events = await run(LlmTreeSearch(options), counting_up, choosing=newest, candidates=30)
    assert outcome(events) is Outcome.SOLVED
    assert max(node.depth for node in tried(bench)) >= 9


async def test_an_experiment_is_never_made_twice():
    generator, _, _ = await run(LlmTreeSearch(LlmTreeSearchOptions(experimentation_per_run=3)), never, candidates=20)
    ideas = [ask.idea for ask in generator.asks]
    assert len(ideas) == len(set(ideas)) == 20


async def test_unknown_numbers_do_not_count():
    """The adviser was not asked about them."""

    def wild(among: Sequence[IdeaSummary], choice: SelectionRequest) -> list[int]:
        return [999, -3, among[-1].number, among[-1].number]

    _, bench, _ = await run(LlmTreeSearch(LlmTreeSearchOptions()), never, choosing=wild, candidates=1)
    (only,) = tried(bench)
    assert only.id == len(bench.tree) - 1


async def test_failed_adviser_leaves_choices_to_scores():
    def failing(among: Sequence[IdeaSummary], choice: SelectionRequest) -> list[int]:
        raise ModelFailed("m did not answer")

    options = LlmTreeSearchOptions(exploration_budget_percent=100)
    _, _, events = await run(LlmTreeSearch(options), counting_up, choosing=failing, candidates=60)
    assert [event for event in events if isinstance(event, IdeaAdded)]
    assert outcome(events) is Outcome.SOLVED


async def test_a_slow_experiment_holds_up_no_other():
    done, gate = [], anyio.Event()

    class Slow(Planned):
        async def propose(self, ask: Ask, /) -> Proposal | Declined:
            if not self.asks:
                self.asks.append(ask)
                await gate.wait()
                done.append("slow")
                return Declined(reason="too late", for_all=False)
            made = await super().propose(ask)
            done.append("quick")
            if len(done) == 6:
                gate.set()
            return made

    options = LlmTreeSearchOptions(experimentation_per_run=2)
    parts = Parts(
        generator=Slow(never, first),
        strategy=LlmTreeSearch(options),
        pipeline=Pipeline(verifiers=(Counts(),)),
        cost_model=EditSize(),
    )
    with anyio.fail_after(100):
        await search(problem(), parts=parts, budget=Budget(candidates=8), emitter=EventEmitter("s1", lambda _: None))
    assert done.index("slow") >= 6


async def test_mcts_feedback_stays_on_its_branch():
    generator, bench, _ = await run(Mcts(MctsOptions(max_retries=30)), never, candidates=25)
    by_id = {node.data.attempt.candidate.id: node for node in tried(bench)}
    for ask in generator.asks:
        chain = [by_id[past.candidate.id] for past in ask.past]
        assert all(below.parent is above for above, below in pairwise(chain))
    assert len({len(ask.past) for ask in generator.asks}) > 2, "it goes on from tries at several depths"


async def test_mcts_climbs_where_feedback_helps():
    _, _, events = await run(Mcts(MctsOptions(max_retries=40)), counting_up, candidates=60)
    assert outcome(events) is Outcome.SOLVED


async def test_mcts_respects_samples_and_limit():
    """Its first attempts are made at once."""
    generator, _, events = await run(Mcts(MctsOptions(n_samples=3, max_retries=2)), never)
    assert len(generator.asks) == 9
    assert [ask.past for ask in generator.asks[:3]] == [(), (), ()]
    assert outcome(events) is Outcome.ATTEMPTS_SPENT
    generator, _, _ = await run(Mcts(MctsOptions(n_samples=3, max_retries=9, max_calls=4)), never)
    assert len(generator.asks) == 4


async def test_thompson_sampling_is_reproducible():
    """The same seed makes the same choices."""
    options = MctsOptions(scoring="ThompsonSampling", max_retries=20)
    shapes = []
    for _ in range(2):
        _, bench, _ = await run(Mcts(options), counting_up, candidates=15)
        shapes.append([node.parent.id for node in bench.tree if node.parent is not None])
    assert shapes[0] == shapes[1]


async def test_repeats_are_visits_without_wins():
    _, bench, _ = await run(Mcts(MctsOptions(max_retries=8)), lambda _: "return 3")
    (only,) = tried(bench)
    assert isinstance(bench, SearchBench)
    assert bench.tree.root.visits == 9
    assert only.data.score is not None
    assert bench.tree.root.wins == pytest.approx(only.data.score.value)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: BestOfOptions(num_candidates=0), r"best_of\.num_candidates must be from 1 to 1,000, not 0"),
        (lambda: LinearSearchOptions(code_debug_tries=-1), r"linear_search\.code_debug_tries must be at least 0"),
        (lambda: LlmTreeSearchOptions(node_expansion_limit=0), r"llm_tree_search\.node_expansion_limit must be"),
        (lambda: LlmTreeSearchOptions(exploration_budget_percent=101), r"must be from 0 to 100, not 101"),
        (lambda: MctsOptions(n_samples=0), r"mcts\.n_samples must be at least 1, not 0"),
        (lambda: MctsOptions(alpha=0), r"mcts\.alpha must be more than 0, not 0"),
    ],
)
def test_senseless_options_are_refused(made, said):
    """The message has the name and the value."""
    with pytest.raises(ValueError, match=said):
        made()


class Wordless:
    """A generator that writes what it is to write, and has no ideas."""

    name = "wordless"

    def __init__(self, planned: Planned) -> None:
        self._planned = planned

    @asynccontextmanager
    async def open(self, problem: Problem, say: Callable[[str], None], /) -> AsyncIterator[Wordless]:
        async with self._planned.open(problem, say):
            yield self

    async def propose(self, ask: Ask, /) -> Proposal | Declined:
        return await self._planned.propose(ask)


@pytest.mark.parametrize("wordless", [True, False])
@pytest.mark.parametrize(
    ("strategy", "needed"),
    [
        (LinearSearch(LinearSearchOptions()), "linear_search follows ideas"),
        (LlmTreeSearch(LlmTreeSearchOptions()), "llm_tree_search follows ideas"),
        (Fixer(FixerOptions()), "fixer criticises candidates in words"),
        (Auto(AutoOptions()), ""),
        (BestOf(BestOfOptions()), ""),
        (Mcts(MctsOptions()), ""),
    ],
    ids=lambda each: getattr(each, "name", ""),
)
async def test_missing_adviser_is_named_once(strategy, needed, wordless):
    """Each strategy says what it needs a language model for."""
    said: list[Event] = []
    planned = Planned(lambda _: "return 10", first)
    generator = Wordless(planned) if wordless else planned
    parts = Parts(
        generator=generator, strategy=strategy, pipeline=Pipeline(verifiers=(Counts(),)), cost_model=EditSize()
    )
    with anyio.fail_after(100):
        budget = Budget(candidates=5, seconds=1000)
        await search(problem(), parts=parts, budget=budget, emitter=EventEmitter("s1", said.append))
    assert outcome(said) is Outcome.SOLVED
    told = [event.message for event in said if isinstance(event, GeneratorReported)]
    assert [message.partition(", for which it takes a language model")[0] for message in told] == (
        [needed] if needed and wordless else []
    )
