"""Our `dataclass` against that of the standard library, whose meaning it has."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.vocabulary import records
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.text import TextEdit

OPTIONS = st.fixed_dictionaries({}, optional={name: st.booleans() for name in ("frozen", "slots", "kw_only", "eq")})
KINDS = st.lists(
    st.sampled_from(["plain", "default", "factory", "unshown", "uncompared", "unhashed", "derived", "kept"]),
    max_size=5,
)
FIELDS = {
    "default": lambda: 3,
    "factory": lambda: dataclasses.field(default_factory=list),
    "unshown": lambda: dataclasses.field(default=4, repr=False),
    "uncompared": lambda: dataclasses.field(default=5, compare=False),
    "unhashed": lambda: dataclasses.field(default=6, hash=False),
    "derived": lambda: dataclasses.field(default=7, init=False),
    "kept": lambda: dataclasses.field(default_factory=dict, init=False),
}


def class_of(decorator: Any, kinds: list[str], options: dict[str, bool], body: dict[str, Any]) -> type:
    """A class with a field of each kind, those without default first."""
    names = [f"a{number}" for number in range(len(kinds))]
    ordered = sorted(kinds, key="plain".__ne__)
    body = body | {name: FIELDS[kind]() for name, kind in zip(names, ordered, strict=True) if kind != "plain"}
    made = type("Made", (), body | {"__doc__": "Doc.", "__annotations__": dict.fromkeys(names, "object")})
    return decorator(**options)(made)


def told(call: Any) -> object:
    """What a call returns, or the kind of its exception."""
    try:
        return call()
    except (TypeError, AttributeError) as error:
        return type(error), str(error).replace("Made.", "")


BODIES: list[dict[str, Any]] = [
    {},
    {"__eq__": lambda _, other: other is not None},
    {"__hash__": lambda _: 1},
    {"__repr__": lambda _: "shown"},
    {"__post_init__": lambda self: object.__setattr__(self, "a0", 9) if hasattr(self, "a0") else None},
]


@given(KINDS, OPTIONS, st.sampled_from(BODIES), st.integers(0, 2))
def test_it_behaves_like_the_standard_one(
    kinds: list[str], options: dict[str, bool], body: dict[str, Any], more: int
) -> None:
    """Construction, equality, hash, representation, copies, assignment and deletion are the same."""
    ours, theirs = (class_of(each, kinds, options, body) for each in (records.dataclass, dataclasses.dataclass))
    values = dict.fromkeys([f"a{number}" for number in range(kinds.count("plain") + more)], 1)

    def seen(made: Any) -> list[object]:
        one = told(lambda: made(**values))
        if type(one) is not made:
            return [one]
        other = made(**values)
        parameters = inspect.signature(made).parameters.values()
        return [
            repr(one),
            one == other,
            one == 3,
            told(lambda: hash(one) == hash(other)) if made.__hash__ is not object.__hash__ else "by identity",
            dataclasses.asdict(one),
            told(lambda: repr(dataclasses.replace(one))),
            repr(copy.copy(one)),
            repr(copy.deepcopy(one)),
            [(each.name, str(each.kind), each.annotation, repr(each.default)) for each in parameters],
            told(lambda: setattr(one, "a0", 8)) and "refused",
            told(lambda: setattr(one, "strange", 8)) and "refused",
            told(lambda: delattr(one, "a0")) and "refused",
            getattr(made, "__match_args__", None),
            getattr(made, "__slots__", None),
            told(lambda: repr(one)),
        ]

    assert seen(ours) == seen(theirs)


@records.dataclass(frozen=True, slots=True)
class Point:
    """A point."""

    x: int
    y: int = 0


@records.dataclass(frozen=True, slots=True)
class Named(Point):
    """A point with a name."""

    name: str = ""


def test_pickled_frozen_ones_come_back() -> None:
    """A frozen object with slots survives pickling, inheritance and a match."""
    named = pickle.loads(pickle.dumps(Named(1, 2, "a")))
    assert named == Named(1, 2, "a") != Point(1, 2)
    match named:
        case Named(x, y, name):
            assert (x, y, name) == (1, 2, "a")
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        named.x = 3  # type: ignore[misc]


def test_an_order_is_the_standard_one() -> None:
    """A class with an order is compared field by field."""

    @records.dataclass(frozen=True, order=True)
    class Place:
        """A place."""

        line: int
        column: int

    assert Place(1, 5) < Place(2, 0)


@pytest.mark.parametrize("first", [records.dataclass, dataclasses.dataclass])
@pytest.mark.parametrize("second", [records.dataclass, dataclasses.dataclass])
@pytest.mark.parametrize("kinds", [(True, True), (True, False), (False, True), (False, False)])
def test_both_may_be_bases_of_each_other(first: Any, second: Any, kinds: tuple[bool, bool]) -> None:
    """A frozen class and one that is not cannot be mixed; others can."""
    base = class_of(first, ["plain"], {"frozen": kinds[0], "slots": True}, {})
    derive = second(frozen=kinds[1], slots=True, kw_only=True)
    body = {"__doc__": "Doc.", "__annotations__": {"more": "int"}, "more": 3}
    if kinds[0] != kinds[1]:
        with pytest.raises(TypeError, match="cannot inherit"):
            derive(type("More", (base,), body))
        return
    made = derive(type("More", (base,), body))
    assert dataclasses.asdict(made(1)) == {"a0": 1, "more": 3}
    assert made(1) == made(1, more=3) != made(2)


def test_annotations_of_the_constructor_can_be_read() -> None:
    """They are resolved in the module of the class, where other libraries look for them."""
    assert get_type_hints(Candidate.__init__)["edits"] == tuple[TextEdit, ...]
    assert inspect.signature(Candidate, eval_str=True).parameters["id"].annotation is str


def test_a_default_before_none_is_refused() -> None:
    with pytest.raises(TypeError, match="non-default argument 'y' follows default argument"):
        records.dataclass(type("Made", (), {"__doc__": "", "__annotations__": {"x": "int", "y": "int"}, "x": 1}))


def test_names_of_fields_do_not_collide() -> None:
    body = {"__doc__": "", "x": dataclasses.field(default_factory=list), "_x": 2, "put": 3}
    made = records.dataclass(type("Made", (), {**body, "__annotations__": dict.fromkeys(["x", "_x", "put"], "int")}))
    assert dataclasses.astuple(made()) == ([], 2, 3)


def test_one_field_is_compared_as_several_are() -> None:
    nan = float("nan")
    assert Point(nan) == Point(nan)  # type: ignore[arg-type]
    alone = records.dataclass(type("Made", (), {"__doc__": "", "__annotations__": {"x": "float"}}))
    assert alone(nan) == alone(nan)
