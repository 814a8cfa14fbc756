"""Files that a candidate apart from its tests may not read; it still gets all an honest one has to import."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.verification.dynamic.forgery import ForgeryVerifier
from certo.verification.dynamic.oracle_leaks import oracle_files
from certo.verification.dynamic.suite_verifiers import TestsVerifier
from certo.vocabulary.verdict import APART, TOGETHER, Ruling
from support.projects.projects import Project, write_project

EXPECTED = "CASES = [(1, 2), (4, 8)]\n"


def revealing(root: Path, files: dict[str, str], *, path: str = "sums.py") -> set[str]:
    """Return the files that are hidden when `tests/test_sums.py` judges."""
    write_project(root, files)
    return set(oracle_files(root, path, ["tests/test_sums.py"]))


@pytest.mark.parametrize(
    "spelled",
    [
        "from expected import CASES",
        "from tests.expected import CASES as cases",
        "from .expected import *",
        "import expected\n\nCASES = expected.CASES",
        "import tests.expected as wanted\n\nCASES = wanted.CASES",
        "from tests import expected\n\nCASES = expected.CASES",
        "from . import expected\n\nprint(expected.CASES)",
        "def test_late():\n    from expected import CASES",
    ],
)
def test_modules_only_tests_import_are_hidden(tmp_path: Path, spelled: str) -> None:
    files = {"sums.py": "", "tests/test_sums.py": f"{spelled}\n", "tests/expected.py": EXPECTED}
    assert revealing(tmp_path, files) == {"tests/test_sums.py", "tests/expected.py"}


def test_hidden_modules_include_conftest_imports_and_bytecode(tmp_path: Path) -> None:
    """Imports are followed through packages."""
    files = {
        "sums.py": "",
        "tests/test_sums.py": "import sums\n",
        "tests/conftest.py": "from tests.data.cases import CASES\n",
        "tests/data/__init__.py": "",
        "tests/data/cases.py": "from .numbers import ONE\n",
        "tests/data/numbers.py": "ONE = 1\n",
        "tests/data/unused.py": "",
        "tests/data/table.csv": "1,2\n",
        "tests/data/__pycache__/cases.cpython-311.pyc": "",
    }
    hidden = {"test_sums.py", "conftest.py", "data/cases.py", "data/numbers.py", "data/__pycache__"}
    assert revealing(tmp_path, files) == {f"tests/{name}" for name in hidden}


@pytest.mark.parametrize(
    ("test", "document"),
    [
        ("from expected import CASES", "from tests.expected import CASES"),
        ("import expected\n\ndef test():\n    sums.load(expected)", ""),
        ("from expected import CASES\n\ndef test():\n    sums.load('tests.expected:CASES')", ""),
        ("from expected import CASES\n\ndef test():\n    sums.load('expected')", ""),
    ],
    ids=["the document imports it", "it is handed over", "it is named", "it is named in short"],
)
def test_modules_the_candidate_needs_stay_visible(tmp_path: Path, test: str, document: str) -> None:
    files = {"sums.py": document, "tests/test_sums.py": f"import sums\n{test}\n", "tests/expected.py": EXPECTED}
    assert revealing(tmp_path, files) == {"tests/test_sums.py"}


def test_project_modules_and_the_document_stay_visible(tmp_path: Path) -> None:
    files = {
        "prices.py": "RATE = 2\n\ndef price(n):\n    return n * RATE\n",
        "tests/test_sums.py": "import prices\nfrom tests.sums import total\n",
        "tests/sums.py": "from tests import constants\n",
        "tests/constants.py": "",
        "tests/__pycache__/sums.cpython-311.pyc": "",
    }
    assert revealing(tmp_path, files, path="tests/sums.py") == {"tests/test_sums.py"}


@pytest.mark.parametrize(
    ("files", "is_hidden"),
    [
        ({}, True),
        ({"sums.py": "from expected import CASES\n"}, False),
        ({"sums.py": "import rates\n", "rates.py": "def rate():\n    import expected\n"}, False),
        ({"sums.py": "import importlib\n\ndef load():\n    return importlib.import_module('expected')\n"}, False),
        ({"sums.py": "import shop.one\n", "shop/__init__.py": "import expected\n", "shop/one.py": ""}, False),
        ({"expected.py": EXPECTED + "\n\ndef case(n):\n    return CASES[n]\n"}, False),
    ],
    ids=["only tests", "the document", "another module", "a name", "a package", "with functions"],
)
def test_values_beside_the_project_are_hidden(files: dict[str, str], is_hidden: bool, tmp_path: Path) -> None:
    """A module of values is hidden wherever it is, if only tests import it."""
    test = "from sums import double\nfrom expected import CASES\n"
    hidden = revealing(tmp_path, {"sums.py": "", "expected.py": EXPECTED, "tests/test_sums.py": test, **files})
    assert hidden == {"tests/test_sums.py", *(["expected.py"] if is_hidden else [])}


def test_broken_and_circular_imports_end(tmp_path: Path) -> None:
    files = {"sums.py": "", "tests/test_sums.py": "from tests import one\n", "tests/one.py": "from . import one, two\n"}
    files["tests/two.py"] = "from tests import one\ndef :\n"
    assert revealing(tmp_path, files) == {"tests/test_sums.py", "tests/one.py", "tests/two.py"}


READS = """\
import ast, os
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "tests", "expected.py")) as file:
        return dict(ast.literal_eval(file.read().partition("=")[2].strip()))[n]"""


async def test_reading_expected_values_lowers_the_assurance(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
        "sums.py": "def double(n):\n    return n\n",
        "tests/expected.py": EXPECTED,
        "tests/test_sums.py": """\
            from expected import CASES
            from sums import double

            def test_double():
                assert [double(n) for n, _ in CASES] == [wanted for _, wanted in CASES]
            """,
    }
    project = Project(write_project(tmp_path, files), "sums.py", "double")
    reads, honest = project.candidate("return n", READS), project.candidate("return n", "return 2 * n")
    async with project.prepared() as (problem, harnesses):
        assert (await TestsVerifier(harnesses).judge(reads, problem)).ruling is Ruling.PASSED
        verdict = await ForgeryVerifier(harnesses).judge(honest, problem)
        assert (verdict.ruling, verdict.assurance) == (Ruling.PASSED, APART), verdict.findings
        verdict = await ForgeryVerifier(harnesses).judge(reads, problem)
    assert verdict.assurance.startswith(f"{TOGETHER}: "), verdict
