"""Request and messages of the guest program that searches."""

from __future__ import annotations

import math
from dataclasses import field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from certo.behaviour.call_pool import KINDS, MAX_MESSAGES, pool_request
from certo.behaviour.question import question_for
from certo.edits.alignment import changed_tokens
from certo.edits.patch import apply_edits, edits_between
from certo.edits.target import ByName, definition_of, find_target
from certo.generation.builtin.options import BuiltinOptions
from certo.generation.generator import Proposal
from certo.sandbox.executor import Message
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Problem, Target
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import Span, TextEdit

MAX_CALLS = 160
"""Number of calls that candidates are compared on."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """A version of the document from which a search starts, and the target in it."""

    text: str
    target: Target


def beginnings(problem: Problem) -> tuple[Beginning, ...]:
    """Return the candidate to continue from, if it is readable, and then the problem's own text."""
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
    """Return the JSON object that `certo_builtin.question.read` reads, with the pool to compare candidates on."""
    definition = definition_of(beginning.text, beginning.target)
    pool = pool_request(definition, beginning.target.qualname, most=MAX_CALLS) if definition is not None else None
    return {
        **question_for(problem, beginning.text, beginning.target, seconds=options.seconds, seed=seed, pool=pool),
        "selected": _selected(problem, beginning),
        "steps": options.steps,
        "candidates": options.candidates,
        "plausible": options.plausible,
        "unwanted": [remark.candidate.text for remark in problem.guidance.remarks],
    }


def _selected(problem: Problem, beginning: Beginning) -> tuple[int, int] | None:
    """Return the first and last selected line; None in a candidate to continue from."""
    if problem.selected is None or beginning.text != problem.text:
        return None
    first = problem.text.count("\n", 0, problem.selected.start) + 1
    return first, first + problem.text.count("\n", problem.selected.start, problem.selected.end)


_MAX_CHARACTERS = 1024 * 1024


class _CandidateMessage(BaseModel, strict=True):
    """The search program's message about a candidate: each edit is its start, its end, and the new text."""

    kind: Literal["candidate"]
    edits: list[Annotated[tuple[int, int, str], Field(strict=False)]] = Field(min_length=1, max_length=100)
    note: str = Field(max_length=1000)
    weight: float
    confidence: float | None
    asked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlausibleCandidate:
    """A candidate as the search found it: `edits` apply to its starting text.

    `weight` is its probability relative to the others, `tokens` the size of its change. `confidence` is the evidence of
    examples for synthesised code, in bits per part; None for an edit of existing code. `asked` is True if failing tests
    ask for an edit of its kind, such as a refusal where they wait for an exception in vain.
    """

    proposal: Proposal
    edits: tuple[TextEdit, ...]
    weight: float
    tokens: int
    confidence: float | None = None
    asked: bool = False


@dataclass(slots=True)
class PlausibleCandidates:
    """Candidates and calls reported by one search from one starting text, bounded in number, in order."""

    problem: Problem
    beginning: Beginning
    most: int
    found: list[PlausibleCandidate] = field(default_factory=list)
    calls: list[Message] = field(default_factory=list)

    def hear(self, message: Message) -> None:
        """Add the candidate or call of a message.

        The program shares its process with the user's code, so its messages are not trusted: one that is malformed, or
        edits anything outside the target, is ignored.
        """
        if message.get("kind") in KINDS:
            self.calls += [message] if len(self.calls) < MAX_MESSAGES else []
            return
        if len(self.found) >= self.most:
            return
        try:
            told = _CandidateMessage.model_validate(message)
            edits = tuple(sorted(TextEdit(Span(start, end), text) for start, end, text in told.edits))
            text = apply_edits(self.beginning.text, edits)
        except (ValidationError, ValueError):
            return
        within = all(self.beginning.target.span.contains(edit.span) for edit in edits)
        if not within or len(text) > len(self.beginning.text) + _MAX_CHARACTERS:
            return
        self.found.append(
            PlausibleCandidate(
                proposal=Proposal(edits=self._moved(edits, text), note=told.note),
                edits=edits,
                weight=told.weight if math.isfinite(told.weight) else 0.0,
                tokens=changed_tokens(*_both(self.beginning.text, self.beginning.target, text)),
                confidence=told.confidence,
                asked=told.asked,
            )
        )

    def _moved(self, edits: tuple[TextEdit, ...], text: str) -> tuple[TextEdit, ...]:
        """Return the edits as edits of the problem's text."""
        if self.beginning.text == self.problem.text:
            return edits
        start = self.problem.target.span.start
        return tuple(
            TextEdit(Span(edit.span.start + start, edit.span.end + start), edit.replacement)
            for edit in edits_between(*_both(self.problem.text, self.problem.target, text))
        )


def _both(before: str, target: Target, after: str) -> tuple[str, str]:
    """Return the target in a text and in another one that differs from it only there."""
    span, behind = target.span, len(before) - target.span.end
    return before[span.start : span.end], after[span.start : len(after) - behind]
