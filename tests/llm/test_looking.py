"""Images and embeddings on the wire, in the form of each provider."""

from __future__ import annotations

import json
from typing import Any

import pytest

from certo.llm.editor import EditorModel
from certo.llm.http.anthropic import AnthropicFormat
from certo.llm.http.model import Format
from certo.llm.http.ollama import OllamaFormat
from certo.llm.http.openai import OpenAIFormat
from certo.llm.prompt import Delta, Image, Message, Prompt, Sampling, tokens_of_prompt
from certo.llm.serialization import content_key
from certo.llm.streamed_reply import MAX_CHARACTERS, StreamedReply
from certo.vocabulary.errors import ModelFailed
from support.models.model_server import Page
from support.models.provider_plays import ask
from support.models.served_model import served

pytestmark = pytest.mark.acceptance(79)

HERE = Image(url="data:image/png;base64,aGVyZQ==")
THERE = Image(url="https://example.org/there.png")


def looking(*images: Image) -> Prompt:
    return Prompt(messages=(Message(role="user", text="What is it?", images=images),))


def content(format_: Format, *images: Image) -> Any:
    return format_.body("m", looking(*images), without=frozenset())["messages"][0]


def vectors_of(*texts: str) -> Prompt:
    messages = tuple(Message(role="user", text=text) for text in texts)
    return Prompt(messages=messages, embedding=True, sampling=Sampling(max_tokens=0))


def test_images_have_each_providers_form() -> None:
    assert content(OpenAIFormat(), HERE, THERE)["content"] == [
        {"type": "text", "text": "What is it?"},
        {"type": "image_url", "image_url": {"url": HERE.url}},
        {"type": "image_url", "image_url": {"url": THERE.url}},
    ]
    assert content(AnthropicFormat(), HERE, THERE)["content"] == [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGVyZQ=="}},
        {"type": "image", "source": {"type": "url", "url": THERE.url}},
        {"type": "text", "text": "What is it?"},
    ]
    assert content(OllamaFormat(), HERE) == {"role": "user", "content": "What is it?", "images": ["aGVyZQ=="]}


@pytest.mark.parametrize(
    ("format_", "prompt", "said"),
    [
        (AnthropicFormat(), vectors_of("a"), r"anthropic at http://\S+ does not serve embeddings; name a model of"),
        (OllamaFormat(), looking(THERE), r"does not fetch images from the web; give it the image itself"),
    ],
)
async def test_unsupported_requests_are_refused_without_asking(format_: Format, prompt: Prompt, said: str) -> None:
    async with served(Page(), format_, provider="anthropic") as (model, server):
        with pytest.raises(ModelFailed, match=said):
            await model.answer(prompt)
        assert server.questions == []


@pytest.mark.parametrize(("prompt", "said"), [(vectors_of("a"), "embeddings need"), (looking(HERE), "images need")])
async def test_an_editors_model_says_so_too(prompt: Prompt, said: str) -> None:
    with pytest.raises(ModelFailed, match=said):
        await EditorModel(object()).answer(prompt)


@pytest.mark.parametrize(
    ("format_", "told", "path"),
    [
        (
            OpenAIFormat(),
            {
                "object": "list",
                "model": "small-told",
                "data": [{"index": 1, "embedding": [3.0, 4.5]}, {"index": 0, "embedding": [1.0, 2.0]}],
                "usage": {"prompt_tokens": 7, "total_tokens": 7},
            },
            "/embeddings",
        ),
        (
            OllamaFormat(),
            {"model": "small-told", "embeddings": [[1.0, 2.0], [3.0, 4.5]], "prompt_eval_count": 7},
            "/api/embed",
        ),
    ],
)
async def test_vectors_follow_the_order_of_texts(format_: Format, told: dict[str, Any], path: str) -> None:
    whole = json.dumps(told, indent=1).encode()
    page = Page(kind="application/json", pieces=(whole[:20], whole[20:]))
    async with served(page, format_) as (model, server):
        reply = await model.answer(vectors_of("a", "b"))
    assert json.loads(reply.text) == [[1.0, 2.0], [3.0, 4.5]]
    assert (reply.model, reply.usage.input_tokens, reply.usage.output_tokens) == ("small-told", 7, 0)
    assert (server.questions[0].path, server.questions[0].body) == (path, {"model": "small", "input": ["a", "b"]})


def test_vectors_may_exceed_the_text_limit() -> None:
    heard: list[Delta] = []
    answer = StreamedReply(heard.append)
    answer.add_vectors([[1.0] * (MAX_CHARACTERS // 4)])
    answer.tell()
    assert len(answer.reply(calls=1).text) == len(heard[0].text) > MAX_CHARACTERS


def test_azure_embeddings_have_their_own_path() -> None:
    path = OpenAIFormat(api_version="2024-10-21").path("small", vectors_of("a"))
    assert path == "/openai/deployments/small/embeddings?api-version=2024-10-21"


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (Page(kind="application/json", pieces=(b'{"error": {"message": "no such model"}}',)), "no such model"),
        (Page(kind="application/json", pieces=(b'{"data": [{"index": 0}]}',)), "in another form than OpenAIFormat"),
        (Page(kind="text/html", pieces=(b"<p>",)), "sent text/html and not the JSON that was asked for"),
        (Page(kind="application/json", pieces=(b'{"data": [',), cut=True), "closed the connection"),
    ],
)
async def test_what_is_no_vector_is_told(page: Page, said: str) -> None:
    async with served(page) as (model, _):
        with pytest.raises(ModelFailed, match=said):
            await model.answer(vectors_of("a"))


def test_each_image_has_its_own_cache_key() -> None:
    """The key of a plain question stays as it was, so that earlier answers are found."""
    plain = Prompt(messages=(Message(role="user", text="Hello?"),))
    assert content_key("m", plain) == "9c78870ae9730e96df8db66441700a86fd1e5dd08b9d0f254857e16124c3f106"
    assert len({content_key("m", prompt) for prompt in (looking(), looking(HERE), looking(THERE))}) == 3
    assert content_key("m", vectors_of("a")) != content_key("m", ask("a", sampling=Sampling(max_tokens=0)))


def test_images_are_hidden_and_take_tokens() -> None:
    assert "aGVyZQ" not in repr(HERE)
    assert (HERE.media_type, THERE.media_type, THERE.base64) == ("image/png", "", "")
    assert tokens_of_prompt(looking(HERE)) == tokens_of_prompt(looking()) + 1600
