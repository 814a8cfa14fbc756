"""The project's Markdown as readers see it: pages with their headings, links and fenced blocks."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[3]

_PLACES = ("*.md", "docs/**/*.md", "examples/**/*.md", "tests/**/*.md", "vscode-client/*.md", "changes/README.md")
"""Where pages are; texts for language models in `server/` and changelog fragments are none."""

_READER = MarkdownIt("commonmark").enable("table")


@dataclass(frozen=True)
class Fence:
    """A fenced block: its language, the word after it that says how it is checked, its text and its first line."""

    language: str
    held: str
    text: str
    line: int


@dataclass(frozen=True)
class Page:
    """A Markdown file, known by its path in the project."""

    path: str

    def __str__(self) -> str:
        return self.path

    @cached_property
    def text(self) -> str:
        """The whole text."""
        return (ROOT / self.path).read_text(encoding="utf-8")

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of CommonMark, those within lines included."""
        return tuple(_flat(_READER.parse(self.text)))

    @cached_property
    def fences(self) -> tuple[Fence, ...]:
        """The fenced blocks in their order."""
        return tuple(_fence(token) for token in self.tokens if token.type == "fence")

    @cached_property
    def links(self) -> tuple[str, ...]:
        """The addresses of links and pictures, as written."""
        return tuple(
            unquote(str(target))
            for token in self.tokens
            for target in (token.attrGet("href"), token.attrGet("src"))
            if target is not None
        )

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The headings as GitHub reads them out, from the first to the last."""
        pairs = zip(self.tokens, self.tokens[1:], strict=False)
        return tuple(_spoken(inner) for opening, inner in pairs if opening.type == "heading_open")

    @cached_property
    def anchors(self) -> frozenset[str]:
        """The fragments for links to this page: GitHub's names of the headings, and ids written in HTML."""
        seen: Counter[str] = Counter()
        names = set(re.findall(r'<a id="([^"]+)">', self.text))
        for heading in self.headings:
            name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            names.add(f"{name}-{seen[name]}" if seen[name] else name)
            seen[name] += 1
        return frozenset(names)

    @cached_property
    def inline_code(self) -> tuple[str, ...]:
        """The texts in backticks within lines."""
        return tuple(token.content for token in self.tokens if token.type == "code_inline")

    @cached_property
    def prose(self) -> str:
        """The words of the page without code, a line for each paragraph, heading or cell."""
        return "\n".join(
            "".join(" " if each.type == "code_inline" else each.content for each in token.children or ())
            for token in self.tokens
            if token.type == "inline"
        )


@functools.cache
def pages() -> tuple[Page, ...]:
    """Return every page, in the order of their paths; the same to all, since reading Markdown takes long."""
    found = {path.relative_to(ROOT).as_posix() for place in _PLACES for path in ROOT.glob(place)}
    return tuple(map(Page, sorted(found)))


def _flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _flat(token.children or [])


def _fence(token: Token) -> Fence:
    language, _, held = token.info.strip().partition(" ")
    return Fence(language, held.strip(), token.content, token.map[0] + 1 if token.map else 0)


def _spoken(heading: Token) -> str:
    return "".join(token.content for token in heading.children or () if token.type in ("text", "code_inline"))
