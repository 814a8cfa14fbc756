"""Request and messages of the guest program that searches."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from certo.behaviour.call_pool import KINDS, MAX_MESSAGES, pool_request
from certo.behaviour.question import question_for
from certo.edits.alignment import changed_tokens
from certo.edits.patch import apply_edits, edits_between
from certo.edits.source import read_source
from certo.edits.target import ByName, definition_of, find_target
from certo.generation.builtin.options import BuiltinOptions
from certo.generation.generator import Proposal
from certo.sandbox.executor import Message
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Problem, SecondFunction, Target
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
    """Return the candidate to continue from, if it is readable, and then the problem's own text.

    Two functions are searched from the problem's own text alone.
    """
    own = Beginning(problem.text, problem.target)
    start = problem.guidance.start
    if problem.target.second is not None:
        return (Beginning(problem.text, find_target(problem.text, ByName.of(problem.target), path=problem.path)),)
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
        "second": _second(problem),
    }


def _second(problem: Problem) -> dict[str, Any] | None:
    """Return the JSON object that `certo_builtin.question` reads for the second function, if there is one."""
    second = problem.target.second
    if second is None:
        return None
    return {
        "path": second.path,
        "text": _text_of(second, problem),
        "qualname": second.target.qualname,
        "start": second.target.span.start,
        "end": second.target.span.end,
        "line": second.target.line,
        "docstring": second.target.docstring,
    }


def _text_of(second: SecondFunction, problem: Problem) -> str:
    """Return the text of the second function's document.

    Raises:
        BadRequest: It cannot be read any more, or the function has moved in it.
    """
    if second.path == problem.path:
        return problem.text
    text = problem.unsaved[second.path] if second.path in problem.unsaved else read_source(problem.root / second.path)
    if find_target(text, ByName.of(second.target), path=second.path) != second.target:
        raise BadRequest(f"{second.path} has changed since the search began; start a new search")
    return text


def _selected(problem: Problem, beginning: Beginning) -> tuple[int, int] | None:
    """Return the first and last selected line; None in a candidate to continue from."""
    if problem.selected is None or beginning.text != problem.text:
        return None
    first = problem.text.count("\n", 0, problem.selected.start) + 1
    return first, first + problem.text.count("\n", problem.selected.start, problem.selected.end)


_MAX_CHARACTERS = 1024 * 1024


class _CandidateMessage(BaseModel, strict=True, defer_build=True):
    """The search program's message about a candidate: each edit is its start, its end, and the new text."""

    kind: Literal["candidate"]
    edits: list[Annotated[tuple[int, int, str], Field(strict=False)]] = Field(min_length=1, max_length=100)
    note: str = Field(max_length=1000)
    weight: float
    confidence: float | None
    asked: bool = False
    suspicion: float | None = Field(default=None, ge=0, le=1)


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
    second_text: str | None = field(default=None, init=False)

    def hear(self, message: Message) -> None:
        """Add the candidate or call of a message.

        The program shares its process with the user's code, so its messages are not trusted: one that is malformed, or
        edits anything outside the functions that may be changed, is ignored.
        """
        if message.get("kind") in KINDS:
            self.calls += [message] if len(self.calls) < MAX_MESSAGES else []
            return
        if len(self.found) >= self.most:
            return
        try:
            told = _CandidateMessage.model_validate(message)
            edits = tuple(sorted(TextEdit(Span(start, end), text) for start, end, text in told.edits))
            edits, others = self._parted(edits)
            text = apply_edits(self.beginning.text, edits)
            elsewhere = {path: apply_edits(before, others) for path, before in self._second_file() if others}
        except (ValidationError, ValueError, BadRequest):
            return
        if not self._is_within(edits, others) or self._grows_too_much(text, elsewhere):
            return
        self.found.append(
            PlausibleCandidate(
                proposal=Proposal(
                    edits=self._moved(edits, text), note=told.note, elsewhere=elsewhere, suspicion=told.suspicion
                ),
                edits=edits,
                weight=told.weight if math.isfinite(told.weight) else 0.0,
                tokens=self._tokens(text, elsewhere),
                confidence=told.confidence,
                asked=told.asked,
            )
        )

    def _second_file(self) -> Iterator[tuple[str, str]]:
        """Yield path and text of the second function's file, if that is another one."""
        second = self.problem.target.second
        if second is not None and second.path != self.problem.path:
            # Once, as the user may save the file at any time.
            if self.second_text is None:
                self.second_text = _text_of(second, self.problem)
            yield second.path, self.second_text

    def _parted(self, edits: tuple[TextEdit, ...]) -> tuple[tuple[TextEdit, ...], tuple[TextEdit, ...]]:
        """Return the edits of the document, and those of the second function's file.

        The program counts the offsets of that file on from those of the document, with one between them.
        """
        if not any(True for _ in self._second_file()):
            return edits, ()
        behind = len(self.beginning.text) + 1
        own = tuple(edit for edit in edits if edit.span.start < behind)
        others = (
            TextEdit(Span(edit.span.start - behind, edit.span.end - behind), edit.replacement)
            for edit in edits[len(own) :]
        )
        return own, tuple(others)

    def _is_within(self, edits: tuple[TextEdit, ...], others: tuple[TextEdit, ...]) -> bool:
        """True if the edits stay in the functions that may be changed."""
        spans, second = [self.beginning.target.span], self.problem.target.second
        if second is not None and second.path == self.problem.path:
            spans.append(second.target.span)
        return all(any(span.contains(edit.span) for span in spans) for edit in edits) and all(
            second is not None and second.target.span.contains(edit.span) for edit in others
        )

    def _grows_too_much(self, text: str, elsewhere: Mapping[str, str]) -> bool:
        before = len(self.beginning.text) + sum(len(text) for _, text in self._second_file())
        return len(text) + sum(map(len, elsewhere.values())) > before + _MAX_CHARACTERS

    def _tokens(self, text: str, elsewhere: Mapping[str, str]) -> int:
        """Return the number of tokens that a candidate changes."""
        second = self.problem.target.second
        whole = self.problem.target if second is not None else self.beginning.target
        own = changed_tokens(*_both(self.beginning.text, whole, text))
        if second is None:
            return own
        return own + sum(
            changed_tokens(*_both(before, second.target, elsewhere[path]))
            for path, before in self._second_file()
            if path in elsewhere
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
