"""A call that tells two candidates apart is found, the same one every time, whatever the candidates do."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from certo.behaviour.comparison import Comparison, find_difference
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from support.projects.bare_environment import bare_interpreter
from support.search.builtin_searches import stated


async def compared(root: Path, name: str, ours: str, theirs: str, tests: str = "") -> Comparison:
    """Compare two texts of a module, of which the first is the one on disk."""
    ours, theirs = dedent(ours), dedent(theirs)
    problem = stated(root, ours, name, tests=tests, passing=["test_it"] if tests else [])
    return await find_difference(
        problem, ours, theirs, executor=LocalExecutor(SandboxOptions()), interpreter=bare_interpreter(), seed=0
    )


def shown(found: Comparison) -> tuple[str, str, str]:
    """The difference that was found."""
    assert found.difference is not None, found.reason
    assert found.reason == ""
    assert found.tried > 0
    return found.difference.call, found.difference.ours, found.difference.theirs


async def test_calls_of_tests_lead_to_new_calls(tmp_path: Path) -> None:
    tests = """
    from mod import slug
    def test_it():
        assert slug("Hello World") == "hello-world"
    """
    ours = "def slug(text):\n    return '-'.join(text.lower().split())\n"
    theirs = "def slug(text):\n    return text.lower().replace(' ', '-')\n"
    found = await compared(tmp_path, "slug", ours, theirs, tests)
    assert shown(found) == ("slug(' ')", "''", "'-'")
    assert await compared(tmp_path, "slug", ours, theirs, tests) == found


@pytest.mark.slow
async def test_text_before_both_is_called_too(tmp_path: Path) -> None:
    ours, theirs, base = (f"def half(n: int) -> int:\n    return {of}\n" for of in ("n // 2", "(n + 1) // 2", "n"))
    problem = stated(tmp_path, ours, "half", tests="", passing=[])
    executor, interpreter = LocalExecutor(SandboxOptions()), bare_interpreter()
    found = await find_difference(problem, ours, theirs, executor=executor, interpreter=interpreter, seed=0, base=base)
    assert (shown(found), found.base) == (("half(1)", "0", "1"), "1")


@pytest.mark.slow
async def test_annotations_and_boundaries_suffice_without_tests(tmp_path: Path) -> None:
    ours = "def clamp(n: int, low: int = 0, high: int = 99) -> int:\n    return max(low, min(n, high))\n"
    theirs = (
        "def clamp(n: int, low: int = 0, high: int = 99) -> int:\n    return 3 if n == 57 else max(low, min(n, high))\n"
    )
    found = await compared(tmp_path, "clamp", ours, theirs)
    assert shown(found) == ("clamp(57)", "57", "3")


@pytest.mark.slow
async def test_methods_are_called_on_the_tests_objects(tmp_path: Path) -> None:
    """Objects are made as the tests make them."""
    tests = """
    from mod import Account
    def test_it():
        assert Account(100).take(30) == 70
    """
    ours = """
    class Account:
        def __init__(self, amount):
            self.amount = amount
        def take(self, n):
            self.amount -= n
            return self.amount
    """
    theirs = ours.replace("self.amount -= n", "self.amount = max(0, self.amount - n)")
    call, one, other = shown(await compared(tmp_path, "Account.take", ours, theirs, tests))
    assert call.startswith("Account(")
    assert (one[0], other) == ("-", "0")


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        pytest.param(
            "return sorted(xs)",
            "xs.sort(); return xs",
            ("[0, 1], with its arguments unchanged", "[0, 1]"),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "return len(xs)",
            "print(len(xs)); return len(xs)",
            ("0, printing nothing", "0, printing '0\\n'"),
            marks=pytest.mark.slow,
        ),
        ("return list(xs)", "yield from xs", ("[]", "yields nothing")),
        pytest.param(
            "return set(xs)",
            "return set(xs[::-1]) | set(xs[:0]) if xs else None",
            ("set()", "None"),
            marks=pytest.mark.slow,
        ),
    ],
)
async def test_what_callers_can_see_counts(tmp_path: Path, ours: str, theirs: str, expected: tuple[str, str]) -> None:
    head = "def f(xs: list[int]):\n    "
    _, one, other = shown(await compared(tmp_path, "f", head + ours + "\n", head + theirs + "\n"))
    assert one == expected[0]
    assert other.startswith(expected[1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("theirs", "says"),
    [
        pytest.param("while n < 0: pass\n    return n", "does not come back", marks=pytest.mark.slow),
        ("if n < 0: import os; os._exit(0)\n    return n", "does not come back"),
        pytest.param("if n < 0: raise SystemExit(0)\n    return n", "raises SystemExit: 0", marks=pytest.mark.slow),
        pytest.param(
            "if n < 0: import os; os.kill(os.getpid(), 9)\n    return n", "does not come back", marks=pytest.mark.slow
        ),
    ],
)
async def test_hanging_and_exiting_candidates_are_distinguished(tmp_path: Path, theirs: str, says: str) -> None:
    head = "def f(n: int):\n    "
    found = await compared(tmp_path, "f", f"{head}return n\n", f"{head}{theirs}\n")
    assert shown(found) == ("f(-1)", "-1", says)


@pytest.mark.slow
async def test_forged_messages_speak_for_their_candidate_alone(tmp_path: Path) -> None:
    """It writes outcomes of its own on every pipe and file there is; what the other candidate does stays as it is."""
    theirs = """
    def f(n: int):
        import json, os
        lie = {"kind": "outcome", "call": 0, "first": {"kind": "returns", "value": "1", "printed": "", "after": ""}}
        for number in range(64):
            try:
                os.write(number, json.dumps({**lie, "second": lie["first"]}).encode() + b"\\n")
            except OSError:
                pass
        return n + 1
    """
    found = await compared(tmp_path, "f", "def f(n: int):\n    return n\n", theirs)
    assert found.difference is None or found.difference.ours == found.difference.call[2:-1]


async def test_what_is_equal_is_not_told_apart(tmp_path: Path) -> None:
    head = "def double(n: int):\n    return "
    found = await compared(tmp_path, "double", f"{head}n + n\n", f"{head}2 * n\n")
    assert found.difference is None
    assert found.reason == f"none of {found.tried} inputs told them apart"


async def test_state_dependent_results_are_ignored(tmp_path: Path) -> None:
    """Of an odd number of calls, the one in the middle is as late in either order."""
    ours = "_n = 0\ndef f(n: Three):\n    global _n; _n += 1\n    return _n\n"
    head = "from enum import Enum\nThree = Enum('Three', 'A B C')\n"
    found = await compared(tmp_path, "f", head + ours, head + ours.replace("return _n", "return _n * _n"))
    assert found.difference is None
    assert found.reason == "f answers otherwise from one call to the next, so nothing can be compared"


@pytest.mark.slow
async def test_objects_are_compared_by_their_attributes(tmp_path: Path) -> None:
    """They look alike when printed."""
    ours = "class Box:\n    __slots__ = ('x',)\n    def __init__(self, x): self.x = x\n"
    ours += "    def __repr__(self): return '<Box>'\ndef f(n: int):\n    return Box(n)\n"
    found = await compared(tmp_path, "f", ours, ours.replace("Box(n)", "Box(-n)"))
    assert shown(found) == ("f(1)", "Box(x=1)", "Box(x=-1)")


async def test_opaque_objects_are_told_apart_too(tmp_path: Path) -> None:
    ours = "class Box:\n    def __init__(self, x): self.x = x\n"
    ours += "    def __getattribute__(self, name): raise KeyError(name)\ndef f(n: int):\n    return Box(n)\n"
    found = await compared(tmp_path, "f", ours, ours.replace("Box(n)", "Box(-n)"))
    assert shown(found) == ("f(1)", "Box(x=1)", "Box(x=-1)")


async def test_returned_functions_are_not_compared(tmp_path: Path) -> None:
    head = "def f(n: int):\n    return lambda: "
    found = await compared(tmp_path, "f", f"{head}n\n", f"{head}-n\n")
    assert found.difference is None
    assert found.tried == 0
    assert found.reason == "f gives what cannot be looked into, so nothing can be compared"


@pytest.mark.parametrize(
    ("name", "ours", "theirs", "reason"),
    [
        ("f", "def f(n):\n    return n\n", "def f(n):\n    return n\n", "both have the same code"),
        (
            "f",
            "def f(thing):\n    return thing\n",
            "def f(thing):\n    return -thing\n",
            "no test calls f, and nothing says of what type thing should be",
        ),
        (
            "f",
            "import random\ndef f(n: int):\n    return random.random()\n",
            "import random\ndef f(n: int):\n    return -random.random()\n",
            "f answers otherwise from one call to the next, so nothing can be compared",
        ),
        (
            "f",
            "import os\ndef f(n: 'os._exit(0)'):\n    return 1\n",
            "import os\ndef f(n: 'os._exit(0)'):\n    return 2\n",
            "no test calls f, and no call of it could be made up",
        ),
        (
            "f.<locals>.g",
            "def f():\n    def g(n: int):\n        return 1\n    return g\n",
            "def f():\n    def g(n: int):\n        return 2\n    return g\n",
            "f.<locals>.g cannot be called from outside, so no input can be tried on it",
        ),
        (
            "f",
            "def f(n: int):\n    return 1\n",
            "raise RuntimeError('broken')\ndef f(n: int):\n    return 1\n",
            "one of them could not be run: RuntimeError: broken",
        ),
    ],
)
async def test_why_there_is_nothing_to_show(tmp_path: Path, name: str, ours: str, theirs: str, reason: str) -> None:
    found = await compared(tmp_path, name, ours, theirs)
    assert found.difference is None
    assert found.reason == reason
