"""Wire models that mirror values of the vocabulary have the same fields, in the same order and of the same types."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import types
from collections.abc import Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from certo import vocabulary
from certo.protocol import events, values
from certo.protocol.wire import Wire

OMITTED = {
    "Budget": {"of"},
}
"""Fields that only the process needs in which the value was made."""

ADDED = {
    "Report": {"passed", "verified", "caveat"},
    "SearchStopped": {"sentence", "advice"},
}
"""Properties of a value that clients should not have to work out."""


WORDS = {("Baseline", "policy")}
"""Texts of the vocabulary that are one of a few words on the wire."""


def _values() -> dict[str, type]:
    names = (each.name for each in pkgutil.iter_modules(vocabulary.__path__))
    modules = [importlib.import_module(f"certo.vocabulary.{name}") for name in names]
    classes = (each for module in modules for each in vars(module).values() if inspect.isclass(each))
    return {each.__name__: each for each in classes if is_dataclass(each)}


def _models() -> dict[str, type[Wire]]:
    classes = (each for module in (values, events) for each in vars(module).values() if inspect.isclass(each))
    return {each.__name__: each for each in classes if issubclass(each, Wire)}


VALUES, MODELS = _values(), _models()
MIRRORS = sorted(VALUES.keys() & MODELS.keys())


def shape(kind: Any) -> object:
    """Return a type as both sides write it: enums and literals as words, collections by what they hold."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return shape(inner[0])
    if origin is Literal or (inspect.isclass(kind) and issubclass(kind, Enum)):
        return "word"
    if origin in (Union, types.UnionType):
        return frozenset(shape(each) for each in inner)
    if origin is not None and issubclass(origin, Mapping):
        return ("map", *map(shape, inner))
    if origin is not None and issubclass(origin, Sequence | Set):
        return ("many", shape(inner[0]))
    return getattr(kind, "__name__", kind)


def test_most_values_have_a_mirror() -> None:
    assert len(MIRRORS) > 35


@pytest.mark.parametrize("name", MIRRORS)
def test_a_mirror_has_the_same_fields(name: str) -> None:
    value, model = VALUES[name], MODELS[name]
    ours = [field.name for field in fields(value) if field.name not in OMITTED.get(name, set())]
    theirs = [field for field in model.model_fields if field not in ADDED.get(name, set()) | {"type"}]
    assert theirs == ours


@pytest.mark.parametrize("name", MIRRORS)
def test_a_mirror_has_the_same_types(name: str) -> None:
    hints = get_type_hints(VALUES[name])
    mirrored = [field.name for field in fields(VALUES[name]) if field.name in MODELS[name].model_fields]
    ours = {field: "word" if (name, field) in WORDS else shape(hints[field]) for field in mirrored}
    assert {field: shape(MODELS[name].model_fields[field].annotation) for field in mirrored} == ours
