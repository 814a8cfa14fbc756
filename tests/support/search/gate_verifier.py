"""A verifier that judges when a test says so, found by certo as in an installed package."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import anyio

from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Ruling, TestEvidence, Verdict


class Gate:
    """Lets candidates wait for their verdicts; `proved` are the texts that passed."""

    name = "gate"

    def __init__(self) -> None:
        self.proved: set[str] = set()
        self._waiting: deque[tuple[anyio.Event, list[bool]]] = deque()

    def begin(self) -> None:
        """Forget earlier verdicts."""
        self.proved.clear()
        self._waiting.clear()

    def release(self, *, passes: bool) -> bool:
        """Give the oldest waiting candidate its verdict; return False if none waits."""
        if not self._waiting:
            return False
        event, verdict = self._waiting.popleft()
        verdict.append(passes)
        event.set()
        return True

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Wait for the verdict."""
        event, verdict = anyio.Event(), list[bool]()
        self._waiting.append((event, verdict))
        await event.wait()
        [passes] = verdict
        if not passes:
            return Verdict(verifier=self.name, ruling=Ruling.FAILED, findings=(Finding(message="the gate is shut"),))
        return self.prove(candidate.text)

    def prove(self, text: str) -> Verdict:
        """Return the verdict on a text that passes."""
        self.proved.add(text)
        ran = TestEvidence(collected=1, ran=1, passed=1, failed=0, skipped=0, touched=True)
        return Verdict(verifier=self.name, ruling=Ruling.PASSED, tests=ran)


GATE = Gate()
"""The one that certo loads."""


def install(folder: Path) -> Path:
    """Write the metadata of a package with the gate into a folder for `sys.path`, and return the folder."""
    metadata = folder / "gate-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: gate\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[certo.verifiers]\ngate = support.search.gate_verifier:GATE\n")
    return folder
