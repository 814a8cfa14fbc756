"""Parts that every tool uses: its answer, and text of others made harmless."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel

from certo.presentation.evidence_level import level_in_words
from certo.vocabulary.display import one_line, visible
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Report, Ruling

_MAX_FINDINGS = 5
_MAX_LINE = 500
_SIGNS = {Ruling.PASSED: "passed", Ruling.FAILED: "FAILED", Ruling.UNDECIDED: "undecided"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The structured answer of a tool, and the same in a few lines for the model that reads it."""

    value: BaseModel
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The lines as one text, without characters that control a terminal."""
        return "\n".join(visible(line) for line in self.lines)


def evidence_lines(report: Report) -> Iterator[str]:
    """Yield a report in lines: one for each check, with its first findings."""
    for verdict in report.verdicts:
        tests = verdict.tests
        ran = f", {tests.passed} of {tests.ran} tests passed" if tests is not None else ""
        yield f"- {verdict.verifier}: {_SIGNS[verdict.ruling]}{ran}"
        for finding in verdict.findings[:_MAX_FINDINGS]:
            yield f"  {one_line(finding.message)[:_MAX_LINE]}"
    if level := level_in_words(report):
        yield level
    if report.caveat:
        yield f"note: {one_line(report.caveat)}"


def digest_line(digest: str) -> Iterator[str]:
    """Yield the line that says how a verdict can be checked later."""
    if digest:
        yield f"digest: {digest} (checked with: certo check {digest})"
