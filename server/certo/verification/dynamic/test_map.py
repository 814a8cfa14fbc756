"""The test map of a project: the functions that each test executes, its duration and its result.

It is learned from recorded runs on the project's own text. An entry holds as long as everything is unchanged that its
test can have seen: the functions it executed, the rest of the modules that were imported, its own file as a whole, the
source files it opened, and every file that is no source of the project. A function that only keeps what it computed
once, in a variable of its module, is not seen by the tests that find it there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import asdict, field
from typing import Any, Protocol

from certo.analysis.code_blocks import CodeBlocks
from certo.project.testfiles import is_test_file
from certo.verification.dynamic.results import CaseResult, RunResults
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Ruling

Code = Mapping[str, frozenset[str]]
"""Names of functions by file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectState:
    """A project at one time: a text that changes with everything but its own sources, and the stamps of these.

    `blocks` reads one source file; it returns None for a file that cannot be read, or was changed since that time.
    """

    world: str
    stamps: Mapping[str, str]
    blocks: Callable[[str], CodeBlocks | None]


@dataclass(frozen=True, slots=True)
class MappedTests:
    """The entries of the map that hold: results by test id with the code executed, and files known as a whole.

    The entries that do not hold any more are `lost`: they say nothing but which tests are likely to matter.
    """

    tests: Mapping[str, tuple[CaseResult, Code]] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()
    lost: Mapping[str, tuple[CaseResult, Code]] = field(default_factory=dict)

    def executes(self, test: str, path: str, name: str) -> bool:
        """True if a test executes the function of this name in a file."""
        return name in self.tests[test][1].get(path, ())

    def needs_no_run(self, file: str, path: str, name: str, *, ran: Container[str]) -> bool:
        """True if all tests of a test file are known, and none executes the function but those that `ran`."""
        if file not in self.whole:
            return False
        lost = any(test.partition("::")[0] == file and test not in ran for test in self.lost)
        return not lost and not any(
            self.executes(test, path, name)
            for test in self.tests
            if test.partition("::")[0] == file and test not in ran
        )

    def likely_files(self, path: str, name: str) -> list[str]:
        """Return the test files that executed the function when they ran last, in the order in which they should run.

        Those in which a test failed come first, then those with the test nearest to the function, which executes the
        fewest others, then the fastest.
        """
        found: dict[str, list[tuple[CaseResult, int]]] = {}
        for test, (case, code) in {**self.lost, **self.tests}.items():
            if name in code.get(path, ()):
                found.setdefault(test.partition("::")[0], []).append((case, sum(map(len, code.values()))))

        def place(file: str) -> tuple[bool, int, float, str]:
            fails = any(case.ruling is Ruling.FAILED for case, _ in found[file])
            nearest = min(reach for _, reach in found[file])
            return not fails, nearest, sum(case.seconds for case, _ in found[file]), file

        return sorted(found, key=place)


class KnownTests(Protocol):
    """The test map of one project, kept beyond this process."""

    async def known(self) -> MappedTests:
        """Return the entries that hold now."""
        ...

    def record(self, results: RunResults, whole: Iterable[str], /) -> None:
        """Add a run on the text as it is, which ran the files `whole` without leaving out a test."""
        ...


def described(results: RunResults, state: ProjectState) -> tuple[str, dict[str, str]] | None:
    """Return a recorded run and its tests as lines of JSON; None if its code cannot be told any more."""
    executed = results.executed
    if not executed.complete:
        return None
    blocks = {file: state.blocks(file) for file in executed.imported if file in state.stamps}
    if any(each is None for each in blocks.values()):
        return None
    known = {file: each for file, each in blocks.items() if each is not None}
    places = [(file, known[file].at(line) if file in known else None) for file, line in executed.pieces]
    run = {
        "world": state.world,
        "stamps": {file: state.stamps[file] for file in known},
        "names": sorted(state.stamps),
        "blocks": {file: [each.whole, each.module, each.functions] for file, each in known.items()},
        "early": [file for file in executed.early if file in known],
        "always": _named(executed.always, places),
        "read": _stamped(executed.always_read - known.keys(), state),
    }
    tests = {
        name: json.dumps(
            {
                "case": {**asdict(results.tests[name]), "ruling": results.tests[name].ruling.value},
                "code": _named(code, places),
                "read": _stamped(executed.read[name], state),
            }
        )
        for name, code in executed.tests.items()
        if name in results.tests
    }
    return json.dumps(run), tests


