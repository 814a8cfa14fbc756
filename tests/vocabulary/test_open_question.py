"""Questions about results, which travel as text."""

from __future__ import annotations

import pytest

from certo.vocabulary.open_question import asked_call, question_about


def test_a_question_names_both_results() -> None:
    asked = question_about("cheapest({'z': 1, 'aa': 1})", "'aa'", "'a'")
    assert asked == "what should cheapest({'z': 1, 'aa': 1}) return? Your examples fit both 'aa' and 'a'"


@pytest.mark.parametrize("call", ["f(1)", "f('what should it return?')", "f('a\nb')"])
@pytest.mark.parametrize("results", [(), ("1", "2")])
def test_the_call_is_read_back(call: str, results: tuple[str, ...]) -> None:
    assert asked_call(question_about(call, *results)) == call
    assert asked_call(f"{question_about(call, *results)}; the model is away") == call


@pytest.mark.parametrize(
    "reason", ["", "tried 20 edits", "your examples of f are too few to be sure of what was found"]
)
def test_other_reasons_ask_nothing(reason: str) -> None:
    assert asked_call(reason) == ""
