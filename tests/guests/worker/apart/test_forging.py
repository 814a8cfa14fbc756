"""Candidates that lie to the tests of another process: no lie makes a failing test pass."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from support.sandbox.two_processes import run_apart

TESTS = """
import shop

def test_double():
    assert shop.double(21) == 42

def test_difference():
    assert abs(shop.double(21) - 42) < 0.1

def test_difference_the_other_way():
    assert abs(42 - shop.double(21)) < 0.1

def test_text():
    assert str(shop.double("ab")) == "abab"

def test_membership():
    assert shop.double(21) in [42]
"""

_OBJECT = """
class Forged{bases}:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    def __gt__(self, other): return True
    def __sub__(self, other): return 0
    def __rsub__(self, other): return 0
    def __contains__(self, other): return True
    def __hash__(self): return 42
    def __abs__(self): return 0
    def __str__(self): return self
    def __float__(self): return float("nan")
    @property
    def __class__(self): return int

def double(n):
    return Forged()
"""

FORGED = {
    "wrong": "def double(n):\n    return n\n",
    "equals_anything": _OBJECT.format(bases=""),
    "an_integer_that_equals_anything": _OBJECT.format(bases="(int)"),
    "a_text_that_equals_anything": _OBJECT.format(bases="(str)"),
    "a_float_that_equals_anything": _OBJECT.format(bases="(float)"),
    "a_class_that_equals_anything": """
        class Meta(type):
            def __eq__(cls, other): return True
            def __hash__(cls): return 42
            def __sub__(cls, other): return 0
            def __rsub__(cls, other): return 0

        class double(metaclass=Meta):
            def __new__(cls, n): return cls
        """,
    "patched_reports": """
        import _pytest.reports, _pytest.python
        made = _pytest.reports.TestReport.from_item_and_call.__func__

        def forged(cls, item, call):
            call.excinfo = None
            return made(cls, item, call)

        _pytest.reports.TestReport.from_item_and_call = classmethod(forged)
        _pytest.python.Function.runtest = lambda self: None

        def double(n):
            return n
        """,
    "frames_and_garbage": """
        import gc, sys

        def double(n):
            for each in gc.get_objects():
                if type(each).__name__ in ("Reporter", "Client", "CaseRecord"):
                    raise SystemExit("found them")
            frame = sys._getframe()
            while frame:
                if "42" in str(frame.f_code.co_consts):
                    return 42
                frame = frame.f_back
            return n
        """,
    "ends_its_process": "import os\n\ndef double(n):\n    os._exit(0)\n",
    "ends_at_import": "import os\nos._exit(0)\n",
    "leaves": "def double(n):\n    raise SystemExit(0)\n",
    "skips": "import pytest\n\ndef double(n):\n    pytest.skip('not today')\n",
    "skips_in_unittest": "import unittest\n\ndef double(n):\n    raise unittest.SkipTest('not today')\n",
    "expects_to_fail": "import pytest\n\ndef double(n):\n    pytest.xfail('as expected')\n",
    "ends_the_session": "import pytest\n\ndef double(n):\n    pytest.exit('done', returncode=0)\n",
    "interrupts": "def double(n):\n    raise KeyboardInterrupt\n",
    "writes_what_it_finds_open": """
        import os

        def double(n):
            for descriptor in range(3, 64):
                try:
                    os.write(descriptor, b'{"gave": 42}' * 1000)
                except OSError:
                    pass
            return n
        """,
}


@pytest.mark.parametrize("name", FORGED)
def test_nothing_forged_passes(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    place = tmp_path_factory.mktemp("forged")
    told = run_apart(place, FORGED[name], {"test_shop.py": TESTS}, base=FORGED["wrong"], line=1, seconds=3)
    assert told
    outcomes: dict[str, Any] = {test: one.get("outcome", "uncollected") for test, one in told.items()}
    assert set(outcomes.values()) <= {"failed", "error", "uncollected"}


def test_an_honest_candidate_passes(tmp_path_factory: pytest.TempPathFactory) -> None:
    told = run_apart(
        tmp_path_factory.mktemp("honest"), dedent("def double(n):\n    return 2 * n\n"), {"test_shop.py": TESTS}
    )
    assert {one["outcome"] for one in told.values()} == {"passed"}
    assert len(told) == 5


TELLS = """
import builtins, os, sys

def double(n):
    words = ("pytest", "pluggy", "conftest", "certo")
    modules = [name for name in sys.modules if any(word in name for word in words)]
    variables = [name for name in os.environ if "PYTEST" in name or "CERTO" in name]
    finders = [type(each).__module__ for each in sys.meta_path if "pytest" in type(each).__module__]
    own = [name for name in vars(sys.modules["__main__"]) if not name.startswith("__")]
    return modules, variables, finders, own, [each for each in sys.argv if "pytest" in each]
"""

UNTOLD = """
import shop

def test_double(monkeypatch):
    monkeypatch.setenv("SHOP", "open")
    assert shop.double(21) == ([], [], [], [], [])
"""


def test_candidate_is_not_told_about_the_test(tmp_path: Path) -> None:
    [told] = run_apart(tmp_path, TELLS, {"test_shop.py": UNTOLD, "conftest.py": "import pytest\n"}).values()
    assert (told["outcome"], told["message"]) == ("passed", "")


def test_module_that_uses_pytest_imports_it_anew(tmp_path: Path) -> None:
    candidate = "import pytest\n\ndef double(n):\n    return pytest.approx(n).expected * 2\n"
    tests = {"test_shop.py": "import shop\n\ndef test_double():\n    assert shop.double(21) == 42\n"}
    [told] = run_apart(tmp_path, candidate, tests).values()
    assert (told["outcome"], told["message"]) == ("passed", "")
