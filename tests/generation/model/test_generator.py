"""Candidates of a language model: asked until there is code, told what failed, and never twice the same way.

The next try of a line has that line's last answer and its objections, in turns that alternate. Models, temperatures,
hints and seeds differ from line to line.
"""

from __future__ import annotations

import pytest

from certo.generation.generator import Ask, Declined, Draft, Proposal
from certo.llm.prompt import Finish
from certo.vocabulary.errors import BadSetting, ModelFailed
from certo.vocabulary.problem import KnownTest
from certo.vocabulary.verdict import Finding, Ruling
from support.models.model_generator import block, failed, generator, problem_of, proposed, text_of
from support.models.scripted_answers import Answers, reply

pytestmark = pytest.mark.acceptance(6, 13)

HALF = "def f(n):\n    return n\n"
WRONG = "def f(n):\n    return n - 1\n"
RIGHT = "def f(n):\n    return n // 2\n"
RED = KnownTest(id="test_mod.py::test_f", ruling=Ruling.FAILED, message="assert 4 == 2")


def said(model: Answers, call: int = -1) -> list[tuple[str, str]]:
    """The turns of one of a model's prompts."""
    return [(message.role, message.text) for message in model.asked[call].messages]


async def test_answer_becomes_an_edit_with_its_source():
    """The note names the model."""
    problem = problem_of(f"X = 1\n\n\n{HALF}\n\ndef g():\n    return X\n")
    answer = await proposed(problem, Answers([reply(block(RIGHT))], name="openai:m"))
    assert text_of(problem, answer) == problem.text.replace("return n\n", "return n // 2\n")
    assert isinstance(answer, Proposal)
    assert answer.note == "openai:m"


async def test_next_attempt_sees_the_last_objection():
    model = Answers([reply(block(WRONG)), reply(block(RIGHT))])
    problem = problem_of(HALF, tests=[RED])
    async with generator(model).open(problem, lambda _: None) as proposer:
        first = await proposer.propose(Ask())
        finding = Finding(message="test_mod.py::test_f: assert 3 == 2", line=2)
        past = (failed(problem, first, "tests", finding),)
        second = await proposer.propose(Ask(attempt=1, past=past))
    assert text_of(problem, second) == RIGHT
    turns = said(model)
    assert [role for role, _ in turns] == ["system", "user", "assistant", "user"]
    assert WRONG in turns[2][1]
    assert "the check `tests`" in turns[3][1]
    assert "line 2 of your answer, `return n - 1`: test_mod.py::test_f: assert 3 == 2" in turns[3][1]
    assert said(model, 0) == turns[:2], "the beginning is the same each time"


async def test_repeated_answer_is_not_shown_again():
    model = Answers([reply(block(WRONG))])
    problem = problem_of(HALF, tests=[RED])
    async with generator(model).open(problem, lambda _: None) as proposer:
        first = failed(problem, await proposer.propose(Ask()), "tests", Finding(message="no"))
        await proposer.propose(Ask(attempt=2, past=(first, first)))
    turns = said(model)
    assert [role for role, _ in turns] == ["system", "user", "assistant", "user"]
    assert "gave the same answer again" in turns[3][1]


@pytest.mark.parametrize(
    ("useless", "words"),
    [
        (reply("I am sorry, I cannot."), "there was no code in it"),
        (reply(block("def g(n):\n    return n")), "there was no function named `f` in it"),
        (reply("```python\ndef f(n):\n    return (n", finish=Finish.CUT), "cut off at the limit of tokens"),
        (reply("def f(n):\n    return (n", finish=Finish.CUT), "cut off at the limit of tokens"),
        (reply("", finish=Finish.FILTERED), "it was withheld"),
        (reply(block(HALF)), "it is the function as it stands already"),
    ],
)
async def test_answer_without_function_is_retried_with_reason(useless, words):
    model = Answers([useless, reply(block(RIGHT))])
    problem = problem_of(HALF)
    assert text_of(problem, await proposed(problem, model)) == RIGHT
    turns = said(model)
    assert words in turns[-1][1]
    roles = [role for role, _ in turns]
    assert roles == (["system", "user", "assistant", "user"] if useless.text else ["system", "user"])
    assert all(text.strip() for _, text in turns)


