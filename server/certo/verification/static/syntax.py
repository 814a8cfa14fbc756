"""Verifier of syntax: a candidate is valid Python and changes only the target in its document."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator

from certo.edits.offsets import SourceMap
from certo.edits.patch import apply_edits, within
from certo.edits.source import parse
from certo.verification.static.one_by_one import of_each
from certo.verification.static.text_verdict import read_verdict
from certo.vocabulary.candidate import Candidate, FileChange
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import Span
from certo.vocabulary.verdict import Finding, Verdict

MAX_STATEMENTS = 200_000
"""Maximum number of compiled statements: more than the longest function has, and far less than nested `finally` can
produce.
"""


@dataclass(frozen=True, slots=True)
class _Written:
    """Number of statements after compilation, and of those among them that leave their block."""

    statements: int = 0
    exits: int = 0

    def __add__(self, other: _Written) -> _Written:
        return _Written(self.statements + other.statements, self.exits + other.exits)

    def times(self, copies: int) -> _Written:
        return _Written(self.statements * copies, self.exits * copies)


def statements_compiled(body: Iterable[ast.AST]) -> int:
    """Return an upper bound of the statements that the compiler makes of these.

    The compiler copies a `finally` block to each exit: twenty nested ones become a million copies, and gigabytes of
    memory.

    Raises:
        RecursionError: They are nested too deeply.
    """
    return _written(body).statements


def _written(body: Iterable[ast.AST]) -> _Written:
    return sum(map(_of_one, body), _Written())


def _of_one(node: ast.AST) -> _Written:
    one = _Written(1, int(isinstance(node, ast.Return | ast.Break | ast.Continue)))
    below = [
        part
        for name, value in ast.iter_fields(node)
        if name in ("body", "orelse", "handlers", "cases") and isinstance(value, list)
        for part in value
    ]
    inside = _written(below)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return _Written(1 + inside.statements)
    if isinstance(node, ast.Try | ast.TryStar) and node.finalbody:
        # Once where all went well, once where something was raised, and once for each statement that leaves.
        return one + inside + _written(node.finalbody).times(2 + inside.exits)
    return one + inside


class SyntaxVerifier:
    """Passes a candidate that compiles, whose edits are within the target and give the text it claims.

    The other files that it changes must compile too.
    """

    @property
    def name(self) -> str:
        """The name shown to the user."""
        return "syntax"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Compile the candidate's text, without running any of it."""
        return await read_verdict(self.name, candidate, lambda: of_each(candidate, problem, _objections))


def _objections(candidate: Candidate, problem: Problem) -> tuple[Finding, ...]:
    if not within(candidate.edits, problem.target.span):
        return (Finding(message=f"an edit lies outside {problem.target.qualname}; only the target may be changed"),)
    try:
        made = apply_edits(problem.text, candidate.edits)
    except ValueError as error:
        return (Finding(message=f"the edits cannot be made: {error}"),)
    if made != candidate.text:
        return (Finding(message="the candidate's text is not what its edits make of the document"),)
    _compile_around(candidate, problem)
    return tuple(finding for change in candidate.elsewhere for finding in _elsewhere(change))


def _elsewhere(change: FileChange) -> Iterator[Finding]:
    """Yield a finding if another file is no Python, with the line in its message."""
    try:
        _compile(parse(change.after).body, change.path, line=1)
    except SyntaxError as error:
        yield Finding(message=f"{change.path}:{error.lineno or 1}: {error.msg}")


def _compile_around(candidate: Candidate, problem: Problem) -> None:
    """Raise SyntaxError if the candidate is no Python.

    Parsing alone would accept a `return` outside a function, a name that is both global and a parameter, and other
    errors of the compiler's later passes. Those passes need only the top-level statements that the edits may have
    touched, which saves most of the time in a long file.
    """
    text, span = candidate.text, problem.target.span
    tree, source = parse(text), SourceMap(text)
    end = len(text) - (len(problem.text) - span.end)
    touched = [each for each in tree.body if _meet(source.span(each), Span(span.start, end))]
    _compile(touched, problem.path, line=problem.target.line)


def _compile(statements: list[ast.stmt], path: str, *, line: int) -> None:
    if statements_compiled(statements) > MAX_STATEMENTS:
        many = f"it would be compiled to more than {MAX_STATEMENTS:,} statements"
        raise SyntaxError(many, ("", line, 0, None))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(ast.Module(body=statements, type_ignores=[]), path, "exec", dont_inherit=True)


def _meet(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end
