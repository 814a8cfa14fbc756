"""A model behind HTTP: requests, options left out for servers that do not take them, and answers with their usage."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from certo.llm.http.anthropic import AnthropicFormat
from certo.llm.http.endpoint import Endpoint
from certo.llm.http.model import HttpModel
from certo.llm.http.ollama import OllamaFormat
from certo.llm.http.openai import OpenAIFormat, openai_format
from certo.llm.http.transport import Transport
from certo.llm.prompt import Finish, Message, Prompt, Reply, Sampling, Usage
from certo.vocabulary.errors import BadSetting, ModelFailed
from support.models.model_server import (
    Page,
    Question,
    anthropic_pieces,
    chunk,
    event,
    model_server,
    ollama_pieces,
    openai_pieces,
    page_of,
)
from support.models.provider_plays import Play, ask
from support.models.served_model import KEY, served

pytestmark = pytest.mark.acceptance(105)

ALL = Sampling(temperature=0.5, top_p=0.9, seed=3, max_tokens=50, stop=("```",))


def refusing(message: str, *names: str) -> Callable[[Question], Page]:
    """A server that refuses a question with any of the parameters named."""

    def answer(question: Question) -> Page:
        found = [name for name in names if name in question.body]
        if not found:
            return page_of(Play(), anthropic_pieces if "messages" in question.path else openai_pieces)
        told = {"error": {"message": message.format(found[0]), "type": "invalid_request_error"}}
        return Page(status=400, kind="application/json", pieces=(json.dumps(told).encode(),))

    return answer


@pytest.mark.parametrize(
    "message",
    [
        "Unsupported parameter: '{}' is not supported with this model.",
        "`{}` is deprecated for this model.",
        "Unsupported value: '{}' does not support 0.5 with this model. Only the default (1) value is supported.",
        "body -> {}: Extra inputs are not permitted",
        "Unrecognized request argument supplied: {}",
    ],
)
@pytest.mark.parametrize("format_", [OpenAIFormat(), AnthropicFormat()])
async def test_refused_options_are_left_out_afterwards(message: str, format_: OpenAIFormat | AnthropicFormat) -> None:
    async with served(refusing(message, "temperature", "top_p"), format_) as (model, server):
        first = await model.answer(ask(sampling=ALL))
        assert first.calls == 3
        assert {"temperature", "top_p"} <= server.questions[0].body.keys()
        assert (await model.answer(ask(sampling=ALL))).calls == 1
        assert not {"temperature", "top_p"} & server.questions[-1].body.keys()
        assert "stop" in server.questions[-1].body or "stop_sequences" in server.questions[-1].body


async def test_the_token_limit_has_another_name() -> None:
    """A server that refuses `max_tokens` is sent `max_completion_tokens`."""
    message = "Unsupported parameter: '{}' is not supported with this model. Use 'max_completion_tokens' instead."
    async with served(refusing(message, "max_tokens")) as (model, server):
        await model.answer(ask(sampling=ALL))
        assert server.questions[0].body["max_tokens"] == 50
        assert server.questions[1].body["max_completion_tokens"] == 50
        assert "max_tokens" not in server.questions[1].body


@pytest.mark.parametrize("message", ["{} must be at most 1", "the value of {} is too large: 4096"])
async def test_wrong_values_are_reported_and_not_dropped(message: str) -> None:
    async with served(refusing(message, "temperature")) as (model, server):
        with pytest.raises(ModelFailed, match=message.format("temperature")):
            await model.answer(ask(sampling=ALL))
        assert len(server.questions) == 1


async def test_a_schema_is_never_left_out() -> None:
    async with served(refusing("{} is not supported", "response_format")) as (model, _):
        with pytest.raises(ModelFailed, match="response_format is not supported"):
            await model.answer(ask(schema={"type": "object"}))


@pytest.mark.parametrize(
    ("format_", "pieces", "base", "path", "key"),
    [
        (OpenAIFormat(), openai_pieces, "/v1", "/v1/chat/completions", ("authorization", f"Bearer {KEY}")),
        (OpenAIFormat(), openai_pieces, "/api/v1/", "/api/v1/chat/completions", ("authorization", f"Bearer {KEY}")),
        (
            OpenAIFormat(api_version="2024-10-21"),
            openai_pieces,
            "",
            "/openai/deployments/my%2Fsmall/chat/completions?api-version=2024-10-21",
            ("api-key", KEY),
        ),
        (AnthropicFormat(), anthropic_pieces, "", "/v1/messages", ("x-api-key", KEY)),
        (AnthropicFormat(), anthropic_pieces, "/v1", "/v1/messages", ("x-api-key", KEY)),
        (AnthropicFormat(), anthropic_pieces, "/anthropic", "/anthropic/v1/messages", ("x-api-key", KEY)),
        (OllamaFormat(), ollama_pieces, "", "/api/chat", ("authorization", f"Bearer {KEY}")),
        (OllamaFormat(), ollama_pieces, "/api", "/api/chat", ("authorization", f"Bearer {KEY}")),
    ],
)
async def test_requests_have_the_right_address_and_headers(format_, pieces, base, path, key) -> None:
    """The key is in one header only."""
    async with model_server(lambda _: page_of(Play(), pieces)) as server, Transport() as transport:
        endpoint = Endpoint(provider="some", base_url=server.url + base, key=KEY, headers={"x-title": "certo"})
        await HttpModel(transport, endpoint, "my/small", format_).answer(ask())
    [question] = server.questions
    assert question.path == path
    assert question.headers[key[0]] == key[1]
    assert question.headers["x-title"] == "certo"
    assert question.headers["user-agent"].startswith("certo/")
    assert question.body["stream"] is True
    assert [name for name, value in question.headers.items() if KEY in value] == [key[0]]


async def test_the_users_headers_replace_ours() -> None:
    async with served(page_of(Play(), openai_pieces), headers={"Authorization": "Basic abc"}) as (model, server):
        await model.answer(ask())
    assert server.questions[0].headers["authorization"] == "Basic abc"


async def test_a_stream_may_come_without_its_type() -> None:
    page = page_of(Play(), openai_pieces)
    async with served(Page(kind="", pieces=page.pieces)) as (model, _):
        assert (await model.answer(ask())).text == Play().text


@pytest.mark.acceptance(103)
@pytest.mark.parametrize("pieces", [openai_pieces, anthropic_pieces])
async def test_cached_tokens_are_reported(pieces: object) -> None:
    format_ = OpenAIFormat() if pieces is openai_pieces else AnthropicFormat()
    took = Usage(input_tokens=100, output_tokens=7, cached_tokens=80)
    async with served(page_of(Play(usage=took), pieces), format_) as (model, _):
        reply = await model.answer(ask())
    assert reply.usage == took
    assert reply.model == "told-model"


@pytest.mark.parametrize("pieces", [openai_pieces, anthropic_pieces])
async def test_noughts_are_no_count(pieces: object) -> None:
    format_ = OpenAIFormat() if pieces is openai_pieces else AnthropicFormat()
    async with served(page_of(Play(usage=Usage(input_tokens=0, output_tokens=0)), pieces), format_) as (model, _):
        assert (await model.answer(ask())).usage is None


async def reply_to(*events: object) -> Reply:
    """Return the reply made of these chunks of a chat completion."""
    async with served(Page(pieces=tuple(event(one) for one in events))) as (model, _):
        return await model.answer(ask())


async def test_a_refusal_is_a_filtered_answer() -> None:
    refused = {**chunk(), "choices": [{"index": 0, "delta": {"refusal": "I cannot"}, "finish_reason": None}]}
    reply = await reply_to(chunk(""), refused, chunk(finish_reason="stop"))
    assert (reply.finish, reply.text) == (Finish.FILTERED, "")


async def test_only_the_first_choices_text_is_read() -> None:
    other = {**chunk(), "choices": [{"index": 1, "delta": {"content": "other"}, "finish_reason": "stop"}]}
    thought = {**chunk(), "choices": [{"index": 0, "delta": {"reasoning_content": "hm", "content": None}}]}
    reply = await reply_to({"choices": []}, other, thought, chunk("mine"), chunk(finish_reason="eos"))
    assert (reply.finish, reply.text) == (Finish.COMPLETE, "mine")


async def test_split_characters_are_joined() -> None:
    reply = await reply_to(chunk("a\ud83d"), chunk("\ude42b\udc00"), chunk("c\ud83d"), chunk(finish_reason="stop"))
    assert reply.text == "a🙂b\N{REPLACEMENT CHARACTER}c\N{REPLACEMENT CHARACTER}"


async def test_two_megabytes_arrive_whole() -> None:
    """They come in one piece or in many."""
    whole = "x = 1\n" * 333_333
    pieces = tuple(whole[start : start + 40_000] for start in range(0, len(whole), 40_000))
    for play in (Play(pieces=(whole,)), Play(pieces=pieces)):
        async with served(page_of(play, openai_pieces)) as (model, _):
            assert (await model.answer(ask())).text == whole
        async with served(page_of(play, ollama_pieces), OllamaFormat()) as (model, _):
            assert (await model.answer(ask())).text == whole


@pytest.mark.parametrize("length", [1, 2, 3, 7])
async def test_events_are_found_however_streams_are_cut(length: int) -> None:
    play = Play(pieces=("é🙂\u2028\u0085", "\x0c\r\n\t", '"'))
    for pieces, format_ in ((openai_pieces, OpenAIFormat()), (ollama_pieces, OllamaFormat())):
        page = page_of(play, pieces)
        stream = b"\xef\xbb\xbf" + b"".join(page.pieces)
        cut = tuple(stream[start : start + length] for start in range(0, len(stream), length))
        async with served(Page(kind=page.kind, pieces=cut), format_) as (model, _):
            assert (await model.answer(ask())).text == play.text


async def test_a_finished_stream_is_not_awaited() -> None:
    """The server keeps it open after its last word."""
    page = page_of(Play(), openai_pieces)
    async with served(Page(pieces=page.pieces, open=True)) as (model, _):
        assert (await model.answer(ask())).text == Play().text


def test_the_context_window_holds_question_and_answer() -> None:
    def context(characters: int, limit: int, character: str = "x") -> object:
        prompt = ask(character * characters, sampling=Sampling(max_tokens=limit))
        return OllamaFormat().body("m", prompt, without=frozenset())["options"].get("num_ctx")

    assert context(300, 1000) is None
    assert context(3000, 3096) is None
    assert context(3000, 3097) == 8192
    assert context(60_000, 4096) == 32768
    # What was to be done with the text stands before it, and would be dropped if the context were too small.
    assert context(10_000, 1000, "語") == 32768
    assert context(10_000, 1000, "🙂") == 65536


def test_openai_names_the_token_limit_differently() -> None:
    """Other servers take `max_tokens`."""
    assert openai_format("https://api.openai.com/v1").token_limit == "max_completion_tokens"
    assert openai_format("https://me.openai.azure.com", api_version="2024-10-21").token_limit == "max_completion_tokens"
    assert openai_format("https://openrouter.ai/api/v1").token_limit == "max_tokens"


def test_what_is_extra_goes_into_every_body() -> None:
    for format_ in (OpenAIFormat, AnthropicFormat, OllamaFormat):
        assert format_(extra={"think": False}).body("m", ask(), without=frozenset())["think"] is False


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"base_url": "api.openai.com"}, "models.fast.base_url is 'api.openai.com'; it must be an address like"),
        ({"base_url": "http://"}, "must be an address like"),
        ({"base_url": "ftp://host/x"}, "must be an address like"),
        ({"base_url": "http://host:port/x"}, "is no address"),
        ({"base_url": "https://me:sk-canary-password@host/x"}, "has a password in it"),
        ({"headers": {"x-own": "canary\r\nhost: elsewhere"}}, "the header 'x-own' of some has characters"),
        ({"key": "sk-canary \n"}, "the key of some from SOME_KEY has characters that no key has"),
        ({"key": "sk-canäry"}, "the key of some from SOME_KEY has characters that no key has"),
    ],
)
def test_invalid_endpoints_are_refused(more: dict[str, str], said: str) -> None:
    with pytest.raises(BadSetting) as refused:
        Endpoint(
            **{"provider": "some", "group": "models.fast", "key_source": "SOME_KEY", "base_url": "http://h", **more}
        )
    assert said in str(refused.value)
    assert "canary" not in str(refused.value)


def test_a_key_is_in_no_representation() -> None:
    endpoint = Endpoint(provider="some", base_url="http://h", key=KEY, headers={"authorization": KEY})
    assert KEY not in repr(endpoint)
    assert KEY not in str(endpoint)
    assert KEY not in repr(HttpModel(Transport(), endpoint, "m", OpenAIFormat()))


def test_the_name_says_provider_and_model() -> None:
    endpoint = Endpoint(provider="openai", base_url="http://h")
    assert HttpModel(Transport(), endpoint, "gpt-5-mini", OpenAIFormat()).name == "openai:gpt-5-mini"


def test_several_system_messages_are_joined() -> None:
    turns = tuple(Message(role=role, text=text) for role, text in (("system", "a"), ("system", "b"), ("user", "c")))
    body = AnthropicFormat().body("m", Prompt(messages=turns), without=frozenset())
    assert body["system"] == "a\n\nb"
    assert body["messages"] == [{"role": "user", "content": "c"}]
