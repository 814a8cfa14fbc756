"""Candidates that act alike are found by what they answer, and told apart by the plainest input."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.behaviour.call import Callee, RecordedCall
from certo.behaviour.outcome import CallOutcome
from certo.generation.builtin.clusters import backing, clusters, difference, separating, telling
from certo.vocabulary.candidate import Difference

RAISED = CallOutcome("raises", "ValueError\nno")
ENDLESS = CallOutcome("endless")


def answers(*values: object) -> tuple[CallOutcome, ...]:
    """Return the outcomes of a candidate that returns these values."""
    return tuple(CallOutcome("returns", repr(value)) for value in values)


def calls(*arguments: str) -> tuple[RecordedCall, ...]:
    """Calls of f."""
    return tuple(RecordedCall(callee=Callee(name="f"), arguments=(argument,)) for argument in arguments)


versions = st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3).map(lambda row: answers(*row)), max_size=7)


@given(versions)
def test_every_candidate_is_in_one_cluster(made: list[tuple[CallOutcome, ...]]) -> None:
    found = clusters(made, range(3))
    assert sorted(number for cluster in found for number in cluster) == list(range(len(made)))
    assert [cluster[0] for cluster in found] == sorted(cluster[0] for cluster in found)
    for cluster in found:
        assert len({made[number] for number in cluster}) == 1
    assert len({made[cluster[0]] for cluster in found}) == len(found)


@given(versions, st.sets(st.integers(0, 2)))
def test_unreliable_calls_distinguish_nothing(made: list[tuple[CallOutcome, ...]], by: set[int]) -> None:
    fewer = clusters(made, sorted(by))
    assert len(fewer) <= len(clusters(made, range(3)))
    assert all(difference(made[one], made[other], sorted(by), calls("1", "2", "3")) is None
               for one, *rest in fewer for other in rest)  # fmt: skip


@given(versions)
def test_few_calls_distinguish_as_much_as_all(made: list[tuple[CallOutcome, ...]]) -> None:
    known = calls("1", "22", "333")
    chosen = separating(made, range(3), known)
    assert list(chosen) == sorted(chosen), "the plainest first"
    assert clusters(made, chosen) == clusters(made, range(3))
    assert len(chosen) < max(1, len(clusters(made, chosen))) or not made, "each call tells a pair that no other does"


def test_candidates_with_more_answers_have_more_backing() -> None:
    """Those that answer less stand behind those that answer more."""
    total, partial, other = answers(1, 2, 3), (*answers(1, 2), RAISED), answers(1, 2, 4)
    never = (*answers(1), ENDLESS, RAISED)
    groups, masses = [[0], [1], [2], [3]], [4.0, 2.0, 1.0, 0.5]
    assert backing([total, partial, other, never], range(3), groups, masses) == [6.5, 2.5, 3.5, 0.5]


def test_last_digits_make_no_cluster() -> None:
    assert clusters([answers(0.3), answers(0.1 + 0.2), answers(0.4)], [0]) == ((0, 1), (2,))


@pytest.mark.parametrize(
    ("made", "again", "by"),
    [
        ([answers(1, 2), answers(1, 3)], answers(1, 2), (0, 1)),
        ([answers(1, 2), answers(1, 3)], answers(1, 9), (0,)),
        ([(*answers(1), RAISED), (*answers(1), RAISED), answers(1, 3)], (*answers(1), RAISED), (0,)),
        ([(*answers(1), ENDLESS), answers(1, 3)], (*answers(1), ENDLESS), (0, 1)),
        ([(*answers(1), None), answers(1, 3)], (*answers(1), None), (0,)),
        ([], (), ()),
    ],
)
def test_candidates_are_compared_on_steady_answered_calls(
    made: list[tuple[CallOutcome | None, ...]], again: tuple[CallOutcome | None, ...], by: tuple[int, ...]
) -> None:
    """Calls count where outcomes are repeatable and most candidates answer."""
    assert telling(made, again) == by


def test_values_distinguish_better_than_errors() -> None:
    tried = calls("[5, 6, 7]", "[5]", "[]")
    other = CallOutcome("raises", "KeyError\nno")
    ours, theirs = (*answers(1, 2), RAISED), (*answers(2), RAISED, other)
    found = [difference(ours, theirs, numbers, tried) for numbers in ((0, 1, 2), (1, 2), (2,))]
    assert [each.call for each in found if each is not None] == ["f([5, 6, 7])", "f([5])", "f([])"]


def test_plainest_of_equal_calls_is_chosen() -> None:
    tried = calls("[3, 2, 1]", "[1]", "[]", "[0]")
    found = difference(answers(3, 1, 0, 5), (*answers(1, 2, 0), RAISED), range(4), tried)
    assert found == Difference(call="f([1])", ours="1", theirs="2")
    assert found.turned == Difference(call="f([1])", ours="2", theirs="1")
