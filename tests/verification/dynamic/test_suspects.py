"""Functions are suspicious by the executed lines alone."""

from __future__ import annotations

from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st

from certo.verification.dynamic.fault_localization import suspects
from certo.verification.dynamic.results import CaseResult
from certo.verification.dynamic.spectra import Spectrum
from certo.vocabulary.verdict import Ruling

TEXT = dedent(
    '''\
    def outer(x):
        if x:
            return 1

        def inner():
            return x

        return inner()


    def later(x):
        """To be written."""


    def one_line(x): return x
    '''
)
LINES = {"if": 2, "branch": 3, "define": 5, "inner": 6, "call": 8, "hole": 12, "one": 15}


def ran(*names: str, frames: tuple[tuple[str, int], ...] = ()) -> Spectrum:
    """A test that executed these lines."""
    told = CaseResult(id="test", ruling=Ruling.PASSED)
    return Spectrum(told=told, lines={"a.py": frozenset(LINES[name] for name in names)}, frames=frames)


def blamed(failing: list[Spectrum], passing: list[Spectrum]) -> list[str]:
    """The functions, the likeliest first."""
    return [each.target.name for each in suspects(failing, passing, {"a.py": TEXT})]


def test_the_most_suspicious_line_decides() -> None:
    passing = [ran("if", "define", "inner", "call"), ran("if", "define", "inner", "call", "one")]
    found = suspects([ran("if", "branch", "one")], passing, {"a.py": TEXT})
    assert [each.target.name for each in found] == ["outer", "one_line"]
    assert found[0].suspicion == 1.0
    assert round(found[1].suspicion, 3) == 0.707


def test_defining_a_function_does_not_execute_it() -> None:
    assert blamed([ran("if", "define", "call")], []) == ["outer"]


def test_the_innermost_failing_frame_breaks_ties() -> None:
    lines = ("if", "define", "inner", "call", "one")
    assert blamed([ran(*lines)], []) == ["outer", "outer.<locals>.inner".rpartition(".")[2], "one_line"]
    frames = (("b.py", 1), ("a.py", 6), ("a.py", 8))
    assert blamed([ran(*lines, frames=frames)], []) == ["inner", "outer", "one_line"]


def test_more_suspicious_lines_break_ties() -> None:
    assert blamed([ran("one", "if", "branch")], []) == ["outer", "one_line"]


def test_methods_called_for_reports_come_last() -> None:
    """Pytest calls them to show values."""
    text = (
        "class A:\n    def __repr__(self):\n        x = 1\n        return 'A'\n\n    def b(self):\n        return 2\n"
    )
    failing = Spectrum(told=CaseResult(id="test", ruling=Ruling.FAILED), lines={"a.py": frozenset({3, 4, 7})})
    assert [each.target.name for each in suspects([failing], [], {"a.py": text})] == ["b", "__repr__"]


def test_holes_count_more_unless_tests_pass() -> None:
    """Passing tests that get through a hole clear it."""
    failing = ran("if", "branch", "hole")
    assert blamed([failing], [])[0] == "later"
    assert blamed([failing], [ran("hole")])[0] == "outer"
    failed_in_it = ran("if", "branch", "hole", frames=(("a.py", 12),))
    assert blamed([failed_in_it], [ran("hole")])[0] == "later"


SPECTRA = st.lists(st.sets(st.sampled_from(sorted(LINES))).map(lambda names: ran(*sorted(names))), max_size=6)


@given(failing=SPECTRA, passing=SPECTRA)
def test_laws(failing: list[Spectrum], passing: list[Spectrum]) -> None:
    found = suspects(failing, passing, {"a.py": TEXT})
    assert found == suspects(failing[::-1], passing[::-1], {"a.py": TEXT})
    assert all(0 < each.suspicion <= 1 for each in found)
    executed = {line for each in failing for line in each.lines["a.py"]}
    assert bool(found) == bool(executed - {LINES["define"]})
    # A test that passes and executes nothing says nothing.
    assert found == suspects(failing, [*passing, ran()], {"a.py": TEXT})
