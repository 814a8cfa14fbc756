"""A verifier that judges by the text alone, for tests of the use of verdicts."""

from __future__ import annotations

import anyio

from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Ruling, TestEvidence, Verdict


class Wants:
    """Passes a candidate whose text holds `wanted`, after `seconds`; `judged` lists the ids it was asked about."""

    name = "tests"

    def __init__(self, wanted: str, *, seconds: float = 0.0, touched: bool = True) -> None:
        self._wanted = wanted
        self._seconds = seconds
        self._touched = touched
        self.judged: list[str] = []

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        self.judged.append(candidate.id)
        await anyio.sleep(self._seconds)
        found = self._wanted in candidate.text
        evidence = TestEvidence(
            collected=1, ran=1, passed=int(found), failed=int(not found), skipped=0, touched=self._touched
        )
        findings = () if found else (Finding(message=f"there is no {self._wanted!r}", line=2),)
        ruling = Ruling.PASSED if found else Ruling.FAILED
        return Verdict(verifier=self.name, ruling=ruling, findings=findings, tests=evidence)
