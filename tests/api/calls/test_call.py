"""A call sends nothing before it is run, then all its questions at once."""

from __future__ import annotations

import copy
import io
import re

import anyio
import pytest

from certo import (
    LLM,
    AICall,
    AIGenerate,
    Budget,
    Message,
    PromptTemplate,
    RetryConfig,
    Runtime,
    Sampling,
    print_samples,
    split_multi_samples,
    wait,
)
from certo.vocabulary.errors import BadRequest, BadSetting, BudgetExhausted, ModelFailed
from support.models.model_server import model_server, openai_pieces, page_of
from support.models.provider_plays import Play
from support.models.scripted_answers import Answers, busy, reply
from support.runtime import make_runtime

pytestmark = pytest.mark.acceptance(78, 80, 82, 93, 94, 101)


def roles(call: AICall) -> str:
    return "".join(turn.role[0] for turn in call.conversation)


async def test_call_sends_nothing_before_run() -> None:
    """Nothing is sent before it is run and it can be run again."""
    model = Answers([reply("Hi."), reply("Hello.")])
    call = AIGenerate("Say hi!", model=model, system="Be short.")
    assert (model.asked, call.success, call.last_message.text) == ([], None, "Say hi!")
    assert await call.run() is call
    assert (call.success, call.is_valid, call.error, call.last_output) == (True, True, None, "Hi.")
    await call.run()
    assert call.last_output == "Hello."
    assert [prompt.messages for prompt in model.asked] == [model.asked[0].messages] * 2
    assert (roles(call), len(call.samples), call.config.calls) == ("sua", 3, 2)


async def test_calling_a_call_replies() -> None:
    model = Answers([reply("Hi."), reply("HI!"), reply("Hi, you.")])
    call = await AIGenerate("Say $what!", model=model, what="hi", loud="louder").run()
    await call("Once more, $loud, for $$1.")
    assert call.last_output == "HI!"
    assert [turn.text for turn in call.conversation] == ["Say hi!", "Hi.", "Once more, louder, for $1.", "HI!"]
    await call(Message(role="user", text="And for ${whom}?"), whom="me")
    assert call.conversation[-2].text == "And for me?"
    assert (roles(call), call.values) == ("uauaua", {})


async def test_placeholders_are_filled_once() -> None:
    """A filled text is not filled again, and a dollar without a value stays."""
    call = await AIGenerate("$a costs $5", model=Answers(), a="$b", b="never").run()
    assert call.conversation[0].text == "$b costs $5"
    assert call.values == {"b": "never"}


async def test_opening_by_messages_or_template() -> None:
    """A template's values have to be there."""
    turns = [Message(role="system", text="s"), Message(role="user", text="u")]
    assert AICall(turns).conversation == tuple(turns)
    template = PromptTemplate(name="greeting", system="Be $how.", texts=("Greet $whom.",))
    with pytest.raises(BadSetting, match=re.escape("needs a value for $whom; give whom=…")):
        await AIGenerate(template, how="kind").run()
    call = await AIGenerate(template, how="kind", whom="Ada", model=Answers()).run()
    assert [turn.text for turn in call.conversation] == ["Be kind.", "Greet Ada.", "42"]
    with pytest.raises(BadSetting, match="begins with a text, messages or a template"):
        AIGenerate(["no message"])


async def test_samples_run_concurrently_into_a_tree() -> None:
    model = Answers([reply(text, dollars=0.5) for text in "abc"])
    call = await AIGenerate("x", model=model, config=RetryConfig(n_samples=3)).run()
    assert (model.most_active, call.config.calls, len(call.samples)) == (3, 3, 4)
    assert [node.data.value for node in call.samples.root.children] == ["a", "b", "c"]
    assert (call.active_sample.data.value, roles(call), call.tokens, call.dollars) == ("c", "ua", 45, 1.5)
    assert sorted(prompt.sample for prompt in model.asked) == [0, 1, 2]
    await call.run(n_samples=1)
    assert [prompt.sample for prompt in model.asked[3:]] == [3]
    assert call.active_sample.parent.data.value == "c"


async def test_answers_are_bounded_by_calls_left() -> None:
    model = Answers()
    call = await AIGenerate("x", model=model, config=RetryConfig(n_samples=5, max_calls=3, catch_errors=True)).run()
    assert (len(model.asked), call.config.calls, call.success) == (3, 3, True)
    await call.run()
    assert (len(model.asked), call.success) == (3, False)
    assert isinstance(call.error, BudgetExhausted)


async def test_budget_bounds_call_and_copies() -> None:
    call = await AIGenerate("x", model=Answers(), budget=Budget(calls=2)).run()
    copied = await copy.copy(call).run()
    assert copied.ledger.taken.calls == 2
    with pytest.raises(
        BudgetExhausted, match=re.escape("budget.calls = 2 does not cover one more call of scripted:one")
    ):
        await call.run()
    model = Answers([reply("x", dollars=0.6)])
    call = await AIGenerate("x", model=LLM(model), budget=Budget(dollars=1)).run()
    await call.run()
    with pytest.raises(BudgetExhausted, match=re.escape("budget.dollars = 1 are spent; raise it to go on")):
        await call.run()
    assert (len(model.asked), call.ledger.taken.calls, call.last_output) == (2, 2, "x")


