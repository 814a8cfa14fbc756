"""What is proved of a function as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.edits.target import ByName
from certo.sessions.request import Request
from certo.sessions.stating import find_world, take_aim
from certo.sessions.verifying import Standing, verify_current
from certo.vocabulary.verdict import Ruling
from support.bare import bare_environ
from support.projects import write_project

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


async def standing_of(root: Path, name: str) -> Standing:
    document = write_project(root, FILES) / "sums.py"
    environ = bare_environ()
    aim = take_aim(Request(document=document, text=document.read_text(), place=ByName(name)), environ)
    return await verify_current(aim, await find_world(aim, environ), lambda _: None)


async def test_green_doctests_and_tests_verify(tmp_path: Path) -> None:
    standing = await standing_of(tmp_path, "double")
    assert standing.report.verified
    assert [verdict.verifier for verdict in standing.report.verdicts] == [
        "syntax",
        "signature",
        "policy",
        "doctests",
        "tests",
    ]
    assert standing.seconds > 0


async def test_a_red_test_is_a_finding(tmp_path: Path) -> None:
    report = (await standing_of(tmp_path, "triple")).report
    assert not report.verified
    assert report.failure is not None
    assert report.failure.ruling is Ruling.FAILED
    assert report.failure.findings[0].message.startswith("test_sums.py::test_triple: ")


@pytest.mark.parametrize("name", ["skipped", "lonely"])
async def test_what_no_test_passed_on_is_not_verified(tmp_path: Path, name: str) -> None:
    standing = await standing_of(tmp_path, name)
    assert not standing.report.verified
    assert all(verdict.ruling is not Ruling.FAILED for verdict in standing.report.verdicts)
