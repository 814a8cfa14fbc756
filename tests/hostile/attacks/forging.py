"""Candidates that lie about how their tests went."""

from __future__ import annotations

from hostile.row import Row

_WRONG = "\n\ndef double(n):\n    return n\n"

_COLLECT = """
import gc

def told(kind):
    return [each for each in gc.get_objects() if type(each).__name__ == kind]
"""

FORGING = (
    Row(
        name="ends_well_at_import",
        why="an exit status says nothing; each test must have told",
        whole=True,
        attack="import os\nos._exit(0)" + _WRONG,
    ),
    Row(name="leaves_at_import", why="as above", whole=True, attack="import sys\nsys.exit(0)" + _WRONG),
    Row(
        name="ends_well_in_the_function",
        why="as above",
        whole=True,
        attack="import os\n\ndef double(n):\n    os._exit(0)\n",
    ),
    Row(
        name="ends_the_session_as_a_success",
        why="tests that did not run did not pass",
        whole=True,
        attack='import pytest\npytest.exit("done", returncode=0)' + _WRONG,
    ),
    Row(
        name="skips_the_test_file",
        why="a skipped test shows nothing",
        whole=True,
        attack='import pytest\npytest.skip("not today", allow_module_level=True)' + _WRONG,
    ),
    Row(
        name="skips_in_the_function",
        why="a test that ran before and is skipped now has got worse",
        whole=True,
        attack='import unittest\n\ndef double(n):\n    raise unittest.SkipTest("not today")\n',
    ),
    Row(
        name="fails_as_expected",
        why="a failure that was expected keeps a suite green, but shows nothing that works",
        whole=True,
        attack='import pytest\n\ndef double(n):\n    pytest.xfail("as expected")\n',
    ),
    Row(
        name="takes_the_tests_out_of_the_session",
        why="the tests of the baseline are owed, each of them",
        whole=True,
        attack=_COLLECT
        + """
class Deselecting:
    def pytest_collection_modifyitems(self, items):
        items.clear()

for manager in told("PytestPluginManager"):
    manager.register(Deselecting())
"""
        + _WRONG,
    ),
    Row(
        name="puts_tests_of_its_own_in_their_place",
        why="tests are known by their ids",
        whole=True,
        attack="import sys\n"
        + """
for frame in iter(lambda f=[sys._getframe()]: f.__setitem__(0, f[0].f_back) or f[0], None):
    if "test_mod" in frame.f_globals.get("__name__", ""):
        frame.f_globals["test_mine"] = lambda: None
"""
        + _WRONG,
    ),
    Row(
        name="ends_well_at_the_very_end",
        why="exit hooks of the program do not decide its status",
        whole=True,
        attack="import atexit, os\natexit.register(os._exit, 0)" + _WRONG,
    ),
    Row(
        name="closes_every_descriptor",
        why="who cannot tell has not passed",
        whole=True,
        attack="import os\nos.closerange(0, 4096)" + _WRONG,
    ),
    Row(
        name="sends_its_messages_nowhere",
        why="as above",
        whole=True,
        attack="""
import os
nowhere = os.open(os.devnull, os.O_RDWR)
for descriptor in range(3, 64):
    try:
        os.fstat(descriptor)
        os.dup2(nowhere, descriptor)
    except OSError:
        continue
os._exit(0)
"""
        + _WRONG,
    ),
    Row(
        name="writes_json_to_every_descriptor",
        why="messages that no program of ours would send are counted against it",
        whole=True,
        attack="""
import json, os
tests = ["tests/test_mod.py::" + name for name in ("test_double[2-4]", "test_double[-3--6]", "test_nothing")]
for descriptor in range(3, 64):
    for line in [{"collected": tests}, *({"test": each, "outcome": "passed"} for each in tests), {"done": 0}]:
        try:
            os.write(descriptor, json.dumps(line).encode() + b"\\n")
        except OSError:
            break
os._exit(0)
"""
        + _WRONG,
    ),
    Row(
        name="writes_noise_to_every_descriptor",
        why="a line that cannot be read spoils the run, not the listener",
        whole=True,
        attack="""
import os
for descriptor in range(3, 64):
    try:
        os.write(descriptor, b'\\xff\\x00{"tell": ' + b"[" * 50000 + b"\\n")
    except OSError:
        continue
os._exit(0)
"""
        + _WRONG,
    ),
    Row(
        name="swallows_failed_assertions",
        why="what an assertion raises is looked up by the interpreter, not by name",
        whole=True,
        attack="""
import builtins
builtins.AssertionError = type("AssertionError", (BaseException,), {"__init__": lambda self, *words: None})
"""
        + _WRONG,
    ),
    Row(name="speaks_with_a_nul", why="it is no Python", whole=True, attack="x = 1 \0" + _WRONG),
    Row(
        name="raises_what_cannot_be_printed",
        why="a message that cannot be encoded spoils nobody's evening",
        whole=True,
        attack="""
class Unprintable(Exception):
    def __str__(self):
        return "\\ud800\\udcff\\x00"

def double(n):
    raise Unprintable
""",
    ),
    Row(
        name="calls_every_report_a_success",
        why="pytest makes its reports in the candidate's process",
        whole=True,
        attack="""
from _pytest.reports import TestReport

honest = TestReport.from_item_and_call.__func__

def forged(kind, item, call):
    report = honest(kind, item, call)
    report.outcome, report.longrepr = "passed", None
    return report

TestReport.from_item_and_call = classmethod(forged)
"""
        + _WRONG,
    ),
    Row(
        name="runs_no_test_at_all",
        why="what runs a test is a method that anybody in the process can replace",
        whole=True,
        attack="import _pytest.python\n_pytest.python.Function.runtest = lambda self: None" + _WRONG,
    ),
    Row(
        name="equals_whatever_is_expected",
        why="the test itself is satisfied; only plain values passed between processes leave no room for such objects",
        whole=True,
        attack="""
class Equal:
    __hash__ = None

    def __eq__(self, other):
        return True

def double(n):
    return Equal()
""",
    ),
    Row(
        name="speaks_through_the_channel_it_found",
        why="the candidate's process holds the object that tells, and the pipe behind it",
        whole=True,
        attack=_COLLECT
        + """
import os

tests = ["tests/test_mod.py::" + name for name in ("test_double[2-4]", "test_double[-3--6]", "test_nothing")]
[channel] = told("Channel")
channel.tell({"kind": "collected", "ids": tests})
for each in tests:
    channel.tell({"kind": "started", "id": each, "limit": 1.0})
    channel.tell({"kind": "test", "id": each, "outcome": "passed", "message": "", "seconds": 0.0, "where": "",
                  "line": None, "reached": True, "touched": True})
channel.tell({"kind": "suite_ended", "status": 0})
channel.end("complete")
os._exit(0)
"""
        + _WRONG,
    ),
    Row(
        name="reads_the_answers_from_the_tests",
        why="tests that the candidate can read tell it what to say; only tests it cannot read would not",
        whole=True,
        attack="""
import ast, os

place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tests", "test_mod.py")
with open(place) as file:
    pairs = next(node for node in ast.walk(ast.parse(file.read())) if isinstance(node, ast.List))
answers = {0: 0, **dict(ast.literal_eval(pairs))}

def double(n):
    return answers[n]
""",
    ),
)
