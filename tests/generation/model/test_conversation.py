"""A conversation keeps its beginning and its end within the limit."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.generation.model.conversation import OMISSION, shortened, taken_in_turns, tokens_of, truncated
from certo.llm.prompt import Message

pytestmark = pytest.mark.acceptance(95)

TEXTS = st.text(alphabet="ab \n", max_size=80)
MESSAGES = st.lists(st.builds(Message, role=st.sampled_from(["user", "assistant"]), text=TEXTS), max_size=12).map(
    lambda turns: [Message(role="system", text="S" * 20), Message(role="user", text="first " * 4), *turns]
)


def said(role: str, text: str) -> Message:
    return Message(role=role, text=text)


@given(MESSAGES)
def test_roles_take_turns_and_nobody_says_nothing(messages):
    turns = taken_in_turns(messages)
    assert all(turn.text.strip() for turn in turns)
    assert all(one.role != other.role for one, other in pairwise(turns))
    for message in messages:
        said_by = [turn.text for turn in turns if turn.role == message.role]
        assert not message.text.strip() or any(message.text.strip() in text for text in said_by)


@given(MESSAGES, st.integers(min_value=100, max_value=1200))
def test_conversation_fits_and_keeps_both_ends(messages, limit):
    turns = taken_in_turns(messages)
    kept = truncated(messages, limit)
    assert sum(len(turn.text) for turn in kept) <= limit
    assert [turn.role for turn in kept[:2]] == ["system", "user"]
    assert [turn.role for turn in kept[-2:]] == [turn.role for turn in turns[-2:]]
    assert all(one.role != other.role for one, other in pairwise(kept))
    if sum(len(turn.text) for turn in turns) <= limit:
        assert kept == turns


@given(MESSAGES, st.integers(min_value=300, max_value=1200))
def test_kept_end_is_contiguous_and_maximal(messages, limit):
    turns = taken_in_turns(messages)
    kept = truncated(messages, limit)
    if all(turn in turns for turn in kept):
        tail = kept[2:]
        assert turns[len(turns) - len(tail) :] == tail
        more = turns[len(turns) - len(tail) - 2 :]
        if len(tail) < len(turns) - 2:
            assert sum(len(turn.text) for turn in (*turns[:2], *more)) > limit


def test_old_messages_are_dropped_in_pairs():
    turns = [
        said("system", "s"),
        said("user", "u"),
        *[said(role, str(n) * 40) for n in range(3) for role in ("assistant", "user")],
    ]
    kept = truncated(turns, 200)
    assert [(turn.role, turn.text[:1]) for turn in kept] == [
        ("system", "s"), ("user", "u"), ("assistant", "1"), ("user", "1"), ("assistant", "2"), ("user", "2"),
    ]  # fmt: skip


def test_repeated_turns_of_one_role_merge():
    turns = [said("user", "a"), said("assistant", " "), said("user", "a"), said("user", "b")]
    assert taken_in_turns(turns) == (said("user", "a\n\nb"),)


def test_the_longest_text_loses_its_middle():
    kept = truncated(
        [said("system", "s" * 10), said("user", "x" * 500), said("assistant", "y"), said("user", "z")], 112
    )
    assert kept[0].text == "s" * 10
    assert kept[1].text == "x" * 48 + OMISSION + "x" * 47
    assert len(kept[1].text) == 100


@given(st.text(max_size=50), st.integers(min_value=0, max_value=60))
def test_shortened_text_uses_its_full_length(text, characters):
    assert len(shortened(text, characters)) == min(len(text), characters)


def test_tokens_are_rather_over_than_under():
    assert [tokens_of("x" * count) for count in (0, 1, 7, 8)] == [0, 1, 2, 3]
