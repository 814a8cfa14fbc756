"""A real engine answers: llama.cpp's own server, built from source by `make models`, with a tiny model.

Its answers are sampled, token by token, by a program of others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import anyio
import pytest

from certo.llm.prompt import Delta, Finish, Sampling
from certo.vocabulary.errors import ModelFailed
from support.models.llama import SLOTS, Engine, llama
from support.models.provider_plays import ask

pytestmark = [pytest.mark.acceptance(4, 105), pytest.mark.models]

BODIES = ("return a + b", "return a - b", "pass", "raise ValueError")
CHOICE = f"root ::= {' | '.join(map(json.dumps, BODIES))}"
"""A grammar by which the model can do no more than choose one of these."""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A running server."""
    with llama(tmp_path_factory.mktemp("llama")) as engine:
        yield engine


async def samples(engine: Engine, count: int, **extra: str) -> list[str]:
    """Answers to one question, asked all at once, each with a seed of its own."""
    texts = [""] * count

    async def sample(seed: int) -> None:
        reply = await engine.answer(ask(sampling=Sampling(seed=seed), sample=seed), **extra)
        texts[seed] = reply.text

    async with anyio.create_task_group() as group:
        for seed in range(count):
            group.start_soon(sample, seed)
    return texts


async def test_answers_come_in_pieces_with_usage(engine: Engine) -> None:
    deltas: list[Delta] = []
    reply = await engine.answer(ask("write f", sampling=Sampling(seed=5)), heard=deltas.append)
    assert reply.finish is Finish.COMPLETE
    assert reply.model == "tiny"
    assert "".join(delta.text for delta in deltas) == reply.text != ""
    assert len(deltas) > 2
    assert reply.usage is not None
    # Each character is a token, and so is the end; of the prompt each character and its beginning.
    assert reply.usage.output_tokens == len(reply.text) + 1
    assert reply.usage.input_tokens == len("<user: write f\nassistant: ")


async def test_a_limit_of_tokens_cuts_an_answer(engine: Engine) -> None:
    reply = await engine.answer(ask(sampling=Sampling(max_tokens=7)), ignore_eos=True)
    assert (reply.finish, len(reply.text)) == (Finish.CUT, 7)
    assert reply.usage is not None
    assert reply.usage.output_tokens == 7


async def test_more_samples_than_slots_are_answered(engine: Engine) -> None:
    """They differ by their seeds, and the same seeds give the same again."""
    first = await samples(engine, SLOTS * 2)
    assert len(set(first)) == SLOTS * 2
    assert await samples(engine, SLOTS * 2) == first


async def test_within_a_grammar_the_seed_decides(engine: Engine) -> None:
    assert set(await samples(engine, 32, grammar=CHOICE)) == set(BODIES)


async def test_an_answer_follows_its_schema(engine: Engine) -> None:
    rating = {"type": "integer", "enum": [1, 2, 3]}
    schema = {
        "type": "object",
        "properties": {"passed": {"type": "boolean"}, "rating": rating},
        "required": ["passed", "rating"],
        "additionalProperties": False,
    }
    prompts = [ask(schema=schema, schema_name="opinion", sampling=Sampling(seed=seed)) for seed in range(5)]
    opinions = [json.loads((await engine.answer(prompt)).text) for prompt in prompts]
    assert all(type(opinion["passed"]) is bool and opinion["rating"] in (1, 2, 3) for opinion in opinions)
    assert all(set(opinion) == {"passed", "rating"} for opinion in opinions)


async def test_cancelling_in_mid_stream_frees_server_slots(engine: Engine) -> None:
    long = 16_000
    writing = [anyio.Event() for _ in range(SLOTS)]

    async def listen(event: anyio.Event) -> None:
        await engine.answer(ask(sampling=Sampling(max_tokens=long)), heard=lambda _: event.set(), ignore_eos=True)

    await engine.idle()
    with anyio.fail_after(100):
        async with anyio.create_task_group() as group:
            for event in writing:
                group.start_soon(listen, event)
            for event in writing:
                await event.wait()
            assert engine.busy() == SLOTS
            group.cancel_scope.cancel()
    await engine.idle()
    assert SLOTS < engine.held() < long
    assert (await engine.answer(ask(), grammar=CHOICE)).text in BODIES


async def test_wrong_keys_are_reported_and_not_shown(engine: Engine) -> None:
    with pytest.raises(ModelFailed, match=r"does not accept the key from TINY_KEY") as failed:
        await engine.answer(ask(), key="sk-wrong-canary")
    assert failed.value.status == 401
    assert not failed.value.transient
    assert "canary" not in str(failed.value)


async def test_a_refused_question_quotes_the_server(engine: Engine) -> None:
    with pytest.raises(ModelFailed, match="grammar") as failed:
        await engine.answer(ask(), grammar="root ::= no such rule")
    assert failed.value.status == 400
    assert not failed.value.transient
