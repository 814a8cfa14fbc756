"""What of a candidate a judge gets to see."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

from certo.edits.changes import whole_diff
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem

Field: TypeAlias = Literal["code", "diff", "file", "instruction"]
"""The target's new text alone, the change, the whole new file, and what the user asked for."""


def seen(candidate: Candidate, problem: Problem, fields: Sequence[Field]) -> Mapping[str, str]:
    """The texts of a candidate that were asked for, by their names."""
    return {field: _FIELDS[field](candidate, problem) for field in fields}


def _code(candidate: Candidate, problem: Problem) -> str:
    """The target as the candidate has it, from its first decorator on, without the indentation of what is around it."""
    span, grown = problem.target.span, len(candidate.text) - len(problem.text)
    line_start = problem.text.rfind("\n", 0, span.start) + 1
    before = problem.text[line_start : span.start]
    return textwrap.dedent((before if before.isspace() else "") + candidate.text[span.start : span.end + grown])


_FIELDS: Mapping[Field, Callable[[Candidate, Problem], str]] = {
    "code": _code,
    "diff": whole_diff,
    "file": lambda candidate, _: candidate.text,
    "instruction": lambda _, problem: problem.instruction,
}
