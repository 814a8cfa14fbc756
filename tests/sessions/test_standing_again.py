"""A function verified again in exactly the same state of its project runs nothing, and says so; any change is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from certo.edits.target import ByName
from certo.llm.model import NoModels
from certo.sessions.assembly.problem_statement import find_execution_context, resolve_request
from certo.sessions.assembly.request import Request
from certo.sessions.current_function import Standing, verify_current
from certo.sessions.persistence.test_map import remembering
from certo.storage.database import open_database
from certo.storage.journal import Journal
from support.projects.bare_environment import bare_environ
from support.projects.projects import settle, write_project

FILES = {
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
    "sums.py": "def double(x):\n    '''\n    >>> double(2)\n    4\n    '''\n    return x + x\n",
    "rates.txt": "3\n",
    "test_sums.py": "from sums import double\n\ndef test_double():\n    assert double(3) == 6\n",
}
RED = "from sums import double\n\ndef test_double():\n    assert double(3) == 7\n"
SLOW = "import time\n\nfrom sums import double\n\ndef test_double():\n    double(3)\n    time.sleep(60)\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_project(tmp_path / "sums", FILES)


async def standing(root: Path, **flags: object) -> Standing:
    """Verify as a command of its own would."""
    document = root / "sums.py"
    asked = Request(document=document, text=document.read_text(), place=ByName("double"), flags=flags)
    resolved = resolve_request(asked, bare_environ())
    world = await find_execution_context(resolved, bare_environ())
    settle(root)
    with closing(Journal(open_database(root.parent / "sums.sqlite", root))) as journal:
        async with remembering(resolved, world, journal) as context:
            found = await verify_current(resolved, context, lambda _: None, models=NoModels())
        journal.commit()
    return found


def remembered(found: Standing) -> Mapping[str, bool]:
    return {each.verifier: each.remembered for each in found.report.verdicts if each.verifier not in READING}


READING = ("syntax", "signature", "policy")
RAN = dict.fromkeys(("doctests", "tests", "forgery", "evidence"), False)


async def test_unchanged_project_is_not_run_again(root):
    first, second = await standing(root), await standing(root)
    assert (remembered(first), remembered(second)) == (RAN, dict.fromkeys(RAN, True))
    assert first.report.verified
    assert second.report.verified
    assert first.baseline == second.baseline
    evidence = [
        [(v.verifier, v.ruling, v.tests, v.assurance, v.dependence) for v in each.report.verdicts]
        for each in (first, second)
    ]
    assert evidence[0] == evidence[1]


async def test_verdicts_with_an_excuse_are_remembered(root):
    """The test hands over a class, which cannot be carried to another process, and never can be."""
    handing = "from sums import double\n\nclass Kind(type):\n    def __add__(cls, other):\n        return 7\n\n"
    handing += "class Seven(metaclass=Kind):\n    pass\n\ndef test_seven():\n    assert double(Seven) == 7\n"
    (root / "test_sums.py").write_text(FILES["test_sums.py"] + handing)
    first, second = await standing(root), await standing(root)
    assert remembered(second) == dict.fromkeys(RAN, True)
    verdicts = [each.report.verdicts for each in (first, second)]
    [said, again] = [[each.assurance for each in found if each.verifier == "forgery"] for found in verdicts]
    assert "tier 1 + canary for 1 of 3 tests" in said[0]
    assert said == again


CHANGES: Mapping[str, Callable[[Path], object]] = {
    "the function": lambda root: (root / "sums.py").write_text(FILES["sums.py"].replace("x + x", "2 * x")),
    "a test": lambda root: (root / "test_sums.py").write_text(FILES["test_sums.py"] + "\n# what it does\n"),
    "a conftest": lambda root: (root / "conftest.py").write_text(""),
    "a data file": lambda root: (root / "rates.txt").write_text("4\n"),
    "a file and back": lambda root: (root / "sums.py").write_text(FILES["sums.py"]),
}


@pytest.mark.usual_cases("a test")
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
async def test_any_change_is_run_again(root, change):
    await standing(root)
    change(root)
    assert remembered(await standing(root)) == RAN


@pytest.mark.slow
async def test_another_setting_is_run_again(root):
    await standing(root)
    assert remembered(await standing(root, **{"tests.seconds": 9.0})) == RAN


async def test_a_broken_test_is_remembered_red(root):
    (root / "test_sums.py").write_text(RED)
    first, second = await standing(root), await standing(root)
    assert remembered(second) == {"doctests": True, "tests": True}
    assert first.report.failure is not None
    assert second.report.failure == replace(first.report.failure, remembered=True)


@pytest.mark.slow
async def test_time_out_is_not_remembered(root):
    (root / "test_sums.py").write_text(SLOW)
    for _ in range(2):
        assert remembered(await standing(root, **{"tests.seconds": 0.5}))["tests"] is False
