"""Criteria that are put to the vote.

A1's parameters and defaults are checked when a criterion is made. One rule serves one sample and many, and asking stops
when it is decided. Samples and candidates are asked at once, while the event loop goes on. Votes and reasons are kept,
and a judge that fails spoils its own sample only.
"""

from __future__ import annotations

import inspect
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from certo.criteria.qualitative import QualitativeCriteria
from certo.llm.prompt import Finish, Sampling, Usage
from certo.vocabulary.errors import BadSetting, BudgetExhausted, ModelFailed
from certo.vocabulary.verdict import Votes
from support.models.scripted_judges import Judge, Says

pytestmark = pytest.mark.acceptance(23, 24, 25, 30, 31, 33)

CODE = "def half(n):\n    return n / 2\n"
DOWN = ModelFailed("judge: the provider is down")


def test_the_parameters_are_those_of_a1() -> None:
    parameters = [
        one
        for one in inspect.signature(QualitativeCriteria).parameters.values()
        if one.kind is one.POSITIONAL_OR_KEYWORD
    ]
    assert [(one.name, one.default) for one in parameters] == [
        ("expression", inspect.Parameter.empty),
        ("llm", inspect.Parameter.empty),
        ("num_samples", 1),
        ("min_samples_for_aggregation", 1),
        ("min_pass", 1),
    ]


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"num_samples": 2, "min_pass": 3}, "min_pass must be a whole number from 1 to num_samples, which is 2, not 3"),
        ({"min_pass": 0}, "min_pass must be a whole number from 1 to num_samples, which is 1, not 0"),
        (
            {"min_samples_for_aggregation": 2},
            "min_samples_for_aggregation must be a whole number from 1 to num_samples",
        ),
        ({"num_samples": 0}, "num_samples must be a whole number from 1, not 0"),
        ({"num_samples": 2.5}, "num_samples must be a whole number from 1, not 2.5"),
        ({"num_samples": True}, "num_samples must be a whole number from 1, not True"),
        ({"expression": " "}, "must say in words what is judged, not ' '"),
        ({"llm": "gpt"}, "the llm of a criterion must be a model that can be asked, not 'gpt'"),
    ],
)
def test_impossible_criteria_are_refused_with_their_value(parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSetting) as caught:
        QualitativeCriteria(**{"expression": "Is it right?", "llm": Judge("true"), **parameters})
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("answers", "parameters", "passed", "message"),
    [
        (["true"], {}, True, ""),
        (["false"], {}, False, "failed the criterion (0/1 samples passed, need 1)"),
        (["perhaps"], {}, False, "insufficient valid answers of the model: 0/1"),
        ([DOWN], {}, False, "insufficient valid answers of the model: 0/1"),
        (["true", "false", "no"], {"min_pass": 1}, True, ""),
        (["true", "false", "no"], {"min_pass": 2}, False, "failed the criterion (1/3 samples passed, need 2)"),
        (["true", "hm", "true"], {"min_pass": 2}, True, ""),
        (
            ["true", DOWN, "hm"],
            {"min_samples_for_aggregation": 2},
            False,
            "insufficient valid answers of the model: 1/2",
        ),
        (["true", "hm", "no"], {"min_samples_for_aggregation": 2}, True, ""),
    ],
)
async def test_votes_decide(answers: list[Any], parameters: dict[str, int], passed: bool, message: str) -> None:
    decision = await QualitativeCriteria("Is it right?", Judge(*answers), len(answers), **parameters).decide(CODE)
    assert (decision.passed, bool(decision), decision.message) == (passed, passed, message)


async def test_asking_stops_once_decided() -> None:
    late = Says(text="true", waits=True)
    for answers, passed in ((["true", "true", late, late, late], True), (["no", "no", "no", "no", late], False)):
        judge = Judge(*answers)
        with anyio.fail_after(100):
            decision = await QualitativeCriteria("Is it right?", judge, 5, min_pass=2).decide(CODE)
        assert decision.passed is passed
        assert [one.number for one in decision.samples] == [
            number for number in range(5) if answers[number] is not late
        ]
        assert sorted(judge.cut_off) == [number for number in range(5) if answers[number] is late]
    assert decision.votes == Votes(passed=0, valid=4, asked=5, needed=2)


async def test_decisions_wait_for_enough_useful_answers() -> None:
    judge = Judge("true", Says(text="true", waits=True), Says(text="true", waits=True))
    decided: list[bool] = []

    async def decide() -> None:
        criterion = QualitativeCriteria("Is it right?", judge, 3, min_samples_for_aggregation=2)
        decided.append((await criterion.decide(CODE)).passed)

    with anyio.fail_after(100):
        async with anyio.create_task_group() as group:
            group.start_soon(decide)
            await anyio.wait_all_tasks_blocked()
            assert decided == []
            judge.release()
    assert decided == [True]


