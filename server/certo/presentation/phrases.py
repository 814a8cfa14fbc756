"""How numbers, tests and verdicts are put into words."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterable, Mapping

from certo.vocabulary.cost import Cost, Spent
from certo.vocabulary.display import amount, one_line, visible
from certo.vocabulary.events import CandidateDrafted, SearchStopped
from certo.vocabulary.problem import Baseline
from certo.vocabulary.verdict import APART, TOGETHER, Report, Ruling, TestEvidence, Verdict, Votes

SIGNS = {Ruling.PASSED: "✓", Ruling.FAILED: "✗", Ruling.UNDECIDED: "?"}
"""The sign of a ruling; they differ in shape, so they read without colour."""

SET_ASIDE = "failing for a reason outside the function"
"""The reason why a test is set aside that is not flaky."""

_AT_A_GLANCE = 12
"""How many dots in a row can be counted."""

_APART = "passes in a separate process; fails when assertions are broken on purpose"
_TOGETHER = "fails when assertions are broken on purpose; tried only in one process with the tests"

_MEANT_BY_SHELLS = set('"$`\\!')
"""What means something to a shell between double quotation marks."""

_TEST_FILE = re.compile(r"^\S+\.py::")
_SHOWN = 3
"""So many tests that are set aside are named."""

_WITHOUT_TESTS = {
    "syntax": "it parses",
    "signature": "unchanged",
    "policy": "uses nothing new",
    "lint": "no new finding",
    "types": "no new error",
    "evidence": "tests depend on what the target does",
}


def reaching(baseline: Baseline) -> str:
    """How many tests reach the target, or judge it, and how they stand: "7 tests reach it, 2 failing; 1 set aside"."""
    singular, plural = ("judges it", "judge it") if baseline.whole else ("reaches it", "reach it")
    number, failing, passing = len(baseline.tests), len(baseline.failing), len(baseline.passing)
    standings = [(failing, "failing"), (number - failing - passing, "without a result"), (passing, "passing")]
    seen = [(many, word) for many, word in standings if many]
    if not number:
        said = f"no test {singular}"
    elif number == 1:
        said = f"1 test {singular}, {seen[0][1]}"
    elif len(seen) == 1:
        said = f"{number} tests {plural}, all {seen[0][1]}"
    else:
        said = ", ".join([f"{number} tests {plural}", *(f"{many} {word}" for many, word in seen if word != "passing")])
    return f"{said}; {len(baseline.set_aside)} set aside" if baseline.set_aside else said


def set_aside(baseline: Baseline) -> list[str]:
    """Why tests are set aside, then the first of them, a line each, and how many more there are; or nothing."""
    lines = [f"  {one_line(test.id)}  {first_line(test.message)}".rstrip() for test in baseline.failing_elsewhere]
    more = len(lines) - _SHOWN
    said = lines if more <= 0 else [*lines[:_SHOWN], f"  and {more} more"]
    return [f"tests set aside, {SET_ASIDE}:", *said] if said else []


def passed_on(stopped: SearchStopped) -> str:
    """What is said of a search that another follows, about the next suspect of a failing test."""
    return f"Nothing found here: {stopped.reason or stopped.outcome.value}\nSearching the next suspect."


def fraction(report: Report) -> str:
    """The tests that passed of those that were owed, over all verifiers that run tests: "5/7", or nothing."""
    passed, collected, _ = tests_of(report.verdicts)
    return f"{passed}/{collected}" if collected else ""


def what_it_ran(verdict: Verdict, *, subject: str, confined: str = "") -> str:
    """What a verifier has to show for its ruling, in one line or more; `subject` is what the tests had to execute.

    What ran otherwise than `confined`, which is said elsewhere, has that said here.
    """
    noun = "example" if verdict.verifier == "doctests" else "test"
    said = [] if verdict.tests is None else [_ran(verdict.tests, noun, subject, confined)]
    said += [assured(verdict)] if verdict.assurance else []
    said += [votes_in_words(verdict.votes)] if verdict.votes is not None else []
    said += [
        finding.message if finding.line is None else f"line {finding.line}: {finding.message}"
        for finding in verdict.findings
    ]
    if not said and verdict.ruling is Ruling.PASSED:
        said = [_WITHOUT_TESTS.get(verdict.verifier, "")]
    said += ["cached from an earlier search"] if verdict.remembered else []
    return visible("\n".join(said))


def _ran(tests: TestEvidence, noun: str, subject: str, confined: str) -> str:
    otherwise = confined_by(tests) if tests.isolation != confined else ""
    said = f"{otherwise}:\n" if otherwise else ""
    said += f"{tests.passed} of {amount(tests.collected, noun)} passed"
    if tests.newly_passing:
        said += f", {tests.newly_passing} newly"
    if tests.skipped:
        said += f", {tests.skipped} skipped"
    if tests.ran < tests.collected:
        said += f", {tests.collected - tests.ran} did not run"
    seen = {True: f", {subject} executed", False: f", {subject} not executed", None: ""}
    return said + seen[tests.touched]


def quoted(words: str) -> str:
    """Words as one argument for a shell, in the quotation marks that are the easier to read."""
    return f'"{words}"' if "'" in words and not _MEANT_BY_SHELLS & set(words) else shlex.quote(words)


def price(cost: Cost | None) -> str:
    """A cost with its unit: "1 token", "2 tokens"."""
    return "" if cost is None else cost_in_words(cost)


def isolation(report: Report) -> str:
    """How the first run was confined, and so each that does not say otherwise; nothing where nothing ran."""
    said = (verdict.tests.isolation for verdict in report.verdicts if verdict.tests is not None)
    return next(filter(None, said), "")


def manner(report: Report) -> str:
    """How the runs were started, where that was slower than it might have been, with the reason: a short line."""
    said = (verdict.tests.cold for verdict in report.verdicts if verdict.tests is not None)
    return "; ".join(f"in fresh processes: {first_line(why)}" for why in dict.fromkeys(filter(None, said)))


def spending(spent: Spent) -> str:
    """What was spent: "2 candidates, 3.4 s", and what of language models, if anything."""
    models = models_in_words(spent)
    return f"{amount(spent.candidates, 'candidate')}, {spent.seconds:.1f} s" + (f"; {models}" if models else "")


def sentence(words: str) -> str:
    """Words as a sentence; a name they begin with, as `search.calls` or `openai:gpt-5`, keeps its letters."""
    first = words.partition(" ")[0].rstrip(":,.")
    begins = words if ":" in first or "." in first else f"{words[:1].upper()}{words[1:]}"
    return f"{begins.rstrip('.')}."


def first_line(text: str) -> str:
    """The first line of a message that may have several."""
    return visible(text.strip()).partition("\n")[0]


def objection(report: Report) -> str:
    """Why a candidate did not pass, in a few words: "test_exact: assert [50] == [50, 1]", "policy: it opens a file".

    A test is named without its file, which is the longest and least telling part of its name. Behind the count of votes
    stands what the first judge said, for a count alone does not say whether the candidate is at fault or the judge.
    """
    verdict = report.failure
    if verdict is None:
        return ""
    why = first_line(verdict.findings[0].message) if verdict.findings else verdict.ruling.value
    if verdict.tests is not None:
        return _TEST_FILE.sub("", why)
    said = [first_line(finding.message) for finding in verdict.findings[1:2]] if verdict.votes is not None else []
    return "; ".join([f"{verdict.verifier}: {why}", *said])


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
        + (", the middle of the scale, because no answer was usable" if spread.fallback else "")
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
    """How many tests passed, how many there were to pass, and how many of them failed before."""
    ran = [verdict.tests for verdict in verdicts if verdict.tests is not None]
    return (
        sum(tests.passed for tests in ran),
        sum(tests.collected for tests in ran),
        sum(tests.newly_passing for tests in ran),
    )
