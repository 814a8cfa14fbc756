"""Judges behind a real server: all are asked at once, and an answer that changes nothing is cut off."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import anyio
import anyio.lowlevel
import pytest

from certo.criteria.qualitative import QualitativeCriteria
from certo.criteria.quantitative import QuantitativeCriteria
from certo.llm.http.endpoint import Endpoint
from certo.llm.http.model import HttpModel
from certo.llm.http.openai import OpenAIFormat
from certo.llm.http.transport import Transport
from support.models.model_server import ModelServer, Page, model_server, openai_pieces, page_of
from support.models.provider_plays import FOREVER, Fault, Play

pytestmark = pytest.mark.acceptance(25, 30)

CODE = "def half(n):\n    return n / 2\n"
VOTE = '{"reason": "it halves", "verdict": true}'


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server(lambda _: Page()) as server:
        yield server


@pytest.fixture
async def judge(server: ModelServer) -> AsyncIterator[HttpModel]:
    async with Transport() as transport:
        endpoint = Endpoint(provider="openai", base_url=f"{server.url}/v1", key="sk-test")
        yield HttpModel(transport, endpoint, "small", OpenAIFormat())


def playing(server: ModelServer, plays: Callable[[int], Play]) -> None:
    """Answer the first, second … question by what is played for its number."""
    server.answering = lambda _: page_of(plays(len(server.questions)), openai_pieces)


async def test_all_samples_are_sent_before_any_answer(server: ModelServer, judge: HttpModel) -> None:
    playing(server, lambda _: FOREVER)
    criterion = QualitativeCriteria("Does it halve?", judge, 3)
    async with anyio.create_task_group() as group:
        for number in range(5):
            group.start_soon(criterion.decide, f"{CODE}# {number}\n")
        await server.witness.until(asked=15)
        # While fifteen answers are waited for, whoever else has something to do is let do it.
        for _ in range(50):
            await anyio.lowlevel.checkpoint()
        group.cancel_scope.cancel()
    await server.witness.until(left=15)


async def test_needless_requests_are_disconnected(server: ModelServer, judge: HttpModel) -> None:
    playing(server, lambda number: Play(pieces=(VOTE,)) if number <= 2 else FOREVER)
    decision = await QualitativeCriteria("Does it halve?", judge, 5, min_pass=2).decide(CODE)
    assert decision.passed
    assert decision.reasons == ("it halves",)
    await server.witness.until(asked=5, left=3)
    schema = server.witness.asked[0].schema
    assert schema is not None
    assert schema["required"] == ["reason", "verdict"]


async def test_broken_off_answers_are_no_samples(server: ModelServer, judge: HttpModel) -> None:
    playing(server, lambda number: Play(pieces=("8",)) if number == 1 else Play(pieces=("9",), fault=Fault.BROKEN_OFF))
    rating = await QuantitativeCriteria("How clear is it?", judge, num_samples=2).rate(CODE)
    assert rating.spread.values == (8.0,)
    assert [one.answered for one in rating.samples].count(False) == 1
