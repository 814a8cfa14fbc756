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
    best = found.versions[0].differences[0]
    return best.kind, best.call, best.before, best.now


FEW = ComparisonBudget(calls=300)

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


@pytest.mark.parametrize("kind", CASES)
async def test_each_kind_of_difference(tmp_path: Path, kind: str) -> None:
    before, now = (f"log = []\ndef f(n: int, xs: list[int]):\n    {body}\n" for body in CASES[kind])
    assert first(await compared(tmp_path, "f", before, now, budget=FEW))[0] == kind


async def test_smallest_call_without_any_test(tmp_path: Path) -> None:
    before = "def total(prices: list[float]) -> float:\n    return sum(prices)\n"
    now = "def total(prices: list[float]) -> float:\n    return sum(prices[:2])\n"
    kind, call, one, other = first(await compared(tmp_path, "total", before, now))
    assert (kind, one, other) == ("value", "1", "0")
    assert call == "total([0, 0, 1])"
