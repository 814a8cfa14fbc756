"""A phrase of a docstring: how it is worded, and what code with it usually contains."""

from __future__ import annotations

import re
from typing import Any, Callable, FrozenSet, List, Match, NamedTuple, Optional, Sequence, Tuple, Union

from certo_builtin.synthesis.components.component import Component, call, on, question
from certo_builtin.synthesis.docstring_words import stems
from certo_builtin.synthesis.terms import LOOSE, PRODUCT, SUM

NUMERALS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBER = r"(?a:(?P<number>[0-9]{1,6}|" + "|".join(NUMERALS) + r"))"
"""A number in digits or in words; in ASCII alone, for a dotless i is an i in another case."""

MAX_CHARACTERS = 4000
"""Length of the prose that is read; what comes later is seldom about the result."""

Made = Union[Sequence[Component], Callable[[Match[str]], Sequence[Component]]]


class Phrase(NamedTuple):
    """A phrase: `construct` is what code contains that does what it says, `words` are others for the same.

    Both are patterns, compiled when they are needed first: a search that reads no docstring has no use for them.
    `made` are components for it alone, or a function that makes them of the words found. If the phrase is `telling`,
    code without the construct probably does something else.
    """

    name: str
    wording: str
    construct: str
    words: FrozenSet[str] = frozenset()
    made: Made = ()
    telling: bool = True

    def match(self, prose: str) -> Optional[Match[str]]:
        """Return the first place of the phrase in some prose."""
        return re.search(self.wording, prose, re.IGNORECASE)

    def components(self, found: Match[str]) -> Sequence[Component]:
        """Return the components for one finding of the phrase."""
        return self.made(found) if callable(self.made) else self.made


def phrase(
    name: str, wording: str, construct: str, words: str = "", made: Made = (), *, telling: bool = True
) -> Phrase:
    """Return a phrase; its wording is matched in any case, in prose with single spaces."""
    return Phrase(name, wording, construct, stems(words), made, telling)


def number_in(found: Match[str]) -> int:
    """Return the number that a phrase names."""
    word = found.group("number").lower()
    return NUMERALS.index(word) if word in NUMERALS else int(word)


def with_number(
    *rows: Tuple[str, Callable[[Any, int], Any], str], cost: int = 2
) -> Callable[[Match[str]], List[Component]]:
    """Return a function that makes components with the number in a phrase: of their texts, functions and kinds.

    In the texts the number stands for `N`.
    """

    def made(found: Match[str]) -> List[Component]:
        number = number_in(found)
        return [_with(text.replace("N", str(number)), apply, number, takes, cost) for text, apply, takes in rows]

    return made


def _with(text: str, apply: Callable[[Any, int], Any], number: int, takes: str, cost: int) -> Component:
    def of_one(value: Any) -> Any:
        return apply(value, number)

    if re.search(r" (<|<=|>|>=|==|!=) ", text):
        tight = PRODUCT if "%" in text else SUM
        return question(text, tight if text.startswith("{0} ") else LOOSE, cost, of_one, takes)
    if text.startswith("{0}"):
        return on(text, cost, of_one, takes)
    return call(text, cost, of_one, takes)
