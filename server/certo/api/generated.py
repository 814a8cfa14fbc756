"""The results of a search for code: the code, the evidence, and the other candidates that passed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import field, replace
from typing import Any, ClassVar, Literal

from certo.api.execution import Code, CodeExecutor, Executed, SandboxedCode
from certo.api.specification import Specification
from certo.api.tracing import Trace
from certo.llm.typed.answer_type import AnswerMismatch
from certo.search.board import CandidateState
from certo.vocabulary.candidate import Standing
from certo.vocabulary.cost import Cost, Spent
from certo.vocabulary.errors import CallFailed
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.records import dataclass
from certo.vocabulary.truth import NoTruthValue
from certo.vocabulary.verdict import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed(NoTruthValue):
    """A candidate that passed every check: its code, the text of the function alone, and the evidence."""

    ask_for: ClassVar[str] = ".verified"

    candidate_id: str
    code: Code
    source: str
    report: Report
    verified: bool
    cost: Cost
    standing: Standing = field(default=Standing())

    @property
    def is_rival(self) -> bool:
        """True if it acts otherwise than the best, or was not compared with it."""
        return self.standing.rival_of is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried(NoTruthValue):
    """A candidate as it was judged: the change it makes as a diff, the evidence, and its place in the strategy."""

    ask_for: ClassVar[str] = ".error"

    candidate_id: str
    diff: str
    report: Report
    slot: int
    attempt: int
    cost: Cost | None

    @classmethod
    def of(cls, row: CandidateState) -> Tried:
        """Return a candidate of a search as it was judged."""
        origin = row.origin
        return cls(
            candidate_id=row.candidate_id,
            diff=row.diff,
            report=row.report,
            slot=origin.slot,
            attempt=origin.attempt,
            cost=row.cost,
        )

    @property
    def error(self) -> str:
        """Why it did not pass, in a line; nothing when it did."""
        verdict = self.report.failure
        if verdict is None:
            return ""
        return f"{verdict.verifier}: {'; '.join(finding.message for finding in verdict.findings)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated(NoTruthValue):
    """Code that passed every check.

    `passed` are all candidates that did, the best first: verified before not verified, then the likeliest group that
    behaves alike, then the cheapest, then the earliest. `tried` are all that were judged, in the order in which they
    came. `spent` is what the search took. `cached` says that nothing was asked for, since the same had been wanted
    before.
    """

    ask_for: ClassVar[str] = ".verified"

    name: str
    outcome: Outcome
    passed: tuple[Passed, ...]
    tried: tuple[Tried, ...]
    spent: Spent
    cached: bool = False

    @property
    def rivals(self) -> tuple[Passed, ...]:
        """Those that passed too and act otherwise than the best, or were not compared with it; see their `standing`."""
        return tuple(each for each in self.passed if each.is_rival)

    @property
    def groups(self) -> tuple[tuple[Passed, ...], ...]:
        """Those that were compared, in groups that behave alike: that of the best first, then the next likeliest."""
        groups: dict[int, list[Passed]] = {}
        for each in self.passed:
            if each.standing.group:
                groups.setdefault(each.standing.group, []).append(each)
        return tuple(map(tuple, groups.values()))

    @property
    def best(self) -> Passed:
        """The candidate that won."""
        return self.passed[0]

    @property
    def source(self) -> str:
        """The text of the function."""
        return self.best.source

    @property
    def report(self) -> Report:
        """The evidence for it."""
        return self.best.report

    @property
    def verified(self) -> bool:
        """True if some example or test ran the function and everything passed; never without any."""
        return self.best.verified

    @property
    def cost(self) -> Cost:
        """The cost of the best candidate; lower is better."""
        return self.best.cost


FallBack = Literal["never", "untouched", "always"]
"""When a call may try the next candidate: never, as long as the failed one has called no tool outside, or always."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A function that was generated. Calling it runs the code once, in a process of its own.

    When the best candidate fails, the next one that had passed is tried. What a candidate has done outside before it
    failed is not undone; so by default (`fall_back` "untouched") no other is tried once a tool outside was called.
    """

    specification: Specification
    generated: Generated
    executor: CodeExecutor
    fall_back: FallBack = "untouched"
    trace: Trace | None = field(default=None, repr=False)
    outside: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        tools = {tool.name: tool.function for tool in self.specification.all_tools if tool.outside}
        object.__setattr__(self, "outside", tools)

    @property
    def source(self) -> str:
        """The text of the function."""
        return self.generated.source

    @property
    def verified(self) -> bool:
        """True if some example or test ran the function and everything passed."""
        return self.generated.verified

    async def __call__(self, **inputs: Any) -> Any:
        """Call the function; the result is of the type the specification says, or there is none.

        Raises:
            BadRequest: an input is missing, unknown, or not of its type.
            CallFailed: the code failed, or returned what is not of that type; it has what came of each candidate.
            BrokenWorld: nothing can be run here.
        """
        return (await self.call(inputs))[0]

    @asynccontextmanager
    async def kept_ready(self) -> AsyncIterator[Built]:
        """Yield the same function with a process kept ready for its calls: each within the block gets a copy of it.

        An executor of the caller's own is taken as it is.
        """
        if not isinstance(self.executor, SandboxedCode):
            yield self
            return
        async with self.executor.kept_ready() as ready:
            yield replace(self, executor=ready)

    async def call(self, inputs: Mapping[str, Any]) -> tuple[Any, tuple[Executed, ...]]:
        """Call the function, and tell what came of each candidate that was run as well; raises as calling it does."""
        plain = self.specification.checked_inputs(inputs)
        executed: list[Executed] = []
        wrong = ""
        for passed in self.generated.passed:
            ran = await self._execute(passed, plain)
            executed.append(ran)
            wrong = ran.error
            if not wrong:
                try:
                    return self.specification.output_shape.check(ran.output), tuple(executed)
                except AnswerMismatch as error:
                    wrong = f"it returned {ran.output!r:.200}, which is not what it is to return: {error}"
            if self.fall_back == "never" or (self.fall_back == "untouched" and ran.calls):
                break
        raise CallFailed(_failure(self.specification.name, wrong, executed), executed=tuple(executed))

    async def _execute(self, passed: Passed, inputs: Mapping[str, Any]) -> Executed:
        """Run one candidate once, and measure it where anything is measured."""
        if self.trace is None:
            return await self.executor.execute(passed.code, inputs, outside=self.outside)
        with self.trace.span("execute", candidate=passed.candidate_id) as span:
            ran = await self.executor.execute(passed.code, inputs, outside=self.outside)
            span.status, span.error = ("error", ran.error) if ran.error else ("ok", "")
            span.attributes |= {"seconds": ran.seconds, "calls": len(ran.calls)}
            return ran


def _failure(name: str, wrong: str, executed: list[Executed]) -> str:
    lines = executed[-1].error_lines
    place = f" (line {lines[-1]})" if lines else ""
    others = f"; so did {len(executed) - 1} before it" if len(executed) > 1 else ""
    return f"{name} failed when it was called{place}: {wrong}{others}"
