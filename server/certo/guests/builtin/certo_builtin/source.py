"""The user's text and its syntax tree, with positions as code-point offsets into the document."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from typing import Dict, Iterable, List, Optional, Set, Tuple, Union

Edit = Tuple[int, int, str]
"""Replacement of the code points from the first up to the second offset by the text."""

Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

LINE_BREAK = re.compile(r"\r\n|\r|\n")


def applied(text: str, edits: Iterable[Edit], origin: int = 0) -> str:
    """Return the text with non-overlapping edits; `origin` is the offset of `text` in the edits' document."""
    for start, end, replacement in sorted(edits, reverse=True):
        text = text[: start - origin] + replacement + text[end - origin :]
    return text


def within(text: str, edits: Tuple[Edit, ...], end: int) -> Tuple[Edit, ...]:
    """Return the same edits, those of whole lines bounded by `end`: the line break there is outside the function."""
    if all(last <= end for _, last, _ in edits):
        return edits
    found = LINE_BREAK.match(text, end)
    rest = found.group() if found else ""
    return tuple(_shortened(text, edit, end, rest) if rest and edit[1] == end + len(rest) else edit for edit in edits)


def _shortened(text: str, edit: Edit, end: int, rest: str) -> Edit:
    """Return an edit that ends after a line break as one that ends before it."""
    first, last, new = edit
    if new.endswith(rest):
        return (first, end, new[: -len(rest)]) if first <= end else (end, end, rest + new[: -len(rest)])
    return (first - len(rest), end, "") if not new and text[:first].endswith(rest) else (first, last, new)


class Source:
    r"""A parsed document and where things are in it.

    Python counts columns in UTF-8 bytes and ends lines at `\n`, `\r\n` and `\r` only;
    editors and we count code points.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        # Python skips a byte order mark, and counts columns after it.
        mark = 1 if text.startswith("\ufeff") else 0
        self.tree = ast.parse(text[mark:])
        self.starts = [mark, *(found.end() for found in LINE_BREAK.finditer(text)), len(text)]
        self.newline = next((found.group() for found in LINE_BREAK.finditer(text)), "\n")
        self.parents: Dict[ast.AST, ast.AST] = {
            child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)
        }

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a 1-based line and a column in bytes."""
        start = self.starts[line - 1]
        content = self.text[start : self.starts[line]]
        if content.isascii():
            return start + column
        return start + len(content.encode("utf-8")[:column].decode("utf-8"))

    def lines_at(self, edits: Iterable[Edit]) -> List[int]:
        """Return the 1-based lines that edits replace or stand on."""
        found: Set[int] = set()
        for start, end, _ in edits:
            first, last = (bisect_right(self.starts, offset, 0, len(self.starts) - 1) for offset in (start, end))
            found.update(range(max(first, 1), max(last, 1) + 1))
        return sorted(found)

    def start(self, node: Union[ast.expr, ast.stmt]) -> int:
        """Return the offset at which a node begins."""
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: Union[ast.expr, ast.stmt]) -> int:
        """Return the offset after the end of a node."""
        return self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def text_of(self, node: Union[ast.expr, ast.stmt]) -> str:
        """Return the source of a node, as written."""
        return self.text[self.start(node) : self.end(node)]

    def function_at(self, line: int, name: str) -> Optional[Function]:
        """Return the function of that name whose `def` is on that line."""
        for node in ast.walk(self.tree):
            if isinstance(node, FUNCTIONS) and node.lineno == line and node.name == name:
                return node
        return None

    def lineage(self, function: Function) -> Tuple[List[str], Function]:
        """Return the names of the classes around `function`, and the outermost function around it."""
        chain: List[ast.AST] = [function]
        while chain[-1] in self.parents:
            chain.append(self.parents[chain[-1]])
        classes: List[str] = []
        for node in reversed(chain):
            if isinstance(node, FUNCTIONS):
                return classes, node
            if isinstance(node, ast.ClassDef):
                classes.append(node.name)
        return classes, function

    def lines_of(self, function: Function) -> Tuple[int, int]:
        """Return the first and last line of a function, decorators included."""
        first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
        return first, function.end_lineno or function.lineno
