"""How a problem is put to the search program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from certo.edits.target import ByName, find_target
from certo.generation.builtin.options import BuiltinOptions
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Problem, Target


@dataclass(frozen=True, slots=True)
class Beginning:
    """A text of the document that a search starts from, and the target as it stands there."""

    text: str
    target: Target


def beginnings(problem: Problem) -> tuple[Beginning, ...]:
    """The candidate to go on from, when there is one that can be read, and then the problem's own text."""
    own = Beginning(problem.text, problem.target)
    start = problem.guidance.start
    if start is None:
        return (own,)
    try:
        target = find_target(start.text, ByName.of(problem.target), path=problem.path)
    except BadRequest:
        return (own,)
    return Beginning(start.text, target), own


def request_for(problem: Problem, beginning: Beginning, options: BuiltinOptions, seed: int) -> dict[str, Any]:
    """The JSON object that `certo_builtin.question.read` reads."""
    target = beginning.target
    return {
        "root": str(problem.root),
        "path": problem.path,
        "text": beginning.text,
        "qualname": target.qualname,
        "start": target.span.start,
        "end": target.span.end,
        "line": target.line,
        "is_hole": target.is_hole,
        "docstring": target.docstring,
        "instruction": problem.instruction,
        "selected": _selected(problem, beginning),
        "failing": [test.id for test in problem.baseline.failing],
        "passing": [test.id for test in problem.baseline.passing],
        "examples": [
            {"id": one.id, "source": one.source, "expected": one.expected, "equals": one.equals}
            for one in (*problem.examples, *problem.guidance.examples)
        ],
        "seconds": options.seconds,
        "steps": options.steps,
        "candidates": options.candidates,
        "seed": seed,
        "plausible": options.plausible,
        "unwanted": [remark.candidate.text for remark in problem.guidance.remarks],
    }


def _selected(problem: Problem, beginning: Beginning) -> tuple[int, int] | None:
    """The first and the last line that the user has selected; a candidate to go on from has none of these."""
    if problem.selected is None or beginning.text != problem.text:
        return None
    first = problem.text.count("\n", 0, problem.selected.start) + 1
    return first, first + problem.text.count("\n", problem.selected.start, problem.selected.end)
