"""A candidate with its changed lines left out: tests that need none of these pass with it as well."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from certo.edits.alignment import MatchingBlock, changed_blocks
from certo.edits.positions import split_lines
from certo.edits.source import parse_fresh
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The `text` that is left of a candidate's without so many `lines` of it, and the `files` that are as they were."""

    text: str
    lines: tuple[int, ...]
    files: tuple[str, ...]

    @property
    def described(self) -> str:
        """Name what was left out."""
        said = [f"the changed {_spelled(self.lines)}"] if self.lines else []
        return " and ".join([*said, *(["what changes in " + ", ".join(self.files)] if self.files else [])])


@dataclass(frozen=True, slots=True)
class Undone:
    """A candidate's `text` without one of its changes; `unnoticed` says so of the change, which is at a 1-based `line`.

    Lines that the candidate has no more are put back, and those that it has otherwise or in addition are left out.
    """

    text: str
    line: int
    unnoticed: str


def one_by_one(problem: Problem, candidate: Candidate) -> list[Undone]:
    """Return what a candidate is without each of its changes to the document that do something.

    Where that is no Python, the change has to be there, and it is left out here.
    """
    old, new = split_lines(problem.text), split_lines(candidate.text)
    made = (_undone(block, old, new) for block in changed_blocks(old, new))
    return [each for each in made if each is not None]


def _undone(block: MatchingBlock, old: Sequence[str], new: Sequence[str]) -> Undone | None:
    text = "".join(new)
    if block.new_start == block.new_end:
        put_back = "".join([*new[: block.new_start], *old[block.old_start : block.old_end], *new[block.new_end :]])
        if _essence(put_back) in ("", _essence(text)):
            return None
        former = _spelled(range(block.old_start + 1, block.old_end + 1))
        return Undone(put_back, max(block.new_start, 1), f"no test notices the removal of the former {former}")
    lines = frozenset(range(block.new_start + 1, block.new_end + 1))
    leaver = _Leaver(text, lines)
    tree = parse_fresh(text)
    tree.body = leaver.statements(tree.body, keep=True)
    if not leaver.left:
        return None
    without = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    return Undone(without, min(leaver.left), f"no test notices the change in {_spelled(sorted(leaver.left))}")


def _essence(text: str) -> str:
    """Return what a text does, but for imports and docstrings, as can be compared; nothing if it is no Python."""
    try:
        tree = parse_fresh(text)
    except SyntaxError:
        return ""
    for node in ast.walk(tree):
        if isinstance(body := getattr(node, "body", None), list):
            node.body = [  # type: ignore[attr-defined]  # it has one
                each for each in body if not isinstance(each, ast.Import | ast.ImportFrom) and not _is_text(each)
            ]
    return ast.dump(tree)


def _spelled(lines: Iterable[int]) -> str:
    """Return lines in words: "line 3", "lines 3–5, 9"."""
    numbered = [list(each) for _, each in groupby(enumerate(lines), lambda pair: pair[1] - pair[0])]
    runs = [(run[0][1], run[-1][1]) for run in numbered]
    spelled = ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in runs)
    return f"{'line' if spelled.isdecimal() else 'lines'} {spelled}"


def without_changes(problem: Problem, candidate: Candidate) -> LeftOut | None:
    """Return what is left of a candidate without its changed statements, or None where there is none to leave out.

    Imports and docstrings stay, and so does the head of a function: nobody could say what it is without.
    """
    leaver = _Leaver(candidate.text, _new_lines(problem.text, candidate.text))
    tree = parse_fresh(candidate.text)
    tree.body = leaver.statements(tree.body, keep=True)
    files = tuple(change.path for change in candidate.elsewhere)
    if not leaver.left and not files:
        return None
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n" if leaver.left else candidate.text
    return LeftOut(text, tuple(sorted(leaver.left)), files)


def _new_lines(base: str, text: str) -> frozenset[int]:
    """The 1-based lines of a text that are new or altered."""
    blocks = changed_blocks(split_lines(base), split_lines(text))
    return frozenset(line for block in blocks for line in range(block.new_start + 1, block.new_end + 1))


class _Leaver:
    """Leaves changed statements out of a syntax tree; `left` are their changed lines."""

    def __init__(self, text: str, changed: frozenset[int]) -> None:
        self._changed = changed
        self._blank = {number for number, line in enumerate(split_lines(text), 1) if not line.strip()}
        self.left: set[int] = set()

    def statements(self, body: Sequence[ast.stmt], *, keep: bool = False) -> list[ast.stmt]:
        """Return what is left of some statements: at least one, unless `keep` allows for none."""
        left = [kept for statement in body for kept in self._statement(statement)]
        return left if left or keep or not body else [ast.copy_location(ast.Pass(), body[0])]

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        """Return what is left of one statement."""
        if isinstance(node, ast.Import | ast.ImportFrom) or _is_text(node):
            return [node]
        start = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
        lines = set(range(start, (node.end_lineno or node.lineno) + 1)) - self._blank
        if not lines & self._changed:
            return [node]
        inner = getattr(node, "body", None)
        if lines <= self._changed or not inner:
            self.left |= lines & self._changed
            return []
        head = set(range(start, inner[0].lineno)) & self._changed
        if head and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return self._without_head(node, head, lines)
        self._within(node)
        return [node]

    def _without_head(self, node: ast.stmt, head: set[int], lines: set[int]) -> list[ast.stmt]:
        """Return what is left of a compound statement whose head changed."""
        if isinstance(node, ast.If):
            self.left |= head
            self._within(node)
            node.test = ast.UnaryOp(ast.Not(), node.test)
            return [node]
        if isinstance(node, ast.With | ast.AsyncWith):
            self.left |= head
            return self.statements(node.body)
        self.left |= lines & self._changed
        return []

    def _within(self, node: ast.AST) -> None:
        """Leave out what changed in the blocks of a compound statement."""
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                setattr(node, name, self.statements(block, keep=name != "body"))
        for each in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            self._within(each)


def _is_text(node: ast.stmt) -> bool:
    """Whether a statement is a text that nobody reads while it runs."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
