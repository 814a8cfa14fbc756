"""Positions of syntax trees against offsets: bytes against code points, and Python's own idea of a line."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.edits.offsets import SourceMap
from certo.edits.positions import line_starts, newline_of, split_lines
from certo.edits.source import parse

TEXTS = st.text(alphabet="ab é😀\n\r\t\f\x0b\u2028", max_size=40)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("before", ["", "\ufeff", "\f", "'é😀\u2028\x0b\x0c'\n"])
def test_every_name_is_found_where_it_stands(newline: str, before: str) -> None:
    text = (before + "größe = 'é😀\u2028\x85'; ziel = größe\nif ziel:\n\tziel = [größe, '😀', ziel]\n").replace(
        "\n", newline
    )
    source = SourceMap(text)
    names = [node for node in ast.walk(parse(text)) if isinstance(node, ast.Name)]
    assert len(names) == 7
    for node in names:
        span = source.span(node)
        assert text[span.start : span.end] == node.id
        assert source.position(span.start) == (node.lineno, node.col_offset)


def test_a_decorated_function_starts_at_its_decorator() -> None:
    """It starts at the at sign."""
    text = "class A:\n    @ (  # see @this\n        property\n    )\n    @other\n    def f(self): ...\n"
    function = next(node for node in ast.walk(parse(text)) if isinstance(node, ast.FunctionDef))
    span = SourceMap(text).span(function)
    assert text[span.start : span.end].startswith("@ (  # see")


@given(TEXTS)
def test_offsets_and_positions_are_inverse(text: str) -> None:
    source = SourceMap(text)
    for offset in range(len(text) + 1):
        assert source.offset(*source.position(offset)) == offset


@given(TEXTS)
def test_lines_joined_are_the_text(text: str) -> None:
    lines = split_lines(text)
    assert "".join(lines) == text
    assert all(lines)
    assert all(not set(line.rstrip("\r\n")) & {"\r", "\n"} for line in lines)
    assert len(line_starts(text)) == len(lines) + (not lines or lines[-1][-1] in "\r\n")


def test_the_most_frequent_line_break_counts() -> None:
    assert newline_of("") == "\n"
    assert newline_of("a\r\nb\r\nc\n") == "\r\n"
    assert newline_of("a\rb") == "\r"
    assert newline_of("a\r\nb\n") == "\r\n"
