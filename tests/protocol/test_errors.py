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


def test_each_name_is_a_raised_error() -> None:
    ours = {kind.__name__ for kind in kinds() if kind.__module__ == errors.__name__}
    assert set(CODES) - ours == set()
    assert set(CODES) - set(made()) == set()
    assert set(CODES) >= RETRIABLE


def test_each_error_has_or_inherits_a_name() -> None:
    nameless = {kind for kind in kinds() if not {above.__name__ for above in kind.__mro__} & set(CODES)}
    assert nameless == set()


def test_error_numbers_are_unique_and_not_reserved() -> None:
    assert len(set(CODES.values())) == len(CODES)
    assert not any(-32768 <= code <= -32000 for code in CODES.values())
