"""The editor's own model, asked through the editor, which holds the account and shows the user the cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import anyio

from certo.llm.model import ignore_text
from certo.llm.prompt import Delta, Finish, Prompt, Reply, Usage
from certo.llm.streamed_reply import MAX_CHARACTERS, Endless, StreamedReply
from certo.vocabulary.errors import ModelFailed
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorAnswer:
    """Final part of an answer from the editor. `text` is the whole answer if nothing was streamed."""

    finish: Finish = Finish.COMPLETE
    model: str = ""
    text: str = ""
    usage: Usage | None = None


class AskClient(Protocol):
    """Access to the language model of the editor that certo is connected to."""

    @property
    def offered(self) -> bool:
        """True if the editor offers a model."""
        ...

    async def ask(self, prompt: Prompt, model: str, heard: Callable[[str], None], /) -> EditorAnswer:
        """Ask the named model, or the user's preferred one if the name is empty; `heard` receives each piece of text.

        Cancelling tells the editor to stop.

        Raises:
            ModelFailed: The editor refused.
        """
        ...


class EditorModel:
    """A ChatModel served by the editor."""

    def __init__(self, client: AskClient, model: str = "", *, seconds: float = 300.0, group: str = "model") -> None:
        """Ask through `client`; an answer may take `seconds`, and error messages name the settings `group`."""
        self._client = client
        self._model = model
        self._seconds = seconds
        self._group = group

    @property
    def name(self) -> str:
        """`editor`, and the name of the requested model."""
        return f"editor:{self._model}" if self._model else "editor"

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Return the editor's answer to `prompt`.

        Raises:
            ModelFailed: The editor has no model, refused, took too long, or did not finish.
        """
        if prompt.embedding or prompt.has_images:
            wanted = "embeddings" if prompt.embedding else "images"
            raise ModelFailed(
                f"{self.name}: an editor's model is asked with texts for texts; {wanted} need another one"
            )
        if not self._client.offered:
            raise ModelFailed(f"{self.name}: this editor offers certo no model; name another in {self._group}.name")
        answer = StreamedReply(heard)
        try:
            with anyio.fail_after(self._seconds), anyio.CancelScope() as endless:

                def listen(text: str) -> None:
                    try:
                        answer.add(text)
                    except Endless:
                        endless.cancel()
                    answer.tell()

                told = await self._client.ask(prompt, self._model, listen)
                if not answer.started:
                    listen(told.text)
                answer.end()
        except ModelFailed as failure:
            failure.received = answer.started
            raise
        except TimeoutError:
            raise ModelFailed(
                f"{self.name} had not finished its answer after {self._seconds:g} s ({self._group}.seconds)",
                transient=True,
                received=answer.started,
            ) from None
        if endless.cancel_called:
            raise ModelFailed(f"{self.name} wrote more than {MAX_CHARACTERS} characters and was stopped", received=True)
        if told.finish is Finish.COMPLETE and not answer.started:
            raise ModelFailed(f"{self.name} answered without a word", transient=True)
        answer.finish, answer.usage, answer.model = told.finish, told.usage, told.model or self.name
        return answer.reply(calls=1)
