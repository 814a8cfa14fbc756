"""A measured speed in words: on every surface, with its bounds, and first what is slower."""

from __future__ import annotations

from dataclasses import replace

import pytest

from certo.presentation.card import card_of
from certo.presentation.phrases import what_it_ran
from certo.presentation.speed import speed_in_words
from certo.vocabulary.speed import Growth, Speed
from certo.vocabulary.verdict import Ruling, Verdict
from support.search.live_searches import live_search

SPEED = Speed(
    ratio=49.8,
    low=45.6,
    high=52.1,
    control=1.0,
    rounds=8,
    scale=128.0,
    observed=0.83,
    growth=Growth(before=1.9, after=1.1),
)
SAID = (
    "49.8 times as fast on calls 128 times as large as known ones (99 % confidence: at least 45.6, at most 52.1)",
    "SLOWER on calls of their own size: 0.83 times as fast",
    "time grows like n^1.1, before n^1.9",
    "8 rounds, in which a copy of the original was 1.00 times as fast",
)
VERDICT = Verdict(verifier="speed", ruling=Ruling.PASSED, speed=SPEED)


async def test_speed_stands_in_terminal_report_and_hover() -> None:
    assert tuple(speed_in_words(SPEED)) == SAID
    assert what_it_ran(VERDICT, subject="changed lines") == "\n".join(SAID)
    search = live_search()
    row = search.state.ranked()[0]
    row.verdicts.append(VERDICT)
    assert card_of(search, row).lines[-1].evidence == "; ".join(SAID)


@pytest.mark.parametrize(
    ("observed", "said"),
    [
        (0.951, "SLOWER on calls of their own size: 0.95 times as fast"),
        (0.97, "about as fast on calls of their own size: 0.97 times"),
        (1.04, "about as fast on calls of their own size: 1.04 times"),
        (1.5, "1.5 times as fast on calls of their own size"),
    ],
)
def test_slower_small_calls_are_told(observed: float, said: str) -> None:
    assert speed_in_words(replace(SPEED, observed=observed))[1] == said


def test_what_was_not_measured_is_not_said() -> None:
    plain = replace(SPEED, scale=1.0, observed=None, growth=None)
    first, rounds = speed_in_words(plain)
    assert first.startswith("49.8 times as fast on known calls (")
    assert rounds.startswith("8 rounds")
