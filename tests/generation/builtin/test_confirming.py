"""Candidates are told apart only by what they answer by themselves, and by what their results hold."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from certo.behaviour.call import Callee, RecordedCall
from certo.behaviour.execution import compared_candidate, observe
from certo.generation.builtin.candidate_selection import choose
from certo.generation.builtin.clusters import confirmed, deciding_calls
from certo.generation.builtin.options import BuiltinOptions
from certo.generation.builtin.search_program import Beginning, PlausibleCandidates
from certo.generation.generator import Proposal
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.vocabulary.problem import Problem
from certo.vocabulary.text import Span, TextEdit
from support.projects.bare_environment import bare_interpreter
from support.search.builtin_searches import searched, stated, text_of

OPTIONS = BuiltinOptions(seconds=60.0, plausible=6)

TAG = """
_n = 0

def tag(name):
    global _n
    _n += 1
    return name + str(_n)
"""


async def test_calls_answered_from_earlier_state_are_dropped(tmp_path: Path) -> None:
    problem = stated(tmp_path, TAG, "tag")
    side = compared_candidate(problem, TAG, LocalExecutor(SandboxOptions()), bare_interpreter())
    assert side is not None
    calls = [RecordedCall(callee=Callee(name="tag"), arguments=(text,)) for text in ("'a'", "'b'", "'c'")]
    end = TAG.index("str(_n)")
    versions = [
        (TextEdit(Span(end, end + len("str(_n)")), text),) for text in ("str(_n)", "str(_n * _n)", "str(_n) + '!'")
    ]
    seen = await observe(side, versions, calls)
    numbers = deciding_calls(seen.versions, range(3), calls, 5)
    assert {1, 2} & set(numbers)
    first_two = list(zip(versions, seen.versions, strict=True))[:2]
    assert await confirmed(side, first_two, range(3), calls) == (0,)
    assert await confirmed(side, [(versions[2], seen.versions[2])], range(3), calls) == (0,)


@pytest.mark.slow
async def test_rivals_do_not_differ_by_earlier_calls(tmp_path: Path) -> None:
    source = TAG.replace("str(_n)", "str(_n + 1)")
    tests = """
    import mod
    def test_first():
        mod._n = 0
        assert mod.tag("a") == "a1"
    def test_second():
        mod._n = 0
        assert mod.tag("bc") == "bc1"
    """
    problem = stated(tmp_path, source, "tag", tests=tests, failing=["test_first", "test_second"])
    found, _ = await searched(problem, OPTIONS)
    assert len(found) > 1
    for proposal in found:
        differences = [(rival, proposal, rival.difference) for rival in proposal.rivals]
        for rival, other, difference in differences:
            assert difference is not None
            assert afresh(problem, rival, difference.call) == difference.ours
            assert afresh(problem, other, difference.call) == difference.theirs
        assert all(afresh(problem, proposal, each.call) == each.result for each in proposal.observations)


def afresh(problem: Problem, proposal: Proposal, call: str) -> str:
    """Return a proposal's outcome of a call in a fresh process."""
    names: dict[str, object] = {}
    exec(text_of(problem, proposal), names)
    try:
        return repr(eval(call, names))
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        return f"raises {type(error).__name__}: {error}"


@pytest.mark.parametrize(
    "says",
    [
        pytest.param("__slots__ = ('x', 'y')", marks=pytest.mark.slow),
        "def __repr__(self):\n        return '<P>'",
    ],
)
async def test_rivals_differ_by_content_not_by_repr(says: str, tmp_path: Path) -> None:
    source = dedent(
        """
        class P:
            {}

            def __init__(self, x, y):
                self.x = x
                self.y = y


        def move(p, dx):
            return P(p.x - dx, p.y)
        """
    ).format(says)
    tests = """
    from mod import P, move
    def test_move():
        moved = move(P(2, 5), 2)
        assert moved.x == 4
        assert moved.y == 5
    """
    problem = stated(tmp_path, source, "move", tests=tests, failing=["test_move"])
    found, _ = await searched(problem, OPTIONS)
    shown = [found[0], *found[0].rivals]
    assert any("p.x + dx" in text_of(problem, each) for each in shown)
    difference = found[0].rivals[0].difference
    assert difference is not None
    assert difference.ours.startswith("P(x=")
    assert difference.ours != difference.theirs


@pytest.mark.parametrize(
    ("bodies", "is_shown"),
    [
        (["return n + 0", "return n"], True),
        (["return lambda: n", "return lambda: n + 1"], False),
        (["return iter_later(n)", "return iter_later(n + 1)"], False),
        (["return entered(n)", "return entered(n + 1)"], False),
        (["return [Hidden()]", "return [Hidden(),]"], False),
    ],
)
async def test_opaque_results_lower_no_threshold(bodies: list[str], is_shown: bool, tmp_path: Path) -> None:
    """The examples say enough for bodies that act alike, and too little where nobody has seen how they act."""
    source = dedent(
        """
        import contextlib

        class Hidden:
            def __repr__(self):
                return "Hidden"

        async def iter_later(n):
            yield n

        @contextlib.contextmanager
        def entered(n):
            yield n

        def f(n: int):
            return None
        """
    )
    problem = stated(tmp_path, source, "f")
    finds = PlausibleCandidates(problem, Beginning(source, problem.target), most=5)
    start = source.index("return None")
    for body in bodies:
        edit = (start, start + len("return None"), body)
        finds.hear({"kind": "candidate", "edits": [edit], "note": "", "weight": 1.0, "confidence": 2.0})
    assert len(finds.found) == 2
    for number in range(6):
        finds.hear({"kind": "made up", "arguments": [str(number)], "named": {}, "is_usual": True})
    executor, interpreter = LocalExecutor(SandboxOptions()), bare_interpreter()
    choice = await choose(finds, executor=executor, interpreter=interpreter)
    assert bool(choice.proposals) is is_shown
    assert choice.question.startswith("" if is_shown else "what should f(")
