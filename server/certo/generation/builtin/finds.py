"""What a search found: candidates that passed the checks there, and the calls that these checks make."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from certo.edits.patch import apply_edits, edits_between
from certo.edits.size import changed_tokens
from certo.generation.builtin.request import Beginning
from certo.generation.generator import Proposal
from certo.sandbox.executor import Message
from certo.vocabulary.problem import Problem, Target
from certo.vocabulary.text import Span, TextEdit


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """A candidate as the search found it: `edits` are over the text that it began with.

    `weight` says how likely it is among the others, `tokens` how much of that text it changes. `confidence` says how
    far examples speak for code that was made to fit them, in bits of their results for each part of it; None where
    code was changed that was there.
    """

    proposal: Proposal
    edits: tuple[TextEdit, ...]
    weight: float
    tokens: int
    confidence: float | None = None


@dataclass(slots=True)
class Finds:
    """All that one search from one beginning tells of what it found, in the order in which it came."""

    problem: Problem
    beginning: Beginning
    found: list[Find] = field(default_factory=list)
    calls: list[Message] = field(default_factory=list)

    def hear(self, message: Message) -> None:
        """Take in what is told of a candidate or of a call.

        The program shares its process with the user's code, so what it says is not taken on trust: a candidate that
        would edit anything outside the target is none.
        """
        if message["kind"] == "call":
            self.calls.append(message)
            return
        edits = tuple(sorted(TextEdit(Span(start, end), text) for start, end, text in message["edits"]))
        if not edits or not all(self.beginning.target.span.contains(edit.span) for edit in edits):
            return
        try:
            text = apply_edits(self.beginning.text, edits)
        except ValueError:
            return
        weight, confidence = float(message["weight"]), message["confidence"]
        self.found.append(
            Find(
                proposal=Proposal(edits=self._moved(edits, text), note=message["note"]),
                edits=edits,
                weight=weight if math.isfinite(weight) else 0.0,
                tokens=changed_tokens(*_both(self.beginning.text, self.beginning.target, text)),
                confidence=None if confidence is None else float(confidence),
            )
        )

    def _moved(self, edits: tuple[TextEdit, ...], text: str) -> tuple[TextEdit, ...]:
        """The edits as edits of the problem's text."""
        if self.beginning.text == self.problem.text:
            return edits
        start = self.problem.target.span.start
        return tuple(
            TextEdit(Span(edit.span.start + start, edit.span.end + start), edit.replacement)
            for edit in edits_between(*_both(self.problem.text, self.problem.target, text))
        )


def _both(before: str, target: Target, after: str) -> tuple[str, str]:
    """The target in a text and in another one that differs from it there alone."""
    span, behind = target.span, len(before) - target.span.end
    return before[span.start : span.end], after[span.start : len(after) - behind]
