"""A small problem and its candidates, on which plug-ins are tested; none of it is run."""

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
"""The faulty function, which is its whole file."""

PATIENCE = 10.0
"""Seconds after which a plug-in counts as hanging."""

Answer = TypeVar("Answer")


def problem_about(text: str = HALF, qualname: str = "half") -> Problem:
    """Return a problem about a function of a file with this text, with one failing test."""
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
    """Return the candidate that replaces the problem's target by this code."""
    return candidate_of((TextEdit(problem.target.span, code.rstrip("\n")),), problem)


def candidate_of(edits: tuple[TextEdit, ...], problem: Problem) -> Candidate:
    """Return the candidate that these edits make."""
    fitting = fit_newlines(edits, problem.text)
    text = apply_edits(problem.text, fitting)
    return Candidate(id=candidate_id(problem.text, text), edits=fitting, text=text, origin=Origin(generator="contract"))


def awaited(work: Callable[[], Awaitable[Answer]]) -> Answer:
    """Return the result of `work`.

    Raises:
        TimeoutError: It takes longer than PATIENCE.
    """

    async def bounded() -> Answer:
        with anyio.move_on_after(PATIENCE):
            return await work()
        raise TimeoutError(f"it has not ended within {PATIENCE:g} s")

    return anyio.run(bounded)
