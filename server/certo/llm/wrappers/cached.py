"""A model that remembers: an answer it gave once is given again, for nothing."""

from __future__ import annotations

import json
import logging
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import anyio

from certo.llm.model import ChatModel, ignore_text
from certo.llm.prompt import Delta, Finish, Prompt, Reply, Usage
from certo.llm.serialization import content_key, reply_as_json, reply_from_json

log = logging.getLogger(__name__)


MAX_IN_FOLDER = 64
"""How many answers are kept whose hashes begin alike, of which there are 256 kinds: some 16,000 in all."""


class AnswerFiles:
    """Answers in a directory, one file each, named by the hash of the question; the oldest make room for new ones.

    A file is there whole or not at all, so several processes may use one directory. It holds the answer and no
    question, and is readable by its owner only.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def get(self, key: str) -> Reply | None:
        """The answer kept under a key; None where there is none, or what is there cannot be read."""
        try:
            return reply_from_json(json.loads(self._file(key).read_text(encoding="utf-8")))
        except (OSError, ValueError, RecursionError):
            return None

    def put(self, key: str, reply: Reply) -> None:
        """Keep an answer.

        Raises:
            OSError: the directory cannot be written to.
        """
        file = self._file(key)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        whole = file.with_suffix(f".{secrets.token_hex(4)}")
        with os.fdopen(os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
            json.dump(reply_as_json(reply), opened)
        whole.replace(file)
        _make_room(file.parent)

    def _file(self, key: str) -> Path:
        return self._directory / key[:2] / f"{key}.json"


class Cached:
    """A ChatModel that asks only what it was not asked before.

    Each sample of a prompt is a question of its own, so n samples stay n. Kept are whole answers only: no failure, none
    that was cut or withheld. An answer that was kept took no call, no token and no dollar.
    """

    def __init__(self, model: ChatModel, files: AnswerFiles) -> None:
        self._model = model
        self._files = files

    @property
    def name(self) -> str:
        """The name of the model itself."""
        return self._model.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Answer as before, or ask; a directory that cannot be written to keeps nobody from asking."""
        key = content_key(self.name, prompt)
        kept = self._files.get(key)
        if kept is not None:
            await anyio.lowlevel.checkpoint()
            if kept.text:
                heard(Delta(text=kept.text, at=0))
            return replace(kept, calls=0, usage=Usage(input_tokens=0, output_tokens=0), dollars=0.0)
        reply = await self._model.answer(prompt, heard=heard)
        if reply.finish is Finish.COMPLETE and reply.text:
            self._keep(key, reply)
        return reply

    def _keep(self, key: str, reply: Reply) -> None:
        try:
            self._files.put(key, reply)
        except OSError as error:
            log.warning("an answer of %s could not be kept: %s", self.name, error)


def _make_room(folder: Path) -> None:
    """Remove the oldest answers of a folder that has too many; another process may be at it too."""
    kept = list(folder.glob("*.json"))
    if len(kept) <= MAX_IN_FOLDER:
        return
    aged = []
    for file in kept:
        with suppress(FileNotFoundError):
            aged.append((file.stat().st_mtime_ns, file))
    for _, file in sorted(aged)[: len(aged) - MAX_IN_FOLDER]:
        file.unlink(missing_ok=True)
