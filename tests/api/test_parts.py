"""What cannot be called as a Strategy calls it is refused at once, and what a criterion overrides counts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from certo import (
    LLM,
    AllOf,
    Example,
    Project,
    QualitativeCriteria,
    QuantitativeCriteria,
    Runtime,
    Specification,
    Strategy,
    Trace,
    WeightedSum,
)
from certo.api.execution import Code, Executed
from certo.generators import Ask, Problem, Proposal, TextEdit, register
from certo.llm.prompt import Prompt, Reply
from certo.vocabulary.errors import AttemptsFailed, BadRequest, BadSetting, BrokenWorld, ModelFailed
from support.models.scripted_answers import Answers, reply
from support.runtime import make_runtime

DOUBLE = Specification(
    name="double",
    description="Double a number.",
    inputs={"number": int},
    output=int,
    examples=[Example(inputs={"number": 3}, output=6)],
)
RIGHT = "def double(number: int) -> int:\n    return number * 2\n"


def write(wanted: Specification, past: tuple[Any, ...]) -> str:
    return RIGHT


def taking(parameters: str) -> Any:
    """Return a function with these parameters."""
    return eval(f"lambda {parameters}: True")


class Judge:
    """A verifier as A1 has them, with a method of the wrong kind."""

    def verify(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"generate": taking("")}, r"Strategy.generate.*is called with wanted, past: too many positional"),
        ({"generate": taking("wanted")}, "is called with wanted, past"),
        ({"generate": 3}, "cannot be called"),
        ({"verify": taking("")}, r"Strategy.verify.*is called with code"),
        ({"verify": taking("code, other")}, "missing a required argument: 'other'"),
        ({"verify": [len, taking("")]}, "is called with code"),
        ({"verify": Judge()}, r"verify\(\) -> .*is called with code"),
        ({"verify": "no"}, "cannot be called"),
        ({"cost": taking("code, more")}, r"Strategy.cost.*is called with code"),
        ({"cost": [len]}, "a list, where one is wanted"),
        ({"evaluate": taking("")}, r"Strategy.evaluate.*is called with text"),
        ({"compact": 3}, r"cannot be called; give something with compact\(\)"),
    ],
)
def test_wrong_signatures_are_refused_at_once(given: dict[str, Any], words: str) -> None:
    with pytest.raises(BadSetting, match=words):
        Strategy(**given)


class Deaf:
    """A model that cannot be heard while it answers."""

    name = "deaf"

    async def answer(self, prompt: Prompt) -> Reply:
        return reply("")


class Nameless:
    """A model without a name."""

    async def answer(self, prompt: Prompt, /, **heard: object) -> Reply:
        return reply("")


class Closed:
    """An executor that has nothing outside."""

    async def execute(self, code: Code, inputs: object) -> Executed:
        return Executed()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"llm": 3}, r"Runtime.llm: 3 cannot be called; give something with answer\(\)"),
        ({"llm": LLM}, "is a class; give one of its objects"),
        ({"llm": Deaf()}, r"Deaf\.answer.* is called with prompt, heard=…: got an unexpected keyword argument 'heard'"),
        ({"llm": Nameless()}, "has no name"),
        ({"executor": Closed()}, r"Closed\.execute.* is called with code, inputs, outside=…: got an unexpected"),
        ({"executor": Closed}, "is a class"),
        ({"settings": None}, "Runtime.settings = None: give them by name"),
        ({"executor": len}, r"Runtime.executor: .* cannot be called; give something with execute\(\)"),
        ({"listener": taking("event")}, r"Runtime.listener: .* is called with live, event"),
        ({"strategy": {"max_iterations": 3}}, "Runtime.strategy = .*: give a Strategy"),
        ({"settings": ["tests.seconds"]}, "Runtime.settings = .*: give them by name"),
        ({"cache": "here"}, "Runtime.cache = 'here': give a CodeCache"),
    ],
)
def test_wrong_parts_of_runtimes_are_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(BadSetting, match=words):
        Runtime(**given)


@pytest.mark.parametrize("wanted", ["double", None])
@pytest.mark.parametrize(
    "ask",
    [
        lambda runtime, wanted: runtime.generate(wanted),
        lambda runtime, wanted: runtime.build(wanted),
        lambda runtime, wanted: runtime.run(wanted, {}),
    ],
)
async def test_only_specifications_are_wanted(ask: Any, wanted: object, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=f"{wanted!r}: give a Specification"):
        await ask(make_runtime(trace=Trace(tmp_path / "trace")), wanted)


async def test_wrong_arguments_are_refused_first() -> None:
    runtime = make_runtime()
    with pytest.raises(BadSetting, match="give a Strategy"):
        await runtime.generate(DOUBLE, strategy={})  # type: ignore[arg-type]
    with pytest.raises(BadSetting, match=r"double\.llm: 3 cannot be called"):
        await runtime.generate(DOUBLE, llm=3)  # type: ignore[arg-type]
    with pytest.raises(BadRequest, match="the inputs of double = None: give them by name"):
        await runtime.run(DOUBLE, None)  # type: ignore[arg-type]
    for example in ({"inputs": {}, "output": 1}, None):
        with pytest.raises(BadSetting, match="example 1 of double"):
            Specification(name="double", description="Double.", examples=[example])  # type: ignore[list-item]


async def test_settings_of_projects_have_names(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"Project\.settings = .*: give them by name"):
        Project(tmp_path, settings=["x"])  # type: ignore[arg-type]
    async with Project(tmp_path) as project:
        with pytest.raises(BadSetting, match=r"settings = .*: give them by name"):
            async with project.search("shop.py::total", settings=["x"]):  # type: ignore[arg-type]
                pass


async def test_models_are_given_by_name() -> None:
    with pytest.raises(BadRequest, match="'nobody' does not say whose model it is"):
        await make_runtime(llm="nobody").generate(DOUBLE)
    # The empty name is that of the default model, also where the runtime has another, and there is no default one.
    with pytest.raises(BadRequest, match="no model is set up here"):
        await make_runtime(llm=Answers([reply(RIGHT)])).generate(DOUBLE, llm="")


class Faltering:
    """A generator of others, which fails as it is told before it proposes what is right; `told` are its errors."""

    name = "faltering"

    def __init__(self, *failures: object) -> None:
        self.failures = list(failures)
        self.told: list[tuple[int, tuple[str, ...]]] = []

    @asynccontextmanager
    async def open(self, problem: Problem, say: object) -> AsyncIterator[Faltering]:
        self.body = problem.target.body
        yield self

    async def propose(self, ask: Ask) -> Any:
        self.told.append((ask.attempt, ask.errors))
        failure = self.failures.pop(0) if self.failures else None
        if isinstance(failure, Exception):
            raise failure
        if isinstance(failure, str) and failure.startswith("return"):
            return Proposal(edits=(TextEdit(self.body, failure),))
        return failure or Proposal(edits=(TextEdit(self.body, "return number * 2"),))


async def test_failing_plugin_generator_keeps_its_line() -> None:
    """A generator that raises, or answers nothing, has used up one of its line's attempts, and is told why."""
    faltering = Faltering(ValueError("oops"), "no proposal")
    strategy = Strategy(generate=faltering, num_candidates=1, max_iterations=3)
    assert (await make_runtime().generate(DOUBLE, strategy=strategy)).verified
    assert [attempt for attempt, _ in faltering.told] == [0, 1, 2]
    first, second = faltering.told[-1][1]
    assert "raised ValueError: oops" in first
    assert "no proposal" in second
    always = Faltering(*[ValueError("oops")] * 9)
    with pytest.raises(AttemptsFailed, match="the generator raised ValueError: oops"):
        await make_runtime().generate(DOUBLE, strategy=strategy.model_copy(update={"generate": always}))
    assert len(always.told) == 3


