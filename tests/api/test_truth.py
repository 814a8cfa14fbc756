"""A value that says passed or failed cannot be misread by `if`, `all` and `any`."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from anyio import create_task_group

import certo
from certo.api.calls.call import AICall
from certo.api.execution import Executed
from certo.api.generated import Generated, Passed, Tried
from certo.criteria.combination import AllOf
from certo.criteria.qualitative import QualitativeCriteria
from certo.criteria.quantitative import QuantitativeCriteria
from certo.generation.generator import Declined
from certo.llm.typed.typed_answer import Answered
from certo.verification.code_evaluation import CodeOutcome, Evaluation
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.score import Score
from certo.vocabulary.verdict import Report, Ruling, TestEvidence, Verdict, Votes
from support.models.scripted_judges import Judge

pytestmark = pytest.mark.acceptance(32)

CODE = "def half(n):\n    return n / 2\n"

SAY_WHETHER = {"passed", "success", "verified", "is_valid"}
"""Names of what says whether something passed."""

READ_OTHERWISE = {
    "certo.search.bench.SearchBench": "what passed is a tuple there, which is empty where nothing did",
    "certo.api.generated.Built": "a function; there is none of code that did not pass",
    "certo.search.tree.Node": "find() returns one or None, and its success may be unknown",
    "certo.api.cache.Kept": "a row of a table",
    "certo.search.board.CandidateState": "a row of a table",
    "certo.vocabulary.knowledge.PastAttempt": "a row of a table",
    "certo.vocabulary.events.CandidateScored": "an event, which has happened",
    "certo.vocabulary.events.SearchStopped": "an event, which has happened",
    "certo.verification.dynamic.variant_run.VariantRun": "only the forgery verifier gets one",
}


def gate(*answers: str) -> QualitativeCriteria:
    return QualitativeCriteria("Is it right?", Judge(*answers), len(answers))


async def gathered(*gates: Any) -> list[Any]:
    """The idiom of A1's page: all criteria are asked at once, in a group as asyncio.gather makes one."""
    said: dict[int, Any] = {}

    async def ask(place: int) -> None:
        said[place] = await gates[place].verify(CODE)

    async with create_task_group() as group:
        for place in range(len(gates)):
            group.start_soon(ask, place)
    return [said[place] for place in range(len(gates))]


@pytest.mark.parametrize(
    ("answers", "all_of_them", "any_of_them"), [("tt", True, True), ("tf", False, True), ("ff", False, False)]
)
async def test_doubly_refused_fails_a_conjunction(answers: str, all_of_them: bool, any_of_them: bool) -> None:
    said = await gathered(*(gate("true" if answer == "t" else "false") for answer in answers))
    assert all(said) is all_of_them
    assert any(said) is any_of_them


async def test_check_unpacks_as_a_pair() -> None:
    """A check still unpacks as whether it passed and why not."""
    passed, why_not = await AllOf(gate("true"), gate('{"reason": "it leaks", "verdict": false}')).verify(CODE)
    assert passed is False
    assert why_not is not None
    assert "it leaks" in why_not
    assert await gate("true").verify(CODE) == (True, None)


def report(ruling: Ruling) -> Report:
    return Report(candidate_id="c", verdicts=(Verdict(verifier="tests", ruling=ruling),))


@pytest.mark.parametrize(
    ("value", "holds"),
    [
        *((ruling, ruling is Ruling.PASSED) for ruling in Ruling),
        *((outcome, outcome is CodeOutcome.SUCCESS) for outcome in CodeOutcome),
        *((Evaluation(code=CODE, outcome=outcome), outcome is CodeOutcome.SUCCESS) for outcome in CodeOutcome),
        (Executed(output=0), True),
        (Executed(error="ValueError: no"), False),
        (Declined(reason="nothing left"), False),
        (Answered(value=0, text="0", is_valid=True, tries=(), conversation=()), True),
        (Answered(value=None, text="", is_valid=False, tries=(), conversation=()), False),
        (AICall("Hi"), False),
    ],
    ids=repr,
)
def test_results_are_true_if_successful(value: object, holds: bool) -> None:
    assert bool(value) is holds


@pytest.mark.parametrize(
    "value",
    [
        report(Ruling.FAILED),
        report(Ruling.FAILED).failure,
        Votes(passed=0, valid=2, asked=2, needed=1),
        TestEvidence(collected=1, ran=1, passed=0, failed=1, skipped=0),
        Score(value=0.0, unit="tests", source="its tests"),
        Outcome.EXHAUSTED,
    ],
    ids=repr,
)
def test_ambiguous_results_refuse_truth_value(value: object) -> None:
    """A result of which more than one thing is known refuses to be read as true."""
    with pytest.raises(TypeError, match="has no truth value; ask for"):
        bool(value)


async def test_samples_and_ratings_refuse_too() -> None:
    decision = await gate("true", "false").decide(CODE)
    rating = await QuantitativeCriteria("How dear is it?", Judge("3")).rate(CODE)
    for value in (*decision.samples, rating):
        with pytest.raises(TypeError, match="has no truth value"):
            bool(value)


def classes() -> Iterator[type]:
    """Every class of the rooms that programs in Python see values of."""
    for room in ("api", "criteria", "generation", "llm", "search", "verification", "vocabulary"):
        package = importlib.import_module(f"certo.{room}")
        for found in pkgutil.walk_packages(package.__path__, f"certo.{room}."):
            if ".program." in found.name or found.name.endswith("keyring_reader"):
                continue
            module = importlib.import_module(found.name)
            yield from (
                each for _, each in inspect.getmembers(module, inspect.isclass) if each.__module__ == found.name
            )


def test_every_result_class_decides_its_truth() -> None:
    """Every class that says whether something passed has a truth value or refuses one."""
    silent = {
        f"{each.__module__}.{each.__qualname__}"
        for each in classes()
        if not each.__name__.startswith("_")
        and SAY_WHETHER & {*dir(each), *getattr(each, "__annotations__", {})}
        and not hasattr(each, "__bool__")
    }
    assert silent - READ_OTHERWISE.keys() == set()


def test_no_export_returns_bare_pairs() -> None:
    """No exported function returns whether and more as a plain tuple."""
    for name in certo.__all__:
        value = getattr(certo, name)
        functions = [value, *(each for _, each in inspect.getmembers(value, inspect.isfunction))]
        for function in filter(inspect.isfunction, functions):
            returned = str(function.__annotations__.get("return", ""))
            assert not returned.startswith("tuple[bool"), f"{name}: {function.__qualname__}"


def test_results_of_a_search_refuse() -> None:
    for kind in (Generated, Passed, Tried):
        with pytest.raises(TypeError, match="has no truth value"):
            bool(object.__new__(kind))
