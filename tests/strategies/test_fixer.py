"""The fixer: rounds of criticism and improvement over candidates, with a model that hears what became of each.

So many rounds follow the first try, with other words in the first than in the later ones; it ends with success, and the
best attempt is the answer.
"""

from __future__ import annotations

from collections.abc import Sequence

import anyio
import pytest

from certo.costs.measures import EditSize
from certo.search.emitter import EventEmitter
from certo.search.engine import Parts, search
from certo.strategies.fixer import Fixer, FixerOptions
from certo.verification.static.syntax import SyntaxVerifier
from certo.verification.verifier import Pipeline
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Budget
from certo.vocabulary.errors import ModelFailed
from certo.vocabulary.events import Event, SearchStopped
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Goal, KnownTest, Problem
from certo.vocabulary.verdict import Finding, Ruling, TestEvidence, Verdict
from support.models.model_generator import block, generator, problem_of
from support.models.scripted_answers import Answering, Answers, reply

pytestmark = pytest.mark.acceptance(96)

HALF = "def f(n):\n    return n\n"
RED = KnownTest(id="test_mod.py::test_f", ruling=Ruling.FAILED, message="assert 4 == 2")


class Halves:
    """Two tests, of which `return n // 2` passes both, `return n - 1` one, and everything else raises."""

    name = "tests"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        right = "n // 2" in candidate.text
        near = "n - 1" in candidate.text
        message = "test_mod.py::test_f: assert 3 == 2" if near else "test_mod.py::test_f: NameError: name 'm'"
        passed = 2 if right else int(near)
        return Verdict(
            verifier="tests",
            ruling=Ruling.PASSED if right else Ruling.FAILED,
            findings=() if right else (Finding(message=message, line=2),),
            tests=TestEvidence(collected=2, ran=2, passed=passed, failed=2 - passed, skipped=0, touched=True),
        )


def answer(body: str) -> Answering:
    return reply(block(f"def f(n):\n    return {body}"))


async def fixed(answers: Sequence[Answering], **options: object) -> tuple[Answers, SearchStopped]:
    model, events = Answers(list(answers)), list[Event]()
    parts = Parts(
        generator=generator(model),
        strategy=Fixer(FixerOptions(**options)),
        pipeline=Pipeline(verifiers=(SyntaxVerifier(), Halves())),
        cost_model=EditSize(),
    )
    problem = problem_of(HALF, tests=[RED], goal=Goal.REPAIR)
    with anyio.fail_after(100):
        await search(
            problem, parts=parts, budget=Budget(candidates=20, seconds=100), emitter=EventEmitter("s", events.append)
        )
    assert isinstance(events[-1], SearchStopped)
    return model, events[-1]


async def test_rounds_get_feedback_until_success():
    """The feedback is on the last candidate."""
    model, stopped = await fixed([answer("m"), answer("n - 1"), answer("n // 2")])
    assert stopped.outcome is Outcome.SOLVED
    assert len(model.asked) == 3, "nothing is asked once one has passed"
    first, second = (prompt.messages[-1].text for prompt in model.asked[1:])
    assert "**Critique.**" in first
    assert "Of 1 tests 0 passed, 0 failed, and 1 had an error." in first
    assert "NameError: name 'm'" in first
    assert "The improved code was run too." in second
    assert "Of 2 tests 1 passed, 1 failed, and 0 had an error." in second
    assert "`return n - 1`" in second
    roles = [message.role for message in model.asked[2].messages]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]


@pytest.mark.parametrize("rounds", [0, 1, 3])
async def test_rounds_follow_the_first_attempt(rounds: int):
    answers = [answer(f"m + {number}") for number in range(10)]
    model, stopped = await fixed(answers, num_rounds=rounds)
    assert len(model.asked) == 1 + rounds
    assert stopped.outcome is Outcome.ATTEMPTS_SPENT


async def test_syntax_errors_differ_from_failures():
    model, _ = await fixed([answer("(n"), answer("n // 2")], template="CodeFixerTiny")
    said = model.asked[1].messages[-1].text
    assert said.startswith("### Execution Results\n\n**Parsing Error Detected:** SyntaxError: ")
    assert "never closed" in said


async def test_unanswered_round_still_counts():
    down = ModelFailed("it is down", transient=True)
    model, stopped = await fixed([answer("m"), down, answer("n // 2")], num_rounds=2)
    assert stopped.outcome is Outcome.SOLVED
    assert "NameError" in model.asked[2].messages[-1].text


def test_rounds_are_counted_from_none():
    with pytest.raises(ValueError, match="at least 0, not -1"):
        FixerOptions(num_rounds=-1)
