"""Files like secrets, and those ignored by git, are kept from runs, unless the tests need them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from certo.edits.target import ByName, find_target
from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.confinement.secrets import hidden_in
from certo.sandbox.executor import Executor
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.verification.dynamic.baseline import BaselineRequest, take_baseline
from certo.verification.dynamic.harness import Harness, Selection, run_program
from certo.verification.dynamic.results import RunResults
from certo.verification.dynamic.test_map import MappedTests
from certo.verification.options import TestOptions
from certo.vocabulary.problem import Baseline, BaselineRun, Goal, Problem
from certo.vocabulary.verdict import Ruling
from support.projects.bare_environment import bare_interpreter
from support.projects.projects import write_project

MODULE = "def double(n):\n    return n * 2\n"
TESTS = "from mod import double\n\n\ndef test_double():\n    assert double(2) == 4\n"

TELLS = """\
import os

    found = []
    for name in ("local.json", "data/a.json"):
        try:
            found.append(os.read(os.open(name, os.O_RDONLY), 100))
        except OSError as error:
            found.append(error.errno)
    raise ValueError("told: %s" % found)"""

READS = """\
def entries(name):
    with open(name) as file:
        return dict(line.strip().split("=", 1) for line in file if "=" in line)


"""


@pytest.fixture(params=[pytest.param("bubblewrap", marks=pytest.mark.bubblewrap), "process"])
async def executor(request: pytest.FixtureRequest) -> Executor:
    options = SandboxOptions(slots=2)
    if request.param == "process":
        return LocalExecutor(options)
    return BubblewrapExecutor(options, await find_bubblewrap())


async def baseline_of(
    root: Path, executor: Executor, *ignored: str, recorded: bool = False
) -> tuple[Baseline, BaselineRun]:
    harness = Harness(
        root=root,
        path="mod.py",
        base=MODULE,
        target=find_target(MODULE, ByName("double"), path="mod.py"),
        unsaved={},
        interpreter=bare_interpreter(),
        executor=executor,
        options=TestOptions(),
        hidden=ignored,
    )
    return await take_baseline(harness, BaselineRequest(known_tests=EmptyMap() if recorded else None))


class EmptyMap:
    """A test map that knows nothing and keeps nothing, for which runs are recorded."""

    async def known(self) -> MappedTests:
        return MappedTests()

    def record(self, results: RunResults, whole: Iterable[str], /) -> None:
        pass


async def test_unneeded_secrets_stay_hidden(tmp_path: Path, executor: Executor) -> None:
    """The baseline says so."""
    files = {"mod.py": MODULE, "test_mod.py": TESTS, ".env": "KEY=1", "conf/server.pem": "a key"}
    baseline, run = await baseline_of(write_project(tmp_path, files), executor)
    assert [test.ruling for test in baseline.tests] == [Ruling.PASSED]
    assert (hidden_in(tmp_path, run.shown), run.shown) == ((".env", "conf/server.pem"), ())
    assert "hidden from runs because it looks like a secret: .env, conf/server.pem" in baseline.problems


async def test_optional_settings_stay_hidden(tmp_path: Path, executor: Executor) -> None:
    conftest = READS + "SETTINGS = entries('.env')\nassert 'KEY' not in SETTINGS\n"
    files = {"mod.py": MODULE, "test_mod.py": TESTS, "conftest.py": conftest, ".env": "KEY=1"}
    baseline, run = await baseline_of(write_project(tmp_path, files), executor)
    assert [test.ruling for test in baseline.tests] == [Ruling.PASSED]
    assert run.shown == ()


async def test_needed_secrets_are_shown_alone(tmp_path: Path, executor: Executor) -> None:
    conftest = READS + "KEY = entries('.env')['KEY']\n"
    files = {
        "mod.py": MODULE,
        "test_mod.py": TESTS,
        "conftest.py": conftest,
        ".env": "KEY=1",
        "other.key": "2",
    }
    baseline, run = await baseline_of(write_project(tmp_path, files), executor)
    assert [test.ruling for test in baseline.tests] == [Ruling.PASSED]
    assert (hidden_in(tmp_path, run.shown), run.shown) == (("other.key",), (".env",))
    assert "the tests need .env, so runs can read it" in baseline.problems


@pytest.mark.parametrize("recorded", [False, True])
async def test_tests_red_without_a_secret_get_it(tmp_path: Path, executor: Executor, *, recorded: bool) -> None:
    reading = "    with open('local.env') as file:\n        kept = file.read()\n    assert double(len(kept)) == 10\n"
    files = {"mod.py": MODULE, "test_mod.py": TESTS + "\n\ndef test_kept():\n" + reading, "local.env": "a key"}
    baseline, run = await baseline_of(write_project(tmp_path, files), executor, recorded=recorded)
    assert [test.ruling for test in baseline.tests] == [Ruling.PASSED] * 2
    assert run.shown == ("local.env",)


async def test_secrets_that_do_not_help_stay_hidden(tmp_path: Path, executor: Executor) -> None:
    tests = TESTS.replace("== 4", "== 5") + "\n\nprint(open('.env').read())\n"
    files = {"mod.py": MODULE, "test_mod.py": tests, ".env": "KEY=1"}
    baseline, run = await baseline_of(write_project(tmp_path, files), executor)
    assert [test.ruling for test in baseline.tests] == [Ruling.FAILED]
    assert (hidden_in(tmp_path, run.shown), run.shown) == ((".env",), ())


READS_DATA = """\
import json
import os
import sqlite3

