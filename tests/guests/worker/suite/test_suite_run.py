"""Runs of a project's tests: what is watched of them, rewritten for them, and made of their parameters."""

from __future__ import annotations

import ast
import json
import subprocess
from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from certo.guests import WORKER_HOME
from certo_worker.suite import session
from certo_worker.suite.rewritten_tests import Rewriting
from support.projects.bare_environment import bare_python

SCRIPT = """\
import json, sys
sys.path[:0] = [{home!r}, {root!r}]
from certo_worker.suite import suite, watched_phases
if {whole!r}:
    watched_phases.WatchedPhases.learn = lambda self, manager: None
if {prepared!r}:
    suite.prepare({{"root": {root!r}, "paths": None, "libraries": [], "session": True, "characters": False}})
    suite.foresee({{**json.loads({request!r}), "plain": True}})
suite.main(json.loads({request!r}), lambda message: print("@" + json.dumps(message), flush=True))
"""

FILES = {
    "shop.py": """\
def total(prices):
    return sum(prices)

def net(prices):
    return total(prices)

class Till:
    def __repr__(self):
        return str(total([1]))

def left():
    return 1

class Hidden:
    def __bool__(self):
        return total([]) > 0
    def __del__(self):
        total([])
""",
    "conftest.py": """\
import pytest, shop

def pytest_runtest_setup(item):
    if "hooked" in item.name:
        shop.total([])

@pytest.fixture
def till():
    yield shop.net([1, 2])
    shop.left()

@pytest.fixture(params=[1, 2])
def price(request):
    return shop.total([request.param])

@pytest.fixture
def hidden():
    return shop.Hidden()

@pytest.fixture(scope="module", params=[1, 2])
def wide(request):
    yield request.param
    shop.total([])
""",
    "test_shop.py": """\
import pytest, shop

def test_first(): pass
def test_hooked(): pass
def test_direct(): assert shop.net([1]) == 1
def test_nothing(): pass
def test_till(till): assert till == 3
def test_price(price): assert price
@pytest.mark.parametrize("n", range(4))
def test_some(n):
    if n == 2: shop.total([n])
@pytest.mark.skipif("shop.total([])")
def test_condition(): pass
def test_failing():
    till = shop.Till()
    assert till is None
class TestOne:
    def setup_method(self): shop.total([])
    def test_one(self): pass
    def test_two(self): pass
@pytest.mark.parametrize("n", ["lazy"])
def test_lazy(n): pass
def test_finalizer(request): request.addfinalizer(lambda: shop.total([]))
def test_after(): pass
def test_hidden(hidden): pass
def test_wide(wide): pass
@pytest.mark.skipif(shop.Hidden(), reason="")
def test_bool(): pass
@pytest.mark.parametrize("n", range(150))
def test_many(n): pass
def test_last(): pass
""",
}


def messages_of(
    root: Path, ids: list[str] | None = None, *, whole: bool = False, prepared: bool = False, **asked: object
) -> list[dict[str, Any]]:
    """Return the messages of one run of the tests, in a process of its own."""
    for name, text in FILES.items():
        (root / name).write_text(text)
    target = {"file": "shop.py", "first": 1, "last": 2, "changed": [], "entry_counts": False, "text": "", "line": 1}
    request = {"root": str(root), "paths": ["test_shop.py"], "ids": ids, "skip": [], "hung": [], "seconds": 9}
    request.update({"total": 60, "record": True, "target": target, **asked})
    script = SCRIPT.format(
        home=str(WORKER_HOME), root=str(root), whole=whole, prepared=prepared, request=json.dumps(request)
    )
    command = [bare_python(), "-B", "-c", script]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return [json.loads(line[line.index("@") + 1 :]) for line in done.stdout.splitlines() if "@{" in line]


def seen_in(messages: list[dict[str, Any]]) -> Mapping[str, tuple[bool, str, frozenset[tuple[str, int]]]]:
    """Return what each test is said to have done: if it reached the target, its outcome, and the code it executed."""
    places = [(each["file"], each["line"]) for each in messages if each["kind"] == "code"]
    return {
        each["id"]: (each["reached"], each["outcome"], frozenset(places[number] for number in each["code"]))
        for each in messages
        if each["kind"] == "test"
    }


def without_plug_ins(root: Path, more: str) -> None:
    """Configure pytest without installed plug-ins: with hooks around tests, all of each test would be watched."""
    installed = sorted({entry.name for entry in entry_points(group="pytest11")})
    (root / "pytest.ini").write_text(
        f"[pytest]\naddopts = -p {more} " + " ".join(f"-p no:{each}" for each in installed)
    )


# As far as can be told, the plug-in is a library.
LAZY = """\
import os
__file__ = os.__file__
def pytest_fixture_setup(fixturedef, request):
    if getattr(request, "param", None) == "lazy":
        import shop
        shop.total([])
"""


