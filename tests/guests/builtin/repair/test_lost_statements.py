"""Edits that send the checks past the rest of the function are unlikely repairs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import FunctionType

import pytest

from certo_builtin.execution.allowance import Allowance
from certo_builtin.execution.checks import Check
from certo_builtin.execution.fuel import Meter
from certo_builtin.execution.hot_swap import HotSwap
from certo_builtin.execution.runner import CandidateRunner
from certo_builtin.repair.fault_localization import traced
from certo_builtin.repair.lost_statements import LostStatements
from certo_builtin.source import Edit, Source
from support.search.builtin_searches import searched, stated, text_of

SOURCE = """\
def last(n, items):
    try:
        size = len(items)
    except TypeError:
        return list(items)[-n:] if n else []
    else:
        return items[max(0, size - n):]
"""
IN_ORDER = SOURCE.index("    try:")


def replaced(old: str, new: str) -> Edit:
    at = SOURCE.index(old)
    return at, at + len(old), new


@pytest.mark.parametrize(
    ("edits", "lost"),
    [
        ([], False),
        ([replaced("len(items)", "len(n)")], True),
        ([replaced("max(0, size - n)", "size - n")], False),
        ([(IN_ORDER, IN_ORDER, "    if n < 0:\n        raise ValueError\n\n")], False),
        ([(IN_ORDER, IN_ORDER, "    if n > 0:\n        raise ValueError\n\n")], True),
        ([replaced("        return items[max(0, size - n):]\n", "        return []\n")], False),
    ],
    ids=["none", "only the handler is left", "within", "a guard", "a guard of all", "another statement"],
)
def test_statements_that_edits_stop_are_lost(edits: Sequence[Edit], *, lost: bool) -> None:
    source = Source(SOURCE)
    target = source.function_at(1, "last")
    assert target is not None
    space: dict[str, object] = {}
    exec(compile(SOURCE, "/lost/mod.py", "exec"), space)
    last = space["last"]
    assert isinstance(last, FunctionType)

    def check(n: int, items: object, right: object) -> Check:
        def run() -> None:
            assert last(n, items) == right

        return Check(f"{n}", run, owed=False)

    checks = [check(2, [1, 2, 3], [2, 3]), check(-1, [1, 2], None), check(0, iter([1, 2]), [])]
    runner = CandidateRunner(HotSwap(source, "mod.py", target), checks, Meter(), Allowance(60.0))
    assert LostStatements(runner, target, traced(runner)).are_lost_by(edits) is lost


TESTS = """
    from mod import last
    def test_last():
        assert last(2, [1, 2, 3]) == [2, 3]
    def test_empty():
        assert last(2, []) == []
    def test_iterator():
        assert last(2, iter("abc")) == ["b", "c"]
"""


async def test_repairs_beside_others_come_first(tmp_path: Path) -> None:
    """`len(n)` and dozens like it leave only the handler, which is right for lists too."""
    wrong = SOURCE.replace("size - n", "size")
    problem = stated(
        tmp_path, wrong, "last", tests=TESTS, failing=["test_last"], passing=["test_empty", "test_iterator"]
    )
    found, _ = await searched(problem)
    assert text_of(problem, found[0]) == SOURCE
