"""The code fixer from Python: code is run in the sandbox, and mended in rounds until it runs."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest

from certo import (
    AIGenerate,
    CodeFixer,
    CodeOutcome,
    Message,
    PromptTemplate,
    RetryConfig,
    airetry,
    evaluate_code,
    evaluate_tests,
)
from certo.vocabulary.errors import BadSetting, BudgetExhausted
from support.models.scripted_answers import Answers, busy, reply
from support.runtime import make_runtime

pytestmark = pytest.mark.acceptance(96, 97, 98, 100, 102)


@pytest.fixture(autouse=True)
async def runtime() -> AsyncIterator[None]:
    async with make_runtime():
        yield


def code(text: str) -> str:
    return f"Here it is:\n```python\n{text}\n```"


BROKEN, FAILING, RIGHT = code("x = y"), code("def test_x():\n    assert 1 == 2"), code("print('done')")


async def fixed(*answers: str, config: RetryConfig | None = None, **options: object) -> tuple[CodeFixer, Answers]:
    model = Answers([reply(text) for text in answers])
    call = AIGenerate("Write it.", model=model, config=config)
    return await CodeFixer(call, **options).run(), model


async def test_rounds_end_once_code_runs() -> None:
    fixer, model = await fixed(BROKEN, FAILING, RIGHT, num_rounds=5)
    assert (fixer.round_counter, len(model.asked), fixer.call.success) == (2, 3, True)
    assert fixer.call.last_output == RIGHT
    assert (fixer.evaluation.outcome, fixer.evaluation.stdout) == (CodeOutcome.SUCCESS, "done\n")
    first, second = (prompt.messages[-1].text for prompt in model.asked[1:])
    assert "NameError: name 'y' is not defined" in first
    assert "the left side is 1 and the right side is 2" in second
    assert first.splitlines()[0] != second.splitlines()[0]
    assert [message.role for message in model.asked[2].messages] == ["user", "assistant"] * 2 + ["user"]
    assert [node.success for node in fixer.call.samples] == [None, False, False, True]


async def test_working_code_needs_no_round() -> None:
    fixer, model = await fixed(RIGHT)
    assert (fixer.round_counter, len(model.asked), fixer.call.success) == (0, 1, True)


async def test_best_failing_attempt_is_kept() -> None:
    fixer, model = await fixed(FAILING, "nothing", code("x ="), num_rounds=2, templates="CodeFixerTiny")
    assert (fixer.call.success, fixer.call.last_output, fixer.round_counter) == (False, FAILING, 2)
    assert "No Python code found" in model.asked[2].messages[-1].text
    await fixer.run(num_rounds=1)
    assert (fixer.round_counter, len(model.asked)) == (3, 4)


async def test_rounds_go_on_from_best_sample() -> None:
    """Of several samples the best is gone on from and no more is asked than is left."""
    config = RetryConfig(n_samples=2, max_calls=4)
    fixer, model = await fixed(FAILING, BROKEN, BROKEN, BROKEN, config=config, num_rounds=9)
    assert (len(model.asked), fixer.round_counter) == (4, 1)
    assert model.asked[2].messages[1].text == FAILING
    assert fixer.call.last_output == FAILING


async def test_missing_answer_is_asked_again() -> None:
    model = Answers([busy(), reply(BROKEN), busy(), reply(RIGHT)])
    call = AIGenerate("Write it.", model=model, config=RetryConfig(catch_errors=True))
    fixer = await CodeFixer(call, "CodeFixerShort").run()
    assert (fixer.call.success, fixer.round_counter) == (True, 3)
    assert model.asked[3].messages == model.asked[2].messages


async def test_long_conversation_keeps_its_beginning() -> None:
    fixer, model = await fixed(code("x = y\n" + "# long\n" * 100), num_rounds=2, max_conversation_length=1200)
    assert fixer.round_counter == 2
    for prompt in model.asked:
        assert prompt.messages[0].text == "Write it."
        assert sum(len(message.text) for message in prompt.messages) <= 1200
        assert "NameError" in prompt.messages[-1].text or prompt is model.asked[0]


async def test_the_words_may_be_the_callers_own() -> None:
    fixer, model = await fixed(
        BROKEN, BROKEN, BROKEN, templates=["First: $feedback", "Then: $feedback"], num_rounds=2,
        feedback_func=lambda evaluation: evaluation.outcome.value,
    )  # fmt: skip
    assert [prompt.messages[-1].text for prompt in model.asked[1:]] == ["First: CodeFailedEval", "Then: CodeFailedEval"]
    assert fixer.call.samples.find(1).feedback == "CodeFailedEval"


async def test_what_cannot_be_paid_is_raised() -> None:
    call = AIGenerate("x", model=Answers([reply(BROKEN), BudgetExhausted("no more")]))
    with pytest.raises(BudgetExhausted):
        await CodeFixer(call).run()
    assert call.last_message.role == "user"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"num_rounds": -1}, "CodeFixer.num_rounds must be at least 0, not -1"),
        ({"max_conversation_length": 5}, "CodeFixer.max_conversation_length must be at least 100, not 5"),
        ({"execution_timeout": 0}, "CodeFixer.execution_timeout must be more than 0 seconds, not 0"),
        ({"templates": "CodeFixer"}, "there is no template 'CodeFixer'; known: CodeFixerRCI"),
        ({"templates": []}, "has no text"),
        ({"templates": ["Again!"]}, "has to have a place for $feedback"),
        (
            {"templates": PromptTemplate(name="mine", texts=("$feedback $x",))},
            "the template 'mine' has to have a place",
        ),
    ],
)
async def test_a_fixer_that_cannot_be_is_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(BadSetting, match=re.escape(said)):
        CodeFixer(AIGenerate("x"), **options)


async def test_evaluate_code_serves_as_condition() -> None:
    """The code of an answer can be run as a condition."""
    model = Answers([reply(BROKEN), reply(RIGHT)])

    async def runs(call: AIGenerate) -> bool:
        return (await evaluate_code(call)).success

    call = await airetry(runs, await AIGenerate("Write it.", model=model).run(), "It does not run.")
    assert call.last_output == RIGHT


async def test_code_runs_with_prefix_and_suffix() -> None:
    said = Message(role="assistant", text=code("print(x)\nassert not x\ndef test_x():\n    assert 1 == 2"))
    with_tests = await evaluate_code(
        said, prefix="x = 5", suffix="print('end')", expression_transform="remove_test_items"
    )
    assert (with_tests.stdout, len(with_tests.tests), with_tests.success) == ("5\nend\n", 1, True)
    without = await evaluate_code(said, prefix="x = 5", expression_transform="remove_all_tests")
    assert (without.tests, without.success) == ((), True)
    assert (await evaluate_code(AIGenerate("x = 1"))).outcome is CodeOutcome.EMPTY
    assert (await evaluate_code("no code", prefix="x = 5")).outcome is CodeOutcome.EMPTY


async def test_tests_run_with_mocked_function() -> None:
    good = "from half import half\n\ndef test_half():\n    with pytest.raises(TypeError):\n        half(None)\n"
    good += "    for x in half(range(3)):\n        assert x\n    assert half(4) == 2\n"
    assert (await evaluate_tests(code("import pytest\n" + good), "half")).success
    bad = await evaluate_tests(code(good.replace("range(3)", "rnge(3)").replace("pytest", "unittest")), "half")
    assert (bad.outcome, bad.tests[0].error.kind) == (CodeOutcome.FAILED_EVAL, "NameError")
    assert (await evaluate_tests("no tests", "half")).outcome is CodeOutcome.EMPTY
