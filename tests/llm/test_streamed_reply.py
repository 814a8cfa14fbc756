"""An answer while it is being written: whoever listens has it whole, and no server's whim gets past it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.llm.http.anthropic import AnthropicFormat
from certo.llm.http.endpoint import Endpoint
from certo.llm.http.failures import refusal, told_failure
from certo.llm.http.model import Format
from certo.llm.http.ollama import OllamaFormat
from certo.llm.http.openai import OpenAIFormat
from certo.llm.model import ignore_text
from certo.llm.prompt import Delta, Finish, Reply
from certo.llm.streamed_reply import StreamedReply, number
from certo.vocabulary.errors import ModelFailed
from support.models.model_server import Pieces, anthropic_pieces, event, line, ollama_pieces, openai_pieces, page_of
from support.models.provider_plays import Play, ask
from support.models.served_model import served

ENDPOINT = Endpoint(provider="some", base_url="http://127.0.0.1")

halves = st.sampled_from(["\ud83d", "\ude42", "a", "é", "🙂", "\n", "\ud83d\ude42"])


@given(st.lists(st.lists(halves, max_size=4).map("".join), max_size=12), st.lists(st.booleans(), min_size=12))
def test_streamed_pieces_make_the_whole_answer(pieces: list[str], told: list[bool]) -> None:
    deltas: list[Delta] = []
    answer = StreamedReply(deltas.append)
    for piece, tell in zip(pieces, told, strict=False):
        answer.add(piece)
        if tell:
            answer.tell()
    answer.tell()
    answer.end()
    answer.finish = Finish.COMPLETE
    written = "".join(pieces).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = answer.reply(calls=1).text
    assert text == written
    stands = ""
    for delta in deltas:
        assert delta.at == len(stands)
        stands += delta.text
    assert stands == text
    assert text.encode().decode() == text


names = st.sampled_from(
    ["choices", "index", "delta", "content", "finish_reason", "refusal", "usage", "prompt_tokens", "model", "error",
     "prompt_tokens_details", "cached_tokens", "type", "message", "done", "done_reason", "eval_count", "code",
     "input_tokens", "output_tokens", "text", "stop_reason"]
)  # fmt: skip
words = st.sampled_from(
    ["", "x", "stop", "length", "message_start", "content_block_delta", "text_delta", "message_delta", "message_stop"]
)
junk: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 10**20) | st.floats(allow_nan=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=5),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("format_", "pieces"),
    [(OpenAIFormat(), openai_pieces), (AnthropicFormat(), anthropic_pieces), (OllamaFormat(), ollama_pieces)],
    ids=["openai", "anthropic", "ollama"],
)
@given(events=st.lists(st.dictionaries(names, junk, max_size=6), min_size=1, max_size=4))
def test_no_event_does_more_than_fail(format_: Format, pieces: Pieces, events: list[dict[str, Any]]) -> None:
    whole = page_of(Play(), pieces)
    odd = tuple(line(one) if pieces is ollama_pieces else event(one) for one in events)

    async def hear() -> Reply | ModelFailed:
        async with served(replace(whole, pieces=(*whole.pieces[:-1], *odd, whole.pieces[-1])), format_) as (model, _):
            try:
                return await model.answer(ask())
            except ModelFailed as failure:
                return failure

    heard = anyio.run(hear)
    if isinstance(heard, ModelFailed):
        assert str(heard).startswith("openai at http")
    else:
        assert isinstance(heard.text, str)
        assert isinstance(heard.model, str)
        assert heard.usage is None or heard.usage.input_tokens + heard.usage.output_tokens > 0


@pytest.mark.parametrize("nonsense", [-1, 10**9 + 1, 10**4000, True, "5", None, 1.5])
def test_a_count_that_is_none_counts_nothing(nonsense: object) -> None:
    assert number(nonsense) == 0
    assert number(10**9) == 10**9


@pytest.mark.parametrize("name", ["", "\x1b[2Jsmall", "small\nlarge", "s\u202emall", "x" * 1000, 7, None])
def test_unprintable_model_names_are_ignored(name: object) -> None:
    answer = StreamedReply(ignore_text)
    answer.name("small")
    answer.name(name)
    assert answer.model == "small"


@given(st.integers(300, 599), st.text() | junk.map(json.dumps))
def test_no_page_does_more_than_fail(status: int, page: str) -> None:
    failure = refusal(ENDPOINT, "small", status, {}, page)
    assert str(failure).startswith("some at http://127.0.0.1 ")
    assert "\n" not in str(failure)
    assert failure.status == status


@given(junk)
def test_any_error_in_a_stream_is_reported(error: Any) -> None:
    assert "broke off its answer: " in str(told_failure(ENDPOINT, error))
