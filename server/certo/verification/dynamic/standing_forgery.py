"""Forgery of a function as it stands: no earlier text says how its tests behave apart or with broken assertions.

In the place of the earlier text is one whose target gives nothing. A test that passes with broken assertions asserts
nothing if it does so with that text as well; if not, the result of the target made it pass.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from certo.edits.definitions import after_docstring
from certo.edits.offsets import SourceMap
from certo.edits.target import definition_of
from certo.verification.dynamic.forgery import ForgeryVerifier
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.harness_source import HarnessSource
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Verdict

_EARLIER = " with the text as it was either"


class StandingForgeryVerifier:
    """Passes a text that passes its tests without tampering, compared with one whose target gives nothing."""

    def __init__(self, harnesses: HarnessSource) -> None:
        self._verifier = ForgeryVerifier(_WithoutTarget(harnesses))

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return self._verifier.name

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge the text of a problem, given as a candidate that changes nothing.

        Raises:
            BrokenWorld: nothing can be run at all.
        """
        verdict = await self._verifier.judge(candidate, problem)
        # There is no earlier text, so that a test does not pass apart is all that is known.
        return replace(verdict, assurance=verdict.assurance.removesuffix(_EARLIER))


@dataclass(frozen=True, slots=True)
class _WithoutTarget:
    """Gives each problem its harness, with a target that gives nothing in the text to compare with."""

    harnesses: HarnessSource

    async def of(self, problem: Problem, /) -> Harness:
        """Return the harness of `problem`."""
        return replace(await self.harnesses.of(problem), base=without_target(problem))

    async def confirming(self, problem: Problem, /) -> Harness:
        """Return the harness of the confirming run of `problem`."""
        return await self.harnesses.confirming(problem)


def without_target(problem: Problem) -> str:
    """Return the text of a problem with a target that returns None; its docstring stays, with the doctests in it."""
    definition = definition_of(problem.text, problem.target)
    body = after_docstring(definition.node) if definition is not None else []
    if not body:
        return problem.text
    source = SourceMap(problem.text)
    start, end = source.span(body[0]).start, source.span(body[-1]).end
    return f"{problem.text[:start]}return None{problem.text[end:]}"
