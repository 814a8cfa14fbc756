"""Search for faster candidates: templates are applied, tried on larger calls, compared, and combined."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import field

from certo.behaviour.speed_measurement import RoughTrial, find_workload
from certo.behaviour.subject import Subject, subject_of
from certo.behaviour.version_comparison import ComparisonBudget, compare_versions
from certo.edits.patch import edits_between
from certo.generation.faster.templates import FasterText, changed
from certo.generation.generator import Ask, Declined, Proposal
from certo.sandbox.executor import Executor, Interpreter
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import Span, TextEdit

WORTH = 1.1
"""Ratio of one rough trial from which a candidate is worth more work."""

MAX_KEPT = 3
"""Number of candidates that are combined further, and that are proposed."""

MAX_STEPS = 3
"""Number of templates that are applied one after the other."""

COMPARED = ComparisonBudget(calls=600, seconds=5.0, is_other_reference=False)
"""Limits of the comparison that sorts candidates out; the verifier's own is larger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tried:
    """A candidate that is faster in a rough trial, and no different on a few hundred calls."""

    made: FasterText
    ratio: float


@dataclass(slots=True)
class FasterProposer:
    """Proposes candidates that are faster in a rough trial, the fastest first."""

    problem: Problem
    subject: Subject
    say: Callable[[str], None]
    _found: list[Proposal] | None = None
    _reason: str = ""
    _texts: set[str] = field(default_factory=set)

    async def propose(self, ask: Ask, /) -> Proposal | Declined:  # noqa: ARG002 - the search needs no feedback
        """Return the next candidate.

        Raises:
            BrokenWorld: Nothing can be run here.
        """
        if self._found is None:
            self._found = []
            self._found = await self._search()
        if self._found:
            return self._found.pop(0)
        return Declined(reason=self._reason or "no further change that certo knows makes it faster")

    async def _search(self) -> list[Proposal]:
        if self.subject.callee is None:
            self._reason = f"{self.problem.target.short_name} cannot be called from outside, so it cannot be measured"
            return []
        best: list[_Tried] = []
        starts: list[_Tried | None] = [None]
        for _ in range(MAX_STEPS):
            made = [one for start in starts for one in self._changed(start)]
            if not made:
                break
            self.say(f"trying {len(made)} changes that may make it faster")
            tried = await self._faster(made)
            before = best[0].ratio if best else 1.0
            best = sorted([*best, *tried], key=lambda one: -one.ratio)[:MAX_KEPT]
            starts = [one for one in tried if one in best]
            if not starts or best[0].ratio < WORTH * before:
                break
        if not best and not self._reason:
            self._reason = "no change that certo knows makes it faster without a difference"
        return [self._proposal(one) for one in best]

    def _changed(self, start: _Tried | None) -> list[FasterText]:
        """Return changes of the function that were not tried yet."""
        found = []
        for one in changed(self.problem.text, self.subject.definition.node, start.made if start else None):
            if one.text not in self._texts:
                self._texts.add(one.text)
                found.append(one)
        return found

    async def _faster(self, made: Sequence[FasterText]) -> list[_Tried]:
        """Return the candidates that are worth more work, the fastest first."""
        workload = await find_workload(self.subject, [self._edits(one) for one in made])
        if workload.trouble:
            self._reason = workload.trouble
            return []
        trials = zip(made, workload.trials, strict=True)
        rough = [_Tried(made=one, ratio=trial.ratio) for one, trial in trials if trial is not None and _is_worth(trial)]
        worth = sorted(rough, key=lambda one: -one.ratio)[: 2 * MAX_KEPT]
        if not worth:
            return []
        compared = await compare_versions(self.subject, [self._edits(one.made) for one in worth], budget=COMPARED)
        if compared.trouble or not compared.versions:
            self._reason = compared.trouble
            return []
        return [
            one
            for one, result in zip(worth, compared.versions, strict=True)
            if not any(difference.is_breaking for difference in result.differences)
        ]

    def _edits(self, made: FasterText) -> tuple[TextEdit, ...]:
        text, span = self.problem.text, self.problem.target.span
        behind = len(text) - span.end
        after = made.text[span.start : len(made.text) - behind]
        return tuple(
            TextEdit(Span(edit.span.start + span.start, edit.span.end + span.start), edit.replacement)
            for edit in edits_between(text[span.start : span.end], after)
        )

    def _proposal(self, one: _Tried) -> Proposal:
        return Proposal(edits=self._edits(one.made), note="; ".join(dict.fromkeys(one.made.notes)))


def _is_worth(trial: RoughTrial) -> bool:
    return not trial.reason and trial.ratio >= WORTH


@asynccontextmanager
async def open_faster(
    problem: Problem, executor: Executor, interpreter: Interpreter, say: Callable[[str], None]
) -> AsyncIterator[FasterProposer]:
    """Start work on one problem; nothing runs until a candidate is asked for."""
    yield FasterProposer(problem=problem, subject=subject_of(problem, executor, interpreter), say=say)
