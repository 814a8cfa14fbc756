"""Prompts that have a name, and placeholders that have to be filled."""

from __future__ import annotations

import re

import pytest

from certo.generation.prompt_templates import PromptTemplate, named_template
from certo.vocabulary.errors import BadSetting

pytestmark = pytest.mark.acceptance(102)


@pytest.mark.parametrize("name", ["CodeFixerRCI", "CodeFixerShort", "CodeFixerTiny", "FeedbackFromEvaluator"])
def test_every_round_reports_the_result(name: str) -> None:
    template = named_template(name)
    assert template.placeholders == {"feedback"}
    for round_ in range(3):
        assert "what $came of it" in template.text(round_, feedback="what $came of it")


def test_first_text_opens_and_last_continues() -> None:
    template = PromptTemplate(name="mine", texts=("first $a", "never", "last $a"))
    assert [template.text(round_, a="x") for round_ in range(3)] == ["first x", "last x", "last x"]
    rci = named_template("CodeFixerRCI")
    assert rci.text(0, feedback="x") != rci.text(1, feedback="x") == rci.text(2, feedback="x")


def test_feedback_uses_the_words_of_agenttools() -> None:
    said = named_template("FeedbackFromEvaluator").text(0, feedback="too long")
    assert said == "### Feedback from Evaluator\ntoo long\n"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: named_template("CodeFixer"), "there is no template 'CodeFixer'; known: CodeFixerRCI, CodeFixerShort"),
        (lambda: named_template("CodeFixerTiny").text(0), "the template 'CodeFixerTiny' needs a value for $feedback"),
        (lambda: PromptTemplate(name="mine", texts=()), "the template 'mine' has no text"),
        (lambda: PromptTemplate(name="mine", texts=("a", " ")), "the template 'mine' has no text"),
        (lambda: PromptTemplate(name="mine", texts=("$ 5",)), "the template 'mine' has a $ that begins no placeholder"),
    ],
)
def test_what_cannot_be_is_refused_by_name(make: object, said: str) -> None:
    with pytest.raises(BadSetting, match=re.escape(said)):
        make()
