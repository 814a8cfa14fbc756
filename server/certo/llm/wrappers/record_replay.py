"""A model whose answers are written to a file, and one that answers from that file alone, with no network."""

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
"""Takes one line of JSON: a question put to a model, and how it ended."""


def to_file(path: Path) -> Write:
    """Append lines to a file.

    What comes back raises BadSetting when the file cannot be written.
    """

    def write(line: str) -> None:
        try:
            # What is asked is the user's code, so a file that is new is theirs alone.
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise BadSetting(f"search.record = {path} cannot be written: {error.strerror or error}") from error

    return write


class RecordingModel:
    """A ChatModel that writes each question down with its answer, or how else it ended.

    Failures and questions that nobody waited for to the end are recorded too, so that a replay goes the same way.
    """

    def __init__(self, model: ChatModel, write: Write) -> None:
        self._model = model
        self._write_line = write

    @property
    def name(self) -> str:
        """The name of the model itself."""
        return self._model.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Ask, and write down what came of it.

        Raises:
            BadSetting: it cannot be written.
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
    """What a file has of earlier conversations: one ending for each question.

    The last one counts; but one that nobody waited for never takes the place of an answer or a failure.
    """

    def __init__(self, path: Path) -> None:
        """Read a file that a Recorded model has written.

        Raises:
            BadSetting: there is no such file, or a line of it is no recorded question.
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
        """How the question with this key ended; None where it was never asked."""
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
    """A ChatModel that answers from a recording what was answered then, and asks nobody.

    A question that nobody waited for then is not answered now either: it waits until it is cancelled again.
    """

    def __init__(self, name: str, recording: Recording) -> None:
        self._name = name
        self._recording = recording

    @property
    def name(self) -> str:
        """The name of the model whose answers they are."""
        return self._name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Answer as recorded.

        Raises:
            ModelFailed: the question failed then, or was never asked.
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
    """The last words of a prompt."""
    words = " ".join(prompt.messages[-1].text.split()) if prompt.messages else ""
    return words if len(words) <= _EXCERPT else f"… {words[-_EXCERPT:]}"
