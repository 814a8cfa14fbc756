"""The retry strategy does what A1's documentation promises."""

from __future__ import annotations

import anyio
import pytest

from certo.generation.generator import Ask, Attempt
from certo.strategies.retry import Retry, RetryOptions
from certo.vocabulary.cost import Cost
from support.search.candidates import attempt

pytestmark = pytest.mark.acceptance(1, 2, 3, 6, 8, 9, 10, 11)

FAILS = None
DECLINES = "declines"
HAS_NONE = "has none"
HANGS = "hangs"

Plan = dict[tuple[int, int], float | str | None]


class PlannedBench:
    """A bench whose tries end as planned: with a cost, with a failure, declined for all or one, or never by themselves.

    `asks` are all tries begun, in order; `most` is how many were under way at once; `cancelled` those that were ended
    from outside.
    """

    def __init__(self, plan: Plan, *, otherwise: float | str | None = FAILS) -> None:
        self._plan, self._otherwise = plan, otherwise
        self._costs: dict[str, Cost] = {}
        self._under_way = 0
        self.asks: list[Ask] = []
        self.most = 0
        self.cancelled: list[tuple[int, int]] = []
        self.exhausted = False

    async def attempt(self, ask: Ask, /) -> Attempt | None:
        self.asks.append(ask)
        self._under_way += 1
        self.most = max(self.most, self._under_way)
        ending = self._plan.get((ask.slot, ask.attempt), self._otherwise)
        try:
            await anyio.lowlevel.checkpoint()
            if ending == HANGS:
                await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            self.cancelled.append((ask.slot, ask.attempt))
            raise
        finally:
            self._under_way -= 1
        if isinstance(ending, str):
            self.exhausted = self.exhausted or ending == DECLINES
            return None
        made = attempt(ask, passes=ending is not FAILS)
        if ending is not FAILS:
            self._costs[made.candidate.id] = Cost(value=ending, unit="tokens", source="planned")
        return made

    def cost_of(self, made: Attempt, /) -> Cost | None:
        return self._costs.get(made.candidate.id)


async def pursue(plan: Plan, *, otherwise: float | str | None = FAILS, **options: object) -> PlannedBench:
    bench = PlannedBench(plan, otherwise=otherwise)
    with anyio.fail_after(100):
        await Retry(RetryOptions(**options)).pursue(bench)  # type: ignore[arg-type]
    return bench


def test_too_many_branches_are_refused() -> None:
    """Starting them would hold up the daemon."""
    with pytest.raises(ValueError, match=r"retry\.num_candidates must be from 1 to 1,000, not 1001"):
        RetryOptions(num_candidates=1001)


@pytest.mark.parametrize(
    ("name", "bounds"),
    [
        ("num_candidates", "from 1 to 1,000"),
        ("max_iterations", "at least 1"),
        ("min_candidates_for_comparison", "at least 1"),
    ],
)
def test_number_below_one_is_refused(name, bounds):
    """The message has the name and the value."""
    with pytest.raises(ValueError, match=rf"retry\.{name} must be {bounds}, not 0"):
        RetryOptions(**{name: 0})


async def test_passing_first_attempt_is_the_only_one():
    bench = await pursue({(0, 0): 1.0})
    assert [(ask.slot, ask.attempt) for ask in bench.asks] == [(0, 0)]


async def test_failed_first_attempt_starts_the_branches():
    bench = await pursue({(0, 0): FAILS, (1, 1): 1.0}, otherwise=HANGS)
    assert bench.asks[0] == Ask()
    assert {(ask.slot, ask.attempt) for ask in bench.asks[1:]} == {(0, 1), (1, 1), (2, 1)}


async def test_generator_without_candidates_is_asked_once():
    bench = await pursue({(0, 0): DECLINES})
    assert bench.asks == [Ask()]


async def test_other_branches_survive_a_declined_first():
    """The first attempt was declined for its own branch only."""
    bench = await pursue({(0, 0): HAS_NONE, (2, 0): 1.0}, otherwise=HANGS)
    assert {(ask.slot, ask.attempt) for ask in bench.asks[1:]} == {(1, 0), (2, 0)}


async def test_the_defaults_make_at_most_seven_tries():
    bench = await pursue({})
    assert len(bench.asks) == 1 + 3 * (3 - 1)


async def test_branches_start_together_without_first_attempt():
    bench = await pursue({}, first_try=False, num_candidates=5, max_iterations=1)
    assert bench.most == 5
    assert len(bench.asks) == 5


async def test_branch_sees_only_its_own_failures():
    bench = await pursue({}, first_try=False, num_candidates=2, max_iterations=3)
    for ask in bench.asks:
        assert [past.candidate.id for past in ask.past] == [f"{ask.slot}.{n}" for n in range(ask.attempt)]


async def test_the_shared_first_failure_heads_every_line():
    bench = await pursue({})
    assert all(ask.past[0].candidate.id == "0.0" for ask in bench.asks[1:])


async def test_first_success_cancels_the_losers():
    bench = await pursue({(0, 0): FAILS, (2, 1): 9.0}, otherwise=HANGS)
    assert sorted(bench.cancelled) == [(0, 1), (1, 1)]


async def test_cheapest_waits_for_every_line():
    bench = await pursue({(0, 0): 3.0, (1, 0): 2.0, (2, 0): 1.0}, first_try=False, select="cheapest")
    assert len(bench.asks) == 3
    assert bench.cancelled == []


async def test_cheapest_includes_the_first_attempt():
    """A first attempt that passes is compared with the branches."""
    bench = await pursue({(0, 0): 3.0}, otherwise=1.0, select="cheapest", num_candidates=2)
    assert len(bench.asks) == 3


async def test_cost_at_accept_threshold_wins():
    plan: Plan = {(0, 0): 5.0, (1, 0): HANGS, (2, 0): HANGS}
    bench = await pursue(plan, first_try=False, select="cheapest", accept_cost_threshold=5.0)
    assert sorted(bench.cancelled) == [(1, 0), (2, 0)]


async def test_cost_above_accept_threshold_goes_on():
    plan: Plan = {(0, 0): 5.5, (1, 0): 7.0}
    bench = await pursue(plan, first_try=False, select="cheapest", num_candidates=2, accept_cost_threshold=5.0)
    assert len(bench.asks) == 2


async def test_enough_cheap_candidates_are_compared_early():
    plan: Plan = {(0, 0): 4.0, (1, 0): 3.0, (2, 0): HANGS}
    options = {"compare_cost_threshold": 4.0, "min_candidates_for_comparison": 2}
    bench = await pursue(plan, first_try=False, select="cheapest", **options)
    assert bench.cancelled == [(2, 0)]


async def test_expensive_candidates_do_not_count():
    """They cost more than the comparison threshold."""
    plan: Plan = {(0, 0): 4.0, (1, 0): 9.0, (2, 0): 3.0}
    options = {"compare_cost_threshold": 4.0, "min_candidates_for_comparison": 2}
    bench = await pursue(plan, first_try=False, select="cheapest", **options)
    assert len(bench.asks) == 3


async def test_declined_proposal_ends_its_branch():
    bench = await pursue({(1, 1): DECLINES})
    assert (1, 2) not in {(ask.slot, ask.attempt) for ask in bench.asks}
    assert (0, 2) in {(ask.slot, ask.attempt) for ask in bench.asks}
