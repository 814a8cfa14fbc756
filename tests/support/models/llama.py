"""A real engine for language models, llama.cpp's own server, with the tiny model in it; `make models` builds it."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import httpx2

from certo.llm.http.endpoint import Endpoint
from certo.llm.http.model import HttpModel
from certo.llm.http.openai import OpenAIFormat
from certo.llm.http.transport import Transport
from certo.llm.model import ignore_text
from certo.llm.prompt import Prompt, Reply

PROGRAM = Path(__file__).parents[3] / ".artefacts/llama/llama-server"
KEY = "sk-tiny-canary-0123"
SLOTS = 4
"""How many answers it writes at once."""

_START_SECONDS = 60
_IDLE_SECONDS = 30
_LISTENING = "listening on "


@dataclass(frozen=True, slots=True)
class Engine:
    """A running server at an address."""

    url: str

    @property
    def base_url(self) -> str:
        """The address of its API in OpenAI's format."""
        return f"{self.url}/v1"

    def busy(self) -> int:
        """Return the number of its slots that are writing, as it reports it."""
        return sum(slot["is_processing"] for slot in self._slots())

    async def idle(self) -> None:
        """Wait until none of its slots is writing."""
        with anyio.fail_after(_IDLE_SECONDS):
            while self.busy():  # noqa: ASYNC110 - the server says so only when it is asked
                await anyio.sleep(0.01)

    def held(self) -> int:
        """Return the tokens in its fullest slot, those of the last prompt and its answer together."""
        return max(slot.get("n_prompt_tokens", 0) for slot in self._slots())

    def _slots(self) -> list[dict[str, Any]]:
        headers = {"authorization": f"Bearer {KEY}"}
        answer = httpx2.get(f"{self.url}/slots", headers=headers, trust_env=False, timeout=30).raise_for_status()
        slots: list[dict[str, Any]] = answer.json()
        assert len(slots) == SLOTS
        return slots

    async def answer(self, prompt: Prompt, *, heard: Any = ignore_text, key: str = KEY, **extra: Any) -> Reply:
        """Return the model's answer, asked as certo asks; `extra` goes into the body too."""
        async with Transport() as transport:
            endpoint = Endpoint(provider="openai", base_url=self.base_url, key=key, key_source="TINY_KEY")
            return await HttpModel(transport, endpoint, "tiny", OpenAIFormat(extra=extra)).answer(prompt, heard=heard)


@contextmanager
def llama(folder: Path, *words: str) -> Iterator[Engine]:
    """Yield a server for the length of the block, started with these options; `folder` is for its files."""
    assert PROGRAM.is_file(), "llama.cpp's server is not built: make models"
    # What writes the model is installed for these tests only, and they are collected, and left out, without it too.
    from support.models.tiny_gguf import write_tiny_gguf

    command = [
        PROGRAM,
        *("-m", write_tiny_gguf(folder / "tiny.gguf"), "--alias", "tiny", "--api-key", KEY),
        *("--host", "127.0.0.1", "--port", "0", "--offline", "--no-warmup"),
        # A thread for each processor would have them wait for each other on a machine that does other things as well.
        *("-t", "1", "-np", str(SLOTS), "-c", str(16_384 * SLOTS)),
        # Nothing is left out for being unlikely: of tokens that are all alike that would be most, and the end too.
        *("--top-k", "0", "--top-p", "1", "--min-p", "0"),
        *words,
    ]
    log = folder / "llama.log"
    with log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=out, cwd=folder) as server:
        try:
            yield Engine(_address(server, log))
        finally:
            server.kill()


def _address(server: subprocess.Popen[bytes], log: Path) -> str:
    """Return its address, which it prints once the model is loaded."""
    deadline = time.monotonic() + _START_SECONDS
    while _LISTENING not in (said := log.read_text(errors="replace")) or not said.endswith("\n"):
        assert server.poll() is None, f"llama.cpp's server has ended:\n{said}"
        assert time.monotonic() < deadline, f"llama.cpp's server did not start:\n{said}"
        time.sleep(0.02)
    return said.partition(_LISTENING)[2].split()[0]
