"""The words about searches and candidates, in the singular and in the plural."""

from __future__ import annotations

import pytest

from certo.features.wording import ending, praise, tally
from certo.vocabulary.outcome import Outcome
from support.events import board_of, told
from support.live import live_search


def test_candidates_are_praised_for_what_is_proved() -> None:
    (verified,) = board_of(told()).ranked()
    assert praise(verified) == "✓ 2/2 tests · 2 tokens changed"
    assert tally(verified) == "2/2 tests"
    (unproved,) = board_of(told(outcome=Outcome.UNVERIFIED, touched=False)).ranked()
    assert praise(unproved) == "? NOT VERIFIED, no test exercised it · 2 tokens changed"
    assert tally(unproved) == "not verified"


NOTHING = [each for each in Outcome if each not in {Outcome.SOLVED, Outcome.UNVERIFIED, Outcome.NOTHING_TO_FIX}]


@pytest.mark.parametrize("outcome", NOTHING)
async def test_every_end_without_a_candidate_is_a_sentence_with_its_reason(outcome: Outcome) -> None:
    sentence, good = ending(live_search(outcome))
    assert sentence.startswith(f"nothing found for `half`. {outcome.value} Every mutation was tried.")
    assert "tests/test_old.py fails at collection: No module named 'old'." in sentence
    assert sentence.endswith(outcome.advice)
    assert not good


async def test_an_end_with_a_candidate_says_what_can_be_done() -> None:
    assert ending(live_search()) == (
        "`half` is verified by 2 tests, 1 of them newly passing.",
        True,
    )
    sentence, good = ending(live_search(Outcome.UNVERIFIED, touched=False))
    assert "it is NOT VERIFIED" in sentence
    assert not good