def test_watching_parts_shows_the_same(tmp_path: Path) -> None:
    """Hooks, fixtures, parameters, conditions, finalizers, what follows a failure, and set-up methods."""
    (tmp_path / "lazy.py").write_text(LAZY)
    without_plug_ins(tmp_path, "lazy")
    parts, whole = (seen_in(messages_of(tmp_path, whole=each)) for each in (False, True))
    assert parts == whole
    reached = {test.partition("::")[2] for test, (reaches, _, _) in parts.items() if reaches}
    assert reached >= {"test_hooked", "test_till", "test_price[1]", "test_some[2]", "TestOne::test_two", "test_failing"}
    assert reached >= {"test_finalizer", "test_hidden", "test_wide[2]", "test_bool", "test_lazy[lazy]"}
    assert not reached & {"test_nothing", "test_some[3]", "test_after", "test_many[0]"}
    # Line 11 is that of the function which only the end of a fixture calls.
    assert ("shop.py", 11) in parts["test_shop.py::test_till"][2]


AROUND = """\
import pytest
class Around:
    @pytest.hookimpl(hookwrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem):
        import shop
        shop.total([])
        yield
def pytest_configure(config):
    config.pluginmanager.register(Around())
"""


def test_hooks_of_objects_are_watched(tmp_path: Path) -> None:
    """A project may register an object of its own as a plug-in."""
    (tmp_path / "around.py").write_text(AROUND)
    without_plug_ins(tmp_path, "around")
    assert all(reached for reached, _, _ in seen_in(messages_of(tmp_path, sampled=True)).values())


def test_sample_has_few_of_many_parameters(tmp_path: Path) -> None:
    collected = next(each for each in messages_of(tmp_path, sampled=True) if each["kind"] == "collected")
    counts = [sum(name in test for test in collected["ids"]) for name in ("test_many", "test_some", "test_last")]
    assert counts == [100, 4, 1]


def test_no_paths_are_no_tests(tmp_path: Path) -> None:
    """The run for which a process is prepared has none, and may come to a process of its own."""
    assert [each["kind"] for each in messages_of(tmp_path, paths=[], record=False)] == ["suite_ended"]


def test_only_chosen_parameters_become_tests(tmp_path: Path) -> None:
    """Of a test with very many, making the others takes longer than running the chosen ones."""
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p counted\n")
    (tmp_path / "counted.py").write_text("def pytest_itemcollected(item):\n    print('@' + '{\"kind\": \"made\"}')\n")
    chosen = ["test_shop.py::test_many[7]", "test_shop.py::test_last"]
    kinds = [each["kind"] for each in messages_of(tmp_path, chosen)]
    assert (kinds.count("made"), kinds.count("test")) == (2, 2)


CHOSEN_ONLY = """\
import sys
sys.path[:0] = [{home!r}, {root!r}]
from certo_worker.suite.pytest_run import run_pytest
from certo_worker.suite.reporter import ChosenTests
class Items:
    def pytest_itemcollected(self, item):
        print("@" + item.nodeid)
run_pytest({root!r}, [{root!r} + "/test_shop.py"], ChosenTests({ids!r}), Items())
"""


def test_another_session_makes_chosen_tests_only(tmp_path: Path) -> None:
    """The built-in search asks a few tests of a file, with the fixtures of a session."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    chosen = ["test_shop.py::test_many[7]", "test_shop.py::TestOne::test_two", "test_shop.py::test_last"]
    script = CHOSEN_ONLY.format(home=str(WORKER_HOME), root=str(tmp_path), ids=chosen)
    done = subprocess.run([bare_python(), "-B", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    made = [line.partition("@")[2] for line in done.stdout.splitlines() if "@" in line]
    assert sorted(made) == sorted(chosen)


def test_prepared_session_ends_well_when_stopped(tmp_path: Path) -> None:
    """The plug-in for the terminal has to learn of the interruption before the session ends."""
    late = "from certo_worker.suite import suite\ndef test_late(): suite._prepared[0].reporter._deadline = 0\n"
    (tmp_path / "test_stop.py").write_text(late + "def test_never(): pass\n")
    said = messages_of(tmp_path, prepared=True, record=False, paths=["test_stop.py"])
    assert [each["kind"] for each in said][-3:] == ["test", "stopped", "suite_ended"]


def test_plain_runs_leave_details_to_others(tmp_path: Path) -> None:
    """Later runs start from the same prepared process, and are asked why a test fails."""
    said = messages_of(tmp_path, prepared=True)
    assert [each["message"] for each in said if each.get("outcome") == "failed"] == ["assert 1 is None"]


READING = """\
import json
def pytest_runtest_logreport(report):
    if report.failed:
        print("@" + json.dumps({"kind": "read", "text": report.longreprtext}))
