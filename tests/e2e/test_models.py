"""The whole command with a language model behind a real server: keys stay where they are, and a run can be replayed.

A recorded run is made again with no network; the budget, usage and cost are on every result.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import anyio.to_thread
import pytest

from certo.llm.prompt import Usage
from support.cli.command import FIXED, REST, Ran, certo, till
from support.lsp.editor import editor_on
from support.lsp.editor_profiles import capabilities
from support.models.model_generator import block
from support.models.model_server import Page, Question, model_server, openai_pieces, page_of
from support.models.provider_plays import Play
from support.projects.shop import TOTAL_DONE, build_shop

pytestmark = pytest.mark.acceptance(70, 103, 104)

CANARY = "sk-canary-4f9a67d02d2ec5840726a"
ANSWER = f"Here it is:\n\n```python\n{FIXED}{REST}```\n"
WRONG = "```python\ndef change(due):\n    return [due, due]\n```"
TELLING_TEST = """\
import os

from till import change


def test_with_all_it_sees_of_the_world():
    keys = [value for value in os.environ.values() if "sk-" in value]
    assert change(20) == [20], f"{len(os.environ)} variables, with the keys {keys}"
"""
USAGE = Usage(input_tokens=900, output_tokens=100, cached_tokens=0)


async def generate(root: Path, *words: str, **extra: str) -> Ran:
    """Run `certo generate` beside the server that it asks."""
    home = root.parent
    own = {name: str(home / name.lower()) for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")}
    wish = ("generate", "till.py::change", "--generator", "model", "--json", *words)
    return await anyio.to_thread.run_sync(partial(certo, root, *wish, **own, **extra))


def model(url: str, **extra: str) -> dict[str, str]:
    """Return the settings that name a model at an address, and its key."""
    return {
        "CERTO_SEARCH__STRATEGY": "retry",
        "CERTO_RETRY__NUM_CANDIDATES": "1",
        "CERTO_MODEL__NAME": "openai:small",
        "CERTO_MODEL__BASE_URL": f"{url}/v1",
        "CERTO_MODEL__KEY_VARIABLE": "CANARY_KEY",
        "CERTO_MODEL__INPUT_DOLLARS": "1",
        "CERTO_MODEL__OUTPUT_DOLLARS": "10",
        "CERTO_GENERATION__RELATED_TOKENS": "0",
        "CANARY_KEY": CANARY,
        **extra,
    }


def says(*texts: str) -> list[Page]:
    return [page_of(Play(pieces=(text,), usage=USAGE), openai_pieces) for text in texts]


def telling(question: Question) -> Page:
    """Return an error that repeats the key, as some servers do."""
    words = f"Incorrect API key provided: {question.headers['authorization']}"
    return Page(status=401, kind="application/json", pieces=(json.dumps({"error": {"message": words}}).encode(),))


def everything_written(home: Path) -> dict[str, str]:
    """Return every file below a folder as text."""
    return {str(path): path.read_bytes().decode("latin-1") for path in home.rglob("*") if path.is_file()}


async def test_key_is_in_no_output_or_file(tmp_path):
    """Candidates do not see it either."""
    root = till(tmp_path / "till")
    (root / "tests" / "test_environment.py").write_text(TELLING_TEST)
    pages = iter(says(WRONG, ANSWER))
    async with model_server(lambda _: next(pages)) as server:
        wanted = model(server.url, CERTO_MODEL__CACHE="1", CERTO_SEARCH__RECORD=str(tmp_path / "run.jsonl"))
        solved = await generate(root, **wanted)
        server.answering = telling
        refused = await generate(root, "--instruction", "again", **wanted)
    assert [question.headers["authorization"] for question in server.questions] == [f"Bearer {CANARY}"] * 3
    assert (solved.code, refused.code) == (0, 3), (solved.err, refused.err)
    assert "does not accept the key from the environment variable CANARY_KEY" in refused.out
    assert " variables, with the keys []" in solved.out
    said = {"stdout": solved.out + refused.out, "stderr": solved.err + refused.err, **everything_written(tmp_path)}
    assert any("run.jsonl" in place for place in said)
    assert any("/answers/" in place for place in said)
    assert [place for place, text in said.items() if CANARY in text] == []


async def test_spent_budget_names_its_setting(tmp_path):
    root = till(tmp_path / "till")
    async with model_server(lambda _: says(WRONG)[0]) as server:
        ran = await generate(root, **model(server.url, CERTO_SEARCH__CALLS="1"))
    last = ran.events[-1]
    assert (ran.code, last["outcome"], len(server.questions)) == (1, "budget-spent", 1)
    assert last["reason"].startswith("search.calls = 1 does not cover one more call of openai:small")


@pytest.mark.slow
async def test_recorded_run_is_repeated_without_network(tmp_path):
    root = till(tmp_path / "till")
    run = str(tmp_path / "run.jsonl")
    pages = iter(says(WRONG, ANSWER))
    async with model_server(lambda _: next(pages)) as server:
        wanted = model(server.url)
        first = await generate(root, "--record", "../run.jsonl", **wanted)
    again = await generate(root, "--replay", run, "--dollars", "1", **{**wanted, "CANARY_KEY": ""})
    assert (first.code, again.code) == (0, 0), again.err
    for name in ("diff", "source", "candidateId"):
        assert again.events[-1]["winner"][name] == first.events[-1]["winner"][name]
    assert [told["type"] for told in again.events] == [told["type"] for told in first.events]
    for ran in (first, again):
        spent = ran.events[-1]["spent"]
        assert (spent["calls"], spent["tokens"], spent["dollars"]) == (2, 2000, 0.0038)


async def test_editors_key_is_in_no_message(tmp_path):
    client = capabilities("visual_studio_code")
    client["experimental"] = {"certo": {"versions": [1], "secrets": True}}
    pages = iter([telling, lambda _: says(block(TOTAL_DONE))[0]])
    asked = []

    def secret(params: object) -> dict[str, str]:
        asked.append(params)
        return {"secret": CANARY}

    async with model_server(lambda question: next(pages)(question)) as server:
        named = {"name": "openai:small", "baseUrl": f"{server.url}/v1", "keyVariable": "CANARY_KEY"}
        alone = {"search": {"generator": "model", "strategy": "retry"}, "retry": {"numCandidates": 1}}
        settings = {**alone, "model": named, "generation": {"relatedTokens": 0}}
        async with editor_on(build_shop(tmp_path), settings=settings, client=client) as editor:
            editor.peer.replies["certo/secret"] = secret
            await editor.open("shop.py")
            await editor.choose("shop.py", "def total", "implement")
            await editor.said("CANARY_KEY in the editor's secret storage")
            await editor.choose("shop.py", "def total", "retry")
            await editor.said("verified by")
            said = json.dumps(editor.peer.received) + editor.peer.log
    assert asked == [{"provider": "openai", "name": "CANARY_KEY"}] * 2
    assert [question.headers["authorization"] for question in server.questions] == [f"Bearer {CANARY}"] * 2
    assert CANARY not in said
