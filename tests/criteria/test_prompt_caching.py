"""Judges and writers share the beginning of their prompts, so that providers read it from their caches."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from certo.criteria.qualitative import QualitativeCriteria
from certo.llm.http.anthropic import AnthropicFormat
from certo.llm.http.openai import OpenAIFormat
from certo.llm.ledger import Ledger
from certo.llm.prompt import Message, Prompt, Usage
from certo.llm.wrappers.budgeted import Budgeted, most_of
from certo.llm.wrappers.prices import Price
from certo.vocabulary.cost import Budget
from support.models.model_server import Page, Question, anthropic_pieces, event, openai_pieces, page_of
from support.models.provider_plays import FOREVER, Play
from support.models.served_model import served

LONG = "def half(n):\n" + "    n = n + 0  # a line like any other\n" * 200 + "    return n / 2\n"
VOTE = '{"reason": "it halves", "verdict": true}'
TOKENS = 3000

FORMATS = [pytest.param(OpenAIFormat(), id="openai"), pytest.param(AnthropicFormat(), id="anthropic")]


class CachingProvider:
    """A provider that reads a question from its cache if an answer to one with the same beginning has begun.

    Anthropic's caches only what is marked, OpenAI's everything.
    """

    def __init__(self) -> None:
        self.cached: set[str] = set()

    def answer(self, question: Question) -> Page:
        """Answer with a vote."""
        wants_mark = question.path.endswith("/messages")
        key = self._marked(question.body) if wants_mark else json.dumps(question.body["messages"])
        read = TOKENS if key in self.cached else 0
        usage = Usage(input_tokens=TOKENS, output_tokens=5, cached_tokens=read)
        page = page_of(Play(pieces=(VOTE,), usage=usage), anthropic_pieces if wants_mark else openai_pieces)
        return replace(page, sent=lambda: self.cached.add(key)) if key else page

    def _marked(self, body: dict[str, Any]) -> str:
        """Return the question up to its mark, "" without one."""
        before = [body.get("system")]
        for message in body["messages"]:
            before.append(message)
            if any("cache_control" in block for block in message["content"] if isinstance(block, dict)):
                return json.dumps(before)
        return ""


@pytest.mark.parametrize("format_", FORMATS)
async def test_four_of_five_samples_are_cached(format_: OpenAIFormat | AnthropicFormat) -> None:
    ledger = Ledger(Budget(calls=10))
    async with served(CachingProvider().answer, format_) as (model, server):
        judge = Budgeted(model, ledger, None)
        decision = await QualitativeCriteria("Does it halve?", judge, 5, min_pass=5).decide(LONG)
    assert decision.passed
    assert len(server.questions) == 5
    assert (ledger.taken.calls, ledger.taken.cached_tokens) == (5, 4 * TOKENS)
    assert ledger.spent(candidates=1, seconds=1.0).cached_tokens == 4 * TOKENS


async def test_short_questions_are_not_cached() -> None:
    async with served(CachingProvider().answer, AnthropicFormat()) as (model, server):
        await QualitativeCriteria("Does it halve?", model, 3).decide("def half(n):\n    return n / 2\n")
    assert "cache_control" not in json.dumps([question.body for question in server.questions])


async def test_retry_reads_the_problem_from_the_cache() -> None:
    """The mark stands on the first message of the user, with which every turn of a conversation begins."""
    provider = CachingProvider()
    opening = (Message(role="system", text="Write code."), Message(role="user", text=LONG))
    retry = (*opening, Message(role="assistant", text="pass"), Message(role="user", text="That fails."))
    async with served(provider.answer, AnthropicFormat()) as (model, server):
        first = await model.answer(Prompt(messages=opening, repeats=True))
        second = await model.answer(Prompt(messages=retry, repeats=True))
        third = await model.answer(Prompt(messages=retry))
    assert first.usage is not None
    assert second.usage is not None
    assert third.usage is not None
    assert [first.usage.cached_tokens, second.usage.cached_tokens, third.usage.cached_tokens] == [0, TOKENS, 0]
    assert json.dumps(server.questions[1].body).count("cache_control") == 1


async def test_servers_that_reject_the_mark_get_none() -> None:
    told = {"error": {"message": "messages.0.content.0.cache_control: Extra inputs are not permitted"}}

    def answer(question: Question) -> Page:
        if "cache_control" in json.dumps(question.body):
            return Page(status=400, kind="application/json", pieces=(json.dumps(told).encode(),))
        return page_of(Play(), anthropic_pieces)

    async with served(answer, AnthropicFormat()) as (model, server):
        reply = await model.answer(Prompt(messages=(Message(role="user", text=LONG),), repeats=True))
        assert reply.calls == 2
        await model.answer(Prompt(messages=(Message(role="user", text=LONG),), repeats=True))
    assert len(server.questions) == 3


async def test_slow_first_sample_keeps_none_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others decide without it, and its request is cancelled."""
    monkeypatch.setattr("certo.criteria.sampling.MAX_LEAD_SECONDS", 0.05)
    asked: list[Question] = []

    def answer(question: Question) -> Page:
        asked.append(question)
        return page_of(FOREVER if len(asked) == 1 else Play(pieces=(VOTE,)), openai_pieces)

    async with served(answer, OpenAIFormat()) as (model, server):
        decision = await QualitativeCriteria("Does it halve?", model, 3, min_pass=2).decide(LONG)
        assert decision.passed
        await server.witness.until(asked=3, left=1)


async def test_storing_in_a_cache_has_its_price() -> None:
    """What Anthropic stores costs a quarter more, and so much is reserved before a call is sent."""
    price = Price(input=4.0, cached=0.4, output=0.0)
    stored = Usage(input_tokens=1_000_000, output_tokens=0, stored_tokens=1_000_000)
    assert price.of(stored) == pytest.approx(5.0)
    once = Prompt(messages=(Message(role="user", text=LONG),))
    least, most = (most_of(each, price).dollars for each in (once, replace(once, repeats=True)))
    assert least is not None
    assert most == pytest.approx(1.25 * least)


async def test_what_anthropic_stores_is_counted() -> None:
    usage = {"input_tokens": 5, "cache_creation_input_tokens": 2000, "cache_read_input_tokens": 10, "output_tokens": 1}
    message = {"type": "message_start", "message": {"model": "told-model", "usage": usage}}
    page = page_of(Play(), anthropic_pieces)
    page = replace(page, pieces=(event(message, "message_start"), *page.pieces[1:]))
    async with served(page, AnthropicFormat()) as (model, _):
        reply = await model.answer(Prompt(messages=(Message(role="user", text=LONG),), repeats=True))
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.cached_tokens, reply.usage.stored_tokens) == (2015, 10, 2000)
