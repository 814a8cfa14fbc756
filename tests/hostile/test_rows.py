"""Our own hostile candidates get the verdict they must, and leave the world as it was."""

from __future__ import annotations

import pytest

from hostile.court import Court, Judgement
from hostile.row import HONEST, Must, Row
from hostile.rows import COLD_TOO, ROWS
from hostile.world import World


def by_name(rows: tuple[Row, ...]) -> list[object]:
    return [pytest.param(row, id=row.name) for row in rows]


def hold(row: Row, judgement: Judgement) -> None:
    if row.must is Must.ACCEPT:
        assert judgement.accepted, (row.why, judgement.findings)
    elif row.must is Must.REJECT:
        assert judgement.rejected, (row.why, judgement.assurance)
    elif row.must is Must.DOUBT:
        assert judgement.rejected or judgement.assurance.startswith("tier 1 + canary: "), row.why


@pytest.mark.parametrize("row", by_name(ROWS))
async def test_a_hostile_candidate(row: Row, court: Court, around: World) -> None:
    if row.before:
        await court.judge(row.text_before(around.names), hurried=row.hurried)
    judgement = await court.judge(row.text(around.names), hurried=row.hurried)
    assert around.harm() == []
    assert judgement.ran_warm
    hold(row, judgement)
    if row.must is Must.REJECT and not row.whole:
        # An attack that worked where the tests are would be found out only by luck in another process.
        assert not judgement.by_tests_accepted, row.why


@pytest.mark.parametrize("row", by_name(COLD_TOO))
async def test_a_hostile_candidate_in_a_fresh_process(row: Row, cold_court: Court, around: World) -> None:
    judgement = await cold_court.judge(row.text(around.names), hurried=row.hurried)
    assert around.harm() == []
    hold(row, judgement)


@pytest.mark.parametrize("row", by_name(tuple(row for row in ROWS if not row.whole and not row.before)))
async def test_a_hostile_candidate_apart_from_the_tests(row: Row, court: Court, around: World) -> None:
    judgement = await court.judge(row.forging_text(around.names), hurried=row.hurried)
    assert around.harm() == []
    assert judgement.ran_warm
    hold(row, judgement)


async def test_after_all_that_a_wrong_candidate_fails_and_an_honest_one_passes(court: Court, around: World) -> None:
    wrong = await court.judge(HONEST.replace("* 2", "* 3"), hurried=False)
    honest = await court.judge(HONEST, hurried=False)
    assert (wrong.rejected, honest.accepted) == (True, True), honest.findings
    assert honest.assurance == "tier 2: apart + canary"
    tests = honest.by_tests.tests
    assert tests is not None
    assert (tests.collected, tests.newly_passing, tests.touched, tests.cold) == (3, 2, True, "")
    assert around.harm() == []
