"""A request at a failing test repairs the function to blame, in its own file."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from support.lsp.editor import script
from support.lsp.multi_client import Company
from support.lsp.peer import Refusal
from support.lsp.search_client import attach, rich
from support.projects.projects import write_project

MONEY = """\
def rounded(amount):
    return int(amount + 0.5)


def change(paid, price):
    return rounded(paid + price)
"""
CHANGE = "def change(paid, price):\n    return rounded(paid - price)\n"
TESTS = """\
from money import change, rounded


def test_rounded():
    assert rounded(2.5) == 3


def test_change():
    assert change(5, 2) == 3


def helper():
    return 1
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {"pyproject.toml": '[project]\nname = "money"\n', "money.py": MONEY, "tests/test_money.py": TESTS}
    return write_project(tmp_path, files)


async def test_tests_offer_to_repair_the_tested_function(root: Path, company: Company) -> None:
    async with company.editor("tcp", root) as editor:
        await editor.open("tests/test_money.py")
        for place in ("def test_change", "assert change"):
            titles = await editor.titles("tests/test_money.py", place)
            assert titles == ["Certo: repair what `test_change` tests"]
        assert await editor.titles("tests/test_money.py", "def helper") == [
            "Certo: repair `helper` until its tests pass",
            "Certo: make `helper` faster",
        ]


async def test_repair_changes_the_function_in_its_file(root: Path, company: Company) -> None:
    async with company.editor("tcp", root, settings=script(root, CHANGE)) as editor:
        await editor.open("tests/test_money.py")
        await editor.open("money.py", version=4)
        began = await editor.choose("tests/test_money.py", "def test_change", "repair what")
        assert began == {"state": "locating"}
        await editor.said("test_change fails, and change (money.py:5) is the likeliest cause of it.")
        await editor.said("is verified by")
        titles = await editor.titles("money.py", "def change")
        assert titles[0].startswith("Certo: accept #1 ✓ ")
        assert "**Candidate #1 for change" in (await editor.hover("money.py", "def change") or "")
        assert len(await editor.lenses("money.py")) > 0
        assert await editor.lenses("tests/test_money.py") == []
        await editor.choose("money.py", "def change", "accept")
        assert CHANGE in await editor.accepted("money.py", MONEY)
    assert (root / "tests/test_money.py").read_text() == TESTS


async def test_client_is_told_the_blamed_function(root: Path, company: Company) -> None:
    async with company.editor("tcp", root, client=rich(), settings=script(root, CHANGE)) as editor:
        await editor.open("tests/test_money.py", version=2)
        wish = {"uri": editor.uri("tests/test_money.py"), "version": 2, "qualname": "test_change", "key": str(root)}
        began = await editor.peer.request("certo/search/start", wish)
        assert began["sentence"] == "test_change fails, and change (money.py:5) is the likeliest cause of it."
        assert began["base"] == {"version": None, "sha256": hashlib.sha256(MONEY.encode()).hexdigest()}
        search = (await editor.peer.request("certo/search/get", {"searchId": began["searchId"]}))["search"]
        assert (search["uri"], search["qualname"]) == (editor.uri("money.py"), "change")
        again = await editor.peer.request("certo/search/start", wish)
        assert (again["searchId"], again["resumed"]) == (began["searchId"], True)


BILL = """\
def bill(prices):
    net = 0
    for price in prices:
        net += price
    return net + tax(net)


def tax(net):
    return net * 20 // 100
"""
TAX = "def tax(net):\n    return net * 19 // 100\n"
OF_BILL = "from bill import bill\n\n\ndef test_bill():\n    assert [bill([100]), bill([1000, 200])] == [119, 1428]\n"


@pytest.mark.slow
async def test_next_suspect_is_searched_after_no_result(root: Path, company: Company) -> None:
    write_project(root, {"bill.py": BILL, "tests/test_bill.py": OF_BILL})
    async with company.editor("tcp", root, settings=script(root, TAX)) as editor:
        await editor.open("tests/test_bill.py")
        await editor.open("bill.py", version=3)
        await editor.choose("tests/test_bill.py", "def test_bill", "repair what")
        await editor.said("test_bill fails, and bill (bill.py:1) is the likeliest cause of it")
        passed_on = await editor.said("nothing found for `bill`.")
        assert passed_on.endswith("Searching the next suspect: `tax` (bill.py:8).")
        await editor.said("`tax` is verified by")
        await editor.choose("bill.py", "def tax", "accept")
        assert TAX in await editor.accepted("bill.py", BILL)


@pytest.mark.slow
async def test_client_is_told_the_following_search(root: Path, company: Company) -> None:
    write_project(root, {"bill.py": BILL, "tests/test_bill.py": OF_BILL})
    async with company.editor("tcp", root, client=rich(), settings=script(root, TAX)) as editor:
        await editor.open("tests/test_bill.py")
        wish = {"uri": editor.uri("tests/test_bill.py"), "qualname": "test_bill", "key": str(root)}
        began = await editor.peer.request("certo/search/start", wish)
        ended = await editor.peer.answer(await attach(editor, began["searchId"]))
        stopped = ended["events"][-1]
        assert (stopped["type"], stopped["outcome"]) == ("search.stopped", "exhausted")
        last = await editor.peer.answer(await attach(editor, stopped["followedBy"]))
        assert (last["events"][-1]["outcome"], last["events"][-1]["followedBy"]) == ("solved", None)
        listed = (await editor.peer.request("certo/search/list", {"folder": root.as_uri()}))["searches"]
        assert {each["qualname"]: each["state"] for each in listed} == {"bill": "stopped", "tax": "stopped"}


async def test_a_test_that_passes_starts_nothing(root: Path, company: Company) -> None:
    async with company.editor("tcp", root, client=rich()) as editor:
        await editor.open("tests/test_money.py")
        wish = {"uri": editor.uri("tests/test_money.py"), "qualname": "test_rounded"}
        with pytest.raises(Refusal, match="test_rounded passes; there is nothing to repair for it") as refusal:
            await editor.peer.request("certo/search/start", {**wish, "key": str(root)})
        assert refusal.value.extra["name"] == "BadRequest"
        assert await editor.command("certo.generate", wish) == {"state": "locating"}
        await editor.said("test_rounded passes; there is nothing to repair for it")
        assert (await editor.peer.request("certo/search/list", {"folder": root.as_uri()}))["searches"] == []