import pytest
from mod import double


def test_double():
    assert double(2) == 4


def test_data():
{body}
"""


@pytest.mark.usual_cases(
    *("process-a file", "process-a listing", "process-a database"),
    *("bubblewrap-a file", "bubblewrap-a listing", "bubblewrap-one after the other"),
)
@pytest.mark.parametrize(
    ("body", "needed", "by_name"),
    [
        ("assert double(json.load(open('local.json'))) == 2", ("local.json",), False),
        ("assert double(len(open('data/a.txt').read())) == 2", ("data",), False),
        ("assert double(len(os.listdir('data'))) == 4", ("data",), True),
        (
            "if not os.path.exists('data/a.txt'):\n        pytest.skip('no data')\n    assert double(1) == 2",
            ("data",),
            True,
        ),
        (
            "assert double(sqlite3.connect('file:my.db?mode=ro', uri=True).execute('select n from t').fetchone()[0])",
            ("my.db",),
            False,
        ),
        (
            "assert double(len(open('local.json').read() + open('other.json').read())) == 4",
            ("local.json", "other.json"),
            False,
        ),
        ("assert not os.path.exists('nothing')\n    assert double(1) == 2", (), False),
    ],
    ids=["a file", "in a directory", "a listing", "whether it is there", "a database", "one after the other", "none"],
)
async def test_ignored_files_that_tests_need_are_shown(
    tmp_path: Path, executor: Executor, body: str, needed: tuple[str, ...], by_name: bool
) -> None:
    files = {"mod.py": MODULE, "test_mod.py": READS_DATA.format(body=f"    {body}"), "unread.json": "3"}
    files |= {"local.json": "1", "other.json": "2", "data/a.txt": "1", "data/b.txt": "2"}
    root = write_project(tmp_path, files)
    with closing(sqlite3.connect(root / "my.db")) as base, base:
        base.execute("create table t as select 1 as n")
    baseline, run = await baseline_of(root, executor, "data", "local.json", "my.db", "other.json", "unread.json")
    assert [test.ruling for test in baseline.tests] == [Ruling.PASSED] * 2
    # Where something empty lies over a directory, the names in it are gone as well.
    missed = needed if isinstance(executor, BubblewrapExecutor) or not by_name else ()
    assert {"data", "local.json", "my.db", "other.json", "unread.json"} - {*run.hidden} == {*missed}


@pytest.mark.parametrize("order", ["double(n) == wanted", pytest.param("wanted == double(n)", marks=pytest.mark.slow)])
async def test_files_that_red_tests_read_are_shown(tmp_path: Path, executor: Executor, order: str) -> None:
    """The test is red with the file too, as the target is wrong; without it no candidate could help."""
    order = order.replace("wanted", "len(open('wanted.txt').read())")
    tests = f"from mod import double\n\n\ndef test_file():\n    n = 2\n    assert {order}\n"
    root = write_project(tmp_path, {"mod.py": MODULE, "test_mod.py": tests, "wanted.txt": "12345", "other.txt": ""})
    baseline, run = await baseline_of(root, executor, "wanted.txt", "other.txt")
    assert [test.ruling for test in baseline.tests] == [Ruling.FAILED]
    assert run.hidden == ("other.txt",)


async def test_what_is_said_of_ignored_files(tmp_path: Path, executor: Executor) -> None:
    """A file that is hidden as a secret is named as one, and only once."""
    files = {"mod.py": MODULE, "test_mod.py": TESTS, ".env": "KEY=1"} | {f"{number}.json": "1" for number in range(7)}
    ignored = (".env", *(f"{number}.json" for number in range(7)))
    baseline, run = await baseline_of(write_project(tmp_path, files), executor, *ignored)
    assert baseline.problems == (
        "hidden from runs because it looks like a secret: .env",
        "hidden from runs because git ignores it: 0.json, 1.json, 2.json, 3.json, 4.json, and 2 more",
    )
    assert run.hidden == ignored[1:]


async def test_a_candidate_cannot_tell_what_git_ignores(tmp_path: Path, executor: Executor) -> None:
    """Its failure message has nothing of the file, in a fresh process and by whatever way it opens it."""
    files = {"mod.py": MODULE, "test_mod.py": TESTS, "local.json": "KEPT", "data/a.json": "KEPT"}
    root = write_project(tmp_path, files)
    baseline, run = await baseline_of(root, executor, "data", "local.json")
    text = MODULE.replace("return n * 2", TELLS)
    target = find_target(MODULE, ByName("double"), path="mod.py")
    problem = Problem(
        root=root, path="mod.py", text=MODULE, target=target, goal=Goal.REPAIR, baseline=baseline, baseline_run=run
    )
    ground = Harness.of(problem, executor, bare_interpreter(), TestOptions())
    hearing = RunResults()
    await run_program("suite", ground, text, Selection(paths=("test_mod.py",)), hearing, seconds=20.0)
    [told] = hearing.tests.values()
    assert told.ruling is Ruling.FAILED
    assert "told: " in told.message
    assert "KEPT" not in told.message
