"""Our own hostile candidates get the verdict they must, and leave the world as it was."""

from __future__ import annotations

import pytest

from certo.vocabulary.verdict import Ruling
from hostile.attacks.forging import IN_THE_SAME_PROCESS
from hostile.court import Court
from hostile.row import HONEST, Must, Row
from hostile.rows import ROWS
from hostile.world import World


def by_name(rows: tuple[Row, ...]) -> list[object]:
    return [pytest.param(row, id=row.name) for row in rows]


@pytest.mark.usefixtures("confined")
@pytest.mark.parametrize("row", by_name(ROWS))
async def test_a_hostile_candidate(row: Row, court: Court, around: World) -> None:
    verdict = await court.judge(row.text(around.names), around.project, hurried=row.must is not Must.ACCEPT)
    assert around.harm() == []
    if row.must is not Must.EITHER:
        wanted = Ruling.PASSED if row.must is Must.ACCEPT else Ruling.FAILED
        assert verdict.ruling is wanted, (row.why, verdict.findings)


@pytest.mark.parametrize("row", by_name(IN_THE_SAME_PROCESS))
async def test_a_forgery_within_the_process_is_believed_so_far(row: Row, court: Court, around: World) -> None:
    # This states what is so today: such a candidate gets what is called verified, and must not. The rows move to the
    # others with the checker that runs apart from the candidate; until then nothing may claim that this is stopped.
    verdict = await court.judge(row.text(around.names), around.project, hurried=False)
    assert around.harm() == []
    assert verdict.ruling is Ruling.PASSED, (row.why, verdict.findings)


async def test_after_all_that_a_wrong_candidate_fails_and_an_honest_one_passes(court: Court, around: World) -> None:
    wrong = await court.judge(HONEST.replace("* 2", "* 3"), around.project, hurried=False)
    honest = await court.judge(HONEST, around.project, hurried=False)
    assert [wrong.ruling, honest.ruling] == [Ruling.FAILED, Ruling.PASSED]
    assert honest.tests is not None
    assert (honest.tests.collected, honest.tests.newly_passing, honest.tests.touched) == (3, 2, True)
    assert around.harm() == []
