"""Results of a test run: the messages of a worker program, checked and collected."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence, Set
from dataclasses import field
from typing import Any

from certo.sandbox.executor import Ending, Finished, Message
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Ruling

_RULINGS = {
    "passed": Ruling.PASSED,
    "failed": Ruling.FAILED,
    "error": Ruling.FAILED,
    "skipped": Ruling.UNDECIDED,
}

_TOO_LONG = "did not end within"
_LAST_RESORT = 3.0
"""The multiple of its time limit after which the worker ends a test that neither computes nor reacts to alarms."""
_SIGPROF = 27
"""The signal by which the kernel ends a test that computes and ignores alarms; Windows has no name for it."""
_ENDED_ALL = "ended the whole process"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """The result of one test.

    `where` is the code in which it failed: "target", "test" or "elsewhere". `in_test` is False if it failed in its
    setup or teardown, and `line` is the line of the target it failed at. `reached` is set if it executed the target,
    and `touched` if it executed a changed line.

    The other fields belong to runs with the candidate in another process. `carried` says why the test cannot be judged
    there. `foreign` is set if an object stayed in the candidate's process and was only reached through a proxy. `own`
    names an operator of the candidate that decided an assertion, and `lie` says how one was found to lie. `influence`
    says what the candidate did to an object of the tests that may have decided one. `sites` counts the broken
    assertions that were executed, and `bare` is set if the test ended with none, for it has none. `alone` is set if the
    candidate's process was gone before the test began, so that it says nothing about the candidate.
    """

    id: str
    ruling: Ruling
    message: str = ""
    seconds: float = 0.0
    where: str = ""
    in_test: bool = True
    line: int | None = None
    reached: bool = False
    touched: bool = False
    carried: str = ""
    foreign: bool = False
    own: str = ""
    lie: str = ""
    influence: str = ""
    sites: int = 0
    bare: bool = False
    alone: bool = False

    @property
    def is_attributable(self) -> bool:
        """True if the test failed in the target, or in its own body after it had executed the target."""
        if self.ruling is not Ruling.FAILED:
            return False
        return self.where == "target" or (self.reached and self.in_test and self.where == "test")


@dataclass(slots=True)
class ExecutedCode:
    """The project's code that a recorded run executed, each piece as its file and the 1-based line it begins at.

    `tests` has the pieces of each test by number, `always` those that ran between tests, as at imports. `read` and
    `always_read` are source files that were opened meanwhile. `imported` are the project's files that were imported,
    `early` those of them that had been before recording began; `complete` is set once they were reported. Each run
    counts its pieces from 0, and `before` is the number of those of the runs before.
    """

    pieces: list[tuple[str, int]] = field(default_factory=list)
    tests: dict[str, tuple[int, ...]] = field(default_factory=dict)
    read: dict[str, tuple[str, ...]] = field(default_factory=dict)
    always: set[int] = field(default_factory=set)
    always_read: set[str] = field(default_factory=set)
    imported: tuple[str, ...] = ()
    early: tuple[str, ...] = ()
    complete: bool = False
    before: int = 0

    def continue_in_new_run(self, again: Set[str]) -> None:
        """Number the pieces of a further run, in which some tests run `again`, after those that are here."""
        self.before, self.complete = len(self.pieces), False
        for name in again:
            self.tests.pop(name, None)
            self.read.pop(name, None)

    def take_test(self, message: Message) -> None:
        """Store what a test executed."""
        if "code" in message:
            name = str(message["id"])
            self.tests[name] = tuple(self.before + int(each) for each in message["code"])
            self.read[name] = tuple(str(each) for each in message["read"])

    def take(self, message: Message) -> None:
        """Store a message about executed code."""
        match message["kind"]:
            case "code":
                self.pieces.append((str(message["file"]), int(message["line"])))
            case "between":
                self.always.update(self.before + int(each) for each in message["code"])
                self.always_read.update(str(each) for each in message["read"])
            case "modules":
                self.imported = _with(self.imported, message["imported"])
                self.early = _with(self.early, message["early"])
                self.complete = True


def _with(known: Iterable[str], told: Iterable[object]) -> tuple[str, ...]:
    """Return names in order, each once, with those that a message tells behind the known ones."""
    return tuple(dict.fromkeys((*known, *map(str, told))))


@dataclass(slots=True)
class RunResults:
    """The results of a run so far; called with each message.

    `rest` are files with tests that were left out, because no name in them leads to the target, and `documents` files
    with examples that the project runs as tests. `libraries` are imported modules from outside the project.
    `characters` is set if Hypothesis made its tables of them, and `early` if pytest imported the target before any test
    file. `wanted` are hidden files that were opened.
    `sampled` are test functions of which only the first parameter sets ran.
    `running` is the test that has started and not ended, and `killed` are tests that ended their process.
    `late_outside` is the last test that ran out of time without having executed the target so far. `nonsense`
    counts messages that none of our programs sends, and second results of one test. `excuses` say why a file could not
    be collected with the candidate in another process, where that is no fault of the candidate. `executed` is filled by
    recorded runs.
    """

    collected: list[str] = field(default_factory=list)
    tests: dict[str, CaseResult] = field(default_factory=dict)
    uncollected: dict[str, str] = field(default_factory=dict)
    excuses: dict[str, str] = field(default_factory=dict)
    paths: list[str] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    libraries: list[str] = field(default_factory=list)
    wanted: list[str] = field(default_factory=list)
    sampled: list[str] = field(default_factory=list)
    characters: bool = False
    early: bool = False
    running: str | None = None
    late_outside: str | None = None
    killed: list[str] = field(default_factory=list)
    limit: float = 0.0
    since: float = 0.0
    stopped: bool = False
    no_pytest: bool = False
    suite_status: int | None = None
    nonsense: int = 0
    executed: ExecutedCode = field(default_factory=ExecutedCode)

    def continue_in_new_run(self) -> None:
        """Keep what a further run need not find out again.

        A file of which only some tests ran is run as a whole: its tests may depend on each other.
        """
        again = {name for name in self.tests if name.partition("::")[0] in self.rest}
        self.tests = {name: case for name, case in self.tests.items() if name not in again}
        self.collected = [name for name in self.collected if name not in again]
        self.executed.continue_in_new_run(again)

    def __call__(self, message: Message) -> None:
        """Store one message. A malformed one, which a test may have forged, is only counted."""
        try:
            self._take(message)
        except (KeyError, TypeError, ValueError):
            self.nonsense += 1

    def _take(self, message: Message) -> None:
        match message["kind"]:
            case "collected":
                self.collected.extend(str(each) for each in message["ids"])
            case "started":
                self.running, self.limit, self.since = str(message["id"]), float(message["limit"]), time.monotonic()
            case "test":
                self._take_test(_told(message))
                self.executed.take_test(message)
            case "uncollected":
                self._take_uncollected(message)
            case "reach":
                self.paths = [str(path) for path in message["paths"]]
                self.rest = [str(path) for path in message["rest"]]
                self.documents = [str(path) for path in message["documents"]]
                told = str(message["stopped"] or "")
                self.notes.extend([told] if told and told not in self.notes else [])
            case "no_pytest":
                self.no_pytest = True
            case "stopped":
                self.stopped = True
            case "suite_ended":
                self.suite_status = int(message["status"])
            case _:
                self._take_further(message)

    def _take_uncollected(self, message: Message) -> None:
        path = str(message["path"])
        self.uncollected[path] = str(message["message"])
        if message.get("carried"):
            self.excuses[path] = str(message["carried"])[:400]

    def _take_further(self, message: Message) -> None:
        """Store a message that is not about a single test."""
        match message["kind"]:
            case "imported":
                self.libraries = [*_with(self.libraries, message["libraries"])]
                self.characters = self.characters or bool(message["characters"])
            case "early":
                self.early = True
            case "code" | "between" | "modules":
                self.executed.take(message)
            case "late":
                self.late_outside = None if message["reached"] is True else self.running
            case "sampled":
                self.sampled.append(str(message["id"]))
            case "wanted":
                self.wanted = [str(path) for path in message["paths"]]
            case _:
                self.nonsense += 1

    def _take_test(self, told: CaseResult) -> None:
        if told.id in self.tests or told.id != self.running:
            self.nonsense += 1
        self.tests[told.id] = told
        self.running = None

    def take_killed(self, finished: Finished) -> None:
        """Record the running test as failed, because the process ended during it.

        Its own report is lost. It counts as reached, because a test that does not end usually hangs in the target;
        unless it had not executed it when its time was over.
        """
        if self.running is None:
            return
        killer, self.running = self.running, None
        self.killed.append(killer)
        message = self.how_it_was_killed(finished)
        reached = killer != self.late_outside
        self.tests[killer] = CaseResult(
            id=killer, ruling=Ruling.FAILED, message=message, where="test" if reached else "elsewhere", reached=reached
        )

    def how_it_was_killed(self, finished: Finished) -> str:
        """Return why the running test has no result: it ended its process, or was ended for its time."""
        # The worker exits with this status when it ends a test as a last resort. A program may exit with it too, but
        # most often does so earlier.
        last_resort = finished.status == 1 and time.monotonic() - self.since >= _LAST_RESORT * self.limit
        if last_resort or finished.status == -_SIGPROF or finished.ending in (Ending.CPU, Ending.WALL):
            return f"{_TOO_LONG} {self.limit:g} s"
        return _ENDED_ALL


_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+")


def without_addresses(message: str) -> str:
    """Return a message without the addresses of objects, which differ from run to run."""
    return _ADDRESS.sub("", message)


def was_cut_short(message: str) -> bool:
    """True if a test with this message ran out of time or ended its process."""
    return _TOO_LONG in message or message == _ENDED_ALL


def _told(message: dict[str, Any]) -> CaseResult:
    line = message["line"]
    return CaseResult(
        id=str(message["id"]),
        ruling=_RULINGS[message["outcome"]],
        message=str(message["message"])[:400],
        seconds=float(message["seconds"]),
        where=str(message["where"]),
        in_test=message["outcome"] != "error",
        line=None if line is None else int(line),
        reached=message["reached"] is True,
        touched=message["touched"] is True,
        carried=str(message.get("carried", ""))[:400],
        foreign=message.get("foreign") is True,
        own=str(message.get("own", ""))[:400],
        lie=str(message.get("lie", ""))[:400],
        influence=str(message.get("influence", ""))[:400],
        sites=int(message.get("sites", 0)),
        bare=message.get("bare") is True,
        alone=message.get("alone") is True,
    )


def how_it_ended(finished: Finished) -> str:
    """Return in words how a run ended that did not reach its end."""
    if finished.ending is Ending.EXITED:
        return f"ended before its end, with exit status {finished.status}"
    return str(finished.ending.value)


def is_whole(results: RunResults, finished: Finished) -> bool:
    """True if each test ended by itself and pytest did so too."""
    return is_whole_so_far(results, finished) and not results.stopped


def is_whole_so_far(results: RunResults, finished: Finished) -> bool:
    """True if each test that began ended by itself, even if the time for all was over before some began."""
    ended = finished.complete and not results.killed and not results.nonsense
    cut_short = any(was_cut_short(case.message) for case in results.tests.values())
    # pytest calls it an interruption if no further test is to begin.
    statuses = (None, 0, 1, 2, 5) if results.stopped else (None, 0, 1, 5)
    return ended and not cut_short and results.suite_status in statuses


def untried(results: RunResults) -> list[str]:
    """Return the tests that did not begin before the time for all was over, and those that had no time to reach it."""
    waiting = [test for test in results.collected if test not in results.tests] if results.stopped else []
    return [*waiting, *(case.id for case in results.tests.values() if is_late_outside(case))]


def is_late_outside(case: CaseResult) -> bool:
    """True if a test ran out of its time and had not executed the target until then."""
    return not case.reached and was_cut_short(case.message)


def reaching_samples(results: RunResults) -> list[str]:
    """Return the tests of which only the first parameter sets ran, and one of these executed the target."""
    reaching = {name.partition("[")[0] for name, case in results.tests.items() if case.reached}
    return [test for test in results.sampled if test in reaching]


_PLACE = re.compile(r'(?:E\s+)?File "([^"]+)", line (\d+)')
_UNPARSED = re.compile(r"(?:SyntaxError|IndentationError|TabError)\b")


def complaint(printed: str) -> str:
    """Return one line of what a failed run printed about its failure, with the place of a text that is no Python."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    said = _complaint(lines)
    places = [found for line in lines if (found := _PLACE.match(line))] if _UNPARSED.match(said) else []
    return f"{said} ({places[-1][1]}, line {places[-1][2]})" if places else said


def _complaint(lines: Sequence[str]) -> str:
    for mark in (r"E\s+(.*)", r"(?:.*: )?(?:ERROR|error): (.*)"):
        for line in reversed(lines):
            if found := re.fullmatch(mark, line):
                return found.group(1)[:300]
    return lines[-1][:300] if lines else "it printed nothing"
