"""Rate limits of a provider: concurrency, requests and tokens per minute, and its own retry hints."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import field

import anyio

from certo.llm.model import ChatModel, ignore_text
from certo.llm.prompt import Delta, Prompt, Reply, tokens_of_prompt
from certo.llm.wrappers.retries import MAX_WAIT
from certo.vocabulary.errors import ModelFailed
from certo.vocabulary.records import dataclass

MINUTE = 60.0
"""Seconds."""


@dataclass(slots=True)
class Window:
    """Sliding window with at most `total` in any minute, None for unlimited. Times are seconds on any one clock."""

    total: int | None
    _taken: deque[tuple[float, int]] = field(default_factory=deque)

    def wait(self, amount: int, now: float) -> float:
        """Return the seconds until `amount` fits; an amount above the limit waits for an empty window."""
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
    """A place in the queue of requests, compared by identity."""

    tokens: int
    background: bool


class RateLimiter:
    """Rate limiter of one provider, shared by every model, search and candidate that asks it.

    Background calls wait for all others; equals are served in order of arrival. When the provider reports overload, the
    allowed concurrency is halved, down to one; each full round of successful calls raises it by one again, up to the
    configured maximum (additive increase, multiplicative decrease).
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
        """Number of concurrent calls currently allowed."""
        return self._allowed

    @asynccontextmanager
    async def turn(self, *, tokens: int, background: bool) -> AsyncIterator[float]:
        """Wait for a turn and hold it; yields the time at which it came, for `lower`."""
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
        """Record a successful call; a whole round of them raises the allowed concurrency by one."""
        self._succeeded += 1
        if self._succeeded >= self._allowed < self._most:
            self._allowed += 1
            self._succeeded = 0
            self._stir()

    def lower(self, began: float) -> None:
        """Halve the allowed concurrency after overload; calls begun before the last such cut are ignored."""
        if began > self._lowered:
            self._allowed = max(1, self._allowed // 2)
            self._succeeded = 0
            self._lowered = anyio.current_time()

    def hold(self, seconds: float) -> None:
        """Hold all calls back for so many seconds; the provider's hint to one call applies to all."""
        self._not_before = max(self._not_before, anyio.current_time() + seconds)

    def _wait(self, turn: Turn) -> float:
        """Return the seconds until the queue should be checked again; 0 if this turn has come."""
        first = next((other for other in self._line if not other.background), self._line[0])
        if turn is not first or self._active >= self._allowed:
            return math.inf
        now = anyio.current_time()
        return max(0.0, self._not_before - now, self._requests.wait(1, now), self._tokens.wait(turn.tokens, now))

    def _stir(self) -> None:
        """Wake everyone in the queue to check again."""
        self._changed.set()
        self._changed = anyio.Event()


TOO_MANY = frozenset({429, 529})
"""HTTP statuses for too many requests, by one user or in total."""


class RateLimitedModel:
    """A ChatModel that obeys its provider's rate limiter and reports success and overload to it."""

    def __init__(self, model: ChatModel, pace: RateLimiter) -> None:
        self._model = model
        self._pace = pace

    @property
    def name(self) -> str:
        """The name of the wrapped model."""
        return self._model.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Wait for a turn, then return the answer."""
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
