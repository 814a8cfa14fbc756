"""A listener has all text when a model pauses: nothing waits for the next words."""

from __future__ import annotations

from collections.abc import Callable

import anyio
import pytest

from certo.edits.patch import apply_edits
from certo.generation.generator import Draft, TextChunk
from certo.generation.model.answer_stream import AnswerReader, DraftReader, followed
from certo.llm.model import ignore_text
from certo.llm.prompt import Delta, Prompt, Reply
from certo.vocabulary.errors import ModelFailed
from support.models.model_generator import block, problem_of
from support.models.scripted_answers import Answers, question, reply

PROBLEM = problem_of("def f(x):\n    return 1\n")
RIGHT = "def f(x):\n    y = x + 1\n    z = y + 1\n    return z\n"
ANSWER = block(RIGHT)


class Pausing:
    """A model that writes all it has to say at once, and ends only when somebody has read it."""

    name = "pausing:one"

    def __init__(self, text: str) -> None:
        self.read = anyio.Event()
        self._text = text

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Write it letter by letter, then pause."""
        for at, letter in enumerate(self._text):
            heard(Delta(text=letter, at=at))
        await self.read.wait()
        return reply(self._text)


async def test_listener_has_all_text_during_a_pause():
    pieces: list[TextChunk] = []
    model = Pausing(ANSWER)

    def tell(piece: TextChunk) -> None:
        pieces.append(piece)
        if "".join(each.text for each in pieces) == ANSWER:
            model.read.set()

    with anyio.fail_after(60):
        answer = await followed(model, question(), AnswerReader(model="a:1", tell=tell))
    assert answer.text == ANSWER
    assert len(pieces) > 1, "the first is told at once"


async def test_drafts_are_complete_during_a_pause():
    model = Pausing(ANSWER)

    def tell(draft: Draft) -> None:
        if apply_edits(PROBLEM.text, draft.edits) == RIGHT:
            model.read.set()

    drafting = DraftReader(problem=PROBLEM, model="a:1", tell=tell)
    with anyio.fail_after(60):
        await followed(model, question(), AnswerReader(model="a:1", tell=lambda _: None), drafting)
    assert model.read.is_set()


async def test_model_failures_pass_through_the_listener():
    failure = ModelFailed("it is out")
    with pytest.raises(ModelFailed) as raised:
        await followed(Answers([failure]), question(), AnswerReader(model="a:1", tell=lambda _: None))
    assert raised.value is failure
