"""Text edits: applied to a text, computed between two texts, and adapted to a document's line breaks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from certo.edits.alignment import MatchingBlock, changed_blocks, shared_prefix, shared_suffix
from certo.edits.positions import newline_of, split_lines, with_newlines
from certo.vocabulary.text import Span, TextEdit

_TOKEN = re.compile(r"\r\n|\d[\w.]*|[\w\u0300-\u036f]+|\.\.\.|(?:\*\*|//|>>|<<|[-+*/%@&|^:=!<>])=|\*\*|//|>>|<<|->")
"""Tokens that an edit must not split: words, numbers, and operators and line breaks of several characters."""


def apply_edits(text: str, edits: Sequence[TextEdit]) -> str:
    """Return the text with all edits made; their spans refer to the text before any of them.

    Raises:
        ValueError: The edits are out of order, overlap, or exceed the text.
    """
    parts: list[str] = []
    done = 0
    for edit in edits:
        if edit.span.start < done:
            raise ValueError(f"the edit at {edit.span.start} is out of order or overlaps one that ends at {done}")
        if edit.span.end > len(text):
            raise ValueError(f"the edit at {edit.span.start}..{edit.span.end} is beyond the text's end, {len(text)}")
        parts += (text[done : edit.span.start], edit.replacement)
        done = edit.span.end
    return "".join([*parts, text[done:]])


def edits_between(old: str, new: str) -> tuple[TextEdit, ...]:
    r"""Return small edits from `old` to `new`: changed lines, trimmed to the changed part.

    Blocks with equally many lines are paired line by line. For readability no edit starts or ends within a word, a
    number or an operator of either text; nor within a \r\n, because no LSP position could name that place.
    """
    old_lines, new_lines = split_lines(old), split_lines(new)
    starts = [0, *accumulate(map(len, old_lines))]
    edits: list[TextEdit] = []
    for block in changed_blocks(old_lines, new_lines):
        for pair in _paired(block):
            before = "".join(old_lines[pair.old_start : pair.old_end])
            after = "".join(new_lines[pair.new_start : pair.new_end])
            if before != after:
                edits.append(_cut_down(before, after, starts[pair.old_start]))
    return tuple(edits)


def fit_newlines(edits: Sequence[TextEdit], text: str) -> tuple[TextEdit, ...]:
    """Return the edits with line breaks as used in the text."""
    newline = newline_of(text)
    return tuple(TextEdit(edit.span, with_newlines(edit.replacement, newline)) for edit in edits)


def within(edits: Sequence[TextEdit], span: Span) -> bool:
    """True if every edit lies within a span."""
    return all(span.contains(edit.span) for edit in edits)


def _paired(block: MatchingBlock) -> Iterator[MatchingBlock]:
    """Yield a block line by line if it has as many new lines as old ones, else as a whole."""
    count = block.old_end - block.old_start
    if count != block.new_end - block.new_start:
        yield block
        return
    for step in range(count):
        old, new = block.old_start + step, block.new_start + step
        yield MatchingBlock(old, old + 1, new, new + 1)


def _cut_down(before: str, after: str, offset: int) -> TextEdit:
    """Return the edit from `before`, which starts at `offset`, to `after`, without their common ends."""
    old, new = _insides(before), _insides(after)
    head = shared_prefix(before, after)
    while head in old or head in new:
        head -= 1
    tail = shared_suffix(before[head:], after[head:])
    while len(before) - tail in old or len(after) - tail in new:
        tail -= 1
    span = Span(offset + head, offset + len(before) - tail)
    return TextEdit(span, after[head : len(after) - tail])


def _insides(text: str) -> frozenset[int]:
    """Return the offsets inside tokens of a text."""
    return frozenset(at for token in _TOKEN.finditer(text) for at in range(token.start() + 1, token.end()))
