"""The built-in generator heeds what the user says after an earlier search: examples, and candidates to go on from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from certo.edits.examples import examples_in
from certo.generation.builtin.options import BuiltinOptions
from certo.generation.generator import Ask, Proposal
from certo.vocabulary.guidance import UNGUIDED, Guidance
from certo.vocabulary.problem import Goal, Problem
from support.search.builtin_searches import generator, searched, stated, text_of
from support.search.user_remarks import remark

HOLE = '''\
def fold(numbers):
    """Make one of many.

    >>> fold([3])
    3
    """
    raise NotImplementedError
'''

LOOP = '''\
def until(limit):
    """The numbers below a limit.

    >>> until(0)
    []
    """
    raise NotImplementedError
'''

OFF_BY_ONE = """\
found = []
    number = 0
    while number <= limit:
        found.append(number)
        number += 1
    return found
"""

LARGEST = Guidance(examples=examples_in("fold([2, 9, 5]) == 9.0"))


def hole(root: Path, guidance: Guidance = UNGUIDED, source: str = HOLE, name: str = "fold") -> Problem:
    return stated(root, source, name, goal=Goal.IMPLEMENT, guidance=guidance)


async def first_of(problem: Problem, say: Callable[[str], None] = lambda _: None) -> str:
    """Return the problem's text after the first proposal."""
    async with generator(BuiltinOptions(seconds=40.0, plausible=1)).open(problem, say) as proposer:
        found = await proposer.propose(Ask())
    assert isinstance(found, Proposal)
    return text_of(problem, found)


async def test_an_example_decides_what_a_hole_means(tmp_path: Path) -> None:
    found, asked = await searched(hole(tmp_path))
    assert found == []
    assert asked.reason.startswith("what should fold(")
    assert "return max(numbers)" in await first_of(hole(tmp_path, LARGEST))


async def test_repair_continues_from_a_candidate(tmp_path: Path) -> None:
    """It offers edits of the user's own text."""
    said = remark(LOOP, "raise NotImplementedError", OFF_BY_ONE, feedback="off by one")
    guidance = Guidance(examples=examples_in("until(3) == [0, 1, 2]"), remarks=(said,))
    told: list[str] = []
    found = await first_of(hole(tmp_path, guidance, LOOP, "until"), told.append)
    assert found == LOOP.replace("raise NotImplementedError", OFF_BY_ONE.replace("<=", "<"))
    assert told[0] == (
        "the built-in generator cannot read feedback: it goes by the tests and the examples, and begins with candidate "
        f"{said.candidate.id}"
    )


@pytest.mark.slow
async def test_rejected_code_is_not_proposed_again(tmp_path: Path) -> None:
    """Another layout of the same code does not count as other code."""
    buggy = LOOP.replace("raise NotImplementedError", OFF_BY_ONE)
    first, _ = await searched(stated(tmp_path, buggy, "until"), BuiltinOptions(seconds=40.0, plausible=2))
    fixes = [text_of(stated(tmp_path, buggy, "until"), each) for each in first]
    seen = remark(buggy, "found = []", "found = []  # mine")
    candidate = replace(seen.candidate, text=fixes[0].replace("found = []", "found  =  []  # mine"))
    guidance = Guidance(remarks=(replace(seen, candidate=candidate, rejected=True),))
    assert await first_of(stated(tmp_path, buggy, "until", guidance=guidance)) == fixes[1] != fixes[0]


async def test_hole_without_evidence_asks_for_an_example(tmp_path: Path) -> None:
    problem, options = hole(tmp_path, LARGEST), BuiltinOptions(seconds=40.0)
    every, _ = await searched(problem, options)
    bodies = [text_of(problem, one).split('"""\n')[-1].strip() for one in every]
    remarks = tuple(remark(HOLE, "raise NotImplementedError", body, rejected=True) for body in bodies)
    found, declined = await searched(hole(tmp_path, replace(LARGEST, remarks=remarks)), options)
    assert bodies
    assert found == []
    assert declined.reason == (
        "found no other expression for the 2 examples of fold; give an example that tells them apart"
    )


async def test_unparsable_candidate_is_no_starting_point(tmp_path: Path) -> None:
    broken = Guidance(examples=LARGEST.examples, remarks=(remark(HOLE, "raise NotImplementedError", "return ("),))
    assert "return max(numbers)" in await first_of(hole(tmp_path, broken))
