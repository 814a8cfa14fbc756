"""Tests that certo wrote: which of them state no more than what a function does, and so judge no version of it."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict
from functools import cache

from certo.edits.source import parse
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedTest:
    """A test that was taken from a text: digests of the `test` and of the function `qualname` at `path`.

    `author` is the language model that proposed it, if any. If it `is_right`, its user said so.
    """

    test: str
    path: str
    qualname: str
    target: str
    author: str = ""
    is_right: bool = False

    @property
    def line(self) -> str:
        """The facts as a line of JSON."""
        return json.dumps(asdict(self), sort_keys=True)

    def judges(self, target: tuple[str, str, str], authors: Collection[str]) -> bool:
        """True if it may judge versions of the function at this path, of this name and digest, by these authors.

        A test judges nothing that its own author wrote, and says nothing new about the text it was taken from.
        """
        is_its_text = target == (self.path, self.qualname, self.target)
        return self.author not in authors and (self.is_right or not is_its_text)


def digest(node: ast.AST) -> str:
    """Return the digest of a function, which no change of its layout changes."""
    return hashlib.sha256(ast.unparse(node).encode("utf-8", "surrogatepass")).hexdigest()


def digest_of_test(text: str, within: str) -> str:
    """Return the digest of a test by what pytest calls it within a file; empty if it is not there."""
    try:
        body: list[ast.stmt] = parse(text).body
    except SyntaxError:
        return ""
    found: ast.stmt | None = None
    for name in within.partition("[")[0].split("::"):
        found = next((node for node in body if getattr(node, "name", None) == name), None)
        body = getattr(found, "body", [])
    return digest(found) if isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef) else ""


def pinned_tests(
    known: Mapping[str, str],
    ids: Iterable[str],
    *,
    target: tuple[str, str, str],
    authors: Collection[str],
    read: Callable[[str], str],
) -> frozenset[str]:
    """Return those tests among `ids` that certo wrote and that may not judge; `known` are the lines about all it wrote.

    One that was edited since is its user's own. `read` returns the text of a file.
    """
    texts = cache(read)
    found = set()
    for test in ids:
        path, _, within = test.partition("::")
        line = known.get(test) or known.get(test.partition("[")[0])
        if line is None:
            continue
        try:
            pin = PinnedTest(**json.loads(line))
        except (ValueError, TypeError):
            # A line of another version.
            continue
        if not pin.judges(target, authors) and pin.test == digest_of_test(texts(path), within):
            found.add(test)
    return frozenset(found)
