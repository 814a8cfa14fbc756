"""Prompts about a problem: they hold all that bears on it, and are the same each time.

Feedback is a turn of its own or stands with the question, said once.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from certo.edits.examples import examples_in
from certo.generation.generator import Ask, Attempt
from certo.generation.model.options import GenerationOptions
from certo.generation.model.project_excerpts import file_around
from certo.generation.model.prompts import PromptBuilder
from certo.generation.model.templates import load
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.guidance import Guidance
from certo.vocabulary.problem import Goal, KnownTest, Problem
from certo.vocabulary.text import Span
from certo.vocabulary.verdict import Finding, Report, Ruling, Verdict
from support.models.model_generator import problem_of
from support.projects.projects import write_project
from support.search.user_remarks import remark

pytestmark = pytest.mark.acceptance(90)

TILL = dedent('''\
    """Giving change."""

    COINS = (50, 20, 10)


    def other(due):
        secret = due * 2
        return secret


    def change(due):
        """Give change.

        >>> change(50)
        [50]
        """
        return []
''')
TESTS = """\
    import pytest
    from till import change

    @pytest.mark.parametrize("due", [10, 20])
    def test_one_coin(due):
        assert change(due) == [due]

    class TestMore:
        def test_two_coins(self):
            assert change(70) == [50, 20]

    def test_green():
        assert change(0) == []
    """


def red(name: str, message: str = "assert [] == [10]") -> KnownTest:
    return KnownTest(id=f"tests/test_till.py::{name}", ruling=Ruling.FAILED, message=message)


def till(tmp_path: Path, *, goal: Goal = Goal.REPAIR, instruction: str = "") -> Problem:
    write_project(tmp_path, {"till.py": TILL, "tests/test_till.py": TESTS})
    tests = (
        red("test_one_coin[10]"),
        red("test_one_coin[20]", "assert [] == [20]"),
        red("TestMore::test_two_coins"),
        KnownTest(id="doctest:change:14", ruling=Ruling.FAILED, message="expected [50], got []"),
        KnownTest(id="tests/test_till.py::test_green", ruling=Ruling.PASSED),
    )
    return problem_of(TILL, "change", root=tmp_path, tests=tests, path="till.py", goal=goal, instruction=instruction)


def prompting(problem: Problem, **options: object) -> PromptBuilder:
    chosen = GenerationOptions(**options)
    return PromptBuilder(problem=problem, templates=load(problem.root, ""), options=chosen, python="3.9")


def test_first_message_has_function_tests_and_file(tmp_path: Path):
    system, first = prompting(till(tmp_path)).opening(related="RELATED", hint="HINT")
    assert system.role == "system"
    assert "Python 3.9" in system.text
    assert "The function `change` in till.py does not pass its tests." in first.text
    assert '```python\ndef change(due):\n    """Give change.' in first.text
    assert "- `tests/test_till.py::test_one_coin[20]`: assert [] == [20]" in first.text
    assert "- the example `change(50)`: expected [50], got []" in first.text
    assert first.text.count("def test_one_coin(due):") == 1
    assert '@pytest.mark.parametrize("due", [10, 20])' in first.text
    assert "    def test_two_coins(self):" in first.text
    assert "test_green" not in first.text
    assert "COINS = (50, 20, 10)" in first.text
    assert "RELATED" in first.text
    assert "HINT" in first.text
    assert "What is wanted" not in first.text, "there is no instruction"
    assert prompting(till(tmp_path)).opening(related="RELATED", hint="HINT") == (system, first)


def test_selection_is_shown_with_its_lines(tmp_path: Path):
    problem = till(tmp_path, instruction="no loops")
    start = TILL.index(">>> change(50)")
    some = replace(problem, selected=Span(start, TILL.index("[50]") + len("[50]")))
    _, first = prompting(some).opening()
    said = "The user has selected lines 4 to 5 of the function and means these above all:"
    assert f"no loops\n\n{said}\n\n```python\n    >>> change(50)\n    [50]\n```" in first.text
    one = replace(problem, selected=Span(start, start + 3))
    assert "has selected line 4 of the function" in prompting(one).opening()[1].text
    everything = replace(problem, selected=problem.target.span)
    assert prompting(everything).opening() == prompting(problem).opening()


