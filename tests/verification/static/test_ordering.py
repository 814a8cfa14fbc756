"""Calls that have to come first do so on every path of the real control flow, loops and branches included."""

from __future__ import annotations

import pytest

from certo.verification.static.tool_calls import CheckOrdering, ordering_objections
from certo.vocabulary.verdict import Ruling
from support.search.rewrites import problem_about, with_body

pytestmark = pytest.mark.acceptance(19)

RULES = [("open", "query")]

IN_ORDER = [
    "open(); query()",
    "query(open())",
    "db.open(); db.query()",
    "requery(); db.reopen()",
    "if c: open()\nelse: open()\nquery()",
    "if c: raise Error\nelse: open()\nquery()",
    "while True:\n    open()\n    break\nquery()",
    "while open(): query()",
    "for x in open(): query(x)",
    "try: pass\nfinally: open()\nquery()",
    "try: open()\nexcept OSError: raise\nquery()",
    "with db.open() as cursor: cursor.query()",
    "[query(x) for x in open()]",
    "open() and query()",
    "def f(): open()\nf(); query()",
    "def f(): query()\nopen(); f()",
    "def f():\n    if c: return\n    open()\n    query()",
    "def f(n):\n    open()\n    return f(n - 1)\nf(1); query()",
    "match open():\n    case 1: query()",
]

OUT_OF_ORDER = {
    "query(); open()": 1,
    "query()": 1,
    "if c: open()\nquery()": 2,
    "for x in xs: open()\nquery()": 2,
    "for x in xs:\n    query(x)\n    open()": 2,
    "while c: open()\nquery()": 2,
    "try: open()\nexcept OSError: pass\nquery()": 3,
    "try: open()\nfinally: query()": 2,
    "c and open()\nquery()": 2,
    "open() if c else None\nquery()": 2,
    "[open() for x in xs]\nquery()": 2,
    "lambda: open()\nquery()": 2,
    "def f(): query()": 1,
    "def f():\n    if c: return\n    open()\nf()\nquery()": 5,
    "match c:\n    case 1: open()\nquery()": 3,
    "requery(open); query()": 1,
}


@pytest.mark.parametrize("source", IN_ORDER)
def test_calls_in_order_pass(source: str) -> None:
    assert ordering_objections(source, RULES) == ()


@pytest.mark.parametrize(("source", "line"), OUT_OF_ORDER.items())
def test_one_way_out_of_order_is_enough(source: str, line: int) -> None:
    (finding,) = ordering_objections(source, RULES)
    assert finding.message == "query may be called before open; on every way to it, call open first"
    assert finding.line == line


def test_each_rule_counts_and_each_place() -> None:
    rules = [("check", "pay"), ("pay", "ship")]
    assert ordering_objections("check(); pay(); ship()", rules) == ()
    assert [finding.line for finding in ordering_objections("pay()\nship()\ncheck()\npay()", rules)] == [1]
    assert [finding.line for finding in ordering_objections("ship()\npay()", rules)] == [1, 2]


async def test_only_the_target_is_judged() -> None:
    problem = problem_about("query()\n\n\ndef f(x):\n    return x\n", "f")
    verifier = CheckOrdering(RULES)
    good = await verifier.judge(with_body(problem, "open()\n    return query(x)"), problem)
    bad = await verifier.judge(with_body(problem, "return query(x)"), problem)
    assert (verifier.name, good.ruling, bad.ruling) == ("ordering", Ruling.PASSED, Ruling.FAILED)
    assert bad.findings[0].line == 5
