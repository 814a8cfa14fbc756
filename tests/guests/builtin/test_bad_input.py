"""Functions and tests that are hard to search: each ends with a candidate or with a sentence, and nothing breaks."""

from __future__ import annotations

import shutil
from pathlib import Path
from textwrap import dedent
from typing import Any

import iniconfig
import pytest

from certo.generation.builtin.options import BuiltinOptions
from support.search.builtin_searches import searched, stated, text_of

ONE = BuiltinOptions(seconds=60.0, plausible=1)
SOURCE = """\
def double(n):
    return n + 1
"""
HARD = {
    "prints megabytes": "print('x' * 2_000_000)",
    "starts threads": "import threading\n    threading.Thread(target=double, args=(1,)).start()",
    "forks": "import os\n    if not os.fork():\n        os._exit(0)\n    os.wait()",
    "patches a builtin": "import builtins\n    builtins.len = builtins.sorted",
    "closes everything": "import os\n    os.closerange(0, 3)",
    "lifts the limit of recursion": "import sys\n    sys.setrecursionlimit(10**6)",
    "freezes the clock": "import time\n    time.monotonic = time.time = lambda: 0.0",
}


def is_mended(text: str) -> bool:
    """True if the function passes its one test; on a busy machine another such repair may come first."""
    made: dict[str, Any] = {}
    exec(text, made)
    return bool(made["double"](3) == 6)


@pytest.mark.usual_cases("closes everything", "forks", "patches a builtin")
@pytest.mark.parametrize("deed", HARD.values(), ids=HARD)
async def test_side_effects_of_tests_hide_no_repair(tmp_path: Path, deed: str) -> None:
    tests = f"from mod import double\ndef test_two():\n    {deed}\n    assert double(3) == 6\n"
    problem = stated(tmp_path, SOURCE, "double", tests=tests, failing=["test_two"])
    found, ended = await searched(problem, ONE)
    assert found, ended.reason
    assert is_mended(text_of(problem, found[0]))


async def test_module_imported_by_conftest_is_repaired(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "import mod\nimport pytest\n\n@pytest.fixture\ndef twice():\n    return mod.double\n"
    )
    tests = "def test_two(twice):\n    assert twice(3) == 6\n"
    problem = stated(tmp_path, SOURCE, "double", tests=tests, failing=["test_two"])
    found, ended = await searched(problem, ONE)
    assert found, ended.reason
    assert is_mended(text_of(problem, found[0]))


async def test_search_has_the_settings_of_django(tmp_path: Path) -> None:
    (tmp_path / "manage.py").write_text("import os\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'settings')\n")
    tests = "import os\nfrom mod import double\n\nassert os.environ['DJANGO_SETTINGS_MODULE'] == 'settings'\n\n"
    problem = stated(
        tmp_path, SOURCE, "double", tests=tests + "def test_two():\n    assert double(3) == 6\n", failing=["test_two"]
    )
    found, ended = await searched(problem, ONE)
    assert found, ended.reason


async def test_module_that_pytest_itself_imports_is_repaired(tmp_path: Path) -> None:
    """The project is a package that pytest depends on, and is loaded with pytest before any test."""
    installed = Path(str(iniconfig.__file__)).parent
    shutil.copytree(installed, tmp_path / "src/iniconfig")
    source = (installed / "__init__.py").read_text() + "\n\n" + SOURCE
    tests = "from iniconfig import double\ndef test_two():\n    assert double(3) == 6\n"
    path = "src/iniconfig/__init__.py"
    problem = stated(tmp_path, source, "double", tests=tests, failing=["test_two"], path=path)
    found, ended = await searched(problem, ONE)
    assert found, ended.reason
    assert "return n + 1\n" not in text_of(problem, found[0])


@pytest.mark.parametrize("body", ["return n + 1", "pass"])
async def test_searches_without_time_say_so(tmp_path: Path, body: str) -> None:
    tests = "from mod import double\ndef test_two():\n    for n in range(10**6):\n        assert double(n) == 2 * n\n"
    problem = stated(tmp_path, f"def double(n):\n    {body}\n", "double", tests=tests, failing=["test_two"])
    found, ended = await searched(problem, BuiltinOptions(seconds=0.001))
    assert not found
    assert ended.reason.startswith(
        ("nothing was tried: its 0.001 seconds were over", "no test or doctest shows", "found no")
    )


async def test_body_that_only_calls_something_is_found(tmp_path: Path) -> None:
    """The function has nothing but `pass`; what it returns tells nothing, and its tests look at what it does."""
    source = """\
class Door:
    shut = True

    def lock(self, shut=True):
        self.shut = shut

    def unlock(self):
        pass
"""
    tests = """
    from mod import Door
    def test_unlock():
        door = Door()
        door.unlock()
        assert not door.shut
    """
    problem = stated(tmp_path, source, "Door.unlock", tests=tests, failing=["test_unlock"])
    found, ended = await searched(problem, ONE)
    assert [text_of(problem, one) for one in found] == [source.replace("pass", "self.lock(shut=False)")], ended.reason


