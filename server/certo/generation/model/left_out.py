"""What is said of answers that a conversation has no room for any more: what each did, and what was wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from certo.edits.kinds import kind_of_change
from certo.generation.generator import Attempt
from certo.vocabulary.problem import Problem

_MOST = 12
"""So many answers are told of, the last ones."""

_CHARACTERS = 240
"""How much is said of each."""


def left_out(problem: Problem, attempts: Sequence[Attempt]) -> str:
    """One line for each attempt, or nothing where there are none: its kind of edit, who refused it, and why."""
    if not attempts:
        return ""
    lines = [f"- {line}" for line in _lines(problem, attempts[-_MOST:])]
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
