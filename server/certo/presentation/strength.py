"""Wording of test strength: each figure with its denominator, each gap with a call, and all that is not counted."""

from __future__ import annotations

from collections.abc import Sequence

from certo.vocabulary.display import amount, one_line
from certo.vocabulary.strength import Gap, TestStrength, UnusedTest

MAX_GAPS = 7
"""Maximum number of gaps that are shown; `--json` has all of them."""

MAX_UNUSED = 3
"""Maximum number of named tests among those set aside."""

LEFT_OUT = "(left out)"
"""What stands in place of lines that a change leaves out."""


def strength_in_words(strength: TestStrength) -> str:
    """Return the share of changes that the tests notice: "your tests notice 9 of 12 small changes"."""
    if not strength.is_measured:
        return strength.reason
    if not strength.of:
        return "no small change made a difference that your tests or a call would notice"
    return f"your tests notice {strength.noticed} of {amount(strength.of, 'small change')}{_sample(strength)}"


def _sample(strength: TestStrength) -> str:
    return f" (a sample: {strength.tried} of {strength.possible} were tried)" if strength.is_sample else ""


def shown_gaps(strength: TestStrength) -> Sequence[Gap]:
    """Return the gaps to show: of those that the same call shows one, and at most seven."""
    return [gap for gap in strength.gaps if not gap.same_call][:MAX_GAPS]


def change_in_words(gap: Gap) -> tuple[str, str]:
    """Return the lines of a gap without and with its change, in one line each."""
    return one_line(gap.before), one_line(gap.after) or LEFT_OUT


def witness_in_words(gap: Gap) -> str:
    """Return the call that shows a gap: "total([LIMIT]) gives 0.0, would give 5.0"."""
    call = f"{gap.call} in {gap.where}" if gap.where else gap.call
    said = f"{call} {_gives(gap.now)}, would {_give(gap.changed)}"
    return one_line(f"{said}; no test calls it like this" if gap.unusual else said)


def _gives(result: str) -> str:
    return result if _is_clause(result) else f"gives {result}"


def _give(result: str) -> str:
    for verb, plain in (("raises ", "raise "), ("yields ", "yield "), ("does not ", "not ")):
        if result.startswith(verb):
            return plain + result.removeprefix(verb)
    return f"give {result}"


def _is_clause(result: str) -> bool:
    return result.startswith(("raises ", "yields ", "does not "))


def gap_in_words(gap: Gap) -> str:
    """Return a gap in one sentence, for a place with room for one."""
    before, after = change_in_words(gap)
    return f"no test notices if `{before}` becomes `{after}`: {witness_in_words(gap)}"


def strength_in_short(strength: TestStrength) -> list[str]:
    """Return how much the tests notice and the first change that they miss, in sentences; none if not measured."""
    if not strength.is_measured:
        return []
    figure = strength_in_words(strength)
    first, more = shown_gaps(strength)[:1], len(strength.gaps) - 1
    missed = [f"Line {gap.line}: {gap_in_words(gap)}{f'; and {more} more' if more else ''}." for gap in first]
    return [f"{figure[:1].upper()}{figure[1:]}.", *missed]


def unshown(strength: TestStrength) -> str:
    """Return the number of unnoticed changes that are not shown, and why; empty if all are."""
    left = len(strength.gaps) - len(shown_gaps(strength))
    if not left:
        return ""
    others = sum(gap.same_call for gap in strength.gaps)
    same = " that the same calls show" if others == left else ""
    return f"and {left} more{same}"


def remarks(strength: TestStrength, name: str) -> list[str]:
    """Return what is not counted, and which tests judged nothing, in sentences; `name` is that of the function."""
    said = [_uncounted(strength, name)]
    if strength.endless:
        said.append(f"{strength.endless} of the noticed changes made a test hang or ended its process")
    if strength.unused:
        said.append(_without(strength.unused))
    return [each for each in said if each]


def _uncounted(strength: TestStrength, name: str) -> str:
    if not strength.uncounted:
        return ""
    more = f"{strength.uncounted} more {'change' if strength.uncounted == 1 else 'changes'}"
    are = "is" if strength.uncounted == 1 else "are"
    if not strength.calls:
        it, matters = ("it", "matters") if strength.uncounted == 1 else ("they", "matter")
        why = f" ({one_line(strength.without_calls)})" if strength.without_calls else ""
        return (
            f"{more} went unnoticed; certo cannot call {name} to see if {it} {matters}, so {it} {are} not counted{why}"
        )
    calls = f"{strength.calls:,} {'call' if strength.calls == 1 else 'calls'}"
    said = f"{more} made no difference on {calls} and {are} not counted"
    return f"{said}; {strength.unsettled} of them could not be compared to the end" if strength.unsettled else said


def _without(unused: Sequence[UnusedTest]) -> str:
    named = "; ".join(f"{one_line(test.id)}, for {test.why}" for test in unused[:MAX_UNUSED])
    more = f"; and {len(unused) - MAX_UNUSED} more" if len(unused) > MAX_UNUSED else ""
    return f"without {amount(len(unused), 'test')}: {named}{more}"
