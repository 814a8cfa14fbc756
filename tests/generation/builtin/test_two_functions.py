"""A repair that needs one edit in each of two functions is found without a model, in one file and in two."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from textwrap import dedent

from certo.edits.target import ByName, find_target, with_second
from certo.generation.builtin.options import BuiltinOptions
from certo.generation.builtin.search_program import PlausibleCandidates, beginnings
from certo.vocabulary.problem import Problem, SecondFunction
from support.search.builtin_searches import searched, stated, text_of

OPTIONS = BuiltinOptions(seconds=40.0, plausible=8)
ONE_FILE = dedent(
    """
    def net(prices):
        total = 0
        for price in prices:
            total += price + 1
        return total


    def untouched(prices):
        return prices + 1


    def bill(prices):
        amount = net(prices)
        return amount + amount * 20 // 100
    """
)
TESTS = """
from mod import bill
def test_bill():
    assert [bill([100]), bill([1000, 200])] == [119, 1428]
"""
TILL = dedent(
    """
    from rates import rate


    def price(net, kind):
        return net - net * rate(kind) // 100
    """
)
RATES = dedent(
    """
    def rate(kind):
        if kind == "food":
            return 8
        return 19
    """
)
OF_TILL = """
from mod import price
def test_food():
    assert [price(200, "food"), price(300, "food"), price(100, "car")] == [214, 321, 119]
"""


def together(problem: Problem, path: str, text: str, qualname: str) -> Problem:
    """The same problem, with a second function."""
    second = SecondFunction(path=path, target=find_target(text, ByName(qualname), path=path))
    others = None if path == problem.path else frozenset({path})
    return replace(problem, target=with_second(problem.target, problem.path, second), others=others)


def of_one_file(root: Path) -> Problem:
    return together(stated(root, ONE_FILE, "bill", tests=TESTS, failing=["test_bill"]), "mod.py", ONE_FILE, "net")


def of_two_files(root: Path) -> Problem:
    problem = stated(root, TILL, "price", tests=OF_TILL, failing=["test_food"], others={"rates.py": RATES})
    return together(problem, "rates.py", RATES, "rate")


async def test_two_functions_of_a_file_are_repaired(tmp_path: Path) -> None:
    problem = of_one_file(tmp_path)
    found, ended = await searched(problem, OPTIONS)
    assert found, ended.reason
    assert text_of(problem, found[0]) == ONE_FILE.replace("price + 1", "price").replace("20", "19")
    assert found[0].note == "an operation dropped in net, line 5, and another constant in bill, line 15"
    assert found[0].elsewhere == {}
    assert found[0].suspicion == 1.0


async def test_functions_of_two_files_are_repaired(tmp_path: Path) -> None:
    problem = of_two_files(tmp_path)
    found, ended = await searched(problem, OPTIONS)
    assert found, ended.reason
    assert text_of(problem, found[0]) == TILL.replace("net - net", "net + net")
    assert found[0].elsewhere == {"rates.py": RATES.replace("8", "7")}


async def test_one_function_is_repaired_alone(tmp_path: Path) -> None:
    source = ONE_FILE.replace("price + 1", "price")
    problem = stated(tmp_path, source, "bill", tests=TESTS, failing=["test_bill"])
    found, _ = await searched(problem, OPTIONS)
    assert text_of(problem, found[0]) == source.replace("20", "19")
    assert found[0].suspicion == 1.0, "no passing test executes the line"


async def test_lines_that_pass_are_less_suspicious(tmp_path: Path) -> None:
    source = ONE_FILE.replace("price + 1", "price")
    tests = TESTS + "def test_none():\n    assert bill([]) == 0\n"
    problem = stated(tmp_path, source, "bill", tests=tests, failing=["test_bill"], passing=["test_none"])
    found, _ = await searched(problem, OPTIONS)
    assert found[0].suspicion is not None
    assert round(found[0].suspicion, 2) == 0.71


def heard(problem: Problem, *edits: tuple[int, int, str]) -> list[str]:
    """What is taken of a message with these edits: the whole texts that it makes."""
    finds = PlausibleCandidates(problem, beginnings(problem)[0], 3)
    finds.hear(
        {"kind": "candidate", "edits": [list(each) for each in edits], "note": "", "weight": 1.0, "confidence": None}
    )
    return [text for one in finds.found for text in (text_of(problem, one.proposal), *one.proposal.elsewhere.values())]


def test_edits_between_both_functions_are_ignored(tmp_path: Path) -> None:
    problem = of_one_file(tmp_path)
    own, between, second = (ONE_FILE.index(each) for each in ("price + 1", "prices + 1", "20"))
    assert heard(problem, (own, own + 9, "price"), (second, second + 2, "19")) != []
    assert heard(problem, (own, own + 9, "price"), (between, between + 10, "prices")) == []


def test_other_files_change_in_the_function(tmp_path: Path) -> None:
    problem = of_two_files(tmp_path)
    behind = len(TILL) + 1
    eight, begin = behind + RATES.index("8"), behind
    assert heard(problem, (eight, eight + 1, "7")) == [TILL, RATES.replace("8", "7")]
    assert heard(problem, (begin, begin, "import os")) == []
