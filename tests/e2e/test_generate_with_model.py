"""The main job with a language model: a real command, a real editor session, and a real server that speaks HTTP."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from certo.llm.prompt import Finish
from support.cli.command import Ran, certo, till
from support.lsp.editor import editor_on
from support.models.model_generator import block
from support.models.model_server import ModelServer, Page, Question, model_server, openai_pieces, page_of
from support.models.provider_plays import Fault, Play
from support.projects.shop import TOTAL_DONE, TOTAL_WRONG, build_shop
from support.projects.two_modules import PRICES_BREAKING, PRICES_DONE, TILL_DONE, TOTAL, build

WRONG = block("def change(due):\n    return []")
RIGHT = block(
    "def change(due):\n    coins = []\n    for coin in COINS:\n        while due >= coin:\n"
    "            coins.append(coin)\n            due -= coin\n    return coins"
)


@asynccontextmanager
async def answering(*answers: str | Play) -> AsyncIterator[ModelServer]:
    """A server that gives these answers in the order of asking, the last one for ever, a few characters at a time."""
    rest = [
        each
        if isinstance(each, Play)
        else Play(pieces=tuple(each[at : at + 9] for at in range(0, len(each), 9)), gap=0.02)
        for each in answers
    ]

    def answer(question: Question) -> Page:
        return page_of(rest.pop(0) if len(rest) > 1 else rest[0], openai_pieces)

    async with model_server(answer) as server:
        yield server


async def generate(root: Path, server: ModelServer, *words: str, **extra: str) -> Ran:
    """`certo generate`, with the server as its model."""
    environ = {
        "CERTO_MODEL__BASE_URL": f"{server.url}/v1",
        "CERTO_MODEL__KEY_VARIABLE": "SMALL_KEY",
        "CERTO_GENERATION__RELATED_TOKENS": "0",
        "SMALL_KEY": "sk-canary",
        **extra,
    }
    command = partial(certo, root, "generate", *words, "--model", "openai:small", **environ)
    return await anyio.to_thread.run_sync(command)


@pytest.mark.slow
async def test_model_repairs_two_modules_after_feedback(tmp_path: Path) -> None:
    """It hears of a test that it broke in a third module."""

    def answer(prices: str) -> str:
        return f"{block(prices)}\nAnd the till adds up:\n\n`shop/till.py`\n\n{block(TOTAL)[len('Here it is.') :]}"

    root = build(tmp_path / "shop")
    async with answering(answer(PRICES_BREAKING), answer(PRICES_DONE)) as server:
        words = ("tests/test_till.py::test_total", "--scope", "files", "--candidates", "1", "--apply")
        words += ("--timeout", "300")
        ran = await generate(root, server, *words)
    assert ran.code == 0, ran.err
    assert (root / "shop/prices.py").read_text() == PRICES_DONE
    assert (root / "shop/till.py").read_text() == TILL_DONE
    first, second = (question.body["messages"] for question in server.questions)
    assert "- shop/till.py" in first[0]["content"]
    assert "`shop/till.py`" in second[2]["content"]
    assert "tests/test_prices.py::test_nothing" in second[3]["content"]


async def test_model_repairs_a_function_after_feedback(tmp_path: Path) -> None:
    root = till(tmp_path / "till")
    async with answering(WRONG, RIGHT) as server:
        ran = await generate(root, server, "till.py::change", "--json", "--candidates", "1")
    assert ran.code == 0, ran.err
    last = ran.events[-1]
    assert (last["outcome"], last["verified"]) == ("solved", True)
    # Few tests depend on it, so the answer that passes is asked for once more.
    assert last["spent"]["calls"] == 3
    kinds = [event["type"] for event in ran.events]
    assert {"candidate.drafted", "candidate.repeated"} <= set(kinds)
    proposed = [event for event in ran.events if event["type"] == "candidate.proposed"]
    assert [event["origin"]["note"] for event in proposed] == ["openai:small", "openai:small"]
    assert proposed[1]["parent"] == proposed[0]["candidateId"]
    first, second, again = (question.body["messages"] for question in server.questions)
    assert [turn["role"] for turn in first] == [turn["role"] for turn in again] == ["system", "user"]
    assert "def test_one_coin():\n    assert change(50) == [50]" in first[1]["content"]
    assert [turn["role"] for turn in second] == ["system", "user", "assistant", "user"]
    assert "return []" in second[2]["content"]
    assert "test_one_coin: assert [] == [50]" in second[3]["content"]
    assert "sk-canary" not in ran.out + ran.err


@pytest.mark.slow
async def test_model_fills_a_hole_that_is_applied(tmp_path: Path) -> None:
    root = till(tmp_path / "till", source="COINS = (50, 20)\n\n\ndef change(due):\n    # TODO: give change\n    ...\n")
    async with answering(RIGHT) as server:
        ran = await generate(root, server, "till.py::change", "--apply")
    assert ran.code == 0, ran.err
    assert ran.out.startswith("VERIFIED\n")
    assert (root / "till.py").read_text() == "COINS = (50, 20)\n\n\n" + RIGHT.partition("python\n")[2].partition("```")[
        0
    ]


@pytest.mark.slow
async def test_refused_key_exits_3_with_one_sentence(tmp_path: Path) -> None:
    root = till(tmp_path / "till")
    async with answering(Play(fault=Fault.REFUSED)) as server:
        ran = await generate(root, server, "till.py::change")
    assert ran.code == 3
    assert "no such key" in ran.err
    assert "SMALL_KEY" in ran.err
    assert "sk-canary" not in ran.err
    assert "Traceback" not in ran.err


async def test_missing_key_is_told_once_before_tests(tmp_path: Path) -> None:
    command = partial(certo, till(tmp_path / "till"), "generate", "till.py::change", "--model", "openai:gpt-5-mini")
    ran = await anyio.to_thread.run_sync(command)
    assert ran.code == 2
    assert ran.err.startswith("certo: openai:gpt-5-mini needs a key, and there is none: put it in ")
    assert ran.err.count("\n") == 1


@pytest.mark.slow
async def test_missing_server_is_told_once(tmp_path: Path) -> None:
    root = till(tmp_path / "till")
    async with answering(RIGHT) as server:
        pass
    ran = await generate(root, server, "till.py::change")
    assert ran.code == 3
    assert ran.err.count("nothing listens there") == 1
    assert ran.err.count(server.url) == 1


@pytest.mark.slow
async def test_model_is_told_of_a_truncated_answer(tmp_path: Path) -> None:
    root = till(tmp_path / "till")
    cut = Play(pieces=(RIGHT[:60],), finish=Finish.CUT)
    async with answering(cut, RIGHT) as server:
        ran = await generate(root, server, "till.py::change")
    assert ran.code == 0, ran.err
    assert "cut off at the limit of tokens" in server.questions[1].body["messages"][-1]["content"]


async def test_missing_model_names_its_setting(tmp_path: Path) -> None:
    ran = await anyio.to_thread.run_sync(
        partial(certo, till(tmp_path / "till"), "generate", "till.py::change", "--generator", "model")
    )
    assert ran.code == 2
    assert "name one in model.name" in ran.err


@pytest.mark.slow
async def test_model_writes_repairs_and_editor_accepts(tmp_path: Path) -> None:
    async with answering(block(TOTAL_WRONG), block(TOTAL_DONE)) as server:
        settings = {
            "search": {"generator": "model"},
            "generation": {"relatedTokens": 0},
            "model": {"name": "openai:small", "baseUrl": f"{server.url}/v1"},
        }
        async with editor_on(build_shop(tmp_path), settings=settings) as editor:
            await editor.open("shop.py")
            before = editor.buffers["shop.py"].text
            await editor.choose("shop.py", "def total", "implement")
            await editor.said("verified by")
            await editor.choose("shop.py", "def total", "accept")
            text = await editor.accepted("shop.py", before)
    assert text.startswith(TOTAL_DONE)
    assert len(server.questions) == 3
    assert "return 3" in json.dumps(server.questions[1].body["messages"][2])
