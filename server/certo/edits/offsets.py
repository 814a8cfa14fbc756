"""Conversion between positions in Python's syntax trees (lines, UTF-8 bytes) and offsets (code points)."""

from __future__ import annotations

import ast
from bisect import bisect_right
from typing import TYPE_CHECKING

from certo.edits.positions import line_starts
from certo.edits.source import BOM
from certo.vocabulary.text import Span

if TYPE_CHECKING:
    from typing import TypeAlias

    Placed: TypeAlias = ast.stmt | ast.expr | ast.arg | ast.ExceptHandler | ast.alias | ast.keyword


class SourceMap:
    """Position converter of one text; a line is encoded only when a position on it is requested."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = line_starts(text)
        self._bom = len(BOM) if text.startswith(BOM) else 0

    @property
    def lines(self) -> int:
        """The number of lines of the text; the last one may be empty."""
        return len(self._starts)

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a 1-based line and a 0-based column in UTF-8 bytes."""
        start = self.line_start(line)
        content = self._text[start : start + column]
        if not content.isascii():
            # A prefix of `column` code points is at least `column` bytes long, so the cut below is within it.
            content = content.encode()[:column].decode(errors="ignore")
        return start + len(content)

    def position(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line and the 0-based column in UTF-8 bytes of an offset."""
        line = self.line_of(offset)
        return line, len(self._text[self.line_start(line) : offset].encode())

    def line_of(self, offset: int) -> int:
        """Return the 1-based line an offset is on."""
        return bisect_right(self._starts, offset)

    def line_start(self, line: int) -> int:
        """Return the offset at which a 1-based line starts, behind the byte order mark if there is one."""
        return self._starts[line - 1] or self._bom

    def line_text(self, line: int) -> str:
        """Return a 1-based line with its line break."""
        end = self._starts[line] if line < len(self._starts) else len(self._text)
        return self._text[self.line_start(line) : end]

    def span(self, node: Placed) -> Span:
        """Return the span of a node, from its first decorator if it has any."""
        first = decorated_from(node)
        if first is node:
            return Span(self.offset(node.lineno, node.col_offset), self.end(node))
        # A decorator's position is that of its expression; the `@` begins that line, or one above it when there are
        # parentheses or a backslash between the two.
        line = first.lineno
        while not self.line_text(line).lstrip().startswith("@"):
            line -= 1
        start = self.line_start(line) + self.line_text(line).index("@")
        return Span(start, self.end(node))

    def end(self, node: Placed) -> int:
        """Return the offset just behind a node."""
        if node.end_lineno is None or node.end_col_offset is None:
            raise ValueError(f"{ast.dump(node)[:80]} was not parsed from a text, so it has no end")
        return self.offset(node.end_lineno, node.end_col_offset)


def decorated_from(node: Placed) -> Placed:
    """Return the node's first decorator, or the node itself when it has none."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.decorator_list:
        return node.decorator_list[0]
    return node
