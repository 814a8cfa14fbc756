"""Candidates that behave alike vote together; neither their order nor copies of one answer decide."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.behaviour.outcome import CallOutcome
from certo.generation.builtin.clusters import clusters
from certo.generation.builtin.votes import Ballot, Group, distinguished, grouped

pytestmark = pytest.mark.acceptance(107)

Version = tuple[CallOutcome | None, ...]

VALUES = (0.3, 0.1 + 0.2, 0.3 + 2e-10, 0.3 + 4e-10, 1, 1.0, True, "a", [1], [1.0])
OUTCOMES = st.one_of(
    st.sampled_from(VALUES).map(lambda value: CallOutcome("returns", repr(value))),
    st.sampled_from(["KeyError\na", "KeyError\nb", "TypeError\na"]).map(lambda said: CallOutcome("raises", said)),
    st.just(CallOutcome("endless")),
    st.none(),
)
VERSIONS = st.lists(st.tuples(OUTCOMES, OUTCOMES, OUTCOMES), min_size=1, max_size=7)


def answers(*values: object) -> Version:
    """Return the outcomes of a candidate that returns these values; an ellipsis stands for an exception."""
    return tuple(CallOutcome("raises", "E\n") if v is ... else CallOutcome("returns", repr(v)) for v in values)


def ranked(versions: list[Version], ballots: list[Ballot] | None = None) -> tuple[Group, ...]:
    """Return the groups on all calls."""
    voters = ballots or [Ballot(text="")] * len(versions)
    return grouped(versions, voters, range(len(versions)), range(len(versions[0])))


@given(made=VERSIONS, data=st.data())
def test_order_of_arrival_changes_no_group(made: list[Version], data: st.DataObject) -> None:
    """Alike is an equivalence: the groups are a partition, and permuting the candidates permutes their members."""
    order = data.draw(st.permutations(range(len(made))))
    found = ranked(made)
    assert sorted(member for group in found for member in group.members) == list(range(len(made)))
    again = ranked([made[number] for number in order])
    as_before = {frozenset(order[place] for place in group.members): group.rank for group in again}
    assert as_before == {frozenset(group.members): group.rank for group in found}


@given(made=VERSIONS)
def test_candidates_alike_on_every_call_are_together(made: list[Version]) -> None:
    """Two are in one group if no call, by itself, parts them; so more calls never join what fewer part."""
    alone = [clusters(made, [call]) for call in range(3)]
    for group in clusters(made, range(3)):
        for member in range(len(made)):
            joined = all(any({group[0], member} <= {*each} for each in parts) for parts in alone)
            assert joined == (member in group)


def test_majority_comes_first() -> None:
    mean, median = answers(2, 3.0), answers(2, 2)
    assert [group.members for group in ranked([mean, median, median])] == [(1, 2), (0,)]


def test_repeated_answers_are_votes() -> None:
    """A model that writes the same text in two lanes is as sure of it as one that spells it in two ways."""
    found = ranked([answers(3.0), answers(2)], [Ballot(text="mean"), Ballot(text="median", votes=2)])
    assert [(group.members, group.votes) for group in found] == [((1,), 2), ((0,), 1)]


def test_descendants_have_no_vote_of_their_own() -> None:
    """Unless they behave otherwise than what they were made of."""
    copies = [Ballot(text="a"), Ballot(text="b", made_of=frozenset({0})), Ballot(text="c", made_of=frozenset({0, 1}))]
    found = ranked([answers(1), answers(1), answers(2)], copies)
    assert [(group.members, group.votes) for group in found] == [((0, 1), 1), ((2,), 1)]


def test_answers_stand_behind_those_that_answer_more() -> None:
    """One that hardly answers is backed by nobody, though it contradicts nobody."""
    whole, partial, other, never = answers(1, 2, 3), answers(1, ..., 3), answers(1, 5, 4), answers(1, ..., ...)
    found = ranked([other, never, partial, whole])
    assert [(group.members, group.backed) for group in found] == [((3,), 3), ((0,), 2), ((2,), 2), ((1,), 1)]


def test_unusual_calls_part_only_the_rest() -> None:
    usual_apart = [answers(1, 7), answers(2, 8), answers(2, 9)]
    voters = [Ballot(text="")] * 3
    assert [g.members for g in distinguished(usual_apart, voters, range(3), (0, 1), (0, 1))[1]] == [(1, 2), (0,)]
    usual_alike = [answers(1, 7), answers(1, 8), answers(1, 8)]
    numbers, groups = distinguished(usual_alike, voters, range(3), (0, 1), (0, 1))
    assert (numbers, [group.members for group in groups]) == ((0, 1), [(1, 2), (0,)])
