"""The syntax verifier passes code that compiles, and reports a parse error with its line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from certo.verification.static.syntax import SyntaxVerifier
from certo.verification.static.text_verdict import MAX_CANDIDATE_BYTES
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.text import Span, TextEdit
from certo.vocabulary.verdict import Ruling
from support.search.rewrites import edited, problem_about, with_body

pytestmark = pytest.mark.acceptance(15)

TEXT = "\ufeffimport os\r\n\r\n\r\ndef f(a):\r\n    pass\r\n\r\n\r\ndef g(a):\r\n    return a\r\n"


@pytest.fixture
def problem() -> Problem:
    return problem_about(TEXT, "f")


async def objection(candidate: Candidate, problem: Problem) -> tuple[str, int | None]:
    verdict = await SyntaxVerifier().judge(candidate, problem)
    assert verdict.verifier == "syntax"
    assert verdict.ruling is Ruling.FAILED
    return verdict.findings[0].message, verdict.findings[0].line


@pytest.mark.parametrize("body", ["return a + 1", "if a:\r\n        return '\\d é😀'\r\n    yield", "pass"])
async def test_python_passes(problem: Problem, body: str) -> None:
    verdict = await SyntaxVerifier().judge(with_body(problem, body), problem)
    assert (verdict.ruling, verdict.findings) == (Ruling.PASSED, ())


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return a +", "does not parse: invalid syntax"),
        ("return 'a", "unterminated string"),
        ("pass\n     pass", "unexpected indent"),
        ("await a", "'await' outside async function"),
        ("global a", "parameter and global"),
        ("break", "'break' outside loop"),
        ("pass\r\n\r\nreturn a", "'return' outside function"),
        ("pass\r\n\r\nclass A:\r\n    return a", "'return' outside function"),
        ("x = '\ud800'", "surrogate"),
        ("x = '\0'", "NUL"),
    ],
)
async def test_uncompilable_code_fails_with_its_line(problem: Problem, body: str, says: str) -> None:
    message, line = await objection(with_body(problem, body), problem)
    assert says in message
    assert line in range(5, 10)


@pytest.mark.parametrize("body", ["return " + "(" * 3000 + ")" * 3000, "return " + "-" * 50_000 + "1"])
async def test_deep_nesting_fails_and_harms_nobody(problem: Problem, body: str) -> None:
    message, _ = await objection(with_body(problem, body), problem)
    assert "nested" in message


async def test_a_huge_candidate_fails_unread(problem: Problem) -> None:
    message, _ = await objection(with_body(problem, "#" * MAX_CANDIDATE_BYTES), problem)
    assert "bytes" in message


@pytest.mark.parametrize(
    "span", [Span(0, 3), Span(TEXT.index("def g"), TEXT.index("def g") + 3), Span(len(TEXT), len(TEXT))]
)
async def test_edits_outside_the_target_are_refused(problem: Problem, span: Span) -> None:
    message, _ = await objection(edited(problem, TextEdit(span, "")), problem)
    assert message == "an edit lies outside f; only the target may be changed"


async def test_texts_that_contradict_edits_are_refused(problem: Problem) -> None:
    candidate = with_body(problem, "return 1")
    message, _ = await objection(replace(candidate, text=candidate.text + "x = 1\n"), problem)
    assert "not what its edits make" in message
    message, _ = await objection(replace(candidate, edits=candidate.edits * 2), problem)
    assert "cannot be made" in message


async def test_nothing_of_a_candidate_is_run(problem: Problem, capsys: pytest.CaptureFixture[str]) -> None:
    candidate = with_body(problem, "return a\r\n\r\n\r\nprint('ran')")
    assert (await SyntaxVerifier().judge(candidate, problem)).ruling is Ruling.PASSED
    assert capsys.readouterr().out == ""


def finally_in_finally(depth: int, exits: int = 0) -> str:
    """A body of so many `finally`, each in the one before, each with so many ways out of its `try`."""
    leave = "; ".join(["pass", *["return a"] * exits])
    lines = [f"{' ' * level}try: {leave}\r\n    {' ' * level}finally:" for level in range(depth)]
    return "\r\n    ".join([*lines, f"{' ' * depth}a"])


@pytest.mark.parametrize(("depth", "exits"), [(20, 0), (8, 1000)])
async def test_nested_finally_blocks_are_not_compiled(problem: Problem, depth: int, exits: int) -> None:
    """A few lines would compile to gigabytes."""
    says, _ = await objection(with_body(problem, finally_in_finally(depth, exits)), problem)
    assert "compiled to more than 200,000 statements" in says


async def test_ordinary_nested_finally_blocks_pass(problem: Problem) -> None:
    verdict = await SyntaxVerifier().judge(with_body(problem, finally_in_finally(4, 3)), problem)
    assert verdict.ruling is Ruling.PASSED


async def test_numbers_too_long_to_unparse_fail(problem: Problem) -> None:
    says, _ = await objection(with_body(problem, f"return 0x{'f' * 4000}"), problem)
    assert "a number of more than 4,200 digits" in says
    verdict = await SyntaxVerifier().judge(with_body(problem, f"return '0x{'f' * 4000}'"), problem)
    assert verdict.ruling is Ruling.PASSED
