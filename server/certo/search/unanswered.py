"""Tries that have no candidate because no language model answered."""

from __future__ import annotations

from certo.vocabulary.errors import CertoError

MOST_IN_A_ROW = 3
"""How many tries in a row may end so, until nobody is asked any more."""


class Unanswered:
    """Keeps account of which lines of tries have ended because their model failed; `by_line` says how."""

    def __init__(self) -> None:
        self.by_line: dict[int, CertoError] = {}
        self._answered: set[int] = set()
        self._in_a_row = 0

    def failed(self, line: int, failure: CertoError) -> None:
        """Take in that a line's model failed."""
        self.by_line[line] = failure
        self._in_a_row += 1

    def answered(self, line: int) -> None:
        """Take in that somebody answered, though it may have been no candidate."""
        self._answered.add(line)
        self.by_line.pop(line, None)
        self._in_a_row = 0

    @property
    def hopeless(self) -> bool:
        """Whether so many tries in a row ended so that the next would too."""
        return self._in_a_row >= MOST_IN_A_ROW

    @property
    def everywhere(self) -> bool:
        """Whether every line of tries has ended so."""
        return bool(self.by_line) and self._answered <= set(self.by_line)
