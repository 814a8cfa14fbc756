"""How far examples and words speak for a body that was made to fit them."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from certo_builtin.confidence import bits_in
from certo_builtin.synthesis.components.catalogue import COMPONENTS
from certo_builtin.synthesis.evidence import spoken_for, told_by
from certo_builtin.synthesis.loops import Body
from certo_builtin.synthesis.probing import Known
from certo_builtin.synthesis.unsaid import Unsaid


def test_results_tell_less_the_more_of_them_was_given() -> None:
    given = Known(([5, 70, 600],), [5, 70, 600])
    picked = Known(([5, 70, 600],), [600, 5])
    made = Known(([5, 70, 600],), [601, 4])
    assert told_by([given]) < told_by([picked]) < told_by([made])
    assert told_by([made, Known(([1],), [601, 4])]) == told_by([made]) + 1
    assert told_by([Known((number,), number > 2) for number in range(5)]) == 0.0
    assert told_by([Known((number,), number > 2) for number in range(6)]) > 0.0


def test_examples_speak_less_for_what_is_longer() -> None:
    known = [Known((3,), 12), Known((5,), 20)]
    unsaid = Unsaid(frozenset({"n"}), frozenset(), COMPONENTS)
    short, long = Body(4, ("return 4 * n",)), Body(9, ("return n + n + n + n",))
    assert spoken_for(short, known, unsaid) > spoken_for(long, known, unsaid) > 0


@given(st.recursive(st.integers() | st.text() | st.booleans() | st.none(), st.lists))
def test_every_value_tells_something(value: Any) -> None:
    assert bits_in(value) >= 1.0


def test_who_writes_the_results_down_has_found_nothing_out() -> None:
    known = [Known((3,), "a long sentence"), Known((5,), "a long sentence")]
    unsaid = Unsaid(frozenset(), frozenset(), COMPONENTS)
    assert spoken_for(Body(3, ("return 'a long sentence'",)), known, unsaid) < 10
    assert spoken_for(Body(3, ("return SENTENCE",)), known, unsaid) > 20
