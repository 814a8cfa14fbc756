"""The signature verifier passes other bodies, and refuses changes of what callers know."""

from __future__ import annotations

import time

import pytest

from certo.verification.static.signature import SignatureVerifier
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Ruling, Verdict
from support.search.rewrites import problem_about, with_body, with_replaced, with_target

TEXT = '''\
import functools


class A(object):
    x = 1

    @functools.cache
    @staticmethod
    def f(a: int, /, b=1, *rest: str, key: "int" = 2, **more) -> list[int]:
        """Doc.

        >>> A.f(1)
        [1]
        """
        return [a]

    if x:
        def g(self):
            pass
    else:
        y = 2


def last():
    return 1
'''


@pytest.fixture
def problem() -> Problem:
    return problem_about(TEXT, "A.f")


async def judged(candidate: Candidate, problem: Problem) -> Verdict:
    verdict = await SignatureVerifier().judge(candidate, problem)
    assert verdict.verifier == "signature"
    return verdict


async def objections(candidate: Candidate, problem: Problem) -> str:
    verdict = await judged(candidate, problem)
    assert verdict.ruling is Ruling.FAILED
    return " | ".join(finding.message for finding in verdict.findings)


@pytest.mark.parametrize(
    "body",
    [
        "return []",
        "yield 1",
        "def f(other): return other\n        return [f(a)]",
        "class A:\n            def f(self): ...\n        return []",
        "return [a]  # at length\n",
    ],
)
async def test_any_other_body_passes(problem: Problem, body: str) -> None:
    assert (await judged(with_body(problem, body), problem)).ruling is Ruling.PASSED


async def test_the_document_itself_passes(problem: Problem) -> None:
    assert (await judged(with_body(problem, "return [a]"), problem)).findings == ()


@pytest.mark.parametrize(
    ("was", "now", "says"),
    [
        ("a: int", "c: int", "list of parameters"),
        ("a: int", "a: str", "list of parameters"),
        ("a: int, /, b=1", "b=1, a: int, /", "does not parse"),
        (", /, ", ", ", "list of parameters"),
        ("b=1", "b=2", "list of parameters"),
        ("b=1", "b", "list of parameters"),
        ("*rest: str", "*", "list of parameters"),
        (", **more", "", "list of parameters"),
        ("-> list[int]", "", "return annotation of A.f changed from list[int] to none"),
        ("@functools.cache", "@functools.lru_cache", "decorators"),
        ("@staticmethod\n    ", "", "decorators"),
        ("def f", "async def f", "the kind of A.f changed from def to async def"),
        ("def f", "def h", "A.f is gone"),
        ("[1]", "[2]", "examples in the docstring"),
        (">>> A.f(1)", ">>>A.f(1)", "lacks blank"),
    ],
)
async def test_what_callers_know_is_kept(problem: Problem, was: str, now: str, says: str) -> None:
    assert says in await objections(with_replaced(problem, was, now), problem)


async def test_the_layout_does_not_matter(problem: Problem) -> None:
    candidate = with_replaced(problem, "b=1, *rest", "b = 1,  # so\n          *rest")
    assert (await judged(candidate, problem)).ruling is Ruling.PASSED


@pytest.mark.parametrize(
    "body",
    [
        "return [a]\n\n    z = 1",
        "return [a]\n\nz = 1",
        "return [a]\n\n    def f(a): return 1",
        "return [a]\n\n    @property",
        "return [a]\n\n    if not x: pass",
        "return [a]\n    '''",
        "return [a]\n\nif 1:",
        "return [a]\n\nclass B:",
        "return [a]\n\nasync def g():",
    ],
)
async def test_what_breaks_out_of_the_target_fails(problem: Problem, body: str) -> None:
    assert await objections(with_body(problem, body), problem)


async def test_a_trailing_decorator_is_noticed() -> None:
    """It would decorate the next function."""
    problem = problem_about("def f():\n    pass\ndef g():\n    pass\n", "f")
    assert "changed outside f" in await objections(with_body(problem, "pass\n@print"), problem)


async def test_an_else_taken_over_is_seen() -> None:
    problem = problem_about("if a:\n    def f():\n        pass\nelse:\n    b = 1\n", "f")
    assert "changed outside f" in await objections(with_body(problem, "pass\nif b:\n    pass"), problem)


@pytest.mark.parametrize(
    ("was", "now"),
    [("x = 1", "x = 2"), ("(object)", ""), ("y = 2", "y = 3"), ("return 1", "return 2"), ("if x", "if 1")],
)
async def test_the_rest_of_the_module_is_kept(was: str, now: str) -> None:
    problem = problem_about(TEXT, "A.g")
    text = problem.text.replace(was, now)
    candidate = with_body(problem, "pass")
    changed = Candidate(id="x", edits=(), text=text, origin=candidate.origin)
    verdict = await judged(changed, problem)
    assert verdict.ruling is Ruling.FAILED


async def test_a_nested_target_and_a_twin() -> None:
    text = "def a():\n    def f(x): pass\n    return f\n\n\ndef b():\n    def f(x): pass\n    return f\n"
    problem = problem_about(text, "b.f")
    assert (await judged(with_body(problem, "return x"), problem)).ruling is Ruling.PASSED
    assert "is gone" in await objections(with_target(problem, "f = 1"), problem)
    assert "changed outside" in await objections(with_body(problem, "return x\n    f = 1"), problem)


async def test_a_candidate_that_does_not_parse_fails(problem: Problem) -> None:
    assert "does not parse" in await objections(with_body(problem, "return ("), problem)


async def test_five_thousand_lines_are_judged_fast() -> None:
    text = "".join(f"def f{number}(a, b=')'):\n    '''é'''\n    return a + b\n\n\n" for number in range(1000))
    problem = problem_about(text, "f500")
    started = time.process_time()
    verdict = await judged(with_body(problem, "return b"), problem)
    assert time.process_time() - started < 1
    assert verdict.ruling is Ruling.PASSED
