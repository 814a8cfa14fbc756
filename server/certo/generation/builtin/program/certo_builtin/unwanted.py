"""Telling whether edits make what the user has seen and wants otherwise."""

from __future__ import annotations

import ast
from typing import Iterable, Set

from certo_builtin.question import Question
from certo_builtin.source import Edit, applied


class Unwanted:
    """The texts that are not to be made again, by what they mean and not by how they are laid out."""

    def __init__(self, question: Question) -> None:
        self._text = question.text
        self._meanings: Set[str] = {meaning for text in question.unwanted for meaning in _meaning(text)}

    def made_by(self, edits: Iterable[Edit]) -> bool:
        """Whether these edits of the question's text make one of them."""
        return bool(self._meanings) and not self._meanings.isdisjoint(_meaning(applied(self._text, edits)))


def _meaning(text: str) -> Set[str]:
    """What Python reads in a text; nothing where it can read none."""
    try:
        return {ast.dump(ast.parse(text.lstrip("\ufeff")))}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
