"""Hypothesis strategies for any dataclass of the vocabulary, made from its annotations."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from certo.vocabulary.cost import Budget
from certo.vocabulary.text import Span

_PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(max_size=20),
    int: st.integers(min_value=0, max_value=2**40),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    NoneType: st.none(),
    Span: st.tuples(st.integers(0, 999), st.integers(0, 999)).map(lambda ends: Span(min(ends), max(ends))),
    Budget: st.builds(Budget, candidates=st.integers(1, 999), seconds=st.floats(0.1, 1e6), calls=st.none()),
}


def any_of(kind: Any, **chosen: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return a strategy for any value of a type; `chosen` replaces fields of a dataclass."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    if get_origin(kind) in (Union, UnionType):
        return st.one_of(*map(any_of, get_args(kind)))
    if get_origin(kind) is tuple:
        return st.lists(any_of(get_args(kind)[0]), max_size=3).map(tuple)
    if get_origin(kind) is Mapping:
        return st.dictionaries(*map(any_of, get_args(kind)), max_size=3)
    if issubclass(kind, Enum):
        return st.sampled_from(list(kind))
    hints = get_type_hints(kind)
    fields = {field.name: hints[field.name] for field in dataclasses.fields(kind)}
    return st.builds(kind, **{name: chosen[name] if name in chosen else any_of(hint) for name, hint in fields.items()})
