"""One limit for all who ask a provider, adaptive on 429."""

from __future__ import annotations

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.llm.wrappers.rate_limit import MINUTE, RateLimitedModel, RateLimiter, Window
from certo.vocabulary.errors import ModelFailed
from support.models.scripted_answers import Answers, busy, question, reply

pytestmark = pytest.mark.acceptance(74)

amounts = st.lists(st.tuples(st.integers(1, 50), st.floats(0, 30)), max_size=40)


@given(st.integers(1, 60), amounts)
def test_no_minute_exceeds_the_window(total, wanted):
    window, now, taken = Window(total), 0.0, []
    for amount, pause in wanted:
        now += pause
        now += window.wait(amount, now)
        assert window.wait(amount, now) < 1e-6
        window.take(amount, now)
        taken.append((now, amount))
    for start, _ in taken:
        inside = [amount for at, amount in taken if start <= at < start + MINUTE - 1e-6]
        assert sum(inside) <= total or len(inside) == 1


@given(amounts)
def test_a_window_without_a_limit_never_waits(wanted):
    window = Window(None)
    assert [window.wait(amount, 0.0) for amount, _ in wanted] == [0.0] * len(wanted)


async def through(pace: RateLimiter, order: list[str], name: str, *, background: bool = False) -> None:
    async with pace.turn(tokens=1, background=background):
        order.append(name)
        await anyio.lowlevel.checkpoint()


async def test_background_calls_wait_for_others():
    """Equals are served in order."""
    pace, order = RateLimiter(concurrency=1), []
    async with anyio.create_task_group() as group, pace.turn(tokens=1, background=False):
        for name, background in (("b1", True), ("b2", True), ("i1", False), ("i2", False)):
            group.start_soon(lambda n=name, b=background: through(pace, order, n, background=b))
            await anyio.wait_all_tasks_blocked()
    assert order == ["i1", "i2", "b1", "b2"]


async def test_cancelled_waiters_hold_up_nobody():
    pace, order = RateLimiter(concurrency=1), []
    async with anyio.create_task_group() as group, pace.turn(tokens=1, background=False):
        with anyio.move_on_after(0.01):
            await through(pace, order, "gone")
        group.start_soon(through, pace, order, "next")
    assert order == ["next"]


async def test_concurrency_is_limited():
    model = Answers([reply()])
    limited = RateLimitedModel(model, RateLimiter(concurrency=3))
    async with anyio.create_task_group() as group:
        for _ in range(20):
            group.start_soon(limited.answer, question())
    assert (len(model.asked), model.most_active) == (20, 3)


async def test_a_busy_provider_is_asked_less_often():
    """It is asked half as often, and more with each success."""
    pace = RateLimiter(concurrency=8)
    model = Answers([busy(), reply()])
    limited = RateLimitedModel(model, pace)
    failed = []

    async def ask() -> None:
        try:
            await limited.answer(question())
        except ModelFailed as error:
            failed.append(error)

    await ask()
    assert (len(failed), pace.allowed) == (1, 4)
    for _ in range(4 + 5 + 6 + 7):
        await ask()
    assert pace.allowed == 8


async def test_concurrent_failures_lower_the_pace_once():
    pace = RateLimiter(concurrency=8)
    limited = RateLimitedModel(Answers([busy()]), pace)

    async def ask() -> None:
        try:
            await limited.answer(question())
        except ModelFailed:
            return

    async with anyio.create_task_group() as group:
        for _ in range(8):
            group.start_soon(ask)
    assert pace.allowed == 4


async def test_retry_after_delays_all_the_providers_calls():
    pace = RateLimiter(concurrency=8)
    first, second = RateLimitedModel(Answers([busy(30.0)]), pace), Answers([reply()])
    try:
        await first.answer(question())
    except ModelFailed:
        with anyio.move_on_after(0.05) as waiting:
            await RateLimitedModel(second, pace).answer(question())
    assert waiting.cancelled_caught
    assert second.asked == []


async def test_a_full_minute_is_waited_out():
    for limits in ({"requests_per_minute": 2}, {"tokens_per_minute": 250}):
        model = Answers([reply()])
        limited = RateLimitedModel(model, RateLimiter(concurrency=8, **limits))
        with anyio.move_on_after(0.05):
            for _ in range(3):
                await limited.answer(question())
        assert len(model.asked) == 2
