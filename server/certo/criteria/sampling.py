"""Sampling of a judge: several concurrent requests, stopped as soon as the result is decided."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import partial
from typing import ClassVar, Generic

import anyio

from certo.concurrency import gather_until
from certo.criteria.answers import Reading, Value
from certo.llm.model import ChatModel, ignore_text
from certo.llm.prompt import Delta, Finish, Prompt, Usage, is_worth_caching
from certo.vocabulary.errors import BadRequest, BudgetExhausted
from certo.vocabulary.records import dataclass
from certo.vocabulary.truth import NoTruthValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample(NoTruthValue, Generic[Value]):
    """One answer of a judge and the value read from it.

    `number` counts the samples of one judgement from 0. `value` is None for an unusable answer, whose `error` gives the
    source and the reason; `answered` is True if the model said anything at all. `seconds` is wall time; `usage` and
    `dollars` are None if unknown.
    """

    ask_for: ClassVar[str] = ".value"

    number: int
    value: Value | None
    raw: str = ""
    reason: str = ""
    error: str = ""
    seconds: float = 0.0
    usage: Usage | None = None
    dollars: float | None = None
    answered: bool = True


MAX_LEAD_SECONDS = 5.0
"""The longest time for which further samples wait for the first, which must not keep the others from deciding."""


async def sample(
    model: ChatModel,
    prompt: Prompt,
    count: int,
    *,
    read: Callable[[str], Reading[Value]],
    decided: Callable[[Sequence[Sample[Value]]], bool],
    counted: Callable[[Sample[Value]], None],
) -> tuple[Sample[Value], ...]:
    """Ask the same question `count` times at once; return the answers in the order of asking.

    A long question is first asked once, and again as soon as its answer begins: only then do providers have it in their
    caches, from which they read it at a fraction of the price. As soon as the answers decide the result, pending
    requests are cancelled and left out. `counted` receives each answer as it arrives. A failing request spoils its own
    sample only.

    Raises:
        BudgetExhausted: The budget does not cover as many calls.
        BadRequest: The model cannot be asked with these settings.
    """
    prompt = replace(prompt, repeats=count > 1)
    begun = anyio.Event()
    if not is_worth_caching(prompt):
        begun.set()

    async def ask(number: int) -> Sample[Value]:
        if number:
            with anyio.move_on_after(MAX_LEAD_SECONDS):
                await begun.wait()
            return await _asked(model, _numbered(prompt, number), read)
        try:
            return await _asked(model, _numbered(prompt, 0), read, heard=lambda _: begun.set())
        finally:
            begun.set()

    heard = await gather_until(
        [partial(ask, number) for number in range(count)], lambda samples: decided(tuple(samples.values())), counted
    )
    return tuple(heard.values())


def _numbered(prompt: Prompt, number: int) -> Prompt:
    """Return the prompt of one of several samples, with its own seed if a seed is set."""
    seed = prompt.sampling.seed
    sampling = prompt.sampling if seed is None else replace(prompt.sampling, seed=seed + number)
    return replace(prompt, sample=number, sampling=sampling)


async def _asked(
    model: ChatModel,
    prompt: Prompt,
    read: Callable[[str], Reading[Value]],
    heard: Callable[[Delta], None] = ignore_text,
) -> Sample[Value]:
    """Return one answer, or the reason why there is none."""
    began = time.monotonic()
    try:
        reply = await model.answer(prompt, heard=heard)
    except (BudgetExhausted, BadRequest):
        raise
    except Exception as error:  # noqa: BLE001 - a judge may be anyone's; what it raised is kept with its sample
        said = str(error) or type(error).__name__
        return Sample(number=prompt.sample, value=None, error=said, seconds=_since(began), answered=False)
    reading = read(reply.text) if reply.finish is Finish.COMPLETE else Reading(value=None)
    useless = "" if reading.value is not None else reading.why or _why_useless(reply.text, reply.finish)
    return Sample(
        number=prompt.sample,
        value=reading.value,
        raw=reply.text,
        reason=reading.reason,
        error=f"{model.name}: {useless}" if useless else "",
        seconds=_since(began),
        usage=reply.usage,
        dollars=reply.dollars,
    )


_SHOWN = 120


def _why_useless(text: str, finish: Finish) -> str:
    if finish is not Finish.COMPLETE:
        return f"the answer was {finish.value}"
    shown = " ".join(text[: 4 * _SHOWN].split())
    if not shown:
        return "the answer was empty"
    return f"the answer says nothing clear: {shown[:_SHOWN]!r}{'…' if len(shown) > _SHOWN else ''}"


def _since(began: float) -> float:
    return round(time.monotonic() - began, 4)


Listener = Callable[[str, Sample[bool] | Sample[float]], None]
"""Listener for a criterion's name and one usable answer; must return quickly and must not raise."""


def _nobody(criterion: str, answer: Sample[bool] | Sample[float]) -> None:
    """Ignore an answer."""


_LISTENER: ContextVar[Listener] = ContextVar("certo-overhearing", default=_nobody)


@contextmanager
def overheard(listener: Listener) -> Iterator[None]:
    """Pass every answer of a judge asked within the block to `listener`."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def say(criterion: str, answer: Sample[bool] | Sample[float]) -> None:
    """Pass an answer to the listener, if there is one."""
    _LISTENER.get()(criterion, answer)
