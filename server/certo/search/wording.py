"""Words that the terminal and the editor share: numbers, costs, tests and rulings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from certo.verification.dynamic.flaky import FLAKY
from certo.vocabulary.cost import Cost, Spent
from certo.vocabulary.events import CandidateDrafted
from certo.vocabulary.problem import Baseline, KnownTest
from certo.vocabulary.verdict import APART, TOGETHER, Ruling, TestEvidence, Verdict, Votes

SIGNS = {Ruling.PASSED: "✓", Ruling.FAILED: "✗", Ruling.UNDECIDED: "?"}
"""The sign of a ruling; they differ in shape, so they read without colour."""

SET_ASIDE = "red for another reason than the function"
"""Why a test is set aside, but for those that are named with another reason."""

_AT_A_GLANCE = 12
"""How many dots in a row can be counted."""

_APART = "passes apart from the tests too, and fails where assertions are broken on purpose"
_TOGETHER = "tried only with assertions broken on purpose, in one process with the tests"


def otherwise_red(baseline: Baseline) -> tuple[KnownTest, ...]:
    """The tests that are set aside for that; those that fail only sometimes are named among the problems."""
    return tuple(test for test in baseline.set_aside if test.message != FLAKY)


def amount(number: float, noun: str) -> str:
    """A number with its noun, which is given in the singular: "1 test", "7 tests", "2 searches"; to three places."""
    ending = "" if number == 1 else "es" if noun.endswith("ch") else "s"
    stem = f"{noun[:-1]}ie" if noun.endswith("try") and ending else noun
    return f"{round(number, 3):g} {stem}{ending}"


def counts(numbers: Mapping[str, int]) -> str:
    """Several numbers with their nouns: "2 lessons, 1 try and 0 cached answers"."""
    *first, last = [amount(number, noun) for noun, number in numbers.items()]
    return f"{', '.join(first)} and {last}" if first else last


def writing(draft: CandidateDrafted) -> str:
    """A candidate that is being written, in words: "openai:gpt-5-mini is writing, 14 lines so far"."""
    return all_writing([draft])


def all_writing(drafts: Iterable[CandidateDrafted]) -> str:
    """Say of candidates that are being written who writes them, each model once: "a is writing 2 candidates, …"."""
    lines: dict[str, list[int]] = {}
    for draft in drafts:
        lines.setdefault(draft.model, []).append(draft.lines)
    return ", ".join(
        f"{model} is writing{f' {len(each)} candidates' if len(each) > 1 else ''}, {amount(sum(each), 'line')} so far"
        for model, each in lines.items()
    )


def line_of_tries(slot: int) -> str:
    """A line of tries as users count them, from 1: "line of tries 1"."""
    return f"line of tries {slot + 1}"


def ended(slots: Sequence[int], reason: str) -> str:
    """Lines of tries that got no candidate, and why: "lines of tries 2 and 3 have ended: …"."""
    if len(slots) == 1:
        return f"{line_of_tries(slots[0])} has ended: {reason}"
    *most, last = (str(slot + 1) for slot in sorted(slots))
    return f"lines of tries {', '.join(most)} and {last} have ended: {reason}"


def cost_in_words(cost: Cost) -> str:
    """A cost with its unit: "3 tokens"."""
    if not cost.known:
        return "not priced"
    return amount(cost.value, cost.unit.removesuffix("s"))


def money(dollars: float) -> str:
    """An amount of dollars, to the cent and no less exactly than its first two digits: "$0.42", "$0.0031"."""
    if dollars >= 0.1 or dollars == 0:
        return f"${dollars:.2f}"
    return f"${dollars:.{1 - math.floor(math.log10(dollars))}f}"


def models_in_words(spent: Spent) -> str:
    """What language models took: "3 calls, 4,210 tokens, $0.0031"; nothing when none was asked."""
    if not spent.calls:
        return ""
    price = "price unknown" if spent.dollars is None else money(spent.dollars)
    tokens = f"{spent.tokens:,} {'token' if spent.tokens == 1 else 'tokens'}"
    return f"{amount(spent.calls, 'call')}, {tokens}, {price}"


def assured(verdict: Verdict) -> str:
    """What the tests themselves were put to, as a sentence in place of the labels that programs read."""
    said = verdict.assurance.replace(f"{TOGETHER} for", f"{_TOGETHER}, for")
    return said.replace(APART, _APART).replace(TOGETHER, _TOGETHER)


def confined_by(tests: TestEvidence) -> str:
    """What kept a run from the rest of the machine, without what it was kept from: "bubblewrap, Landlock, seccomp"."""
    return tests.isolation.partition(": ")[0]


def votes_in_words(votes: Votes) -> str:
    """How votes fell: "2 of 3 votes in favour, 2 needed"."""
    said = f"{votes.passed} of {amount(votes.valid, 'vote')} in favour, {votes.needed} needed"
    return said if votes.valid == votes.asked else f"{said}, {votes.asked} asked for"


def votes_as_dots(votes: Votes) -> str:
    """How votes fell, at a glance: "●●●○◌" is three in favour, one against and one that was of no use or not awaited.

    Nothing where they are too many to be counted at a glance.
    """
    if votes.asked > _AT_A_GLANCE:
        return ""
    return "●" * votes.passed + "○" * (votes.valid - votes.passed) + "◌" * (votes.asked - votes.valid)


def spreads_in_words(cost: Cost) -> str:
    """The numbers that criteria gave: "clarity 7 of 10 (6, 7, 8)", and which of them nobody gave."""
    return "; ".join(
        f"{spread.criterion} {round(spread.aggregate, 3):g} of {spread.high:g}"
        + (", the middle of the scale, for want of usable answers" if spread.fallback else "")
        + (f" ({', '.join(f'{round(value, 3):g}' for value in spread.values)})" if len(spread.values) > 1 else "")
        for spread in cost.spreads
    )


def explained(cost: Cost) -> str:
    """A cost with its source, which may begin with the unit: "2 tokens added or removed in the target"."""
    if not cost.known:
        return cost.source
    if cost.source.startswith(cost.unit):
        return f"{cost_in_words(cost)}{cost.source.removeprefix(cost.unit)}"
    return f"{cost_in_words(cost)} ({cost.source})"


def said_of_change(cost: Cost) -> str:
    """A cost as it is said of a candidate in passing: "3 tokens changed", "5 points"."""
    return f"{cost_in_words(cost)} changed" if cost.unit == "tokens" else cost_in_words(cost)


def tests_of(verdicts: Iterable[Verdict]) -> tuple[int, int, int]:
    """How many tests passed, how many there were to pass, and how many of them were red before."""
    ran = [verdict.tests for verdict in verdicts if verdict.tests is not None]
    return (
        sum(tests.passed for tests in ran),
        sum(tests.collected for tests in ran),
        sum(tests.newly_passing for tests in ran),
    )
