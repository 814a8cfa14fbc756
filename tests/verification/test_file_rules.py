"""The files that decide how a candidate is judged stay the project's own, whatever else a candidate changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.executor import Executor, Finished, Message, Policy, Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.verification.dynamic.suite_verifiers import TestsVerifier
from certo.verification.file_rules import judging_files
from certo.vocabulary.verdict import Ruling
from support.projects.projects import Project, write_project

FILES = {
    "pack/__init__.py": "",
    "pack/sums.py": "def double(n):\n    return n\n",
    "tests/__init__.py": "",
    "tests/conftest.py": "import pytest\n\n@pytest.fixture\ndef four():\n    return 4\n",
    "tests/unit/test_sums.py": """\
        from pack.sums import double

        def test_double(four):
            assert double(2) == four

        def test_nothing():
            assert double(0) == 0
    """,
    "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-p no:cacheprovider'\n",
}

ALWAYS_GREEN = """\
    import pytest

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(item, call):
        outcome = yield
        outcome.get_result().outcome = "passed"
"""

HOSTILE: dict[str, Mapping[str, str | None]] = {
    "conftest beside the tests": {"tests/unit/conftest.py": ALWAYS_GREEN},
    "conftest that is there": {"tests/conftest.py": ALWAYS_GREEN + "\n    @pytest.fixture\n    def four(): return 2\n"},
    "conftest at the root": {"conftest.py": ALWAYS_GREEN},
    "options": {
        "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-p pack.green'\n",
        "pack/green.py": ALWAYS_GREEN,
    },
    "a nearer configuration": {"pytest.ini": "[pytest]\naddopts = -p pack.green\n", "pack/green.py": ALWAYS_GREEN},
    "a configuration beside the tests": {"tests/pytest.ini": "[pytest]\naddopts = -k nothing\n"},
    "the test": {"tests/unit/test_sums.py": "def test_double(): pass\ndef test_nothing(): pass\n"},
    "no test": {"tests/unit/test_sums.py": None},
    "the package of the tests": {"tests/__init__.py": "import pack.sums\npack.sums.double = lambda n: 2 * n\n"},
    "at start": {"sitecustomize.py": "import pack.sums\npack.sums.double = lambda n: 2 * n\n"},
}


class Bringing:
    """An executor whose runs get more files than the document: the candidate's, of one that changes several."""

    def __init__(self, executor: Executor, files: Mapping[str, str | None]) -> None:
        self._executor = executor
        self._files = files
        self.isolation = executor.isolation
        self.policies = executor.policies
        self.forks = executor.forks

    def isolation_under(self, policy: Policy, /) -> str:
        return self._executor.isolation_under(policy)

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        return self._executor.warmed(work)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        return await self._executor.run(replace(work, overlay={**work.overlay, **self._files}), tell)


@pytest.fixture(params=["process", pytest.param("bubblewrap", marks=pytest.mark.bubblewrap)])
async def executor(request: pytest.FixtureRequest) -> Executor:
    options = SandboxOptions()
    if request.param == "process":
        return LocalExecutor(options)
    return BubblewrapExecutor(options, await find_bubblewrap())


async def judged(project: Project, *tries: tuple[str, Mapping[str, str | None]]) -> list[Ruling]:
    """Return the standing of candidates: the body of each, and the files that it brings besides."""
    problem = project.problem(await project.baseline())
    assert [test.ruling for test in problem.baseline.tests] == [Ruling.FAILED, Ruling.PASSED]
    rulings = []
    for body, files in tries:
        verifier = TestsVerifier(replace(project.harnesses, executor=Bringing(project.executor, files)))
        rulings.append((await verifier.judge(project.candidate("return n", body), problem)).ruling)
    return rulings


@pytest.mark.slow
async def test_a_candidate_cannot_bring_its_own_judge(executor: Executor, tmp_path: Path) -> None:
    project = Project(write_project(tmp_path, FILES), "pack/sums.py", "double", executor=executor)
    wrong = [("return n + 1 - 1", files) for files in HOSTILE.values()]
    everything = {name: text for files in HOSTILE.values() for name, text in files.items()}
    rulings = await judged(project, *wrong, ("return n + n", everything))
    # That it tried decides nothing else: a right one passes.
    assert dict(zip([*HOSTILE, "right"], rulings, strict=True)) == {
        **dict.fromkeys(HOSTILE, Ruling.FAILED),
        "right": Ruling.PASSED,
    }


@pytest.mark.slow
async def test_it_may_bring_other_modules(executor: Executor, tmp_path: Path) -> None:
    project = Project(write_project(tmp_path, FILES), "pack/sums.py", "double", executor=executor)
    new = {"pack/more.py": "def times(n, m):\n    return n * m\n"}
    assert await judged(project, ("from pack.more import times; return times(n, 2)", new)) == [Ruling.PASSED]


async def test_unsaved_tests_are_the_users_own(executor: Executor, tmp_path: Path) -> None:
    project = Project(write_project(tmp_path, FILES), "pack/sums.py", "double", executor=executor)
    project.unsaved = {"tests/conftest.py": "import pytest\n\n@pytest.fixture\ndef four():\n    return 6\n"}
    assert await judged(project, ("return n + n", {}), ("return 3 * n", {})) == [Ruling.FAILED, Ruling.PASSED]


@pytest.mark.bubblewrap
async def test_programs_started_by_tests_use_the_candidate(tmp_path: Path) -> None:
    # Each calls the target itself too: what happens in another process tells nobody which tests reach it.
    test = """\
        import subprocess, sys
        from pack.sums import double

        def said(number):
            return subprocess.check_output([sys.executable, "-m", "pack", str(number)], text=True)

        def test_double():
            assert double(0) == 0
            assert said(2) == "4\\n"

        def test_nothing():
            assert double(0) == 0
            assert said(0) == "0\\n"
    """
    main = "import sys\nfrom pack.sums import double\nprint(double(int(sys.argv[1])))\n"
    files = {**FILES, "pack/__main__.py": main, "tests/unit/test_sums.py": test}
    project = Project(write_project(tmp_path, files), "pack/sums.py", "double")
    project.executor = BubblewrapExecutor(SandboxOptions(), await find_bubblewrap())
    more = "from pack.more import TWO; return TWO * n", {"pack/more.py": "TWO = 2\n"}
    rulings = await judged(project, ("return n + n", {}), ("return 3 * n", {}), more)
    assert rulings == [Ruling.PASSED, Ruling.FAILED, Ruling.PASSED]


def test_tests_and_interpreter_decide_protected_files(tmp_path: Path) -> None:
    found = judging_files(tmp_path, ["src/pack/test_one.py::test_x[a/b]"], [tmp_path / ".venv", Path("/usr")])
    assert {"src/pack/test_one.py", "src/pack/conftest.py", "conftest.py", "src/tox.ini", "setup.cfg"} <= set(found)
    assert ".venv" in found
    assert not {".", "src", "src/pack", "src/pack/__init__.py", "usr"} & set(found)
    assert "src/tests" in judging_files(tmp_path, ["src/tests/deep/test_one.py"], [])
