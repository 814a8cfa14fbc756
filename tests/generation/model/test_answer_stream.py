"""A model's text is passed on: the first at once, then twenty times a second, and nothing is lost."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.generation.generator import TextChunk
from certo.generation.model.answer_stream import PAUSE_SECONDS, AnswerReader
from certo.llm.prompt import Delta


def kept(pieces: list[TextChunk]) -> str:
    """Return the text of a client that follows the rule."""
    answer = ""
    for piece in pieces:
        assert piece.at <= len(answer), "a piece that leaves a gap"
        answer = answer[: piece.at] + piece.text
    return answer


def test_first_text_is_sent_at_once() -> None:
    pieces: list[TextChunk] = []
    seconds = 5.0
    hearing = AnswerReader(model="a:1", tell=pieces.append, now=lambda: seconds)
    hearing.hear(Delta(text="de", at=0))
    hearing.hear(Delta(text="f ", at=2))
    hearing.hear(Delta(text="f", at=4))
    assert pieces == [TextChunk(model="a:1", at=0, text="de")]
    seconds += PAUSE_SECONDS
    hearing.hear(Delta(text="(", at=5))
    assert pieces[1:] == [TextChunk(model="a:1", at=2, text="f f(")]


def test_text_within_the_interval_waits_for_it() -> None:
    pieces: list[TextChunk] = []
    seconds = 5.0
    hearing = AnswerReader(model="a:1", tell=pieces.append, now=lambda: seconds)
    hearing.hear(Delta(text="a", at=0))
    assert hearing.patience == math.inf, "nothing waits"
    hearing.hear(Delta(text="b", at=1))
    assert hearing.patience == pytest.approx(PAUSE_SECONDS)
    hearing.catch_up()
    assert [piece.text for piece in pieces] == ["a"], "the pause is not over"
    seconds += PAUSE_SECONDS
    hearing.catch_up()
    assert [piece.text for piece in pieces] == ["a", "b"]
    assert hearing.patience == math.inf


def test_end_sends_the_remainder_once() -> None:
    pieces: list[TextChunk] = []
    hearing = AnswerReader(model="a:1", tell=pieces.append, now=lambda: 0.0)
    for at, text in enumerate("abc"):
        hearing.hear(Delta(text=text, at=at))
    hearing.end()
    hearing.end()
    assert [piece.text for piece in pieces] == ["a", "bc"]


@given(st.lists(st.tuples(st.text("xyz", min_size=1, max_size=4), st.floats(0, 0.1), st.integers(0, 6)), max_size=20))
def test_whoever_keeps_the_pieces_has_the_answer(steps: list[tuple[str, float, int]]) -> None:
    pieces: list[TextChunk] = []
    seconds, answer = 0.0, ""
    hearing = AnswerReader(model="a:1", tell=pieces.append, now=lambda: seconds)
    for text, pause, back in steps:
        at = max(0, len(answer) - back) if back > 4 else len(answer)
        answer = answer[:at] + text
        seconds += pause
        hearing.hear(Delta(text=text, at=at))
    hearing.end()
    assert kept(pieces) == answer
