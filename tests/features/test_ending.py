"""What can be chosen at the end of a search, and in which order."""

from __future__ import annotations

from certo.features.ending import choices_about
from certo.vocabulary.outcome import Outcome
from support.live import live_search


async def test_what_nothing_has_verified_is_to_be_looked_at_first() -> None:
    (verified,) = live_search().board.ranked()
    assert [choice.label for choice in choices_about(verified)] == ["Accept", "Show diff", "Retry", "Dismiss"]
    (unproved,) = live_search(Outcome.UNVERIFIED, touched=False).board.ranked()
    assert [choice.label for choice in choices_about(unproved)] == ["Show diff", "Accept", "Retry", "Dismiss"]
