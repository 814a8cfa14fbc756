"""A search killed with -9 at any moment goes on where it was; nothing told is lost, nothing is paid for twice.

The real command is killed between two lines of what it tells, or a moment later, with calls of a model under way or
not; a real server counts what it was asked and had answered.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any

import anyio
import pytest
from anyio.streams.buffered import BufferedByteReceiveStream

from certo.storage.archive import Archive
from certo.storage.location import journal_folder
from support.cli.command import COMMAND, environment, till
from support.models.model_generator import block
from support.models.model_server import ModelServer, Page, Question, model_server, openai_pieces, page_of
from support.models.provider_plays import Play

pytestmark = pytest.mark.acceptance(69)

RIGHT = block(
    "def change(due):\n    coins = []\n    for coin in COINS:\n        while due >= coin:\n"
    "            coins.append(coin)\n            due -= coin\n    return coins"
)
KEPT = {"candidate.proposed", "verdict", "candidate.scored", "budget", "search.started"}
"""Events that are kept, of those there are."""

STRATEGIES = ("retry", "linear_search", "llm_tree_search", "mcts")

Told = dict[str, Any]


def answer(question: Question) -> Page:
    """Return a model's reply to a question: right after two failures, or by luck after one."""
    turns = [turn for turn in question.body["messages"] if turn["role"] == "assistant"]
    number = int(hashlib.sha256(json.dumps(question.body, sort_keys=True).encode()).hexdigest(), 16) % 10**9
    is_right = len(turns) >= 2 or (len(turns) == 1 and number % 5 == 0)
    text = RIGHT if is_right else block(f"def change(due):\n    return [{number}]")
    if "response_format" in question.body:
        wants_words = "string" in json.dumps(question.body["response_format"])
        text = json.dumps({"value": [f"try {number}"] if wants_words else [number % 5]})
    pieces = tuple(text[at : at + 40] for at in range(0, len(text), 40))
    return page_of(Play(pieces=pieces, gap=0.01), openai_pieces)


@dataclass(frozen=True)
class Project:
    """A small project with a bug, a home of its own, and the model its searches ask."""

    root: Path
    server: ModelServer

    def environ(self, strategy: str) -> dict[str, str]:
        """The environment of a command."""
        return environment(
            self.root.parent,
            CERTO_MODEL__NAME="openai:small",
            CERTO_MODEL__BASE_URL=f"{self.server.url}/v1",
            CERTO_MODEL__KEY_VARIABLE="SMALL_KEY",
            CERTO_SEARCH__GENERATOR="model",
            CERTO_SEARCH__STRATEGY=strategy,
            CERTO_RETRY__NUM_CANDIDATES="2",
            CERTO_GENERATION__RELATED_TOKENS="0",
            SMALL_KEY="sk-canary",
        )

    async def run(self, strategy: str, *words: str, dies: random.Random | None = None) -> list[Told]:
        """Return the events of a command that is killed after a random number of them and a random time."""
        told: list[Told] = []
        command = [*COMMAND, *words, "--json"]
        lines = dies.randrange(1, 60) if dies is not None else None
        async with await anyio.open_process(
            command, cwd=self.root, env=self.environ(strategy), stdout=PIPE, stderr=DEVNULL
        ) as process:
            assert process.stdout is not None
            stream = BufferedByteReceiveStream(process.stdout)
            try:
                while lines is None or len(told) < lines:
                    told.append(json.loads(await stream.receive_until(b"\n", 1 << 20)))
            except anyio.IncompleteRead:
                return told
            if dies is not None:
                await anyio.sleep(dies.random() / 10)
                process.kill()
        return told


async def killed_and_resumed(root: Path, seed: int) -> None:
    """Kill a search at a point set by the seed, resume it, and check that nothing is lost or done twice."""
    chance = random.Random(seed)
    strategy = STRATEGIES[seed % len(STRATEGIES)]
    async with model_server(answer) as server:
        project = Project(till(root / "till"), server)
        before = await project.run(strategy, "generate", "till.py::change", "--timeout", "600", dies=chance)
        [kept] = Archive(journal_folder(project.environ(strategy)), print).searches()
        if kept.outcome is not None:
            return  # It was faster than the one who would kill it.
        rest = await project.run(strategy, "searches", "resume", kept.id)
        questions = Counter(json.dumps(question.body, sort_keys=True) for question in server.questions)
        calls = len(server.questions)
    resumed, stopped = rest[0], rest[-1]
    assert resumed["type"] == "search.resumed"
    assert resumed["seq"] > max((event["seq"] for event in before if event["type"] in KEPT), default=0)
    assert [event["seq"] for event in rest] == [resumed["seq"] + number for number in range(len(rest))]
    # Only what was under way when it was killed may be asked a second time, and all that was asked is in the account;
    # so is what had not reached the server yet.
    assert sum(times - 1 for times in questions.values()) <= resumed["lost"]
    assert 0 <= stopped["spent"]["calls"] - calls <= resumed["lost"]
    # Every candidate that was told of has its verdicts, and what was judged is not judged again.
    _, lines = Archive(journal_folder(project.environ(strategy)), print).find(kept.id) or (None, ())
    told = [json.loads(line) for line in lines]
    scored = Counter(event["candidateId"] for event in told if event["type"] == "candidate.scored")
    assert {event["candidateId"] for event in before if event["type"] == "candidate.proposed"} <= scored.keys()
    assert set(scored.values()) == {1}
    assert (stopped["outcome"], stopped["verified"]) == ("solved", True)
    assert "while due >= coin" in stopped["winner"]["source"]


@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.slow), 2])
async def test_killed_search_resumes_and_pays_nothing_twice(tmp_path: Path, seed: int) -> None:
    await killed_and_resumed(tmp_path, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 3, *range(4, 50)])
async def test_same_holds_at_many_more_moments(tmp_path: Path, seed: int) -> None:
    await killed_and_resumed(tmp_path, seed)
