"""Orders in a docstring: by what elements are sorted or chosen, and in which direction."""

from __future__ import annotations

import re
from typing import Any, Callable, List, Match, NamedTuple, Tuple

from certo_builtin.synthesis.components.component import Component, call

FALLING = (
    r"descending|decreasing|reversed? (?:sorted )?order|(?:largest|highest|longest|greatest|biggest|"
    r"newest) (?:one )?first"
)
BY = r"(?:by|according to|based on|on the basis of|using|with respect to|in (?:the )?order of)"


class Key(NamedTuple):
    """An order of elements: its words, the argument `key` for it, and the function."""

    words: str
    text: str
    apply: Callable[[Any], Any]


def _digits(value: Any) -> List[int]:
    return [int(digit) for digit in str(abs(value))]


_ITEM = r"(?:values?|items?|elements?|fields?|columns?|components?|parts?|entry|members?|numbers?)"

KEYS: Tuple[Key, ...] = (
    Key(r"(?:number|count) of digits", "lambda x: len(str(abs(x)))", lambda value: len(str(abs(value)))),
    Key(r"sum of (?:its |their |the )?digits?", "lambda x: sum(int(d) for d in str(abs(x)))",
        lambda value: sum(_digits(value))),
    Key(r"last digit", "lambda x: abs(x) % 10", lambda value: abs(value) % 10),
    Key(r"(?:lengths?|sizes?|number of (?:characters|letters|elements|items))", "len", len),
    Key(r"absolute (?:values?|size)|magnitude", "abs", abs),
    Key(r"(?:sum|total)", "sum", sum),
    Key(r"second " + _ITEM, "lambda x: x[1]", lambda value: value[1]),
    Key(r"third " + _ITEM, "lambda x: x[2]", lambda value: value[2]),
    Key(r"first (?:letter|character|" + _ITEM + ")", "lambda x: x[0]", lambda value: value[0]),
    Key(r"last (?:letter|character|" + _ITEM + ")", "lambda x: x[-1]", lambda value: value[-1]),
)  # fmt: skip

BY_KEY = (
    r"(?:sort|order|rank|arrang)\w*\b[^.]{{0,60}}?\b{} (?:(?:their|its|the|each|whose|of|in|to|an?|increasing|"
    r"decreasing|ascending|descending|{}) )*(?P<key>{})".format(BY, FALLING, "|".join(key.words for key in KEYS))
)


def by_key(found: Match[str]) -> List[Component]:
    """Return the components that sort by the key that a phrase names, both ways."""
    words = found.group("key")
    key = next(key for key in KEYS if re.fullmatch(key.words, words, re.IGNORECASE))
    rising = "sorted({{0}}, key={})".format(key.text)
    falling = "sorted({{0}}, key={}, reverse=True)".format(key.text)
    return [
        call(rising, 2, lambda values: sorted(values, key=key.apply), "collection"),
        call(falling, 3, lambda values: sorted(values, key=key.apply, reverse=True), "collection"),
    ]
