"""Evidence of examples and words for a body that was made to fit them."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from certo_builtin.synthesis.components.catalogue import COMPONENTS
from certo_builtin.synthesis.docstring_words import stems
from certo_builtin.synthesis.evidence import MAX_CHANCE_BOOLEANS, bits_in, spoken_for, told_by
from certo_builtin.synthesis.expected_values import Known
from certo_builtin.synthesis.loops import Body
from certo_builtin.synthesis.unused_hints import UnusedHints

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


def told(results: list[Any]) -> float:
    """Return the bits of information in results of which nothing was given."""
    return told_by([Known((), result) for result in results])


@given(st.lists(values, max_size=5), values)
def test_one_more_result_tells_no_less(results: list[object], one: object) -> None:
    assert told([*results, one]) >= told(results) >= 0


@given(values)
def test_what_was_seen_before_tells_little(value: object) -> None:
    assert told([value] * 3) <= told([value]) + 2


@given(st.lists(st.booleans()))
def test_a_few_truth_values_tell_nothing(results: list[bool]) -> None:
    assert (told(results) == 0) is (len(results) <= MAX_CHANCE_BOOLEANS)


def test_unprintable_and_infinite_values_tell_nothing() -> None:
    class Shy:
        def __repr__(self) -> str:
            raise ValueError("no")

    endless: list[object] = []
    endless.append(endless)
    assert told([Shy(), endless, 2]) == told([2])


def test_items_with_given_keys_tell_less() -> None:
    whole = {"pear": 40, "fig": 30}
    names = Known((["fig", "pear"],), whole)
    nearly = Known(({"pear": 10, "fig": 30},), whole)
    assert told_by([nearly]) < told_by([names]) < told([whole])


def test_results_found_in_arguments_tell_less() -> None:
    given = Known(([5, 70, 600],), [5, 70, 600])
    picked = Known(([5, 70, 600],), [600, 5])
    made = Known(([5, 70, 600],), [601, 4])
    assert told_by([given]) < told_by([picked]) < told_by([made])
    assert told_by([made, Known(([1],), [601, 4])]) == told_by([made]) + 1
    assert told_by([Known((number,), number > 2) for number in range(5)]) == 0.0
    assert told_by([Known((number,), number > 2) for number in range(6)]) > 0.0


def test_unused_parameter_demands_more_evidence() -> None:
    known = [Known((3, 5), 12), Known((5, 2), 20)]
    hints = UnusedHints(frozenset({"n", "m"}), frozenset(), COMPONENTS)
    one, both = Body(4, ("return 4 * n",)), Body(4, ("return n * m",))
    assert spoken_for(one, known, hints) == spoken_for(both, known, hints) / 4


def test_examples_speak_less_for_what_is_longer() -> None:
    known = [Known((3,), 12), Known((5,), 20)]
    hints = UnusedHints(frozenset({"n"}), frozenset(), COMPONENTS)
    short, long = Body(4, ("return 4 * n",)), Body(9, ("return n + n + n + n",))
    assert spoken_for(short, known, hints) > spoken_for(long, known, hints) > 0


@given(st.recursive(st.integers() | st.text() | st.booleans() | st.none(), st.lists))
def test_every_value_tells_something(value: Any) -> None:
    assert bits_in(value) >= 1.0


def test_booleans_count_when_all_words_answer() -> None:
    """Few truth values tell something where a body answers to every word."""
    known = [Known(("abc",), True), Known(("ab",), False), Known(("a" * 6,), False)]
    prime = Body(6, ("return (len(s) > 1 and all(len(s) % d for d in range(2, int(len(s) ** 0.5) + 1)))",))
    odd = Body(4, ("return len(s) % 2 != 0",))
    asked = UnusedHints(frozenset({"s"}), stems("whether the length is prime"), COMPONENTS)
    assert asked.answered_all(prime.lines[0]) == 2
    assert spoken_for(prime, known, asked) > spoken_for(odd, known, asked) == 0.0
    assert spoken_for(prime, known[1:], asked) == 0.0, "what is always the same tells nothing"
    assert spoken_for(prime, known, UnusedHints(frozenset({"s"}), frozenset(), COMPONENTS)) == 0.0


def test_results_written_down_are_no_evidence() -> None:
    known = [Known((3,), "a long sentence"), Known((5,), "a long sentence")]
    hints = UnusedHints(frozenset(), frozenset(), COMPONENTS)
    assert spoken_for(Body(3, ("return 'a long sentence'",)), known, hints) < 10
    assert spoken_for(Body(3, ("return SENTENCE",)), known, hints) > 20