async def test_failures_shorten_the_line() -> None:
    """What has failed counts beside what was wrong; a generator is told its last few failures only."""
    faltering = Faltering(ValueError("oops"), ValueError("oops"), *["return number * 9"] * 9)
    strategy = Strategy(generate=faltering, num_candidates=1, max_iterations=3)
    with pytest.raises(AttemptsFailed):
        await make_runtime().generate(DOUBLE, strategy=strategy)
    assert [attempt for attempt, _ in faltering.told] == [0, 1, 2]
    often = Faltering(*[ValueError(f"oops {number}") for number in range(7)])
    strategy = Strategy(generate=often, num_candidates=1, max_iterations=8)
    assert (await make_runtime().generate(DOUBLE, strategy=strategy)).verified
    assert [error[-6:] for error in often.told[-1][1]] == ["oops 4", "oops 5", "oops 6"]


async def test_failing_at_once_can_be_cancelled() -> None:
    class Stopping(Faltering):
        async def propose(self, ask: Ask) -> Any:
            if ask.attempt == 3:
                scope.cancel()
            return await super().propose(ask)

    stopping = Stopping(*[ValueError("oops")] * 20)
    with anyio.CancelScope() as scope:
        await make_runtime().generate(DOUBLE, strategy=Strategy(generate=stopping, max_iterations=20))
    assert len(stopping.told) == 4


