"""Definitions and callers elsewhere in the project are found by reading; nothing of the project runs."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from certo.generation.generator import ProblemPreview
from certo.generation.model.related_code import RelatedCode, shown
from certo.sandbox.executor import Executor, Finished, Message, Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.vocabulary.errors import SandboxUnavailable
from certo.vocabulary.problem import KnownTest, Problem
from certo.vocabulary.verdict import Ruling
from support.models.model_generator import problem_of
from support.projects.projects import write_project

TILL = """\
from decimal import Decimal
from shop.coins import COINS, Coin, largest


def change(due: Decimal) -> list[Coin]:
    return [largest(due, COINS)]
"""
FILES = {
    "shop/__init__.py": "",
    "shop/till.py": TILL,
    "shop/coins.py": """\
        open("ran", "w").close()

        COINS = (50, 20, 10)


        class Coin:
            value: int


        def largest(due, coins):
            \"\"\"The largest coin that is due.\"\"\"
            return next(coin for coin in coins if coin <= due)


        def unrelated():
            pass
        """,
    "shop/counter.py": """\
        from shop.till import change


        def pay(due):
            return len(change(due))
        """,
    "tests/test_till.py": "from shop.till import change\n\n\ndef test_change():\n    assert change(50) == [50]\n",
    # Were it imported instead of Python's own, it would be found out.
    "ast.py": "raise SystemExit('the project ran')\n",
}


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    write_project(tmp_path, FILES)
    test = KnownTest(id="tests/test_till.py::test_change", ruling=Ruling.FAILED)
    return problem_of(TILL, "change", root=tmp_path, path="shop/till.py", tests=[test])


async def test_related_code_is_found_once_by_reading(problem: Problem):
    looked: list[Work] = []

    class Counting(LocalExecutor):
        async def run(self, work: Work, tell) -> Finished:
            looked.append(work)
            return await super().run(work, tell)

    related = RelatedCode(ProblemPreview.of(problem), Counting(SandboxOptions()), 2000, seconds=100)
    texts: list[str] = []

    async def ask() -> None:
        texts.append(await related.text(problem))

    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(ask)
    assert len(looked) == 1
    (text,) = set(texts)
    assert "Used by the function, from shop/coins.py:3\n\n```python\nCOINS = (50, 20, 10)\n```" in text
    assert "class Coin:\n    value: int" in text
    assert "def largest(due, coins):" in text
    assert "unrelated" not in text
    assert "A call of the function, from shop/counter.py:5" in text
    assert "return len(change(due))" in text
    assert "test_change" not in text, "the tests are shown by themselves"
    assert "class Decimal" not in text, "what is not the project's is known"
    assert not (problem.root / "ran").exists()


class Unavailable:
    """An executor that can run nothing here."""

    async def run(self, work: Work, tell: object) -> Finished:
        raise SandboxUnavailable("nothing here can run untrusted code")


@pytest.mark.parametrize("tokens", [0, 2000])
async def test_no_related_code_without_tokens_or_executor(problem: Problem, tokens: int):
    executor: Executor = Unavailable()  # type: ignore[assignment]  # no more of it is asked for
    assert await RelatedCode(ProblemPreview.of(problem), executor, tokens).text(problem) == ""


def test_nearest_related_code_is_shown_first():
    finds: list[Message] = [
        {"kind": "definition", "path": "a.py", "line": 1, "code": "x" * 100},
        {"kind": "definition", "path": "b.py", "line": 2, "code": "y" * 1000},
        {"kind": "call", "path": "c.py", "line": 3, "code": "z"},
    ]
    text = shown(finds, 300)
    assert len(text) <= 300
    assert ["a.py:1" in text, "b.py:2" in text, "c.py:3" in text] == [True, False, True]
