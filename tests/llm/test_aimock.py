"""A server that others have written plays the providers, because we read not only what our own server writes.

`make aimock` installs it.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest

from certo.llm.http.anthropic import AnthropicFormat
from certo.llm.http.endpoint import Endpoint
from certo.llm.http.model import Format, HttpModel
from certo.llm.http.ollama import OllamaFormat
from certo.llm.http.openai import OpenAIFormat
from certo.llm.http.transport import Transport
from certo.llm.prompt import Delta, Finish, Usage
from certo.vocabulary.errors import ModelFailed
from support.models.provider_plays import ask

pytestmark = [pytest.mark.acceptance(4, 73, 105), pytest.mark.aimock]

PROGRAM = Path(__file__).parents[2] / ".artefacts/aimock/node_modules/@copilotkit/aimock/dist/cli.js"
KEY = "sk-test-aimock-0123"
CODE = "def f():\n    return 'é 🙂 \u2028'\n" * 5
LONG = {"response": {"content": CODE}, "latency": 40}

PLAYS: dict[str, dict[str, Any]] = {
    "good": {"response": {"content": CODE, "reasoning": "what would f be"}},
    "schema": {"response": {"content": '{"passed": true}'}},
    "cut": {"response": {"content": "def f(", "finishReason": "length"}},
    "filtered": {"response": {"content": "no", "finishReason": "content_filter"}},
    "counted": {
        "response": {
            "content": "x",
            "usage": {"prompt_tokens": 11, "completion_tokens": 3, "input_tokens": 11, "output_tokens": 3},
        }
    },
    "busy": {"response": {"error": {"message": "slow down", "type": "rate_limit_error"}, "status": 429}},
    "broken": {"response": {"error": {"message": "oh no", "type": "server_error"}, "status": 500}},
    "overloaded": {"response": {"error": {"message": "Overloaded", "type": "overloaded_error"}, "status": 529}},
    "dropped": {"response": {"content": "x"}, "chaos": {"dropRate": 1}},
    "gone": {"response": {"content": "x"}, "chaos": {"disconnectRate": 1}},
    "garbled": {"response": {"content": "x"}, "chaos": {"malformedRate": 1}},
    "truncated": {**LONG, "truncateAfterChunks": 5},
    "late": {"response": {"content": CODE}, "streamingProfile": {"ttft": 300}},
    "endless": {"response": {"content": CODE}, "latency": 20_000},
}
"""The answers that are played, by the one word of the question."""


@dataclass(frozen=True)
class Wire:
    """One format, and where it is spoken."""

    format: Format
    path: str
    says_filtered: bool = True
    says_cut: bool = True
    says_usage: bool = True


WIRES = {
    "openai": Wire(OpenAIFormat(), "/v1"),
    "azure": Wire(OpenAIFormat(api_version="2024-10-21"), ""),
    "anthropic": Wire(AnthropicFormat(), "", says_filtered=False),
    "ollama": Wire(OllamaFormat(), "", says_filtered=False, says_cut=False, says_usage=False),
}
"""The formats and their abilities: aimock's Ollama never stops early and counts nothing."""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running aimock."""
    assert PROGRAM.is_file(), "aimock is not installed: make aimock"
    folder = tmp_path_factory.mktemp("aimock")
    played = {"fixtures": [{"match": {"userMessage": name}, **play} for name, play in PLAYS.items()]}
    (folder / "plays.json").write_text(json.dumps(played))
    with subprocess.Popen(
        ["node", PROGRAM, "-p", "0", "-f", folder / "plays.json", "--validate-on-load"],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "AIMOCK_API_KEYS": KEY},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as server:
        assert server.stdout is not None
        said = ""
        for line in server.stdout:
            said += line
            if "listening on " in line:
                yield line.split("listening on ")[1].strip()
                break
        else:
            raise AssertionError(said)
        server.kill()


