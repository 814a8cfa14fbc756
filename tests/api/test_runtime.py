"""Code from a specification: judged, priced, built, cached and called, with real runs in the sandbox."""

from __future__ import annotations

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
    build,
    generate,
    run,
    tool,
    wait,
)
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


async def test_a_failed_attempt_is_told_to_whoever_writes_the_next(runtime: Runtime) -> None:
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


async def test_constants_that_a_tool_does_not_take_are_refused_before_anything_runs(runtime: Runtime) -> None:
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


async def test_when_all_fail_every_attempt_is_told_with_its_error(runtime: Runtime) -> None:
    strategy = Strategy(generate=writing(WRONG, "Sorry, I cannot.", Declined(reason="no idea")), num_candidates=1)
    with pytest.raises(AttemptsFailed) as failed:
        await runtime.generate(wanted(examples=EXAMPLES), strategy=strategy)
    [tried] = failed.value.attempts
    assert tried.error.startswith("doctests: ")
    assert "write gave no code" in str(failed.value)


async def test_a_generator_that_fails_once_has_used_up_one_try_and_is_told(runtime: Runtime) -> None:
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


async def test_a_generator_that_fails_every_time_is_asked_as_often_as_all_lines_have_tries(runtime: Runtime) -> None:
    calls: list[int] = []

    def write(specification: Specification, past: tuple[Failed, ...]) -> str:
        calls.append(len(past))
        raise TimeoutError("the line is busy")

    with pytest.raises(AttemptsFailed, match="write raised TimeoutError: the line is busy"):
        await runtime.generate(wanted(examples=EXAMPLES), strategy=Strategy(generate=write, num_candidates=2))
    assert calls == [0, 1, 2, 0, 1, 2]


async def test_verifiers_may_be_functions_classes_and_lists_and_are_asked_besides_the_others(runtime: Runtime) -> None:
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
    with pytest.raises(BadSetting, match="the verifier 'int' is a int; it must be a function"):
        await runtime.generate(wanted(), strategy=Strategy(generate=writing(RIGHT), verify=3))


async def test_a_model_that_does_not_answer_is_told_of_as_that(runtime: Runtime) -> None:
    llm = LLM(Answers([ModelFailed("the key in OPENAI_API_KEY is wrong")]))
    with pytest.raises(BrokenWorld, match="the key in OPENAI_API_KEY is wrong"):
        await runtime.generate(wanted(), llm=llm)


async def test_a_budget_bounds_what_a_search_asks_of_models() -> None:
    model = Answers([reply("```python\n" + WRONG + "```")])
    runtime = make_runtime()
    runtime.settings = {**runtime.settings, "search.calls": 2}
    with pytest.raises(AttemptsFailed, match=r"search\.calls = 2") as failed:
        await runtime.generate(wanted(), llm=LLM(model), strategy=Strategy(verify=lambda code: not code))
    assert len(model.asked) == 2
    assert failed.value.spent.calls == 2


async def test_policy_stays_on_when_a_verifier_is_added(runtime: Runtime) -> None:
    code = "def double(number: int) -> int:\n    import os\n    os.listdir('.')\n    return number * 2\n"
    with pytest.raises(AttemptsFailed, match="policy: "):
        await runtime.generate(wanted(), strategy=Strategy(generate=writing(code), verify=len))


async def test_the_cheapest_wins_and_a_cost_that_fails_kills_no_other(runtime: Runtime) -> None:
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


async def test_a_candidate_that_is_cheap_enough_wins_at_once(runtime: Runtime) -> None:
    strategy = Strategy(generate=writing(RIGHT, LONG), cost=len, accept_cost_threshold=1000.0)
    assert len((await runtime.generate(wanted(), strategy=strategy)).tried) == 1
    counted = Strategy(
        generate=writing(RIGHT, LONG, LATE), cost=len, compare_cost_threshold=1000.0, min_candidates_for_comparison=2,
        first_try=False,
    )  # fmt: skip
    assert len((await runtime.generate(wanted(), strategy=counted)).passed) >= 2


async def test_what_has_no_examples_and_no_tests_is_not_verified(runtime: Runtime) -> None:
    generated = await runtime.generate(wanted(), strategy=Strategy(generate=writing(RIGHT)))
    assert not generated.verified


