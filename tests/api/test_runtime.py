"""Code from a specification: judged, priced, built, cached and called, with real runs in the sandbox."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import Field

from certo import (
    LLM,
    Code,
    Declined,
    Example,
    Executed,
    Failed,
    Message,
    Runtime,
    SlidingWindow,
    Specification,
    Strategy,
    generate,
    tool,
)
from certo.sandbox.process.process_table import Process, descendants
from certo.verification.static.code_shape import IsLoop
from certo.vocabulary.errors import AttemptsFailed, BadRequest, BadSetting, BrokenWorld, CallFailed, ModelFailed
from support.models.scripted_answers import Answers, reply
from support.runtime import make_runtime

pytestmark = pytest.mark.acceptance(9, 10, 12, 14, 18, 36, 38, 42, 44, 45)

RIGHT = "def double(number: int) -> int:\n    return number * 2\n"
LONG = "def double(number: int) -> int:\n    total = number\n    total = total + number\n    return total\n"
WRONG = "def double(number: int) -> int:\n    return number + 2\n"
LATE = "def double(number: int) -> int:\n    if number > 9:\n        raise ValueError('late')\n    return number * 2\n"


def wanted(**changes: Any) -> Specification:
    fields = {"name": "double", "description": "Double a number.", "inputs": {"number": int}, "output": int}
    return Specification(**{**fields, **changes})


EXAMPLES = [Example(inputs={"number": 3}, output=6)]


def writing(*codes: str | Declined) -> Callable[..., Any]:
    """A generator that gives these, one after the other."""
    rest = iter(codes)

    def write(specification: Specification, past: tuple[Failed, ...]) -> str | Declined:
        return next(rest, Declined(reason="nothing more to write"))

    return write


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    return make_runtime(tmp_path)


async def test_untested_specification_starts_no_process(runtime: Runtime) -> None:
    """Neither tests nor the built-in search run beside what writes the code."""
    seen: list[list[Process]] = []

    def write(specification: Specification, past: tuple[Failed, ...]) -> str:
        seen.append(descendants(os.getpid()))
        return RIGHT

    async with runtime:
        generated = await generate(wanted(), strategy=Strategy(generate=write))
    assert seen == [[]]
    assert not generated.verified


@pytest.mark.slow
async def test_next_attempt_sees_failed_ones(runtime: Runtime) -> None:
    seen: list[tuple[Failed, ...]] = []

    async def write(specification: Specification, past: tuple[Failed, ...]) -> str:
        seen.append(past)
        return WRONG if not past else RIGHT

    generated = await runtime.generate(wanted(examples=EXAMPLES), strategy=Strategy(generate=write, num_candidates=1))
    assert generated.verified
    assert "return number * 2" in generated.source
    assert generated.report.verdicts[0].verifier == "syntax"
    assert seen[0] == ()
    assert "return number + 2" in seen[1][0].code
    assert seen[1][0].error.startswith("doctests: ")
    assert [tried.error == "" for tried in generated.tried] == [False, True]


async def test_wrong_tool_constants_are_refused_early(runtime: Runtime) -> None:
    """Constants that a tool does not take are refused before anything runs."""

    @tool(outside=True, stand_in=five)
    def search(text: str, *, limit: Annotated[int, Field(le=50)] = 10) -> int:
        raise AssertionError("no tool is called here")

    seen: list[str] = []

    def write(specification: Specification, past: tuple[Failed, ...]) -> str:
        seen.extend(each.error for each in past[-1:])
        limit = 5 if past else 500
        return f"def double(number: int) -> int:\n    return number + search('a', limit={limit}) - 5 + number\n"

    strategy = Strategy(generate=write, num_candidates=1)
    generated = await runtime.generate(wanted(tools=[search], examples=EXAMPLES), strategy=strategy)
    assert seen == ["constants: search: limit=500 will not do: Input should be less than or equal to 50"]
    assert generated.verified
    assert "constants" in [verdict.verifier for verdict in generated.report.verdicts]


def five(text: str, *, limit: int = 10) -> int:
    return 5


async def test_failed_search_tells_every_attempt(runtime: Runtime) -> None:
    strategy = Strategy(generate=writing(WRONG, "Sorry, I cannot.", Declined(reason="no idea")), num_candidates=1)
    with pytest.raises(AttemptsFailed) as failed:
        await runtime.generate(wanted(examples=EXAMPLES), strategy=strategy)
    [tried] = failed.value.attempts
    assert tried.error.startswith("doctests: ")
    assert "write gave no code" in str(failed.value)


async def test_failing_generator_uses_one_try(runtime: Runtime) -> None:
    """A generator that fails once has used up one try and is told."""
    seen: list[tuple[Failed, ...]] = []

    def write(specification: Specification, past: tuple[Failed, ...], context: Sequence[Message]) -> str | None:
        seen.append(past)
        told = [each.error for each in past]
        assert [turn.text for turn in context if turn.role == "user"] == [specification.description, *told]
        match len(seen):
            case 1:
                raise TimeoutError("the line is busy")
            case 2:
                return WRONG
            case 3:
                return None
            case 4:
                return "Sorry, I cannot."
        return RIGHT

    strategy = Strategy(generate=write, num_candidates=1, max_iterations=5)
    generated = await runtime.generate(wanted(examples=EXAMPLES), strategy=strategy)
    assert (generated.verified, len(generated.tried)) == (True, 2)
    errors = [each.error.partition(":")[0] for each in seen[-1]]
    assert errors == ["write raised TimeoutError", "doctests", "write gave no code and no reason", "write gave no code"]
    assert [bool(each.code) for each in seen[-1]] == [False, True, False, True]


async def test_always_failing_generator_is_bounded(runtime: Runtime) -> None:
    """A generator that fails every time is asked as often as all lines have tries."""
    calls: list[int] = []

    def write(specification: Specification, past: tuple[Failed, ...]) -> str:
        calls.append(len(past))
        raise TimeoutError("the line is busy")

    with pytest.raises(AttemptsFailed, match="write raised TimeoutError: the line is busy"):
        await runtime.generate(wanted(examples=EXAMPLES), strategy=Strategy(generate=write, num_candidates=2))
    assert calls == [0, 1, 2, 0, 1, 2]


async def test_verifiers_of_several_forms(runtime: Runtime) -> None:
    """Verifiers may be functions classes and lists and are asked besides the others."""

    async def is_short(code: str) -> tuple[bool, str]:
        return len(code.splitlines()) < 12, "keep it short"

    class Polite:
        def verify(self, code: str) -> bool:
            return "total" not in code

    def broken(code: str) -> bool:
        raise KeyError("oops")

    both = [is_short, [Polite()]]
    generated = await runtime.generate(wanted(), strategy=Strategy(generate=writing(LONG, RIGHT), verify=both))
    assert [tried.error for tried in generated.tried] == ["Polite: Polite refuses the code", ""]
    verifiers = [verdict.verifier for verdict in generated.report.verdicts]
    assert verifiers == ["syntax", "signature", "policy", "is_short", "Polite"]
    with pytest.raises(AttemptsFailed, match="broken could not judge: KeyError: 'oops'"):
        await runtime.generate(wanted(), strategy=Strategy(generate=writing(RIGHT), verify=broken))
    with pytest.raises(BadSetting, match="3 cannot be called; give a function"):
        await runtime.generate(wanted(), strategy=Strategy(generate=writing(RIGHT), verify=3))


async def test_silent_model_is_told(runtime: Runtime) -> None:
    """A model that does not answer is told of as that."""
    llm = LLM(Answers([ModelFailed("the key in OPENAI_API_KEY is wrong")]))
    with pytest.raises(BrokenWorld, match="the key in OPENAI_API_KEY is wrong"):
        await runtime.generate(wanted(), llm=llm)


async def test_budget_bounds_model_calls_of_search() -> None:
    model = Answers([reply("```python\n" + WRONG + "```")])
    runtime = make_runtime()
    runtime.settings = {**runtime.settings, "search.calls": 2}
    with pytest.raises(AttemptsFailed, match=r"search\.calls = 2") as failed:
        await runtime.generate(wanted(), llm=LLM(model), strategy=Strategy(verify=lambda code: not code))
    assert len(model.asked) == 2
    assert failed.value.spent.calls == 2


async def test_policy_stays_with_added_verifier(runtime: Runtime) -> None:
    code = "def double(number: int) -> int:\n    import os\n    os.listdir('.')\n    return number * 2\n"
    with pytest.raises(AttemptsFailed, match="policy: "):
        await runtime.generate(wanted(), strategy=Strategy(generate=writing(code), verify=len))


async def test_cheapest_wins_despite_failing_cost(runtime: Runtime) -> None:
    """The cheapest wins and a cost that fails kills no other."""

    def lines(code: str) -> float:
        if "total" not in code:
            return float(len(code.splitlines()))
        raise ZeroDivisionError("no price")

    strategy = Strategy(generate=writing(LONG, RIGHT), cost=lines, first_try=False, num_candidates=2)
    generated = await runtime.generate(wanted(), strategy=strategy)
    assert "return number * 2" in generated.source
    assert [passed.cost.source for passed in generated.passed] == [
        "points by lines",
        "not priced: ZeroDivisionError: no price",
    ]


async def test_cheap_enough_candidate_wins_immediately(runtime: Runtime) -> None:
    strategy = Strategy(generate=writing(RIGHT, LONG), cost=len, accept_cost_threshold=1000.0)
    assert len((await runtime.generate(wanted(), strategy=strategy)).tried) == 1
    counted = Strategy(
        generate=writing(RIGHT, LONG, LATE), cost=len, compare_cost_threshold=1000.0, min_candidates_for_comparison=2,
        first_try=False,
    )  # fmt: skip
    assert len((await runtime.generate(wanted(), strategy=counted)).passed) >= 2


async def test_nothing_is_verified_without_examples(runtime: Runtime) -> None:
    generated = await runtime.generate(wanted(), strategy=Strategy(generate=writing(RIGHT)))
    assert not generated.verified


async def test_tests_judge_as_examples_do(runtime: Runtime) -> None:
    tests = "def test_of_four():\n    assert double(4) == 8\n"
    generated = await runtime.generate(wanted(tests=tests), strategy=Strategy(generate=writing(WRONG, RIGHT)))
    assert generated.verified
    assert len(generated.tried) == 2


@pytest.mark.slow
async def test_builtin_search_writes_without_model(runtime: Runtime) -> None:
    examples = [Example(inputs={"number": number}, output=number * 2) for number in (3, 5)]
    assert (await runtime.generate(wanted(examples=examples))).verified


async def test_built_function_is_cached(runtime: Runtime) -> None:
    """A built function is kept by all that decides what it is."""
    strategy = Strategy(generate=_write_right)
    first = await runtime.build(wanted(), strategy=strategy)
    again = await runtime.build(wanted(), strategy=strategy)
    assert (first.generated.cached, again.generated.cached) == (False, True)
    assert again.source == first.source
    assert again.generated.report == first.generated.report
    assert await again(number=21) == 42
    assert runtime.cache is not None
    assert {kept.name for kept in runtime.cache} == {"double"}
    assert not (await runtime.build(wanted(output=float), strategy=strategy)).generated.cached
    assert runtime.cache.clear() == 2


def _write_right(specification: Specification, past: tuple[Failed, ...]) -> str:
    return RIGHT.replace("int:", f"{specification.output.__name__}:")


async def test_a_call_is_typed_on_both_sides(runtime: Runtime) -> None:
    built = await runtime.build(wanted(), strategy=Strategy(generate=writing(RIGHT)))
    assert await built(number=4) == 8
    async with built.kept_ready() as ready:
        assert [await ready(number=number) for number in range(3)] == [0, 2, 4]
    with pytest.raises(BadRequest, match="the input 'number' of double"):
        await built(number="four")
    liar = "def double(number: int) -> int:\n    return number * 2 if number < 9 else 'many'\n"
    built = await runtime.build(wanted(), strategy=Strategy(generate=writing(liar)))
    with pytest.raises(CallFailed, match="it returned 'many', which is not what it is to return"):
        await built(number=10)


async def test_next_best_runs_after_failure(runtime: Runtime) -> None:
    """When the best fails at run the next best is called."""
    strategy = Strategy(generate=writing(LATE, RIGHT), cost=lambda code: -len(code), first_try=False, num_candidates=2)
    built = await runtime.build(wanted(), strategy=strategy)
    value, executed = await built.call({"number": 10})
    assert (value, [bool(ran.error) for ran in executed]) == (20, [True, False])
    strategy = Strategy(generate=writing(LATE, RIGHT), cost=lambda code: -len(code), first_try=False, num_candidates=2)
    with pytest.raises(CallFailed, match=r"double failed when it was called \(line \d+\): ValueError: late"):
        await run_with(runtime, strategy, fall_back="never")


async def run_with(runtime: Runtime, strategy: Strategy, **choices: Any) -> Any:
    return await runtime.run(wanted(), {"number": 10}, strategy=strategy, **choices)


@pytest.mark.slow
async def test_no_fallback_after_outside_calls(runtime: Runtime) -> None:
    """A candidate that has called a tool outside is not replaced by the next one."""
    charged: list[int] = []

    def pretend(amount):
        return amount

    @tool(outside=True, stand_in=pretend)
    def charge(amount: int) -> int:
        """Charge somebody."""
        charged.append(amount)
        return amount

    first = (
        "def double(number: int) -> int:\n    if charge(number) > 9:\n        raise ValueError\n    return number * 2\n"
    )
    second = "def double(number: int) -> int:\n    return charge(number) * 2\n"
    strategy = Strategy(
        generate=writing(first, second), cost=lambda code: -len(code), first_try=False, num_candidates=2
    )
    built = await runtime.build(wanted(tools=[charge]), strategy=strategy)
    assert (len(built.generated.passed), charged) == (2, [])
    with pytest.raises(CallFailed):
        await built(number=10)
    assert charged == [10]


async def test_callers_own_executor_is_used() -> None:

    class Elsewhere:
        async def execute(self, code: Code, inputs: Any, /, *, outside: Any = None) -> Executed:
            return Executed(output=inputs["number"] * 100, stdout=code.function)

    built = await make_runtime(executor=Elsewhere()).build(wanted(), strategy=Strategy(generate=writing(RIGHT)))
    value, [executed] = await built.call({"number": 3})
    assert (value, executed.stdout) == (300, "double")
    async with built.kept_ready() as same:
        assert await same(number=1) == 100


async def test_conversation_to_model_is_compacted(runtime: Runtime) -> None:
    model = Answers([reply(f"```python\n{WRONG}```"), reply(f"```python\n{RIGHT}```")])
    strategy = Strategy(verify=lambda code: "+" not in code, compact=SlidingWindow(window_size=1), num_candidates=1)
    await runtime.generate(wanted(), strategy=strategy, llm=LLM(model))
    assert [message.role for message in model.asked[1].messages] == ["system", "user"]


async def test_loop_template_needs_no_model(runtime: Runtime) -> None:
    """A loop around a model needs no model to write it."""
    model = Answers([reply("no number"), reply('{"value": 14}')])
    specification = wanted(tools=[LLM(model)])
    built = await runtime.build(specification, strategy=Strategy(verify=IsLoop()))
    assert model.asked == []
    assert await built(number=7) == 14
    assert "Double a number." in model.asked[0].messages[-1].text
    assert '{"number": 7}' in model.asked[0].messages[-1].text
    with pytest.raises(BadSetting, match="has no language model"):
        await runtime.build(wanted(), strategy=Strategy(verify=IsLoop()))


async def test_bug_of_the_template_is_certos(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(self: object, ask: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("certo.api.loop_template._Template.propose", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        await make_runtime().generate(wanted(tools=[LLM(Answers([]))]), strategy=Strategy(verify=IsLoop()))
