"""A model wrapper that caches answers."""

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
"""Maximum number of answers per folder; the 256 folders, named by the start of the hash, hold some 16,000."""


class AnswerFiles:
    """Cached answers in a directory, one file each, named by the hash of the prompt; the oldest are evicted.

    Files are written atomically, so several processes may share a directory. They hold answers but no prompts, and are
    readable by their owner only.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def get(self, key: str) -> Reply | None:
        """Return the answer stored under a key; None if there is none or it is unreadable."""
        try:
            return reply_from_json(json.loads(self._file(key).read_text(encoding="utf-8")))
        except (OSError, ValueError, RecursionError):
            return None

    def put(self, key: str, reply: Reply) -> None:
        """Store an answer.

        Raises:
            OSError: The directory cannot be written to.
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
    """A ChatModel that answers repeated prompts from the cache.

    Each sample of a prompt has an entry of its own, so n samples stay n. Only complete answers are stored: no failure,
    none cut or withheld. A cached answer costs no call, token or dollar.
    """

    def __init__(self, model: ChatModel, files: AnswerFiles) -> None:
        self._model = model
        self._files = files

    @property
    def name(self) -> str:
        """The name of the wrapped model."""
        return self._model.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Return the cached answer, or ask; an unwritable directory is no error."""
        key = content_key(self.name, prompt)
        kept = self._files.get(key)
        if kept is not None:
            await anyio.lowlevel.checkpoint()
            if kept.text:
                heard(Delta(text=kept.text, at=0))
            return replace(kept, calls=0, usage=Usage(input_tokens=0, output_tokens=0), dollars=0.0)
        reply = await self._model.answer(prompt, heard=heard)
        if reply.finish is Finish.COMPLETE and (reply.text or reply.uses):
            self._keep(key, reply)
        return reply

    def _keep(self, key: str, reply: Reply) -> None:
        try:
            self._files.put(key, reply)
        except OSError as error:
            log.warning("an answer of %s could not be kept: %s", self.name, error)


def _make_room(folder: Path) -> None:
    """Remove the oldest answers of a full folder; another process may be doing the same."""
    kept = list(folder.glob("*.json"))
    if len(kept) <= MAX_IN_FOLDER:
        return
    aged = []
    for file in kept:
        with suppress(FileNotFoundError):
            aged.append((file.stat().st_mtime_ns, file))
    for _, file in sorted(aged)[: len(aged) - MAX_IN_FOLDER]:
        file.unlink(missing_ok=True)
