"""Repair of near misses: the built-in search from the text of a candidate that fails tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from certo.edits.diff import hunks_of
from certo.edits.patch import apply_edits
from certo.edits.target import ByName, find_target
from certo.generation.builtin.generator import SEARCH_SECONDS, BuiltinGenerator
from certo.generation.builtin.options import BuiltinOptions
from certo.generation.builtin.search_program import Beginning
from certo.generation.generator import Proposal
from certo.sandbox.executor import Executor, Interpreter
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.display import one_line
from certo.vocabulary.problem import Problem

PART = 8
"""One near miss gets this part of the seconds, steps and candidates of a search: it is an edit or two from passing."""


MAX_SHOWN = 60
"""Maximum length of a line that a note quotes."""


class NearMissRepairer:
    """Looks for small edits of a candidate with which the tests pass."""

    def __init__(
        self, executor: Executor, interpreter: Interpreter, options: BuiltinOptions, seed: int, seconds: float
    ) -> None:
        length = seconds if math.isfinite(seconds) else SEARCH_SECONDS
        part = replace(
            options,
            seconds=(options.seconds or length) / PART,
            steps=max(1, options.steps // PART),
            candidates=max(1, options.candidates // PART),
        )
        self._generator = BuiltinGenerator(executor, interpreter, part, seed, length)

    async def repairs_of(self, candidate: Candidate, problem: Problem, /) -> Sequence[Proposal]:
        """Return proposals over the problem's text, the likeliest first; their notes are about the candidate.

        Raises:
            CertoError: Nothing can be run here, or the target is not in the candidate.
        """
        elsewhere = {change.path: change.after for change in candidate.elsewhere}
        target = find_target(candidate.text, ByName.of(problem.target), path=problem.path)
        changed = replace(problem, unsaved={**problem.unsaved, **elsewhere})
        found = await self._generator.repairs_from(Beginning(candidate.text, target), changed)
        return [_told(proposal, candidate, problem, elsewhere) for proposal in found]


def _told(proposal: Proposal, candidate: Candidate, problem: Problem, elsewhere: dict[str, str]) -> Proposal:
    """Return a proposal that changes other files as the candidate does, and whose note shows the edit of it."""
    rivals = tuple(_told(rival, candidate, problem, elsewhere) for rival in proposal.rivals)
    after = apply_edits(problem.text, proposal.edits)
    note = _edit_in_words(candidate.text, after) or proposal.note
    return replace(proposal, note=note, elsewhere=elsewhere, rivals=rivals)


def _edit_in_words(before: str, after: str) -> str:
    """Return an edit of one line: "line 12: if n < 0: → if n <= 0:"; empty if it is of more, or of a long one."""
    hunks = hunks_of(before, after)
    if [(len(hunk.removed), len(hunk.added)) for hunk in hunks] != [(1, 1)]:
        return ""
    old, new = (one_line(hunks[0].removed[0]), one_line(hunks[0].added[0]))
    return f"line {hunks[0].line}: {old} → {new}" if max(len(old), len(new)) <= MAX_SHOWN else ""