@pytest.fixture(params=list(WIRES))
def wire(request: pytest.FixtureRequest) -> Wire:
    """Each format in turn."""
    return WIRES[request.param]


async def answer(url: str, wire: Wire, word: str, *, key: str = KEY, heard: Any = lambda _: None, **more: Any) -> Any:
    """Return a model's answer to one word."""
    schema = {"type": "object", "properties": {"passed": {"type": "boolean"}}} if word == "schema" else None
    async with Transport() as transport:
        endpoint = Endpoint(provider="mock", base_url=url + wire.path, key=key, key_source="MOCK_KEY", **more)
        return await HttpModel(transport, endpoint, "gpt-4o", wire.format).answer(ask(word, schema=schema), heard=heard)


async def failure(url: str, wire: Wire, word: str, **more: Any) -> ModelFailed:
    """Return a model's failure to answer one word."""
    with pytest.raises(ModelFailed) as failed:
        await answer(url, wire, word, **more)
    return failed.value


async def test_an_answer_comes_in_pieces(url: str, wire: Wire) -> None:
    deltas: list[Delta] = []
    reply = await answer(url, wire, "good", heard=deltas.append)
    assert reply.text == CODE
    assert reply.finish is Finish.COMPLETE
    assert reply.calls == 1
    assert len(deltas) > 2
    assert "".join(delta.text for delta in deltas) == CODE


async def test_a_schema_is_taken(url: str, wire: Wire) -> None:
    assert (await answer(url, wire, "schema")).text == '{"passed": true}'


async def test_the_end_and_the_tokens_are_told(url: str, wire: Wire) -> None:
    assert (await answer(url, wire, "cut")).finish is (Finish.CUT if wire.says_cut else Finish.COMPLETE)
    filtered = await answer(url, wire, "filtered")
    assert filtered.finish is (Finish.FILTERED if wire.says_filtered else Finish.COMPLETE)
    usage = Usage(input_tokens=11, output_tokens=3) if wire.says_usage else None
    assert (await answer(url, wire, "counted")).usage == usage


@pytest.mark.parametrize(
    ("word", "status", "says"),
    [
        ("busy", 429, "takes no more calls for now: slow down"),
        ("broken", 500, "could not answer: oh no"),
        ("overloaded", 529, "could not answer: Overloaded"),
        ("dropped", 500, "could not answer"),
        ("gone", None, "closed the connection before its answer was whole"),
    ],
)
async def test_what_passes_is_told(url: str, wire: Wire, word: str, status: int | None, says: str) -> None:
    failed = await failure(url, wire, word)
    assert says in str(failed)
    assert failed.transient
    assert failed.status == status
    assert not failed.received
    assert failed.retry_after == (1.0 if word == "busy" else None)


async def test_an_answer_that_breaks_off_is_none(url: str, wire: Wire) -> None:
    failed = await failure(url, wire, "truncated")
    assert failed.transient
    assert failed.received


async def test_garbage_is_no_answer(url: str, wire: Wire) -> None:
    assert "sent " in str(await failure(url, wire, "garbled"))


async def test_wrong_keys_and_unknown_questions_are_reported(url: str, wire: Wire) -> None:
    wrong = await failure(url, wire, "good", key="sk-wrong-canary")
    assert "does not accept the key from MOCK_KEY" in str(wrong)
    assert "canary" not in str(wrong)
    assert not wrong.transient
    assert (await failure(url, wire, "never heard of it")).status == 404


async def test_the_first_token_is_awaited_as_set(url: str, wire: Wire) -> None:
    assert (await answer(url, wire, "late")).text == CODE
    assert "model.stall_seconds" in str(await failure(url, wire, "late", stall_seconds=0.1))


async def test_whoever_is_cancelled_leaves(url: str, wire: Wire) -> None:
    with anyio.move_on_after(0.2) as scope, anyio.fail_after(100):
        await answer(url, wire, "endless")
    assert scope.cancelled_caught
    assert (await answer(url, wire, "good")).text == CODE
