"""What looks like a secret is kept from runs, unless the tests need it."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.edits.target import ByName, find_target
from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.executor import Executor
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.secrets import hidden_in
from certo.verification.baseline import take_baseline
from certo.verification.options import TestOptions
from certo.vocabulary.problem import Baseline
from certo.vocabulary.verdict import Ruling
from support.bare import bare_interpreter
from support.projects import write_project

MODULE = "def double(n):\n    return n * 2\n"
TESTS = "from mod import double\n\n\ndef test_double():\n    assert double(2) == 4\n"

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


async def baseline_of(root: Path, executor: Executor) -> Baseline:
    return await take_baseline(
        root=root,
        path="mod.py",
        text=MODULE,
        target=find_target(MODULE, ByName("double"), path="mod.py"),
        interpreter=bare_interpreter(),
        executor=executor,
        unsaved={},
        options=TestOptions(),
    )


async def test_what_no_test_needs_stays_hidden_and_that_is_said(tmp_path: Path, executor: Executor) -> None:
    files = {"mod.py": MODULE, "test_mod.py": TESTS, ".env": "KEY=1", "conf/server.pem": "a key"}
    baseline = await baseline_of(write_project(tmp_path, files), executor)
    assert [test.ruling for test in baseline.tests] == [Ruling.PASSED]
    assert (hidden_in(tmp_path, baseline.shown), baseline.shown) == ((".env", "conf/server.pem"), ())
    assert "hidden from runs, for it looks like a secret: .env, conf/server.pem" in baseline.problems


async def test_who_reads_settings_that_may_be_absent_goes_on_without_them(tmp_path: Path, executor: Executor) -> None:
    conftest = READS + "SETTINGS = entries('.env')\nassert 'KEY' not in SETTINGS\n"
    files = {"mod.py": MODULE, "test_mod.py": TESTS, "conftest.py": conftest, ".env": "KEY=1"}
    baseline = await baseline_of(write_project(tmp_path, files), executor)
    assert [test.ruling for test in baseline.tests] == [Ruling.PASSED]
    assert baseline.shown == ()


async def test_tests_that_need_a_secret_get_it_and_no_other(tmp_path: Path, executor: Executor) -> None:
    conftest = READS + "KEY = entries('.env')['KEY']\n"
    files = {
        "mod.py": MODULE,
        "test_mod.py": TESTS,
        "conftest.py": conftest,
        ".env": "KEY=1",
        "other.key": "2",
    }
    baseline = await baseline_of(write_project(tmp_path, files), executor)
    assert [test.ruling for test in baseline.tests] == [Ruling.PASSED]
    assert (hidden_in(tmp_path, baseline.shown), baseline.shown) == (("other.key",), (".env",))
    assert "the tests need .env, so runs can read it" in baseline.problems


async def test_a_test_that_is_red_for_a_secret_gets_it(tmp_path: Path, executor: Executor) -> None:
    tests = (
        TESTS
        + "\n\ndef test_key():\n    with open('server.pem') as key:\n        assert double(len(key.read())) == 10\n"
    )
    files = {"mod.py": MODULE, "test_mod.py": tests, "server.pem": "a key"}
    baseline = await baseline_of(write_project(tmp_path, files), executor)
    assert [test.ruling for test in baseline.tests] == [Ruling.PASSED] * 2
    assert baseline.shown == ("server.pem",)


async def test_a_secret_that_does_not_help_stays_hidden(tmp_path: Path, executor: Executor) -> None:
    tests = TESTS.replace("== 4", "== 5") + "\n\nprint(open('.env').read())\n"
    files = {"mod.py": MODULE, "test_mod.py": tests, ".env": "KEY=1"}
    baseline = await baseline_of(write_project(tmp_path, files), executor)
    assert [test.ruling for test in baseline.tests] == [Ruling.FAILED]
    assert (hidden_in(tmp_path, baseline.shown), baseline.shown) == ((".env",), ())
