"""A candidate of two functions is read function by function: nothing else may change, in neither file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from certo.edits.diff import change_of
from certo.edits.patch import edits_between
from certo.edits.target import ByName, find_target, with_second
from certo.verification.static.feedback import FeedbackVerifier
from certo.verification.static.policy import PolicyOptions, PolicyVerifier
from certo.verification.static.signature import SignatureVerifier
from certo.verification.static.syntax import SyntaxVerifier
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.guidance import Guidance
from certo.vocabulary.problem import Problem, SecondFunction
from support.search.rewrites import problem_about
from support.search.user_remarks import remark

TEXT = """\
LIMIT = 1


def one(a):
    return a + 1


def between(a):
    return a


def other(b, c=2):
    return b * c
"""
FAR = "RATE = 1\n\n\ndef far(d):\n    return d\n"
VERIFIERS = (SyntaxVerifier(), SignatureVerifier(), PolicyVerifier(PolicyOptions()))


def about(path: str, text: str, name: str) -> Problem:
    problem = problem_about(TEXT, "one")
    path = path or problem.path
    second = SecondFunction(path=path, target=find_target(text, ByName(name), path=path))
    return replace(problem, target=with_second(problem.target, problem.path, second))


async def refused(problem: Problem, text: str, far: str | None = None) -> list[str]:
    """The names of the verifiers that refuse a candidate with these texts."""
    elsewhere = () if far is None else (change_of("far.py", FAR, far),)
    candidate = Candidate(
        id="0" * 12, edits=edits_between(TEXT, text), text=text, origin=Origin(generator="test"), elsewhere=elsewhere
    )
    return [each.name for each in VERIFIERS if not (await each.judge(candidate, problem)).passed]


@pytest.mark.parametrize(
    ("changes", "by"),
    [
        pytest.param({"a + 1": "a - 1", "b * c": "b / c"}, [], id="both bodies"),
        pytest.param({"a + 1": "a + 1 + 1000"}, [], id="the first alone"),
        pytest.param({"b * c": "b"}, [], id="the second alone"),
        pytest.param({"a + 1": "a - 1", "    return a\n\n": "    return 0\n\n"}, ["syntax", "signature"], id="between"),
        pytest.param({"LIMIT = 1": "LIMIT = 2"}, ["syntax", "signature"], id="above"),
        pytest.param({"a + 1": "a + 10", "c=2": "c=3"}, ["signature"], id="the second head"),
        pytest.param({"a + 1": "a", "b * c": "open(b)"}, ["policy"], id="the second opens a file"),
        pytest.param({"b * c": "b *"}, ["syntax", "signature", "policy"], id="no Python"),
    ],
)
async def test_only_both_bodies_may_change(changes: dict[str, str], by: list[str]) -> None:
    text = TEXT
    for old, new in changes.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    assert await refused(about("", TEXT, "other"), text) == by


@pytest.mark.parametrize(
    ("far", "by"),
    [
        pytest.param(FAR.replace("return d", "return d + 1"), [], id="its body"),
        pytest.param(FAR.replace("RATE = 1", "RATE = 2"), ["syntax", "signature"], id="above"),
        pytest.param(FAR.replace("far(d)", "far(d=1)"), ["signature"], id="its head"),
        pytest.param(FAR.replace("return d", "return open(d)"), ["policy"], id="it opens a file"),
    ],
)
async def test_other_files_change_in_the_function(far: str, by: list[str]) -> None:
    assert await refused(about("far.py", FAR, "far"), TEXT.replace("a + 1", "a"), far) == by


async def test_pairs_with_one_function_alike_differ() -> None:
    """The user has rejected a change of both, and one of them may be right."""
    problem = about("", TEXT, "other")
    rejected = TEXT.replace("a + 1", "a - 1").replace("b * c", "b / c")
    seen = remark(TEXT, TEXT, rejected, rejected=True)
    problem = replace(problem, guidance=Guidance(remarks=(seen,)))
    for text, is_passed in ((rejected, False), (rejected.replace("b / c", "b // c"), True)):
        edits = edits_between(TEXT, text)
        candidate = Candidate(id="0" * 12, edits=edits, text=text, origin=Origin(generator="test"))
        assert (await FeedbackVerifier().judge(candidate, problem)).passed is is_passed
