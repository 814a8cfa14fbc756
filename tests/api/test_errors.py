"""What goes wrong comes out of every way in as the error that is documented, alone and in no group."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest

from certo import (
    LLM,
    AICall,
    AIGenerate,
    CodeFixer,
    Example,
    QualitativeCriteria,
    QuantitativeCriteria,
    RetryConfig,
    RetryStrategy,
    Runtime,
    Specification,
    Strategy,
    airetry,
    build,
    evaluate_code,
    evaluate_tests,
    generate,
    run,
)
from certo.llm.prompt import Prompt, Reply
from certo.vocabulary.errors import BadSetting, BrokenWorld, ModelFailed
from support.models.scripted_answers import Answers, reply
from support.runtime import make_runtime

DOUBLE = Specification(
    name="double",
    description="Double a number.",
    inputs={"number": int},
    output=int,
    examples=[Example(inputs={"number": 3}, output=6)],
)
FENCED = "```python\nprint(1)\n```"
AT_ONCE = RetryStrategy(num_candidates=2, first_try=False)

Way = Callable[[], Awaitable[Any]]


async def retried() -> object:
    """Try a call again until its code runs."""
    call = await AICall("Write.", model=Answers([reply(FENCED)])).run()
    return await airetry(lambda call: evaluate_code(call), call)


CODE: dict[str, Way] = {
    "generate": lambda: generate(DOUBLE),
    "build": lambda: build(DOUBLE),
    "run": lambda: run(DOUBLE, {"number": 1}),
    "evaluate_code": lambda: evaluate_code(FENCED),
    "evaluate_tests": lambda: evaluate_tests(FENCED, "double"),
    "CodeFixer": lambda: CodeFixer(AIGenerate("Write.", model=Answers([reply(FENCED)]))).run(),
}
MODELS: dict[str, Way] = {
    "AICall": lambda: AICall("Say it.", model="openai:m").run(),
    "AICall with samples": lambda: AICall("Say it.", model="openai:m", config=RetryConfig(n_samples=3)).run(),
    "LLM": lambda: LLM("openai:m")("Say it."),
    "LLM at once": lambda: LLM("openai:m", retry_strategy=AT_ONCE)("Say it."),
    "LLM of a type at once": lambda: LLM("openai:m", output_schema=int, retry_strategy=AT_ONCE)("Say it."),
    "QualitativeCriteria": lambda: QualitativeCriteria("Is it so?", LLM("openai:m"), num_samples=3).verify("1"),
    "QuantitativeCriteria": lambda: QuantitativeCriteria("How much?", LLM("openai:m"), num_samples=3).compute("1"),
}


class Breaking:
    """A model of the caller's that breaks."""

    name = "breaking"

    async def answer(self, prompt: Prompt, /, *, heard: object = None) -> Reply:
        await anyio.lowlevel.checkpoint()
        raise ZeroDivisionError("the caller's own")


@pytest.mark.parametrize("settings", [{"search.nope": 1}, {"tests.seconds": "soon"}, {"interpretor": "python"}])
@pytest.mark.parametrize("way", [pytest.param(way, id=name) for name, way in {**CODE, **MODELS}.items()])
async def test_wrong_setting_is_told(way: Way, settings: dict[str, object]) -> None:
    async with Runtime(settings=settings, cache=None):
        with pytest.raises(BadSetting, match=next(iter(settings))):
            await way()


@pytest.mark.slow
@pytest.mark.parametrize("way", [CODE["generate"], CODE["evaluate_code"], CODE["CodeFixer"]])
async def test_missing_cluster_is_told(way: Way) -> None:
    settings = {"executor.cluster": "tcp://127.0.0.1:9"}
    async with Runtime(settings=settings, cache=None):
        with pytest.raises(BrokenWorld, match="does not answer"):
            await way()