async def test_documented_errors_of_groups_count() -> None:
    """A generator with a task group of its own raises what its model raised in a group; it did not fail itself."""
    group = ExceptionGroup("tasks", [ExceptionGroup("more", [ModelFailed("the key is wrong")])])
    with pytest.raises(BrokenWorld, match="the key is wrong"):
        await make_runtime().generate(DOUBLE, strategy=Strategy(generate=Faltering(group), num_candidates=1))
    mixed = Faltering(ExceptionGroup("tasks", [ModelFailed("the key is wrong"), ValueError("oops")]))
    assert (await make_runtime().generate(DOUBLE, strategy=Strategy(generate=mixed, num_candidates=1))).verified
    assert mixed.told[1][1] == ("the generator raised ValueError: oops",)


async def test_failing_registered_generator_keeps_its_line() -> None:
    faltering = Faltering(ValueError("oops"))
    register("generator", "faltering")(lambda _: faltering)
    runtime = make_runtime()
    runtime.settings = {**runtime.settings, "search.generator": "faltering"}
    assert (await runtime.generate(DOUBLE)).verified
    assert len(faltering.told) == 2


async def test_failures_belong_to_one_line() -> None:
    """A strategy that begins one line after the other in a lane has all tries in each of them."""
    failures: list[object] = []
    for number in range(8):
        failures += [ValueError("oops"), f"return number * {number + 9}"]
    faltering = Faltering(*failures)
    register("generator", "by_lines")(lambda _: faltering)
    runtime = make_runtime()
    named = {"search.generator": "by_lines", "search.strategy": "linear_search", "linear_search.code_debug_tries": 1}
    runtime.settings = {**runtime.settings, **named}
    assert (await runtime.generate(DOUBLE)).verified
    assert len(faltering.told) == 17


@pytest.mark.parametrize(
    "given",
    [
        {"generate": write},
        {"generate": taking("wanted, past, context")},
        {"generate": taking("*all_of_it")},
        {"verify": taking("code")},
        {"verify": taking("code, agent")},
        {"verify": taking("code, *, context")},
        {"verify": [len, taking("code")]},
        {"cost": len},
        {"cost": taking("code, weight=2")},
    ],
)
def test_right_signatures_are_taken(given: dict[str, Any]) -> None:
    assert Strategy(**given)


async def test_verifier_takes_the_runtime() -> None:
    """As A1's `verify(code, agent)`, by either name."""
    seen: list[object] = []

    def verify(code: str, agent: Runtime) -> bool:
        seen.append(agent)
        return "return" in code

    async def also(code: str, *, context: Runtime) -> tuple[bool, str]:
        seen.append(context)
        return True, ""

    runtime = make_runtime()
    generated = await runtime.generate(DOUBLE, strategy=Strategy(generate=write, verify=[verify, also]))
    assert generated.verified
    assert seen
    assert all(each is runtime for each in seen)


class Short(QualitativeCriteria):
    """A criterion that needs no model for what is too long."""

    async def verify(self, code: str, /) -> Any:
        return (False, "it is too long") if len(code) > 10 else await super().verify(code)


class Length(QuantitativeCriteria):
    """A criterion whose number needs no model."""

    async def compute(self, code: str, /) -> float:
        return float(len(code))


async def test_own_verify_of_a_criterion_counts() -> None:
    gate = Short("Is it short?", Answers([reply("yes")] * 9))
    assert (await gate.judged("x")).passed
    assert (await gate.judged("x" * 11)).message == "it is too long"
    joint = AllOf(QualitativeCriteria("Is it?", Answers([reply("yes")] * 9)), gate)
    assert not (await joint.verify("x" * 11)).passed
    with pytest.raises(Exception, match="it is too long"):
        await make_runtime().generate(DOUBLE, strategy=Strategy(generate=write, verify=gate, max_iterations=1))


async def test_own_compute_of_a_criterion_counts() -> None:
    gauge = Length("How long?", Answers([]))
    assert (await gauge.rated("xyz")).cost == 3.0
    assert await WeightedSum((gauge, 2.0)).compute("xyz") == 6.0
    generated = await make_runtime().generate(DOUBLE, strategy=Strategy(generate=write, cost=gauge))
    assert generated.passed[0].cost.value > 10
    assert "less is better" in generated.passed[0].cost.source


async def test_own_verify_that_says_nothing_is_told() -> None:
    class Silent(QualitativeCriteria):
        async def verify(self, code: str, /) -> Any:
            return None

    with pytest.raises(TypeError, match="its verify returned None"):
        await Silent("Is it?", Answers([])).judged("x")
