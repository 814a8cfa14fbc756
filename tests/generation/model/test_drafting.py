"""An answer is shown while it is written: twenty times a second at most, less often where that takes long."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import pytest

from certo.edits.patch import apply_edits
from certo.generation.generator import Draft
from certo.generation.model.answer_stream import DRAFT_PAUSE_SECONDS, MAX_CHARACTERS, SHARE, DraftReader
from certo.llm.prompt import Delta
from support.models.model_generator import block, problem_of

PROBLEM = problem_of("def f(x):\n    return 1\n")
ANSWER = block("def f(x):\n    y = x + 1\n    z = y + 1\n    return z\n")


class Clock:
    """A clock that stands still but for what is added."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def deltas(text: str, size: int) -> Iterator[Delta]:
    return (Delta(text=text[at : at + size], at=at) for at in range(0, len(text), size))


def texts(drafts: list[Draft]) -> list[str]:
    return [apply_edits(PROBLEM.text, draft.edits) for draft in drafts]


def test_drafts_show_lines_and_end_as_candidate():
    drafts: list[Draft] = []
    clock = Clock()
    drafting = DraftReader(problem=PROBLEM, model="a:1", tell=drafts.append, now=clock)
    for delta in deltas(ANSWER, 3):
        clock.seconds += DRAFT_PAUSE_SECONDS
        drafting.hear(delta)
    shown = texts(drafts)
    assert shown[-1] == "def f(x):\n    y = x + 1\n    z = y + 1\n    return z\n"
    assert "def f(x):\n    y = x + 1\n    z = y + 1\n" in shown
    assert len(set(shown)) == len(shown), "no draft is told twice in a row"
    assert {draft.model for draft in drafts} == {"a:1"}


def test_drafts_keep_their_distance():
    drafts: list[Draft] = []
    clock = Clock()
    drafting = DraftReader(problem=PROBLEM, model="a:1", tell=drafts.append, now=clock)
    lines = "".join(f"    x = {number}\n" for number in range(100))
    for delta in deltas(f"```python\ndef f(x):\n{lines}", 10):
        clock.seconds += DRAFT_PAUSE_SECONDS / 4
        drafting.hear(delta)
    many = len(f"```python\ndef f(x):\n{lines}") // 10
    assert many / 5 - 2 <= len(drafts) <= many / 4 + 1


def test_first_line_is_shown_however_fast():
    drafts: list[Draft] = []
    drafting = DraftReader(problem=PROBLEM, model="a:1", tell=drafts.append, now=Clock())
    for delta in deltas(ANSWER, 3):
        drafting.hear(delta)
    assert texts(drafts) == ["def f(x):\n"]


def test_early_text_waits_for_the_interval():
    drafts: list[Draft] = []
    clock = Clock()
    drafting = DraftReader(problem=PROBLEM, model="a:1", tell=drafts.append, now=clock)
    for delta in deltas(ANSWER, 3):
        drafting.hear(delta)
    assert drafting.patience == pytest.approx(DRAFT_PAUSE_SECONDS)
    drafting.catch_up()
    assert len(drafts) == 1, "the pause is not over"
    clock.seconds += DRAFT_PAUSE_SECONDS
    drafting.catch_up()
    assert texts(drafts)[1:] == ["def f(x):\n    y = x + 1\n    z = y + 1\n    return z\n"]
    assert drafting.patience == math.inf
    clock.seconds += DRAFT_PAUSE_SECONDS
    drafting.catch_up()
    assert len(drafts) == 2, "nothing new has come"


def test_drafts_that_take_long_come_less_often():
    told: list[float] = []
    clock = Clock()

    def slow(draft: Draft) -> None:
        told.append(clock.seconds)
        clock.seconds += 1.0

    drafting = DraftReader(problem=PROBLEM, model="a:1", tell=slow, now=clock)
    lines = "".join(f"    x = {number}\n" for number in range(300))
    for delta in deltas(f"```python\ndef f(x):\n{lines}", 10):
        clock.seconds += 0.5
        drafting.hear(delta)
    assert len(told) > 2
    assert min(later - earlier for earlier, later in pairwise(told)) >= 1.0 / SHARE


def test_restarted_answer_is_drafted_anew():
    drafts: list[Draft] = []
    clock = Clock()
    drafting = DraftReader(problem=PROBLEM, model="a:1", tell=drafts.append, now=clock)
    drafting.hear(Delta(text=block("def f(x):\n    return 2"), at=0))
    clock.seconds += 1.0
    drafting.hear(Delta(text=block("def f(x):\n    return 3"), at=0))
    assert texts(drafts) == ["def f(x):\n    return 2\n", "def f(x):\n    return 3\n"]


def test_long_or_codeless_answers_are_not_drafted():
    drafts: list[Draft] = []
    for text in ("I think that", "x" * MAX_CHARACTERS + ANSWER):
        DraftReader(problem=PROBLEM, model="a:1", tell=drafts.append).hear(Delta(text=text, at=0))
    assert drafts == []
