"""Criteria in a strategy, with the headline use of A1, which raises there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from certo import AllOf, QualitativeCriteria, QuantitativeCriteria, Runtime, Specification, Strategy
from certo.llm.model import ignore_text
from certo.llm.prompt import Delta, Finish, Prompt, Reply
from certo.vocabulary.errors import AttemptsFailed, ModelFailed
from certo.vocabulary.verdict import Votes
from support.models.scripted_judges import Judge
from support.runtime import make_runtime

pytestmark = pytest.mark.acceptance(28, 31, 32, 33)

RIGHT = "def double(number: int) -> int:\n    return number * 2\n"
LONG = "def double(number: int) -> int:\n    total = number\n    total = total + number\n    return total\n"
WANTED = Specification(name="double", description="Double a number.", inputs={"number": int}, output=int)


def writing(*codes: str) -> Callable[..., Any]:
    """A generator that gives these, one after the other."""
    rest = iter(codes)

    def write(specification: Specification, past: object) -> str:
        return next(rest)

    return write


@pytest.fixture
def runtime() -> Runtime:
    return make_runtime()


async def test_criterion_votes_are_in_the_report(runtime: Runtime) -> None:
    kind = QualitativeCriteria("Is it kind?", Judge("true", ModelFailed("down"), "true"), 3, min_pass=2, name="kind")
    generated = await runtime.generate(WANTED, strategy=Strategy(generate=writing(RIGHT), verify=kind))
    verdict = generated.report.verdicts[-1]
    assert (verdict.verifier, verdict.votes) == ("kind", Votes(passed=2, valid=2, asked=3, needed=2))


async def test_unmet_criterion_fails_with_reason(runtime: Runtime) -> None:
    """A candidate that does not meet it fails with the reason."""
    reason = '{"reason": "it is rude", "verdict": false}'
    style = AllOf(QualitativeCriteria("Is it kind?", Judge(reason)), name="style")
    strategy = Strategy(generate=writing(RIGHT), verify=style, num_candidates=1, max_iterations=1)
    with pytest.raises(AttemptsFailed, match=r"style: failed .* \(0/1 samples passed, need 1\); it is rude"):
        await runtime.generate(WANTED, strategy=strategy)


class LikesTotals:
    """A judge that finds code clearer when it names its total."""

    name = "scripted:likes"

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        text = "Score: 9/10" if "total" in prompt.messages[-1].text else "Score: 4/10"
        return Reply(text=text, finish=Finish.COMPLETE, model="likes")


@pytest.mark.parametrize(("higher", "winner", "cost"), [(True, "total = number", 1), (False, "number * 2", 4)])
async def test_better_rated_candidate_wins(runtime: Runtime, higher: bool, winner: str, cost: float) -> None:
    clear = QuantitativeCriteria("How clear is it?", LikesTotals(), higher_is_better=higher, name="clarity")
    strategy = Strategy(generate=writing(RIGHT, LONG), cost=clear, first_try=False, num_candidates=2, max_iterations=1)
    generated = await runtime.generate(WANTED, strategy=strategy)
    assert winner in generated.source
    assert generated.best.cost.value == cost
    assert [spread.criterion for spread in generated.best.cost.spreads] == ["clarity"]
