"""What is proved of a function as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.edits.target import ByLine, ByName, Place
from certo.llm.model import NoModels
from certo.sessions.assembly.problem_statement import find_execution_context, resolve_request
from certo.sessions.assembly.request import Request
from certo.sessions.current_function import Standing, verify_current
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.verdict import Ruling
from support.models.scripted_judges import Judge, Named
from support.projects.bare_environment import bare_environ
from support.projects.projects import write_project

FILES = {
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
    "sums.py": """\
        def double(x):
            '''
            >>> double(2)
            4
            '''
            return x + x

        def triple(x):
            return x * 4

        def skipped(x):
            return x

        def lonely(x):
            return x
        """,
    "test_sums.py": """\
        import pytest
        from sums import double, skipped, triple

        def test_double():
            assert double(3) == 6

        def test_triple():
            assert triple(1) == 3

        def test_skipped():
            assert skipped(1) == 1
            pytest.skip("not today")
        """,
}


KIND = '[tool.certo.criteria.kindness]\nexpression = "Is it kind?"\n'


async def standing_of(root: Path, name: str, judge: Judge | None = None) -> Standing:
    criteria = KIND if judge is not None else ""
    files = {**FILES, "pyproject.toml": FILES["pyproject.toml"] + criteria}
    document = write_project(root, files) / "sums.py"
    environ = {**bare_environ(), "CERTO_MODEL__NAME": "ollama:small"}
    aim = resolve_request(Request(document=document, text=document.read_text(), place=ByName(name)), environ)
    world, models = await find_execution_context(aim, environ), NoModels() if judge is None else Named(judge)
    return await verify_current(aim, world, lambda _: None, models=models)


async def test_green_doctests_and_tests_verify(tmp_path: Path) -> None:
    standing = await standing_of(tmp_path, "double")
    assert standing.report.verified
    assert [verdict.verifier for verdict in standing.report.verdicts] == [
        "syntax",
        "signature",
        "policy",
        "doctests",
        "tests",
        "forgery",
        "evidence",
    ]
    assert standing.seconds > 0


async def test_green_function_is_put_to_vote(tmp_path: Path) -> None:
    standing = await standing_of(tmp_path, "double", Judge('{"reason": "it is rude", "verdict": false}'))
    assert not standing.report.verified
    failure = standing.report.failure
    assert failure is not None
    assert (failure.verifier, failure.findings[1].message) == ("kindness", "it is rude")
    assert (await standing_of(tmp_path, "double", Judge("true"))).report.verified


async def test_a_red_test_is_a_finding(tmp_path: Path) -> None:
    """No judge is asked about what fails already."""
    judge = Judge("true")
    report = (await standing_of(tmp_path, "triple", judge)).report
    assert not report.verified
    assert judge.asked == []
    assert report.failure is not None
    assert report.failure.ruling is Ruling.FAILED
    assert report.failure.findings[0].message.startswith("test_sums.py::test_triple: ")


@pytest.mark.usual_cases("skipped")
@pytest.mark.parametrize("name", ["skipped", "lonely"])
async def test_nothing_passed_means_not_verified(tmp_path: Path, name: str) -> None:
    standing = await standing_of(tmp_path, name)
    assert not standing.report.verified
    assert all(verdict.ruling is not Ruling.FAILED for verdict in standing.report.verdicts)


TESTS = "from sums import f\n\ndef test_f():\n    assert f(3) == 6\n\ndef test_g():\n    assert f(1) == 2\n"
LIAR = "class Liar{}:\n    def __eq__(self, other): return True\n    __hash__ = None\n"


async def standing(root: Path, text: str, tests: str) -> Standing:
    document = write_project(root, {**FILES, "sums.py": text, "test_sums.py": tests}) / "sums.py"
    aim = resolve_request(Request(document=document, text=document.read_text(), place=ByName("f")), bare_environ())
    world = await find_execution_context(aim, bare_environ())
    return await verify_current(aim, world, lambda _: None, models=NoModels())


@pytest.mark.usual_cases("liar", "any")
@pytest.mark.parametrize(
    "text",
    [
        LIAR.format("") + "\ndef f(x):\n    return Liar()\n",
        LIAR.format("(int)") + "\ndef f(x):\n    return Liar(x)\n",
        "def f(x):\n    class Liar:\n        def __eq__(self, other): return True\n    return Liar()\n",
        "from unittest.mock import ANY\n\ndef f(x): return ANY\n",
    ],
    ids=["liar", "number", "within", "any"],
)
async def test_results_that_equal_anything_are_forged(tmp_path: Path, text: str) -> None:
    report = (await standing(tmp_path, text, TESTS)).report
    assert not report.verified
    assert report.failure is not None
    assert report.failure.verifier == "forgery"
    assert "passes with its assertions broken on purpose" in report.failure.findings[0].message


async def test_tests_that_assert_nothing_forge_nothing(tmp_path: Path) -> None:
    idle = "\ndef test_idle():\n    try:\n        assert f(2) == 4\n    except AssertionError:\n        pass\n"
    report = (await standing(tmp_path, "def f(x):\n    return x + x\n", TESTS + idle)).report
    assert (report.headline, report.caveat) == ("VERIFIED", "")
    (forgery,) = (verdict for verdict in report.verdicts if verdict.verifier == "forgery")
    assert [each.message for each in forgery.findings] == ["test_sums.py::test_idle asserts nothing that could fail"]


async def test_what_cannot_run_apart_is_told(tmp_path: Path) -> None:
    text = "import sys\n\ndef f(x):\n    return x + x if 'pytest' in sys.modules else 0\n"
    report = (await standing(tmp_path, text, TESTS)).report
    assert report.headline == "VERIFIED, NOT TRIED APART"
    assert report.caveat.endswith(": it does not pass in another process")


@pytest.mark.usual_cases("nothing")
@pytest.mark.parametrize(
    ("text", "asserted", "why"),
    [
        ("return []", "for each in f(2):\n        assert each > 0", "no test depends on what f returns"),
        ("return x", "assert f(f([3, 1])) == f([3, 1])", "the tests pass as well where f returns an empty result"),
        ("return [0]", "assert len(f(2)) == 1", "the tests depend on how many items f returns, not on what they are"),
    ],
    ids=["nothing", "an empty result", "how many"],
)
async def test_little_evidence_verifies_nothing(tmp_path: Path, text: str, asserted: str, why: str) -> None:
    tests = f"from sums import f\n\ndef test_f():\n    {asserted}\n"
    report = (await standing(tmp_path, f"def f(x):\n    {text}\n", tests)).report
    assert report.headline == f"NOT VERIFIED: {why}"


async def test_a_property_says_who_is_meant(tmp_path: Path) -> None:
    text = "class A:\n    @property\n    def x(self): return 1\n    @x.setter\n    def x(self, value): ...\n"
    document = write_project(tmp_path, {**FILES, "a.py": text}) / "a.py"

    async def told(place: Place) -> tuple[str, ...]:
        aim = resolve_request(Request(document=document, text=text, place=place), bare_environ())
        world = await find_execution_context(aim, bare_environ())
        return (await verify_current(aim, world, lambda _: None, models=NoModels())).baseline.problems

    words = "A.x is a property, so its getter is meant; for another of its functions name a.py:5"
    assert words in await told(ByName("A.x"))
    assert words not in await told(ByLine(5))


TOLD_APART = """\
import math
import helpers.more as more
from shop.till import Till, change as coins
from sums import double, triple
from nowhere import lost

