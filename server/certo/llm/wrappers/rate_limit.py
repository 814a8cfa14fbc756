"""How fast a provider may be asked: slots, requests and tokens in a minute, and what the provider itself says."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio

from certo.llm.model import ChatModel, ignore_text
from certo.llm.prompt import Delta, Prompt, Reply, tokens_of_prompt
from certo.llm.wrappers.retries import MAX_WAIT
from certo.vocabulary.errors import ModelFailed

MINUTE = 60.0
"""Seconds."""


@dataclass(slots=True)
class Window:
    """At most `total` in any minute; None for as many as one likes. Times are seconds on any one clock."""

    total: int | None
    _taken: deque[tuple[float, int]] = field(default_factory=deque)

    def wait(self, amount: int, now: float) -> float:
        """Seconds until `amount` fits; what is more than all of a minute's waits only for an empty one."""
        if self.total is None:
            return 0.0
        while self._taken and self._taken[0][0] + MINUTE <= now:
            self._taken.popleft()
        excess = sum(taken for _, taken in self._taken) + min(amount, self.total) - self.total
        for at, taken in self._taken:
            if excess <= 0:
                return 0.0
            excess -= taken
            if excess <= 0:
                return at + MINUTE - now
        return 0.0

    def take(self, amount: int, now: float) -> None:
        """Count `amount` as taken now."""
        if self.total is not None:
            self._taken.append((now, amount))


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A place in the line of those who want to ask, told apart by identity."""

    tokens: int
    background: bool


class RateLimiter:
    """Who may ask one provider next, and when; shared by every model, search and candidate that asks it.

    So many calls at once; background calls wait for all others, and among equals who came first is served first. When
    the provider says that it is asked too much, half as many go on at once, down to one; each round of calls that
    succeed allows one more again, up to what the settings allow.
    """

    def __init__(
        self, *, concurrency: int, requests_per_minute: int | None = None, tokens_per_minute: int | None = None
    ) -> None:
        self._most = concurrency
        self._allowed = concurrency
        self._active = 0
        self._succeeded = 0
        self._not_before = -math.inf
        self._lowered = -math.inf
        self._requests = Window(requests_per_minute)
        self._tokens = Window(tokens_per_minute)
        self._line: list[Turn] = []
        self._changed = anyio.Event()

    @property
    def allowed(self) -> int:
        """How many calls may go on at once, as things stand with the provider."""
        return self._allowed

    @asynccontextmanager
    async def turn(self, *, tokens: int, background: bool) -> AsyncIterator[float]:
        """Wait for a turn and hold it; gives the time at which it came, for `lower`."""
        turn = Turn(tokens, background)
        self._line.append(turn)
        try:
            while (wait := self._wait(turn)) > 0:
                with anyio.move_on_after(wait):
                    await self._changed.wait()
            now = anyio.current_time()
            self._active += 1
            self._requests.take(1, now)
            self._tokens.take(tokens, now)
        finally:
            self._line.remove(turn)
            self._stir()
        try:
            yield now
        finally:
            self._active -= 1
            self._stir()

    def restore(self) -> None:
        """Take note of a call that succeeded; a whole round of them allows one more at once."""
        self._succeeded += 1
        if self._succeeded >= self._allowed < self._most:
            self._allowed += 1
            self._succeeded = 0
            self._stir()

    def lower(self, began: float) -> None:
        """Take note that the provider found a call one too many; those begun before the last such note say no more."""
        if began > self._lowered:
            self._allowed = max(1, self._allowed // 2)
            self._succeeded = 0
            self._lowered = anyio.current_time()

    def hold(self, seconds: float) -> None:
        """Let nobody begin for so many seconds: the provider said so to one, and means all."""
        self._not_before = max(self._not_before, anyio.current_time() + seconds)

    def _wait(self, turn: Turn) -> float:
        """Seconds until there is a reason to look again; 0 when this turn has come."""
        first = next((other for other in self._line if not other.background), self._line[0])
        if turn is not first or self._active >= self._allowed:
            return math.inf
        now = anyio.current_time()
        return max(0.0, self._not_before - now, self._requests.wait(1, now), self._tokens.wait(turn.tokens, now))

    def _stir(self) -> None:
        """Have everybody in line look again."""
        self._changed.set()
        self._changed = anyio.Event()


TOO_MANY = frozenset({429, 529})
"""The HTTP statuses that mean that a provider is asked too much: of one user, or of everybody."""


class RateLimitedModel:
    """A ChatModel that keeps the pace of its provider, and tells the pace what the provider says of it."""

    def __init__(self, model: ChatModel, pace: RateLimiter) -> None:
        self._model = model
        self._pace = pace

    @property
    def name(self) -> str:
        """The name of the model itself."""
        return self._model.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Wait for a turn, then ask."""
        tokens = tokens_of_prompt(prompt) + prompt.sampling.max_tokens
        async with self._pace.turn(tokens=tokens, background=prompt.background) as began:
            try:
                reply = await self._model.answer(prompt, heard=heard)
            except ModelFailed as failed:
                if failed.status in TOO_MANY:
                    self._pace.lower(began)
                if failed.retry_after is not None and failed.retry_after <= MAX_WAIT:
                    self._pace.hold(failed.retry_after)
                raise
            self._pace.restore()
            return reply
