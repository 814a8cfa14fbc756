"""What a worker program tells of the tests it runs, checked and kept."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import Any

from certo.sandbox.executor import Ending, Finished, Message
from certo.vocabulary.verdict import Ruling

_RULINGS = {
    "passed": Ruling.PASSED,
    "failed": Ruling.FAILED,
    "error": Ruling.FAILED,
    "skipped": Ruling.UNDECIDED,
}

_TOO_LONG = "did not end within"
_LAST_RESORT = 3.0
"""After how many times its limit a test is ended, at the soonest, that neither computes nor hears an alarm."""
_SIGPROF = 27
"""The signal by which the kernel ends a test that computes and hears no alarm; Windows has no name for it."""
_ENDED_ALL = "ended the whole process"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """How one test stands.

    `where` says in which code it failed: "target", "test" or "elsewhere"; `in_test` is False when it failed in its
    setup or teardown. `line` is the line in the target it failed at. `reached` and `touched` say whether it executed
    the target, and a changed line.

    Where its candidate ran apart, `carried` says why the test is no fair trial there, if it is none, and `foreign`
    whether an object of the candidate's crossed, which can only be asked. `own` names an operator of the candidate's
    that decided an assertion, `lie` says how one was found to lie. `sites` counts the assertions broken on purpose that
    it executed.
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
    sites: int = 0


@dataclass(slots=True)
class RunResults:
    """Everything a run has told so far; called with each message.

    `libraries` are modules it imported that are not the project's, `characters` says that Hypothesis made its tables of
    them, and `early` that pytest imported the target before any test file. `wanted` are the hidden files of the project
    that were opened. `running` is the test that has begun and not ended, `killed` are those that took their process
    with them. `nonsense` counts messages that no program of ours would send, and second accounts of one test. `excuses`
    say why a file that could not be collected with its candidate in another process is no worse for it.
    """

    collected: list[str] = field(default_factory=list)
    tests: dict[str, CaseResult] = field(default_factory=dict)
    uncollected: dict[str, str] = field(default_factory=dict)
    excuses: dict[str, str] = field(default_factory=dict)
    paths: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    libraries: list[str] = field(default_factory=list)
    wanted: list[str] = field(default_factory=list)
    characters: bool = False
    early: bool = False
    running: str | None = None
    killed: list[str] = field(default_factory=list)
    limit: float = 0.0
    since: float = 0.0
    stopped: bool = False
    no_pytest: bool = False
    suite_status: int | None = None
    nonsense: int = 0

    def __call__(self, message: Message) -> None:
        """Take in one message; what tests forge must not break us, so anything odd is only counted."""
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
            case "uncollected":
                self._take_uncollected(message)
            case "reach":
                self.paths = [str(path) for path in message["paths"]]
                self.notes.extend([str(message["stopped"])] if message["stopped"] else [])
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
        """Take in what is not about single tests."""
        match message["kind"]:
            case "imported":
                self.libraries = [str(name) for name in message["libraries"]]
                self.characters = bool(message["characters"])
            case "early":
                self.early = True
            case "wanted":
                self.wanted = [str(path) for path in message["paths"]]
            case _:
                self.nonsense += 1

    def _take_test(self, told: CaseResult) -> None:
        if told.id in self.tests or told.id != self.running:
            self.nonsense += 1
        self.tests[told.id] = told
        self.running = None

    def how_it_was_killed(self, finished: Finished) -> str:
        """Say why the running test did not live to tell; it took the process with it, or we had to."""
        # The last resort of a test's clock leaves with this status, as a program may; but it comes late.
        last_resort = finished.status == 1 and time.monotonic() - self.since >= _LAST_RESORT * self.limit
        if last_resort or finished.status == -_SIGPROF or finished.ending in (Ending.CPU, Ending.WALL):
            return f"{_TOO_LONG} {self.limit:g} s"
        return _ENDED_ALL


def was_cut_short(message: str) -> bool:
    """Whether a test with this message ran out of time, or took its process with it."""
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
        sites=int(message.get("sites", 0)),
    )


def complaint(printed: str) -> str:
    """Return what a run that went wrong said about it, in a line."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    for mark in (r"E\s+(.*)", r"(?:.*: )?(?:ERROR|error): (.*)"):
        for line in reversed(lines):
            if found := re.fullmatch(mark, line):
                return found.group(1)[:300]
    return lines[-1][:300] if lines else "it printed nothing"
