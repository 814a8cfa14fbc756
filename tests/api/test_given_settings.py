"""Settings given from Python: plug-ins beside the project are found, and what would have no use is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from certo import Example, Project, Specification, Strategy
from certo.plugins import whole_place
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.events import SearchStarted
from support.models.scripted_answers import Answers
from support.projects.bare_environment import bare_python
from support.projects.projects import write_project
from support.runtime import make_runtime

DOUBLE = Specification(
    name="double",
    description="Double a number.",
    inputs={"number": int},
    output=int,
    examples=[Example(inputs={"number": 3}, output=6)],
)
RIGHT = "def double(number: int) -> int:\n    return number * 2\n"
ONCE = (
    "from certo.strategies import Ask\n\n\nclass Once:\n    name = 'once'\n\n    def __init__(self, options=None):\n"
    "        pass\n\n    async def pursue(self, bench):\n        await bench.attempt(Ask())\n"
)
SHOP = {"shop.py": "def total(prices):\n    return 0\n", "test_shop.py": "", "once.py": ONCE}


def write(wanted: object, past: object) -> str:
    return RIGHT


@pytest.mark.parametrize(
    ("settings", "strategy", "words"),
    [
        ({"search.strategy": "mcts", "best_of.num_candidates": 2}, None, "for the strategy is mcts"),
        ({"search.strategy": "mcts", "llm_tree_search": {"preset": "MINIMAL"}}, None, "for the strategy is mcts"),
        ({"retry.max_iterations": 2}, Strategy(num_candidates=2), "is not used unless search.strategy is set too"),
        ({"builtin.steps": 9}, Strategy(generate=write), "for Strategy.generate writes"),
        ({"scripted.path": "x"}, None, "for builtin writes"),
        ({"search.maximize": False}, None, "for nothing scores"),
        ({"ambient.enabled": True}, None, "it is about editors"),
        ({"tests.when_idle": True}, None, "it is about editors"),
        ({"search.strategy": "mcts"}, Strategy(max_iterations=2), "Strategy.max_iterations contradict"),
        ({"best_of.num_candidates": 2}, None, "for the strategy is auto"),
        ({"strength.hints": True}, None, "it is about editors"),
    ],
)
async def test_settings_without_use_are_refused(
    tmp_path: Path, settings: dict[str, Any], strategy: Strategy | None, words: str
) -> None:
    async with Project(write_project(tmp_path / "project", SHOP)) as project:
        with pytest.raises(BadSetting, match=words):
            async with project.search("shop.py::total", strategy=strategy, settings=settings):
                pass


SHARED = {"builtin.steps": 9, "mcts.max_calls": 9, "strength.after_search": False, "search.maximize": False}


async def test_shared_settings_serve_several_searches(tmp_path: Path) -> None:
    """What one search does not use may be for another one, so only a contradiction is refused."""
    model, python = Answers([]), {"interpreter": str(bare_python())}
    async with Project(write_project(tmp_path / "project", SHOP), settings={**SHARED, **python}) as project:
        async with project.search("shop.py::total", llm=model), project.search("shop.py::total"):
            pass
        with pytest.raises(BadSetting, match=r"scripted\.path is not used, for llm writes"):
            async with project.search("shop.py::total", llm=model, settings={"scripted.path": "x"}):
                pass
        # The built-in generator repairs the near misses of a model, whoever gave it.
        async with project.search("shop.py::total", llm=model, settings={"builtin.near_misses": False}):
            pass
    runtime = make_runtime()
    runtime.settings = {**runtime.settings, **SHARED}
    assert (await runtime.generate(DOUBLE, strategy=Strategy(generate=write))).verified
    runtime.settings = {**runtime.settings, "generation.models": ["openai:m"]}
    with pytest.raises(BadSetting, match=r"generation\.models = .* is not used, for llm writes"):
        await runtime.generate(DOUBLE, llm=model)


async def test_settings_name_how_scores_count() -> None:
    """Where lower is better, the shorter of two candidates wins."""
    runtime = make_runtime()
    runtime.settings = {**runtime.settings, "search.maximize": False}
    codes = iter([RIGHT.replace("* 2", "* 2 + 0"), RIGHT])

    def write_next(wanted: object, past: object) -> str:
        return next(codes)

    strategy = Strategy(
        generate=write_next,
        evaluate=len,
        num_candidates=2,
        max_iterations=1,
        first_try=False,
        select="cheapest",
    )
    generated = await runtime.generate(DOUBLE, strategy=strategy)
    assert len(generated.passed) == 2
    assert "+ 0" not in generated.source


async def test_strategy_file_beside_project_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name alone, and without a path for modules: relative to the project, or to the working directory."""
    root = write_project(tmp_path / "project", SHOP)
    named = {"search.strategy": "once.py:Once", "interpreter": str(bare_python())}
    async with Project(root, settings=named) as project, project.search("shop.py::total") as search:
        started = [event async for event in search if isinstance(event, SearchStarted)]
    assert [event.strategy for event in started] == ["once"]
    monkeypatch.chdir(root)
    followed: set[str] = set()
    runtime = make_runtime(listener=lambda _, event: followed.add(getattr(event, "strategy", "")))
    runtime.settings = {**runtime.settings, "search": {"strategy": "./once.py:Once"}}
    assert (await runtime.generate(DOUBLE, strategy=Strategy(generate=write))).verified
    assert "once" in followed


def test_weights_stay_behind_whole_paths(tmp_path: Path) -> None:
    assert whole_place("prices.py:Price=2.5", tmp_path) == f"{tmp_path}/prices.py:Price=2.5"
    assert whole_place("size=2.5", tmp_path) == "size=2.5"
