"""A model wrapper that records answers to a file, and a model that replays them without a network."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio

from certo.llm.model import ChatModel, ignore_text
from certo.llm.prompt import Delta, Prompt, Reply
from certo.llm.serialization import content_key, messages_as_json, reply_as_json, reply_from_json
from certo.vocabulary.errors import BadSetting, ModelFailed

_CANCELLED = "cancelled"
_FAILED = "failed"
_REPLY = "reply"
_EXCERPT = 60


Write = Callable[[str], None]
"""Writer of one line of JSON: a prompt and its outcome."""


def to_file(path: Path) -> Write:
    """Return a writer that appends lines to a file.

    The writer raises BadSetting if the file cannot be written.
    """

    def write(line: str) -> None:
        try:
            # Prompts contain the user's code, so a new file is readable by the user only.
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise BadSetting(f"search.record = {path} cannot be written: {error.strerror or error}") from error

    return write


class RecordingModel:
    """A ChatModel that records each prompt with its answer or other outcome.

    Failures and cancelled prompts are recorded too, so that a replay takes the same course.
    """

    def __init__(self, model: ChatModel, write: Write) -> None:
        self._model = model
        self._write_line = write

    @property
    def name(self) -> str:
        """The name of the wrapped model."""
        return self._model.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Return the answer and record the outcome.

        Raises:
            BadSetting: The file cannot be written.
        """
        try:
            reply = await self._model.answer(prompt, heard=heard)
        except ModelFailed as failed:
            self._write(prompt, {_FAILED: str(failed)})
            raise
        except anyio.get_cancelled_exc_class():
            self._write(prompt, {_CANCELLED: True})
            raise
        self._write(prompt, {_REPLY: reply_as_json(reply)})
        return reply

    def _write(self, prompt: Prompt, ending: dict[str, Any]) -> None:
        line = {
            "v": 1,
            "key": content_key(self.name, prompt),
            "model": self.name,
            "sample": prompt.sample,
            "messages": messages_as_json(prompt.messages),
            **ending,
        }
        self._write_line(json.dumps(line))


class Recording:
    """Recorded conversations in a file: one outcome per prompt.

    The last one counts, except that a cancelled prompt never replaces an answer or a failure.
    """

    def __init__(self, path: Path) -> None:
        """Read a file that a RecordingModel has written.

        Raises:
            BadSetting: There is no such file, or a line of it is no recorded prompt.
        """
        self.path = path
        self._endings: dict[str, dict[str, Any]] = {}
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise BadSetting(f"search.replay = {path} cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise BadSetting(f"search.replay = {path} is no recording: {error}") from error
        for number, line in enumerate(lines, start=1):
            self._add(line, number)

    def ending(self, key: str) -> dict[str, Any] | None:
        """Return the outcome of the prompt with this key; None if it was never asked."""
        return self._endings.get(key)

    def _add(self, line: str, number: int) -> None:
        try:
            read = json.loads(line)
            key = str(read["key"])
            ending = {name: read[name] for name in (_REPLY, _FAILED, _CANCELLED) if name in read}
            if _REPLY in ending:
                ending[_REPLY] = reply_from_json(ending[_REPLY])
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise BadSetting(
                f"search.replay = {self.path}: line {number} is no recorded answer; record again"
            ) from error
        if _CANCELLED not in ending or key not in self._endings:
            self._endings[key] = ending


class Replayed:
    """A ChatModel that replays recorded outcomes and asks no one.

    A prompt that was cancelled in the recording waits until it is cancelled again.
    """

    def __init__(self, name: str, recording: Recording) -> None:
        self._name = name
        self._recording = recording

    @property
    def name(self) -> str:
        """The name of the recorded model."""
        return self._name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Return the recorded answer.

        Raises:
            ModelFailed: The prompt failed in the recording, or is not in it.
        """
        await anyio.lowlevel.checkpoint()
        ending = self._recording.ending(content_key(self._name, prompt))
        if ending is None:
            raise ModelFailed(
                f"search.replay = {self._recording.path} has no answer of {self._name} to the prompt that ends with "
                f"{_excerpt(prompt)!r} (sample {prompt.sample}); record it with search.record, or ask the model itself"
            )
        if _CANCELLED in ending:
            await anyio.sleep_forever()
        if _FAILED in ending:
            raise ModelFailed(ending[_FAILED])
        reply: Reply = ending[_REPLY]
        if reply.text:
            heard(Delta(text=reply.text, at=0))
        return reply


def _excerpt(prompt: Prompt) -> str:
    """Return the last words of a prompt."""
    words = " ".join(prompt.messages[-1].text.split()) if prompt.messages else ""
    return words if len(words) <= _EXCERPT else f"… {words[-_EXCERPT:]}"
