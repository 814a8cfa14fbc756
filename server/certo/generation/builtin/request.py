"""How a problem is put to the search program, and how its finds are read."""

from __future__ import annotations

from typing import Any

from certo.generation.builtin.options import BuiltinOptions
from certo.generation.generator import Proposal
from certo.sandbox.executor import Message
from certo.vocabulary.problem import Problem
from certo.vocabulary.text import Span, TextEdit


def request_for(problem: Problem, options: BuiltinOptions, seed: int) -> dict[str, Any]:
    """The JSON object that `certo_builtin.question.read` reads."""
    target = problem.target
    return {
        "root": str(problem.root),
        "path": problem.path,
        "text": problem.text,
        "qualname": target.qualname,
        "start": target.span.start,
        "end": target.span.end,
        "line": target.line,
        "is_hole": target.is_hole,
        "docstring": target.docstring,
        "instruction": problem.instruction,
        "failing": [test.id for test in problem.baseline.failing],
        "passing": [test.id for test in problem.baseline.passing],
        "examples": [
            {"source": example.source, "expected": example.expected, "line": example.line}
            for example in problem.examples
        ],
        "seconds": options.seconds,
        "candidates": options.candidates,
        "seed": seed,
        "plausible": options.plausible,
    }


def proposal_of(message: Message, target: Span) -> Proposal | None:
    """Read a find; None for one that would edit anything outside the target.

    The program shares its process with the user's code, so what it says is not taken on trust.
    """
    edits = tuple(TextEdit(Span(start, end), text) for start, end, text in message["edits"])
    if not edits or not all(target.contains(edit.span) for edit in edits):
        return None
    return Proposal(edits=edits, note=message["note"])