@pytest.mark.usual_cases("AICall with samples", "LLM of a type at once", "QualitativeCriteria")
@pytest.mark.parametrize("way", [pytest.param(way, id=name) for name, way in MODELS.items()])
async def test_missing_model_is_told(way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    async with Runtime(cache=None):
        with pytest.raises((BadSetting, ModelFailed), match="OPENAI_API_KEY"):
            await way()


@pytest.mark.parametrize(
    "ask",
    [
        lambda model: LLM(model)("Say it."),
        lambda model: LLM(model, retry_strategy=AT_ONCE)("Say it."),
        lambda model: AICall("Say it.", model=model, config=RetryConfig(n_samples=3)).run(),
        lambda model: generate(DOUBLE, llm=model, strategy=Strategy(first_try=False)),
    ],
)
async def test_exceptions_of_callers_models_come_out(ask: Any) -> None:
    """An exception of the caller's own model comes out as it was raised."""
    async with make_runtime():
        with pytest.raises((ZeroDivisionError, RuntimeError), match="the caller's own"):
            await ask(Breaking())


@pytest.mark.parametrize(
    ("settings", "strategy", "words"),
    [
        ({"search.strategy": "mcts"}, Strategy(num_candidates=2), "Strategy.num_candidates contradict each other"),
        ({"search": {"strategy": "mcts"}}, Strategy(max_iterations=2), "Strategy.max_iterations contradict"),
        ({"search.seconds": 5}, Strategy(seconds=6), "Strategy.seconds contradict each other"),
        ({"search.generator": "builtin"}, Strategy(generate=str), "for Strategy.generate writes"),
        ({"cost.size": 2.0}, Strategy(cost=len), "for Strategy.cost prices"),
    ],
)
async def test_contradicting_settings_are_an_error(
    settings: dict[str, object], strategy: Strategy | None, words: str
) -> None:
    with pytest.raises(BadSetting, match=words):
        await Runtime(settings=settings, cache=None).generate(DOUBLE, strategy=strategy)


class Writer:
    """Writes what is right at the first time it is asked only; `asked` are how many tries it was told of each time."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def write(self, wanted: Specification, past: tuple[Any, ...]) -> str:
        self.asked.append(len(past))
        return f"def double(number: int) -> int:\n    return number * {len(self.asked) + 1}\n"


async def test_named_strategy_is_followed_or_refused() -> None:
    """A strategy that the settings name is followed and one that there is not is refused."""
    runtime = make_runtime()
    runtime.settings = {**runtime.settings, "search.strategy": "best_of", "best_of.num_candidates": 2}
    writer = Writer()
    generated = await runtime.generate(DOUBLE, strategy=Strategy(generate=writer.write))
    # Two tries are made at once, where the one that is made without such a setting would have been right.
    assert (generated.verified, writer.asked) == (True, [0, 0])
    runtime.settings = {**runtime.settings, "search.strategy": "nope"}
    with pytest.raises(BadSetting, match="nope"):
        await runtime.generate(DOUBLE)


@pytest.mark.parametrize(
    ("strategy", "asked", "seconds"),
    [
        pytest.param(Strategy(), [0, 0], 77.0, id="the environment decides"),
        pytest.param(Strategy(max_iterations=1, seconds=66.0), [0], 66.0, id="a Strategy goes before it"),
    ],
)
async def test_environment_names_strategy_and_limits_seconds(
    strategy: Strategy, asked: list[int], seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tries are made at once by the strategy of the environment, and one by a Strategy that says how to try."""
    monkeypatch.setenv("CERTO_SEARCH__STRATEGY", "best_of")
    monkeypatch.setenv("CERTO_BEST_OF__NUM_CANDIDATES", "2")
    monkeypatch.setenv("CERTO_SEARCH__SECONDS", "77")
    allowed: list[float] = []
    runtime = make_runtime(listener=lambda live, _: allowed.append(live.resolved.budget.seconds))
    writer = Writer()
    await runtime.generate(DOUBLE, strategy=strategy.model_copy(update={"generate": writer.write}))
    assert writer.asked == asked
    assert set(allowed) == {seconds}
