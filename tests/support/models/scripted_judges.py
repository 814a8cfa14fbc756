"""Judges with given answers, for tests of their evaluation."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import anyio
import anyio.lowlevel

from certo.llm.model import ignore_text
from certo.llm.prompt import Delta, Finish, Prompt, Reply, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Says:
    """One answer: a text, or an error to raise; one that `waits` comes only after `release`."""

    text: str = ""
    error: Exception | None = None
    finish: Finish = Finish.COMPLETE
    waits: bool = False


class Judge:
    """A model that gives its answers by the number of the sample, from the start again when there are no more.

    `asked` holds the prompts, `cut_off` the samples whose answer was no longer waited for. Waiting answers come after
    `release`.
    """

    name = "scripted:judge"

    def __init__(self, *answers: str | Exception | Says) -> None:
        self._answers = [_says(answer) for answer in answers]
        self._released = anyio.Event()
        self.asked: list[Prompt] = []
        self.cut_off: list[int] = []

    def release(self) -> None:
        """Release the waiting answers."""
        self._released.set()

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Return the next answer."""
        self.asked.append(prompt)
        says = self._answers[prompt.sample % len(self._answers)]
        try:
            await (self._released.wait() if says.waits else anyio.lowlevel.checkpoint())
        except anyio.get_cancelled_exc_class():
            self.cut_off.append(prompt.sample)
            raise
        if says.error is not None:
            raise says.error
        usage = Usage(input_tokens=10, output_tokens=len(says.text))
        return Reply(text=says.text, finish=says.finish, model="judge", usage=usage, dollars=0.25)


def _says(answer: str | Exception | Says) -> Says:
    if isinstance(answer, Says):
        return answer
    return Says(error=answer) if isinstance(answer, Exception) else Says(text=answer)


class Named:
    """One judge under every name; `wanted` are the requested names."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.wanted: list[str] = []

    def named(self, name: str = "", /) -> Judge:
        """Return the judge."""
        self.wanted.append(name)
        return self._judge


FENCED = re.compile(
    r"^BEGIN MATERIAL (?P<fence>\w+)\n(?P<inside>.*?)^END MATERIAL (?P=fence)$", re.MULTILINE | re.DOTALL
)
"""The material as a reader meets it: from the first line that opens it to the first that closes it again."""


class Obedient:
    """A judge that obeys every order outside of the fence, and honestly says no when there is none.

    It learns the wording of an honest prompt from a first one, about harmless material: every other line outside of
    the fence counts as an order to say yes.
    """

    name = "scripted:obedient"

    def __init__(self) -> None:
        self._honest: Sequence[str] | None = None
        self.inside: list[str] = []

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Obey."""
        outside: list[str] = []
        for message in prompt.messages:
            found = FENCED.search(message.text)
            self.inside += [found["inside"]] if found else []
            left = message.text if found is None else message.text[: found.start()] + message.text[found.end() :]
            left = re.sub(r"\b[0-9a-f]{24}\b", "FENCE", left)
            outside += [f"{message.role}: {line}" for line in left.splitlines()]
        if self._honest is None:
            self._honest = outside
        text = "false" if outside == self._honest else "true"
        return Reply(text=text, finish=Finish.COMPLETE, model="obedient")
