"""Order of the edits to try: it is the same whether all are ranked at once or only the first."""

from __future__ import annotations

import ast
import random
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from certo_builtin.question import Question
from certo_builtin.repair import naturalness
from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.fault_localization import Suspicion
from certo_builtin.repair.ranking import Ranked, ranked
from certo_builtin.source import FUNCTIONS, Source
from support.search.repair_context import asked

MODULES = (textwrap, random)
FUNCTIONS_OF_EACH = 4
CANDIDATES = 300


def questions(*, selects: bool) -> Iterator[tuple[RepairContext, Suspicion, Question]]:
    """Yield short functions of the standard library, with a line of suspicion, and maybe a selection."""
    for module in MODULES:
        text = Path(str(module.__file__)).read_text(encoding="utf-8")
        source = Source(text)
        short = [
            node
            for node in ast.walk(source.tree)
            if isinstance(node, FUNCTIONS) and (node.end_lineno or 0) - node.lineno < 30
        ]
        for target in short[:FUNCTIONS_OF_EACH]:
            first, last = target.body[0].lineno, target.body[-1].lineno
            question = asked("def target():\n    pass\n")._replace(
                text=text,
                qualname=target.name,
                start=source.start(target),
                end=source.end(target),
                line=target.lineno,
                docstring=ast.get_docstring(target) or "",
                candidates=CANDIDATES,
                selected=(last, last) if selects else None,
            )
            suspicion = Suspicion([{first, last}, {first}], ["failed", "passed"])
            yield RepairContext(source, target, {}, {}), suspicion, question


@pytest.mark.parametrize("selects", [False, True], ids=["function", "selection"])
def test_edits_come_in_order_of_probability(*, selects: bool) -> None:
    number = 0
    for context, suspicion, question in questions(selects=selects):

        def key(one: Ranked, selected: tuple[int, int] | None = question.selected) -> tuple[bool, float]:
            return selected is not None and one.line != selected[0], -one.probability

        edits = ranked(context, suspicion, question).all()
        assert edits == sorted(edits, key=key)
        number += len(edits)
    assert number > 6 * CANDIDATES


def test_first_edits_read_few_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first edits are those of the whole order, and few others are searched for words and oddities."""
    read: list[object] = []
    whole = naturalness.Naturalness.wording_factor

    def counted(self: naturalness.Naturalness, edits: naturalness.Sequence[naturalness.Edit]) -> float:
        read.append(edits)
        return whole(self, edits)

    monkeypatch.setattr(naturalness.Naturalness, "wording_factor", counted)
    for context, suspicion, question in questions(selects=False):
        ranking = ranked(context, suspicion, question)
        first = list(ranking.first(3))
        few = len(read)
        edits = ranking.all()
        assert first == edits[:3] == list(ranking.first(3))
        if len(edits) == CANDIDATES:
            assert few < len(read)
        read.clear()
