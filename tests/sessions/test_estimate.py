"""An estimate counts what a search can ask for, and sends nothing."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certo.edits.target import ByName
from certo.generation.generator import Ask, Attempt
from certo.search.options import SearchOptions
from certo.sessions.assembly.problem_statement import find_execution_context, resolve_request
from certo.sessions.assembly.request import Request
from certo.sessions.estimate import Estimate, estimate, strategy_estimate
from certo.settings.loader import load_settings
from certo.settings.schema import Settings
from certo.strategies.retry import Retry, RetryOptions
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.verdict import Report, Ruling, Verdict
from support.projects.bare_environment import bare_python
from support.projects.projects import write_project

SHOP = "def total(prices):\n    return sum(prices[1:])\n"
TEST = "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
NOBODY = {"name": "openai:gpt-5-mini", "base_url": "http://127.0.0.1:9/v1", "input_dollars": 1, "output_dollars": 10}


class FailingBench:
    """A bench at which every attempt fails, counted."""

    exhausted = False

    def __init__(self) -> None:
        self.made = 0

    async def attempt(self, ask: Ask, /) -> Attempt:
        self.made += 1
        candidate = Candidate(id=str(self.made), edits=(), text="", origin=Origin(generator="g"))
        verdict = Verdict(verifier="v", ruling=Ruling.FAILED)
        return Attempt(candidate=candidate, report=Report(candidate_id=candidate.id, verdicts=(verdict,)))

    def cost_of(self, attempt: Attempt, /) -> None:
        return None


@given(st.integers(1, 6), st.integers(1, 6), st.booleans())
@settings(max_examples=30, deadline=None)
def test_tries_are_counted_as_all_fail(lines, iterations, first):
    """The tries are as many as the strategy makes when all fail."""
    options = RetryOptions(num_candidates=lines, max_iterations=iterations, first_try=first)
    bench = FailingBench()
    anyio.run(Retry(options).pursue, bench)
    settings = Settings(search=SearchOptions(strategy="retry"), retry=options)
    assert strategy_estimate(settings).attempts == bench.made


async def estimated(root: Path, **flags: object) -> Estimate:
    write_project(root, {"shop.py": SHOP, "test_shop.py": TEST})
    flags = {"interpreter": str(bare_python()), "sandbox.isolation": "process", "generation.related_tokens": 0, **flags}
    request = Request(document=root / "shop.py", text=SHOP, place=ByName("total"), flags=flags)
    aim = resolve_request(request, {"PATH": "/usr/bin:/bin"})
    return await estimate(aim, await find_execution_context(aim, {"PATH": "/usr/bin:/bin"}), lambda _: None)


async def test_estimate_measures_the_real_prompt(tmp_path):
    """A search with a model is measured by the prompt it would send."""
    search = {"generator": "model", "dollars": 0.1, "strategy": "retry"}
    found = await estimated(tmp_path, search=search, model=NOBODY)
    assert (found.models, found.tries, found.likely.calls) == (("openai:gpt-5-mini",), 7, 1)
    assert 100 < found.likely.tokens < 2000
    # Each of seven candidates has three questions, and three look-ups before an answer.
    assert found.most.calls == 42
    assert found.most.tokens > 42 * 4096
    assert found.likely.dollars is not None
    assert found.most.dollars is not None
    assert 0 < found.likely.dollars < found.most.dollars
    assert found.cap == "search.dollars = 0.1"


async def test_look_ups_turned_off_count_nothing(tmp_path):
    search = {"generator": "model", "strategy": "retry"}
    found = await estimated(tmp_path, search=search, model=NOBODY, generation={"look_ups": 0, "related_tokens": 0})
    assert found.most.calls == 21


async def test_second_answer_is_likely_with_few_tests(tmp_path):
    found = await estimated(tmp_path, search={"generator": "model"}, model=NOBODY)
    assert found.likely.calls == 2


async def test_criteria_are_counted_whoever_proposes(tmp_path):
    clear = {"expression": "it is clear", "samples": 3}
    found = await estimated(tmp_path, criteria={"clear": clear}, model=NOBODY, search={"candidates": 7})
    assert (found.models, found.likely.calls, found.most.calls) == (("openai:gpt-5-mini",), 3, 21)


async def test_unconfigured_model_is_named(tmp_path):
    with pytest.raises(BadSetting, match=r"name one in model\.name"):
        await estimated(tmp_path, search={"generator": "model"})


async def test_ideas_are_counted_beside_candidates(tmp_path):
    search = {"generator": "model", "strategy": "linear_search", "candidates": 5}
    found = await estimated(tmp_path, search=search, model=NOBODY)
    assert (found.tries, found.likely.calls, found.most.calls) == (5, 2, 5 * (3 + 3) + 5 * 2)


@pytest.mark.parametrize(
    ("strategy", "tries"),
    [("auto", 64), ("best_of", 5), ("fixer", 4), ("mcts", 11), ("linear_search", 64), ("of another's", 64)],
)
def test_each_strategy_has_its_tries(strategy, tries):
    assert strategy_estimate(Settings(search=SearchOptions(strategy=strategy))).attempts == tries


@pytest.mark.parametrize(("preset", "calls"), [("DEFAULT", 2 * (1 + 64 * 5)), ("PRODUCTION", 2 * (6 + 64 * 15))])
def test_tree_search_advice_is_bounded(tmp_path, preset, calls):
    """A tree search asks for so much advice at the most."""
    flags = {"search.strategy": "llm_tree_search", "llm_tree_search.preset": preset}
    settings = load_settings(tmp_path, client=None, environ={}, flags=flags)
    expected = strategy_estimate(settings)
    assert expected.max_idea_requests == calls
    wish = expected.first_idea_request
    assert wish is not None
    assert wish.count == 8
