"""Contract of a generator: propose edits of the target or decline, serve several asks at once, and end when left."""

from __future__ import annotations

from abc import ABC, abstractmethod

import anyio
import anyio.lowlevel

from certo.edits.patch import within
from certo.generation.generator import Ask, Attempt, Declined, Generator, Proposal
from certo.testing.fixtures import awaited, candidate_of, problem_about
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Report, Ruling, Verdict

_ASKS = 6


class GeneratorContract(ABC):
    """Tests for a generator; a Test… subclass creates a new one for each test."""

    @abstractmethod
    def generator(self) -> Generator:
        """Return the generator under test, new each time."""

    def problem(self) -> Problem:
        """Return the problem it is given: by default a function `half` that does not halve."""
        return problem_about()

    def test_it_has_a_name(self) -> None:
        """The name is shown beside each of its candidates."""
        assert self.generator().name

    def test_what_it_proposes_changes_the_target_and_nothing_else(self) -> None:
        """No one asked for edits outside the target function."""
        problem = self.problem()
        for answer in awaited(lambda: self._answers(problem)):
            if isinstance(answer, Declined):
                assert answer.reason.strip(), "whoever has no candidate says why"
                continue
            assert within(answer.edits, problem.target.span), f"{answer.edits} reach beyond {problem.target.span}"
            assert candidate_of(answer.edits, problem).text

    def test_several_may_ask_at_once(self) -> None:
        """Each ask gets an answer."""
        problem = self.problem()
        answers: list[Proposal | Declined] = []

        async def ask_all() -> None:
            async with self.generator().open(problem, _unheard) as proposer, anyio.create_task_group() as group:

                async def ask(slot: int) -> None:
                    answers.append(await proposer.propose(Ask(slot=slot)))

                for slot in range(_ASKS):
                    group.start_soon(ask, slot)

        awaited(ask_all)
        assert len(answers) == _ASKS
        assert all(isinstance(answer, Proposal | Declined) for answer in answers), answers

    def test_it_takes_in_what_was_tried_before(self) -> None:
        """A failed attempt is no reason to crash."""
        problem = self.problem()

        async def again() -> None:
            async with self.generator().open(problem, _unheard) as proposer:
                first = await proposer.propose(Ask())
                if isinstance(first, Proposal):
                    attempt = _failed(first, problem)
                    second = await proposer.propose(Ask(attempt=1, past=(attempt,)))
                    assert isinstance(second, Proposal | Declined)

        awaited(again)

    def test_it_ends_when_it_is_left(self) -> None:
        """A search cancelled while it waits for a candidate ends and leaves nothing behind."""

        async def cancel() -> None:
            async with anyio.create_task_group() as group:

                async def propose() -> None:
                    async with self.generator().open(self.problem(), _unheard) as proposer:
                        await proposer.propose(Ask())
                        await anyio.sleep_forever()

                group.start_soon(propose)
                await anyio.lowlevel.checkpoint()
                group.cancel_scope.cancel()

        awaited(cancel)

    async def _answers(self, problem: Problem) -> list[Proposal | Declined]:
        async with self.generator().open(problem, _unheard) as proposer:
            return [await proposer.propose(Ask(attempt=number)) for number in range(_ASKS)]


def _unheard(words: str) -> None:
    """Ignore a message after checking that it is text."""
    assert isinstance(words, str)


def _failed(proposal: Proposal, problem: Problem) -> Attempt:
    candidate = candidate_of(proposal.edits, problem)
    verdict = Verdict(verifier="tests", ruling=Ruling.FAILED, findings=(Finding(message="assert 4 == 2"),))
    return Attempt(candidate=candidate, report=Report(candidate_id=candidate.id, verdicts=(verdict,)))
