"""Candidates judged by the project's own pytest tests: real projects, real processes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from certo.verification.dynamic.suite_verifiers import TestsVerifier
from certo.verification.options import TestOptions
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Ruling, TestEvidence, Verdict
from support.projects.bench import Bench
from support.projects.projects import Project, write_project

SUMS = """\
def mean(values):
    total = 0
    for value in values:
        total += value
    if not values:
        return 0
    return total / (len(values) + 1)


def other():
    return 1
"""

TESTS = """\
import pytest
from sums import mean, other

@pytest.mark.parametrize("values, wanted", [([2, 4], 3), ([5], 5)])
def test_mean(values, wanted):
    assert mean(values) == wanted

def test_empty():
    assert mean([]) == 0

def test_other():
    assert other() == 1

def test_sometimes():
    if mean([]) == 0:
        pytest.skip("nothing to see")
"""


@pytest.fixture
def project(bench: Bench) -> Project:
    options = TestOptions(seconds=1.0, total_seconds=20.0)
    return bench.project({"sums.py": SUMS, "test_sums.py": TESTS}, "sums.py", "mean", options)


async def judged(project: Project, old: str, new: str) -> tuple[Verdict, TestEvidence, Problem]:
    async with project.prepared() as (problem, harnesses):
        verifier = TestsVerifier(harnesses)
        verdict = await verifier.judge(project.candidate(old, new), problem)
    assert verdict.verifier == verifier.name == "tests"
    assert verdict.tests is not None
    return verdict, verdict.tests, problem


async def test_a_repair_passes_with_all_the_evidence(project: Project) -> None:
    verdict, evidence, problem = await judged(project, "(len(values) + 1)", "len(values)")
    assert verdict.ruling is Ruling.PASSED
    assert verdict.findings == ()
    assert evidence == TestEvidence(
        collected=4,
        ran=4,
        passed=3,
        failed=0,
        skipped=1,
        newly_passing=2,
        touched=True,
        isolation=project.executor.isolation,
        unrun=("test_sums.py::test_sometimes",),
    )
    assert evidence.seconds > 0
    assert (project.root / "sums.py").read_text() == SUMS == problem.text


async def test_unrepaired_tests_are_named(project: Project) -> None:
    verdict, evidence, _problem = await judged(project, "(len(values) + 1)", "(len(values) + 2)")
    assert verdict.ruling is Ruling.FAILED
    assert [finding.message for finding in verdict.findings] == [
        "test_sums.py::test_mean[values0-3]: assert 1.5 == 3, where 1.5 = mean([2, 4])",
        "test_sums.py::test_mean[values1-5]: assert 1.6666666666666667 == 5, where 1.6666666666666667 = mean([5])",
    ]
    assert (evidence.ran, evidence.passed, evidence.failed, evidence.newly_passing) == (4, 1, 2, 0)
    assert evidence.failing == ("test_sums.py::test_mean[values0-3]", "test_sums.py::test_mean[values1-5]")
    assert evidence.unrun == ("test_sums.py::test_sometimes",)


async def test_broken_green_tests_name_the_line(project: Project) -> None:
    verdict, evidence, _problem = await judged(
        project,
        "    if not values:\n        return 0\n    return total / (len(values) + 1)",
        "    return total / len(values)",
    )
    assert verdict.ruling is Ruling.FAILED
    assert [(finding.message, finding.line) for finding in verdict.findings] == [
        ("test_sums.py::test_empty: ZeroDivisionError: division by zero", 5),
        ("test_sums.py::test_sometimes: ZeroDivisionError: division by zero", 5),
    ]
    assert evidence.newly_passing == 2
    assert evidence.touched is True


async def test_a_candidate_that_hangs_fails_in_words(project: Project) -> None:
    verdict, evidence, _problem = await judged(project, "total += value", "while True: pass")
    assert verdict.ruling is Ruling.FAILED
    assert verdict.findings[0].message == "test_sums.py::test_mean[values0-3]: did not end within 1 s"
    assert verdict.findings[0].line == 4
    assert evidence.ran == 4


async def test_leaving_the_process_fails(project: Project) -> None:
    """It does even with exit status 0."""
    verdict, evidence, _problem = await judged(project, "total = 0", "import os; os._exit(0)")
    assert verdict.ruling is Ruling.FAILED
    assert verdict.findings[0].message == "test_sums.py::test_mean[values0-3] ended the whole process"
    assert evidence.ran == 0
    assert evidence.touched is None
    assert evidence.failing == ("test_sums.py::test_mean[values0-3]",)
    assert len(evidence.unrun) == evidence.collected - 1


async def test_a_candidate_that_skips_the_tests_fails(project: Project) -> None:
    verdict, evidence, _problem = await judged(project, "total = 0", "import pytest; pytest.skip('all fine')")
    assert verdict.ruling is Ruling.FAILED
    assert verdict.findings[0].message == "test_sums.py::test_mean[values0-3] was skipped, though it ran before"
    assert (evidence.passed, evidence.skipped) == (0, 4)


async def test_import_errors_are_quoted(project: Project) -> None:
    verdict, _evidence, _problem = await judged(project, "def mean(values):", "def mean(values=no_such_name):")
    assert verdict.ruling is Ruling.FAILED
    assert verdict.findings[0].message == (
        "test_sums.py could not be run: NameError: name 'no_such_name' is not defined"
    )
    assert len(verdict.findings) == 5


async def test_entering_a_function_executes_its_head(bench: Bench) -> None:
    """A change in the head is touched then."""
    project = bench.project(
        {
            "sums.py": "def power(x, y=3):\n    return x**y\n",
            "test_sums.py": "import sums\n\ndef test_power():\n    assert sums.power(3) == 9\n",
        },
        "sums.py",
        "power",
    )
    verdict, evidence, _problem = await judged(project, "y=3", "y=2")
    assert verdict.ruling is Ruling.PASSED
    assert evidence.touched is True


async def test_unexecuted_changes_are_not_touched(bench: Bench) -> None:
    project = bench.project(
        {
            "sums.py": "def sign(x):\n    if x > 0:\n        return 1\n    return 0\n",
            "test_sums.py": "import sums\n\ndef test_sign():\n    assert sums.sign(3) == 1\n",
        },
        "sums.py",
        "sign",
    )
    verdict, evidence, _problem = await judged(project, "return 0", "return -1")
    assert verdict.ruling is Ruling.PASSED
    assert evidence.touched is False


async def test_inconclusive_tests_touch_no_change(bench: Bench) -> None:
    """They are skipped or expected to fail."""
    tests = """\
        import pytest
        import sums

        def test_positive():
            assert sums.sign(3) == 1

        @pytest.mark.xfail
        def test_expected_to_fail():
            assert sums.sign(0) == "neither"

        def test_skipped_on_its_way():
            sums.sign(0)
            pytest.skip("not today")
        """
    source = "def sign(x):\n    if x > 0:\n        return 1\n    return 0\n"
    project = bench.project({"sums.py": source, "test_sums.py": tests}, "sums.py", "sign")
    verdict, evidence, _problem = await judged(project, "return 0", "return -1")
    assert verdict.ruling is Ruling.PASSED
    assert (evidence.passed, evidence.skipped, evidence.touched) == (1, 2, False)


async def test_fixes_may_fail_expected_failures(bench: Bench) -> None:
    """The bug lets a test pass by accident that is expected to fail, as it does with the fix."""
    tests = """\
        import pytest
        import sums

        def test_zero():
            assert sums.sign(0) == 0

        @pytest.mark.xfail
        def test_unsupported():
            assert sums.sign(0) == 1
        """
    source = "def sign(x):\n    if x >= 0:\n        return 1\n    return 0\n"
    project = bench.project({"sums.py": source, "test_sums.py": tests}, "sums.py", "sign")
    verdict, evidence, problem = await judged(project, "x >= 0", "x > 0")
    assert verdict.ruling is Ruling.PASSED
    assert (evidence.passed, evidence.skipped) == (1, 1)
    assert [test.id for test in problem.baseline.failing] == ["test_sums.py::test_zero"]
    assert not problem.baseline.passing


async def test_threads_touch_changes_in_long_statements(bench: Bench) -> None:
    project = bench.project(
        {
            "sums.py": """\
                def pair(x, out):
                    out.append(
                        (
                            1,
                            3,
                        )
                    )
                """,
            "test_sums.py": """\
                import threading
                import sums

                def test_pair():
                    out = []
                    thread = threading.Thread(target=sums.pair, args=(1, out))
                    thread.start()
                    thread.join()
                    assert out == [(1, 2)]
                """,
        },
        "sums.py",
        "pair",
    )
    verdict, evidence, _problem = await judged(project, "3,", "2,")
    assert verdict.ruling is Ruling.PASSED
    assert evidence.touched is True


async def test_one_file_may_hold_target_and_test(bench: Bench) -> None:
    text = "def double(x):\n    return x * 3\n\ndef test_double():\n    assert double(2) == 4\n"
    project = bench.project({"test_sums.py": text}, "test_sums.py", "double")
    verdict, evidence, _problem = await judged(project, "x * 3", "(\n        x * 2\n    )")
    assert verdict.ruling is Ruling.PASSED
    assert evidence.touched is True


async def test_without_tests_the_verdict_is_undecided(project: Project) -> None:
    baseline = await project.baseline()
    problem = project.problem(replace(baseline, tests=()))
    verifier = TestsVerifier(project.harnesses)
    verdict = await verifier.judge(project.candidate("total = 0", "total = 1"), problem)
    assert verdict.ruling is Ruling.UNDECIDED
    assert verdict.tests is None
    assert len(verdict.findings) == 1


async def test_equal_candidates_get_equal_rulings(project: Project) -> None:
    candidate = project.candidate("(len(values) + 1)", "(len(values) + 2)")
    async with project.prepared() as (problem, harnesses):
        first, second = [await TestsVerifier(harnesses).judge(candidate, problem) for _ in range(2)]
    assert replace(first, seconds=0.0) == replace(second, seconds=0.0)


async def test_a_candidate_that_ends_the_session_fails(bench: Bench) -> None:
    project = bench.project(
        {
            "sums.py": "def double(x):\n    return x\n",
            "test_sums.py": "import sums\n\ndef test_double():\n    assert sums.double(2) == 4\n",
        },
        "sums.py",
        "double",
    )
    verdict, evidence, _problem = await judged(project, "return x", "raise KeyboardInterrupt")
    assert verdict.ruling is Ruling.FAILED
    assert verdict.findings[0].message == "test_sums.py::test_double: ended the session"
    assert evidence.failed == 1


async def test_a_hang_at_import_is_reported(tmp_path: Path) -> None:
    write_project(
        tmp_path,
        {
            "sums.py": "def double(x):\n    return x\n",
            "test_sums.py": """\
                import sums

                FOUR = sums.double(2)

                def test_four():
                    assert sums.double(2) == FOUR
                """,
        },
    )
    project = Project(tmp_path, "sums.py", "double", TestOptions(seconds=0.5, total_seconds=20.0))
    verdict, _evidence, _problem = await judged(project, "return x", "while True: pass")
    assert verdict.ruling is Ruling.FAILED
    assert verdict.findings[0].message == "test_sums.py could not be run: did not end within 1.5 s"


UNCOLLECTED_CLASS = """\
import pytest
from sums import mean, other

