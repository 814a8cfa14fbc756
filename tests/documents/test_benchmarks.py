"""The figures on the pages are those that the kept outputs of the benchmarks have, with date and command."""

from __future__ import annotations

import datetime
import importlib
import re

import pytest

from support.documents.pages import ROOT, Page

RESULTS = {path.stem: path for path in (ROOT / "tests" / "benchmarks" / "results").glob("*.txt")}
PAGE = Page("docs/explanation/benchmarks.md")
README = Page("README.md")
HEAD = re.compile(r"date: (\S+)\ncommand: (\S+)(.*)\npython: .*\nmachine: .*\ncommit: .*\n\n")

MOST = 20_000
"""Bytes of a kept output."""

SEARCHED = r"plausible (\d+) of (\d+), correct@1 (\d+), correct@5 (\d+)"
RANKED = (
    r"validation: (\d+) repositories, (\d+) fixes, (\d+) proposed[\s\S]*?"
    r"as written +(\d+)[\s\S]*?tokens of the file +(\d+)"
)
GRADED = "validation   all +" + ", ".join(rf"{level} +(\d+) of +(\d+) +(\d+)%" for level in ("strong", "fair", "weak"))
ROWS = {
    "search-quixbugs": (
        SEARCHED,
        "| QuixBugs, {1} programs with a bug in one line | the set's tests | {0} | {2} | {3} |",
        "| QuixBugs, {1} programs | the set's tests | {2} | {3} |",
    ),
    "search-humanevalfix": (
        SEARCHED,
        "| HumanEvalFix, the {1} functions of even number | the examples of the docstring | {0} | {2} | {3} |",
        "| HumanEvalFix, {1} functions of even number | the examples of the docstring | {2} | {3} |",
    ),
    "levels": (GRADED, "| all | {0} of {1} ({2} %) | {3} of {4} ({5} %) | {6} of {7} ({8} %) |", ""),
    "learned-ranking": (RANKED, "| {0} that the table is not learned from | {1} | {2} | {3} | {4} |", ""),
}
"""For each kept output its line of figures, and the rows of the page and of the README that they make."""


def figures(name: str) -> tuple[str, ...]:
    found = re.search(ROWS[name][0], RESULTS[name].read_text(encoding="utf-8"))
    assert found is not None
    return found.groups()


@pytest.mark.parametrize(
    ("strong", "weak", "is_reached"),
    [((19, 20), (12, 20), True), ((18, 20), (12, 20), False), ((0, 0), (20, 20), False), ((20, 20), (12, 19), False)],
    ids=["both bars", "too often wrong", "none strong", "few weak"],
)
def test_bars_of_levels_need_winners(
    monkeypatch: pytest.MonkeyPatch, strong: tuple[int, int], weak: tuple[int, int], *, is_reached: bool
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "benchmarks"))
    reached = importlib.import_module("levels").reached
    found = [
        {"level": level, "right": number < right}
        for level, (right, of) in {"strong": strong, "weak": weak, "fair": (40, 40)}.items()
        for number in range(of)
    ]
    assert reached(found) is is_reached


@pytest.mark.parametrize("name", RESULTS)
def test_figures_are_those_of_the_output(name: str) -> None:
    _, row, short = ROWS[name]
    assert row.format(*figures(name)) in PAGE.text
    assert short.format(*figures(name)) in README.text


@pytest.mark.parametrize("name", RESULTS)
def test_each_output_says_where_it_came_from(name: str) -> None:
    """Date, command, Python, machine and commit; and the program that made it is there."""
    head = HEAD.match(RESULTS[name].read_text(encoding="utf-8"))
    assert head is not None
    assert f"results/{name}.txt) | {head[1]} | `{head[2]}{head[3]}` |" in PAGE.text
    assert (ROOT / head[2]).exists()
    assert RESULTS[name].stat().st_size < MOST


def test_medians_and_dates_come_from_outputs() -> None:
    """The sentences around the table, which name both sets, are about the same runs."""
    texts = [RESULTS[name].read_text(encoding="utf-8") for name in ("search-quixbugs", "search-humanevalfix")]
    medians = [text.partition("median ")[2].partition(" s ")[0] for text in texts]
    assert f"took less than {medians[0]} (QuixBugs) and {medians[1]} seconds" in PAGE.text
    [day] = {datetime.date.fromisoformat(text.partition("date: ")[2][:10]) for text in texts}
    assert f"by `tests/benchmarks/searching.py --set NAME`, on {day.day} {day:%B %Y}" in PAGE.text
    assert f"with 20 seconds of one core for each function ({day.day} {day:%B %Y})" in README.text


def test_nothing_is_listed_that_was_not_kept() -> None:
    listed = re.findall(r"^\| \[([\w-]+)\]\(", PAGE.text, re.MULTILINE)
    assert sorted(listed) == sorted(RESULTS)
