"""The table of errors: every name is an error of ours that something raises, every error of ours has a name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import certo
from certo.protocol.errors import CODES, RETRIABLE
from certo.vocabulary import errors
from certo.vocabulary.errors import CertoError

SOURCES = Path(certo.__file__).parent


def made() -> Iterator[str]:
    """The names that are called anywhere in the package, as an exception is when it is raised."""
    for file in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield node.func.id


def kinds(kind: type[CertoError] = CertoError) -> Iterator[type[CertoError]]:
    for below in kind.__subclasses__():
        yield below
        yield from kinds(below)


def test_every_name_is_an_error_of_ours_that_something_raises() -> None:
    ours = {kind.__name__ for kind in kinds() if kind.__module__ == errors.__name__}
    assert set(CODES) - ours == set()
    assert set(CODES) - set(made()) == set()
    assert set(CODES) >= RETRIABLE


def test_every_error_of_ours_has_a_name_or_is_a_kind_of_one_that_has() -> None:
    nameless = {kind for kind in kinds() if not {above.__name__ for above in kind.__mro__} & set(CODES)}
    assert nameless == set()


def test_the_numbers_are_each_given_once_and_none_is_reserved_by_others() -> None:
    assert len(set(CODES.values())) == len(CODES)
    assert not any(-32768 <= code <= -32000 for code in CODES.values())
