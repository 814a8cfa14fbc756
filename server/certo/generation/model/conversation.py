"""Conversation with a model: alternation of roles, and truncation to a maximum length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from certo.analysis.edit_kinds import kind_of_change
from certo.generation.generator import Attempt
from certo.llm.prompt import Message
from certo.vocabulary.problem import Problem

CHARACTERS_PER_TOKEN = 3.5
"""Characters of English and Python per token, a low estimate so that sizes are overestimated."""

OMISSION = "\n[…]\n"
"""Replacement for the middle of a text that was cut."""


def tokens_of(text: str) -> int:
    """Return the number of tokens of a text, an upper estimate."""
    return -int(-len(text) // CHARACTERS_PER_TOKEN)


def characters_for(tokens: int) -> int:
    """Return the number of characters that fit in a number of tokens."""
    return int(tokens * CHARACTERS_PER_TOKEN)


def taken_in_turns(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages without empty ones and with adjacent ones of one role merged, so that roles alternate.

    Repeated texts of one role in a row are kept once.
    """
    turns: list[Message] = []
    for message in messages:
        text = message.text.strip()
        if not text and not message.images:
            continue
        if not turns or turns[-1].role != message.role:
            turns.append(replace(message, text=text))
        elif turns[-1].text != text or message.images:
            last = turns[-1]
            both = "\n\n".join(filter(None, (last.text, text)))
            turns[-1] = replace(last, text=both, images=(*last.images, *message.images))
    return tuple(turns)


def truncated(messages: Sequence[Message], characters: int) -> tuple[Message, ...]:
    """Return the conversation within a number of characters, at least 100: its beginning and its end.

    Kept are the system's message, the user's first, the last two, and before these as many whole pairs of turns as fit,
    so only the oldest pairs are missing. If even that is too long, the longest texts lose their middle.
    """
    turns = taken_in_turns(messages)
    opening = next((number for number, turn in enumerate(turns) if turn.role == "user"), 0) + 1
    start = len(turns)
    kept = turns
    for start in range(opening, max(opening + 1, len(turns) - 1), 2):
        kept = (*turns[:opening], *turns[start:])
        if _size(kept) <= characters:
            return kept
    return _cut_down(kept, characters)


def shortened(text: str, characters: int) -> str:
    """Return a text within a number of characters, without its middle where it is longer."""
    if len(text) <= characters:
        return text
    room = characters - len(OMISSION)
    if room < 2:
        return text[: max(0, characters)]
    head = (room + 1) // 2
    return text[:head] + OMISSION + text[len(text) - (room - head) :]


def _size(messages: Sequence[Message]) -> int:
    return sum(len(message.text) for message in messages)


def _cut_down(messages: Sequence[Message], characters: int) -> tuple[Message, ...]:
    """Shorten the longest messages, each to the space that the shorter ones leave."""
    room = characters
    cut = list(messages)
    order = sorted(range(len(cut)), key=lambda index: len(cut[index].text))
    for done, index in enumerate(order):
        share = room // (len(order) - done)
        cut[index] = replace(cut[index], text=shortened(cut[index].text, share))
        room -= len(cut[index].text)
    return tuple(cut)


_MAX_ITEMS = 12
"""Maximum number of answers mentioned, the last ones."""

_CHARACTERS = 240
"""Maximum length of each mention."""


def left_out(problem: Problem, attempts: Sequence[Attempt]) -> str:
    """Return a line per attempt: its kind of edit, the verifier that refused it, and why; empty if there are none."""
    if not attempts:
        return ""
    lines = [f"- {line}" for line in _lines(problem, attempts[-_MAX_ITEMS:])]
    return "\n".join(["## Earlier answers of yours that are left out here", "", *lines])


def _lines(problem: Problem, attempts: Sequence[Attempt]) -> Iterator[str]:
    for attempt in attempts:
        kind = kind_of_change(problem.text, attempt.candidate.text, problem.target.span)
        failure = attempt.report.failure
        if failure is None:
            yield f"one that {kind} passed"
            continue
        said = failure.findings[0].message if failure.findings else "it said no more"
        yield " ".join(f"one that {kind} was refused by `{failure.verifier}`: {said}".split())[:_CHARACTERS]
