"""LSP positions against offsets, in the three encodings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.edits.positions import Encoding, LineIndex, Position

TEXTS = st.text(alphabet="ab é€😀\n\r\u2028\ud800", max_size=40)
CODECS = {Encoding.UTF8: ("utf-8", 1), Encoding.UTF16: ("utf-16-le", 2), Encoding.UTF32: ("utf-32-le", 4)}


@given(TEXTS, st.sampled_from(Encoding))
def test_every_offset_comes_back(text: str, encoding: Encoding) -> None:
    index = LineIndex(text, encoding)
    for offset in range(len(text) + 1):
        within_break = text[offset - 1 : offset + 1] == "\r\n" if offset else False
        assert index.offset(index.position(offset)) == offset - within_break


@given(TEXTS, st.sampled_from(Encoding))
def test_columns_are_counted_in_code_units(text: str, encoding: Encoding) -> None:
    index = LineIndex(text, encoding)
    codec, width = CODECS[encoding]
    for line, content in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
        units = len(content.encode(codec, "surrogatepass")) // width
        assert index.position(index.offset(Position(line, 10_000))) == Position(line, units)


@given(TEXTS, st.sampled_from(Encoding), st.integers(-2, 60), st.integers(-2, 60))
def test_any_position_is_clamped_into_the_text(text: str, encoding: Encoding, line: int, character: int) -> None:
    offset = LineIndex(text, encoding).offset(Position(line, character))
    assert 0 <= offset <= len(text)
    assert text[offset - 1 : offset + 1] != "\r\n" or not offset


@pytest.mark.parametrize(("encoding", "character"), [("utf-8", 6), ("utf-16", 4), ("utf-32", 3)])
def test_behind_an_emoji(encoding: str, character: int) -> None:
    index = LineIndex("x\r\na😀b", Encoding(encoding))
    assert index.position(6) == Position(1, character)
    assert index.offset(Position(1, character)) == 6


def test_positions_inside_characters_move_to_their_start() -> None:
    """Positions beyond a line or the text move to its end."""
    assert LineIndex("a😀b", Encoding.UTF16).offset(Position(0, 2)) == 1
    assert LineIndex("a😀b", Encoding.UTF8).offset(Position(0, 4)) == 1
    assert LineIndex("ab\r\ncd", Encoding.UTF16).offset(Position(0, 99)) == 2
    assert LineIndex("ab\r\ncd", Encoding.UTF16).offset(Position(9, 0)) == 6
