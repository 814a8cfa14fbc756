"""The contract of every template: edits within the body that do not overlap, and no text twice."""

from __future__ import annotations

import ast
from functools import cache
from textwrap import dedent

import pytest

from certo_builtin.question import Question
from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.fault_localization import Suspicion
from certo_builtin.repair.ranking import Ranked, ranked
from certo_builtin.repair.templates.catalogue import CATALOGUE
from certo_builtin.source import Source, applied

SOURCE = dedent(
    '''
    import math

    def elsewhere(x):
        return x

    def target(items, limit, *, key=None):
        """What it does."""
        best = None
        total = 0  # a comment
        for index, item in enumerate(items):
            if item is None or not item:
                continue
            if key is not None and key(item) > limit:
                total += len(item[1:]) * 2
            else:
                total -= -index
            best = item if best is None else best
            items.append(item)
        pairs = [(x, limit.left) for x in items]
        seen = [x + 1 for x in items if x > 0]
        text = f"{best}: {total}"
        while total > limit:
            total = elsewhere(total) - 1
        yield math.floor(total / max(limit, 1))
        return seen, text, pairs
    '''
)


def question(source: str, seed: int = 0, selected: tuple[int, int] | None = None) -> Question:
    lines = source.splitlines(keepends=True)
    line = next(number for number, text in enumerate(lines, 1) if text.startswith("def target"))
    start = sum(map(len, lines[: line - 1]))
    return Question(
        root="", path="mod.py", text=source, qualname="target", start=start, end=len(source), line=line, is_hole=False,
        docstring="", instruction="", selected=selected, failing=[], passing=[], examples=[], seconds=1.0, steps=1,
        candidates=20000, seed=seed, plausible=5, unwanted=[],
    )  # fmt: skip


def context(source: str) -> RepairContext:
    parsed = Source(source)
    target = parsed.function_at(question(source).line, "target")
    assert target is not None
    kinds = {"target": {"items": {"list"}, "limit": {"int"}, "total": {"int"}, "item": {"str"}}}
    return RepairContext(parsed, target, kinds, {"Node": {"left", "right"}})


def blame(source: str) -> Suspicion:
    return Suspicion([set(range(1, source.count("\n") + 2))], ["failed"])


@cache
def edits(seed: int = 0) -> list[Ranked]:
    """Return all edits of the source in their order; to make them takes seconds."""
    return ranked(context(SOURCE), blame(SOURCE), question(SOURCE, seed=seed)).all()


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Yield the source after each edit, and check the place of the edit."""
    source, asked = SOURCE.rstrip(), question(SOURCE.rstrip())
    made = []
    for one in ranked(context(source), blame(source), asked).all():
        assert asked.start <= one.edits[0][0] <= one.edits[-1][1] <= asked.end
        made.append(applied(source, one.edits))
        assert made[-1] != source
    return made


def test_edits_stay_inside_and_mostly_parse(texts: list[str]) -> None:
    assert len(texts) > 1000
    # There are so many that one of four tells as much as all of them would.
    broken = [text for text in texts[::4] if not parses(text)]
    assert len(broken) < len(texts[::4]) / 50


def test_windows_line_endings_give_the_same_edits(texts: list[str]) -> None:
    source = SOURCE.rstrip().replace("\n", "\r\n")
    found = ranked(context(source), blame(source), question(source)).all()
    assert [applied(source, one.edits) for one in found] == [text.replace("\n", "\r\n") for text in texts]


def parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def test_every_template_applies_somewhere() -> None:
    seen = {one.template for one in edits()}
    quiet = {template.name for template in CATALOGUE} - seen
    assert quiet <= {
        "another item", "a question as the result", "another literal", "a missing result", "another order",
        "a variable never set", "another direction or fallback", "results exchanged", "another range",
        "a statement that belongs into an else", "an item not added to what is there", "a missing default",
        "what a loop leaves over", "an argument left out", "other brackets", "another exception caught",
        "another exception raised", "a missing refusal", "an exception not handled", "an assertion for an error",
        "a missing case", "a missing type", "another method of the class", "a missing option",
        "a missing call statement",
        "a state not restored", "a missing item of a dictionary", "a missing blank between texts", "a missing branch",
        "a missing clause about a part", "a result that is dropped", "a value that is right already",
        "an argument not taken",
    }  # fmt: skip


def test_names_of_templates_are_their_own() -> None:
    names = [template.name for template in CATALOGUE]
    assert len(names) == len(set(names))


@pytest.mark.slow
def test_ranking_is_sorted_and_seeded() -> None:
    first, again, other = edits(), edits.__wrapped__(), edits(1)
    assert first == again
    assert [one.probability for one in first] == sorted((one.probability for one in first), reverse=True)
    assert first != other
    assert [one.probability for one in first] == [one.probability for one in other]


def test_blame_is_highest_on_failing_lines() -> None:
    suspicion = Suspicion([{1, 2, 3}, {1, 2}, {1, 4}], ["failed", "passed", "passed"])
    assert suspicion.of(3, 3) > suspicion.of(2, 2) > suspicion.of(1, 1) > suspicion.of(4, 4) > 0


def test_edits_of_the_selection_come_first() -> None:
    first = SOURCE.splitlines().index("        else:") + 1
    asked = question(SOURCE, selected=(first, first + 2))
    led, usual = ranked(context(SOURCE), blame(SOURCE), asked).all(), edits()
    inside = [first <= one.line <= first + 2 for one in led]
    assert 0 < sum(inside) < len(inside)
    assert inside == sorted(inside, reverse=True)
    before = [one.probability for one in usual if first <= one.line <= first + 2]
    assert [one.probability for one in led[: len(before)]] == before
