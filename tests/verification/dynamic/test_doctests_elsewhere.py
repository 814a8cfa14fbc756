"""Doctests outside the target's own docstring: of its module and classes, and those that the project runs."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.options import SandboxOptions
from certo.verification.dynamic.forgery import ForgeryVerifier
from certo.verification.dynamic.suite_verifiers import DoctestsVerifier
from certo.vocabulary.verdict import APART, Ruling, Verdict
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


TEST_OF_TILL = "from till import Till\n\n\ndef test_total():\n    assert Till([1, 2]).total() == 3\n"


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


async def test_nothing_runs_after_the_last_chosen_example(tmp_path: Path) -> None:
    """The second example is set aside, and no result of it is waited for."""
    text = '"""\n>>> double(2)\n4\n>>> double(4)\n9\n"""\n' + DOUBLE
    failing = RIGHT.replace("double(2) == 4", "double(3) == 6")
    write_project(tmp_path, {"sums.py": text, "test_sums.py": failing})
    project = Project(tmp_path, "sums.py", "double")
    problem = project.problem(await project.baseline())
    verdict = await DoctestsVerifier(project.harnesses).judge(project.candidate("x + 2", "x * 2"), problem)
    assert (verdict.ruling, verdict.findings) == (Ruling.PASSED, ())


async def test_unrun_examples_set_no_test_aside(tmp_path: Path) -> None:
    """The test fails in another method, and counts as long as none fails in the target; unrun examples are none."""
    text = TILL.replace("    5\n", "    5\n    >>> till.prices\n    [5]\n", 1).replace("= prices", "= len(prices)")
    write_project(tmp_path, {"till.py": text, "test_till.py": TEST_OF_TILL})
    baseline = await Project(tmp_path, "till.py", "Till.__init__").baseline()
    assert standing(baseline)["test_till.py::test_total"] == "failed"
    assert "doctest:till.py:14" in [test.id for test in baseline.failing_elsewhere]


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
DOCUMENTED = f'"""Sums.\n\n{SHOWN}"""\n' + READING
OWN = DOUBLE.replace("    return", '    """Double.\n\n{}    """\n    return'.format(indent(SHOWN, "    ")))
AT_IMPORT = READING + "\n\nLONG = read('README.md')\nassert 'double it' in LONG\n"
README = {"README.md": "To double it:\n\n" + SHOWN, "pytest.ini": "[pytest]\naddopts = --doctest-glob=*.md\n"}
ANOTHER = {"more.py": f'"""\n{SHOWN}"""\n', "pytest.ini": "[pytest]\naddopts = --doctest-modules\n"}
FOUND = "return int(re.search(f'double.{{x}}.[^0-9]+([0-9]+)', {})[1])"
EXAMPLES = {
    "in a text": ({**README, "sums.py": READING}, "read('README.md')"),
    "in a text read at import": ({**README, "sums.py": AT_IMPORT}, "LONG"),
    "in the module's docstring": ({"sums.py": DOCUMENTED}, "__doc__"),
    "in the module's file": ({"sums.py": DOCUMENTED}, "read(__file__)"),
    "in its own docstring": ({"sums.py": "import re\n\n\n" + OWN}, "double.__doc__"),
    "in another module": ({**ANOTHER, "sums.py": "import more\n" + READING}, "more.__doc__"),
}


@pytest.mark.usual_cases("in another module", "in the module's file")
@pytest.mark.parametrize(("files", "found"), EXAMPLES.values(), ids=EXAMPLES)
async def test_candidates_read_no_examples(tmp_path: Path, files: dict[str, str], found: str) -> None:
    project = Project(write_project(tmp_path, files), "sums.py", "double")
    right, reading = await forgery_of(project, "return x * 2", FOUND.format(found))
    assert right.ruling is Ruling.PASSED
    # A text that the module itself needs cannot be hidden: the examples are not tried apart, and the verdict says so.
    assert reading.ruling is (Ruling.PASSED if found == "LONG" else Ruling.FAILED)
    assert [each.assurance == APART for each in (right, reading)] == [found != "LONG", False]


@pytest.mark.bubblewrap
@pytest.mark.parametrize(("files", "found"), EXAMPLES.values(), ids=EXAMPLES)
async def test_own_file_systems_show_no_examples(tmp_path: Path, files: dict[str, str], found: str) -> None:
    executor = BubblewrapExecutor(SandboxOptions(), await find_bubblewrap())
    project = Project(write_project(tmp_path, files), "sums.py", "double", executor=executor)
    right, reading = await forgery_of(project, "return x * 2", FOUND.format(found))
    assert (right.ruling, reading.ruling) == (Ruling.PASSED, Ruling.FAILED)
    assert right.assurance == APART


async def forgery_of(project: Project, *bodies: str) -> list[Verdict]:
    """Return the verdict of the forgery check on candidates that pass their doctests."""
    candidates = [project.candidate("return x + 2", body) for body in bodies]
    async with project.prepared() as (problem, harnesses):
        passing, verifier = DoctestsVerifier(harnesses), ForgeryVerifier(harnesses)
        assert [(await passing.judge(one, problem)).ruling for one in candidates] == [Ruling.PASSED] * len(bodies)
        return [await verifier.judge(one, problem) for one in candidates]
