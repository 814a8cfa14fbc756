"""An answer while it is streamed: text piece by piece, then finish reason and usage."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from certo.llm.prompt import Delta, Finish, Reply, ToolUse, Usage

MAX_CHARACTERS = 8_000_000
"""Maximum length of an answer; no model writes as much."""

MAX_NAME_LENGTH = 200
"""Maximum length of a model's name."""


class Endless(Exception):
    """The answer exceeds any length that a model writes."""


MAX_COUNTED = 1_000_000_000
"""Maximum token count that is believed, whatever the provider reports."""


def number(told: object) -> int:
    """Return a reported count; 0 if it is missing or invalid."""
    return told if type(told) is int and 0 <= told <= MAX_COUNTED else 0


class StreamedReply:
    """The answer received so far; `tell` passes on the text added since the last call."""

    def __init__(self, heard: Callable[[Delta], None]) -> None:
        self.finish: Finish | None = None
        self.model = ""
        self.usage: Usage | None = None
        self.over = False
        """True after the provider's last piece, when nothing more is awaited."""
        self._heard = heard
        self._pieces: list[str] = []
        self._length = 0
        self._untold: list[str] = []
        self._half = ""
        self._uses: dict[int, ToolUse] = {}
        self._length_of_uses = 0

    @property
    def started(self) -> bool:
        """True if any text or use of a tool has arrived."""
        return bool(self._pieces or self._uses)

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    def name(self, model: object) -> None:
        """Store the reported name of the model if it is a single printable word."""
        if isinstance(model, str) and model.isprintable() and len(model) <= MAX_NAME_LENGTH:
            self.model = model or self.model

    def add(self, text: str) -> None:
        """Add the next piece.

        JSON allows a character beyond the Basic Multilingual Plane to be split, and some servers do so; its first half
        is held back until the second arrives, and an unpaired half becomes a replacement character.

        Raises:
            Endless: The text is too long.
        """
        text, self._half = self._half + text, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        if not text:
            return
        if not text.isascii():
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        self._length += len(text)
        if self._length > MAX_CHARACTERS:
            raise Endless
        self._pieces.append(text)
        self._untold.append(text)

    def add_use(self, number: int, *, name: str = "", arguments: str = "", use_id: str = "") -> None:
        """Add a piece of the use of a tool with this number in the answer; id and name come with its first piece.

        Raises:
            Endless: The answer is too long.
        """
        known = self._uses.get(number) or ToolUse(id=f"use_{number}", name="", arguments="")
        self._length_of_uses += len(name) + len(arguments)
        if self._length_of_uses > MAX_CHARACTERS:
            raise Endless
        self._uses[number] = ToolUse(
            id=use_id or known.id, name=known.name + name, arguments=known.arguments + arguments
        )

    def tell(self) -> None:
        """Pass on the text added since the last call."""
        untold, self._untold = self._untold, []
        at = self._length - sum(map(len, untold))
        for text in untold:
            self._heard(Delta(text=text, at=at))
            at += len(text)

    def add_vectors(self, vectors: Sequence[Sequence[float]]) -> None:
        """Add vectors, which are a whole answer; together they may be longer than any text a model writes."""
        text = json.dumps(vectors)
        self._length += len(text)
        self._pieces.append(text)
        self._untold.append(text)
        self.finish, self.over = Finish.COMPLETE, True

    def end(self) -> None:
        """Record that the stream has ended."""
        if self._half:
            self._half = ""
            self.add("\N{REPLACEMENT CHARACTER}")
            self.tell()

    def reply(self, *, calls: int) -> Reply:
        """Return the whole answer after the stream has ended."""
        assert self.finish is not None, "an answer without an end is no reply"
        counted = self.usage is not None and (self.usage.input_tokens > 0 or self.usage.output_tokens > 0)
        return Reply(
            text=self.text,
            finish=self.finish,
            model=self.model,
            usage=self.usage if counted else None,  # some servers write noughts for what they do not count
            calls=calls,
            uses=tuple(use for _, use in sorted(self._uses.items())),
        )
