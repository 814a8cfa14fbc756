"""Of what passes the tests, those that act differently are proposed, and an input that tells them apart is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from textwrap import dedent

import pytest

from certo.behaviour.execution import ObservedOutcomes
from certo.behaviour.outcome import CallOutcome
from certo.generation.builtin.candidate_selection import MAX_SHOWN, by_likelihood, faithfulness, is_sure
from certo.generation.builtin.options import BuiltinOptions
from certo.generation.builtin.search_program import PlausibleCandidate
from certo.generation.generator import Proposal
from certo.vocabulary.problem import Goal
from support.search.builtin_searches import searched, stated, text_of

pytestmark = pytest.mark.acceptance(107, 108, 109)

OPTIONS = BuiltinOptions(seconds=60.0, plausible=6)


async def test_smallest_edit_stands_for_its_cluster(tmp_path: Path) -> None:
    source = dedent(
        '''
        def largest(numbers):
            """
            >>> largest([3, 1, 2])
            3
            >>> largest([5, 9])
            9
            """
            best = 0
            for number in numbers:
                if number < best:
                    best = number
            return best
        '''
    )
    problem = stated(tmp_path, source, "largest")
    found, _ = await searched(problem, OPTIONS)
    assert "if number > best:" in text_of(problem, found[0])
    assert found[0].rivals == ()
    assert len(found) > 1, "others that act alike come after it, should it be refused"


@pytest.mark.slow
async def test_rivals_are_shown_with_their_difference(tmp_path: Path) -> None:
    source = dedent(
        '''
        def adults(ages):
            """
            >>> adults([3, 30, 40])
            2
            """
            count = 0
            for age in ages:
                if age < 18:
                    count += 1
            return count
        '''
    )
    problem = stated(tmp_path, source, "adults")
    found, _ = await searched(problem, OPTIONS)
    first, rivals = found[0], found[0].rivals
    assert "if age >= 18:" in text_of(problem, first), "of two edits of as many tokens, the one that says less"
    assert 1 <= len(rivals) < MAX_SHOWN
    for rival in rivals:
        assert rival.difference is not None
        for proposal, answer in ((rival, rival.difference.ours), (first, rival.difference.theirs)):
            names: dict[str, object] = {}
            exec(text_of(problem, proposal), names)
            if answer.isdigit():
                assert eval(rival.difference.call, names) == int(answer)
        assert rival.difference.ours != rival.difference.theirs
    for one, other in combinations([first, *rivals], 2):
        theirs = {each.call: each.result for each in other.observations}
        assert any(theirs[each.call] != each.result for each in one.observations), "each is told from each other one"
    calls = [each.call for each in first.observations]
    assert all([each.call for each in rival.observations] == calls for rival in rivals)
    assert len(calls) <= len(rivals)
    again, _ = await searched(problem, OPTIONS)
    assert again == found


@pytest.mark.parametrize(
    ("name", "examples"),
    [
        ("longest", [("['a', 'bb']", 2), ("['a']", 1)]),
        pytest.param("is_fine", [("1", True), ("0", False), ("7", True)], marks=pytest.mark.slow),
    ],
)
async def test_too_few_examples_end_in_a_question(
    name: str, examples: list[tuple[str, object]], tmp_path: Path
) -> None:
    shown = "".join(f"    >>> {name}({argument})\n    {answer}\n" for argument, answer in examples)
    source = f'def {name}(given):\n    """What it says.\n\n{shown}    """\n    ...\n'
    problem = stated(tmp_path, source, name, goal=Goal.IMPLEMENT)
    found, ended = await searched(problem, OPTIONS)
    assert found == []
    assert ended.reason.startswith(f"what should {name}(")


@pytest.mark.slow
async def test_enough_examples_fill_the_hole(tmp_path: Path) -> None:
    source = 'def add(a, b):\n    """\n    >>> add(2, 30)\n    32\n    >>> add(7, 12)\n    19\n    """\n    ...\n'
    problem = stated(tmp_path, source, "add", goal=Goal.IMPLEMENT)
    found, _ = await searched(problem, OPTIONS)
    assert "return a + b" in text_of(problem, found[0])


@pytest.mark.slow
async def test_exceptions_do_not_outvote_answers(tmp_path: Path) -> None:
    """A candidate that raises where another answers does not speak against it."""
    source = dedent(
        '''
        def parts(n):
            """The parts of a non-negative number.

            >>> parts(25)
            [2, 5]
            >>> parts(7)
            [7]
            """
            ...
        '''
    )
    problem = stated(tmp_path, source, "parts", goal=Goal.IMPLEMENT)
    found, ended = await searched(problem, BuiltinOptions(seconds=60.0, plausible=3))
    assert found, ended.reason
    names: dict[str, Callable[[int], list[int]]] = {}
    exec(text_of(problem, found[0]), names)
    assert names["parts"](-27) == [2, 7]
    assert any("raises" in rival.difference.ours for rival in found[0].rivals if rival.difference is not None)


@pytest.mark.parametrize(
    ("confidence", "share", "compared", "sure"),
    [
        (None, 0.1, False, True),
        (1.6, 1.0, True, True),
        (1.0, 1.0, True, False),
        (2.0, 1.0, False, False),
        (4.0, 1.0, False, True),
        (4.0, 0.9, True, True),
        (1.6, 0.9, True, False),
        (2.3, 0.9, True, True),
        (9.0, 0.5, True, False),
    ],
)
def test_contested_candidates_need_more_evidence(
    confidence: float | None, share: float, compared: bool, sure: bool
) -> None:
    """Examples have to say more where candidates that explain them behave differently."""
    assert is_sure(confidence, share, compared=compared) is sure


def found_as(confidence: float | None, weight: float, tokens: int = 1) -> PlausibleCandidate:
    return PlausibleCandidate(
        proposal=Proposal(edits=()), edits=(), weight=weight, tokens=tokens, confidence=confidence
    )


@pytest.mark.parametrize(
    ("found", "groups", "ordered"),
    [
        ([(None, 1.0, 1), (None, 2.0, 1)], [[0], [1]], [[1], [0]]),
        ([(None, 1.0, 5), (None, 2.0, 1)], [[0, 1]], [[1, 0]]),
        ([(None, 1.0, 1), (None, 2.0, 1)], [[0, 1]], [[1, 0]]),
        ([(1.0, 9.0, 1), (None, 1.0, 1)], [[0], [1]], [[1], [0]]),
        ([(4.0, 9.0, 1), (None, 1.0, 1)], [[0], [1]], [[0], [1]]),
        ([(1.0, 1.0, 1), (None, 9.0, 4)], [[0, 1]], [[1, 0]]),
        ([(1.0, 9.0, 1), (4.0, 1.0, 1)], [[0], [1]], [[0], [1]]),
    ],
    ids=[
        "the likeliest", "the smallest", "the likeliest of a size", "made up of too little", "well spoken for",
        "the edit for its group", "nothing but what was made up",
    ],
)  # fmt: skip
def test_made_up_code_comes_after_edits(
    found: list[tuple[float | None, float, int]], groups: list[list[int]], ordered: list[list[int]]
) -> None:
    """It was fitted to too few examples."""
    assert by_likelihood([found_as(*each) for each in found], groups) == ordered


def test_asked_refusals_lead_smaller_edits() -> None:
    """An edit that happens to raise is smaller than the guard that a test waits for."""
    chance, refusal = found_as(None, 1.0, 4), replace(found_as(None, 3.0, 17), asked=True)
    assert by_likelihood([chance, refusal], [[0, 1]]) == [[1, 0]]
    assert by_likelihood([replace(chance, weight=4.0), refusal], [[0, 1]]) == [[0, 1]]
    assert by_likelihood([chance, replace(refusal, asked=False)], [[0, 1]]) == [[0, 1]]


def answers(*values: str) -> tuple[CallOutcome, ...]:
    return tuple(CallOutcome("raises" if value == "KeyError" else "returns", value) for value in values)


def test_kept_behaviour_counts_as_tests_pass() -> None:
    before = answers("1", "2", "3", "KeyError")
    seen = ObservedOutcomes(
        before=before, versions=(answers("1", "2", "9", "4"), answers("7", "8", "9", "4")), again=before
    )
    little, much = faithfulness(seen, 0.9)
    assert little > 2 * much
    assert faithfulness(seen, 0.0) == [1.0, 1.0]
    found = [found_as(None, 1.0), found_as(None, 1.5)]
    assert by_likelihood(found, [[0], [1]], [little, much]) == [[0], [1]]
