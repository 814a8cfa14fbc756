"""Differences between two versions, and the search for the simplest call that shows each.

Parts of a call are left out or made simpler as long as the versions differ in the same way (after Zeller and
Hildebrandt, "Simplifying and isolating failure-inducing input", 2002), with a beam instead of one call.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from certo_builtin.differential.calls import source_of
from certo_builtin.differential.generated_calls import Generator
from certo_builtin.differential.outcome_difference import (
    DOMAINS,
    ENDLESS,
    STRONG,
    WEAK,
    gone,
    is_compared,
    whole_difference,
)
from certo_builtin.differential.versions import MORE_STEPS, Call, Outcome

BEAM = 4
"""Number of differences that are simplified side by side."""

ROUNDS = 12
MAX_PLAINER = 120
MAX_ENDLESS = 16
"""Rounds of simplification, and simpler calls in each; fewer if one of the versions does not come back."""

MAX_REPEATED = 6
"""Maximum number of differences of one kind that are repeated in a process of their own."""

MAX_KEPT = 3
"""Maximum number of differences of one kind that are reported."""


class Found:
    """A call on which a version differs from version 0."""

    def __init__(self, call: Call, outcomes: Tuple[Outcome, Outcome], kind: str, domain: str, source: str) -> None:
        self.call = call
        self.outcomes = outcomes
        self.kind = kind
        self.domain = domain
        self.source = source
        self.is_live = "callee" not in call
        self.text: str = call["text"] if self.is_live else source_of(call)

    @property
    def is_strong(self) -> bool:
        """True if a caller depends on it."""
        return self.kind in STRONG

    @property
    def rank(self) -> Tuple[bool, int, int, int, str]:
        """Sort key by which more telling differences come first, and simpler ones of equals."""
        # A value and an exception are equally telling.
        kind = max(1, (*STRONG, *WEAK).index(self.kind))
        return not self.is_strong, DOMAINS.index(self.domain), kind, len(self.text), self.text


class Minimiser:
    """Simplifies differences of one version, `other`, from version 0, `base`."""

    def __init__(self, base: Any, other: Any, domain: Callable[[Call, Outcome, Outcome], str]) -> None:
        self._base = base
        self._other = other
        self._domain = domain

    def simplest(self, found: Iterable[Found], generator: Generator, *, every: bool) -> List[Found]:
        """Return the simplest differences that are seen again, each call in a process of its own.

        They are of each kind if `every`, else of the most telling kind that is left.
        """
        groups: Dict[Tuple[str, str], List[Found]] = {}
        for one in found:
            groups.setdefault((one.kind, one.domain), []).append(one)
        kept: List[Found] = []
        for group in sorted(groups.values(), key=lambda group: min(one.rank for one in group)):
            if kept and not every:
                break
            ranked = sorted(group, key=lambda one: one.rank)
            written = [one for one in ranked if not one.is_live]
            best = self._simplified(written[:BEAM], generator)
            kept += self._seen_again([*best, *(one for one in written if one not in best)][:MAX_REPEATED])[:MAX_KEPT]
            kept += [one for one in ranked if one.is_live][:MAX_KEPT]
        return sorted({one.text: one for one in kept}.values(), key=lambda one: one.rank)

    def _simplified(self, best: List[Found], generator: Generator) -> List[Found]:
        """Return the simplest differences reached from some of one kind."""
        tried: Dict[str, None] = {one.text: None for one in best}
        for _ in range(ROUNDS):
            fresh = {source_of(call): call for one in best for call in generator.plainer(one.call)}
            calls = [fresh[text] for text in sorted(fresh, key=lambda text: (len(text), text)) if text not in tried]
            # Calls that do not come back take as long as thousands of others.
            calls = calls[: MAX_ENDLESS if any(one.kind == ENDLESS for one in best) else MAX_PLAINER]
            tried.update((source_of(call), None) for call in calls)
            more = self._alike(calls, best)
            ahead = sorted({one.text: one for one in [*best, *more]}.values(), key=lambda one: one.rank)[:BEAM]
            if [one.text for one in ahead] == [one.text for one in best]:
                break
            best = ahead
        return best

    def _alike(self, calls: Sequence[Call], like: Sequence[Found]) -> List[Found]:
        """Return the calls among some that differ in the same way."""
        if not calls:
            return []
        kinds = {one.kind for one in like}
        found = []
        for call, one, two in zip(calls, self._base.outcomes(calls), self._other.outcomes(calls)):
            kind = kind_of(one, two)
            if kind in kinds:
                found.append(Found(call, (one, two), kind, self._domain(call, one, two), "generated"))
        return found

    def _seen_again(self, found: Sequence[Found]) -> List[Found]:
        """Return the differences that are the same in a process of their own, with more steps."""
        if not found:
            return []
        calls = [one.call for one in found]
        base = self._base.outcomes(calls, alone=True, steps=MORE_STEPS)
        other = [gone(one) for one in self._other.outcomes(calls, alone=True, steps=MORE_STEPS)]
        return [
            Found(one.call, (ours, theirs), one.kind, one.domain, one.source)
            for one, ours, theirs in zip(found, base, other)
            if ours is not None and theirs is not None and kind_of(ours, theirs) == one.kind
        ]


def kind_of(one: Optional[Outcome], other: Optional[Outcome]) -> str:
    """Return the kind of difference between two outcomes; empty if there is none, or they cannot be compared."""
    if one is None or other is None or is_compared(one, other):
        return ""
    return whole_difference(one, other)