async def test_all_samples_are_asked_at_once() -> None:
    judge = Judge(Says(text="true", waits=True))
    criterion = QualitativeCriteria("Is it right?", judge, 3, min_samples_for_aggregation=3)
    with anyio.fail_after(100):
        async with anyio.create_task_group() as group:
            for number in range(5):
                group.start_soon(criterion.decide, f"{CODE}# {number}\n")
            await anyio.wait_all_tasks_blocked()
            assert len(judge.asked) == 15
            judge.release()
    assert sorted(prompt.sample for prompt in judge.asked) == sorted([0, 1, 2] * 5)


async def test_what_was_said_is_kept() -> None:
    answers = ['{"reason": "it leaks", "verdict": false}', "hm", DOWN, Says(text="tru", finish=Finish.CUT)]
    decision = await QualitativeCriteria("Is it right?", Judge(*answers), 4, min_pass=1).decide(CODE)
    first, second, third, fourth = decision.samples
    assert (first.raw, first.value, first.reason, first.error) == (answers[0], False, "it leaks", "")
    assert (first.usage, first.dollars) == (Usage(input_tokens=10, output_tokens=len(first.raw)), 0.25)
    assert (second.raw, second.value, second.error) == (
        "hm",
        None,
        "scripted:judge: the answer says nothing clear: 'hm'",
    )
    assert (third.raw, third.value, third.error, third.answered) == ("", None, "judge: the provider is down", False)
    assert (fourth.value, fourth.error) == (None, "scripted:judge: the answer was cut off at the limit of tokens")
    assert all(one.seconds >= 0 for one in decision.samples)
    assert decision.reasons[0] == "it leaks"
    assert "judge: the provider is down" in decision.reasons


async def test_broken_judges_spoil_only_their_sample() -> None:
    judge = Judge(RuntimeError("a bug in somebody's model"), "true", DOWN)
    decision = await QualitativeCriteria("Is it right?", judge, 3).decide(CODE)
    assert decision.passed
    assert not (await QualitativeCriteria("Is it right?", Judge(ZeroDivisionError())).decide(CODE)).passed


async def test_whether_anybody_was_heard_is_said() -> None:
    assert not (await QualitativeCriteria("Is it right?", Judge(DOWN, DOWN), 2).decide(CODE)).heard
    assert (await QualitativeCriteria("Is it right?", Judge(DOWN, "hm"), 2).decide(CODE)).heard


@pytest.mark.parametrize("error", [BudgetExhausted("no more calls"), BadSetting("there is no key")])
async def test_errors_for_users_end_the_rest(error: Exception) -> None:
    judge = Judge(Says(text="true", waits=True), error)
    with anyio.fail_after(100), pytest.raises(type(error), match=str(error)):
        await QualitativeCriteria("Is it right?", judge, 2, min_pass=2).decide(CODE)
    assert judge.cut_off == [0]


async def test_being_cancelled_cuts_off_all_samples() -> None:
    judge = Judge(Says(text="true", waits=True))
    async with anyio.create_task_group() as group:
        group.start_soon(QualitativeCriteria("Is it right?", judge, 3).decide, CODE)
        await anyio.wait_all_tasks_blocked()
        group.cancel_scope.cancel()
    assert sorted(judge.cut_off) == [0, 1, 2]


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("Is it right?", "is-it-right"),
        ("Handles empty input and says what is wrong.", "handles-empty-input-and-says"),
        ("Größer, schöner!", "größer-schöner"),
        ("x" * 99, "x" * 30),
        ("???", "criterion"),
    ],
)
def test_criteria_are_named_after_first_words(expression: str, name: str) -> None:
    assert QualitativeCriteria(expression, Judge("true")).name == name
    assert QualitativeCriteria(expression, Judge("true"), name="mine").name == "mine"


async def test_seeds_continue_from_sample_to_sample() -> None:
    judge = Judge("true")
    sampling = Sampling(seed=7, temperature=0.5)
    await QualitativeCriteria("Is it right?", judge, 3, 3, sampling=sampling).decide(CODE)
    assert sorted(prompt.sampling.seed or 0 for prompt in judge.asked) == [7, 8, 9]
    assert {prompt.sampling.temperature for prompt in judge.asked} == {0.5}


async def test_judges_do_not_block_the_loop() -> None:
    judge = Judge(Says(text="true", waits=True))
    ticks = 0
    async with anyio.create_task_group() as group:
        group.start_soon(QualitativeCriteria("Is it right?", judge, 3).decide, CODE)
        for _ in range(100):
            await anyio.lowlevel.checkpoint()
            ticks += 1
        assert len(judge.asked) == 3
        judge.release()
    assert ticks == 100
