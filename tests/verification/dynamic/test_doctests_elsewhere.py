"""Doctests outside the target's own docstring: of its module and classes, and those that the project runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.verification.dynamic.forgery import ForgeryVerifier
from certo.verification.dynamic.suite_verifiers import DoctestsVerifier
from certo.vocabulary.verdict import Ruling
from support.projects.projects import Project, standing, write_project

DOUBLE = "def double(x):\n    return x + 2\n"
SHOWN = ">>> from sums import double\n>>> double(2)\n4\n>>> double(4)\n8\n"
RIGHT = 'def test_double():\n    assert __import__("sums").double(2) == 4\n'

TILL = '''\
"""Till.

>>> Till([1, 2]).total()
3
"""


class Till:
    """Till.

    >>> till = Till([5])
    >>> till.total()
    5
    """

    def __init__(self, prices):
        self.prices = prices

    def total(self):
        return sum(self.prices)

    def empty(self):
        """Empty.

        >>> Till([2]).total()
        7
        """
        self.prices = []
'''


async def test_module_and_class_docstrings_count(tmp_path: Path) -> None:
    """That of another function does not: its example would fail."""
    write_project(tmp_path, {"till.py": TILL})
    baseline = await Project(tmp_path, "till.py", "Till.total").baseline()
    assert standing(baseline) == {"doctest:till.py:3": "passed", "doctest:till.py:12": "passed"}


RUN_BY_PROJECT = {
    "pytest, a text": {"pytest.ini": "[pytest]\naddopts = --doctest-glob=*.md\n", "README.md": SHOWN},
    "pytest, another pattern": {"setup.cfg": "[tool:pytest]\naddopts = --doctest-glob='*.rst'\n", "a/b.rst": SHOWN},
    "pytest, its own pattern": {"pytest.ini": "[pytest]\n", "docs/test_sums.txt": SHOWN},
    "pytest, a path": {"pytest.ini": "[pytest]\ntestpaths = README.rst tests\n", "README.rst": SHOWN},
    "make": {"Makefile": "test:\n\tpython -m doctest README.md\n", "README.md": SHOWN},
    "tox": {"tox.ini": "[testenv]\ncommands = pytest --doctest-glob=*.rst docs\n", "docs/use.rst": SHOWN},
    "a call": {"check.py": 'import doctest\ndoctest.testfile("docs/use.rst")\n', "docs/use.rst": SHOWN},
    "a module": {"pytest.ini": "[pytest]\naddopts = --doctest-modules\n", "more.py": f'"""\n{SHOWN}"""\n'},
}


@pytest.mark.parametrize("files", RUN_BY_PROJECT.values(), ids=RUN_BY_PROJECT.keys())
async def test_examples_that_the_project_runs_count(tmp_path: Path, files: dict[str, str]) -> None:
    write_project(tmp_path, {**files, "sums.py": DOUBLE})
    baseline = await Project(tmp_path, "sums.py", "double").baseline()
    assert list(standing(baseline).values()) == ["passed", "failed"]
    assert not baseline.problems


NOT_RUN = {
    "nobody runs them": {"README.md": SHOWN},
    "for Sphinx": {"Makefile": "doctest:\n\tsphinx-build -b doctest docs out\n", "docs/use.rst": SHOWN},
    "another folder": {
        "pytest.ini": "[pytest]\ntestpaths = tests\naddopts = --doctest-glob=*.md\n",
        "README.md": SHOWN,
    },
    "flags of its own": {
        "check.py": 'import doctest\ndoctest.testfile("use.rst", optionflags=doctest.ELLIPSIS)\n',
        "use.rst": SHOWN,
    },
}


@pytest.mark.parametrize("files", NOT_RUN.values(), ids=NOT_RUN.keys())
async def test_other_examples_do_not_count(tmp_path: Path, files: dict[str, str]) -> None:
    write_project(tmp_path, {**files, "sums.py": DOUBLE, "tests/conftest.py": ""})
    assert standing(await Project(tmp_path, "sums.py", "double").baseline()) == {}


async def test_outdated_module_examples_are_set_aside(tmp_path: Path) -> None:
    """They fail, nobody runs them, and a test passes: a repair must not be asked for them."""
    text = '"""\n>>> double(2)\n5\n"""\n' + DOUBLE
    write_project(tmp_path, {"sums.py": text, "test_sums.py": RIGHT})
    baseline = await Project(tmp_path, "sums.py", "double").baseline()
    assert standing(baseline) == {"test_sums.py::test_double": "passed"}
    assert [test.id for test in baseline.failing_elsewhere] == ["doctest:sums.py:2"]


async def test_examples_of_a_text_judge_candidates(tmp_path: Path) -> None:
    write_project(tmp_path, {**RUN_BY_PROJECT["make"], "sums.py": DOUBLE})
    project = Project(tmp_path, "sums.py", "double")
    problem = project.problem(await project.baseline())
    verifier = DoctestsVerifier(project.harnesses)
    right = await verifier.judge(project.candidate("x + 2", "x * 2"), problem)
    wrong = await verifier.judge(project.candidate("x + 2", "x * 3"), problem)
    assert (right.ruling, wrong.ruling) == (Ruling.PASSED, Ruling.FAILED)
    assert wrong.findings[0].message == "doctest:README.md:2: double(2) gave 6, not 4"


READING = "import re\n\n\ndef read(name):\n    return open(name).read()\n\n\n" + DOUBLE
FOUND = "return int(re.search(f'double.{x}.[^0-9]+([0-9]+)', read('README.md'))[1])"


@pytest.mark.parametrize(("body", "ruling"), [(FOUND, Ruling.FAILED), ("return x * 2", Ruling.PASSED)])
async def test_candidates_read_no_examples(tmp_path: Path, body: str, ruling: Ruling) -> None:
    settings = "[pytest]\naddopts = --doctest-glob=*.md\n"
    write_project(tmp_path, {"sums.py": READING, "README.md": SHOWN, "pytest.ini": settings})
    project = Project(tmp_path, "sums.py", "double")
    problem = project.problem(await project.baseline())
    candidate = project.candidate("return x + 2", body)
    assert (await DoctestsVerifier(project.harnesses).judge(candidate, problem)).ruling is Ruling.PASSED
    assert (await ForgeryVerifier(project.harnesses).judge(candidate, problem)).ruling is ruling