@pytest.mark.slow
async def test_candidates_that_hang_are_left_behind(tmp_path: Path) -> None:
    """Some of the edits of this one wait for a lock that nobody releases."""
    source = """\
import threading

lock = threading.Lock()


def drained(levels):
    done = 0
    for _ in levels:
        lock.acquire()
        lock.release()
        done += 2
    return done
"""
    tests = """
    from mod import drained
    def test_drained():
        assert drained([1, 2, 3]) == 3
    def test_none():
        assert drained([]) == 0
    """
    problem = stated(tmp_path, source, "drained", tests=tests, failing=["test_drained"], passing=["test_none"])
    found, ended = await searched(problem, ONE)
    assert [text_of(problem, one) for one in found] == [source.replace("done += 2", "done += 1")], ended.reason


async def test_deep_nesting_is_reported_in_a_sentence(tmp_path: Path) -> None:
    source = "def deep(n):\n    return n" + " + 1" * 2000 + "\n"
    tests = "from mod import deep\ndef test_deep():\n    assert deep(1) == 2000\n"
    problem = stated(tmp_path, source, "deep", tests=tests, failing=["test_deep"])
    found, ended = await searched(problem, ONE)
    assert not found
    assert ended.reason == "deep is nested too deeply to be searched; take a part of it out into a function"


@pytest.mark.slow
async def test_endlessly_growing_list_is_survived(tmp_path: Path) -> None:
    source = "def twice(items):\n    found = [1]\n    found += items\n    return found\n"
    tests = """
    from mod import twice
    def test_twice():
        rest = twice([1, 2])
        for one in rest:
            rest += rest
    """
    problem = stated(tmp_path, source, "twice", tests=tests, failing=["test_twice"])
    _, ended = await searched(problem, BuiltinOptions(seconds=60.0, candidates=5))
    assert ended.reason.startswith("tried 5 edits")


@pytest.mark.slow
async def test_function_of_hundreds_of_lines_is_searched(tmp_path: Path) -> None:
    branches = "".join(f"    if kind == {kind}:\n        total = total + price * {kind}\n" for kind in range(160))
    source = f"def charge(kind, price):\n    total = 0\n{branches}    return total + 1\n"
    tests = """
    from mod import charge
    def test_charge():
        assert [charge(3, 10), charge(150, 2), charge(200, 5)] == [30, 300, 0]
    """
    problem = stated(tmp_path, source, "charge", tests=tests, failing=["test_charge"])
    said: list[str] = []
    found, ended = await searched(problem, BuiltinOptions(seconds=120.0, plausible=1), say=said.append)
    assert found, ended.reason
    assert "total + 1" not in text_of(problem, found[0])
    assert any("trying edits on 1 test" in sentence for sentence in said)


PARTS = {
    "of a case": """
        import unittest
        from mod import double

        class Test(unittest.TestCase):
            def test_two(self):
                for n in (1, 2, 3):
                    with self.subTest(n=n):
                        self.assertEqual(double(n), 2 * n)
    """,
    "of a function": """
        from mod import double

        def test_two(subtests):
            for n in (1, 2, 3):
                with subtests.test(n=n):
                    assert double(n) == 2 * n
    """,
}


@pytest.mark.parametrize("tests", PARTS.values(), ids=PARTS)
async def test_failing_subtests_are_failures(tmp_path: Path, tests: str) -> None:
    name = "Test::test_two" if "unittest" in tests else "test_two"
    problem = stated(tmp_path, SOURCE, "double", tests=dedent(tests), failing=[name])
    found, ended = await searched(problem, ONE)
    assert found, ended.reason
    made: dict[str, Any] = {}
    exec(text_of(problem, found[0]), made)
    assert [made["double"](n) for n in (1, 2, 3)] == [2, 4, 6]


LEAKING = {
    "a memory of results": (
        "_known = {}\n\n\ndef square(n):\n    if n in _known:\n        return _known[n]\n"
        "    _known[n] = n + n\n    return _known[n]\n",
        "from mod import square\n\ndef test_three():\n    assert square(3) == 9\n    assert square(3) == 9\n\n"
        "def test_five():\n    assert square(5) == 25\n",
        "square(6) == 36 and square(6) == 36",
    ),
    "an object that tests share": (
        "def push(stack, item):\n    stack.insert(0, item)\n    return len(stack)\n",
        "from mod import push\n\nstack = []\n\ndef test_three():\n    assert push(stack, 'a') == 1\n"
        "    assert push(stack, 'b') == 2\n    assert stack == ['a', 'b']\n\n"
        "def test_five():\n    assert push(stack, 'c') == 3\n    assert stack[-1] == 'c'\n",
        "push([1, 2], 3) == 3",
    ),
}


@pytest.mark.usual_cases("an object that tests share")
@pytest.mark.parametrize(("source", "tests", "right"), LEAKING.values(), ids=LEAKING)
async def test_leftover_state_hides_no_other_candidate(tmp_path: Path, source: str, tests: str, right: str) -> None:
    """With all tests failing, no passing check would notice the state that a candidate leaves."""
    name = source.partition("def ")[2].partition("(")[0]
    problem = stated(tmp_path, source, name, tests=tests, failing=["test_three", "test_five"])
    found, ended = await searched(problem, ONE)
    assert found, ended.reason
    made: dict[str, Any] = {}
    exec(text_of(problem, found[0]), made)
    assert eval(right, made)