async def test_dollar_budget_is_checked_before_sending(monkeypatch: pytest.MonkeyPatch) -> None:
    """A budget in dollars goes by the price before anything is sent."""
    monkeypatch.setenv("KEY_OF_THE_TEST", "sk-canary")
    async with model_server(lambda _: page_of(Play(), openai_pieces)) as server:
        runtime = make_runtime()
        own = {"model.name": "openai:gpt-here", "model.base_url": server.url, "model.key_variable": "KEY_OF_THE_TEST"}
        price = {"model.input_dollars": 1.0, "model.output_dollars": 1000.0}
        runtime.settings = {**runtime.settings, **own, **price}
        async with runtime:
            call = AIGenerate("x", budget=Budget(dollars=0.01))
            with pytest.raises(BudgetExhausted, match=r"budget.dollars = 0.01 does not cover one more call"):
                await call.run()
            assert server.questions == []
            call = AIGenerate("x", budget=Budget(dollars=0.02), sampling=Sampling(max_tokens=10))
            assert (await call.run()).ledger.taken.dollars == pytest.approx(0.005007)


async def test_calls_with_one_config_share_its_counters() -> None:
    config = RetryConfig(max_calls=3)
    for _ in range(3):
        await AIGenerate("x", model=Answers(), config=config).run()
    with pytest.raises(BudgetExhausted, match="max_calls = 3 answers were given"):
        await AIGenerate("x", model=Answers(), config=config).run()


async def test_a_failed_first_call_keeps_its_conversation() -> None:
    model = Answers([ModelFailed("down"), ModelFailed("down"), reply("up")])
    call = AIGenerate("Say $what!", model=model, what="hi")
    with pytest.raises(ModelFailed, match="down"):
        await call.run()
    assert (call.success, str(call.error), call.config.calls) == (False, "down", 0)
    await call.run(catch_errors=True)
    assert (call.success, [turn.text for turn in call.conversation]) == (False, ["Say hi!"])
    assert (await call.run()).last_output == "up"
    assert call.error is None
    assert {prompt.messages[0].text for prompt in model.asked} == {"Say hi!"}


async def test_one_good_sample_is_enough() -> None:
    """Of several samples one is enough and the failure of another is told."""
    model = Answers([reply("a"), busy(), reply("c")])
    call = await AIGenerate("x", model=model, config=RetryConfig(n_samples=3)).run()
    assert (call.success, call.config.calls, call.error.status) == (True, 2, 429)


async def test_reply_after_failure_extends_question() -> None:
    call = await AIGenerate("x", model=Answers([busy(), reply("a")]), config=RetryConfig(catch_errors=True)).run()
    await call("and y")
    assert (call.conversation[0].text, roles(call)) == ("x\n\nand y", "ua")


async def test_what_is_no_setting_is_not_caught() -> None:
    with pytest.raises(BadSetting):
        await AIGenerate("x", model="nowhere:model", config=RetryConfig(catch_errors=True)).run()


@pytest.mark.parametrize(
    ("given", "config", "sent"),
    [
        (Sampling(), RetryConfig(), 0.7),
        (Sampling(temperature=0.0), RetryConfig(), 0.0),
        (Sampling(), RetryConfig(temperature=0.3), 0.3),
        (Sampling(temperature=1.1), RetryConfig(temperature=0.3), 1.1),
    ],
)
async def test_temperature_of_user_precedes_config(given: Sampling, config: RetryConfig, sent: float) -> None:
    model = Answers()
    config.n_samples = 3
    await AIGenerate("x", model=model, sampling=given, config=config).run()
    assert [prompt.sampling.temperature for prompt in model.asked] == [sent] * 3


async def test_seeded_samples_differ() -> None:
    model = Answers()
    call = await AIGenerate("x", model=model, sampling=Sampling(seed=5), config=RetryConfig(n_samples=2)).run()
    await call.run()
    assert [prompt.sampling.seed for prompt in model.asked] == [5, 6, 7, 8]


@pytest.mark.parametrize(("setting", "sent"), [({}, 0.7), ({"model.temperature": 0.2}, 0.2)])
async def test_the_temperature_reaches_the_provider(
    monkeypatch: pytest.MonkeyPatch, setting: dict[str, float], sent: float
) -> None:
    monkeypatch.setenv("KEY_OF_THE_TEST", "sk-canary")
    async with model_server(lambda _: page_of(Play(pieces=("Hi.",)), openai_pieces)) as server:
        runtime = make_runtime()
        own = {"model.name": "openai:gpt-here", "model.base_url": server.url, "model.key_variable": "KEY_OF_THE_TEST"}
        runtime.settings = {**runtime.settings, **own, **setting}
        async with runtime:
            call = await AIGenerate("x", config=RetryConfig(n_samples=4)).run()
    assert call.last_output == "Hi."
    assert [question.body["temperature"] for question in server.questions] == [sent] * 4
    assert server.connections == 4


