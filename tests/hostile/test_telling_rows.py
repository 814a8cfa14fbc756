"""The most telling of our hostile candidates, run before every change lands."""

from __future__ import annotations

import pytest

from hostile.court import Court
from hostile.row import HONEST, Row
from hostile.rows import TELLING, by_name
from hostile.trying import try_warm
from hostile.world import World


@pytest.mark.parametrize("row", by_name(TELLING))
async def test_a_telling_candidate(row: Row, court: Court, around: World) -> None:
    await try_warm(row, court, around)


async def test_after_them_an_honest_candidate_passes(court: Court, around: World) -> None:
    judgement = await court.judge(HONEST, hurried=False)
    assert judgement.accepted, judgement.findings
    assert judgement.assurance == "tier 2: apart + canary"
    assert around.harm() == []
