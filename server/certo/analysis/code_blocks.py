"""Blocks of a source file, and their hashes: each function, and the rest of the module, which runs at its import.

A result of a test depends on the functions that it executed, not on all of their files. As in pytest-testmon, the body
of a function is a block, and what remains of the file without these bodies is another one.
"""

from __future__ import annotations

import ast
import hashlib
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import field
from functools import lru_cache
from typing import TypeAlias

from certo.edits.positions import split_lines
from certo.vocabulary.records import dataclass

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

_KEEPS_RESULTS = ("cache", "memo", "once")
"""Parts of the names of decorators whose functions may answer without running, so that no test is seen to run them."""


@dataclass(frozen=True, slots=True)
class CodeBlocks:
    """The blocks of one text: hashes of its functions by name, of the `module` around them, and of the `whole`."""

    whole: str
    module: str
    functions: dict[str, str] = field(default_factory=dict)
    _starts: tuple[int, ...] = ()
    _ends: tuple[int, ...] = ()

    def at(self, line: int) -> str | None:
        """Return the name of the function that a 1-based line is in; None for code of the module itself."""
        place = bisect_right(self._starts, line) - 1
        return list(self.functions)[place] if place >= 0 and line <= self._ends[place] else None


@lru_cache(maxsize=256)
def code_blocks(text: str) -> CodeBlocks:
    """Return the blocks of a text; a text that cannot be parsed is one block.

    Functions within functions belong to the outer one. One whose decorator may keep its results belongs to the module.
    """
    whole = _hash(text)
    try:
        tree = ast.parse(text.encode("utf-8", "surrogatepass"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return CodeBlocks(whole=whole, module=whole)
    lines = split_lines(text)
    outside = dict(enumerate(lines, 1))
    functions: dict[str, str] = {}
    starts, ends = [], []
    for name, node in sorted(_functions(tree.body, ""), key=lambda each: each[1].lineno):
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        last = node.end_lineno or node.lineno
        body = node.body[0].lineno
        # A body that begins behind something else in its line stays in the module as well.
        body += bool(lines[body - 1][: node.body[0].col_offset].strip())
        count = sum(1 for known in functions if known.partition("#")[0] == name)
        functions[f"{name}#{count}"] = _hash("".join(lines[first - 1 : last]))
        starts.append(first)
        ends.append(last)
        if not _may_keep_results(lines, node.decorator_list):
            for line in range(body, last + 1):
                outside.pop(line, None)
    module = _hash("".join(line for line in outside.values() if line.strip() and not line.lstrip().startswith("#")))
    return CodeBlocks(whole, module, functions, tuple(starts), tuple(ends))


def _functions(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, _Function]]:
    """Yield the outermost functions with their qualified names, those of classes and conditional ones included."""
    for node in body:
        if isinstance(node, _Function):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}.")
        else:
            for inner in ("body", "orelse", "finalbody"):
                yield from _functions(getattr(node, inner, []), prefix)
            for handler in getattr(node, "handlers", []):
                yield from _functions(handler.body, prefix)


def _may_keep_results(lines: list[str], decorators: list[ast.expr]) -> bool:
    # Their text is at hand, and a test may have a long list of parameters.
    said = "".join("".join(lines[each.lineno - 1 : each.end_lineno]) for each in decorators).lower()
    return any(word in said for word in _KEEPS_RESULTS)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