@pytest.mark.parametrize(
    ("goal", "words"),
    [(Goal.IMPLEMENT, "Write the body of `change` in till.py"), (Goal.REWRITE, "Rewrite the function `change`")],
)
def test_each_goal_has_its_own_words(tmp_path: Path, goal: Goal, words: str):
    _, first = prompting(till(tmp_path, goal=goal, instruction="no loops")).opening()
    assert first.text.startswith(words)
    assert "nstruction\n\nno loops" in first.text or "wanted\n\nno loops" in first.text


def test_tests_are_read_with_unsaved_changes(tmp_path: Path):
    problem = till(tmp_path)
    unsaved = {"tests/test_till.py": "def test_one_coin(due):\n    assert 'unsaved'\n"}
    problem = problem_of(TILL, "change", root=tmp_path, tests=problem.baseline.tests, path="till.py", unsaved=unsaved)
    assert "assert 'unsaved'" in prompting(problem).opening()[1].text


def test_unreadable_test_file_is_left_out(tmp_path: Path):
    problem = till(tmp_path)
    (tmp_path / "tests" / "test_till.py").write_bytes(b"def broken(:\n\xff")
    assert "test_one_coin[10]" in prompting(problem).opening()[1].text


def test_many_tests_are_counted_not_named(tmp_path: Path):
    tests = [red(f"test_{number}") for number in range(13)]
    problem = problem_of(TILL, "change", root=tmp_path, tests=tests, path="till.py")
    first = prompting(problem).opening()[1].text
    assert "test_9" in first
    assert "test_10" not in first
    assert "- and 3 more" in first


def test_long_file_loses_bodies_first(tmp_path: Path):
    """Then it loses the parts far from the target."""
    whole = file_around(till(tmp_path), 4000)
    assert "secret = due * 2" in whole
    assert "return []" not in whole, "the target's body is shown by itself"
    long = TILL.replace("    return secret", "    return secret\n" + "    x = 1\n" * 1000)
    outline = file_around(problem_of(long, "change"), 100)
    assert "def other(due):\n    ..." in outline
    assert "COINS" in outline
    longer = "X = 1\n" * 2000 + TILL
    cut = file_around(problem_of(longer, "change"), 100)
    assert len(cut) < 400
    assert "def change(due):" in cut


def test_file_of_the_target_alone_is_omitted():
    assert file_around(problem_of("def f():\n    return 1\n"), 4000) == ""
    assert file_around(problem_of(TILL, "change"), 0) == ""


def test_code_with_fences_stays_in_one_block():
    problem = problem_of('def f():\n    """Do.\n\n    ```\n    f()\n    ```\n    """\n    return 1\n')
    assert "````python\ndef f():" in prompting(problem).opening()[1].text


def test_objections_come_with_unseen_test_sources(tmp_path: Path):
    problem = till(tmp_path)
    text = problem.text.replace("return []", "return (due")
    verdicts = (
        Verdict(verifier="policy", ruling=Ruling.PASSED),
        Verdict(
            verifier="tests",
            ruling=Ruling.FAILED,
            findings=(Finding(message="tests/test_till.py::test_green: assert 0 == []"),),
        ),
        Verdict(verifier="lint", ruling=Ruling.FAILED, findings=(Finding(message="E501 too long", line=17),)),
    )
    candidate = Candidate(id="c", edits=(), text=text, origin=Origin(generator="model"))
    tried = Attempt(candidate=candidate, report=Report(candidate_id="c", verdicts=verdicts))
    said = prompting(problem).feedback(tried)
    assert "the checks `tests` and `lint`" in said
    assert "- tests/test_till.py::test_green: assert 0 == []" in said
    assert "- line 7 of your answer, `return (due`: E501 too long" in said
    assert "def test_green():\n    assert change(0) == []" in said
    assert "test_one_coin" not in said


def test_long_findings_are_shortened(tmp_path: Path):
    problem = till(tmp_path)
    verdict = Verdict(verifier="tests", ruling=Ruling.FAILED, findings=(Finding(message="x" * 10_000),))
    candidate = Candidate(id="c", edits=(), text=problem.text, origin=Origin(generator="model"))
    tried = Attempt(candidate=candidate, report=Report(candidate_id="c", verdicts=(verdict,)))
    assert len(prompting(problem).feedback(tried)) < 2000


