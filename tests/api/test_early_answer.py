"""A specification's model is asked before anything runs, and its answer is judged like any other."""

from __future__ import annotations

from typing import Any

import pytest

from certo import Example, Runtime, Specification, Strategy
from certo.llm.prompt import Prompt, Reply
from certo.vocabulary.errors import AttemptsFailed, BrokenWorld, ModelFailed
from certo.vocabulary.events import CandidateWritten, Event, SearchPreparing
from support.models.scripted_answers import Answers, reply

RIGHT = "```python\ndef double(number: int) -> int:\n    return number * 2\n```"
WRONG = RIGHT.replace("* 2", "+ 2")


def wanted(**changes: Any) -> Specification:
    fields = {"name": "double", "description": "Double a number.", "inputs": {"number": int}, "output": int}
    return Specification(**{**fields, **changes})


EXAMPLES = wanted(examples=[Example(inputs={"number": 3}, output=6)])
TESTS = wanted(tests="class TestDouble:\n    def test_four(self):\n        assert double(4) == 8\n")


class Listening:
    """A runtime's model and listener; `after_runs` tells of each question if the tests had begun to run by then."""

    name = "scripted:listening"

    def __init__(self, *texts: str) -> None:
        self.inner = Answers([reply(text) for text in texts])
        self.events: list[Event] = []
        self.after_runs: list[bool] = []

    @property
    def runtime(self) -> Runtime:
        return Runtime(
            llm=self,
            listener=lambda _, event: self.events.append(event),
            settings={"sandbox.isolation": "process"},
            cache=None,
        )

    async def answer(self, prompt: Prompt, /, *, heard: Any) -> Reply:
        told = [event.message for event in self.events if isinstance(event, SearchPreparing)]
        self.after_runs.append(any(message.startswith("running") for message in told))
        return await self.inner.answer(prompt, heard=heard)


@pytest.mark.parametrize(
    ("specification", "named"),
    [
        pytest.param(EXAMPLES, "the example `double(number=3)`", id="examples"),
        pytest.param(TESTS, "`test_wanted.py::TestDouble::test_four`", id="tests"),
    ],
)
async def test_model_is_asked_before_tests_run(specification: Specification, named: str) -> None:
    """Its answer counts as the first candidate, is paid once and heard, and the next question knows of it."""
    model = Listening(WRONG, RIGHT)
    generated = await model.runtime.generate(specification, strategy=Strategy(num_candidates=1))
    assert model.after_runs == [False, True]
    assert named in model.inner.asked[0].messages[-1].text
    assert "number + 2" in model.inner.asked[1].messages[2].text
    assert (generated.verified, len(generated.tried), generated.spent.calls) == (True, 2, 2)
    assert WRONG.splitlines()[2] in "".join(each.text for each in model.events if isinstance(each, CandidateWritten))


async def test_declined_early_answer_is_an_answer() -> None:
    """What a model says early counts as its candidate, though it has no code."""
    model = Listening(*["I cannot."] * 9)
    with pytest.raises(AttemptsFailed):
        await model.runtime.generate(EXAMPLES, strategy=Strategy(num_candidates=1, max_iterations=1))
    assert len(model.after_runs) == 3


async def test_named_strategy_asks_by_itself() -> None:
    """A strategy of the settings may begin with an idea."""
    model = Listening(RIGHT)
    runtime = model.runtime
    runtime.settings = {**runtime.settings, "search.strategy": "best_of", "best_of.num_candidates": 1}
    assert (await runtime.generate(EXAMPLES)).verified
    assert model.after_runs == [True]


@pytest.mark.parametrize(
    ("failure", "raised"),
    [(ModelFailed("the key is wrong"), BrokenWorld), (ZeroDivisionError("the key is wrong"), RuntimeError)],
)
async def test_failures_come_out_as_always(failure: Exception, raised: type[Exception]) -> None:
    model = Listening()
    model.inner = Answers([failure])
    with pytest.raises(raised, match="the key is wrong"):
        await model.runtime.generate(EXAMPLES, strategy=Strategy(num_candidates=1))