async def test_tests_judge_as_examples_do(runtime: Runtime) -> None:
    tests = "def test_of_four():\n    assert double(4) == 8\n"
    generated = await runtime.generate(wanted(tests=tests), strategy=Strategy(generate=writing(WRONG, RIGHT)))
    assert generated.verified
    assert len(generated.tried) == 2


async def test_without_a_model_the_built_in_search_writes(runtime: Runtime) -> None:
    examples = [Example(inputs={"number": number}, output=number * 2) for number in (3, 5)]
    assert (await runtime.generate(wanted(examples=examples))).verified


async def test_a_built_function_is_kept_by_all_that_decides_what_it_is(runtime: Runtime) -> None:
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


async def test_when_the_best_fails_at_run_the_next_best_is_called(runtime: Runtime) -> None:
    strategy = Strategy(generate=writing(LATE, RIGHT), cost=lambda code: -len(code), first_try=False, num_candidates=2)
    built = await runtime.build(wanted(), strategy=strategy)
    value, executed = await built.call({"number": 10})
    assert (value, [bool(ran.error) for ran in executed]) == (20, [True, False])
    strategy = Strategy(generate=writing(LATE, RIGHT), cost=lambda code: -len(code), first_try=False, num_candidates=2)
    with pytest.raises(CallFailed, match=r"double failed when it was called \(line \d+\): ValueError: late"):
        await run_with(runtime, strategy, fall_back="never")


async def run_with(runtime: Runtime, strategy: Strategy, **choices: Any) -> Any:
    return await runtime.run(wanted(), {"number": 10}, strategy=strategy, **choices)


async def test_what_has_touched_the_outside_is_not_tried_again_in_another_way(runtime: Runtime) -> None:
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
    generated = await runtime.generate(wanted(tools=[charge]), strategy=strategy)
    assert (len(generated.passed), charged) == (2, [])
    strategy = strategy.model_copy(update={"generate": writing(first, second)})
    with pytest.raises(CallFailed):
        await runtime.run(wanted(tools=[charge]), {"number": 10}, strategy=strategy)
    assert charged == [10]


async def test_an_executor_of_the_callers_own_makes_the_calls() -> None:
    class Elsewhere:
        async def execute(self, code: Code, inputs: Any, /, *, outside: Any = None) -> Executed:
            return Executed(output=inputs["number"] * 100, stdout=code.function)

    built = await make_runtime(executor=Elsewhere()).build(wanted(), strategy=Strategy(generate=writing(RIGHT)))
    value, [executed] = await built.call({"number": 3})
    assert (value, executed.stdout) == (300, "double")
    async with built.kept_ready() as same:
        assert await same(number=1) == 100


async def test_what_a_model_is_sent_may_be_shortened(runtime: Runtime) -> None:
    model = Answers([reply(f"```python\n{WRONG}```"), reply(f"```python\n{RIGHT}```")])
    strategy = Strategy(verify=lambda code: "+" not in code, compact=SlidingWindow(window_size=1), num_candidates=1)
    await runtime.generate(wanted(), strategy=strategy, llm=LLM(model))
    assert [message.role for message in model.asked[1].messages] == ["system", "user"]


async def test_a_loop_around_a_model_needs_no_model_to_write_it(runtime: Runtime) -> None:
    model = Answers([reply("no number"), reply('{"value": 14}')])
    specification = wanted(tools=[LLM(model)])
    built = await runtime.build(specification, strategy=Strategy(verify=IsLoop()))
    assert model.asked == []
    assert await built(number=7) == 14
    assert "Double a number." in model.asked[0].messages[-1].text
    assert '{"number": 7}' in model.asked[0].messages[-1].text
    with pytest.raises(BadSetting, match="has no language model"):
        await runtime.build(wanted(), strategy=Strategy(verify=IsLoop()))


def test_programs_that_are_not_asynchronous_wait(tmp_path: Path) -> None:
    with make_runtime(tmp_path, strategy=Strategy(generate=_write_right)):
        assert wait(generate(wanted())).passed
        built = wait(build(wanted()))
        assert wait(built(number=5)) == 10
        assert wait(run(wanted(), {"number": 6})) == 12
