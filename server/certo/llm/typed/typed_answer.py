"""Asking for an answer of a certain shape: one try, then parallel lines that see their own failures."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from certo.concurrency import side_by_side
from certo.llm.model import ChatModel
from certo.llm.prompt import Finish, Message, Prompt, Reply, Sampling, Usage
from certo.llm.typed.answer_type import AnswerMismatch, AnswerType
from certo.vocabulary.errors import BrokenWorld, BudgetExhausted, ModelFailed


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerAttempts:
    """How often and how widely to ask: `num_candidates` lines in parallel, each of at most `max_iterations` tries.

    With `first_try`, one try is made alone before the lines start, and counts as the first of each of them.
    """

    max_iterations: int = 3
    num_candidates: int = 3
    first_try: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Try:
    """One try: its line and its place in it, both from 0, and what came of it.

    `reply` is None where the model did not answer; `error` is empty where the answer was what was asked for.
    """

    slot: int
    attempt: int
    reply: Reply | None
    error: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What became of a question: the value, or why there is none, with every try that was made; true only if valid.

    `value` is None where `is_valid` is False; `text` is the raw text of the answer that was taken or, where none was,
    of the first that came. `usage` and `dollars` sum up all tries that were answered; they are None when one of them
    did not tell. What losers had used when they were cancelled, no provider tells.
    """

    value: Any
    text: str
    is_valid: bool
    tries: tuple[Try, ...]
    conversation: tuple[Message, ...]

    def __bool__(self) -> bool:
        return self.is_valid

    @property
    def usage(self) -> Usage | None:
        """The tokens of all tries."""
        used = [each.reply.usage for each in self.tries if each.reply is not None]
        known = [each for each in used if each is not None]
        if not known or len(known) < len(used):
            return None
        return Usage(
            input_tokens=sum(each.input_tokens for each in known),
            output_tokens=sum(each.output_tokens for each in known),
            cached_tokens=sum(each.cached_tokens for each in known),
        )

    @property
    def dollars(self) -> float | None:
        """The price of all tries."""
        prices = [each.reply.dollars for each in self.tries if each.reply is not None]
        known = [each for each in prices if each is not None]
        return sum(known) if known and len(known) == len(prices) else None

    @property
    def calls(self) -> int:
        """How many requests were sent."""
        return sum(each.reply.calls if each.reply is not None else 1 for each in self.tries)

    @property
    def error(self) -> str:
        """Why the last try failed; nothing where there is a value."""
        return "" if self.is_valid else self.tries[-1].error

    @property
    def last_message(self) -> Message:
        """The last turn of the conversation that led to the answer."""
        return self.conversation[-1]


@dataclass(kw_only=True)
class _Question:
    """One question while it is asked: what is known so far, and the way to ask once more."""

    model: ChatModel
    shape: AnswerType | None
    sampling: Sampling
    tries: list[Try] = field(default_factory=list)
    won: tuple[Any, str, tuple[Message, ...]] | None = None
    broken: BrokenWorld | None = None

    async def ask(self, messages: tuple[Message, ...], *, slot: int, attempt: int, sample: int) -> _Step:
        """Make one try; the step says whether it won, and how the conversation goes on if not."""
        began = time.monotonic()
        prompt = Prompt(messages=messages, sampling=seeded(self.sampling, sample), sample=sample)
        if self.shape is not None:
            prompt = replace(prompt, schema=self.shape.schema, schema_name=self.shape.name)
        try:
            reply = await self.model.answer(prompt)
        except (ModelFailed, BudgetExhausted) as error:
            self.broken = error
            self._note(slot, attempt, None, str(error), began)
            return _Step(messages=messages, over=not (isinstance(error, ModelFailed) and error.transient))
        try:
            value = value_of(reply, self.shape)
        except AnswerMismatch as error:
            self._note(slot, attempt, reply, str(error), began)
            return _Step(messages=corrected(messages, reply.text, str(error), self.shape), over=False)
        self._note(slot, attempt, reply, "", began)
        self.won = (value, reply.text, (*messages, Message(role="assistant", text=reply.text)))
        return _Step(messages=self.won[2], over=True)

    def _note(self, slot: int, attempt: int, reply: Reply | None, error: str, began: float) -> None:
        seconds = round(time.monotonic() - began, 4)
        self.tries.append(Try(slot=slot, attempt=attempt, reply=reply, error=error, seconds=seconds))

    def answer(self, messages: tuple[Message, ...]) -> Answered:
        """What became of it."""
        tries = tuple(self.tries)
        if self.won is not None:
            value, text, conversation = self.won
            return Answered(value=value, text=text, is_valid=True, tries=tries, conversation=conversation)
        first = next((each.reply.text for each in self.tries if each.reply is not None), "")
        conversation = (*messages, Message(role="assistant", text=first)) if first else messages
        return Answered(value=None, text=first, is_valid=False, tries=tries, conversation=conversation)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    messages: tuple[Message, ...]
    over: bool


