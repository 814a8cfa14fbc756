"""A model by its name, over real sockets; the losers' sockets are closed when one has won."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from certo import LLM, Runtime, Specification, Strategy, generate, wait
from support.models.model_server import ModelServer, Page, Question, model_server, openai_pieces, page_of
from support.models.provider_plays import FOREVER, Play
from support.runtime import make_runtime

pytestmark = pytest.mark.acceptance(2, 3, 4, 105)


class Count(BaseModel):
    """What is asked for here."""

    number: int


def at(server: ModelServer) -> Runtime:
    runtime = make_runtime()
    runtime.settings = {
        **runtime.settings,
        "model.name": "openai:gpt-here",
        "model.base_url": server.url,
        "model.key_variable": "KEY_OF_THE_TEST",
    }
    return runtime


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY_OF_THE_TEST", "sk-canary")


def playing(*plays: Play) -> list[Page]:
    return [page_of(play, openai_pieces) for play in plays]


async def test_lines_over_http_close_all_sockets() -> None:
    """One call comes first, then parallel lines up to the first success; no socket is left open."""
    pages = iter(playing(Play(pieces=("many",)), FOREVER, FOREVER, Play(pieces=('{"number"', ": 3}"), gap=0.05)))

    def answer(question: Question) -> Page:
        return next(pages)

    async with model_server(answer) as server:
        async with at(server):
            answered = await LLM("openai:gpt-here", output_schema=Count)("How many?")
            assert answered.value == Count(number=3)
            assert len(server.questions) == 4
            await server.witness.until(left=2)
        assert "sk-canary" not in repr(answered)


async def test_named_model_writes_and_is_counted() -> None:
    code = "```python\ndef one() -> int:\n    return 1\n```"
    wanted = Specification(name="one", description="Return 1.", output=int, strategy=Strategy(num_candidates=1))
    async with model_server(lambda _: page_of(Play(pieces=(code,)), openai_pieces)) as server:
        async with at(server):
            generated = await generate(wanted, llm=LLM("openai:gpt-here"))
        assert (generated.spent.calls, generated.spent.tokens) == (1, 12)
        assert server.connections == 1
        runtime = at(server)
        assert (await runtime.generate(wanted, llm=LLM(""))).passed


def test_synchronous_calls_open_own_connections() -> None:
    """A program that is not asynchronous opens connections for each call."""
    with make_runtime(), pytest.raises(Exception, match="nowhere:model"):
        wait(LLM("nowhere:model")("Hello?"))
