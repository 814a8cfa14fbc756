"""The built-in generator edits a candidate that fails tests, and says of the user's text what comes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.edits.diff import change_of
from certo.edits.patch import apply_edits
from certo.generation.builtin.near_misses import NearMissRepairer
from certo.generation.builtin.options import BuiltinOptions
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.vocabulary.candidate import Candidate, FileChange, Origin
from certo.vocabulary.problem import Goal, Problem
from support.projects.bare_environment import bare_interpreter
from support.search.builtin_searches import stated, text_of

STUB = "import math\n\n\ndef clamp(value, low, high):\n    ...\n\n\ndef last():\n    return 1\n"
NEARLY = "def clamp(value, low, high):\n    kept = max(value, low)\n    # Not above.\n    return max(kept, high)"
TESTS = """\
    from mod import clamp

    def test_inside():
        assert clamp(5, 0, 10) == 5

    def test_below():
        assert clamp(-1, 0, 10) == 0

    def test_above():
        assert clamp(11, 0, 10) == 10
    """
NAMES = ("test_inside", "test_below", "test_above")


def repairer(seed: int = 0) -> NearMissRepairer:
    """Return the repairer with the options that it ships with, on a plain process sandbox."""
    options = BuiltinOptions(seconds=300.0, plausible=3)
    return NearMissRepairer(LocalExecutor(SandboxOptions()), bare_interpreter(), options, seed, 300.0)


def candidate(problem: Problem, function: str, elsewhere: tuple[FileChange, ...] = ()) -> Candidate:
    """Return a candidate with this function in place of the target."""
    span = problem.target.span
    text = problem.text[: span.start] + function + problem.text[span.end :]
    return Candidate(id="near", edits=(), text=text, origin=Origin(generator="model"), elsewhere=elsewhere)


@pytest.mark.slow
async def test_near_miss_of_a_stub_is_repaired(tmp_path: Path) -> None:
    """Equal searches find equal edits."""
    problem = stated(tmp_path, STUB, "clamp", tests=TESTS, failing=NAMES, goal=Goal.IMPLEMENT)
    first, *others = await repairer().repairs_of(candidate(problem, NEARLY), problem)
    repaired = NEARLY.replace("max(kept, high)", "min(kept, high)")
    assert text_of(problem, first) == STUB.replace("def clamp(value, low, high):\n    ...", repaired)
    assert first.note == "line 7: return max(kept, high) → return min(kept, high)"
    assert [first, *others] == list(await repairer().repairs_of(candidate(problem, NEARLY), problem))


@pytest.mark.slow
async def test_other_files_stay_as_in_the_candidate(tmp_path: Path) -> None:
    """Its function needs them."""
    limits = {"limits.py": "HIGH = 1\n"}
    problem = stated(tmp_path, STUB, "clamp", tests=TESTS, failing=NAMES, goal=Goal.IMPLEMENT, others=limits)
    needs = NEARLY.replace("    kept", "    import limits\n\n    kept", 1)
    needs = needs.replace("max(kept, high)", "max(kept, limits.HIGH)")
    change = change_of("limits.py", "HIGH = 1\n", "HIGH = 10\n")
    first, *_ = await repairer().repairs_of(candidate(problem, needs, (change,)), problem)
    assert "min(kept, limits.HIGH)" in text_of(problem, first)
    assert first.elsewhere == {"limits.py": "HIGH = 10\n"}


@pytest.mark.slow
async def test_long_lines_keep_the_generators_note(tmp_path: Path) -> None:
    problem = stated(tmp_path, STUB, "clamp", tests=TESTS, failing=NAMES, goal=Goal.IMPLEMENT)
    long = NEARLY.replace("(kept, high)", f"(kept, high)  # {'x' * 60}")
    first, *_ = await repairer().repairs_of(candidate(problem, long), problem)
    assert "min(kept, high)" in apply_edits(problem.text, first.edits)
    assert "x" * 60 not in first.note
    assert "line 7" in first.note
