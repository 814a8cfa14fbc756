"""Two bugs in one function: the edit that fixes one is found by its progress, and combined with the other."""

from __future__ import annotations

from pathlib import Path

from certo_builtin.repair.pairs import distance, pairs
from certo_builtin.repair.ranking import ranked
from certo_builtin.source import applied
from support.search.repair_context import alive

SOURCE = """\
def target(words, least):
    kept = []
    for word in words:
        if len(word) > least:
            kept.append(word)
    return sorted(kept)[1:]
"""
TESTS = ["assert target(['b', 'aaa', 'cc'], 2) == ['aaa', 'cc']"]
MENDED = SOURCE.replace("> least", ">= least").replace("sorted(kept)[1:]", "sorted(kept)[0:]")


def test_edits_are_paired_when_one_progresses(tmp_path: Path) -> None:
    with alive(tmp_path, SOURCE, TESTS) as patient:
        edits = ranked(patient.context, patient.suspicion, patient.question).all()
        found = pairs(patient.runner, patient.question, edits[:400], patient.failing)
    texts = {applied(SOURCE, one.edits) for one in found}
    whole = SOURCE.replace("> least", ">= least").replace("sorted(kept)[1:]", "sorted(kept)")
    assert texts & {MENDED, whole}


def test_distance_falls_as_more_is_right() -> None:
    assert distance([1, 2], [1, 2]) == 0
    assert distance([1, 3], [1, 2]) < distance([4, 3], [1, 2]) <= 1
    assert distance(5, 7) < distance(1, 7) < distance("7", 7) == 1
    assert distance({1, 2}, {2, 3}) < distance({1}, {2, 3})
    assert distance(float("nan"), 1.0) != 0
