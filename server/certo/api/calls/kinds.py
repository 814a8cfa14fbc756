"""The kinds of calls: for text, for a value, for one of several words, for vectors, and for what is in an image."""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NoReturn, cast

from certo.api.calls.call import AICall
from certo.api.calls.turns import Words
from certo.criteria.answers import read_choice
from certo.llm.prompt import Finish, Image, Message, Prompt, Reply, Sampling
from certo.llm.typed.answer_type import AnswerMismatch, AnswerType
from certo.vocabulary.errors import BadRequest, BadSetting

_MAGIC = {
    "image/png": re.compile(rb"\x89PNG\r\n"),
    "image/jpeg": re.compile(rb"\xff\xd8\xff"),
    "image/gif": re.compile(rb"GIF8"),
    "image/webp": re.compile(rb"RIFF.{4}WEBP", re.DOTALL),
}
"""The kinds of images that every provider knows, by the beginnings of their files; RIFF alone may be a sound."""


_UNFINISHED = (Finish.FILTERED, Finish.CUT)

TRUTH = ("true", "false", "unknown")
"""What something said can be."""


class AIGenerate(AICall):
    """A call for text."""


class AIExtract(AICall):
    """A call for a value of `return_type`: a pydantic model, whatever else pydantic reads, or a JSON schema.

    An answer that is none is a failed sample, and what is wrong with it is its feedback. Raises BadSetting where the
    type is nothing that an answer can be checked against.
    """

    def __init__(self, prompt: Words, *, return_type: Any, **more: Any) -> None:
        super().__init__(prompt, **more)
        self.shape = AnswerType(return_type)


class AIClassify(AICall):
    """A call for one of `choices`, words or words with what each means; whether something is so, where none are given.

    The answer is read from JSON or from plain words, as a judge's vote is: `Pear.` and `Answer: pear` are `pear`.
    Raises BadSetting where there is nothing to choose from.
    """

    def __init__(self, prompt: Words, *, choices: Sequence[str] | Mapping[str, str] = TRUTH, **more: Any) -> None:
        super().__init__(prompt, **more)
        if not choices or isinstance(choices, str):
            raise BadSetting(f"choices = {choices!r}: give the words to choose from, two or more")
        self.shape = AnswerType(Literal[tuple(choices)])
        self._choices = tuple(choices)
        meanings = choices if isinstance(choices, Mapping) else dict.fromkeys(choices, "")
        listed = "\n".join(f"- {word}: {meaning}" if meaning else f"- {word}" for word, meaning in meanings.items())
        told = Message(role="system", text=f"Choose the one of these that fits best:\n{listed}")
        systems = sum(turn.role == "system" for turn in self.conversation)
        self.conversation = (*self.conversation[:systems], told, *self.conversation[systems:])

    def _value(self, reply: Reply) -> Any:
        try:
            return super()._value(reply)
        except AnswerMismatch:
            choice = read_choice(reply.text, self._choices) if reply.finish not in _UNFINISHED else None
            if choice is None:
                raise
            return choice


class AIEmbed(AICall):
    """A call for vectors: one list of numbers for a text, a list of such lists for several texts.

    The model has to be one for embeddings. Raises BadSetting where there is no text, or an empty one.
    """

    def __init__(self, texts: str | Sequence[str], **more: Any) -> None:
        self._one = isinstance(texts, str)
        listed = [texts] if isinstance(texts, str) else list(texts)
        if not all(listed) or not listed:
            raise BadSetting("AIEmbed takes a text or several, none of them empty")
        # Several messages of one author would be one in a conversation, so they are put in behind its back.
        super().__init__(listed[0], **more)
        self.conversation = tuple(Message(role="user", text=text) for text in listed)

    async def __call__(self, said: str | Message, **values: object) -> NoReturn:  # noqa: ARG002 - whatever is said
        """Refuse: vectors are no conversation.

        Raises:
            BadRequest: always.
        """
        raise BadRequest("there is no reply to vectors; make another AIEmbed for other texts")

    def _prompt(self, sampling: Sampling) -> Prompt:
        return replace(super()._prompt(replace(sampling, max_tokens=0)), embedding=True)

    def _value(self, reply: Reply) -> Any:
        vectors = _vectors(reply.text)
        wanted = len(self.samples.root.data.conversation)
        if len(vectors) != wanted:
            raise AnswerMismatch(f"there are {len(vectors)} vectors for {wanted} texts")
        return vectors[0] if self._one else vectors


class AIScan(AICall):
    """A call about images: files of `image_path`, addresses of `image_url`, one or several of either.

    Files are PNG, JPEG, GIF or WebP, and are read when the call is first run.
    """

    def __init__(
        self,
        prompt: Words,
        *,
        image_path: str | Path | Sequence[str | Path] = (),
        image_url: str | Sequence[str] = (),
        **more: Any,
    ) -> None:
        super().__init__(prompt, **more)
        self._paths = [Path(each) for each in _listed(image_path)]
        self._urls = [str(each) for each in _listed(image_url)]
        if not self._paths and not self._urls:
            raise BadSetting("AIScan has nothing to look at; give image_path or image_url")
        if not self.conversation or self.conversation[-1].role != "user":
            raise BadSetting("AIScan shows its images with the last turn, which has to be the user's")

    def _begin(self) -> None:
        if self._began:
            return
        before = self.conversation
        images = (*map(_image_of, self._paths), *(Image(url=url) for url in self._urls))
        last = self.conversation[-1]
        self.conversation = (*self.conversation[:-1], replace(last, images=(*last.images, *images)))
        try:
            super()._begin()
        except BadSetting:
            # It begins once more when its template has all values, and then puts them in.
            self.conversation = before
            raise


def _listed(given: str | Path | Sequence[str | Path]) -> list[str | Path]:
    return [given] if isinstance(given, str | Path) else list(given)


def _image_of(path: Path) -> Image:
    """Return an image as it is in a file.

    Raises:
        BadRequest: it cannot be read, or is no image of a kind that is known.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadRequest(f"the image {path} cannot be read: {error.strerror}") from error
    kind = next((kind for kind, magic in _MAGIC.items() if magic.match(content)), None)
    if kind is None:
        raise BadRequest(f"{path} is no image that models look at; they take PNG, JPEG, GIF and WebP")
    return Image(url=f"data:{kind};base64,{base64.b64encode(content).decode()}")


def _vectors(text: str) -> list[list[float]]:
    """Return the vectors of an answer.

    Raises:
        AnswerMismatch: it has none, or of different lengths, or something in them is no number.
    """
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise AnswerMismatch(f"it holds no JSON: {error}") from error
    whole = isinstance(told, list) and all(isinstance(each, list) and each for each in told)
    if not whole or not all(type(number) in (int, float) and math.isfinite(number) for each in told for number in each):
        raise AnswerMismatch("it is no list of lists of numbers")
    if len({len(each) for each in told}) > 1:
        raise AnswerMismatch("its vectors are of different lengths")
    return cast("list[list[float]]", told)
