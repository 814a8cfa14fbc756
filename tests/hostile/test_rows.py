"""Our own hostile candidates get the verdict they must, and leave the world as it was."""

from __future__ import annotations

import pytest

from hostile.court import Court
from hostile.row import HONEST, Row
from hostile.rows import APART_TOO, COLD_TOO, ROWS, by_name
from hostile.trying import hold, try_warm
from hostile.world import World


@pytest.mark.parametrize("row", by_name(ROWS))
async def test_a_hostile_candidate(row: Row, court: Court, around: World) -> None:
    await try_warm(row, court, around)


@pytest.mark.parametrize("row", by_name(COLD_TOO))
async def test_a_hostile_candidate_in_a_fresh_process(row: Row, cold_court: Court, around: World) -> None:
    judgement = await cold_court.judge(row.text(around.names), hurried=row.hurried)
    assert around.harm() == []
    hold(row, judgement)


@pytest.mark.parametrize("row", by_name(APART_TOO))
async def test_a_hostile_candidate_apart_from_the_tests(row: Row, court: Court, around: World) -> None:
    judgement = await court.judge(row.forging_text(around.names), hurried=row.hurried)
    assert around.harm() == []
    assert judgement.ran_warm
    hold(row, judgement)


async def test_afterwards_wrong_fails_and_honest_passes(court: Court, around: World) -> None:
    wrong = await court.judge(HONEST.replace("* 2", "* 3"), hurried=False)
    honest = await court.judge(HONEST, hurried=False)
    assert (wrong.rejected, honest.accepted) == (True, True), honest.findings
    assert honest.assurance == "tier 2: apart + canary"
    tests = honest.by_tests.tests
    assert tests is not None
    assert (tests.collected, tests.newly_passing, tests.touched, tests.cold) == (3, 2, True, "")
    assert around.harm() == []
