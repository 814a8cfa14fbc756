"""Candidates with some or all of their changes left out: tests that pass with these do not need the changes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from itertools import groupby

from certo.edits.alignment import MatchingBlock, changed_blocks
from certo.edits.positions import split_lines
from certo.edits.source import parse_fresh
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True)
class RevertedCandidate:
    """A candidate's `text` without its changed `lines`; `files` are the other files whose changes are left out."""

    text: str
    lines: tuple[int, ...]
    files: tuple[str, ...]

    @property
    def described(self) -> str:
        """The omitted changes, in words."""
        said = [f"the changed {_spelled(self.lines)}"] if self.lines else []
        return " and ".join([*said, *(["what changes in " + ", ".join(self.files)] if self.files else [])])


@dataclass(frozen=True, slots=True)
class RevertedChange:
    """A candidate's `text` without one of its changes, which is at a 1-based `line`.

    Removed lines are put back, and changed or added ones are left out. `unnoticed` is the message for the user if no
    test notices that the change is missing.
    """

    text: str
    line: int
    unnoticed: str


def revert_each_change(problem: Problem, candidate: Candidate) -> list[RevertedChange]:
    """Return the candidate's text without each single change to the document.

    Changes that do nothing are skipped, and so are those without which the text is no Python.
    """
    old, new = split_lines(problem.text), split_lines(candidate.text)
    made = (_undone(block, old, new) for block in changed_blocks(old, new))
    return [each for each in made if each is not None]


def _undone(block: MatchingBlock, old: Sequence[str], new: Sequence[str]) -> RevertedChange | None:
    text = "".join(new)
    if block.new_start == block.new_end:
        put_back = "".join([*new[: block.new_start], *old[block.old_start : block.old_end], *new[block.new_end :]])
        if _essence(put_back) in ("", _essence(text)):
            return None
        former = _spelled(range(block.old_start + 1, block.old_end + 1))
        return RevertedChange(put_back, max(block.new_start, 1), f"no test notices the removal of the former {former}")
    lines = frozenset(range(block.new_start + 1, block.new_end + 1))
    remover = _ChangeRemover(text, lines)
    tree = parse_fresh(text)
    tree.body = remover.statements(tree.body, keep=True)
    if not remover.removed:
        return None
    without = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    return RevertedChange(
        without, min(remover.removed), f"no test notices the change in {_spelled(sorted(remover.removed))}"
    )


def _essence(text: str) -> str:
    """Return a syntax tree without imports and docstrings, as comparable text, or nothing if the text is no Python."""
    try:
        tree = parse_fresh(text)
    except SyntaxError:
        return ""
    for node in ast.walk(tree):
        if isinstance(body := getattr(node, "body", None), list):
            node.body = [  # type: ignore[attr-defined]  # the line above has seen that it has a body
                each for each in body if not isinstance(each, ast.Import | ast.ImportFrom) and not _is_text(each)
            ]
    return ast.dump(tree)


def _spelled(lines: Iterable[int]) -> str:
    """Return lines in words: "line 3", "lines 3–5, 9"."""
    numbered = [list(each) for _, each in groupby(enumerate(lines), lambda pair: pair[1] - pair[0])]
    runs = [(run[0][1], run[-1][1]) for run in numbered]
    spelled = ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in runs)
    return f"{'line' if spelled.isdecimal() else 'lines'} {spelled}"


def revert_changes(problem: Problem, candidate: Candidate) -> RevertedCandidate | None:
    """Return the candidate without its changed statements, or None if there is none to leave out.

    Imports, docstrings and the heads of functions stay, since the text would not run without them.
    """
    remover = _ChangeRemover(candidate.text, _new_lines(problem.text, candidate.text))
    tree = parse_fresh(candidate.text)
    tree.body = remover.statements(tree.body, keep=True)
    files = tuple(change.path for change in candidate.elsewhere)
    if not remover.removed and not files:
        return None
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n" if remover.removed else candidate.text
    return RevertedCandidate(text, tuple(sorted(remover.removed)), files)


def _new_lines(base: str, text: str) -> frozenset[int]:
    """Return the 1-based lines of `text` that are new or changed."""
    blocks = changed_blocks(split_lines(base), split_lines(text))
    return frozenset(line for block in blocks for line in range(block.new_start + 1, block.new_end + 1))


class _ChangeRemover:
    """Removes changed statements from a syntax tree; `removed` are their changed lines."""

    def __init__(self, text: str, changed: frozenset[int]) -> None:
        self._changed = changed
        self._blank = {number for number, line in enumerate(split_lines(text), 1) if not line.strip()}
        self.removed: set[int] = set()

    def statements(self, body: Sequence[ast.stmt], *, keep: bool = False) -> list[ast.stmt]:
        """Return the statements that stay: at least one, unless `keep` allows none."""
        left = [kept for statement in body for kept in self._statement(statement)]
        return left if left or keep or not body else [ast.copy_location(ast.Pass(), body[0])]

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        """Return the remaining parts of one statement."""
        if isinstance(node, ast.Import | ast.ImportFrom) or _is_text(node):
            return [node]
        start = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
        lines = set(range(start, (node.end_lineno or node.lineno) + 1)) - self._blank
        if not lines & self._changed:
            return [node]
        inner = getattr(node, "body", None)
        if lines <= self._changed or not inner:
            self.removed |= lines & self._changed
            return []
        head = set(range(start, inner[0].lineno)) & self._changed
        if head and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return self._without_head(node, head, lines)
        self._within(node)
        return [node]

    def _without_head(self, node: ast.stmt, head: set[int], lines: set[int]) -> list[ast.stmt]:
        """Return the rest of a compound statement whose head changed: for an `if`, its condition is negated."""
        if isinstance(node, ast.If):
            self.removed |= head
            self._within(node)
            node.test = ast.UnaryOp(ast.Not(), node.test)
            return [node]
        if isinstance(node, ast.With | ast.AsyncWith):
            self.removed |= head
            return self.statements(node.body)
        self.removed |= lines & self._changed
        return []

    def _within(self, node: ast.AST) -> None:
        """Remove changed statements from the blocks of a compound statement."""
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                setattr(node, name, self.statements(block, keep=name != "body"))
        for each in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            self._within(each)


def _is_text(node: ast.stmt) -> bool:
    """True if the statement is only a string, such as a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
