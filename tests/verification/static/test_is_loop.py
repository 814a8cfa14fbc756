"""A loop around a language model, in either of two patterns, with the template that no model need write."""

from __future__ import annotations

import pytest

from certo.verification.static.code_shape import Face, IsLoop, loop_objections, template
from certo.verification.static.code_shape import function_objections as face_objections
from certo.vocabulary.verdict import Ruling
from support.search.rewrites import problem_about, with_body

pytestmark = pytest.mark.acceptance(18)


@pytest.mark.parametrize(
    "source",
    [
        "await llm(question, output_schema=Answer)",
        "answer = llm_a(content=q, output_schema=Answer)",
        "while True:\n    answer = await llm(q)\n    if answer: break",
        "while True:\n    try:\n        answer = client.gpt4o(q)\n        break\n    except ValueError: pass",
        "while not done:\n    for q in qs: call_llm(q)\n    match q:\n        case 1: break",
        "async def f(q):\n    while True:\n        answer = await openai.chat(q)\n        if answer: return answer",
    ],
)
def test_both_patterns_are_accepted(source: str) -> None:
    assert loop_objections(source) == ()


@pytest.mark.parametrize(
    "source",
    [
        "await llm(question)",
        "for q in qs: llm(q)",
        "search(q, output_schema=Answer)",
        "hellman(q, output_schema=Answer)",
        "while True:\n    search(q)\n    break",
        "while True:\n    def ask(): return llm(q)\n    break",
        "llm = 1\nwhile True: break",
    ],
)
def test_anything_else_is_not_a_loop(source: str) -> None:
    (finding,) = loop_objections(source)
    assert finding.message.startswith("there is no loop around a language model")


@pytest.mark.parametrize(
    "source",
    [
        "while True: llm(q)",
        "while True:\n    for x in xs:\n        llm(x)\n        break",
        "while True:\n    llm(q)\n    def f(): return 1",
    ],
)
def test_a_loop_without_exit_is_refused(source: str) -> None:
    (finding,) = loop_objections(source)
    assert (finding.line, finding.message) == (1, "the loop around the language model has no way out; add a break")


def test_names_that_are_given_are_matched_whole() -> None:
    assert loop_objections("oracle(q, output_schema=A)", {"oracle"}) == ()
    assert loop_objections("llm(q, output_schema=A)", {"oracle"})
    assert loop_objections("my_oracle(q, output_schema=A)", {"oracle"})


def test_the_template_passes_both_checks() -> None:
    made = template("answer", ("question", "style"), "Answer", "llm")
    assert loop_objections(made) == ()
    assert face_objections(made, Face(name="answer", parameters=("question", "style"), returns="Answer")) == ()
    assert loop_objections(template("answer", (), "Answer", "llm")) == ()


async def test_a_candidate_is_judged() -> None:
    problem = problem_about("def f(x):\n    return x\n", "f")
    verifier = IsLoop()
    assert (
        await verifier.judge(with_body(problem, "return llm(x, output_schema=int)"), problem)
    ).ruling is Ruling.PASSED
    assert (await verifier.judge(with_body(problem, "return llm(x)"), problem)).ruling is Ruling.FAILED
