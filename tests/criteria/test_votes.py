"""Laws of votes: stopping early never changes a ruling, and the rule is the same for any number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.criteria.aggregation import Rule
from certo.criteria.sampling import Sample

pytestmark = pytest.mark.acceptance(24, 25)


@st.composite
def elections(draw: st.DrawFn) -> tuple[Rule, list[Sample[bool]]]:
    asked = draw(st.integers(1, 7))
    rule = Rule(asked=asked, least=draw(st.integers(1, asked)), needed=draw(st.integers(1, asked)))
    votes = draw(st.lists(st.sampled_from([True, False, None]), min_size=asked, max_size=asked))
    return rule, [Sample(number=number, value=vote) for number, vote in enumerate(votes)]


def ruling(rule: Rule, heard: list[Sample[bool]]) -> bool:
    return rule.passes(rule.count(heard))


@given(elections(), st.randoms(use_true_random=False))
def test_order_and_early_end_change_nothing(election: tuple[Rule, list[Sample[bool]]], random) -> None:
    rule, samples = election
    whole = ruling(rule, samples)
    random.shuffle(samples)
    ends = [count for count in range(len(samples) + 1) if rule.decided(samples[:count])]
    assert ends[-1] == len(samples)
    # Once it is decided it stays so, and the ruling is the one that all answers make.
    assert ends == list(range(ends[0], len(samples) + 1))
    assert {ruling(rule, samples[:count]) for count in ends} == {whole}


@given(elections())
def test_votes_are_decided_as_early_as_possible(election: tuple[Rule, list[Sample[bool]]]) -> None:
    rule, samples = election
    for count in range(len(samples) + 1):
        heard, to_come = samples[:count], len(samples) - count
        worlds = [
            [*heard, *(Sample(number=count + place, value=vote) for place in range(to_come))]
            for vote in (True, False, None)
        ]
        if len({ruling(rule, world) for world in worlds}) > 1:
            assert not rule.decided(heard)
        else:
            assert rule.decided(heard)


@given(elections())
def test_failed_votes_are_named_with_count(election: tuple[Rule, list[Sample[bool]]]) -> None:
    rule, samples = election
    votes = rule.count(samples)
    said = rule.in_words(votes, len(samples))
    if rule.passes(votes):
        assert said == ""
    elif votes.valid < rule.least:
        assert said == f"insufficient valid answers of the model: {votes.valid}/{rule.least}"
    else:
        assert said == f"failed the criterion ({votes.passed}/{votes.valid} samples passed, need {rule.needed})"
