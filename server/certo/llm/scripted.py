"""A model that answers from a script, for demos, tests and trying a search without an account."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal

import anyio
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from certo.llm.model import ignore_text
from certo.llm.prompt import Delta, Finish, Prompt, Reply, Usage
from certo.llm.streamed_reply import StreamedReply
from certo.vocabulary.errors import BadSetting, ModelFailed

PIECE_CHARACTERS = 16
"""Default length of a streamed piece of a scripted answer."""

_FINISHES = {"complete": Finish.COMPLETE, "cut": Finish.CUT, "filtered": Finish.FILTERED}


class ScriptedReply(BaseModel):
    """One scripted answer: its text, whole or in pieces, each sent after `gap_seconds`.

    With a `failure`, the answer fails with that sentence after the text; `transient` and `retry_after` belong to it.
    Usage is reported only if both token counts are given.
    """

    model_config = ConfigDict(
        alias_generator=to_camel, validate_by_name=True, extra="forbid", frozen=True, defer_build=True
    )

    text: str | tuple[str, ...] = ()
    gap_seconds: float = Field(default=0.0, ge=0)
    finish: Literal["complete", "cut", "filtered"] = "complete"
    input_tokens: int | None = Field(default=None, ge=0)
    output_tokens: int | None = Field(default=None, ge=0)
    failure: str | None = None
    transient: bool = False
    retry_after: float | None = Field(default=None, ge=0)

    @property
    def pieces(self) -> tuple[str, ...]:
        """The text in the pieces in which it is streamed."""
        if isinstance(self.text, tuple):
            return self.text
        return tuple(
            self.text[start : start + PIECE_CHARACTERS] for start in range(0, len(self.text), PIECE_CHARACTERS)
        )

    @property
    def usage(self) -> Usage | None:
        """Token usage; None unless the script gives both counts."""
        if self.input_tokens is None or self.output_tokens is None:
            return None
        return Usage(input_tokens=self.input_tokens, output_tokens=self.output_tokens)


_SCRIPT: TypeAdapter[list[ScriptedReply]] = TypeAdapter(
    Annotated[list[ScriptedReply], Field(min_length=1)], config=ConfigDict(defer_build=True)
)


class ScriptedModel:
    """A model that gives the lines of a script one by one, in the order of requests."""

    def __init__(self, lines: Iterable[ScriptedReply], *, name: str = "scripted:script") -> None:
        self._lines: Iterator[ScriptedReply] = iter(lines)
        self._name = name

    @property
    def name(self) -> str:
        """`scripted`, and the name of the script."""
        return self._name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:  # noqa: ARG002 - a script does not listen
        """Return the next line, streamed at the script's speed.

        Raises:
            ModelFailed: The script has a failure here, or no more lines.
        """
        line = next(self._lines, None)
        if line is None:
            raise ModelFailed(f"{self.name} has no more lines")
        answer = StreamedReply(heard)
        for piece in line.pieces:
            await anyio.sleep(line.gap_seconds)
            answer.add(piece)
            answer.tell()
        if line.failure is not None:
            raise ModelFailed(
                f"{self.name}: {line.failure}",
                transient=line.transient,
                retry_after=line.retry_after,
                received=answer.started,
            )
        answer.end()
        answer.model, answer.usage, answer.finish = self.name, line.usage, _FINISHES[line.finish]
        return answer.reply(calls=1)


def read_script(path: Path) -> ScriptedModel:
    """Return the model of a JSON file with a list of lines.

    Raises:
        BadSetting: There is no such file, or it is no script.
    """
    try:
        return ScriptedModel(_SCRIPT.validate_json(path.read_bytes()), name=f"scripted:{path.name}")
    except OSError as error:
        raise BadSetting(f"the model's script {path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadSetting(f"the model's script {path} is wrong at {where or 'its beginning'}: {first['msg']}") from error
