"""A model behind HTTP: sends one prompt in the provider's format and assembles the streamed reply."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

from certo.llm.http.endpoint import Endpoint
from certo.llm.http.failures import told_failure, unwanted
from certo.llm.http.transport import BodyFraming, HttpCall, Transport
from certo.llm.model import ignore_text
from certo.llm.prompt import Delta, Finish, Prompt, Reply
from certo.llm.streamed_reply import MAX_CHARACTERS, Endless, StreamedReply
from certo.vocabulary.errors import ModelFailed

SHOWN_CHARACTERS = 80
"""Maximum number of characters shown of text that is no answer."""

Event = Mapping[str, Any]
"""One piece of an answer, as the provider sends it."""


class Format(Protocol):
    """Request and response format of one kind of provider; stateless.

    `optional` names parameters that may be omitted for a model that rejects them; `last_word` is the final piece of a
    stream if that is not an event.
    """

    framing: ClassVar[BodyFraming]
    optional: ClassVar[frozenset[str]]
    last_word: ClassVar[str | None]

    def lacks(self, prompt: Prompt, /) -> str:
        """Return the features that a prompt needs and the provider lacks, in words; empty if it lacks none."""
        ...

    def path(self, model: str, prompt: Prompt, /) -> str:
        """Return the path to post to, relative to the provider's address."""
        ...

    def headers(self, key: str, /) -> Mapping[str, str]:
        """Return the headers of a request; `key` may be empty."""
        ...

    def body(self, model: str, prompt: Prompt, /, *, without: frozenset[str]) -> dict[str, Any]:
        """Return the request body without the parameters in `without`."""
        ...

    def take(self, event: Event, answer: StreamedReply, /) -> None:
        """Add one piece to the answer."""
        ...


class HttpModel:
    """A model served by a provider over HTTP."""

    def __init__(self, transport: Transport, endpoint: Endpoint, model: str, format_: Format) -> None:
        self._transport = transport
        self._endpoint = endpoint
        self._model = model
        self._format = format_
        self._without: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """Provider and model."""
        return f"{self._endpoint.provider}:{self._model}"

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Return the reply; a parameter the provider rejects is omitted from then on and the request repeated.

        Raises:
            ModelFailed: There is no complete answer, or the provider lacks a feature the prompt needs.
        """
        if lacking := self._format.lacks(prompt):
            raise self._endpoint.failed(f"{self._endpoint.where} does not {lacking}")
        for calls in range(1, len(self._format.optional) + 2):
            sent = self._without
            try:
                return await self._ask(prompt, sent, heard, calls)
            except ModelFailed as failure:
                refused = unwanted(failure, self._format.optional - sent)
                if refused is None:
                    raise
                self._without |= {refused}
        raise AssertionError("no parameter is refused twice")

    async def _ask(self, prompt: Prompt, without: frozenset[str], heard: Callable[[Delta], None], calls: int) -> Reply:
        answer = StreamedReply(heard)
        call = HttpCall(
            model=self._model,
            path=self._format.path(self._model, prompt),
            body=self._format.body(self._model, prompt, without=without),
            headers=self._format.headers(self._endpoint.key),
            framing=BodyFraming.WHOLE if prompt.embedding else self._format.framing,
        )
        try:
            await self._transport.post(self._endpoint, call, lambda piece: self._take(piece, answer))
            answer.end()
            self._expect_end(answer)
        except ModelFailed as failure:
            failure.received = answer.started
            raise
        answer.model = answer.model or self._model
        return answer.reply(calls=calls)

    def _take(self, piece: str, answer: StreamedReply) -> bool:
        """Add one piece to the answer and return True if it was the last."""
        if piece.strip() == self._format.last_word:
            return True
        try:
            event = json.loads(piece)
        except (ValueError, RecursionError):
            event = None
        if not isinstance(event, dict):
            raise self._endpoint.failed(
                f"{self._endpoint.where} sent what is no part of an answer: {self._shown(piece)}",
                transient=True,
            )
        if event.get("error"):
            raise told_failure(self._endpoint, event["error"])
        try:
            self._format.take(event, answer)
        except Endless:
            raise self._endpoint.failed(
                f"{self._endpoint.where} wrote more than {MAX_CHARACTERS} characters and was stopped"
            ) from None
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise self._endpoint.failed(
                f"{self._endpoint.where} sent an answer in another form than {type(self._format).__name__} knows "
                f"({error}): {self._shown(piece)}"
            ) from None
        answer.tell()
        return answer.over

    def _shown(self, piece: str) -> str:
        """Return the beginning of a piece; the key is removed first, because cutting could leave half of it."""
        return repr(self._endpoint.without_key(piece)[:SHOWN_CHARACTERS])

    def _expect_end(self, answer: StreamedReply) -> None:
        """Check that an answer is complete and not empty.

        Raises:
            ModelFailed: It is not; some proxies turn a failure of the server into either.
        """
        if answer.finish is None:
            raise self._endpoint.failed(
                f"{self._endpoint.where} ended its answer without saying that it was whole", transient=True
            )
        if answer.finish is Finish.COMPLETE and not answer.started:
            raise self._endpoint.failed(f"{self._endpoint.where} answered without a word", transient=True)
