"""A call is tried again from the best answer with its objections, until an answer passes."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo import (
    UCT,
    AICall,
    AIGenerate,
    AttemptsFailed,
    Message,
    PromptTemplate,
    RetryConfig,
    ThompsonSampling,
    airetry,
    evaluate_condition,
    wait,
)
from certo.search.tree import before
from certo.vocabulary.errors import BadRequest, BadSetting, BudgetExhausted, ModelFailed
from support.models.scripted_answers import Answers, busy, reply
from support.runtime import make_runtime

pytestmark = pytest.mark.acceptance(80, 81, 88, 89, 90, 91)


def is_hi(call: AICall) -> bool:
    return call.last_output == "hi"


def texts(model: Answers) -> list[list[str]]:
    """What was said in each prompt."""
    return [[message.text for message in prompt.messages] for prompt in model.asked]


def saying(*answers: str, dollars: float | None = None) -> Answers:
    return Answers([reply(text, dollars=dollars) for text in answers])


def test_config_matches_agenttools() -> None:
    config = RetryConfig()
    assert {name: getattr(config, name) for name in RetryConfig.__dataclass_fields__} == {
        "retries": 0,
        "calls": 0,
        "max_retries": 10,
        "max_calls": 99,
        "retry_delay": 0.0,
        "n_samples": 1,
        "scoring": UCT(),
        "ordering": "PostOrderDFS",
        "feedback_inplace": False,
        "feedback_template": "FeedbackFromEvaluator",
        "temperature": 0.7,
        "catch_errors": False,
    }


async def test_unrun_call_is_refused() -> None:
    with pytest.raises(BadRequest, match="AIGenerate has not been run yet"):
        await airetry(is_hi, AIGenerate("Say hi!", model=Answers()))


async def test_feedback_is_the_next_turn() -> None:
    """Feedback is the next turn and is about this answer alone."""
    model = saying("a", "b", "c", "hi")
    call = await AIGenerate("Say hi!", model=model, config=RetryConfig(scoring=lambda node: node.id)).run()
    assert await airetry(is_hi, call, lambda seen: f"not {seen.last_output}") is call
    assert (call.success, call.last_output, call.config.retries, call.config.calls) == (True, "hi", 3, 4)
    feedback = "### Feedback from Evaluator\nnot {}\n"
    assert texts(model)[3] == [
        "Say hi!", "a", feedback.format("a"), "b", feedback.format("b"), "c", feedback.format("c"),
    ]  # fmt: skip
    assert call.active_sample.path[2].feedback == "not b"


async def test_inplace_feedback_is_collected_once() -> None:
    """In place feedback of all answers on the way goes into the question once."""
    model = saying("a", "b", "c", "hi")
    config = RetryConfig(feedback_inplace=True, scoring=lambda node: node.id)
    call = await AIGenerate("Say hi!", system="s", model=model, config=config).run()
    await airetry(is_hi, call, lambda seen: f"not {seen.last_output}")
    joined = "not a\n----------\nnot b\n----------\nnot c"
    assert texts(model)[3] == ["s", f"Say hi!\n\n### Feedback from Evaluator\n{joined}\n"]
    assert [node.data.conversation[-1].text for node in call.samples][1:] == ["a", "b", "c", "hi"]


async def test_inplace_feedback_stays_with_its_question() -> None:
    """A later question has no feedback on an earlier one in place."""
    model = saying("a", "hi", "x", "hi")
    config = RetryConfig(feedback_inplace=True, scoring=lambda node: node.id)
    call = await AIGenerate("One", model=model, config=config).run()
    await airetry(is_hi, call, "more")
    await call("Two")
    await airetry(is_hi, call, "again")
    assert texts(model)[3][-1] == "Two\n\n### Feedback from Evaluator\nagain\n"


@pytest.mark.parametrize("inplace", [True, False])
async def test_last_question_is_asked_again(*, inplace: bool) -> None:
    """If no answer is gone on from, the last question is asked again."""
    model = saying("a", "x", "hi")
    config = RetryConfig(feedback_inplace=inplace, scoring=lambda node: -node.id)
    call = await AIGenerate("One", model=model, config=config).run()
    await call("Two")
    await airetry(is_hi, call, "again")
    assert texts(model)[2] == ["One", "a", "Two"]
    assert [node.id for node in call.active_sample.path] == [0, 1, 3]


async def test_feedback_stays_on_its_branch() -> None:
    model = saying("a", "b", "c", "d", "e", "f", "hi")
    config = RetryConfig(n_samples=2, scoring=UCT(unvisited=float("inf")), max_retries=6)
    call = await AIGenerate("Say hi!", model=model, config=config).run()
    await airetry(is_hi, call, lambda seen: f"not {seen.last_output}")
    for node in call.samples:
        said = {text for turn in node.data.conversation for text in re.findall("not (.)", turn.text)}
        assert said <= {each.data.value for each in node.path[:-1]}
    assert call.success


async def test_no_feedback_repeats_the_question() -> None:
    """Without feedback the question is asked again and roles take turns."""
    model = saying("a", "b", "hi")
    call = await AIGenerate("Say hi!", model=model).run()
    await airetry(is_hi, call)
    assert texts(model) == [["Say hi!"]] * 3
    assert [prompt.sample for prompt in model.asked] == [0, 1, 2]


async def test_revisited_answer_repeats_no_feedback() -> None:
    """Going back to an answer does not say its feedback twice."""
    model = saying(*"abcdefgh")
    stays = RetryConfig(max_retries=5, scoring=lambda node: node.id == 1)
    call = await AIGenerate("Say hi!", model=model, config=stays).run()
    asked = []
    await airetry(is_hi, call, lambda seen: asked.append(seen.last_output) or "no", feedback_expensive=True)
    assert texts(model)[1:] == [["Say hi!", "a", "### Feedback from Evaluator\nno\n"]] * 5
    assert (asked, call.samples.find(1).feedback, call.samples.find(1).data.conversation[-1].text) == (["a"], "no", "a")


async def test_equal_feedback_is_said_once() -> None:
    model = saying("a", "b", "hi")
    config = RetryConfig(scoring=lambda node: node.id == 1)
    call = await AIGenerate("Say hi!", model=model, config=config).run()
    await airetry(is_hi, call, "no", max_retries=0)
    await airetry(is_hi, call, "no", max_retries=1)
    await airetry(is_hi, call, lambda _: "never", max_retries=0)
    assert texts(model)[1] == ["Say hi!", "a", "### Feedback from Evaluator\nno\n"]
    assert call.samples.find(1).feedback.startswith("no")
    assert call.samples.find(1).feedback.count("no") == 1


@pytest.mark.parametrize("evaluate_all", [True, False])
async def test_round_judges_all_or_active(*, evaluate_all: bool) -> None:
    call = await AIGenerate("Say hi!", model=saying("hi", "a", "b"), config=RetryConfig(n_samples=3)).run()
    passed, node = await evaluate_condition(is_hi, call, evaluate_all=evaluate_all)
    assert passed is evaluate_all
    assert [(each.wins, each.visits) for each in before(call.samples.root)] == (
        [(1, 3), (1, 1), (0, 1), (0, 1)] if evaluate_all else [(0, 1), (0, 0), (0, 0), (0, 1)]
    )
    assert node.data.value == ("hi" if evaluate_all else None) or not evaluate_all
    assert call.active_sample.data.value == "b"


async def test_best_passing_by_score_price_order() -> None:
    """The best that passes is taken by score then price then order."""

    def answers() -> Answers:
        return Answers([reply(text, dollars=dollars) for text, dollars in (("aa", 2.0), ("b", 1.0), ("cc", 1.0))])

    async def run() -> AICall:
        return await AIGenerate("x", model=answers(), config=RetryConfig(n_samples=3)).run()

    async def length(call: AICall) -> float:
        return len(call.last_output)

    assert (await airetry(lambda _: True, await run())).last_output == "b"
    assert (await airetry(lambda _: True, await run(), score=length)).last_output == "cc"
    assert (await airetry(lambda seen: "b" not in seen.last_output, await run())).last_output == "cc"


async def test_slow_conditions_run_concurrently() -> None:
    waiting, together = [], anyio.Event()

    async def condition(call: AICall) -> bool:
        waiting.append(call.last_output)
        if len(waiting) == 3:
            together.set()
        await together.wait()
        return call.last_output == "b"

    call = await AIGenerate("x", model=saying("a", "b", "c"), config=RetryConfig(n_samples=3)).run()
    assert (await airetry(condition, call)).last_output == "b"


async def test_exception_in_condition_is_feedback() -> None:

    def condition(call: AICall) -> bool:
        if call.last_output != "hi":
            raise AssertionError("that is no greeting")
        return True

    model = saying("a", "hi")
    call = await airetry(condition, await AIGenerate("x", model=model).run(), "Greet.")
    assert call.success
    assert texts(model)[1][-1] == (
        "### Feedback from Evaluator\nAssertionError: that is no greeting\n\nGreet.\n"
    )  # fmt: skip


async def test_broken_world_in_condition_is_raised() -> None:
    """A condition for which the world is bad is no failure of the answer."""

    def condition(_: AICall) -> bool:
        raise ModelFailed("the judge is down")

    call = await AIGenerate("x", model=saying("a")).run()
    with pytest.raises(ModelFailed, match="the judge is down"):
        await airetry(condition, call)
    assert (call.samples.root.visits, call.active_sample.feedback) == (0, "")


async def test_condition_sees_a_copy() -> None:
    """A condition may go on with what it sees and leaves the call as it is."""
    model = saying("a", "why", "hi", "because")

    async def condition(seen: AICall) -> bool:
        answer = seen.last_output
        await seen("Why?")
        seen.memory[answer] = seen.last_output
        return answer == "hi"

    call = await AIGenerate("x", model=model).run()
    await airetry(condition, call, "no")
    assert (call.last_output, len(call.samples), call.config.calls) == ("hi", 3, 2)
    assert call.memory == {"a": "why", "hi": "because"}
    assert texts(model)[2] == ["x", "a", "### Feedback from Evaluator\nno\n"]


async def test_exhausted_retries_are_told_or_raised() -> None:
    """When nothing will do that is told or an error with every answer."""
    call = await AIGenerate("x", model=saying("a"), config=RetryConfig(max_retries=2)).run()
    await airetry(is_hi, call)
    assert (call.success, call.config.retries) == (False, 2)
    with pytest.raises(
        AttemptsFailed, match=re.escape("3 of max_retries = 3 were made, and 6 of max_calls = 99")
    ) as no:
        await airetry(is_hi, call, throw=True, max_retries=3)
    assert [each.text for each in no.value.attempts] == ["a"] * 6
    assert (call.config.retries, no.value.spent) == (5, 90)


async def test_the_calls_are_bounded_over_all_conditions() -> None:
    model = saying("a")
    call = await AIGenerate("x", model=model, config=RetryConfig(max_calls=3, n_samples=2)).run()
    await airetry(is_hi, call)
    await airetry(is_hi, call)
    assert (len(model.asked), call.config.calls, call.success) == (3, 3, False)


async def test_successive_conditions_build_on_passes() -> None:
    model = saying("ab", "a", "abc")
    call = await AIGenerate("x", model=model).run()
    await airetry(lambda seen: "a" in seen.last_output, call, "needs a")
    await airetry(lambda seen: "c" in seen.last_output, call, "needs c")
    assert (call.last_output, len(model.asked)) == ("abc", 3)
    assert "needs a" not in str(texts(model))
    assert (call.samples.find(1).wins, call.samples.find(1).success) == (2, False)


async def test_missing_answer_changes_nothing() -> None:
    """An answer that does not come leaves what is known as it was."""
    model = Answers([reply("a"), busy(), busy(), reply("hi")])
    judged = []

    def condition(call: AICall) -> bool:
        judged.append(call.last_output)
        return call.last_output == "hi"

    call = await AIGenerate("x", model=model, config=RetryConfig(catch_errors=True)).run()
    await airetry(condition, call, "no")
    assert (call.success, judged, call.config.retries, call.config.calls) == (True, ["a", "hi"], 3, 2)
    assert texts(model)[1:] == [["x", "a", "### Feedback from Evaluator\nno\n"]] * 3
    assert (call.samples.root.visits, call.samples.root.wins) == (2, 1)


async def test_failed_first_call_is_repeated() -> None:
    """A first call that failed is made again as it was."""
    model = Answers([busy(), reply("hi")])
    call = await AIGenerate("Say $what!", what="hi", model=model, config=RetryConfig(catch_errors=True)).run()
    await airetry(is_hi, call, "no")
    assert (call.success, texts(model)) == (True, [["Say hi!"]] * 2)


async def test_uncaught_errors_are_raised() -> None:
    call = await AIGenerate("x", model=Answers([reply("a"), BudgetExhausted("no more")])).run()
    with pytest.raises(BudgetExhausted, match="no more"):
        await airetry(is_hi, call)


async def test_inplace_feedback_needs_a_question() -> None:
    config = RetryConfig(feedback_inplace=True)
    call = await AIGenerate(Message(role="system", text="s"), model=saying("a"), config=config).run()
    with pytest.raises(BadRequest, match="no user's turn to put feedback into"):
        await airetry(is_hi, call, "no")


async def test_feedback_template_of_the_caller() -> None:
    model = saying("a", "hi")
    template = PromptTemplate(name="mine", texts=("No: $feedback",))
    call = await AIGenerate("x", model=model, config=RetryConfig(feedback_template=template)).run()
    await airetry(is_hi, call, "$5 is no greeting")
    assert texts(model)[1][-1] == "No: $5 is no greeting"


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("Feedbak", "there is no template 'Feedbak'; known: CodeFixerRCI"),
        (PromptTemplate(name="mine", texts=("No!",)), "the template 'mine' has to have a place for $feedback"),
    ],
)
async def test_a_template_that_cannot_be_is_refused(template: str | PromptTemplate, said: str) -> None:
    call = await AIGenerate("x", model=saying("a"), config=RetryConfig(feedback_template=template)).run()
    with pytest.raises(BadSetting, match=re.escape(said)):
        await airetry(is_hi, call, "no")


async def test_recorded_run_is_replayed(tmp_path: Path) -> None:
    lines = [{"text": text} for text in ("a", "b", "c", "hi")]
    (tmp_path / "script.json").write_text(json.dumps(lines))
    told = []
    for way in ("record", "replay"):
        runtime = make_runtime()
        own = {"model.name": f"scripted:{tmp_path / 'script.json'}", f"search.{way}": str(tmp_path / "said.jsonl")}
        runtime.settings = {**runtime.settings, **own}
        async with runtime:
            call = await AIGenerate("Say hi!", config=RetryConfig(n_samples=2)).run()
            await airetry(is_hi, call, lambda seen: f"not {seen.last_output}")
        told.append([(node.data.value, node.path[:-1][-1].id) for node in list(call.samples)[1:]])
        (tmp_path / "script.json").write_text('[{"text": "nobody asks"}]')
    assert sorted(value for value, _ in told[0]) == ["a", "b", "c", "hi"]
    assert told[0] == told[1]


def test_asked_from_synchronous_programs() -> None:
    """It can be asked from a program that is not asynchronous."""
    call = wait(AIGenerate("x", model=saying("a", "hi")).run())
    assert wait(airetry(is_hi, call, "no")).last_output == "hi"


@given(seed=st.integers(0, 10**6), samples=st.integers(1, 3), inplace=st.booleans())
async def test_tree_and_counters_always_agree(seed: int, samples: int, *, inplace: bool) -> None:
    chance = random.Random(seed)
    model = Answers([reply(str(chance.randrange(10))) for _ in range(40)])
    config = RetryConfig(
        n_samples=samples,
        max_retries=4,
        feedback_inplace=inplace,
        ordering=chance.choice(["PostOrderDFS", "PreOrderDFS"]),
        scoring=chance.choice([UCT(), UCT(unvisited=9.0), ThompsonSampling(chance=chance)]),
    )
    call: Any = await AIGenerate("x", model=model, config=config).run()
    await airetry(lambda seen: seen.last_output == "7", call, lambda seen: f"not {seen.last_output}")
    judged = [node for node in call.samples if node.data.reply is not None]
    assert call.samples.root.visits == len(judged) == config.calls == len(model.asked)
    assert call.samples.root.wins == sum(node.data.value == "7" for node in judged)
    assert call.success == any(node.data.value == "7" for node in judged)
    for prompt in model.asked:
        turns = [message.role for message in prompt.messages]
        assert turns == ["user", "assistant"] * (len(turns) // 2) + ["user"]
        assert (
            all(len(set(said)) == len(said) for said in (re.findall("not .", m.text) for m in prompt.messages))
            or inplace
        )
    for node in judged:
        assert node.data.question == node.path[1].data.question or not inplace