def test_given_examples_come_first(tmp_path: Path):
    given = (*examples_in("change(30) == [20, 10]"), *examples_in(">>> change(5)\n[]\n", after=1))
    tests = (
        *(red(f"test_{number}") for number in range(13)),
        KnownTest(id="example 1", ruling=Ruling.FAILED, message="change(30) gave [], not [20, 10]"),
        KnownTest(id="example 2", ruling=Ruling.PASSED),
    )
    for goal in Goal:
        problem = problem_of(TILL, "change", root=tmp_path, tests=tests, path="till.py", goal=goal)
        first = prompting(replace(problem, guidance=Guidance(examples=given))).opening()[1].text
        assert "- the example `change(30) == [20, 10]`: change(30) gave [], not [20, 10]\n" in first
        assert "- the example `change(5)`, which has to print `[]`\n" in first


def test_user_remarks_precede_later_attempts(tmp_path: Path):
    problem = till(tmp_path, instruction="Give change.")
    failed = Verdict(verifier="tests", ruling=Ruling.FAILED, findings=(Finding(message="it gave [0]"),))
    passed = Verdict(verifier="tests", ruling=Ruling.PASSED)
    remarks = (
        remark(TILL, "return []", "return [0]", failed, rejected=True),
        remark(TILL, "return []", "return [1]", passed, feedback="Use COINS."),
    )
    third = remark(TILL, "return []", "return [2]").candidate
    guided = prompting(replace(problem, guidance=Guidance(feedback="Be brief.", remarks=remarks)))
    past = (Attempt(candidate=third, report=Report(candidate_id=third.id, verdicts=(failed,))),)
    turns = guided.conversation(guided.opening(), Ask(past=past))
    assert [turn.role for turn in turns] == ["system", "user", *["assistant", "user"] * 3]
    assert "Give change.\n\nBe brief." in turns[1].text
    assert "return [0]" in turns[2].text
    assert turns[3].text.startswith("The user has looked at this and wants it otherwise.")
    assert "it gave [0]" in turns[3].text
    assert "What the user says" not in turns[3].text
    assert "return [1]" in turns[4].text
    assert "## What the user says of it\n\nUse COINS." in turns[5].text
    assert "What the checks" not in turns[5].text
    assert "return [2]" in turns[6].text


def tried(problem: Problem, body: str, message: str) -> Attempt:
    verdict = Verdict(verifier="tests", ruling=Ruling.FAILED, findings=(Finding(message=message),))
    candidate = remark(TILL, "return []", body).candidate
    return Attempt(candidate=candidate, report=Report(candidate_id=candidate.id, verdicts=(verdict,)))


def test_idea_and_other_errors_come_last(tmp_path: Path):
    asking = prompting(problem := till(tmp_path))
    past = (tried(problem, "return [1]", "it gave [1]"),)
    ask = Ask(past=past, idea="Go through COINS.", errors=("KeyError: 5", "No end."))
    turns = asking.fit(asking.conversation(asking.opening(), ask))
    assert [turn.role for turn in turns] == ["system", "user", "assistant", "user"]
    feedback, _, idea = turns[-1].text.partition("## Follow this idea")
    assert "it gave [1]" in feedback
    assert "```text\nGo through COINS.\n```" in idea
    assert "- KeyError: 5\n- No end." in idea
    without = asking.conversation(asking.opening(), replace(ask, idea="", errors=()))
    assert without[-1].text == feedback.strip()


def test_evaluator_feedback_replaces_that_of_checks(tmp_path: Path):
    """Feedback of the search's own replaces what the checks said of the last answer."""
    asking = prompting(problem := till(tmp_path))
    past = (tried(problem, "return [1]", "it gave [1]"), tried(problem, "return [2]", "it gave [2]"))
    turns = asking.conversation(asking.opening(), Ask(past=past, said="Criticise it."))
    assert "it gave [1]" in turns[3].text
    assert turns[5].text == "Criticise it."


def test_in_place_feedback_is_merged_without_answers(tmp_path: Path):
    """Everything is said once."""
    asking = prompting(problem := till(tmp_path))
    one, two = tried(problem, "return [1]", "it gave [1]"), tried(problem, "return [2]", "it gave [2]")
    turns = asking.fit(asking.conversation(asking.opening(), Ask(past=(one, two, one), in_place=True)))
    assert [turn.role for turn in turns] == ["system", "user"]
    assert "### Feedback from Evaluator" in turns[1].text
    assert "- it gave [1]\n----------\n- it gave [2]" in turns[1].text
    assert turns[1].text.count("it gave [1]") == 1
    assert "return [2]" not in turns[1].text
    said = asking.conversation(asking.opening(), Ask(past=(one, two), in_place=True, said="Criticise it."))
    assert "- it gave [1]\n----------\nCriticise it." in said[-1].text
    assert asking.conversation(asking.opening(), Ask(in_place=True)) == asking.opening()
