"""Telling of a candidate while a language model writes it."""

from __future__ import annotations

from certo.edits.diff import unified
from certo.edits.patch import apply_edits, fit_newlines
from certo.generation.generator import Ask, Draft, Piece
from certo.search.telling import Telling
from certo.vocabulary.events import CandidateDrafted, CandidateWritten
from certo.vocabulary.problem import Problem


def tell_drafted(telling: Telling, problem: Problem, ask: Ask, draft: Draft) -> None:
    """Tell what a candidate would change that is still being written."""
    text = apply_edits(problem.text, fit_newlines(draft.edits, problem.text))
    span = problem.target.span
    behind = len(problem.text) - span.end
    telling.tell(
        CandidateDrafted,
        slot=ask.slot,
        attempt=ask.attempt,
        model=draft.model,
        lines=len(text[span.start : len(text) - behind].splitlines()),
        diff=unified(problem.text, text, problem.path),
    )


def tell_written(telling: Telling, ask: Ask, piece: Piece) -> None:
    """Tell what a language model has written of its answer since the last time."""
    telling.tell(
        CandidateWritten,
        slot=ask.slot,
        attempt=ask.attempt,
        model=piece.model,
        at_character=piece.at,
        text=piece.text,
    )
