"""Running one row, and checking its required result."""

from __future__ import annotations

from hostile.court import Court, Judgement
from hostile.row import Must, Row
from hostile.world import World


async def try_warm(row: Row, court: Court, around: World) -> None:
    """Judge a row where the one before it was judged: it gets the verdict it must, and leaves the world as it was."""
    if row.before:
        await court.judge(row.text_before(around.names), hurried=row.hurried)
    judgement = await court.judge(row.text(around.names), hurried=row.hurried)
    assert around.harm() == []
    assert judgement.ran_warm
    hold(row, judgement)
    if row.must is Must.REJECT and not row.whole:
        # An attack that worked where the tests are would be found out only by luck in another process.
        assert not judgement.by_tests_accepted, row.why


def hold(row: Row, judgement: Judgement) -> None:
    """Compare a judgement with the required result of a row."""
    if row.must is Must.ACCEPT:
        assert judgement.accepted, (row.why, judgement.findings)
    elif row.must is Must.REJECT:
        assert judgement.rejected, (row.why, judgement.assurance)
    elif row.must is Must.WITHHOLD:
        assert not judgement.accepted, (row.why, judgement.assurance)
    elif row.must is Must.DOUBT:
        assert judgement.rejected or judgement.assurance.startswith("tier 1 + canary: "), row.why