def test_mean():
    assert mean([2, 4]) == 3

class TestSuite:
    def __init__(self):
        self.tests = []
"""


@pytest.mark.usual_cases("7-Ruling.FAILED")
@pytest.mark.parametrize(("new", "ruling"), [("len(values)", Ruling.PASSED), ("7", Ruling.FAILED)])
async def test_class_never_collected_blames_no_candidate(tmp_path: Path, new: str, ruling: Ruling) -> None:
    """The project turns pytest's warning about the class into an error, with the bug and without it."""
    settings = "[pytest]\nfilterwarnings = error\n"
    write_project(tmp_path, {"sums.py": SUMS, "test_sums.py": UNCOLLECTED_CLASS, "pytest.ini": settings})
    project = Project(tmp_path, "sums.py", "mean", TestOptions(seconds=2.0, total_seconds=20.0))
    verdict, _evidence, problem = await judged(project, "(len(values) + 1)", new)
    assert [test.id for test in problem.baseline.set_aside] == ["test_sums.py::TestSuite"]
    assert verdict.ruling is ruling
    assert not any("could not be run" in finding.message for finding in verdict.findings)


async def test_class_that_a_candidate_breaks_counts(tmp_path: Path) -> None:
    """It can be collected before, and is not because of the candidate."""
    tests = UNCOLLECTED_CLASS + "\nif mean([1]) == 0.5:\n    TestSuite = None\n"
    settings = "[pytest]\nfilterwarnings = error\n"
    write_project(tmp_path, {"sums.py": SUMS, "test_sums.py": tests, "pytest.ini": settings})
    project = Project(tmp_path, "sums.py", "mean", TestOptions(seconds=2.0, total_seconds=20.0))
    verdict, _evidence, problem = await judged(project, "(len(values) + 1)", "len(values)")
    assert problem.baseline.set_aside == ()
    assert verdict.ruling is Ruling.FAILED
    assert verdict.findings[0].message.startswith("test_sums.py::TestSuite could not be run: ")
