"""Code in Markdown: fenced blocks of an answer, including carelessly fenced ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field

from certo.vocabulary.records import dataclass

_FENCE = re.compile(r"^(?P<indent>[ \t>]*)(?P<fence>`{3,}|~{3,})(?P<rest>.*)$")
_INLINE = re.compile(r"(?<!`)```([^`\n]+)```(?!`)")
_INLINE_LANGUAGE = re.compile(r"\A(?:python3?|py3?)[ \t]+", re.IGNORECASE)
_LANGUAGE = re.compile(r"[\w+#.-]*")
_CODE = re.compile(r"\s*(?:def|async|class|@|return|import|from|raise|for|while|if|with|try:|yield)\b|\s*@\w")

PYTHON = frozenset({"python", "python3", "py", "py3", "pycon", "python-repl", "pyi"})
"""Language names of Python in lower case."""

MAX_FENCES = 1000
"""Maximum number of fences considered, the last ones; a text with more is no answer."""

_PROSE = frozenset({"", "markdown", "md", "text", "txt"})
"""Languages of blocks that may contain further blocks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBlock:
    """A fenced block: its language in lower case ("" if it has none), and if it was closed.

    `lines` are the numbers of its first and last line in the text, fences included, `above` is the last text before it,
    `rest` the text after the opening fence on its line.
    """

    code: str
    language: str
    closed: bool
    lines: tuple[int, int] = field(default=(0, -1), compare=False)
    above: str = field(default="", compare=False)
    rest: str = field(default="", compare=False)

    @property
    def is_python(self) -> bool:
        """True if it is marked as Python, or has no language."""
        return self.language in PYTHON or not self.language


@dataclass(frozen=True, slots=True)
class _Mark:
    """A line that may open or close a block."""

    line: int
    indent: str
    fence: str
    rest: str

    @property
    def language(self) -> str:
        found = _LANGUAGE.match(self.rest.strip())
        return found.group().lower() if found else ""

    @property
    def code(self) -> str:
        """Code on the line of the fence itself, where there should be none."""
        after = self.rest.strip()
        if _CODE.match(after):
            return after
        after = after[len(self.language) :].strip()
        return after if _CODE.match(after) else ""

    def closes(self, opening: _Mark) -> bool:
        return self.fence[0] == opening.fence[0] and len(self.fence) >= len(opening.fence) and not self.rest.strip()


def blocks(text: str) -> tuple[CodeBlock, ...]:
    """Return the fenced blocks of a Markdown text in order, in linear time.

    A block ends at the first bare fence at least as long as its own. A fence within a string of the code is skipped
    while the string is open, as far as counting triple quotes tells. A block inside another counts by itself if the
    outer one holds prose. An unclosed last block extends to the end of the text.
    """
    lines = text.split("\n")
    marks = [_Mark(line, *found.group("indent", "fence", "rest")) for line, found in _fences(lines)][-MAX_FENCES:]
    found: list[CodeBlock] = []
    inline_from, at = 0, 0
    while at < len(marks):
        opening = marks[at]
        if "`" in opening.rest and opening.fence[0] == "`":
            at += 1  # ```code``` on one line opens nothing.
            continue
        found += _inline(lines[inline_from : opening.line])
        if opening.language in _PROSE and at + 1 < len(marks) and _opens_python(marks[at + 1], opening):
            inline_from, at = opening.line + 1, at + 1
            continue
        last, following, closed = _end(lines, marks, at)
        inside = [_outdented(line, opening.indent) for line in lines[opening.line + 1 : last]]
        first = [opening.code] if opening.code else []
        language = "" if opening.code and opening.rest.strip().startswith(opening.code) else opening.language
        found.append(
            CodeBlock(
                code="\n".join(first + inside),
                language=language,
                closed=closed,
                lines=(opening.line, min(last, len(lines) - 1) if closed else last - 1),
                above=next((line for line in reversed(lines[inline_from : opening.line]) if line.strip()), ""),
                rest="" if opening.code else opening.rest,
            )
        )
        inline_from, at = last + 1, following
    found += _inline(lines[inline_from:])
    return tuple(found)


def fenced(code: str, language: str = "python") -> str:
    """Return code as a Markdown block, with a fence longer than any in the code."""
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{code.strip(chr(10))}\n{fence}"


def _fences(lines: Sequence[str]) -> Iterator[tuple[int, re.Match[str]]]:
    for number, line in enumerate(lines):
        found = _FENCE.match(line)
        if found is not None:
            yield number, found


def _opens_python(mark: _Mark, outer: _Mark) -> bool:
    """True if a fence inside a block begins a block of Python of its own."""
    return mark.language in PYTHON and not mark.closes(outer)


def _end(lines: Sequence[str], marks: Sequence[_Mark], opening: int) -> tuple[int, int, bool]:
    """Return the line after a block, the index of the next mark, and True if the block was closed.

    If every closing fence seems to be inside a string, the quotes were misread, and the first fence is taken. A fence
    that opens another block of Python ends an unclosed one.
    """
    outer = marks[opening]
    first: int | None = None
    inside, line = "", outer.line + 1
    for index in range(opening + 1, len(marks)):
        mark = marks[index]
        inside = _string_open(lines[line : mark.line], inside)
        line = mark.line
        if mark.closes(outer):
            if not inside:
                return mark.line, index + 1, True
            first = index if first is None else first
        elif not inside and first is None and _opens_python(mark, outer):
            return mark.line, index, False
    if first is not None:
        return marks[first].line, first + 1, True
    return len(lines), len(marks), False


def _string_open(lines: Sequence[str], inside: str) -> str:
    """Return the triple quotes open after these lines, given those `inside` before them; "" for none."""
    for line in lines:
        at = 0
        while True:
            quotes = [inside] if inside else ['"""', "'''"]
            places = [(line.find(quote, at), quote) for quote in quotes]
            places = [(place, quote) for place, quote in places if place >= 0]
            if not places:
                break
            place, quote = min(places)
            at, inside = place + 3, "" if inside else quote
    return inside


def _inline(lines: Sequence[str]) -> list[CodeBlock]:
    """Return blocks that are written on one line of prose."""
    return [
        CodeBlock(code=_INLINE_LANGUAGE.sub("", found.group(1).strip()), language="", closed=True)
        for line in lines
        if "```" in line
        for found in _INLINE.finditer(line)
    ]


def _outdented(line: str, indent: str) -> str:
    """Return a line of a block without the indentation or quotation marks of its fence."""
    if indent and line.startswith(indent):
        return line[len(indent) :]
    if ">" in indent:
        return line.lstrip(" \t>") if not line.strip(" \t>") else line
    return line.lstrip(" \t") if indent and not line[: len(indent)].strip() and len(line) < len(indent) else line