"""


def test_descriptions_of_failures_reach_their_readers(tmp_path: Path) -> None:
    (tmp_path / "reading.py").write_text(READING)
    without_plug_ins(tmp_path, "reading")
    said = messages_of(tmp_path, ["test_shop.py::test_failing"], record=False)
    [read] = [each["text"] for each in said if each["kind"] == "read"]
    assert "assert 1 is None" in read


ASKED = """\
class Asked(Exception):
    def __str__(self):
        print("@" + '{"kind": "asked"}')
        return "so"
def test_asked():
    raise Asked
"""


def test_failures_are_not_described_unread(tmp_path: Path) -> None:
    """To describe one, pytest asks its exception what it says, as we do once."""
    (tmp_path / "test_asked.py").write_text(ASKED)
    (tmp_path / "nobody.py").touch()
    without_plug_ins(tmp_path, "nobody")
    kinds = [each["kind"] for each in messages_of(tmp_path, paths=["test_asked.py"], record=False)]
    assert kinds.count("asked") == 1


BENCHMARK = """\
import pytest
class Session: disabled = True
@pytest.fixture
def benchmark(request):
    return None if request.config._benchmarksession.disabled else {"mean": 0.5}
def pytest_addoption(parser):
    for name in ("--benchmark-only", "--benchmark-disable"):
        parser.addoption(name, action="store_true")
@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    if config.option.benchmark_only and config.option.benchmark_disable:
        raise pytest.UsageError
    config._benchmarksession = Session()
"""
SPEED = """\
class Figures:
    def __init__(self, benchmark): self.stats = benchmark
def test_speed(benchmark): assert Figures(benchmark).stats["mean"] < 1
def test_result(benchmark): assert benchmark is None
"""


def with_benchmarks(root: Path) -> None:
    """Install what is asked here of pytest-benchmark."""
    (root / "bench.py").write_text(BENCHMARK)
    (root / "bench-1.dist-info").mkdir()
    (root / "bench-1.dist-info" / "entry_points.txt").write_text("[pytest11]\nbenchmark = bench\n")


def test_figures_that_are_read_are_measured(tmp_path: Path) -> None:
    with_benchmarks(tmp_path)
    (tmp_path / "test_speed.py").write_text(SPEED)
    seen = seen_in(messages_of(tmp_path, paths=["test_speed.py"]))
    assert [outcome for _, outcome, _ in seen.values()] == ["passed", "passed"]


def test_benchmarks_may_be_all_that_runs(tmp_path: Path) -> None:
    """pytest-benchmark takes its option for that and the one to measure nothing for a contradiction."""
    with_benchmarks(tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --benchmark-only\n")
    assert [each["status"] for each in messages_of(tmp_path, record=False) if each["kind"] == "suite_ended"] == [1]


def test_plug_ins_are_left_to_pytest() -> None:
    """It would warn of any that it finds imported, and a project may turn warnings into errors."""
    assert {"hypothesis", "_hypothesis_globals", "_hypothesis_pytestplugin"} <= session._plugins()


TESTS = """\
def test_one(): pass
class TestIt:
    def test_one(self): pass
    def test_two(self): pass
@pytest.fixture
def test_given(): pass
def helper(): pass
"""


@pytest.mark.parametrize(
    ("choice", "put_by"),
    [
        ({}, []),
        ({"names": ["test_one"]}, ["test_two"]),
        ({"left_out": {"test_it.py": {"TestIt.test_one"}}}, ["TestIt.test_one"]),
        ({"left_out": {"test_other.py": {"test_one"}}}, []),
        ({"nothing": True}, ["test_one", "TestIt.test_one", "test_two"]),
    ],
    ids=["all", "names", "left out", "left out elsewhere", "nothing"],
)
def test_only_running_tests_are_rewritten(choice: dict[str, Any], put_by: list[str]) -> None:
    rewriting = Rewriting()
    rewriting.choose("/root", **choice)
    tree = ast.parse(TESTS)
    found = rewriting.put_by(tree, "/root/test_it.py", TESTS.encode())
    assert [each.name for each, _ in found] == [name.rpartition(".")[2] for name in put_by]
    assert all(isinstance(each.body[0], ast.Pass) for each, _ in found)


def test_what_tests_may_call_is_rewritten() -> None:
    """How a test fails is compared by its message with other runs, in which more tests run."""
    calling = "def test_one(): test_two()\ndef test_two(n=1): assert n\ndef test_three(): pass\n"
    rewriting = Rewriting()
    rewriting.choose("/root", names=["test_one"])
    found = rewriting.put_by(ast.parse(calling), "/root/test_it.py", calling.encode())
    assert [each.name for each, _ in found] == ["test_three"]
    assert not rewriting.put_by(ast.parse(calling), "/root/conftest.py", calling.encode())


def test_code_for_other_tests_is_not_used() -> None:
    rewriting = Rewriting()
    rewriting.choose("/root", names=["test_one", "test_two"])
    assert rewriting.is_within(frozenset(("test_one", "test_two", "test_three")))
    assert rewriting.is_within(None)
    assert not rewriting.is_within(frozenset(("test_one",)))
