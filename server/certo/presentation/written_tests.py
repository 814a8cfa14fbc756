"""Tests that certo wrote, in words."""

from __future__ import annotations

from certo.vocabulary.written_tests import VersionAgreement, WrittenTest, WrittenTests

PRESENT = "These tests state what {name} does today. certo does not know what it should do."
"""The sentence that stands with all tests that certo writes."""


def tests_in_words(written: WrittenTests) -> str:
    """Return how many tests there are, and where."""
    lines = sum(test.source.count("\n") for test in written.tests)
    where = f"a new file {written.path}" if written.is_new else written.path
    return f"+{counted(len(written.tests), 'test')} in {where}, {counted(lines, 'line')}"


def reason_in_words(test: WrittenTest) -> str:
    """Return why a test is worth having."""
    said = []
    if test.held:
        return f"property: it held on {test.held} calls; notices {counted(test.notices, 'small change')}"
    if test.branches:
        shown = "; ".join(test.branches[:2])
        more = f" and {len(test.branches) - 2} more" if len(test.branches) > 2 else ""
        said.append(f"reaches {shown}{more}, which no test reached")
    if test.notices:
        where = f"line {test.lines[0]}" if len(test.lines) == 1 else f"lines {', '.join(map(str, test.lines))}"
        said.append(f"notices {counted(test.notices, 'small change')} that no test noticed ({where})")
    if test.author:
        said.append(f"proposed by {test.author}")
    if not said:
        said.append("states what the other version does otherwise")
    return "; ".join(said)


def agreement_in_words(agreement: VersionAgreement, name: str) -> str:
    """Return how the function `name` agrees with an older version."""
    if agreement.reason:
        return f"not compared with {agreement.older}: {agreement.reason}"
    if not agreement.differences:
        return f"no difference from {agreement.older} found in {counted(agreement.compared, 'call')}"
    shown = "; ".join(f"{one.call} now {one.now}, in {agreement.older} {one.before}" for one in agreement.differences)
    return f"{name} differs from {agreement.older}, compared on {counted(agreement.compared, 'call')}: {shown}"


def gain_in_words(written: WrittenTests) -> str:
    """Return what the tests add to those that there are."""
    if not written.mutants:
        return f"of {counted(written.branches, 'branch', 'branches')} all tests reach {written.executed_after}"
    before = f"your tests noticed {written.noticed_before} of {counted(written.mutants, 'small change')}"
    if not written.noticed_before:
        before = f"no test noticed any of {counted(written.mutants, 'small change')}"
    return f"{before}, with these {written.noticed_after}; each passed 3 runs in 2 orders and 2 hash seeds"


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number of things in words."""
    return f"{number} {one if number == 1 else many or one + 's'}"
