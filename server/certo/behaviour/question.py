"""The request that a guest program with the project's tests reads: one target in one text, and its tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from certo.vocabulary.problem import Problem, Target


def question_for(
    problem: Problem,
    text: str,
    target: Target,
    *,
    seconds: float | None,
    seed: int,
    pool: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the JSON object that `certo_builtin.question.read` reads, with no limit but `seconds`.

    `text` is a version of the problem's document, and `target` the problem's target in it. With a `pool`, see
    `pool_request`, the program also reports calls that it makes up.
    """
    return {
        "root": str(problem.root),
        "path": problem.path,
        "text": text,
        "qualname": target.qualname,
        "start": target.span.start,
        "end": target.span.end,
        "line": target.line,
        "is_hole": target.is_hole,
        "docstring": target.docstring,
        "instruction": problem.instruction,
        "selected": None,
        "failing": [test.id for test in problem.baseline.failing],
        "passing": [test.id for test in problem.baseline.passing],
        "examples": [
            {"id": one.id, "source": one.source, "expected": one.expected, "equals": one.equals}
            for one in (*problem.examples, *problem.guidance.examples)
        ],
        "seconds": seconds,
        "steps": 0,
        "candidates": 0,
        "seed": seed,
        "plausible": 0,
        "unwanted": [],
        "second": None,
        "pool": pool,
    }
