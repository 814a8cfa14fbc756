"""A server of language models that answers late: `late-0.2` after 0.2 s; a process of its own, for benchmarks.

Prints its port and serves until it is killed. What is asked of `/witness` is answered with how many questions came and
how many of those who asked went away before their answer did.
"""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.models.model_server import ModelServer, Page, Question, model_server, openai_pieces, page_of
from support.models.provider_plays import Play

numbers = itertools.count()

ANSWERS = {
    "late": "```python\ndef half(n):\n    return n // 2 + 0 * {number}\n```\n",
    "script": "```python\noutput = {number}\n```\n",
    "vote": "true",
}
"""What a model of that kind answers: a function, a script that A1 runs, a vote."""


def answering(server: list[ModelServer]) -> None:
    """Answer each question after as many seconds as its model's name says."""

    def answer(question: Question) -> Page:
        if question.path == "/witness":
            seen = {"asked": len(server[0].witness.asked) - 1, "left": server[0].witness.left}
            return Page(kind="application/json", pieces=(json.dumps(seen).encode(),))
        kind, _, seconds = question.body["model"].rpartition("-")
        text = ANSWERS[kind].format(number=next(numbers))
        if not question.body.get("stream"):
            return Page(kind="application/json", pieces=(whole(question.body["model"], text),), gap=float(seconds))
        page = page_of(Play(pieces=(text,)), openai_pieces)
        return Page(kind=page.kind, pieces=(b"".join(page.pieces),), gap=float(seconds))

    server[0].answering = answer


def whole(model: str, text: str) -> bytes:
    """An answer in one piece, as those get it who do not ask for a stream."""
    message = {"role": "assistant", "content": text, "refusal": None}
    told = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12},
    }
    return json.dumps(told).encode()


async def main() -> None:
    """Serve until killed."""
    async with model_server(lambda _: Page()) as server:
        answering([server])
        print(server.port, flush=True)
        await anyio.sleep_forever()


if __name__ == "__main__":
    anyio.run(main)
