"""Values near others and values by annotation are expressions of the right kind, each another one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.behaviour.annotated_values import values_for
from certo.behaviour.nearby_values import near, simpler, strange

PLAIN = st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=6) | st.binary(max_size=4)
VALUES = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(VALUES)
def test_nearby_values_are_of_the_same_kind(value: object) -> None:
    changed = list(near(repr(value)))
    assert len(set(changed)) == len(changed)
    for text in changed:
        made = eval(text)
        assert isinstance(made, type(value))
        assert repr(made) != repr(value)


@given(VALUES)
def test_simpler_values_get_no_longer(value: object) -> None:
    """So simplification comes to an end."""
    text = repr(value)
    for _ in range(200):
        changed = list(simpler(text))
        if not changed:
            return
        assert all((len(one), one) < (len(text), text) for one in changed)
        assert all(isinstance(eval(one), type(value)) for one in changed)
        text = changed[0]
    pytest.fail(f"{text} can still be made simpler")


def test_floats_without_literal_give_no_source() -> None:
    """Infinity and NaN have no literal."""
    for text in ("float('inf')", "[float('nan'), 1]"):
        for changed in (*near(text), *simpler(text)):
            eval(changed)


@given(VALUES)
def test_what_is_strange_holds_none(value: object) -> None:
    assert all("None" in text for text in strange(repr(value)))


def test_empty_and_reordered_lists_are_near_lists() -> None:
    changed = set(near("[1, 2, 3]"))
    assert {"[]", "[1]", "[3, 2, 1]", "[2, 3]", "[1, 2, 3, 1, 2, 3]", "[0, 2, 3]", "[1, 2, -3]"} <= changed


def test_boundaries_in_code_are_near_numbers() -> None:
    assert "57" in set(near("1", numbers=(57,)))


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        ("int", int),
        ("str", str),
        ("float", float),
        ("bool", bool),
        ("bytes", bytes),
        ("list[int]", list),
        ("List[str]", list),
        ("Sequence[float]", list),
        ("set[int]", set),
        ("frozenset[str]", frozenset),
        ("dict[str, int]", dict),
        ("tuple[int, ...]", tuple),
        ("tuple[int, str]", tuple),
        ("int | None", (int, type(None))),
        ("Optional[int]", (int, type(None))),
        ("Union[int, str]", (int, str)),
        ("typing.Annotated[int, 'metres']", int),
        ("'list[int]'", list),
        ("Literal['a', 'b']", str),
        ("dict[str, list[int]]", dict),
        ("Iterator[int]", Iterator),
        ("Generator[str, None, None]", Iterator),
        ("Text", str),
        ("list", list),
        ("tuple", tuple),
    ],
)
def test_an_annotation_says_what_to_make_up(annotation: str, kind: type) -> None:
    values = values_for(ast.arg("x", ast.parse(annotation, mode="eval").body), None)
    assert len(values) > 1
    assert all(isinstance(eval(value), kind) for value in values)


def test_unknown_types_get_no_made_up_values() -> None:
    assert values_for(ast.arg("x", ast.Name("Account")), None) == ()
    assert values_for(ast.arg("x", ast.parse("list[Account]", mode="eval").body), None) == ()
    assert values_for(ast.arg("x"), None) == ()


def test_a_default_says_it_as_well() -> None:
    values = values_for(ast.arg("x"), ast.Constant(8))
    assert list(islice(values, 2)) == ["8", "0"]
    assert "9" in values
