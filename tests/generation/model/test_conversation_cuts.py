"""A lane learns from its own answers, also from those that its conversation has no room for."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.generation.generator import Ask, Attempt
from certo.generation.model.conversation import characters_for, left_out
from certo.generation.model.options import GenerationOptions
from certo.generation.model.prompts import PromptBuilder
from certo.generation.model.templates import load
from certo.vocabulary.candidate import Candidate, Origin, candidate_id
from certo.vocabulary.verdict import Finding, Report, Ruling, Verdict
from support.models.model_generator import problem_of

pytestmark = pytest.mark.acceptance(64)

TEXT = "def f(x):\n    return x + 1\n"
PROBLEM = problem_of(TEXT)


def attempt(number: int, size: int = 0) -> Attempt:
    """An answer that returns a number and was refused for it."""
    text = f"def f(x):\n    # {'n' * size}\n    return {number + 100}\n"
    name = candidate_id(TEXT, text)
    finding = Finding(message=f"assert {number + 100} == 2")
    return Attempt(
        candidate=Candidate(id=name, edits=(), text=text, origin=Origin(generator="a test")),
        report=Report(
            candidate_id=name, verdicts=(Verdict(verifier="tests", ruling=Ruling.FAILED, findings=(finding,)),)
        ),
    )


def test_each_answer_is_told_in_a_line() -> None:
    assert left_out(PROBLEM, []) == ""
    assert left_out(PROBLEM, [attempt(1), attempt(2)]).splitlines() == [
        "## Earlier answers of yours that are left out here",
        "",
        "- one that drops arithmetic was refused by `tests`: assert 101 == 2",
        "- one that drops arithmetic was refused by `tests`: assert 102 == 2",
    ]
    assert len(left_out(PROBLEM, [attempt(number) for number in range(50)]).splitlines()) == 14


@given(
    st.integers(min_value=0, max_value=9),
    st.integers(min_value=0, max_value=600),
    st.integers(min_value=800, max_value=3000),
)
def test_omitted_answers_are_summarised_within_limits(count: int, size: int, tokens: int) -> None:
    past = [attempt(number, size) for number in range(count)]
    options = GenerationOptions(conversation_tokens=tokens)
    prompting = PromptBuilder(problem=PROBLEM, templates=load(Path("/project"), ""), options=options, python="3.9")
    messages = prompting.conversation(prompting.opening(), Ask(past=past))
    fitting = prompting.fit(messages, past)
    assert sum(len(message.text) for message in fitting) <= characters_for(tokens)
    assert [message.role for message in fitting[:2]] == ["system", "user"]
    if len(fitting) == len(messages):
        assert fitting == prompting.fit(messages)
    else:
        assert "assert 100 == 2" in fitting[1].text or "[…]" in fitting[1].text
