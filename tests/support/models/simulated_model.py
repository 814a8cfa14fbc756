"""A language model as a random process: right by chance, better after feedback, sometimes on a wrong way.

It is what the strategies are compared on: thousands of searches at a real bench in seconds, with no process, no network
and no clock, and the same again with the same seed.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import anyio

from certo.costs.measures import EditSize
from certo.generation.generator import Ask, Attempt, Declined, Proposal
from certo.search.bench import SearchBench
from certo.search.budget import BudgetGuard
from certo.search.emitter import EventEmitter
from certo.search.strategy import Strategy
from certo.verification.verifier import Pipeline
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Budget
from certo.vocabulary.problem import Problem
from certo.vocabulary.text import TextEdit
from certo.vocabulary.verdict import Finding, Ruling, TestEvidence, Verdict
from support.search.candidates import problem

TESTS = 20
"""How many tests a candidate has to pass: its score is the share that it does pass."""

PROBLEM = problem()


@dataclass(frozen=True, slots=True, kw_only=True)
class Nature:
    """The probabilities of a simulated model.

    A first attempt is right with the chance `at_first`; otherwise it is on a wrong way with the chance `basin`.
    An attempt after `n` failures on its line, and on no wrong way, is right with the chance
    `at_first + (at_best - at_first) * (1 - (1 - gain) ** n)`, and if it is not, its score rises in the same manner
    from `score_at_first` to `score_at_best`. An attempt that continues a wrong way stays on it and is never right: its
    score covers half of the remaining way to `ceiling` with each failure. Scores have normal `noise`. With the chance
    `repeats` an answer repeats an earlier one to the same conversation.
    """

    at_first: float
    at_best: float
    gain: float
    basin: float = 0.0
    ceiling: float = 0.8
    score_at_first: float = 0.3
    score_at_best: float = 0.8
    noise: float = 0.05
    repeats: float = 0.0


REGIMES = {
    "independent": Nature(at_first=0.05, at_best=0.05, gain=0.0, noise=0.15),
    "helps": Nature(at_first=0.03, at_best=0.5, gain=0.3),
    "misleads": Nature(at_first=0.03, at_best=0.5, gain=0.3, basin=0.7, ceiling=0.85),
    "mixed": Nature(at_first=0.03, at_best=0.3, gain=0.25, basin=0.35, ceiling=0.7, noise=0.1, repeats=0.1),
    "rarely": Nature(at_first=0.005, at_best=0.04, gain=0.2, basin=0.3, noise=0.1),
}
"""Feedback is worth nothing; it helps; it misleads; something of each; and a problem that is hardly ever solved."""


@dataclass(frozen=True, slots=True)
class _State:
    """The state of an attempt: the failures that its line had heard of, and True if it is on a wrong way."""

    heard: int
    stuck: bool


@dataclass(slots=True)
class SimulatedModel:
    """Proposes at most so many candidates and counts them; `solved` is the number until the first right one.

    The n-th attempt from a candidate depends only on the seed, the candidate and n, not on the time when it is made:
    so strategies are compared on the same luck. It takes a random time, of `seconds` on average.
    """

    nature: Nature
    seed: int
    most: int
    seconds: float = 0.0
    calls: int = 0
    solved: int | None = None
    _states: dict[str, _State] = field(default_factory=dict)
    _given: dict[str, list[str]] = field(default_factory=dict)

    async def propose(self, ask: Ask, /) -> Proposal | Declined:
        """Return a function that says how many tests it passes; a comment makes it unique."""
        if self.calls >= self.most:
            return Declined(reason=f"these were all of {self.most} calls")
        self.calls += 1
        above = _key(ask.past[-1].candidate.text) if ask.past else ""
        given = self._given.setdefault(above, [])
        key = f"{above}.{len(given)}"
        chance = random.Random(f"{self.seed}{key}")
        given.append(self._answer(key, above, chance))
        text = given[-1]
        if self.seconds:
            await anyio.sleep(chance.expovariate(1 / self.seconds))
        else:
            await anyio.lowlevel.checkpoint()
        return Proposal(edits=(TextEdit(PROBLEM.target.body, text),))

    def begun(self) -> None:
        """Take candidate .0 as a start on no wrong way, for strategies whose own first attempt is not the model's."""
        self._states[".0"] = _State(heard=0, stuck=False)

    def _answer(self, key: str, above: str, chance: random.Random) -> str:
        given = self._given[above]
        if given and chance.random() < self.nature.repeats:
            return chance.choice(given)
        green = self._green(key, self._states.get(above), chance)
        if green == TESTS and self.solved is None:
            self.solved = self.calls
        return f"return {green}  # {key}"

    def _green(self, key: str, above: _State | None, chance: random.Random) -> int:
        """Return the number of tests that the next attempt from there passes."""
        nature = self.nature
        heard = 0 if above is None else above.heard + 1
        learned = 1 - (1 - nature.gain) ** heard
        stuck = above.stuck if above is not None else False
        if not stuck and chance.random() < nature.at_first + (nature.at_best - nature.at_first) * learned:
            return TESTS
        if above is None:
            stuck = chance.random() < nature.basin
        self._states[key] = _State(heard, stuck)
        if stuck:
            level = nature.ceiling * (1 - 0.5 ** (heard + 1))
        else:
            level = nature.score_at_first + (nature.score_at_best - nature.score_at_first) * learned
        return min(TESTS - 1, max(0, round(TESTS * (level + chance.gauss(0.0, nature.noise)))))


class SimulatedTests:
    """Finds as many tests green as a candidate says it passes."""

    name = "tests"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        green = int(candidate.text.partition("return ")[2].partition("#")[0])
        evidence = TestEvidence(collected=TESTS, ran=TESTS, passed=green, failed=TESTS - green, skipped=0, touched=True)
        if green == TESTS:
            return Verdict(verifier="tests", ruling=Ruling.PASSED, tests=evidence)
        said = Finding(message=f"{green} of {TESTS} tests pass")
        return Verdict(verifier="tests", ruling=Ruling.FAILED, findings=(said,), tests=evidence)


def _key(text: str) -> str:
    """Return the place of a candidate among the attempts: its number and its parent."""
    return text.partition("# ")[2].strip()


async def pursued(
    strategy: Strategy,
    model: SimulatedModel,
    doubts: Callable[[SearchBench, Attempt], Awaitable[bool]] | None = None,
) -> SearchBench:
    """Run a strategy with a model at a real bench until it ends, and return the bench."""
    bench = SearchBench(
        problem=PROBLEM,
        generator="simulated",
        proposer=model,
        pipeline=Pipeline(verifiers=(SimulatedTests(),)),
        cost_model=EditSize(),
        guard=BudgetGuard(Budget(candidates=model.most, seconds=1e9)),
        emitter=EventEmitter("simulated", lambda _: None),
        seed=model.seed,
        doubts=doubts,
    )
    await strategy.pursue(bench)
    return bench
