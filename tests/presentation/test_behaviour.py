"""Two results that differ are shown so that the difference is seen."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from certo.behaviour.diff import BehaviourDiff
from certo.behaviour.version_comparison import (
    BehaviourDifference,
    BranchCoverage,
    Sensitivity,
    VersionComparison,
    VersionResult,
)
from certo.presentation.behaviour import details, in_one_line, summary

PAIRS = {
    "blanks": ("'Hello  you'", "'Hello you'"),
    "an end": (repr("a" * 250 + "b"), repr("a" * 250 + "c")),
    "two lines": ("<Till\n  of 1>", "<Till\n  of 2>"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_results_that_differ_look_different(name: str) -> None:
    before, now = PAIRS[name]
    one = BehaviourDifference(call="f(1)", before=before, now=now, kind="value", domain="usual")
    result = VersionResult(differences=(one,), compared=30, branches=BranchCoverage(number=0))
    found = BehaviourDiff(
        path="m.py", qualname="f", line=1, older="HEAD", comparison=VersionComparison(versions=(result,))
    )
    said = in_one_line(found).removeprefix("different: f(1) gave ").split(", now ")
    assert len(set(said)) == 2
    lines = [line.strip() for line in details(found, every=False)]
    older, newer = lines[1].removeprefix("HEAD: "), lines[2].removeprefix("now: ")
    assert older != newer
    assert all("\n" not in line for line in lines)


@pytest.mark.parametrize(("noticed", "is_weak"), [(9, False), (4, True)])
def test_unnoticed_small_changes_are_told(noticed: int, is_weak: bool) -> None:
    result = VersionResult(differences=(), compared=30, branches=BranchCoverage(number=0))
    comparison = VersionComparison(versions=(result,), sensitivity=Sensitivity(noticed=noticed, tried=10))
    found = BehaviourDiff(path="m.py", qualname="f", line=1, older="HEAD", comparison=comparison)
    said = f"these calls notice {noticed} of 10 small changes"
    line = in_one_line(found)
    assert "no difference found in 30 calls" in line
    assert said in line
    assert line.startswith("weak evidence") is is_weak
    assert [said in line for line in details(found, every=False)].count(True) == 1
    assert next(iter(details(found, every=False))).startswith("weak evidence") is is_weak


@pytest.mark.parametrize("call", ["f('`a`|b')", "f('``', '|`')", "f('a`')"])
def test_summary_keeps_backticks_and_pipes(call: str) -> None:
    """In one cell, as a reader of Markdown sees it."""
    one = BehaviourDifference(call=call, before="'`'", now="'\n|'", kind="value", domain="usual")
    result = VersionResult(differences=(one,), compared=30, branches=BranchCoverage(number=0))
    found = BehaviourDiff(
        path="m.py", qualname="f", line=1, older="HEAD", comparison=VersionComparison(versions=(result,))
    )
    parsed = MarkdownIt("commonmark").enable("table").parse(summary([found], "HEAD"))
    cells = [token for token in parsed if token.type == "inline" and token.map and token.map[0] > 3]
    shown = ["".join(part.content for part in cell.children or []) for cell in cells[:3]]
    assert shown == ["m.py::f", "different", f"different: {call} gave '`', now ' |'"]
