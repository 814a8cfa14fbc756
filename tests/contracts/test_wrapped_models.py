"""A model keeps the models' contract whatever is wrapped around it, and with all of it together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from certo.llm.http.openai import OpenAIFormat
from certo.llm.ledger import Ledger
from certo.llm.model import ChatModel
from certo.llm.models import LazyModel
from certo.llm.options import ModelOptions
from certo.llm.prompt import Usage
from certo.llm.wrappers.budgeted import Budgeted
from certo.llm.wrappers.cached import AnswerFiles, Cached
from certo.llm.wrappers.defaults import DefaultedModel
from certo.llm.wrappers.prices import Price, Priced
from certo.llm.wrappers.rate_limit import RateLimitedModel, RateLimiter
from certo.llm.wrappers.record_replay import RecordingModel, to_file
from certo.llm.wrappers.retries import Retrying
from certo.vocabulary.cost import Budget
from contracts.chat_model import ChatModelContract
from contracts.test_chat_models import served
from support.models.model_server import openai_pieces
from support.models.provider_plays import Play, Stage, Witness, ask

Wrap = Callable[[ChatModel, Path], ChatModel]

PRICE = Price(input=1.0, cached=0.1, output=4.0)


def late(model: ChatModel, _: Path) -> ChatModel:
    async def make() -> ChatModel:
        return model

    return LazyModel(model.name, make)


def budgeted(model: ChatModel, _: Path) -> ChatModel:
    ledger = Ledger(Budget(calls=1000, tokens=10_000_000, dollars=1000.0))
    return Budgeted(Priced(model, PRICE), ledger, PRICE)


def recorded(model: ChatModel, path: Path) -> ChatModel:
    return RecordingModel(model, to_file(path / "answers.jsonl"))


def cached(model: ChatModel, path: Path) -> ChatModel:
    return Cached(model, AnswerFiles(path / "answers"))


def limited(model: ChatModel, _: Path) -> ChatModel:
    return RateLimitedModel(model, RateLimiter(concurrency=64))


def retrying(model: ChatModel, _: Path) -> ChatModel:
    return Retrying(model, tries=1)


def tuned(model: ChatModel, _: Path) -> ChatModel:
    return DefaultedModel(model, ModelOptions(temperature=0.5))


def everything(model: ChatModel, path: Path) -> ChatModel:
    for wrap in (late, limited, budgeted, retrying, recorded, tuned):
        model = wrap(model, path)
    return model


class WrappedStage:
    """A stage whose models are wrapped."""

    def __init__(self, stage: Stage, wrap: Wrap, path: Path) -> None:
        self.witness: Witness = stage.witness
        self._stage, self._wrap, self._path = stage, wrap, path

    def model(self, *plays: Play) -> ChatModel:
        """Return the model that plays so, wrapped."""
        return self._wrap(self._stage.model(*plays), self._path)


@pytest.mark.usual_tests(
    "test_an_answer_that_breaks_off_is_none[budgeted-pieces1]",
    "test_an_answer_that_breaks_off_is_none[everything-pieces1]",
    "test_an_answer_that_breaks_off_is_none[recorded-pieces1]",
    "test_an_answer_that_breaks_off_is_none[retrying-pieces0]",
    "test_an_answer_that_was_cut_says_so",
    "test_an_answer_that_was_withheld_says_so",
    "test_a_schema_is_passed_on",
    "test_answers_are_streamed[everything]",
    "test_cancelling_one_call_spares_others[everything]",
    "test_cancelling_one_call_spares_others[limited]",
    "test_cancelling_reaches_the_other_side[everything]",
    "test_lasting_and_passing_refusals_differ[everything]",
    "test_lasting_and_passing_refusals_differ[retrying]",
    "test_many_may_ask_at_once[everything]",
    "test_many_may_ask_at_once[recorded]",
    "test_the_deltas_are_the_answer",
    "test_the_question_arrives_as_it_was_put",
    "test_usage_is_reported_not_invented",
)
class TestWrapped(ChatModelContract):
    """Each wrapper around a model that speaks like OpenAI's, asked over a real connection."""

    @pytest.fixture(params=[late, limited, budgeted, retrying, recorded, tuned, everything])
    async def stage(self, request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stage]:
        async for stage in served(OpenAIFormat(), openai_pieces, "/v1"):
            yield WrappedStage(stage, request.param, tmp_path)


class TestCached(ChatModelContract):
    """A cache that has nothing yet; the same question, asked at once by many, is asked of the model by each."""

    @pytest.fixture
    async def stage(self, tmp_path: Path) -> AsyncIterator[Stage]:
        async for stage in served(OpenAIFormat(), openai_pieces, "/v1"):
            yield WrappedStage(stage, cached, tmp_path)

    async def test_usage_is_reported_not_invented(self, stage: Stage) -> None:
        took = Usage(input_tokens=12, output_tokens=34)
        model = stage.model(Play(usage=took), Play(usage=None))
        assert (await model.answer(ask())).usage == took
        assert (await model.answer(ask(sample=1))).usage is None
