"""What cannot be called as a Strategy calls it is refused at once, and what a criterion overrides counts."""

from __future__ import annotations

from typing import Any

import pytest

from certo import (
    AllOf,
    Example,
    QualitativeCriteria,
    QuantitativeCriteria,
    Runtime,
    Specification,
    Strategy,
    WeightedSum,
)
from certo.vocabulary.errors import BadSetting
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
    ],
)
def test_wrong_signatures_are_refused_at_once(given: dict[str, Any], words: str) -> None:
    with pytest.raises(BadSetting, match=words):
        Strategy(**given)


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
