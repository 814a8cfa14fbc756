"""Versions of a function are compared: differences are found, minimised and told, and what is not compared is said."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from certo.behaviour.subject import OtherTree, Subject, edit_to
from certo.behaviour.version_comparison import ComparisonBudget, VersionComparison, compare_versions
from certo.edits.target import ByName, find_target
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.vocabulary.text import Span, TextEdit
from support.projects.bare_environment import bare_interpreter


def subject_of(root: Path, name: str, now: str, tests: str = "") -> Subject:
    """Write a module, and its tests, and return its function as the subject."""
    (root / "mod.py").write_text(now, encoding="utf-8")
    if tests:
        (root / "test_mod.py").write_text(dedent(tests), encoding="utf-8")
    return Subject(
        root=root,
        path="mod.py",
        text=now,
        target=find_target(now, ByName(name), path="mod.py"),
        executor=LocalExecutor(SandboxOptions()),
        interpreter=bare_interpreter(),
        tests=("test_mod.py",) if tests else (),
    )


async def compared(
    root: Path, name: str, before: str, now: str, tests: str = "", budget: ComparisonBudget | None = None
) -> VersionComparison:
    """Compare two texts of a module, of which the second is the one on disk, by an edit if that is possible."""
    before, now = dedent(before), dedent(now)
    subject = subject_of(root, name, now, tests)
    target = find_target(before, ByName(name), path="mod.py")
    edit = edit_to(subject, before, target)
    if edit is not None:
        return await compare_versions(subject, [[edit]], budget=budget or ComparisonBudget())
    tree = OtherTree(path="mod.py", text=before, target=target, texts={"mod.py": before})
    return await compare_versions(subject, tree=tree, budget=budget or ComparisonBudget())


def first(found: VersionComparison) -> tuple[str, str, str, str]:
    """The best difference: its kind, its call and both outcomes."""
    assert not found.trouble
    assert found.versions[0].differences, found
    best = found.versions[0].differences[0]
    return best.kind, best.call, best.before, best.now


FEW = ComparisonBudget(calls=300, seconds=120)

CASES = {
    "value": ("return n + 1", "return n + 1 if n < 3 else n"),
    "exception": ("return 6 // (n + 1)", "return 6 // (n + 1) if n else 1 // n"),
    "endless": ("return n", "while n > 1: pass\n    return n"),
    "arguments": ("return sum(xs)", "xs.sort(); return sum(xs)"),
    "state": ("return n", "log.append(n); return n"),
    "output": ("print(n)", "print(n, '')"),
    "message": ("raise ValueError('negative')", "raise ValueError('below zero')"),
    "slight": ("return n", "return float(n)"),
}


TOLD_BELOW = ("value", "state", "slight")
"""Kinds that other tests show too."""


@pytest.mark.usual_cases("arguments")
@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.slow] if kind in TOLD_BELOW else []) for kind in CASES]
)
async def test_each_kind_of_difference(tmp_path: Path, kind: str) -> None:
    before, now = (f"log = []\ndef f(n: int, xs: list[int]):\n    {body}\n" for body in CASES[kind])
    assert first(await compared(tmp_path, "f", before, now, budget=FEW))[0] == kind


async def test_smallest_call_without_any_test(tmp_path: Path) -> None:
    before = "def total(prices: list[float]) -> float:\n    return sum(prices)\n"
    now = "def total(prices: list[float]) -> float:\n    return sum(prices[:2])\n"
    kind, call, one, other = first(await compared(tmp_path, "total", before, now))
    assert (kind, one, other) == ("value", "1", "0")
    assert call == "total([0, 0, 1])"


async def test_calls_with_the_outcomes_of_several_versions(tmp_path: Path) -> None:
    """A search for tests chooses calls by the branches that they execute and the mutants that they tell apart."""
    now = "def f(n: int):\n    if n > 2:\n        return n\n    return 0\n"
    subject = subject_of(tmp_path, "f", now)
    place = now.index("> 2")
    mutants = [[TextEdit(Span(place, place + 3), text)] for text in (">= 2", "> 1 + 1")]
    budget = ComparisonBudget(calls=60, is_other_reference=False, keeps_calls=True)
    found = await compare_versions(subject, mutants, budget=budget)
    told = {call.text: call for call in found.calls}
    assert [one and one.value for one in told["f(2)"].outcomes] == ["0", "2", "0"]
    assert told["f(3)"].branches != told["f(2)"].branches
    first, second = found.versions
    assert ([one.call for one in first.differences], second.differences) == (["f(2)"], ())


async def test_unwritable_calls_are_compared_live(tmp_path: Path) -> None:
    tests = """
    from unittest.mock import Mock
    from mod import f
    def test_it():
        source = Mock()
        source.read.side_effect = [1, 2]
        f(source)
    """
    before = "def f(source):\n    return source.read() + source.read()\n"
    now = "def f(source):\n    return source.read() * source.read()\n"
    found = await compared(tmp_path, "f", before, now, tests)
    assert found.versions[0].differences, found
    best = found.versions[0].differences[0]
    assert (best.before, best.now, best.where) == ("3", "2", "test_mod.py::test_it")


async def test_other_files_of_the_older_version(tmp_path: Path) -> None:
    """A changed helper in another file is seen, for the older version has its own tree."""
    (tmp_path / "helper.py").write_text("def twice(n):\n    return n + n + 1\n", encoding="utf-8")
    now = "from helper import twice\n\ndef f(n: int):\n    return twice(n)\n"
    subject = subject_of(tmp_path, "f", now)
    texts = {"helper.py": "def twice(n):\n    return n + n\n"}
    tree = OtherTree(path="mod.py", text=now, target=subject.target, texts=texts)
    found = await compare_versions(subject, tree=tree, budget=FEW)
    assert first(found) == ("value", "f(0)", "0", "1")


@pytest.mark.slow
async def test_same_calls_for_the_same_seed(tmp_path: Path) -> None:
    text = "def f(text: str, n: int = 2):\n    return text * n\n"
    budget = ComparisonBudget(calls=300, seconds=120, keeps_calls=True, seed=5)
    one, other = [await compared(tmp_path, "f", text, text, budget=budget) for _ in range(2)]
    assert [call.text for call in one.calls] == [call.text for call in other.calls]
    assert one == other


async def test_addresses_in_texts_are_no_difference(tmp_path: Path) -> None:
    """An object without a repr of its own is at another place in each version."""
    before, now = (f"def f(n: int):\n    return f'<Till at 0x7f00000000{end}>'\n" for end in ("a0", "b0"))
    found = await compared(tmp_path, "f", before, now, budget=FEW)
    assert found.versions[0].differences == ()
    assert found.versions[0].compared == 0
    assert found.skipped["unsteady"] > 0


async def test_globals_that_helpers_change_are_compared(tmp_path: Path) -> None:
    text = """
    log, count = [], 0
    class Log:
        def add(self, n):
            log.append(n)
    def note(n):
        global count
        count += 1
        Log().add(n)
    def f(n: int):
        {}
        return n
    """
    found = await compared(tmp_path, "f", text.format("note(n)"), text.format("pass"), budget=FEW)
    assert first(found) == ("state", "f(0)", "0, leaving count = 1; log = [0]", "0, leaving everything as it was")


@pytest.mark.slow
async def test_changed_environment_is_compared(tmp_path: Path) -> None:
    before = "import os\ndef f(n: int):\n    os.environ['A'] = 'b'\n    return n\n"
    found = await compared(tmp_path, "f", before, "import os\ndef f(n: int):\n    return n\n", budget=FEW)
    assert first(found) == ("state", "f(0)", "0, leaving A = 'b' in the environment", "0, leaving everything as it was")


async def test_changed_objects_are_not_made_anew(tmp_path: Path) -> None:
    """The cart of the test is not the empty one that its constructor makes."""
    now = (
        "class Cart:\n    def __init__(self):\n        self.items = []\n\n    def put(self, price: int) -> None:\n"
        "        self.items.append(price)\n\n    def total(self) -> int:\n        return sum(self.items)\n"
    )
    tests = "from mod import Cart\n\ndef test_it():\n    cart = Cart()\n    cart.put(3)\n    assert cart.total()\n"
    found = await compared(tmp_path, "Cart.total", now.replace("(self.items)", "(self.items) * 2"), now, tests, FEW)
    [version] = found.versions
    assert [(one.before, one.now) for one in version.differences][:1] == [("6", "3")]


async def test_seconds_are_no_last_digits(tmp_path: Path) -> None:
    now = "def later(seconds: int) -> float:\n    return 1_600_000_000.5 + seconds\n"
    found = await compared(tmp_path, "later", now, now.replace("+ seconds", "+ seconds + 1"), budget=FEW)
    [version] = found.versions
    assert any(not one.is_slight for one in version.differences)
