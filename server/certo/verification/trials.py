"""Running known tests in other ways: with the candidate in a process apart, and with their assertions broken."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from certo.sandbox.executor import Apart, Ending
from certo.verification.hearing import Hearing, Told
from certo.verification.revealing import revealing_files
from certo.verification.running import Ground, Selection, work_of
from certo.vocabulary.problem import KnownTest
from certo.vocabulary.verdict import Ruling

SHARED = "the candidate's own file holds the test"
_FOREIGN = "it handles objects that stay in the candidate's process"


@dataclass(slots=True)
class Trial:
    """How tests stood: `told` by id, `uncollected` by file with the reason and whether that is an excuse.

    `cut_short` says how a run ended that did not come to its own end.
    """

    told: dict[str, Told] = field(default_factory=dict)
    uncollected: dict[str, tuple[str, bool]] = field(default_factory=dict)
    ended: dict[str, str] = field(default_factory=dict)
    cut_short: str = ""

    def passed(self, test: KnownTest) -> bool:
        """Whether a test was green."""
        told = self.told.get(test.id)
        return told is not None and told.ruling is Ruling.PASSED

    def is_lost(self, test: KnownTest) -> bool:
        """Whether a test was not there, in a file that was read and in a run that came to its own end."""
        return not (
            test.id in self.told or test.id in self.ended or _file_of(test) in self.uncollected or self.cut_short
        )

    def sites(self, test: KnownTest) -> int:
        """How many of its broken assertions a test executed."""
        told = self.told.get(test.id)
        return 0 if told is None else told.sites

    def own(self, test: KnownTest) -> str:
        """Which operator of the candidate's decided a test, if one did."""
        told = self.told.get(test.id)
        return "" if told is None else told.own

    def lie(self, test: KnownTest) -> str:
        """In what an operator of the candidate's was found to lie, if one was."""
        told = self.told.get(test.id)
        return "" if told is None else told.lie

    def excuse(self, test: KnownTest) -> str:
        """Why a test that was not green may be none the worse for it, or nothing."""
        told = self.told.get(test.id)
        if told is not None:
            return told.carried or (_FOREIGN if told.foreign else "")
        said, excused = self.uncollected.get(_file_of(test), ("", False))
        return said if excused else ""

    def trouble(self, test: KnownTest) -> str:
        """What a test that was not green said, or what became of it."""
        told = self.told.get(test.id)
        if told is not None:
            return told.message or "it failed"
        if test.id not in self.ended and self.cut_short:
            return self.cut_short
        return self.ended.get(test.id) or self.uncollected.get(_file_of(test), ("it did not run", False))[0]


async def tried(ground: Ground, text: str, tests: Iterable[KnownTest], *, apart: bool, broken: bool) -> Trial:
    """Run tests on `text`: `apart` from it or together with it, their assertions `broken` on purpose or as they are.

    Raises:
        BrokenWorld: nothing can be run at all.
    """
    trial = Trial()
    listed = tuple(tests)
    for program, doctest in (("suite", False), ("doctest_run", True)):
        chosen = tuple(test for test in listed if test.is_doctest is doctest)
        if chosen:
            await _run(ground, text, program, chosen, trial, apart=apart, broken=broken)
    return trial


async def _run(
    ground: Ground, text: str, program: str, tests: tuple[KnownTest, ...], trial: Trial, *, apart: bool, broken: bool
) -> None:
    files = tuple(dict.fromkeys(_file_of(test) for test in tests))
    selection = Selection(paths=files, ids=tuple(test.id for test in tests))
    work = work_of(program, ground, text, selection, seconds=ground.options.total_seconds)
    hidden = revealing_files(ground.root, ground.path, files) if program == "suite" else ()
    hearing = Hearing()
    finished = await ground.executor.run(
        replace(
            work,
            request={**work.request, "canary": broken},
            apart=Apart(files=(ground.path,), hidden=hidden) if apart else None,
        ),
        hearing,
    )
    trial.told.update(hearing.tests)
    for path, said in hearing.uncollected.items():
        trial.uncollected[path] = (hearing.excuses.get(path) or said, path in hearing.excuses)
    if hearing.running is not None:
        trial.ended[hearing.running] = hearing.how_it_was_killed(finished)
    if finished.ending is not Ending.EXITED:
        trial.cut_short = f"the run {finished.ending.value}"


def _file_of(test: KnownTest) -> str:
    return test.id.partition("::")[0]
