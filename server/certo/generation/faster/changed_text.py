"""A changed syntax tree written back into its text: statements that did not change keep their lines and comments."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Sequence
from difflib import SequenceMatcher

from certo.generation.faster.draft import Function

LINE_BREAK = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")
HEADED = (ast.For, ast.While, ast.If, ast.With)


class Rendering:
    """Writes changed functions of one text."""

    def __init__(self, text: str, function: Function) -> None:
        self._lines = LINE_BREAK.split(text)
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self._old = function
        self.start = function.body[0].lineno
        self.end = function.body[-1].end_lineno or self.start

    def written(self, new: Function) -> str | None:
        """Return the whole text with the body of `new`; None if the statements share lines, or it is no Python."""
        if self._old.body[0].lineno == self._old.lineno:
            return None
        indent = self._indent(self._old.body[0])
        lines = self._block(self._old.body, new.body, indent)
        text = "".join([*self._lines[: self.start - 1], *lines, *self._lines[self.end :]])
        try:
            ast.parse(text)
        except SyntaxError:
            return None
        return text

    def _indent(self, statement: ast.stmt) -> str:
        line = self._lines[statement.lineno - 1]
        return line[: len(line) - len(line.lstrip())]

    def _block(self, old: Sequence[ast.stmt], new: Sequence[ast.stmt], indent: str) -> list[str]:
        """Return the lines of a block."""
        lines: list[str] = []
        chunks = self._chunks(old)
        matcher = SequenceMatcher(None, [ast.dump(one) for one in old], [ast.dump(one) for one in new], autojunk=False)
        for kind, first, last, start, end in matcher.get_opcodes():
            if kind == "equal":
                lines += [line for chunk in chunks[first:last] for line in chunk]
                continue
            lines += self._changed(list(zip(old, chunks, strict=True))[first:last], new[start:end], indent)
        return lines

    def _changed(self, old: list[tuple[ast.stmt, list[str]]], new: Sequence[ast.stmt], indent: str) -> list[str]:
        """Return the lines of statements in place of others; one whose block alone changed keeps its head."""
        lines: list[str] = []
        for one in new:
            place = next((place for place, (each, _) in enumerate(old) if _is_same_head(each, one)), None)
            if place is None:
                lines += self._unparsed(one, indent)
                continue
            lines += [line for _, chunk in old[:place] for line in _leading_comments(chunk)]
            lines += self._headed(old[place][0], one, indent, old[place][1])
            del old[: place + 1]
        comments = [line for _, chunk in old for line in _leading_comments(chunk)]
        return [*comments, *lines]

    def _headed(self, old: ast.stmt, new: ast.stmt, indent: str, chunk: Sequence[str]) -> list[str]:
        """Return the lines of a statement whose head is the same and whose body changed."""
        assert isinstance(old, HEADED)
        assert isinstance(new, HEADED)
        if old.body[0].lineno == old.lineno:
            return self._unparsed(new, indent)
        comments = _leading_comments(chunk)
        head = self._lines[old.lineno - 1 : old.body[0].lineno - 1]
        inner = self._indent(old.body[0])
        return [*comments, *head, *self._block(old.body, new.body, inner)]

    def _chunks(self, block: Sequence[ast.stmt]) -> list[list[str]]:
        """Return the lines of each statement, with the comments before it."""
        found = []
        before = block[0].lineno - 1
        for one in block:
            end = one.end_lineno or one.lineno
            found.append(self._lines[before:end])
            before = end
        return found

    def _unparsed(self, statement: ast.stmt, indent: str) -> list[str]:
        written = ast.unparse(ast.fix_missing_locations(statement))
        return [line + self._newline for line in textwrap.indent(written, indent).split("\n")]


def _leading_comments(chunk: Sequence[str]) -> list[str]:
    kept = []
    for line in chunk:
        if line.strip() and not line.lstrip().startswith("#"):
            break
        kept.append(line)
    return kept


def _is_same_head(old: ast.stmt, new: ast.stmt) -> bool:
    """True if two statements with a block differ in it alone."""
    if type(old) is not type(new) or not isinstance(old, HEADED) or getattr(old, "orelse", []):
        return False
    for name, value in ast.iter_fields(old):
        other = getattr(new, name)
        if name != "body" and (_dumped(value) != _dumped(other)):
            return False
    return True


def _dumped(value: object) -> str:
    if isinstance(value, list):
        return "|".join(_dumped(one) for one in value)
    return ast.dump(value) if isinstance(value, ast.AST) else repr(value)