def _named(code: Iterable[int], places: list[tuple[str, str | None]]) -> dict[str, list[str]]:
    named: dict[str, set[str]] = {}
    for number in code:
        file, name = places[number]
        if name is not None:
            named.setdefault(file, set()).add(name)
    return {file: sorted(names) for file, names in named.items()}


def _stamped(files: Iterable[str], state: ProjectState) -> dict[str, str]:
    return {file: state.stamps[file] for file in files if file in state.stamps}


def holding(
    runs: Mapping[str, str], tests: Iterable[tuple[str, str, str]], files: Mapping[str, str], state: ProjectState
) -> MappedTests:
    """Return the entries of the stored map that hold in this state; damaged lines do not."""
    read = {name: _Run(json.loads(line), state) for name, line in runs.items()}
    valid = {name: run for name, run in read.items() if run.holds()}
    found: dict[str, tuple[CaseResult, Code]] = {}
    lost: dict[str, tuple[CaseResult, Code]] = {}
    for test, run, line in tests:
        fields = json.loads(line)
        case = CaseResult(**{**fields["case"], "ruling": Ruling(fields["case"]["ruling"])})
        holds = run in valid and valid[run].holds_for(test, fields)
        (found if holds else lost)[test] = case, {file: frozenset(names) for file, names in fields["code"].items()}
    whole = frozenset(file for file, run in files.items() if run in valid)
    return MappedTests(found, whole, lost)


class _Run:
    """One stored run, compared with a state of the project."""

    def __init__(self, fields: Mapping[str, Any], state: ProjectState) -> None:
        self._fields = fields
        self._state = state
        stamps = fields["stamps"]
        self._changed = {file for file, stamp in stamps.items() if state.stamps.get(file) != stamp}
        self._now = {file: state.blocks(file) for file in self._changed}

    def holds(self) -> bool:
        """True if nothing has changed that counts for all of its tests."""
        fields = self._fields
        if fields["world"] != self._state.world or not self._has_alike_files():
            return False
        same_read = self._same(fields["read"])
        return same_read and all(self._is_alike(file, fields["always"].get(file, ())) for file in self._changed)

    def _has_alike_files(self) -> bool:
        """True if the same source files exist, but for test files that its tests have not imported.

        Any other new one may be imported instead of what was, or run beside the tests.
        """
        different = set(self._fields["names"]).symmetric_difference(self._state.stamps)
        return all(map(is_test_file, different))

    def holds_for(self, test: str, fields: Mapping[str, Any]) -> bool:
        """True if nothing has changed that counts for one of its tests."""
        file = test.partition("::")[0]
        if file not in self._fields["stamps"] or (file in self._changed and not self._is_whole(file)):
            return False
        code = fields["code"]
        return self._same(fields["read"]) and all(
            self._is_alike(each, code[each]) for each in self._changed.intersection(code)
        )

    def _same(self, stamps: Mapping[str, str]) -> bool:
        return all(self._state.stamps.get(file) == stamp for file, stamp in stamps.items())

    def _is_whole(self, file: str) -> bool:
        now = self._now[file]
        return now is not None and now.whole == self._fields["blocks"][file][0]

    def _is_alike(self, file: str, names: Iterable[str]) -> bool:
        """True if the module around its functions is as it was, and so are the functions of these names."""
        now = self._now[file]
        _, module, functions = self._fields["blocks"][file]
        if now is None or now.module != module or file in self._fields["early"]:
            return self._is_whole(file)
        return all(now.functions.get(name) == functions.get(name) for name in names)
