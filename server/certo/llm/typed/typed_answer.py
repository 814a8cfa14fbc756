"""Requests for an answer of a given type: one first try, then parallel lines that see their own failures."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

from certo.concurrency import side_by_side
from certo.llm.model import ChatModel
from certo.llm.prompt import Finish, Message, Prompt, Reply, Sampling, Usage
from certo.llm.typed.answer_type import AnswerMismatch, AnswerType
from certo.vocabulary.errors import BrokenWorld, BudgetExhausted, ModelFailed
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerAttempts:
    """Limits on tries: `num_candidates` parallel lines of at most `max_iterations` tries each.

    With `first_try`, one try is made alone before the lines start, and counts as the first of each line.
    """

    max_iterations: int = 3
    num_candidates: int = 3
    first_try: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Try:
    """One try: its line and its number in it, both from 0, and the outcome.

    `reply` is None if the model did not answer; `error` is empty if the answer matched.
    """

    slot: int
    attempt: int
    reply: Reply | None
    error: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """Outcome of a typed request: the value or the reason for having none, with every try; true only if valid.

    `value` is None if `is_valid` is False; `text` is the raw text of the accepted answer, otherwise of the first one.
    `usage` and `dollars` sum up all answered tries, and are None if one of them did not report. Cancelled tries are not
    included: no provider reports their usage.
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
        """Total tokens of all tries."""
        used = [each.reply.usage for each in self.tries if each.reply is not None]
        known = [each for each in used if each is not None]
        if not known or len(known) < len(used):
            return None
        return Usage(
            input_tokens=sum(each.input_tokens for each in known),
            output_tokens=sum(each.output_tokens for each in known),
            cached_tokens=sum(each.cached_tokens for each in known),
            stored_tokens=sum(each.stored_tokens for each in known),
        )

    @property
    def dollars(self) -> float | None:
        """Total price of all tries."""
        prices = [each.reply.dollars for each in self.tries if each.reply is not None]
        known = [each for each in prices if each is not None]
        return sum(known) if known and len(known) == len(prices) else None

    @property
    def calls(self) -> int:
        """Number of requests sent."""
        return sum(each.reply.calls if each.reply is not None else 1 for each in self.tries)

    @property
    def error(self) -> str:
        """Error of the last try; empty if there is a value."""
        return "" if self.is_valid else self.tries[-1].error

    @property
    def last_message(self) -> Message:
        """Last message of the conversation that led to the answer."""
        return self.conversation[-1]


@dataclass(kw_only=True)
class _Question:
    """State of one typed request, and the way to make one more try."""

    model: ChatModel
    shape: AnswerType | None
    sampling: Sampling
    tries: list[Try] = field(default_factory=list)
    won: tuple[Any, str, tuple[Message, ...]] | None = None
    broken: BrokenWorld | None = None

    async def ask(self, messages: tuple[Message, ...], *, slot: int, attempt: int, sample: int) -> _Step:
        """Make one try; the returned step says whether it matched, and continues the conversation if not."""
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
        """Return the outcome of the request."""
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
    """Ask a model until an answer matches the type; without one, until there is any answer.

    The first match wins, and every pending request is cancelled, which closes it at the provider. A further try of a
    line includes that line's own answers and their errors, and no other's. If no answer matches, the result says so and
    holds every try.

    Raises:
        ModelFailed, BudgetExhausted: No try was answered at all.
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
    """Return the value of a reply; a withheld, empty or cut answer has none, except cut text where text is wanted.

    Raises:
        AnswerMismatch: It has no matching value.
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
    """Return the conversation with the schema written into it, since not every server enforces a schema."""
    if shape is None:
        return messages
    said = f"Answer with nothing but JSON that follows this schema:\n{json.dumps(shape.schema)}"
    systems = sum(message.role == "system" for message in messages)
    return (*messages[:systems], Message(role="system", text=said), *messages[systems:])


def corrected(messages: tuple[Message, ...], text: str, error: str, shape: AnswerType | None) -> tuple[Message, ...]:
    """Return the conversation continued after an answer that does not match.

    An empty answer becomes no message, because servers refuse those; it is mentioned at the end of the prompt instead.
    """
    again = " Answer again, with nothing but JSON that follows the schema." if shape is not None else " Answer again."
    wrong = f"Your answer cannot be used: {error}.{again}"
    if text.strip():
        return (*messages, Message(role="assistant", text=text), Message(role="user", text=wrong))
    if wrong in messages[-1].text:
        return messages
    return (*messages[:-1], Message(role=messages[-1].role, text=f"{messages[-1].text}\n\n{wrong}"))


def seeded(sampling: Sampling, sample: int) -> Sampling:
    """Return the sampling for one of several answers: each gets a seed of its own if a seed is set."""
    return sampling if sampling.seed is None or sample == 0 else replace(sampling, seed=sampling.seed + sample)
