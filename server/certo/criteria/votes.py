"""Votes: when they are decided, and what the decision says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from certo.criteria.sampling import Sample
from certo.vocabulary.verdict import Votes


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How votes decide: `asked` at most, of which `least` have to be of use and `needed` in favour."""

    asked: int
    least: int = 1
    needed: int = 1

    def decided(self, heard: Sequence[Sample[bool]]) -> bool:
        """Whether no answer that is still to come can change the ruling."""
        votes = self.count(heard)
        to_come = self.asked - len(heard)
        if votes.passed >= self.needed and votes.valid >= self.least:
            return True
        return votes.passed + to_come < self.needed or votes.valid + to_come < self.least

    def count(self, heard: Sequence[Sample[bool]]) -> Votes:
        """Count what was heard."""
        valid = [one.value for one in heard if one.value is not None]
        return Votes(passed=sum(valid), valid=len(valid), asked=self.asked, needed=self.needed)

    def passes(self, votes: Votes) -> bool:
        """Whether enough votes are of use, and enough of them in favour."""
        return votes.valid >= self.least and votes.passed >= self.needed

    def in_words(self, votes: Votes, heard: int) -> str:
        """What is said of votes that did not pass, of which `heard` have come; nothing of those that did."""
        if self.passes(votes):
            return ""
        if votes.valid + self.asked - heard < self.least:
            return f"insufficient valid answers of the model: {votes.valid}/{self.least}"
        return f"failed the criterion ({votes.passed}/{votes.valid} samples passed, need {self.needed})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a qualitative criterion said of some material.

    `message` says why it did not pass. `samples` are the answers that were heard, as they were given, and `parts` the
    decisions it was put together from, where it was. `heard` is whether anybody answered at all, be it nonsense.
    """

    passed: bool
    message: str
    votes: Votes
    samples: tuple[Sample[bool], ...] = ()
    parts: tuple[Decision, ...] = ()
    heard: bool = True

    def __bool__(self) -> bool:
        return self.passed

    @property
    def reasons(self) -> tuple[str, ...]:
        """What the judges gave as reasons and what went wrong with them, those that decided against it first."""
        own = sorted(self.samples, key=lambda one: (one.value is not False, one.value is None))
        said = (one.error or one.reason for one in own)
        return tuple(dict.fromkeys(filter(None, (*said, *(why for part in self.parts for why in part.reasons)))))
