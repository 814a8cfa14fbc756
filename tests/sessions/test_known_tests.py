"""The test map: a test that executed nothing of what changed is not run again for a function it does not execute."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from certo.edits.target import ByName
from certo.llm.model import NoModels
from certo.sandbox.trace import trace_runs
from certo.sessions.assembly.problem_statement import find_execution_context, resolve_request, state_problem
from certo.sessions.assembly.request import Request
from certo.sessions.current_function import verify_current
from certo.sessions.persistence.test_map import remembering
from certo.storage.database import open_database
from certo.storage.journal import Journal
from certo.verification.dynamic.harness_source import LeftOutTests
from certo.vocabulary.problem import Problem
from support.projects.bare_environment import bare_environ
from support.projects.projects import settle, write_project

FILES = {
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
    "sums.py": """\
        import functools

        RATE = 2

        def double(x):
            return x + x

        def half(x):
            return x / 2

        @functools.lru_cache
        def rate():
            return RATE
        """,
    "rates.txt": "3\n",
    "test_double.py": "from sums import double\n\ndef test_double():\n    assert double(3) == 6\n",
    "test_half.py": "from sums import half\n\ndef test_half():\n    assert half(4) == 2\n",
}
AGAIN = "from sums import half\n\ndef test_half():\n    assert half(4) == 2\n    assert open('sums.py').read()\n"
REGISTRY = "import sums\n\ndef test_half():\n    assert getattr(sums, 'dou' + 'ble')(2) == 4\n"
FIXTURE = """\
    import pytest
    import sums

    @pytest.fixture(scope="session")
    def four():
        return getattr(sums, "dou" + "ble")(2)
    """
SHARED = "def test_first(four):\n    pass\n\ndef test_half(four):\n    assert four == 4\n"


@dataclass(frozen=True)
class Seen:
    """The test files that were run on the text as it is without a choice of tests, and ids left out of the baseline."""

    files: frozenset[str]
    skipped: frozenset[str]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_project(tmp_path / "sums", FILES)


async def runs(root: Path, *, search: bool = False, candidates: bool = False) -> tuple[Seen, Problem | None]:
    """Verify the function, or take the baseline of a search for it, as a command of its own would.

    With `candidates`, the search finds out which left-out tests candidates run as well.
    """
    document, problem = root / "sums.py", None
    asked = Request(document=document, text=document.read_text(), place=ByName("double"))
    resolved = resolve_request(asked, bare_environ())
    with trace_runs() as trace, closing(Journal(open_database(root.parent / "sums.sqlite", root))) as journal:
        world = await find_execution_context(resolved, bare_environ())
        settle(root)
        async with remembering(resolved, world, journal) as context:
            if search:
                problem = await state_problem(resolved, context, lambda _: None, to_repair=True)
                if candidates:
                    assert await context.harnesses(resolved.settings.tests).left_out(problem) == LeftOutTests()
            else:
                found = await verify_current(resolved, context, lambda _: None, models=NoModels())
                assert found.report.verified
        journal.commit()
    requests = [run.work.request for run in trace.runs if "skip" in run.work.request]
    files = {path for asked in requests if asked["ids"] is None for path in asked["paths"] or ()}
    # This program finds the files itself, and runs those of which a test is not skipped.
    remaining = [asked["skip"] for asked in requests if asked["program"] == "remaining"]
    files |= {"test_half.py" for skipped in remaining if "test_half.py::test_half" not in skipped}
    return Seen(frozenset(files), frozenset(test for asked in requests for test in asked["skip"])), problem


def change(file: str, before: str, after: str) -> Callable[[Path], object]:
    return lambda root: (root / file).write_text((root / file).read_text().replace(before, after))


UNSEEN: Mapping[str, Callable[[Path], object]] = {
    "the function": change("sums.py", "x + x", "2 * x"),
    "a comment": change("sums.py", "RATE = 2\n", "RATE = 2\n# Two.\n"),
    "a new test file": lambda root: (root / "test_new.py").write_text("def test_new():\n    pass\n"),
}
SEEN: Mapping[str, Callable[[Path], object]] = {
    "what it executes": change("sums.py", "x / 2", "x * 0.5"),
    "its module": change("sums.py", "RATE = 2", "RATE = 3"),
    "a function that keeps results": change("sums.py", "return RATE", "return RATE + 0"),
    "the test": change("test_half.py", "half(4)", "half(4.0)"),
    "a new module": lambda root: (root / "other.py").write_text(""),
    "a conftest": lambda root: (root / "conftest.py").write_text(""),
    "a data file": change("rates.txt", "3", "4"),
}


@pytest.mark.usual_cases("the function")
@pytest.mark.parametrize("edit", UNSEEN.values(), ids=UNSEEN.keys())
async def test_unaffected_tests_are_not_run_again(root, edit):
    first, _ = await runs(root)
    edit(root)
    second, _ = await runs(root)
    assert ("test_half.py" in first.files, "test_half.py" in second.files) == (True, False)


@pytest.mark.usual_cases("what it executes")
@pytest.mark.parametrize("edit", SEEN.values(), ids=SEEN.keys())
async def test_affected_tests_are_run_again(root, edit):
    await runs(root)
    edit(root)
    second, _ = await runs(root)
    assert "test_half.py" in second.files


@pytest.mark.usual_cases("reads the source")
@pytest.mark.parametrize(
    "files",
    [
        {"test_half.py": AGAIN},
        {"test_half.py": REGISTRY},
        {"conftest.py": FIXTURE, "test_half.py": SHARED},
    ],
    ids=["reads the source", "reaches it unseen", "by a shared fixture"],
)
async def test_hidden_ways_to_the_function_count(root, files):
    write_project(root, files)
    await runs(root)
    UNSEEN["the function"](root)
    second, _ = await runs(root)
    assert "test_half.py" in second.files or "test_half.py::test_half" not in second.skipped


@pytest.mark.slow
async def test_a_search_takes_over_unaffected_results(root):
    await runs(root)
    change("sums.py", "x / 2", "x * 0.5")(root)
    seen, problem = await runs(root, search=True)
    assert seen.skipped == {"test_double.py::test_double"}
    assert problem is not None
    assert [(test.id, test.ruling.value) for test in problem.baseline.tests] == [
        ("test_double.py::test_double", "passed")
    ]


@pytest.mark.slow
async def test_likely_tests_come_first(root):
    """Those that failed come before the others, and then those that execute the least besides the function."""
    files = {
        "test_double.py": "from sums import double, half\n\ndef test_double():\n    assert half(double(3)) == 3\n",
        "test_near.py": "from sums import double\n\ndef test_near():\n    assert double(3) == 6\n",
        "test_red.py": "from sums import double, half\n\ndef test_red():\n    assert half(double(3)) == 4\n",
    }
    write_project(root, files)
    _, before = await runs(root, search=True)
    UNSEEN["the function"](root)
    _, after = await runs(root, search=True)
    assert before is not None
    assert after is not None
    order = [[test.id.partition(".")[0] for test in problem.baseline.tests] for problem in (before, after)]
    assert order == [["test_double", "test_near", "test_red"], ["test_red", "test_near", "test_double"]]


@pytest.mark.slow
async def test_left_out_tests_of_searches_are_known(root):
    change("sums.py", "x + x", "x + x + 1")(root)
    await runs(root, search=True, candidates=True)
    change("sums.py", "x + x + 1", "x + x")(root)
    second, _ = await runs(root)
    assert "test_half.py" not in second.files
