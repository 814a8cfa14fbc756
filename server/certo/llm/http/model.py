"""A model behind HTTP: one question sent in a provider's format, one whole reply made of what streams back."""

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
"""How much of what is no answer is shown."""

Event = Mapping[str, Any]
"""One piece of an answer, as the provider sends it."""


class Format(Protocol):
    """How one kind of provider is asked and answers: values in, values out, nothing kept.

    `optional` are the parameters that may be left out of a body for a model that does not take them, and `last_word` is
    a piece that is no event and comes last.
    """

    framing: ClassVar[BodyFraming]
    optional: ClassVar[frozenset[str]]
    last_word: ClassVar[str | None]

    def lacks(self, prompt: Prompt, /) -> str:
        """What a prompt wants that the provider does not do, in words that follow these; nothing when it does all."""
        ...

    def path(self, model: str, prompt: Prompt, /) -> str:
        """Where below the address to ask."""
        ...

    def headers(self, key: str, /) -> Mapping[str, str]:
        """What to say besides the question; the key is empty where there is none."""
        ...

    def body(self, model: str, prompt: Prompt, /, *, without: frozenset[str]) -> dict[str, Any]:
        """The question, without the parameters named."""
        ...

    def take(self, event: Event, answer: StreamedReply, /) -> None:
        """Take in one piece of the answer."""
        ...


class HttpModel:
    """A model that a provider serves, asked in the provider's format."""

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
        """Ask; a parameter that the provider does not take is left out from then on, and the question asked again.

        Raises:
            ModelFailed: there is no whole answer, or the prompt wants what the provider does not do.
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
        """Take in one piece; True when it was the last."""
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
        """The beginning of a piece; a key in it is taken out first, for the end would cut it and half of it stay."""
        return repr(self._endpoint.without_key(piece)[:SHOWN_CHARACTERS])

    def _expect_end(self, answer: StreamedReply) -> None:
        """Refuse an answer that has no end, or nothing in it.

        Raises:
            ModelFailed: it is so; some proxies make either of a failure behind them.
        """
        if answer.finish is None:
            raise self._endpoint.failed(
                f"{self._endpoint.where} ended its answer without saying that it was whole", transient=True
            )
        if answer.finish is Finish.COMPLETE and not answer.started:
            raise self._endpoint.failed(f"{self._endpoint.where} answered without a word", transient=True)
