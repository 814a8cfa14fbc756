"""Mutants of the target, and runs of known tests on them: tests that still pass do not depend on the target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import partial

from certo.concurrency import gather_until
from certo.edits.definitions import after_docstring
from certo.edits.offsets import SourceMap
from certo.edits.target import definition_of
from certo.sandbox.executor import Ending
from certo.verification.dynamic.harness import Harness, Selection, work_of
from certo.verification.dynamic.results import RunResults
from certo.verification.dynamic.warm_pool import files_of
from certo.vocabulary.problem import KnownTest, Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Ruling

Mutation = Mapping[str, object]
"""A mutation as the worker takes it, without the line of the target."""

SAME: Mutation = {"kind": "same", "way": 0}
NEIGHBOURS: tuple[Mutation, ...] = tuple({"kind": "neighbour", "way": way} for way in range(3))
NOTHING: Mutation = {"kind": "nothing", "way": 0}
SKIPPED: Mutation = {"kind": "skipped", "way": 0}
COPIES: Mutation = {"kind": "copies", "way": 0}
ALIKE: tuple[Mutation, ...] = tuple({"kind": "alike", "way": way} for way in range(3))
EMPTY: Mutation = {"kind": "empty", "way": 0}
FIRST: Mutation = {"kind": "first", "way": 0}
RAISES: Mutation = {"kind": "raises", "way": 0}

_MIN_SECONDS, _LONGER = 2.0, 20.0
"""The minimal limit of a test, and the multiple of its usual time; a mutant may well make a test run for ever.

All tests together get one such limit more than this multiple of their time: if many run for ever, a few show it. The
others are asked about other mutants.
"""


@dataclass(frozen=True, slots=True)
class MutantRun:
    """The ids of tests that passed (`green`) and failed (`red`); `calm` are all that ended and did not fail.

    `messages` has the message of each failed test, by its id.
    """

    green: frozenset[str] = frozenset()
    calm: frozenset[str] = frozenset()
    red: frozenset[str] = frozenset()
    trouble: str = ""
    messages: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MutantRunner:
    """Runs tests on mutants of a candidate's text, whose target's `def` is at `line`.

    `paths` are the files of all its tests. Runs name them all, because the prepared process was started for them.
    """

    harness: Harness
    text: str
    line: int
    paths: tuple[str, ...]

    async def of(self, wrong: Mutation, tests: Sequence[KnownTest], *, backwards: bool = False) -> MutantRun:
        """Run tests on a mutant of the target, in reverse order if `backwards`.

        Raises:
            BrokenWorld: Nothing can be run at all.
        """
        slowest = max((test.seconds for test in tests), default=0.0)
        seconds = self.harness.options.seconds
        # The control must not fail for want of time, while a mutant that loops should not use all of it.
        hurried = seconds if wrong is SAME else min(seconds, max(_MIN_SECONDS, _LONGER * slowest))
        more = {"wrong": {**wrong, "line": self.line}, "backwards": backwards, "seconds": hurried}
        total = self.harness.options.total_seconds
        if wrong is not SAME:
            total = min(total, hurried + _LONGER * sum(test.seconds for test in tests))
        return await self._run(self.text, tests, more, total)

    async def without(self, text: str, tests: Sequence[KnownTest]) -> MutantRun:
        """Run tests on a text without some changes; raises what `of` raises."""
        return await self._run(text, tests, {}, self.harness.options.total_seconds)

    async def _run(
        self, text: str, tests: Sequence[KnownTest], more: Mapping[str, object], seconds: float
    ) -> MutantRun:
        asked = [
            partial(self._run_with, program, text, chosen, more, seconds)
            for program, doctest in (("suite", False), ("doctest_run", True))
            if (chosen := tuple(test.id for test in tests if test.is_doctest is doctest))
        ]
        run = (await gather_until(asked, lambda _: False)).values()
        return MutantRun(
            green=frozenset().union(*(each.green for each in run)),
            calm=frozenset().union(*(each.calm for each in run)),
            red=frozenset().union(*(each.red for each in run)),
            trouble=next((each.trouble for each in run if each.trouble), ""),
            messages={name: message for each in run for name, message in each.messages.items()},
        )

    async def _run_with(
        self, program: str, text: str, ids: tuple[str, ...], more: Mapping[str, object], seconds: float
    ) -> MutantRun:
        paths = self.paths if program == "suite" else files_of(ids)
        selection = Selection(paths=paths, ids=ids)
        work = work_of(program, self.harness, text, selection, seconds=seconds)
        results = RunResults()
        finished = await self.harness.executor.run(replace(work, request={**work.request, **more}), results)
        red = {name for name, told in results.tests.items() if told.ruling is Ruling.FAILED}
        # If a test file cannot be imported with a mutant, all its tests depend on the target.
        red |= {name for name in ids if name.partition("::")[0] in results.uncollected}
        red |= {results.running} if results.running is not None else set()
        return MutantRun(
            green=frozenset(name for name, told in results.tests.items() if told.ruling is Ruling.PASSED),
            calm=frozenset(name for name, told in results.tests.items() if told.ruling is not Ruling.FAILED),
            red=frozenset(red.intersection(ids)),
            trouble="" if finished.ending is Ending.EXITED else f"the run {finished.ending.value}",
            messages={name: told.message for name, told in results.tests.items() if name in red},
        )


def without_target(problem: Problem) -> str:
    """Return the text of a problem with a target that returns None; its docstring stays, with the doctests in it."""
    definition = definition_of(problem.text, problem.target)
    body = after_docstring(definition.node) if definition is not None else []
    if not body:
        return problem.text
    source = SourceMap(problem.text)
    start, end = source.span(body[0]).start, source.span(body[-1]).end
    return f"{problem.text[:start]}return None{problem.text[end:]}"
