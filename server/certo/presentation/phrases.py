"""Wording of numbers, tests and verdicts."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterable, Mapping

from certo.presentation.speed import speed_in_words
from certo.vocabulary.cost import Cost, Spent
from certo.vocabulary.display import amount, one_line, visible
from certo.vocabulary.events import CandidateDrafted, SearchStopped
from certo.vocabulary.problem import NOT_INSTALLED, Baseline
from certo.vocabulary.verdict import APART, TOGETHER, Report, Ruling, TestEvidence, Verdict, Votes

SIGNS = {Ruling.PASSED: "✓", Ruling.FAILED: "✗", Ruling.UNDECIDED: "?"}
"""Sign of each ruling; the shapes differ, so colour is not needed."""

SET_ASIDE = "failing for a reason outside the function or its change"
"""Reason for setting aside a test that is not flaky."""

_AT_A_GLANCE = 12
"""Maximum number of dots in a row that a reader can count."""

_APART = "passes in a separate process; fails when assertions are broken on purpose"
_BROKEN = "fails when assertions are broken on purpose; "
_TOGETHER = "tried only in one process with the tests"

_MEANT_BY_SHELLS = set('"$`\\!')
"""Characters with a meaning to a shell between double quotation marks."""

_TEST_FILE = re.compile(r"^\S+\.py::")
_SHOWN = 3
"""Maximum number of named tests among those set aside."""

COMPARING = ("signature", "policy")
"""The checks that compare a candidate with the text before it, and say nothing about a text on its own."""

_WITHOUT_TESTS = {
    "syntax": "it parses",
    "signature": "unchanged",
    "policy": "uses nothing new",
    "lint": "no new finding",
    "types": "no new error",
    "evidence": "tests depend on what the target does",
}


def reaching(baseline: Baseline) -> str:
    """Return the numbers of tests and examples of the target and their results: "7 tests reach it, 2 failing"."""
    singular, plural = ("judges it", "judge it") if baseline.whole else ("reaches it", "reach it")
    doctests = sum(test.is_doctest for test in baseline.tests)
    nouns = ((len(baseline.tests) - doctests, "test"), (doctests, "example"))
    subject = " and ".join(amount(many, noun) for many, noun in nouns if many)
    number, failing, passing = len(baseline.tests), len(baseline.failing), len(baseline.passing)
    standings = [(failing, "failing"), (number - failing - passing, "without a result"), (passing, "passing")]
    seen = [(many, word) for many, word in standings if many]
    if not number:
        said = f"no test {singular}"
    elif number == 1:
        said = f"{subject} {singular}, {seen[0][1]}"
    elif len(seen) == 1:
        said = f"{subject} {plural}, all {seen[0][1]}"
    else:
        said = ", ".join([f"{subject} {plural}", *(f"{many} {word}" for many, word in seen if word != "passing")])
    return f"{said}; {len(baseline.set_aside)} set aside" if baseline.set_aside else said


def set_aside(baseline: Baseline) -> list[str]:
    """Return the reason for setting tests aside, then the first ones, one per line; empty if there are none.

    Files that could not be collected are left out, because the baseline's problems name them.
    """
    tests = [test for test in baseline.failing_elsewhere if "::" in test.id or test.is_doctest]
    lines = [f"  {one_line(test.id)}  {first_line(test.message)}".rstrip() for test in tests]
    more = len(lines) - _SHOWN
    said = lines if more <= 0 else [*lines[:_SHOWN], f"  and {more} more"]
    return [f"tests set aside, {SET_ASIDE}:", *said] if said else []


def failed_before(baseline: Baseline) -> str:
    """Return the tests that no candidate has to pass because they failed before the change; "" if there are none."""
    older = [one_line(test.id) for test in baseline.set_aside if test.is_older]
    more = f" and {len(older) - _SHOWN} more" if len(older) > _SHOWN else ""
    return f"{', '.join(older[:_SHOWN])}{more} failed in the last commit too, and may still fail" if older else ""


def is_remark(problem: str) -> bool:
    """True if one of a baseline's problems asks for nothing: a tool of the project's is not installed here."""
    return problem.startswith(NOT_INSTALLED)


def passed_on(stopped: SearchStopped) -> str:
    """Return the message about a search that found nothing and is followed by the next suspect."""
    return f"Nothing found here: {stopped.reason or stopped.outcome.value}\nSearching the next suspect."


def fraction(report: Report) -> str:
    """Return passed and required tests over all verifiers that run tests: "5/7"; empty if there are none."""
    passed, collected, _ = tests_of(report.verdicts)
    return f"{passed}/{collected}" if collected else ""


def ruling_shown(verdict: Verdict) -> tuple[Ruling, str]:
    """Return the ruling whose sign a verdict gets, and its word: a check that passes and finds no evidence says so."""
    if verdict.passed and verdict.dependence is not None and verdict.dependence.reason:
        return Ruling.UNDECIDED, "not verified"
    return verdict.ruling, verdict.ruling.value


def in_passing(verdict: Verdict, confined: str = "") -> str:
    """Return a check that passed in a few words: "tests 5/5 (4 newly)"; "" if there is more to say about it.

    Checks say more if they did not pass, found something, measured a speed, never executed the change, or ran under
    another confinement than `confined`.
    """
    tests, votes = verdict.tests, verdict.votes
    if ruling_shown(verdict)[0] is not Ruling.PASSED or verdict.findings or verdict.speed is not None:
        return ""
    if tests is not None and (tests.touched is False or tests.isolation not in ("", confined)):
        return ""
    said = [one_line(verdict.verifier)]
    said += [f"{tests.passed}/{tests.collected}"] if tests is not None else []
    said += [f"{votes.passed}/{votes.valid}"] if votes is not None else []
    more = [f"{tests.newly_passing} newly"] if tests is not None and tests.newly_passing else []
    more += ["cached"] if verdict.remembered else []
    return " ".join([*said, f"({', '.join(more)})"] if more else said)


def passed_checks(verdicts: Iterable[Verdict], confined: str = "") -> str:
    """Return the checks that passed and have no more to say, in one line: "✓ syntax, tests 5/5 (4 newly)"; or ""."""
    said = ", ".join(filter(None, (in_passing(verdict, confined) for verdict in verdicts)))
    return f"{SIGNS[Ruling.PASSED]} {said}" if said else ""


def assurances(verdicts: Iterable[Verdict]) -> list[tuple[str, str]]:
    """Return each verifier that passed and says why tests can be trusted, with what it says."""
    return [(verdict.verifier, assured(verdict)) for verdict in verdicts if verdict.assurance and verdict.passed]


def what_it_ran(verdict: Verdict, *, subject: str, confined: str = "") -> str:
    """Return a verifier's evidence in one or more lines; `subject` is the code that tests had to execute.

    Confinement is mentioned only if it differs from `confined`.
    """
    noun = "example" if verdict.verifier == "doctests" else "test"
    said = [] if verdict.tests is None else [_ran(verdict.tests, noun, subject, confined)]
    said += [assured(verdict)] if verdict.assurance else []
    said += [votes_in_words(verdict.votes)] if verdict.votes is not None else []
    said += speed_in_words(verdict.speed) if verdict.speed is not None and verdict.passed else []
    said += [
        finding.message if finding.line is None else f"line {finding.line}: {finding.message}"
        for finding in verdict.findings
    ]
    if not said and verdict.ruling is Ruling.PASSED:
        said = [_WITHOUT_TESTS.get(verdict.verifier, "")]
    said += ["cached from an earlier run"] if verdict.remembered else []
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
    """Return text as one shell argument, in the more readable quotation marks."""
    return f'"{words}"' if "'" in words and not _MEANT_BY_SHELLS & set(words) else shlex.quote(words)


def price(cost: Cost | None) -> str:
    """Return a cost with its unit: "1 token", "2 tokens"."""
    return "" if cost is None else cost_in_words(cost)


def isolation(report: Report) -> str:
    """Return the confinement of the first run, which holds for all that do not say otherwise; empty if nothing ran."""
    said = (verdict.tests.isolation for verdict in report.verdicts if verdict.tests is not None)
    return next(filter(None, said), "")


def manner(report: Report) -> str:
    """Return the reasons why runs were started in a slower way, as a short line; empty if none was."""
    said = (verdict.tests.cold for verdict in report.verdicts if verdict.tests is not None)
    return "; ".join(f"in fresh processes: {first_line(why)}" for why in dict.fromkeys(filter(None, said)))


def spending(spent: Spent) -> str:
    """Return the effort: "2 candidates, 3.4 s", with that of language models if there is any."""
    models = models_in_words(spent)
    return f"{amount(spent.candidates, 'candidate')}, {spent.seconds:.1f} s" + (f"; {models}" if models else "")


def sentence(words: str) -> str:
    """Return text as a sentence; a name at its beginning, as `search.calls` or `openai:gpt-5`, is not capitalized."""
    first = words.partition(" ")[0].rstrip(":,.")
    begins = words if ":" in first or "." in first else f"{words[:1].upper()}{words[1:]}"
    return f"{begins.rstrip('.')}."


def first_line(text: str) -> str:
    """Return the first line of a message."""
    return visible(text.strip()).partition("\n")[0]


def objection(report: Report) -> str:
    """Return the reason why a candidate failed: "test_exact: assert [50] == [50, 1]", "policy: it opens a file".

    A test is named without its file, the longest and least informative part of its name. A count of votes is followed
    by the first judge's words, because the count alone does not say what is wrong.
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
    """Return several numbers with their nouns: "2 lessons, 1 try and 0 cached answers"."""
    *first, last = [amount(number, noun) for noun, number in numbers.items()]
    return f"{', '.join(first)} and {last}" if first else last


