"""A small problem and its candidates, on which parts of others are tried; nothing of it is run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import anyio

from certo.edits.patch import apply_edits, fit_newlines
from certo.edits.target import ByName, examples, find_target
from certo.vocabulary.candidate import Candidate, Origin, candidate_id
from certo.vocabulary.problem import Baseline, Goal, KnownTest, Problem
from certo.vocabulary.text import TextEdit
from certo.vocabulary.verdict import Ruling

HALF = "def half(n):\n    return n\n"
"""The function that is wrong, and all of its file."""

PATIENCE = 10.0
"""Seconds after which a part is taken to wait for ever."""

Answer = TypeVar("Answer")


def problem_about(text: str = HALF, qualname: str = "half") -> Problem:
    """A problem about a function of a file that is nothing but this text, with one red test."""
    target = find_target(text, ByName(qualname), path="plugged.py")
    red = KnownTest(id=f"test_plugged.py::test_{target.name}", ruling=Ruling.FAILED, message="assert 4 == 2")
    return Problem(
        root=Path.cwd(),
        path="plugged.py",
        text=text,
        target=target,
        goal=Goal.REPAIR,
        examples=examples(target, text),
        baseline=Baseline(tests=(red,)),
    )


def candidate_with(code: str, problem: Problem) -> Candidate:
    """The candidate that puts this code in the place of the problem's target."""
    return candidate_of((TextEdit(problem.target.span, code.rstrip("\n")),), problem)


def candidate_of(edits: tuple[TextEdit, ...], problem: Problem) -> Candidate:
    """The candidate that these edits make."""
    fitting = fit_newlines(edits, problem.text)
    text = apply_edits(problem.text, fitting)
    return Candidate(id=candidate_id(problem.text, text), edits=fitting, text=text, origin=Origin(generator="contract"))


def awaited(work: Callable[[], Awaitable[Answer]]) -> Answer:
    """What comes of some work; it is an error that it takes for ever, as it is for whoever waits for a search.

    Raises:
        TimeoutError: it does.
    """

    async def bounded() -> Answer:
        with anyio.move_on_after(PATIENCE):
            return await work()
        raise TimeoutError(f"it has not ended within {PATIENCE:g} s")

    return anyio.run(bounded)
