"""Harness: project, interpreter and policy of test runs, the lines to watch, and one run of a worker program."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path

from certo.edits.diff import changed_lines
from certo.edits.offsets import SourceMap
from certo.edits.positions import split_lines
from certo.edits.target import ByName, find_target
from certo.guests import WORKER_HOME
from certo.sandbox.executor import Executor, Finished, Interpreter, Limits, Policy, Program, Work
from certo.verification.dynamic.results import CaseResult, RunResults
from certo.verification.file_rules import judging_files
from certo.verification.options import TestOptions
from certo.vocabulary.candidate import Candidate, FileChange
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.guidance import Example
from certo.vocabulary.problem import KnownTest, Problem, Target
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedLines:
    """1-based lines of one text: the target's `first` to `last`, and the `changed` lines that a run can execute.

    `entry_counts` is set if the target's head changed. A head runs only when the function is defined, so entering the
    function counts as executing the change.
    """

    first: int
    last: int
    changed: frozenset[int] = frozenset()
    entry_counts: bool = False


def watched(base: str, text: str, target: Target) -> WatchedLines:
    """Return the lines to watch in `text`, a candidate's (or the base text itself), for a target found in `base`."""
    return _watched(base, text, target.span.start, target.span.end)


@lru_cache(maxsize=64)  # one text is run many times
def _watched(base: str, text: str, start: int, end: int) -> WatchedLines:
    first = len(split_lines(base[:start] + "x"))
    last = len(split_lines(base[:end])) + len(split_lines(text)) - len(split_lines(base))
    changed = {line for line in changed_lines(base, text) if first <= line <= last}
    # A method that is watched together with a function behind its class is not the first that a tree has.
    head, statements = first, sorted(_statements(text, first, last), key=lambda lines: lines.start)
    if statements:
        head = statements[0].stop
    # The interpreter may report any line of a statement, so all lines of a changed statement count.
    whole = {line for statement in statements[1:] if changed.intersection(statement) for line in statement}
    return WatchedLines(
        first=first,
        last=max(first, last),
        changed=frozenset(changed | whole),
        entry_counts=any(line < head for line in changed),
    )


def _between(harness: Harness, text: str) -> tuple[int, int]:
    """Return the first and the last line between the two functions of a target in `text`; none of one function."""
    second = harness.target.second
    if second is None or second.path != harness.path:
        return 0, -1
    try:
        above, below = (find_target(text, ByName.of(each), path="") for each in (harness.target, second.target))
    except BadRequest:
        return 0, -1
    source = SourceMap(text)
    return source.line_of(above.span.end) + 1, source.line_of(below.span.start) - 1


def watched_elsewhere(base: str, text: str) -> frozenset[int]:
    """Return the changed 1-based lines of another file that a run can execute, with all lines of a changed statement.

    The line of a `def` runs only when the function is defined, so it counts if the function is entered.
    """
    changed = changed_lines(base, text)
    last = len(split_lines(text))
    whole = {line for lines in _statements(text, 1, last) if changed.intersection(lines) for line in lines}
    return frozenset(changed | whole)


