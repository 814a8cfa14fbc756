"""The function whose behaviour is compared, where it runs, and other versions of it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from certo.behaviour.call import Callee, callee_of, callee_wire
from certo.behaviour.execution import GRACE_SECONDS
from certo.edits.definitions import Definition
from certo.edits.source import parse
from certo.edits.target import definition_of
from certo.sandbox.executor import Executor, Interpreter, Limits, Policy, Program, Work
from certo.vocabulary.problem import Problem, Target
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import TextEdit


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A function of a project as it stands: the version that others are compared with.

    `text` is its document, `unsaved` are other texts by path, that replace files. The calls of the test files `tests`
    are observed; their paths are relative to the root. `shown` and `hidden` are as in `Work`.
    """

    root: Path
    path: str
    text: str
    target: Target
    executor: Executor
    interpreter: Interpreter
    policy: Policy = Policy.FORKING
    unsaved: Mapping[str, str] = field(default_factory=dict)
    tests: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()

    @property
    def definition(self) -> Definition:
        """The definition of the function."""
        found = definition_of(self.text, self.target)
        assert found is not None  # the target was found in this text
        return found

    @property
    def callee(self) -> Callee | None:
        """The way to call it from outside; None if there is none."""
        return callee_of(self.definition, self.target.qualname)

    def work(self, program: Program, request: Mapping[str, Any], seconds: float, *, hash_seed: int = 0) -> Work:
        """Return the run of a program on the text, which makes processes of its own; it may take so many seconds."""
        return Work(
            program=program,
            request=request,
            interpreter=self.interpreter,
            root=self.root,
            overlay={**self.unsaved, self.path: self.text},
            shown=self.shown,
            hidden=self.hidden,
            limits=Limits.within(seconds + GRACE_SECONDS),
            policy=Policy.FORKING if self.policy is Policy.STRICT else self.policy,
            hash_seed=hash_seed,
        )

    @property
    def wire(self) -> dict[str, Any]:
        """The fields of a request that say where the function is."""
        place = {"path": self.path, "text": self.text, "line": self.target.line, "name": self.target.name}
        return {"root": str(self.root), **place, "tests": list(self.tests)}

    @property
    def wire_callee(self) -> dict[str, Any]:
        """The field of a request that says how the function is called; there must be a way."""
        wire = callee_wire(self.definition, self.target.qualname)
        assert wire is not None
        return wire


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherTree:
    """A version in another tree: the `texts` of the files that differ, None for those that are not there.

    `target` is the function in `text`, which is the document at `path` there.
    """

    path: str
    text: str
    target: Target
    texts: Mapping[str, str | None]

    @property
    def wire(self) -> dict[str, Any]:
        """The fields of a request that say where the function is there."""
        return {"path": self.path, "text": self.text, "line": self.target.line, "name": self.target.name}


MAX_TEST_FILES = 8
"""Maximum number of test files whose calls are observed."""


def subject_of(problem: Problem, executor: Executor, interpreter: Interpreter) -> Subject:
    """Return the target of a problem as a subject, with the test files of its baseline."""
    tests = dict.fromkeys(test.id.partition("::")[0] for test in problem.baseline.tests if not test.is_doctest)
    return Subject(
        root=problem.root,
        path=problem.path,
        text=problem.text,
        target=problem.target,
        executor=executor,
        interpreter=interpreter,
        policy=Policy(problem.baseline.policy),
        unsaved=problem.unsaved,
        tests=tuple(tests)[:MAX_TEST_FILES],
        shown=problem.baseline_run.shown,
        hidden=problem.baseline_run.hidden,
    )


def edit_to(subject: Subject, text: str, target: Target) -> TextEdit | None:
    """Return the edit of the subject's text that makes its function the one in `text`.

    None if more than the body differs: then the edit of the function alone would be another program.
    """
    own, other = subject.definition, definition_of(text, target)
    if other is None or own.node.col_offset != other.node.col_offset or own.qualname != other.qualname:
        return None
    if _without_body(subject.text, subject.target) != _without_body(text, target):
        return None
    return TextEdit(subject.target.span, text[target.span.start : target.span.end])


def _without_body(text: str, target: Target) -> str:
    """Return the syntax tree of a text without the target's body, as text."""
    body = target.body
    shortened = f"{text[: body.start]}pass{text[body.end :]}" if body.start < body.end else text
    return ast.dump(parse(shortened))


def missing_parameters(one: Definition, other: Definition) -> tuple[str, ...]:
    """Return the names of the parameters that only one of two functions has."""
    names = [
        {argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
        for given in (one.node.args, other.node.args)
    ]
    return tuple(sorted(names[0] ^ names[1]))
