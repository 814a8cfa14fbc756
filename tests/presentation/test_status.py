"""The words about searches and candidates, in the singular and in the plural."""

from __future__ import annotations

from dataclasses import replace

import pytest

from certo.presentation.card import card_of
from certo.presentation.status import TWO_LINES, ending, passing_line, praise, tally, why
from certo.vocabulary.outcome import Outcome
from support.search.events import board_of, told
from support.search.live_searches import live_search


def test_candidates_are_praised_for_what_is_proved() -> None:
    (verified,) = board_of(told()).ranked()
    assert praise(verified) == "✓ 2/2 tests, fair · 2 tokens changed"
    assert tally(verified) == "2/2 tests, fair"
    (unproved,) = board_of(told(outcome=Outcome.UNVERIFIED, touched=False)).ranked()
    assert praise(unproved) == "? NOT VERIFIED, no test exercised it · 2 tokens changed"
    assert tally(unproved) == "not verified"


NOTHING = [each for each in Outcome if each not in {Outcome.SOLVED, Outcome.UNVERIFIED, Outcome.NOTHING_TO_FIX}]


@pytest.mark.parametrize("outcome", NOTHING)
async def test_failed_searches_end_with_their_reason(outcome: Outcome) -> None:
    search = live_search(outcome)
    sentence, good = ending(search)
    assert sentence.startswith("nothing found for `half`. ")
    assert "Every mutation was tried." in sentence
    assert sentence.endswith(outcome.advice)
    assert not good
    problem = "tests/test_old.py fails at collection: No module named 'old'."
    assert problem in card_of(search, None).notes[0], "what makes a message too long is in the card"
    assert len(sentence) <= len("nothing found for `half`. ") + TWO_LINES


async def test_long_reasons_replace_the_outcome() -> None:
    search = live_search(Outcome.BUDGET_SPENT)
    stopped = search.state.stopped
    assert stopped is not None
    search.state.stopped = replace(stopped, reason="x" * 80)
    assert ending(search)[0] == f"nothing found for `half`. X{'x' * 79}. {stopped.outcome.advice}"


async def test_found_candidates_come_with_next_steps() -> None:
    assert ending(live_search()) == (
        "`half` is verified by 2 tests, 1 of them newly passing.",
        True,
    )
    sentence, good = ending(live_search(Outcome.UNVERIFIED, touched=False))
    assert "it is NOT VERIFIED" in sentence
    assert not good


async def test_a_generator_of_several_lanes_appears_once() -> None:
    live = live_search(events=8)
    (draft,) = live.state.drafts.values()
    live.state.drafts |= {2: replace(draft, slot=2, lines=1)}
    assert passing_line(live).startswith("openai:gpt-5-mini is writing 2 candidates, 5 lines so far · ")
    live.state.drafts |= {3: replace(draft, slot=3, lines=1, model="ollama:tiny")}
    said = "openai:gpt-5-mini is writing 2 candidates, 5 lines so far, ollama:tiny is writing, 1 line so far · "
    assert passing_line(live).startswith(said)


async def test_a_reason_is_not_repeated_as_problem() -> None:
    live = live_search(Outcome.EXHAUSTED)
    stopped, started = live.state.stopped, live.state.started
    assert stopped is not None
    assert started is not None
    live.state.stopped = replace(stopped, reason=started.baseline.problems[0])
    assert why(live).count("tests/test_old.py fails at collection") == 1
