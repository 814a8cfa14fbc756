"""A failing test whose fix needs two functions: they are searched together after each alone, and accepted at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.lsp.editor import Editor
from support.lsp.multi_client import Company
from support.lsp.peer import Message
from support.projects.bare_environment import bare_python
from support.projects.projects import write_project

BILL = """\
def net(prices):
    total = 0
    for price in prices:
        total += price + 1
    return total


def apart(prices):
    return prices + 1


def bill(prices):
    amount = net(prices)
    return amount + amount * 20 // 100
"""
BILL_DONE = BILL.replace("price + 1", "price").replace("20", "19")
OF_BILL = """\
from bill import apart, bill


def test_bill():
    assert [bill([100]), bill([1000, 200])] == [119, 1428]


def test_apart():
    assert apart(1) == 3
"""
TILL = """\
from shop.rates import rate


def price(net, kind):
    return net - net * rate(kind) // 100
"""
TILL_DONE = TILL.replace("net - net", "net + net")
RATES = 'def rate(kind):\n    if kind == "food":\n        return 8\n    return 19\n'
RATES_DONE = RATES.replace("8", "7")
OF_TILL = """\
from shop.till import price


def test_food():
    assert [price(200, "food"), price(300, "food"), price(100, "car")] == [214, 321, 119]
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {
        "pyproject.toml": '[project]\nname = "shop"\n',
        "bill.py": BILL,
        "shop/__init__.py": "",
        "shop/till.py": TILL,
        "shop/rates.py": RATES,
        "tests/test_bill.py": OF_BILL,
        "tests/test_till.py": OF_TILL,
    }
    return write_project(tmp_path, files)


def plain() -> Message:
    return {"interpreter": str(bare_python()), "strength": {"after_search": False}}


def asked_edits(editor: Editor) -> list[Message]:
    return [each for each in editor.peer.received if each.get("method") == "workspace/applyEdit"]


@pytest.mark.slow
async def test_both_functions_move_with_the_text(root: Path, company: Company) -> None:
    """What was typed above since then only moves the edits; another test of the file that fails is left alone."""
    async with company.editor("tcp", root, settings=plain()) as editor:
        await editor.open("tests/test_bill.py")
        await editor.open("bill.py", version=3)
        await editor.choose("tests/test_bill.py", "def test_bill", "repair what")
        passed_on = await editor.said("Searching two suspects together")
        assert passed_on.endswith("Searching two suspects together: `net and bill` (bill.py:1).")
        await editor.said("`net and bill` is verified by 1 test, newly passing")
        await editor.edit("bill.py", "def net", "import math\n\n\ndef net")
        await editor.choose("bill.py", "def net", "accept")
        assert await editor.accepted("bill.py", "import math\n\n\n" + BILL) == "import math\n\n\n" + BILL_DONE


@pytest.mark.slow
async def test_functions_of_two_files_change_at_once(root: Path, company: Company) -> None:
    async with company.editor("tcp", root, settings=plain()) as editor:
        await editor.open("tests/test_till.py")
        await editor.open("shop/till.py", version=3)
        await editor.open("shop/rates.py", version=5)
        await editor.choose("tests/test_till.py", "def test_food", "repair what")
        said = await editor.said("is verified, not tried apart")
        assert "`rate and price`" in said or "`price and rate`" in said
        before = len(asked_edits(editor))
        await editor.choose("shop/rates.py", "def rate", "accept")
        assert await editor.accepted("shop/rates.py", RATES) == RATES_DONE
        assert editor.buffers["shop/till.py"].text == TILL_DONE
        assert len(asked_edits(editor)) == before + 1
