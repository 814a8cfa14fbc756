"""Our requests are those of the providers' own libraries: their types read every body, and leave nothing over.

The libraries take seconds to load, so only the tests do, and not each process that collects them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from certo.llm.http.anthropic import AnthropicFormat
from certo.llm.http.openai import OpenAIFormat
from certo.llm.model import ignore_text
from certo.llm.prompt import Image, Message, Prompt, Sampling, Usage
from certo.llm.streamed_reply import StreamedReply
from support.models.model_server import anthropic_pieces, openai_pieces
from support.models.provider_plays import Play


@cache
def openai() -> TypeAdapter[Any]:
    """Return what reads a request for a chat."""
    from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming

    return TypeAdapter(CompletionCreateParamsStreaming)


@cache
def openai_vectors() -> TypeAdapter[Any]:
    """Return what reads a request for vectors."""
    from openai.types import EmbeddingCreateParams

    return TypeAdapter(EmbeddingCreateParams)


@cache
def anthropic() -> TypeAdapter[Any]:
    """Return what reads a request of the other provider."""
    from anthropic.types.message_create_params import MessageCreateParamsStreaming

    return TypeAdapter(MessageCreateParamsStreaming)


SAMPLING_OF_OLD = frozenset({"temperature", "top_p"})
"""Options that the version of the API we ask for takes, and the library's own version no longer does."""


def deep(value: Any) -> Any:
    """A value whose lazy parts have been read: the libraries check what they call iterable only when it is walked."""
    if isinstance(value, str | bytes):
        return value
    if isinstance(value, Mapping):
        return {key: deep(one) for key, one in value.items()}
    return [deep(one) for one in value] if isinstance(value, Iterable) else value


def read(oracle: TypeAdapter[Any], body: dict[str, Any]) -> Any:
    """A body as an oracle reads it, which drops what it does not know."""
    return deep(oracle.validate_python(body, strict=True))


schemas = st.sampled_from([None, {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}])
samplings = st.builds(
    Sampling,
    temperature=st.none() | st.floats(0, 2),
    top_p=st.none() | st.floats(0, 1),
    seed=st.none() | st.integers(0, 2**31),
    max_tokens=st.integers(1, 100_000),
    stop=st.lists(st.text(min_size=1), max_size=3).map(tuple),
)
images = st.lists(
    st.sampled_from([Image(url="data:image/png;base64,aGVyZQ=="), Image(url="https://example.org/there.webp")]),
    max_size=2,
).map(tuple)
turns = st.lists(st.tuples(st.text(min_size=1), images), min_size=1, max_size=5).map(
    lambda said: tuple(
        Message(role="assistant", text=text) if number % 2 else Message(role="user", text=text, images=looked_at)
        for number, (text, looked_at) in enumerate(said)
    )
)
prompts = st.builds(
    lambda system, conversation, sampling, schema: Prompt(
        messages=(*system, *conversation), sampling=sampling, schema=schema
    ),
    st.lists(st.builds(Message, role=st.just("system"), text=st.text(min_size=1)), max_size=2),
    turns,
    samplings,
    schemas,
)


@given(prompts, st.sampled_from(["", "2024-10-21"]), st.sampled_from(["max_tokens", "max_completion_tokens"]))
def test_openai_reads_all_of_what_we_send(prompt: Prompt, version: str, limit: Any) -> None:
    body = OpenAIFormat(api_version=version, token_limit=limit).body("gpt-5-mini", prompt, without=frozenset())
    assert read(openai(), body) == body
    assert json.loads(json.dumps(body)) == body


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4))
def test_openai_reads_all_embedding_requests(texts: list[str]) -> None:
    messages = tuple(Message(role="user", text=text) for text in texts)
    body = OpenAIFormat().body("small", Prompt(messages=messages, embedding=True), without=frozenset())
    assert read(openai_vectors(), body) == body == {"model": "small", "input": texts}


def test_the_vectors_of_openais_library_are_read() -> None:
    from openai.types import CreateEmbeddingResponse, Embedding
    from openai.types.create_embedding_response import Usage as EmbeddingUsage

    vectors = [Embedding(index=index, embedding=[index + 0.5], object="embedding") for index in (1, 0)]
    usage = EmbeddingUsage(prompt_tokens=3, total_tokens=3)
    told = CreateEmbeddingResponse(data=vectors, model="small", object="list", usage=usage)
    answer = StreamedReply(ignore_text)
    OpenAIFormat().take(told.model_dump(), answer)
    assert (answer.text, answer.usage) == ("[[0.5], [1.5]]", Usage(input_tokens=3, output_tokens=0))


@given(prompts)
def test_anthropic_reads_all_of_what_we_send(prompt: Prompt) -> None:
    body = AnthropicFormat().body("claude-sonnet-5", prompt, without=frozenset())
    now = {name: value for name, value in body.items() if name not in SAMPLING_OF_OLD}
    assert read(anthropic(), now) == now


@given(prompts)
def test_options_can_be_left_out(prompt: Prompt) -> None:
    for format_ in (OpenAIFormat(), AnthropicFormat()):
        body = format_.body("m", prompt, without=format_.optional)
        assert not format_.optional & body.keys()
        assert {"model", "messages", "stream"} <= body.keys()


@pytest.mark.parametrize(
    ("oracle_of", "wrong"),
    [
        (openai, {"messages": [{"role": "sistem", "content": "x"}]}),
        (openai, {"temperature": "hot"}),
        (anthropic, {"messages": [{"role": "user", "content": 3}]}),
        (anthropic, {"output_config": {"format": {"type": "json"}}}),
    ],
)
def test_the_oracles_see_what_is_wrong(oracle_of: Callable[[], TypeAdapter[Any]], wrong: dict[str, Any]) -> None:
    oracle = oracle_of()
    body = {"model": "m", "max_tokens": 1, "stream": True, "messages": [{"role": "user", "content": "x"}]}
    assert read(oracle, body) == body
    assert read(oracle, {**body, "temprature": 1}) == body
    with pytest.raises(ValidationError):
        read(oracle, {**body, **wrong})


PLAYS = [Play(), Play(usage=Usage(input_tokens=9, output_tokens=2, cached_tokens=3))]


@pytest.mark.parametrize("play", PLAYS)
def test_our_server_streams_like_openai(play: Play) -> None:
    from openai.types.chat import ChatCompletionChunk

    text, end = openai_pieces(play)
    chunks = [ChatCompletionChunk.model_validate_json(piece.removeprefix(b"data: ")) for piece in (*text, *end[:-1])]
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) == play.text


@pytest.mark.parametrize("play", PLAYS)
def test_our_server_streams_like_anthropic(play: Play) -> None:
    from anthropic.types import RawMessageStreamEvent

    events: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)
    text, end = anthropic_pieces(play)
    told = [json.loads(piece.partition(b"data: ")[2]) for piece in (*text, *end)]
    kinds = [events.validate_python(one).type for one in told if one["type"] != "ping"]
    assert kinds[0] == "message_start"
    assert kinds[-1] == "message_stop"