def test_all():
    assert more.half(4) == math.floor(2.5) == 2
    assert coins(5) == [5]; Till(); lost(); unknown(); more.missing()
    assert double(1) == double(2) - 2

def test_triple():
    assert triple(1) == 3

class TestNothing:
    def test_it(self):
        assert len([1]) == 1
"""

PROJECT = {
    **FILES,
    "helpers/more.py": "def half(x):\n    return x // 2\n",
    "src/shop/till.py": "class Till: ...\n\nasync def change(due):\n    return [due]\n",
    "tests/test_sums.py": TOLD_APART,
}


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("test_all", ", as helpers/more.py::half or src/shop/till.py::change or sums.py::double"),
        ("test_triple", ", as sums.py::triple"),
        ("TestNothing.test_it", ""),
    ],
)
async def test_tests_are_refused_with_their_functions(name: str, called: str, tmp_path: Path) -> None:
    document = write_project(tmp_path, PROJECT) / "tests" / "test_sums.py"
    request = Request(document=document, text=TOLD_APART, place=ByName(name))
    resolved = resolve_request(request, bare_environ())
    world = await find_execution_context(resolved, bare_environ())
    with pytest.raises(BadRequest) as refused:
        await verify_current(resolved, world, lambda _: None, models=NoModels())
    assert str(refused.value).endswith(f"{name} is a test; name the function that it tests{called}")


async def test_exits_of_left_out_tests_count(tmp_path: Path) -> None:
    """The test after it has no result, so that nothing says that it passes."""
    exiting = "import os, sums\n\ndef test_exit():\n    os._exit(3)\n\ndef test_run():\n    assert False\n"
    write_project(tmp_path, {"test_zzz.py": exiting})
    verdicts = (await standing_of(tmp_path, "double")).report.verdicts
    assert [each.ruling for each in verdicts if each.verifier == "tests"] == [Ruling.UNDECIDED]
