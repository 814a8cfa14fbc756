"""The barriers of AgentTools and Kapso beside our strategies, on the same attempts.

AgentTools asks for the n samples of a round one after the other. Kapso runs the experiments of an iteration in parallel
and begins none of the next before the last of them, with all its mending, has ended.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial

import anyio

from certo.concurrency import run_workers
from certo.generation.generator import Ask, Attempt
from certo.search.strategy import Bench
from certo.strategies.mcts import Mcts, MctsOptions
from support.models.simulated_model import Nature, SimulatedModel, pursued
from support.virtual_time import in_virtual_time

HANDS = 4
EXPERIMENTS = 12
MENDINGS = 5
SAMPLES = 8

BREAKABLE = Nature(at_first=0.0, at_best=0.0, gain=0.3, noise=0.2)
"""Never right, so that both ways make all their tries."""


class _Samples:
    """AgentTools' round of samples, as it makes them."""

    name = "samples one after the other"

    async def pursue(self, bench: Bench, /) -> None:
        for slot in range(SAMPLES):
            await bench.attempt(Ask(slot=slot))


async def _experiment(bench: Bench, slot: int) -> None:
    """Make a first attempt and some that repair it: as many as its slot says, so that some take longer."""
    past: tuple[Attempt, ...] = ()
    for number in range(1 + slot * 7 % (1 + MENDINGS)):
        made = await bench.attempt(Ask(slot=slot, attempt=number, past=past))
        past = (*past, made) if made is not None else past


class _Iterations:
    """Kapso's experiments: so many at once, and the next ones after all of these have ended."""

    name = "iterations with a barrier"

    async def pursue(self, bench: Bench, /) -> None:
        for first in range(0, EXPERIMENTS, HANDS):
            async with anyio.create_task_group() as iteration:
                for slot in range(first, first + HANDS):
                    iteration.start_soon(_experiment, bench, slot)


class _Hands:
    """The same experiments in order, each as soon as a worker is free, as in our strategies."""

    name = "hands"

    async def pursue(self, bench: Bench, /) -> None:
        left: Iterator[int] = iter(range(EXPERIMENTS))

        async def take() -> int | None:
            return next(left, None)

        async def work(_: int, slot: int) -> bool:
            await _experiment(bench, slot)
            return False

        await run_workers(HANDS, take, work)


WAYS: Mapping[str, tuple[Callable[[], object], Callable[[], object]]] = {
    "AgentTools' samples of a round": (_Samples, lambda: Mcts(MctsOptions(n_samples=SAMPLES, max_retries=0))),
    "Kapso's experiments": (_Iterations, _Hands),
}
"""Theirs and ours, by what is compared."""


def answers_and_seconds(make: Callable[[], object], seed: int) -> tuple[set[str], float]:
    """Return the attempts of one way, and its virtual seconds when a call takes one on average."""
    model = SimulatedModel(BREAKABLE, seed, most=1000, seconds=1.0)
    run: Callable[[], Awaitable[object]] = partial(pursued, make(), model)
    bench, seconds = in_virtual_time(run)
    return {node.data.attempt.candidate.text for node in bench.tree if node.data.attempt is not None}, seconds


def virtual_seconds(way: str, seeds: int) -> tuple[float, float]:
    """Return the average virtual seconds of their way and of ours for the same attempts."""
    spent = [[answers_and_seconds(make, seed) for seed in range(seeds)] for make in WAYS[way]]
    theirs, ours = spent
    assert [answers for answers, _ in theirs] == [answers for answers, _ in ours]
    return sum(each for _, each in theirs) / seeds, sum(each for _, each in ours) / seeds
