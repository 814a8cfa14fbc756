"""The models of the settings, built whole and asked through a real server where one is needed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from certo.llm.connections import Connections
from certo.llm.keys import Keys
from certo.llm.ledger import Ledger
from certo.llm.models import ConfiguredModels, ModelChoice
from certo.llm.options import ModelOptions
from certo.llm.prompt import Usage
from certo.llm.providers import read_model_name
from certo.vocabulary.cost import Budget
from certo.vocabulary.errors import BadSetting, BudgetExhausted, ModelFailed
from support.models.model_server import Page, Question, model_server, openai_pieces, page_of
from support.models.provider_plays import Play
from support.models.scripted_answers import question


def models(
    tmp_path: Path,
    default: ModelOptions | None = None,
    *,
    environ: dict[str, str] | None = None,
    budget: Budget | None = None,
    connections: Connections | None = None,
    named: dict[str, ModelOptions] | None = None,
    **more: Path | bool | None,
) -> ConfiguredModels:
    connections = connections or Connections(Keys(environ or {}), cache=tmp_path / "cache")
    return ConfiguredModels(
        ModelChoice(default=default or ModelOptions(), named=named or {}),
        connections,
        Ledger(budget or Budget()),
        **{"record": None, "replay": None, **more},
    )


def script(tmp_path: Path, *lines: str) -> ModelOptions:
    path = tmp_path / "script.json"
    path.write_text(f"[{', '.join(lines)}]")
    return ModelOptions(name=f"scripted:{path}")


@pytest.mark.parametrize(
    ("words", "read"),
    [
        ("openai:gpt-5-mini", "openai:gpt-5-mini"),
        ("ollama:qwen3:8b", "ollama:qwen3:8b"),
        ("openrouter:meta/llama-4:free", "openrouter:meta/llama-4:free"),
        ("gpt-5-mini", "openai:gpt-5-mini"),
        ("claude-sonnet-4-5", "anthropic:claude-sonnet-4-5"),
        ("gemini-2.5-pro", "gemini:gemini-2.5-pro"),
    ],
)
def test_model_names_imply_their_provider(words, read):
    """A name without a provider has to be known as one provider's."""
    assert str(read_model_name(words)) == read


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("llama-4", "does not say whose model it is; write PROVIDER:llama-4"),
        ("qwen3:8b", "there is no provider 'qwen3'; known: openai, anthropic"),
        ("openai:", "names no model; write openai:MODEL"),
        ("ollama", "names no model; write ollama:MODEL"),
        ("", "does not say whose model it is"),
    ],
)
def test_ambiguous_model_names_are_refused(words, why):
    with pytest.raises(BadSetting, match=r"model\.name = ") as caught:
        read_model_name(words)
    assert why in str(caught.value)


def test_without_a_model_the_setting_is_named(tmp_path):
    with pytest.raises(BadSetting, match=r"no model is set up here; name one in model\.name"):
        models(tmp_path).named()


def test_unknown_models_are_refused_with_known_ones(tmp_path):
    with pytest.raises(BadSetting, match=r"^model = 'quick' does not say .*; the settings name fast"):
        models(tmp_path, named={"fast": ModelOptions(name="ollama:qwen3")}).named("quick")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (ModelOptions(name="azure:mine"), r"model\.base_url has to be set for azure:mine"),
        (ModelOptions(name="anthropic:claude-x", api_version="1"), r"model\.api_version is for Azure"),
        (ModelOptions(name="scripted:x.json", base_url="http://h"), r"model\.base_url .* of no use for scripted"),
        (ModelOptions(name="scripted:no/such.json"), r"script no/such\.json cannot be read"),
    ],
)
def test_options_unfit_for_the_model_are_refused(tmp_path, options, why):
    with pytest.raises(BadSetting, match=why):
        models(tmp_path, options).named()


async def test_a_missing_key_names_its_place(tmp_path):
    with pytest.raises(BadSetting, match=r"openai:gpt-5-mini needs a key.*environment variable OPENAI_API_KEY"):
        await models(tmp_path, ModelOptions(name="openai:gpt-5-mini")).named().answer(question())


async def test_one_key_of_several_models_is_enough(tmp_path):
    """Keys are looked up before any model is asked."""
    two = {"one": ModelOptions(name="openai:gpt-5-mini"), "other": ModelOptions(name="anthropic:claude-x")}
    with pytest.raises(BadSetting, match=r"^openai:gpt-5-mini needs a key.*; never .* anthropic:claude-x needs a key"):
        await models(tmp_path, named=two).ready(["one", "other", "one"])
    async with Connections(Keys({"ANTHROPIC_API_KEY": "sk-1234"}), cache=tmp_path) as connections:
        await models(tmp_path, named=two, connections=connections).ready(["one", "other"])