async def test_runtime_model_is_the_default() -> None:
    async with Runtime(llm=Answers([reply("theirs")])):
        assert (await AIGenerate("x").run()).last_output == "theirs"


async def test_a_copy_goes_its_own_way() -> None:
    call = await AIGenerate("x", model=Answers(), config=RetryConfig(n_samples=2)).run()
    call.memory["seen"] = 1
    call.active_sample.backpropagate(1)
    copied = copy.copy(call)
    assert (copied.conversation, len(copied.samples)) == (call.conversation, 3)
    await copied("more")
    copied.memory["seen"] = 2
    assert (len(call.samples), call.config.calls, call.memory, roles(call)) == (3, 2, {"seen": 1}, "ua")
    assert (copied.samples.root.wins, copied.config.calls, roles(copied)) == (1, 4, "uaua")


async def test_a_call_is_shown_in_short() -> None:
    call = AIGenerate("x", model=Answers([reply("word \n" * 100)]))
    assert repr(call) == "AIGenerate(Messages: 1, Success: None)"
    await call.run()
    first, second = repr(call).splitlines()
    assert first == "AIGenerate(Messages: 2, Success: True)"
    assert second.startswith("- Preview of the last answer: word word")
    assert len(second) < 140


async def test_the_tree_of_answers_is_drawn() -> None:
    call = await AIGenerate("x", model=Answers(), config=RetryConfig(n_samples=2)).run()
    for node, wins in zip(call.samples.root.children, (1, 0), strict=True):
        node.backpropagate(wins)
    drawn = io.StringIO()
    print_samples(call.samples, file=drawn)
    assert drawn.getvalue().splitlines() == [
        "SampleNode(id: 0, stats: 1/2, score: 0.5, length: 1)",
        "├─ SampleNode(id: 1, stats: 1/1, score: 2.18, length: 2)",
        "└─ SampleNode(id: 2, stats: 0/1, score: 1.18, length: 2)",
    ]


def test_conversation_with_several_answers_is_split() -> None:
    question, one, two = (
        Message(role=role, text=text) for role, text in (("user", "q"), ("assistant", "1"), ("assistant", "2"))
    )
    assert split_multi_samples((question, one, two)) == ((question, one), (question, two))
    assert split_multi_samples((question, one)) == ((question, one),)
    assert split_multi_samples((question,)) == ((question,),)
    assert split_multi_samples(()) == ((),)


def test_call_runs_from_synchronous_programs() -> None:
    """It can be run from a program that is not asynchronous."""
    assert wait(AIGenerate("x", model=Answers()).run()).last_output == "42"


async def test_cancelled_call_can_run_again() -> None:

    async def never(_: object) -> object:
        return await anyio.sleep_forever()

    call = AIGenerate("x", model=Answers([never, reply("late")]))
    with anyio.move_on_after(0.01):
        await call.run()
    assert (call.success, roles(call)) == (None, "u")
    assert (await call.run()).last_output == "late"


async def test_call_runs_once_at_a_time() -> None:
    """A call is run once at a time and its copies beside it."""
    model = Answers()
    call = AIGenerate("x", model=model)
    async with anyio.create_task_group() as group:
        group.start_soon(call.run)
        group.start_soon(copy.copy(call).run)
        await anyio.lowlevel.checkpoint()
        with pytest.raises(BadRequest, match="AIGenerate is being run already; run a copy"):
            await call.run()
    assert (len(model.asked), call.success) == (2, True)


async def test_a_reply_while_it_runs_changes_nothing() -> None:
    """A refused reply is not in the conversation of the run that goes on."""
    call = AIGenerate("x", model=Answers([reply("Hi.")]))
    async with anyio.create_task_group() as group:
        group.start_soon(call.run)
        await anyio.lowlevel.checkpoint()
        with pytest.raises(BadRequest, match="AIGenerate is being run already; run a copy"):
            await call("And $then?", then="more")
    assert ([turn.text for turn in call.conversation], call.values) == (["x", "Hi."], {})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"n_samples": 0}, "RetryConfig.n_samples must be at least 1, not 0"),
        ({"max_calls": 0}, "RetryConfig.max_calls must be at least 1, not 0"),
        ({"max_retries": -1}, "RetryConfig.max_retries must be at least 0, not -1"),
        ({"retry_delay": float("nan")}, "RetryConfig.retry_delay must be 0 or more seconds, not nan"),
        ({"temperature": -0.5}, "RetryConfig.temperature must be 0 or more, not -0.5"),
        ({"ordering": "InOrder"}, "RetryConfig.ordering = 'InOrder'; known: PostOrderDFS, PreOrderDFS"),
    ],
)
def test_a_config_that_cannot_be_is_refused(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(BadSetting, match=re.escape(said)):
        RetryConfig(**wrong)
