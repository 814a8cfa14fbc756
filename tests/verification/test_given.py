"""Candidates judged by examples that the user gave besides those in the docstring: real processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.edits.examples import examples_in
from certo.verification.dynamic.forgery import ForgeryVerifier
from certo.verification.dynamic.suite_verifiers import DoctestsVerifier
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.guidance import Guidance
from certo.vocabulary.problem import Baseline
from certo.vocabulary.verdict import Finding, Ruling, Verdict
from support.projects.projects import Project, standing, write_project

SUMS = '''\
class Same:
    def __eq__(self, other):
        return True


def share(total, people):
    """Share.

    >>> share(6, 3)
    2.0
    """
    print("sharing")
    return total // people


def other():
    return 1
'''


def project(root: Path, *texts: str) -> Project:
    examples = tuple(each for number, text in enumerate(texts) for each in examples_in(text, after=number))
    write_project(root, {"sums.py": SUMS})
    return Project(root, "sums.py", "share", guidance=Guidance(examples=examples))


async def judged(stated: Project, baseline: Baseline, new: str) -> Verdict:
    problem = stated.problem(baseline)
    candidate = stated.candidate('print("sharing")\n    return total // people', new)
    return await DoctestsVerifier(stated.harnesses).judge(candidate, problem)


async def test_given_examples_count_like_tests(tmp_path: Path) -> None:
    stated = project(tmp_path, "share(7, 2) == 3.5", "share(9, 3) == 3.0")
    baseline = await stated.baseline()
    assert standing(baseline) == {"doctest:share:9": "failed", "example 1": "failed", "example 2": "passed"}
    assert [test.message for test in baseline.failing][1:] == ["share(7, 2) gave 3, not 3.5"]
    assert baseline.problems == ("example 2, `share(9, 3) == 3.0`, passes already",)
    right = await judged(stated, baseline, "return total / people")
    assert right.ruling is Ruling.PASSED
    assert right.tests is not None
    assert (right.tests.collected, right.tests.passed, right.tests.newly_passing) == (3, 3, 2)
    wrong = await judged(stated, baseline, "return 2.0")
    assert wrong.findings == (
        Finding(message="example 1: share(7, 2) gave 2.0, not 3.5"),
        Finding(message="example 2: share(9, 3) gave 2.0, not 3.0"),
    )


async def test_equality_ignores_printed_output(tmp_path: Path) -> None:
    stated = project(tmp_path, "share(6, 3) == 2", "share(0, 3) == other() - 1", "share(7, 2) == {3.5: 1}.popitem()[0]")
    baseline = await stated.baseline()
    assert [test.id for test in baseline.tests if test.ruling is Ruling.PASSED] == ["example 1", "example 2"]


async def test_doctests_compare_output_and_may_prepare(tmp_path: Path) -> None:
    stated = project(tmp_path, ">>> people = 2\n>>> share(7, people)\nsharing\n3\n")
    baseline = await stated.baseline()
    assert standing(baseline) == {"doctest:share:9": "failed", "example 1": "passed", "example 2": "passed"}


async def test_exceptions_instead_of_values_are_reported(tmp_path: Path) -> None:
    baseline = await project(tmp_path, "share('', 2) == 3", "share(6, 3) == nothing").baseline()
    assert [test.message for test in baseline.failing][1:] == [
        "share('', 2) raised TypeError: unsupported operand type(s) for //: 'str' and 'int'",
        "share(6, 3) raised NameError: name 'nothing' is not defined",
    ]


@pytest.mark.parametrize("text", ["shar(7, 2) == 3", "other() == 1", "other() == 2"])
async def test_examples_without_the_target_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadSetting, match=r"example 1, '.*', does not run share, so nothing can be judged by it"):
        await project(tmp_path, text).baseline()


async def test_a_result_equal_to_everything_fails(tmp_path: Path) -> None:
    stated = project(tmp_path, "share(7, 2) == 3.5")
    problem = stated.problem(await stated.baseline())
    candidate = stated.candidate('print("sharing")\n    return total // people', "return Same()")
    plain = await DoctestsVerifier(stated.harnesses).judge(candidate, problem)
    assert [finding.message.partition(":")[0] for finding in plain.findings] == ["doctest"]
    forgery = await ForgeryVerifier(stated.harnesses).judge(candidate, problem)
    assert forgery.ruling is Ruling.FAILED
    assert any("example 1 passes with its assertions broken" in each.message for each in forgery.findings)