async def test_keys_are_required_only_where_needed(tmp_path):
    """Scripts, cached answers and replays may need none."""
    keyless = script(tmp_path, '{"text": "ok"}')
    recording = tmp_path / "recording.jsonl"
    await models(tmp_path, keyless, record=recording).named().answer(question())
    paid = ModelOptions(name="openai:gpt-5-mini")
    await models(tmp_path, keyless).ready([""])
    await models(tmp_path, replace(paid, cache=True)).ready([""])
    await models(tmp_path, paid, replay=recording).ready([""])
    with pytest.raises(BadSetting, match="needs a key"):
        await models(tmp_path, paid).ready([""])


def test_dollar_limits_need_a_known_price(tmp_path):
    options = ModelOptions(name="openai:gpt-9")
    with pytest.raises(BadSetting, match=r"search\.dollars = 1 cannot be kept to: the price of openai:gpt-9"):
        models(tmp_path, options, budget=Budget(dollars=1.0)).named()
    priced = ModelOptions(name="openai:gpt-9", input_dollars=1.0, output_dollars=2.0)
    assert models(tmp_path, priced, budget=Budget(dollars=1.0)).named().name == "openai:gpt-9"
    elsewhere = ModelOptions(name="openai:gpt-5-mini", base_url="http://127.0.0.1:1/v1")
    with pytest.raises(BadSetting, match="cannot be kept to"):
        models(tmp_path, elsewhere, budget=Budget(dollars=1.0)).named()


async def test_transient_failures_are_retried_within_budget(tmp_path):
    options = script(tmp_path, '{"failure": "busy", "transient": true, "retryAfter": 0}', '{"text": "ok"}')
    assert (await models(tmp_path, options).named().answer(question())).calls == 2
    with pytest.raises(BudgetExhausted, match=r"search\.calls = 1"):
        await models(tmp_path, options, budget=Budget(calls=1)).named().answer(question())


async def test_answers_are_cached_across_searches_when_wanted(tmp_path):
    base = script(tmp_path, '{"text": "first"}')
    kept = ModelOptions(name=base.name, cache=True)
    assert (await models(tmp_path, kept).named().answer(question())).calls == 1
    again = models(tmp_path, kept, budget=Budget(calls=0))
    assert (await again.named().answer(question())).calls == 0


async def test_cached_answers_are_recorded_too(tmp_path):
    kept = replace(script(tmp_path, '{"text": "first"}'), cache=True)
    await models(tmp_path, kept).named().answer(question())
    await models(tmp_path, kept, record=tmp_path / "run.jsonl").named().answer(question())
    assert (await models(tmp_path, kept, replay=tmp_path / "run.jsonl").named().answer(question())).text == "first"


@pytest.mark.acceptance(104)
async def test_recordings_replay_without_the_model(tmp_path):
    """Failures, usage and the budget of calls are as they were."""
    path = tmp_path / "run.jsonl"
    options = script(tmp_path, '{"text": "a", "inputTokens": 7, "outputTokens": 2}', '{"failure": "gone"}')
    first = models(tmp_path, options, record=path)
    assert (await first.named().answer(question())).text == "a"
    with pytest.raises(ModelFailed):
        await first.named().answer(question(sample=1))
    await anyio.Path(options.name.removeprefix("scripted:")).unlink()
    again = models(tmp_path, options, replay=path, budget=Budget(calls=2))
    assert (await again.named().answer(question())).usage.input_tokens == 7
    with pytest.raises(ModelFailed, match="gone"):
        await again.named().answer(question(sample=1))
    with pytest.raises(BudgetExhausted):
        await again.named().answer(question(sample=2))


async def test_settings_fill_in_temperature_and_length(tmp_path):
    """They count where the prompt does not say."""
    path = tmp_path / "run.jsonl"
    base = script(tmp_path, '{"text": "a"}')
    options = ModelOptions(name=base.name, temperature=0.3, max_tokens=77)
    asked = models(tmp_path, options, record=path).named()
    await asked.answer(question(max_tokens=4096))
    tuned = ModelOptions(name=base.name)
    again = models(tmp_path, tuned, replay=path).named()
    with pytest.raises(ModelFailed, match="has no answer"):
        await again.answer(question(max_tokens=4096))
    with pytest.raises(ModelFailed, match="has no answer"):
        await again.answer(question(max_tokens=77))


