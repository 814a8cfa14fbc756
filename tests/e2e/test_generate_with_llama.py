"""The main job with a real engine: its model chooses among bodies by seed, and the one that is verified wins."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import anyio.to_thread
import pytest

from support.cli.command import Ran, certo, till
from support.models.llama import KEY, Engine, llama

pytestmark = pytest.mark.models

RIGHT = (
    "coins = []\n    for coin in COINS:\n        while due >= coin:\n"
    "            coins.append(coin)\n            due -= coin\n    return coins"
)
BODIES = (RIGHT, "return []", "yield due", "pass", "due = [")
"""One that is right, three that are wrong, and one that is no Python."""

GRAMMAR = f'root ::= "```python\\ndef change(due):\\n    " ({" | ".join(map(json.dumps, BODIES))}) "\\n```\\n"'
"""What the server lets its model write, whatever it is asked."""


async def generate(root: Path, engine: Engine, *words: str, key: str = KEY) -> Ran:
    """`certo generate`, with the engine as its model."""
    environ = {"CERTO_MODEL__BASE_URL": engine.base_url, "CERTO_MODEL__KEY_VARIABLE": "TINY_KEY", "TINY_KEY": key}
    command = partial(certo, root, "generate", "till.py::change", "--model", "openai:tiny", *words, **environ)
    return await anyio.to_thread.run_sync(command)


async def test_search_finds_the_right_body(tmp_path: Path) -> None:
    """Afterwards the engine is idle."""
    root = till(tmp_path / "till")
    with llama(tmp_path, "--grammar", GRAMMAR) as engine:
        ran = await generate(root, engine, "--json", "--candidates", "8", "--iterations", "3")
        await engine.idle()
    assert ran.code == 0, ran.err
    last = ran.events[-1]
    assert (last["outcome"], last["verified"]) == ("solved", True)
    assert RIGHT in last["winner"]["source"]
    assert last["spent"]["calls"] > 1
    assert last["spent"]["tokens"] > len(GRAMMAR)
    refused = [event for event in ran.events if event["type"] == "candidate.scored" and not event["passed"]]
    assert refused
    assert KEY not in ran.out + ran.err


async def test_refused_key_is_told_once(tmp_path: Path) -> None:
    with llama(tmp_path) as engine:
        ran = await generate(till(tmp_path / "till"), engine, key="sk-wrong-canary")
    assert ran.code == 3
    assert ran.err.count("does not accept the key from the environment variable TINY_KEY") == 1
    assert "canary" not in ran.err
