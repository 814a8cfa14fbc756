"""An answer while it is being written: text piece by piece, then why it ended and what it took."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from certo.llm.prompt import Delta, Finish, Reply, Usage

MAX_CHARACTERS = 8_000_000
"""An answer longer than this has no end; no model writes as much."""

MAX_NAME_LENGTH = 200
"""How many characters the name of a model has at the most."""


class Endless(Exception):
    """The answer has grown past all that a model writes."""


MAX_COUNTED = 1_000_000_000
"""No call takes more tokens than this, whatever its provider says."""


def number(told: object) -> int:
    """A count as a provider tells it; 0 where it tells none, or nonsense."""
    return told if type(told) is int and 0 <= told <= MAX_COUNTED else 0


class StreamedReply:
    """What has come of an answer so far; what is added is told to `heard` when `tell` is called."""

    def __init__(self, heard: Callable[[Delta], None]) -> None:
        self.finish: Finish | None = None
        self.model = ""
        self.usage: Usage | None = None
        self.over = False
        """Whether the provider has said its last word, after which nothing is waited for."""
        self._heard = heard
        self._pieces: list[str] = []
        self._length = 0
        self._untold: list[str] = []
        self._half = ""

    @property
    def started(self) -> bool:
        """Whether any text has come."""
        return bool(self._pieces)

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    def name(self, model: object) -> None:
        """Take what the provider calls the model that answers, if it says so in a word that can be shown."""
        if isinstance(model, str) and model.isprintable() and len(model) <= MAX_NAME_LENGTH:
            self.model = model or self.model

    def add(self, text: str) -> None:
        """Take the next piece.

        JSON lets a character beyond the Basic Multilingual Plane be cut in two, and some servers do; its first half is
        kept back until the second is there, and a half that stays alone becomes a replacement character.

        Raises:
            Endless: there is too much of it.
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

    def tell(self) -> None:
        """Tell what was added since the last time."""
        untold, self._untold = self._untold, []
        at = self._length - sum(map(len, untold))
        for text in untold:
            self._heard(Delta(text=text, at=at))
            at += len(text)

    def add_vectors(self, vectors: Sequence[Sequence[float]]) -> None:
        """Take vectors, which are the whole of an answer: many texts have more of them than any model writes words."""
        text = json.dumps(vectors)
        self._length += len(text)
        self._pieces.append(text)
        self._untold.append(text)
        self.finish, self.over = Finish.COMPLETE, True

    def end(self) -> None:
        """Take it that no more comes."""
        if self._half:
            self._half = ""
            self.add("\N{REPLACEMENT CHARACTER}")
            self.tell()

    def reply(self, *, calls: int) -> Reply:
        """The whole answer, once it has come to an end."""
        assert self.finish is not None, "an answer without an end is no reply"
        counted = self.usage is not None and (self.usage.input_tokens > 0 or self.usage.output_tokens > 0)
        return Reply(
            text=self.text,
            finish=self.finish,
            model=self.model,
            usage=self.usage if counted else None,  # some servers write noughts for what they do not count
            calls=calls,
        )