def writing(draft: CandidateDrafted) -> str:
    """Return the progress of a candidate being written: "openai:gpt-5-mini is writing, 14 lines so far"."""
    return all_writing([draft])


def all_writing(drafts: Iterable[CandidateDrafted]) -> str:
    """Return the models that are writing candidates, each once: "a is writing 2 candidates, …"."""
    lines: dict[str, list[int]] = {}
    for draft in drafts:
        lines.setdefault(draft.model, []).append(draft.lines)
    return ", ".join(
        f"{model} is writing{f' {len(each)} candidates' if len(each) > 1 else ''}, {amount(sum(each), 'line')} so far"
        for model, each in lines.items()
    )


def cost_in_words(cost: Cost) -> str:
    """Return a cost with its unit: "3 tokens"."""
    if not cost.known:
        return "not priced"
    return amount(cost.value, cost.unit.removesuffix("s"))


def money(dollars: float) -> str:
    """Return dollars to the cent, or to two significant digits if smaller: "$0.42", "$0.0031"."""
    if dollars >= 0.1 or dollars == 0:
        return f"${dollars:.2f}"
    return f"${dollars:.{1 - math.floor(math.log10(dollars))}f}"


def models_in_words(spent: Spent) -> str:
    """Return the usage of language models: "3 calls, 4,210 tokens, 1,024 of them cached, $0.0031"; or "" if none."""
    if not spent.calls:
        return ""
    price = "price unknown" if spent.dollars is None else money(spent.dollars)
    tokens = f"{spent.tokens:,} {'token' if spent.tokens == 1 else 'tokens'}"
    cached = f", {spent.cached_tokens:,} of them cached" if spent.cached_tokens else ""
    return f"{amount(spent.calls, 'call')}, {tokens}{cached}, {price}"


