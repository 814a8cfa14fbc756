"""Running a worker program on one text of the document, and hearing it out."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from certo.edits.diff import changed_lines
from certo.edits.positions import split_lines
from certo.guests import WORKER_HOME
from certo.sandbox.executor import Executor, Finished, Interpreter, Limits, Policy, Program, Work
from certo.verification.dynamic.results import RunResults
from certo.verification.file_rules import judging_files
from certo.verification.options import TestOptions
from certo.vocabulary.candidate import Candidate, FileChange
from certo.vocabulary.guidance import Example
from certo.vocabulary.problem import Problem, Target


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedLines:
    """Lines of one text, 1-based: the target's `first` to `last`, and those in which a change can be seen to run.

    `entry_counts` says that the target's head changed: it runs when the function is defined, so that entering the
    function is what shows it.
    """

    first: int
    last: int
    changed: frozenset[int] = frozenset()
    entry_counts: bool = False


def watched(base: str, text: str, target: Target) -> WatchedLines:
    """Return what to watch in `text`, a candidate's (or the base text itself), for a target found in `base`."""
    first = len(split_lines(base[: target.span.start] + "x"))
    last = len(split_lines(base[: target.span.end])) + len(split_lines(text)) - len(split_lines(base))
    changed = {line for line in changed_lines(base, text) if first <= line <= last}
    head, statements = first, [*_statements(text, first, last)]
    if statements:
        head = statements[0].stop
    # A change within a statement shows in whichever of the statement's lines the interpreter reports.
    whole = {line for statement in statements[1:] if changed.intersection(statement) for line in statement}
    return WatchedLines(
        first=first,
        last=max(first, last),
        changed=frozenset(changed | whole),
        entry_counts=any(line < head for line in changed),
    )


def watched_elsewhere(base: str, text: str) -> frozenset[int]:
    """Return the 1-based lines of another file in which a change can be seen to run, statements of several lines whole.

    The line of a `def` stands for all that enters its function, as it runs only when that is defined.
    """
    changed = changed_lines(base, text)
    last = len(split_lines(text))
    whole = {line for lines in _statements(text, 1, last) if changed.intersection(lines) for line in lines}
    return frozenset(changed | whole)


def _statements(text: str, first: int, last: int) -> Iterator[range]:
    """Yield each statement's own lines, those of the statements inside it left out; the target's head comes first."""
    try:
        tree = ast.parse(text.encode("utf-8", "surrogatepass"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # The last two are what Python says of a text that is nested too deeply for its parser.
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt | ast.ExceptHandler) or not first <= node.lineno <= last:
            continue
        inner = getattr(node, "body", None)
        start = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
        yield range(start, inner[0].lineno if inner else (node.end_lineno or node.lineno) + 1)


GRACE = 5.0
"""Seconds in which a program starts, imports and says goodbye."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """Where tests run and what they are watched for: a target in the `base` text of a document.

    `given` are the examples besides those in the target's docstring, `besides` test files to run where the tests are
    sought, all there are where the `whole` suite is to be run. `changed` are the files that a candidate changes besides
    the document. `policy` is what tests may do besides computing, `shown` what they read of the project's secrets,
    `hidden` what git ignores and they do not read, `hash_seed` orders their sets, `environment` are variables that
    they see besides, `preparation` is what their runs have in common; `cold` says why there is none, where one was
    tried.
    """

    root: Path
    path: str
    base: str
    target: Target
    unsaved: Mapping[str, str]
    interpreter: Interpreter
    executor: Executor
    options: TestOptions
    given: tuple[Example, ...] = ()
    besides: tuple[str, ...] = ()
    whole: bool = False
    changed: tuple[FileChange, ...] = ()
    policy: Policy = Policy.STRICT
    shown: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    hash_seed: int = 0
    environment: Mapping[str, str] = field(default_factory=dict)
    preparation: Mapping[str, object] | None = None
    cold: str = ""

    @classmethod
    def of(cls, problem: Problem, executor: Executor, interpreter: Interpreter, options: TestOptions) -> Harness:
        """Where the tests of a stated problem run."""
        return cls(
            root=problem.root,
            path=problem.path,
            base=problem.text,
            target=problem.target,
            unsaved=problem.unsaved,
            interpreter=interpreter,
            executor=executor,
            options=options,
            given=problem.guidance.examples,
            policy=Policy(problem.baseline.policy),
            shown=problem.baseline.shown,
            hidden=problem.baseline.hidden,
        )

    def under(self, candidate: Candidate) -> Harness:
        """The same with the other files as a candidate has them."""
        return replace(self, changed=candidate.elsewhere)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which tests to run: those of `paths` (None: find them), of these only `ids` unless None.

    `skip` have been run already, `hung` must not be run again.
    """

    paths: Sequence[str] | None
    ids: Sequence[str] | None = None
    skip: Sequence[str] = ()
    hung: Sequence[str] = ()


async def run_program(
    program: str, ground: Harness, text: str, selection: Selection, hearing: RunResults, *, seconds: float
) -> Finished:
    """Run `program` of the worker with `text` in the document's place, for about `seconds` at most.

    Raises:
        BrokenWorld: it cannot be run at all.
    """
    return await ground.executor.run(work_of(program, ground, text, selection, seconds=seconds), hearing)


def work_of(program: str, ground: Harness, text: str, selection: Selection, *, seconds: float) -> Work:
    """The run of `program` on `ground` with `text` in the document's place."""
    # One test that began just before the end may use all of its own time; by the wall clock it has more, as each has.
    most = seconds + 2 * ground.options.seconds + GRACE
    theirs = {change.path: change.after for change in ground.changed}
    overlay = {**ground.unsaved, ground.path: text, **theirs}
    return Work(
        program=Program(
            home=WORKER_HOME, module=f"certo_worker.suite.{'baseline' if program == 'baseline' else 'checks'}"
        ),
        request={"program": program, **_request(ground, text, selection, overlay, seconds)},
        interpreter=ground.interpreter,
        root=ground.root,
        overlay=overlay,
        protected=judging_files(ground.root, selection.paths or (), ground.interpreter.readable),
        unprotected=(ground.path, *(path for path in ground.unsaved if path not in theirs)),
        limits=Limits.within(most),
        policy=ground.policy,
        shown=ground.shown,
        hidden=ground.hidden,
        hash_seed=ground.hash_seed,
        preparation=ground.preparation,
    )


def _request(
    ground: Harness, text: str, selection: Selection, overlay: Mapping[str, str], seconds: float
) -> dict[str, object]:
    lines = watched(ground.base, text, ground.target)
    return {
        "root": str(ground.root),
        "paths": None if selection.paths is None else list(selection.paths),
        "ids": None if selection.ids is None else list(selection.ids),
        "besides": list(ground.besides) if selection.paths is None else [],
        "whole": ground.whole,
        "skip": list(selection.skip),
        "hung": list(selection.hung),
        "seconds": ground.options.seconds,
        "total": seconds,
        "environment": dict(ground.environment),
        "texts": dict(overlay) if selection.paths is None else {},
        "given": [
            {"id": one.id, "source": one.source, "expected": one.expected, "equals": one.equals} for one in ground.given
        ],
        "target": {
            "file": ground.path,
            "qualname": ground.target.qualname,
            "first": lines.first,
            "last": lines.last,
            "changed": sorted(lines.changed),
            "entry_counts": lines.entry_counts,
            "text": ground.base,
            "line": ground.target.line,
        },
        "elsewhere": {
            change.path: sorted(watched_elsewhere(change.before or "", change.after)) for change in ground.changed
        },
    }
