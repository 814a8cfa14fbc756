"""The choices at the end of a search and their order."""

from __future__ import annotations

from dataclasses import replace

from certo.features.lsp.search_end import choices_about
from certo.vocabulary.candidate import Observation
from certo.vocabulary.outcome import Outcome
from support.search.live_searches import live_search


async def test_unverified_results_are_shown_before_accepting() -> None:
    (verified,) = live_search().state.ranked()
    assert [choice.label for choice in choices_about(verified)] == ["Accept", "Show diff", "Retry", "Dismiss"]
    (unproved,) = live_search(Outcome.UNVERIFIED, touched=False).state.ranked()
    assert [choice.label for choice in choices_about(unproved)] == ["Show diff", "Accept", "Retry", "Dismiss"]


async def test_rivals_can_be_called_right_by_example() -> None:
    (row,) = live_search().state.ranked()
    contenders = [
        replace(row, candidate_id=f"c{number}", number=number, observations=(Observation(call="f(1)", result=result),))
        for number, result in enumerate(("1", "2", "raises KeyError: 1"), 1)
    ]
    choices = choices_about(contenders[0], contenders)
    assert [choice.label for choice in choices] == ["Accept", "Show diff", "#2 is right", "Retry", "Dismiss"]
    assert (choices[2].command, choices[2].example) == ("certo.retry", "f(1) == 2")