async def ask_for(
    model: ChatModel,
    messages: Sequence[Message],
    shape: AnswerType | None = None,
    *,
    tries: AnswerAttempts,
    sampling: Sampling = Sampling(),  # noqa: B008 - a frozen value
) -> Answered:
    """Ask a model until an answer is of the shape; without one, until there is an answer at all.

    The first answer that fits wins, and every request still under way is cancelled, which closes it at the provider.
    Each further try of a line has that line's own answers and what was wrong with them in its conversation, and no
    other's. When no answer fits, that is told by the Answered, with every try.

    Raises:
        ModelFailed, BudgetExhausted: no try was answered at all.
    """
    question = _Question(model=model, shape=shape, sampling=sampling)
    opening = told_shape(tuple(messages), shape)
    start, made = opening, 0
    if tries.first_try:
        step = await question.ask(opening, slot=0, attempt=0, sample=0)
        if step.over:
            return _concluded(question, opening)
        start, made = step.messages, 1

    async def line(slot: int) -> None:
        messages = start
        for attempt in range(made, tries.max_iterations):
            sample = made + slot * tries.max_iterations + attempt
            step = await question.ask(messages, slot=slot, attempt=attempt, sample=sample)
            if question.won is not None:
                lines.cancel_scope.cancel()
            if step.over:
                return
            messages = step.messages

    async with side_by_side() as lines:
        for slot in range(tries.num_candidates):
            lines.start_soon(line, slot)
    return _concluded(question, opening)


def _concluded(question: _Question, messages: tuple[Message, ...]) -> Answered:
    answer = question.answer(messages)
    if question.broken is not None and all(each.reply is None for each in answer.tries):
        raise question.broken
    return answer


def value_of(reply: Reply, shape: AnswerType | None) -> Any:
    """The value of a reply; an answer that is withheld, empty or cut off is none, but cut text is text.

    Raises:
        Misfit: it has no value of this shape.
    """
    if reply.finish is Finish.FILTERED:
        raise AnswerMismatch("it was withheld by the provider")
    if not reply.text.strip():
        raise AnswerMismatch("it is empty")
    if shape is None:
        return reply.text
    try:
        return shape.read(reply.text)
    except AnswerMismatch as error:
        if reply.finish is Finish.CUT:
            raise AnswerMismatch(f"it was cut off at the limit of tokens, so {error}") from error
        raise


def told_shape(messages: tuple[Message, ...], shape: AnswerType | None) -> tuple[Message, ...]:
    """The conversation with the shape said in it, since not every server is bound by a schema it is sent."""
    if shape is None:
        return messages
    said = f"Answer with nothing but JSON that follows this schema:\n{json.dumps(shape.schema)}"
    systems = sum(message.role == "system" for message in messages)
    return (*messages[:systems], Message(role="system", text=said), *messages[systems:])


def corrected(messages: tuple[Message, ...], text: str, error: str, shape: AnswerType | None) -> tuple[Message, ...]:
    """How a conversation goes on after an answer that does not fit.

    An empty answer is no turn, for servers refuse those; it is told of at the end of the question instead.
    """
    again = " Answer again, with nothing but JSON that follows the schema." if shape is not None else " Answer again."
    wrong = f"Your answer cannot be used: {error}.{again}"
    if text.strip():
        return (*messages, Message(role="assistant", text=text), Message(role="user", text=wrong))
    if wrong in messages[-1].text:
        return messages
    return (*messages[:-1], Message(role=messages[-1].role, text=f"{messages[-1].text}\n\n{wrong}"))


def seeded(sampling: Sampling, sample: int) -> Sampling:
    """The sampling for one of several answers to the same question: where a seed is given, each has its own."""
    return sampling if sampling.seed is None or sample == 0 else replace(sampling, seed=sampling.seed + sample)
