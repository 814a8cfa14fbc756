"""Places in a text and changes to it, in code points from its start."""

from __future__ import annotations

from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open stretch of a text: code-point offsets `start` up to but not including `end`."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"a span needs 0 <= start <= end, not {self.start}..{self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def contains(self, other: Span) -> bool:
        """True if `other` lies wholly within this span."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """Lines that stand together and were changed: from the 1-based `line` of the base on, `removed` became `added`.

    Each line keeps its line break. Where nothing was removed, `line` is the one that `added` now stands before.
    """

    line: int
    removed: tuple[str, ...]
    added: tuple[str, ...]


@dataclass(frozen=True, slots=True, order=True)
class TextEdit:
    """Replace what stands at `span` by `replacement`."""

    span: Span
    replacement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Collision:
    """A conflict between two changes of one text: `span` is its place in the user's own text.

    `ours` are the user's lines there, `theirs` the lines that the other change would put in their place.
    """

    span: Span
    ours: str
    theirs: str