async def test_cut_answer_with_whole_function_is_taken():
    model = Answers([reply(f"{block(RIGHT)} And now I will explain", finish=Finish.CUT)])
    problem = problem_of(HALF)
    assert text_of(problem, await proposed(problem, model)) == RIGHT
    assert len(model.asked) == 1


async def test_model_without_code_is_given_up():
    """It is asked three times, and the reason is said."""
    model = Answers([reply("no")], name="openai:m")
    answer = await proposed(problem_of(HALF), model)
    assert answer == Declined(
        reason="openai:m was asked 3 times for one candidate: "
        "there was no usable code in its answer, which begins 'no'",
        for_all=False,
    )
    assert len(model.asked) == 3
    assert {prompt.repeats for prompt in model.asked} == {True}
    assert len({prompt.messages[:2] for prompt in model.asked}) == 1


async def test_branches_differ_and_searches_repeat():
    """Branches differ in model, temperature, hint and seed; the same search asks the same again."""
    asked: list[list[tuple[object, ...]]] = []
    for _ in range(2):
        one, two = Answers([reply(block(RIGHT))], name="a:1"), Answers([reply(block(RIGHT))], name="b:2")
        options = {"models": ("a:1", "b:2"), "temperatures": (0.0, 0.5, 1.0), "hints": ("Be short.", "Be clear.")}
        async with generator(one, two, seed=7, **options).open(problem_of(HALF), lambda _: None) as proposer:
            for slot in range(4):
                await proposer.propose(Ask(slot=slot))
        prompts = [one.asked[0], two.asked[0], one.asked[1], two.asked[1]]
        asked.append([(each.sampling, each.sample, each.messages[-1].text) for each in prompts])
    assert asked[0] == asked[1]
    samplings = [sampling for sampling, _, _ in asked[0]]
    assert [sampling.temperature for sampling in samplings] == [0.0, 0.5, 1.0, 0.0]
    assert len({sampling.seed for sampling in samplings}) == 4
    assert [sample for _, sample, _ in asked[0]] == [0, 1, 2, 3]
    assert ["Be short." in text for _, _, text in asked[0]] == [True, False, True, False]


async def test_model_failure_is_raised_with_its_message():
    with pytest.raises(ModelFailed, match="no such key"):
        await proposed(problem_of(HALF), Answers([ModelFailed("no such key")]))


def test_unavailable_model_is_refused_before_asking():
    with pytest.raises(BadSetting, match="there is no model 'b:2'"):
        generator(Answers(name="a:1"), models=("b:2",))


async def test_lasting_failure_moves_branches_to_other_models():
    refused = ModelFailed("no such key", status=401)
    one, two = Answers([refused], name="a:1"), Answers([reply(block(RIGHT))], name="b:2")
    async with generator(one, two, models=("a:1", "b:2")).open(problem_of(HALF), lambda _: None) as proposer:
        with pytest.raises(ModelFailed, match="no such key"):
            await proposer.propose(Ask(slot=0))
        for slot in range(3):
            assert isinstance(await proposer.propose(Ask(slot=slot)), Proposal)
    assert (len(one.asked), len(two.asked)) == (1, 3)


async def test_search_declines_when_no_key_is_accepted():
    model = Answers([ModelFailed("no such key", status=401)])
    async with generator(model).open(problem_of(HALF), lambda _: None) as proposer:
        with pytest.raises(ModelFailed, match="no such key"):
            await proposer.propose(Ask(slot=0))
        assert await proposer.propose(Ask(slot=1)) == Declined(reason="no such key", for_all=True)
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    "passing",
    [
        ModelFailed("too long", status=413),
        ModelFailed("busy", transient=True),
        ModelFailed("replayed, as it failed then"),
    ],
)
async def test_transient_failure_is_retried(passing):
    model = Answers([passing, reply(block(RIGHT))])
    async with generator(model).open(problem_of(HALF), lambda _: None) as proposer:
        with pytest.raises(ModelFailed):
            await proposer.propose(Ask(slot=0))
        assert isinstance(await proposer.propose(Ask(slot=1)), Proposal)


async def test_drafts_are_told_while_the_answer_comes():
    drafts: list[Draft] = []
    answer = await proposed(
        problem_of(HALF), Answers([reply(block(RIGHT))], name="a:1"), ask=Ask(drafting=drafts.append)
    )
    assert isinstance(answer, Proposal)
    assert drafts == [Draft(model="a:1", edits=answer.edits)]