def assured(verdict: Verdict) -> str:
    """Return the conditions under which tests were run, as a sentence instead of the labels for programs."""
    together = _TOGETHER if APART in verdict.assurance else _BROKEN + _TOGETHER
    said = verdict.assurance.replace(f"{TOGETHER} for", f"{together}, for")
    return said.replace(APART, _APART).replace(TOGETHER, together)


def confined_by(tests: TestEvidence) -> str:
    """Return the mechanisms that confined a run: "bubblewrap, Landlock, seccomp"."""
    return tests.isolation.partition(": ")[0]


def votes_in_words(votes: Votes) -> str:
    """Return the result of a vote: "2 of 3 votes in favour, 2 needed"."""
    said = f"{votes.passed} of {amount(votes.valid, 'vote')} in favour, {votes.needed} needed"
    return said if votes.valid == votes.asked else f"{said}, {votes.asked} asked for"


def votes_as_dots(votes: Votes) -> str:
    """Return votes as dots: "●●●○◌" is three in favour, one against, and one invalid or not awaited.

    Empty if there are too many to count at a glance.
    """
    if votes.asked > _AT_A_GLANCE:
        return ""
    return "●" * votes.passed + "○" * (votes.valid - votes.passed) + "◌" * (votes.asked - votes.valid)


def spreads_in_words(cost: Cost) -> str:
    """Return the ratings of criteria: "clarity 7 of 10 (6, 7, 8)", and the criteria without a rating."""
    return "; ".join(
        f"{spread.criterion} {round(spread.aggregate, 3):g} of {spread.high:g}"
        + (", the middle of the scale, because no answer was usable" if spread.fallback else "")
        + (f" ({', '.join(f'{round(value, 3):g}' for value in spread.values)})" if len(spread.values) > 1 else "")
        for spread in cost.spreads
    )


def explained(cost: Cost) -> str:
    """Return a cost with its source, which may begin with the unit: "2 tokens added or removed in the target"."""
    if not cost.known:
        return cost.source
    if cost.source.startswith(cost.unit):
        return f"{cost_in_words(cost)}{cost.source.removeprefix(cost.unit)}"
    return f"{cost_in_words(cost)} ({cost.source})"


def said_of_change(cost: Cost) -> str:
    """Return a candidate's cost in short: "3 tokens changed", "5 points"."""
    return f"{cost_in_words(cost)} changed" if cost.unit == "tokens" else cost_in_words(cost)


def tests_of(verdicts: Iterable[Verdict]) -> tuple[int, int, int]:
    """Return the numbers of passed, required and newly passing tests."""
    ran = [verdict.tests for verdict in verdicts if verdict.tests is not None]
    return (
        sum(tests.passed for tests in ran),
        sum(tests.collected for tests in ran),
        sum(tests.newly_passing for tests in ran),
    )
