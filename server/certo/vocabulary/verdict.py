"""Verdicts of verifiers on a candidate, with their evidence."""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import ClassVar

from certo.vocabulary.evidence_level import EvidenceLevel, GradedEvidence
from certo.vocabulary.records import dataclass
from certo.vocabulary.speed import Speed
from certo.vocabulary.strength import TestStrength
from certo.vocabulary.truth import NoTruthValue

APART = "tier 2: apart + canary"
TOGETHER = "tier 1 + canary"
"""The labels in a verdict's `assurance`; see `Verdict`."""

NO_TEST = "no test exercised it"
"""Why a candidate that passed is not verified, where no test ran on it and executed a changed line."""

PINNED = "pinned, not verified"
"""The first words about a candidate that only tests judge which certo wrote, and which nobody has said to be right."""

NOT_APART = "not tried apart from the tests"
"""The words, before the reason, for a candidate all of whose tests ran in its own process."""


class Ruling(Enum):
    """The decision of one verifier; true only for PASSED. UNDECIDED: it could not judge, and its findings say why."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"

    def __bool__(self) -> bool:
        return self is Ruling.PASSED


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing a verifier has to say: a short message, and where, when there is a place (1-based line)."""

    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TestEvidence(NoTruthValue):
    """The numbers of tests that really ran, and their results.

    `collected` counts the tests of the baseline, all of which a candidate must run, and `ran` those that ran.
    `newly_passing` counts those that failed in the baseline. `seconds` is their time together, which proves nothing.
    `touched` is true if a test executed a changed line, and None if that could not be observed. `isolation` says in
    words how the run was confined; `cold` says why it took a fresh process, although a prepared one would have been
    quicker. `failing` are the ids of tests that failed or were killed, `unrun` of those that were skipped or did not
    run; all others of the baseline passed.
    """

    ask_for: ClassVar[str] = ".passed and .failed, which are numbers"
    __test__ = False  # not a test class, whatever its name makes pytest think

    collected: int
    ran: int
    passed: int
    failed: int
    skipped: int
    newly_passing: int = 0
    seconds: float = field(default=0.0, compare=False)
    touched: bool | None = None
    isolation: str = ""
    cold: str = ""
    failing: tuple[str, ...] = ()
    unrun: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Votes(NoTruthValue):
    """The votes on a candidate: `asked` at most, `valid` usable, `passed` in favour, and `needed` in favour to pass.

    Fewer than `asked` may be valid because no more were needed, or because some were unusable.
    """

    ask_for: ClassVar[str] = "the decision they led to"

    passed: int
    valid: int
    asked: int
    needed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependence(NoTruthValue):
    """The number of tests that noticed a wrong version in place of the target.

    `idle` are the ids of tests that noticed no wrong version: they pass whatever the target does. `reason` says why
    nothing is verified, such as "no test depends on what NAME returns"; it is empty if some test does.
    """

    noticed: int
    idle: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict(NoTruthValue):
    """The verdict of one verifier on one candidate; `seconds` is its wall time.

    `assurance` says why the candidate's tests can be trusted. APART: it passed again in another process than the tests,
    and every assertion that was broken on purpose failed. TOGETHER: it could only be tried with broken assertions, of
    all tests or of some, and the reason follows. `votes` are there if the verifier asked for votes. `remembered` means
    that nothing ran now: an earlier search got this verdict for the same text under the same circumstances. `speed` is
    there if the verifier measured it.
    """

    ask_for: ClassVar[str] = ".passed"

    verifier: str
    ruling: Ruling
    findings: tuple[Finding, ...] = ()
    seconds: float = 0.0
    tests: TestEvidence | None = None
    assurance: str = ""
    votes: Votes | None = None
    remembered: bool = False
    cheated: bool = False
    dependence: Dependence | None = None
    speed: Speed | None = None

    @property
    def passed(self) -> bool:
        """True if the verifier passed the candidate."""
        return self.ruling is Ruling.PASSED


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(NoTruthValue):
    """All verdicts on one candidate, in the order they were reached, and the `strength` of its tests if measured.

    `graded` is the level of the evidence for a verified candidate of a search; None for any other text.
    """

    ask_for: ClassVar[str] = ".passed or .verified"

    candidate_id: str
    verdicts: tuple[Verdict, ...] = ()
    strength: TestStrength | None = None
    graded: GradedEvidence | None = None

    @property
    def passed(self) -> bool:
        """True if every verifier that ran passed the candidate."""
        return bool(self.verdicts) and all(verdict.ruling is Ruling.PASSED for verdict in self.verdicts)

    @property
    def verified(self) -> bool:
        """True if the candidate passed, some test executed a changed line, and some test depends on the target.

        A candidate that nothing was seen to exercise is never called verified, however few objections there were.
        """
        return self.passed and self._exercised and not self._idle_reason

    @property
    def caveat(self) -> str:
        """Return why a candidate that passed is not plainly verified: no evidence, or none from a process apart.

        It is empty for one that failed, and for one that is verified without reservation.
        """
        if not self.passed:
            return ""
        if not self._exercised:
            return NO_TEST
        return self._idle_reason or next(filter(None, map(_not_apart, self.verdicts)), "")

    @property
    def is_weak(self) -> bool:
        """True if the candidate is verified, and the evidence for it is known to be weak."""
        return self.verified and self.graded is not None and self.graded.level is EvidenceLevel.WEAK

    @property
    def speed(self) -> Speed | None:
        """The measured speed of the candidate; None if it was not measured."""
        return next((verdict.speed for verdict in self.verdicts if verdict.speed is not None), None)

    @property
    def headline(self) -> str:
        """Return the first words about the candidate on every surface, such as "VERIFIED BY WEAK TESTS"."""
        if self.verified:
            verified = "VERIFIED BY WEAK TESTS" if self.is_weak else "VERIFIED"
            return f"{verified}, NOT TRIED APART" if self.caveat else verified
        if any(verdict.ruling is Ruling.FAILED for verdict in self.verdicts):
            return "FAILED"
        if self.caveat.startswith(PINNED):
            return f"{PINNED.upper()}{self.caveat.removeprefix(PINNED)}"
        return f"NOT VERIFIED: {self.caveat}" if self.caveat else "NOT VERIFIED"

    @property
    def _exercised(self) -> bool:
        return any(
            verdict.tests is not None and verdict.tests.passed > 0 and verdict.tests.touched is True
            for verdict in self.verdicts
        )

    @property
    def _idle_reason(self) -> str:
        reasons = (verdict.dependence.reason for verdict in self.verdicts if verdict.dependence is not None)
        return next(filter(None, reasons), "")

    @property
    def objecting(self) -> tuple[Verdict, ...]:
        """The verdicts that did not pass."""
        return tuple(verdict for verdict in self.verdicts if verdict.ruling is not Ruling.PASSED)

    @property
    def failure(self) -> Verdict | None:
        """The first verdict that did not pass, which is what the next attempt has to answer."""
        return next(iter(self.objecting), None)


def _not_apart(verdict: Verdict) -> str:
    """Return the caveat of a verdict whose tests all ran in the candidate's own process, with the reason."""
    if not verdict.assurance.startswith(TOGETHER):
        return ""
    why = verdict.assurance.removeprefix(TOGETHER).removeprefix(": ")
    return f"{NOT_APART}: {why}" if why else NOT_APART
