"""Candidates are judged rightly and warm with each Python and pytest, and forged results are found out."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from certo.project.interpreter import find_interpreter
from certo.project.interpreter_probe import OLDEST
from certo.sandbox.options import SandboxOptions
from certo.sandbox.selection import choose_executor
from certo.verification.dynamic.forgery import ForgeryVerifier
from certo.verification.dynamic.harness_source import warm_harnesses
from certo.verification.dynamic.suite_verifiers import DoctestsVerifier, TestsVerifier
from certo.vocabulary.verdict import Ruling
from support.projects.projects import Project, write_project
from support.projects.python_matrix import PYTESTS, PYTHONS, Absent, dotted, find_python, make_environment_with

PAIRS = [(python, pytest_) for pytest_, oldest in PYTESTS.items() for python in PYTHONS if python >= oldest]

SHOP = {
    "pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
    "shop/__init__.py": "",
    "shop/till.py": '''\
        """A till."""


        def total(prices, rate=1):
            """Add prices.

            >>> total([1, 2])
            3
            """
            return sum(prices) - rate
        ''',
    "tests/conftest.py": """\
        import pytest

        @pytest.fixture
        def prices():
            return [1, 2, 3]

        @pytest.fixture(scope="session")
        def rate(tmp_path_factory):
            place = tmp_path_factory.mktemp("rates")
            (place / "rate").write_text("2")
            yield int((place / "rate").read_text())
        """,
    "tests/test_till.py": """\
        import unittest

        import pytest
        from shop import till
        from shop.till import total

        def test_fixtures(prices, rate):
            assert total(prices, rate) == 12

        @pytest.mark.parametrize("prices, wanted", [([], 0), ([4], 4), pytest.param([5, 5], 10, id="two")])
        def test_parameters(prices, wanted):
            assert total(prices) == wanted

        class TestInClass:
            def setup_method(self, method):
                self.prices = [1, 1]

            def test_method(self):
                assert total(self.prices) == 2

        class TillTest(unittest.TestCase):
            def setUp(self):
                self.prices = [2, 2]

            def test_unittest(self):
                self.assertEqual(total(self.prices), 4)
                with self.subTest(prices=[1]):
                    self.assertEqual(total([1]), 1)

        def test_monkeypatch(monkeypatch):
            monkeypatch.setattr(till, "sum", lambda prices: 7, raising=False)
            assert total([1]) == 7

        def test_files_and_output(tmp_path, capsys):
            (tmp_path / "total").write_text(str(total([1])))
            print((tmp_path / "total").read_text())
            assert capsys.readouterr().out == "1\\n"

        def test_approximately():
            assert total([0.1, 0.2]) == pytest.approx(0.3)

        def test_raises():
            with pytest.raises(TypeError):
                total(None)

        @pytest.mark.xfail(reason="not yet")
        def test_expected_to_fail():
            assert total([1]) == 55
        """,
}
WRONG = "sum(prices) - rate"
RIGHT = "sum(prices) * rate"
OTHERWISE_WRONG = "sum(prices) + rate"
FORGED = """\
_forged()


def _forged():
    from _pytest.reports import TestReport

    make = TestReport.from_item_and_call.__func__

    def forge(kind, item, call):
        report = make(kind, item, call)
        report.outcome = "passed"
        return report

    TestReport.from_item_and_call = classmethod(forge)
    return -1"""
RED = {
    *(f"test_parameters[prices{number}-{wanted}]" for number, wanted in ((0, 0), (1, 4))),
    "test_parameters[two]",
    "test_fixtures",
    "TestInClass::test_method",
    "TillTest::test_unittest",
    "test_monkeypatch",
    "test_files_and_output",
    "test_approximately",
}


def test_the_pythons_of_this_machine(capsys: pytest.CaptureFixture[str]) -> None:
    """The report names the Pythons that were tried and those that are not installed."""
    found, absent = [], []
    for version in PYTHONS:
        try:
            find_python(version)
            found.append(version)
        except Absent as words:
            absent.append(f"{words}, so the project's Python was not tried as {dotted(version)}")
    with capsys.disabled():
        sys.stdout.write("".join(f"\n{sentence}" for sentence in absent))
    ours = sys.version_info[:2]
    assert ours in found or ours not in PYTHONS


def test_the_documents_name_what_is_tried() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "platforms.md").read_text(encoding="utf-8")
    named = re.search(r"\| `(\S+)` to `(\S+)` \| (.+) \|\n", page)
    assert named is not None
    assert PYTHONS[0] == OLDEST
    assert named.groups() == (dotted(PYTHONS[0]), dotted(PYTHONS[-1]), _in_words())


def _in_words() -> str:
    return ", ".join(f"{name} (from Python {dotted(oldest)})" for name, oldest in PYTESTS.items())


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize(("python", "release"), PAIRS, ids=[f"{dotted(one)}-pytest{two}" for one, two in PAIRS])
async def test_a_project_of_that_python_and_pytest(python: tuple[int, int], release: str, tmp_path: Path) -> None:
    try:
        environment = make_environment_with(find_python(python), f"pytest=={release}.*")
    except Absent as words:
        pytest.skip(str(words))
    root = write_project(tmp_path / "project", SHOP)
    interpreter = await find_interpreter(root, chosen=str(environment), environ={})
    assert (interpreter.version[:2], str(interpreter.pytest).partition(".")[0]) == (python, release)
    executor = await choose_executor(SandboxOptions())
    project = Project(root, "shop/till.py", "total", interpreter=interpreter, executor=executor)
    baseline = await project.baseline()
    assert (baseline.policy, baseline.problems, baseline.set_aside) == ("strict", (), ())
    red = {test.id.partition("::")[2] for test in baseline.failing if not test.is_doctest}
    assert red == RED
    assert len(baseline.failing) == len(RED) + 1
    problem = project.problem(baseline)
    async with warm_harnesses(project.harnesses, problem) as harnesses:
        harness = await harnesses.of(problem)
        assert harness.preparation is not None
        assert harness.preparation["session"] is True
        tests, doctests, forgery = TestsVerifier(harnesses), DoctestsVerifier(harnesses), ForgeryVerifier(harnesses)
        right, wrong, forged = (project.candidate(WRONG, text) for text in (RIGHT, OTHERWISE_WRONG, FORGED))
        for verifier in (tests, doctests):
            for candidate, ruling in ((right, Ruling.PASSED), (wrong, Ruling.FAILED)):
                verdict = await verifier.judge(candidate, problem)
                assert verdict.ruling is ruling, verdict.findings
                assert verdict.tests is not None
                assert (verdict.tests.cold, verdict.tests.touched) == ("", True)
        evidence = (await tests.judge(forged, problem)).tests
        assert evidence is not None
        assert evidence.failing == (), "each report of pytest was forged; our own runner of doctests makes none"
        assert (await forgery.judge(forged, problem)).ruling is Ruling.FAILED
        earned = await forgery.judge(right, problem)
        assert (earned.ruling, earned.assurance) == (Ruling.PASSED, "tier 2: apart + canary"), earned.findings
