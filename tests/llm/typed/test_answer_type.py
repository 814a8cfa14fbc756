"""An answer is a dictionary, a primitive or a wrapped value, by type or JSON schema, and never made to fit."""

from __future__ import annotations

from contextlib import suppress
from enum import Enum
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from certo.llm.typed.answer_type import AnswerMismatch, AnswerType, closed
from certo.vocabulary.errors import BadSetting

pytestmark = pytest.mark.acceptance(7)


class Town(BaseModel):
    """A model whose first field is a text: the one that A1 puts garbage into."""

    name: str
    people: int
    motto: str | None = None


SCHEMA = {
    "type": "object",
    "title": "town",
    "properties": {
        "name": {"type": "string", "minLength": 2},
        "people": {"type": "integer", "minimum": 0},
        "kind": {"enum": ["city", "village"]},
        "streets": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
    },
    "required": ["name", "people"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Ulm", "people": 120000}',
        '```json\n{"name": "Ulm", "people": 120000}\n```',
        'Here it is:\n~~~\n{"name": "Ulm", "people": 120000}\n~~~\nAnything else?',
        'Certainly! {"name": "Ulm", "people": 120000} is the answer {as asked}.',
        '```\n{"name": "Ulm", "people": 120000}',
    ],
)
def test_models_are_found_anywhere_in_answers(text: str) -> None:
    assert AnswerType(Town).read(text) == Town(name="Ulm", people=120000)


@pytest.mark.parametrize(
    "text", ["Ulm", '"Ulm"', '{"name": "Ulm"}', "[]", "", '{"name": "Ulm", "people": "many"}', "{" * 5000]
)
def test_garbage_is_not_read_as_a_model(text: str) -> None:
    """The first field would take any text."""
    with pytest.raises(AnswerMismatch):
        AnswerType(Town).read(text)


def test_mismatches_name_the_field_and_reason() -> None:
    with pytest.raises(AnswerMismatch, match="people: Field required"):
        AnswerType(Town).read('{"name": "Ulm"}')
    with pytest.raises(AnswerMismatch, match="it holds no JSON"):
        AnswerType(Town).read("I do not know")


@pytest.mark.parametrize(
    ("wanted", "text", "value"),
    [
        (int, "42", 42),
        (int, '{"value": 42}', 42),
        (float, "1e3", 1000.0),
        (bool, "true", True),
        (list[int], "[1, 2]", [1, 2]),
        (list[int], '{"value": [1, 2]}', [1, 2]),
        (dict[str, int], '{"value": 1}', {"value": 1}),
        (Literal["a", "b"], '"b"', "b"),
        (int | None, "null", None),
        (str, "just words", "just words"),
        (str, '"quoted"', "quoted"),
        (str, '{"value": "wrapped"}', "wrapped"),
    ],
)
def test_other_types_may_be_wrapped(wanted: object, text: str, value: object) -> None:
    """They stand alone or as the member `value`."""
    assert AnswerType(wanted).read(text) == value


@pytest.mark.parametrize("text", ["forty-two", "4.5", "NaN", "The answer is 42", '{"number": 42}'])
def test_non_integers_are_not_read_as_integers(text: str) -> None:
    with pytest.raises(AnswerMismatch):
        AnswerType(int).read(text)


def test_a_schema_is_checked_completely() -> None:
    """Its values are plain data."""
    shape = AnswerType(SCHEMA)
    right = {"name": "Ulm", "people": 1, "kind": "city", "streets": ["A"]}
    assert shape.read(str(right).replace("'", '"')) == right
    assert shape.read('{"name": "Ulm", "people": 1}') == {"name": "Ulm", "people": 1}
    for wrong in (
        {"name": "U", "people": 1},
        {"name": "Ulm", "people": -1},
        {"name": "Ulm", "people": "1"},
        {"name": "Ulm", "people": 1, "kind": "hamlet"},
        {"name": "Ulm", "people": 1, "streets": ["A", "B", "C"]},
        {"name": "Ulm", "people": 1, "mayor": "X"},
        {"name": "Ulm"},
    ):
        with pytest.raises(AnswerMismatch):
            shape.check(wrong)


def test_a_schema_may_refer_to_its_definitions() -> None:
    shape = AnswerType({"type": "array", "items": {"$ref": "#/$defs/point"}, "$defs": {"point": {"type": "number"}}})
    assert shape.check([1, 2.5]) == [1, 2.5]
    with pytest.raises(AnswerMismatch):
        shape.check(["1"])


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"type": "strnig"}, "'strnig' is no type"),
        ({"type": "string", "not": {}}, "cannot check 'not'"),
        ({"$ref": "#/$defs/none"}, "not in its '\\$defs'"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "array", "items": {"$ref": "#/$defs/a"}}}}, "contains itself"),
        (len, "is a function"),
        (object(), "nothing an answer can be checked against"),
    ],
)
def test_what_cannot_be_checked_is_refused(wanted: object, words: str) -> None:
    with pytest.raises(BadSetting, match=words):
        AnswerType(wanted)


def test_requested_schemas_are_closed_objects() -> None:
    assert AnswerType(int).schema == {
        "type": "object",
        "properties": {"value": {"type": "integer"}},
        "required": ["value"],
        "additionalProperties": False,
    }
    asked = AnswerType(Town).schema
    assert asked["required"] == ["name", "people", "motto"]
    assert "default" not in asked["properties"]["motto"]
    named = {"type": "object", "properties": {"default": {"type": "integer"}}}
    assert closed(named)["properties"] == {"default": {"type": "integer"}}


def test_values_survive_conversion_to_plain_data() -> None:
    class Size(Enum):
        SMALL = "small"

    assert AnswerType(Size).plain(Size.SMALL) == "small"
    assert AnswerType(Size).check("small") is Size.SMALL
    assert AnswerType(Town).plain(Town(name="Ulm", people=1)) == {"name": "Ulm", "people": 1, "motto": None}
    with pytest.raises(AnswerMismatch):
        AnswerType(int).check(float("nan"))


@given(st.text(max_size=200))
def test_any_text_fits_or_is_refused(text: str) -> None:
    with suppress(AnswerMismatch):
        assert isinstance(AnswerType(Town).read(text), Town)


def test_a_million_fences_are_scanned_once() -> None:
    with pytest.raises(AnswerMismatch):
        AnswerType(Town).read("~" * 1_000_000)
