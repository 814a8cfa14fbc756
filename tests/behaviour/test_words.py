"""Arguments as expressions, outcomes in words, and when two outcomes are the same."""

from __future__ import annotations

import dataclasses
import enum
import functools
import math
from collections import OrderedDict, deque
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.behaviour.call import Callee, RecordedCall, recorded
from certo.behaviour.outcome import CallOutcome, differ, is_slight, outcome, told
from certo_builtin.differential.call_recorder import Writer
from certo_builtin.differential.value_view import View, shown

LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=5)
KEYS = st.integers() | st.text(max_size=3) | st.frozensets(st.integers(), max_size=3)
VALUES = st.recursive(
    LEAVES | st.sets(KEYS, max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


class Colour(enum.Enum):
    """Values that are written by name."""

    RED = 1


@dataclasses.dataclass
class Point:
    """A value that says itself how to make it."""

    x: int


class Opaque:
    """A value that says nothing of itself."""

    def __init__(self, inside: Any) -> None:
        self.inside = inside


class Broken:
    """A value that raises when it is asked what it is."""

    def __repr__(self) -> str:
        raise ValueError


NAMES = {"Colour": Colour, "Point": Point, "Decimal": Decimal, "OrderedDict": OrderedDict}


@given(VALUES)
def test_what_is_written_makes_an_equal_value(value: object) -> None:
    text = Writer({}, {}).text(value)
    if text is not None:
        assert shown(eval(text)) == shown(value)


@pytest.mark.parametrize("value", [Colour.RED, Point(3), Decimal("1.50"), OrderedDict(a=1), [Point(1)], len, Point])
def test_values_of_known_names_are_written_so(value: object) -> None:
    text = Writer(NAMES, {}).text(value)
    assert text is not None
    assert eval(text, dict(NAMES)) == value


@pytest.mark.parametrize(
    "value", [date(2026, 3, 1), timedelta(days=-1), datetime(2026, 3, 1, tzinfo=UTC), [date(2026, 3, 1)]]
)
def test_classes_known_without_their_module_are_written(value: object) -> None:
    names = {"date": date, "datetime": datetime, "timedelta": timedelta, "timezone": timezone}
    text = Writer(names, {}).text(value)
    assert text is not None
    assert eval(text, dict(names)) == value


@pytest.mark.parametrize("value", [Opaque(1), lambda: 0, object(), Broken(), [Opaque(1)], "x" * 500])
def test_what_cannot_be_written_is_not(value: object) -> None:
    writer = Writer({}, {})
    assert writer.text(value) is None
    assert writer.unwritten == {type(value).__name__}


def test_objects_are_written_as_they_were_made() -> None:
    one = Opaque(1)
    writer = Writer({}, {id(one): (one, "Opaque(1)", shown(one))})
    assert writer.text([one]) == "[Opaque(1)]"
    one.inside = 2
    assert writer.text([one]) is None


def test_views_ignore_addresses_and_order() -> None:
    assert shown(Opaque([Opaque(1)])) == shown(Opaque([Opaque(1)])) == "Opaque(inside=[Opaque(inside=1)])"
    assert shown({3, 1, 2}) == shown({2, 1, 3})
    assert shown(math.nan) == shown(float("nan"))
    assert shown(Opaque(1)) != shown(Opaque(2))
    assert shown(["is at 0x1"]) != shown(["is at 0x2"])
    circle: list[Any] = []
    circle.append(circle)
    assert shown(circle) == "[…]"
    assert shown(Broken()) == "<Broken that cannot be shown>"
    assert shown(10**5000) != shown(10**5000 + 1)
    assert shown("x" * 5000) != shown("x" * 5001)


class Slotted:
    """A value whose attributes are in slots, of which it says nothing, nor does it give them away."""

    __slots__ = ("__own", "left", "x")

    def __init__(self, x: Any) -> None:
        self.x = x
        self.__own = x

    def __repr__(self) -> str:
        return "<Slotted>"

    def __getattribute__(self, name: str) -> Any:
        raise KeyboardInterrupt(name)


class Listed(list[Any]):
    """A list that has something besides its elements."""

    def __repr__(self) -> str:
        return "Listed"

    @functools.cached_property
    def size(self) -> int:
        """A property whose value exists only once somebody has asked for it."""
        return len(self)


class Denying:
    """A value that will not let anybody see what it holds."""

    def __init__(self, x: Any) -> None:
        self.x = x

    @property
    def __dict__(self) -> Any:
        """Not what there is."""
        raise ValueError


def view_of(value: Any) -> tuple[str, str]:
    """Return a value's text for the user, and the text that is compared; all of the value can be seen."""
    view = View(value)
    assert not view.is_opaque
    return view.text, view.state


def test_views_show_content_whatever_repr_says() -> None:
    assert view_of(Slotted([1])) == ("<Slotted>", "Slotted(_Slotted__own=[1], x=[1])")
    assert view_of({"a": Slotted(Slotted(1))})[1].count("x=1") == 2
    assert view_of(Point(3)) == ("Point(x=3)", "Point(x=3)")
    assert view_of(Colour.RED) == (repr(Colour.RED), repr(Colour.RED))
    assert view_of(Decimal("1.50")) == ("Decimal('1.50')", "Decimal('1.50')")
    circle = Slotted(None)
    circle.x = circle
    assert view_of(circle)[1] == "Slotted(_Slotted__own=None, x=…)"
    wide: Any = 0
    for _ in range(7):
        wide = Slotted([wide] * 9)
    assert len(View(wide).state) < 6000
    listed = Listed([Slotted(1)])
    before = view_of(listed)
    listed.more = 5  # type: ignore[attr-defined]
    assert listed.size == 1
    assert before[1] == "Listed([Slotted(_Slotted__own=1, x=1)])"
    assert view_of(listed)[1] == "Listed([Slotted(_Slotted__own=1, x=1)], more=5)"


@pytest.mark.parametrize(
    "value",
    [lambda: 0, [].append, object(), (each for each in "ab"), [Opaque(iter("a"))], Denying(1), deque([Opaque(1)])],
)
def test_opaque_values_are_marked_as_such(value: Any) -> None:
    assert View(value).is_opaque


@pytest.mark.parametrize("value", [Point, 3, len, deque([1]), "at 0x1", {"a": " at 0x1"}])
def test_named_and_plain_values_are_seen_whole(value: Any) -> None:
    assert not View(value).is_opaque


def test_lookalike_results_are_shown_by_content() -> None:
    one, other = (CallOutcome("returns", "<P>", state=f"P(x={x})") for x in (4, 0))
    assert differ(one, other)
    assert not is_slight(one, other)
    assert told(one, other, one) == ("P(x=4)", "P(x=0)", "P(x=4)")
    assert told(one, CallOutcome("returns", "3")) == ("<P>", "3")


def test_of_errors_only_the_type_counts() -> None:
    assert not differ(CallOutcome("raises", "ValueError\nno"), CallOutcome("raises", "ValueError\nnever"))
    assert differ(CallOutcome("raises", "ValueError\nno"), CallOutcome("raises", "TypeError\nno"))
    assert differ(CallOutcome("raises", "ValueError\n"), CallOutcome("returns", "None"))
    assert differ(CallOutcome("returns", "1"), CallOutcome("yields", "[1]"))


@pytest.mark.parametrize(
    ("one", "other", "slight"),
    [("1", "1.0", True), ("0.3", "0.30000000000000004", True), ("1", "2", False), ("9" * 400, "1", False)],
)
def test_what_is_equal_in_python_differs_slightly(one: str, other: str, slight: bool) -> None:
    assert is_slight(CallOutcome("returns", one), CallOutcome("returns", other)) is slight


def test_a_difference_is_told_by_what_differs() -> None:
    plain = CallOutcome("returns", "3")
    assert told(plain, CallOutcome("returns", "4", printed="x")) == ("3", "4")
    assert told(plain, CallOutcome("returns", "3", printed="x")) == ("3, printing nothing", "3, printing 'x'")
    left = CallOutcome("returns", "3", after="[1]")
    assert told(plain, left) == ("3, with its arguments unchanged", "3, with its arguments then [1]")
    assert told(CallOutcome("raises", "KeyError\n'a'"), CallOutcome("endless")) == (
        "raises KeyError: 'a'",
        "does not come back",
    )
    assert told(CallOutcome("yields", "[1, 2]"), CallOutcome("yields", "[]")) == ("yields 1, 2", "yields nothing")


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"arguments": "no list", "named": {}},
        {"arguments": ["1 +"], "named": {}},
        {"arguments": [1], "named": {}},
        {"arguments": ["1"], "named": {"not a name": "1"}},
        {"arguments": ["1"], "named": []},
        {"arguments": [repr("x" * 1000)], "named": {}},
    ],
)
def test_malformed_calls_are_refused(message: dict[str, Any]) -> None:
    assert recorded(Callee(name="f"), message) is None


@pytest.mark.parametrize("message", [None, 3, {}, {"kind": "verified"}, {"kind": "returns", "value": 3}])
def test_malformed_outcomes_are_refused(message: object) -> None:
    assert outcome(message) is None


def test_calls_are_written_as_python_source() -> None:
    take = Callee(name="take", has_receiver=True)
    assert (
        RecordedCall(callee=take, receiver="Account(1)", arguments=("2",), named={"fee": "0"}).text
        == "Account(1).take(2, fee=0)"
    )
    assert RecordedCall(callee=take, receiver="5", arguments=()).text == "(5).take()"
    amount = Callee(name="amount", has_receiver=True, is_property=True)
    assert RecordedCall(callee=amount, receiver="Account(1)").text == "Account(1).amount"


def test_long_results_are_cut_where_they_differ() -> None:
    same = ", ".join(map(str, range(900)))
    one, other = (CallOutcome("returns", f"[{same}, {last}, {same}]") for last in ("'x'", "'y'"))
    words = told(one, other)
    assert all(len(said) <= 300 for said in words)
    assert [said.index(last) for said, last in zip(words, ("'x'", "'y'"), strict=True)] == [words[0].index("'x'")] * 2