async def test_background_searches_let_others_go_first(tmp_path):
    connections = Connections(Keys({}), cache=tmp_path)
    options, order = script(tmp_path, *['{"text": "a"}'] * 3), []
    busy = connections.pace(read_model_name(options.name), replace(options, max_concurrency=1))

    async def ask(name: str, **more: object) -> None:
        alike = replace(options, max_concurrency=1)
        await models(tmp_path, alike, connections=connections, **more).named().answer(question())
        order.append(name)

    async with anyio.create_task_group() as group, busy.turn(tokens=1, background=False):
        for name, background in (("first", True), ("second", False)):
            group.start_soon(lambda n=name, b=background: ask(n, background=b))
            await anyio.wait_all_tasks_blocked()
    assert order == ["second", "first"]


async def test_searches_share_a_providers_pace(tmp_path):
    connections = Connections(Keys({}), cache=tmp_path)
    first, second = (read_model_name(f"openai:{name}") for name in ("a", "b"))
    one = ModelOptions(name="openai:a", max_concurrency=2)
    assert connections.pace(first, one) is connections.pace(second, one)
    assert connections.pace(first, one) is not connections.pace(first, ModelOptions(name="x", base_url="http://h"))
    assert connections.pace(first, one).allowed == 2


async def test_leaving_without_having_asked_anybody_costs_nothing(tmp_path):
    with anyio.fail_after(100):
        async with Connections(Keys({}), cache=tmp_path / "cache"):
            pass
    assert not (tmp_path / "cache").exists()


@pytest.mark.acceptance(73)
async def test_configured_models_use_their_address_and_key(tmp_path):
    """A busy provider is asked again when it said."""
    busy = Page(status=429, kind="application/json", headers={"retry-after-ms": "20"}, pieces=(b"{}",))
    took = Usage(input_tokens=1000, output_tokens=100)
    pages = iter([busy, page_of(Play(pieces=("def f(): ...",), usage=took), openai_pieces)])
    async with model_server(lambda _: next(pages)) as server:
        options = ModelOptions(
            name="openai:small",
            base_url=f"{server.url}/v1",
            key_variable="MINE",
            input_dollars=1.0,
            output_dollars=10.0,
        )
        async with Connections(Keys({"MINE": "my-key", "OPENAI_API_KEY": "theirs"}), cache=tmp_path) as connections:
            answer = await models(tmp_path, options, connections=connections).named().answer(question())
    assert (answer.text, answer.calls, answer.dollars) == ("def f(): ...", 2, 0.002)
    assert [asked.headers["authorization"] for asked in server.questions] == ["Bearer my-key"] * 2


async def test_provider_keys_go_to_no_other_address(tmp_path):
    async with model_server(lambda _: page_of(Play(), openai_pieces)) as server:
        options = ModelOptions(name="openai:small", base_url=f"{server.url}/v1")
        async with Connections(Keys({"OPENAI_API_KEY": "theirs"}), cache=tmp_path) as connections:
            await models(tmp_path, options, connections=connections).named().answer(question())
    assert [asked.headers.get("authorization") for asked in server.questions] == [None]


async def test_azure_keys_go_to_the_set_address(tmp_path):
    """Azure has no address for everybody."""
    async with model_server(lambda _: page_of(Play(), openai_pieces)) as server:
        options = ModelOptions(name="azure:mine", base_url=f"{server.url}/openai/v1")
        named = replace(options, key_variable="MINE")
        keys = Keys({"AZURE_OPENAI_API_KEY": "theirs", "MINE": "my-key"})
        async with Connections(keys, cache=tmp_path) as connections:
            for each in (options, named):
                await models(tmp_path, each, connections=connections).named().answer(question())
    assert [asked.headers.get("authorization") for asked in server.questions] == ["Bearer theirs", "Bearer my-key"]


async def test_models_keep_connections_and_refused_options(tmp_path):
    def answering(asked: Question) -> Page:
        if "temperature" in asked.body:
            words = b'{"error": {"message": "Unsupported parameter: temperature", "param": "temperature"}}'
            return Page(status=400, kind="application/json", pieces=(words,))
        return page_of(Play(), openai_pieces)

    async with model_server(answering) as server:
        options = ModelOptions(name="openai:small", base_url=f"{server.url}/v1", temperature=0.5)
        async with Connections(Keys({}), cache=tmp_path) as connections:
            for _ in range(2):
                await models(tmp_path, options, connections=connections).named().answer(question())
    assert ["temperature" in asked.body for asked in server.questions] == [True, False, False]
    assert server.connections == 1