def _statements(text: str, first: int, last: int) -> Iterator[range]:
    """Yield the lines of each statement without those of the statements inside it; the target's head comes first."""
    try:
        tree = ast.parse(text.encode("utf-8", "surrogatepass"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # Python raises the last two for a text that is nested too deeply for its parser.
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt | ast.ExceptHandler) or not first <= node.lineno <= last:
            continue
        inner = getattr(node, "body", None)
        start = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
        yield range(start, inner[0].lineno if inner else (node.end_lineno or node.lineno) + 1)


HASH_SEED = 1
"""The hash seed of the run in another order; all other runs have 0."""

OTHER_ZONE = {"TZ": "CRT-5:45"}
"""A time zone that needs no table and that no machine has by accident, 15 minutes off all usual ones."""

_LOCALE = (os.environ.get("LC_ALL") or os.environ.get("LANG") or "C").partition(".")[0]
_OTHER = "C" if _LOCALE not in ("C", "POSIX") else "C.UTF-8"
OTHER_LOCALE = {"LC_ALL": _OTHER, "LANG": _OTHER, "LANGUAGE": _OTHER}
"""A locale that exists everywhere and differs from the one of other runs; the encoding of files stays the same."""

GRACE = 5.0
"""Seconds that a run has besides its tests: to start, to import, and to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """The way tests run: project, text, interpreter, executor, policy.

    Attributes:
        base: the original text of the document, in which `target` was found.
        user_examples: the user's examples, which run together with those in the target's docstring.
        extra_files: test files to run besides those found by a search for tests that reach the target.
        whole_suite: run all tests of the project instead.
        changed: the other files that a candidate changes.
        policy: what tests may do besides computing.
        shown: files that look like secrets, but may be read.
        hidden: files that git ignores, and that may not be read.
        hash_seed: the seed that orders sets.
        environment: further variables that tests see.
        preparation: what warm runs start with.
        libraries: modules outside the project that its tests import, which warm runs start with too.
        characters: true if Hypothesis makes its tables of them for the tests.
        cold: the reason why runs are not warm, if preparing them was tried.
        known: results of tests that need not run, by id; their baseline is taken over.
        unreached: the ids of further tests that need not run, as they do not execute the target.
        first: test files that come first if tests are searched for, as they are the likeliest to matter.
        recorded: the run reports the functions that each test executes.
    """

    root: Path
    path: str
    base: str
    target: Target
    unsaved: Mapping[str, str]
    interpreter: Interpreter
    executor: Executor
    options: TestOptions
    user_examples: tuple[Example, ...] = ()
    extra_files: tuple[str, ...] = ()
    whole_suite: bool = False
    changed: tuple[FileChange, ...] = ()
    policy: Policy = Policy.STRICT
    shown: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    hash_seed: int = 0
    environment: Mapping[str, str] = field(default_factory=dict)
    preparation: Mapping[str, object] | None = None
    libraries: tuple[str, ...] = ()
    characters: bool = False
    cold: str = ""
    known: Mapping[str, CaseResult] = field(default_factory=dict)
    unreached: frozenset[str] = frozenset()
    first: tuple[str, ...] = ()
    recorded: bool = False

    @property
    def fresh(self) -> Harness:
        """This harness, with a fresh process for each run."""
        return replace(self, preparation=None)

    def under_other_conditions(self) -> Harness:
        """Return the harness with the conditions of the confirming run, each run in a fresh process."""
        return replace(self.fresh, hash_seed=HASH_SEED, environment={**OTHER_ZONE, **OTHER_LOCALE})

    @classmethod
    def of(cls, problem: Problem, executor: Executor, interpreter: Interpreter, options: TestOptions) -> Harness:
        """Return the harness of a stated problem."""
        return cls(
            root=problem.root,
            path=problem.path,
            base=problem.text,
            target=problem.target,
            unsaved=problem.unsaved,
            interpreter=interpreter,
            executor=executor,
            options=options,
            user_examples=problem.guidance.examples,
            policy=Policy(problem.baseline.policy),
            shown=problem.baseline_run.shown,
            hidden=problem.baseline_run.hidden,
        )

    def with_files_of(self, candidate: Candidate) -> Harness:
        """Return this harness with the other files as the candidate changes them."""
        return replace(self, changed=candidate.elsewhere)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The tests to run: those of `paths` (None: search for them), and of these only `ids` unless None.

    `skip` have run already, and `hung` must not run again. A search for tests is `narrowed` to the test functions that
    use a name that leads to the target. If it is `sampled`, only the first of very many parameter sets of a test run.
    If it is `plain`, failed assertions do not say what they compared, which saves the time to rewrite them.
    """

    paths: Sequence[str] | None
    ids: Sequence[str] | None = None
    skip: Sequence[str] = ()
    hung: Sequence[str] = ()
    narrowed: bool = True
    sampled: bool = False
    plain: bool = False


def some_cases(tests: Sequence[KnownTest], most: int) -> tuple[KnownTest, ...]:
    """Return the tests in order, of each parametrized one at most so many failing and so many passing cases.

    They are from everywhere in its list, for neighbours are often alike.
    """
    groups: dict[tuple[str, bool], list[KnownTest]] = {}
    for test in tests:
        groups.setdefault((test.id.partition("[")[0], test.ruling is Ruling.FAILED), []).append(test)
    kept: set[str] = set()
    for group in groups.values():
        step = max(1.0, len(group) / most)
        kept.update(group[int(place * step)].id for place in range(min(len(group), most)))
    return tuple(test for test in tests if test.id in kept)


async def run_program(
    program: str, harness: Harness, text: str, selection: Selection, results: RunResults, *, seconds: float
) -> Finished:
    """Run a program of the worker with `text` as the document, for about `seconds` at most.

    Raises:
        BrokenWorld: It cannot be run at all.
    """
    return await harness.executor.run(work_of(program, harness, text, selection, seconds=seconds), results)


MAX_KILLED_TESTS = 5
"""The number of tests that may end their whole process before the remaining tests are given up."""


async def run_past_killed(
    program: str, harness: Harness, text: str, selection: Selection, results: RunResults, *, seconds: float
) -> Finished:
    """Run a program until every test has a result; a test that ends its process has failed, and the rest run on.

    Raises:
        BrokenWorld: It cannot be run at all.
    """
    left, skip = seconds, selection.skip
    while True:
        selection = replace(selection, skip=(*results.tests, *skip), hung=tuple(results.killed))
        finished = await run_program(program, harness, text, selection, results, seconds=max(0.0, left))
        left -= finished.cpu_seconds
        if results.running is None:
            return finished
        results.take_killed(finished)
        results.stopped = results.stopped or left <= 0
        if len(results.killed) == MAX_KILLED_TESTS or left <= 0:
            return finished
        if selection.paths is None:
            selection = replace(selection, paths=tuple(results.paths))


def work_of(program: str, harness: Harness, text: str, selection: Selection, *, seconds: float) -> Work:
    """Return the run of a worker program with `text` as the document."""
    # A test that starts just before the end may still use its own time, which is doubled for wall time.
    most = seconds + 2 * harness.options.seconds + GRACE
    theirs = {change.path: change.after for change in harness.changed}
    overlay = {**harness.unsaved, harness.path: text, **theirs}
    return Work(
        program=Program(home=WORKER_HOME, module="certo_worker.suite.checks"),
        request={"program": program, **_request(harness, text, selection, overlay, seconds)},
        interpreter=harness.interpreter,
        root=harness.root,
        overlay=overlay,
        protected=judging_files(harness.root, selection.paths or (), harness.interpreter.readable),
        unprotected=(harness.path, *(path for path in harness.unsaved if path not in theirs)),
        limits=Limits.within(most),
        policy=harness.policy,
        shown=harness.shown,
        hidden=harness.hidden,
        hash_seed=harness.hash_seed,
        preparation=harness.preparation,
    )


def _request(
    harness: Harness, text: str, selection: Selection, overlay: Mapping[str, str], seconds: float
) -> dict[str, object]:
    lines = watched(harness.base, text, harness.target)
    return {
        "root": str(harness.root),
        "paths": None if selection.paths is None else list(selection.paths),
        "ids": None if selection.ids is None else list(selection.ids),
        "besides": list(harness.extra_files) if selection.paths is None else [],
        "first": list(harness.first) if selection.paths is None else [],
        "whole": harness.whole_suite,
        "narrowed": selection.narrowed,
        "sampled": selection.sampled,
        "plain": selection.plain,
        "skip": list(selection.skip),
        "hung": list(selection.hung),
        "record": harness.recorded,
        "seconds": harness.options.seconds,
        "total": seconds,
        "environment": dict(harness.environment),
        "libraries": list(harness.libraries),
        "characters": harness.characters,
        "texts": dict(overlay) if selection.paths is None else {},
        "originals": {change.path: change.before for change in harness.changed if change.before is not None},
        "given": [
            {"id": one.id, "source": one.source, "expected": one.expected, "equals": one.equals}
            for one in harness.user_examples
        ],
        "target": {
            "file": harness.path,
            "qualname": harness.target.qualname,
            "first": lines.first,
            "last": lines.last,
            "changed": sorted(lines.changed),
            "entry_counts": lines.entry_counts,
            "between": _between(harness, text),
            "text": harness.base,
            "line": harness.target.line,
        },
        "elsewhere": {
            change.path: sorted(watched_elsewhere(change.before or "", change.after)) for change in harness.changed
        },
    }
