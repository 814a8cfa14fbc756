"""The scripted generator: replies from a file in order, for tests and demos."""

from __future__ import annotations

import textwrap
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from certo.generation.generator import Ask, Declined, GeneratorContext, Proposal
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.options import option
from certo.vocabulary.problem import Problem, Target
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import TextEdit


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedOptions:
    """The file of the replies."""

    path: str = option(
        "",
        'For the generator `scripted`: a JSON file with the list of replies, each `{"source": …}` or `{"decline": …}`.',
        owner="user",
        reserved="choose a file that certo reads",
    )


class ScriptedProposal(BaseModel):
    """One reply: the target's new source with its own indentation, or the reason there is none; after a delay.

    `elsewhere` has the whole new text of other files by path.
    """

    model_config = ConfigDict(
        alias_generator=to_camel, validate_by_name=True, extra="forbid", frozen=True, defer_build=True
    )

    source: str | None = None
    elsewhere: Mapping[str, str] = {}
    decline: str | None = None
    note: str = "scripted"
    delay_seconds: float = 0.0


class ScriptedGenerator:
    """Generator of a script's replies in order, each to one caller, before it declines."""

    name = "scripted"

    def __init__(self, replies: tuple[ScriptedProposal, ...]) -> None:
        self._replies = replies

    @asynccontextmanager
    async def open(self, problem: Problem, say: Callable[[str], None], /) -> AsyncIterator[ScriptedProposer]:
        """Start the script from its beginning."""
        say(f"reading from a script of {len(self._replies)} replies")
        yield ScriptedProposer(problem, self._replies)


class ScriptedProposer:
    """Proposer of a script's replies in the order of asking."""

    def __init__(self, problem: Problem, replies: tuple[ScriptedProposal, ...]) -> None:
        self._problem = problem
        self._rest = iter(replies)

    async def propose(self, ask: Ask, /) -> Proposal | Declined:  # noqa: ARG002 - a script does not listen
        """Wait for the next reply's delay, and return it."""
        reply = next(self._rest, None)
        if reply is None:
            return Declined(reason="the script has no more replies")
        await anyio.sleep(reply.delay_seconds)
        if reply.source is None:
            return Declined(reason=reply.decline or "the script declines here")
        target = self._problem.target
        source = indented(reply.source, target, self._problem.text)
        return Proposal(edits=(TextEdit(target.span, source),), note=reply.note, elsewhere=reply.elsewhere)


def indented(source: str, target: Target, text: str) -> str:
    """Return a function's source with the indentation of the target, its first line excepted.

    The span starts at the function's first token, so the first line is indented already.
    """
    line_start = text.rfind("\n", 0, target.span.start) + 1
    indentation = text[line_start : target.span.start]
    lines = textwrap.dedent(source).strip("\r\n").splitlines()
    return "\n".join(lines[:1] + [indentation + line if line.strip() else line for line in lines[1:]])


def build(context: GeneratorContext) -> ScriptedGenerator:
    """Return the generator for the script in the options.

    Raises:
        BadSetting: There is no such file, or it is no list of replies.
    """
    options = context.options
    if not isinstance(options, ScriptedOptions) or not options.path:
        raise BadSetting(
            "the scripted generator needs a script: set scripted.path to a JSON file with a list of replies"
        )
    try:
        script = Path(options.path).expanduser().read_bytes()
        replies = TypeAdapter(tuple[ScriptedProposal, ...]).validate_json(script)
    except OSError as error:
        raise BadSetting(f"scripted.path {options.path!r} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BadSetting(
            f"scripted.path {options.path!r} is no list of replies: {place} {first['msg']}; "
            'write [{"source": "def …"}, {"decline": "the reason"}]'
        ) from error
    return ScriptedGenerator(replies)
