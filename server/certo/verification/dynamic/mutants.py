"""Running known tests on wrong versions of the target: which of them notice that it is another one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from certo.concurrency import gather_until
from certo.sandbox.executor import Ending
from certo.verification.dynamic.harness import Harness, Selection, work_of
from certo.verification.dynamic.results import RunResults
from certo.verification.dynamic.warm_pool import files_of
from certo.vocabulary.problem import KnownTest
from certo.vocabulary.verdict import Ruling

Wrong = Mapping[str, object]
"""A wrong version, as the worker takes it, without the line of the target."""

SAME: Wrong = {"kind": "same", "way": 0}
NEIGHBOURS: tuple[Wrong, ...] = tuple({"kind": "neighbour", "way": way} for way in range(3))
NOTHING: Wrong = {"kind": "nothing", "way": 0}
SKIPPED: Wrong = {"kind": "skipped", "way": 0}
COPIES: Wrong = {"kind": "copies", "way": 0}
ALIKE: tuple[Wrong, ...] = tuple({"kind": "alike", "way": way} for way in range(3))
EMPTY: Wrong = {"kind": "empty", "way": 0}
FIRST: Wrong = {"kind": "first", "way": 0}
RAISES: Wrong = {"kind": "raises", "way": 0}

_MIN_SECONDS, _LONGER = 2.0, 20.0
"""A test hangs that takes so much longer than it did: what a wrong version gives may well make it run for ever."""


@dataclass(frozen=True, slots=True)
class Stood:
    """Which tests were `green` and which `red`, by id; `calm` are all that came to an end and were not red."""

    green: frozenset[str] = frozenset()
    calm: frozenset[str] = frozenset()
    red: frozenset[str] = frozenset()
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """Runs tests on versions of the text of a candidate, whose target's `def` stands at `line`.

    `paths` are the files of all its tests: with these a process may have been prepared.
    """

    ground: Harness
    text: str
    line: int
    paths: tuple[str, ...]

    async def of(self, wrong: Wrong, tests: Sequence[KnownTest], *, backwards: bool = False) -> Stood:
        """How tests stand with a wrong version of the target; `backwards` the last of them comes first.

        Raises:
            BrokenWorld: nothing can be run at all.
        """
        slowest = max((test.seconds for test in tests), default=0.0)
        seconds = self.ground.options.seconds
        hurried = seconds if wrong is SAME else min(seconds, max(_MIN_SECONDS, _LONGER * slowest))
        more = {"wrong": {**wrong, "line": self.line}, "backwards": backwards, "seconds": hurried}
        return await self._run(self.text, tests, more)

    async def without(self, text: str, tests: Sequence[KnownTest]) -> Stood:
        """How tests stand with a text from which something was left out; raises what `of` does."""
        return await self._run(text, tests, {})

    async def _run(self, text: str, tests: Sequence[KnownTest], more: Mapping[str, object]) -> Stood:
        asked = [
            partial(self._run_with, program, text, chosen, more)
            for program, doctest in (("suite", False), ("doctest_run", True))
            if (chosen := tuple(test.id for test in tests if test.is_doctest is doctest))
        ]
        stood = (await gather_until(asked, lambda _: False)).values()
        return Stood(
            green=frozenset().union(*(each.green for each in stood)),
            calm=frozenset().union(*(each.calm for each in stood)),
            red=frozenset().union(*(each.red for each in stood)),
            trouble=next((each.trouble for each in stood if each.trouble), ""),
        )

    async def _run_with(self, program: str, text: str, ids: tuple[str, ...], more: Mapping[str, object]) -> Stood:
        paths = self.paths if program == "suite" else files_of(ids)
        selection = Selection(paths=paths, ids=ids)
        work = work_of(program, self.ground, text, selection, seconds=self.ground.options.total_seconds)
        hearing = RunResults()
        finished = await self.ground.executor.run(replace(work, request={**work.request, **more}), hearing)
        red = {name for name, told in hearing.tests.items() if told.ruling is Ruling.FAILED}
        # A file that cannot be imported with another version of the target depends on it, and with it all its tests.
        red |= {name for name in ids if name.partition("::")[0] in hearing.uncollected}
        red |= {hearing.running} if hearing.running is not None else set()
        return Stood(
            green=frozenset(name for name, told in hearing.tests.items() if told.ruling is Ruling.PASSED),
            calm=frozenset(name for name, told in hearing.tests.items() if told.ruling is not Ruling.FAILED),
            red=frozenset(red.intersection(ids)),
            trouble="" if finished.ending is Ending.EXITED else f"the run {finished.ending.value}",
        )
