"""Kinds of values: for each, small values of it, and random ones.

Small values come first because most faults show on them (the small scope hypothesis: Jackson and Damon, "Elements of
style", 1996).
"""

from __future__ import annotations

import random
from typing import Any, Callable, Iterable, List, NamedTuple, Sequence

from certo_builtin.inputs.variants import Words, expression

MAX_SMALL = 40
"""Maximum number of small values of a kind."""

MAX_LENGTH = 6
"""Maximum length of a random collection; texts may be twice as long."""

Dice = random.Random


class Kind(NamedTuple):
    """Values of one kind as expressions: `small` ones, the simplest first, and a function that draws others."""

    small: List[str]
    draw: Callable[[Dice], str]


def fixed(texts: Iterable[str]) -> Kind:
    """Return the kind of these values."""
    small = list(dict.fromkeys(texts))
    return Kind(small, lambda dice: dice.choice(small))


def integers(words: Words, seen: Sequence[int] = ()) -> Kind:
    """Return the kind of whole numbers, with those of the code and those seen."""
    plain = [0, 1, 2, -1, 3, 10, 100]
    pool = list(dict.fromkeys([*plain[:5], *seen, *words.numbers, *plain[5:]]))

    def draw(dice: Dice) -> str:
        return repr(
            dice.choice(pool)
            if dice.random() < 0.4
            else dice.randint(-4, 12)
            if dice.random() < 0.8
            else dice.randint(-1000, 1000)
        )

    return Kind([repr(one) for one in pool][:MAX_SMALL], draw)


def floats(words: Words, seen: Sequence[float] = ()) -> Kind:
    """Return the kind of fractions, with those of the code and those seen, and whole numbers among them."""
    plain = [0.0, 1.0, 0.5, -1.0, 1.5, 2.0, 0.1, 2.675]
    pool = list(dict.fromkeys([*plain, *seen, *words.fractions, *map(float, words.numbers)]))
    odd = ["float('inf')", "float('nan')", "-0.0"]

    def draw(dice: Dice) -> str:
        return expression(
            dice.choice(pool) if dice.random() < 0.6 else round(dice.uniform(-20, 20), dice.randint(0, 3))
        )

    return Kind([*map(expression, pool), *odd][:MAX_SMALL], draw)


def texts(words: Words, seen: Sequence[str] = ()) -> Kind:
    """Return the kind of texts over the characters of the code's and of seen texts."""
    own = list(dict.fromkeys(character for text in seen for character in text))
    alphabet = list(dict.fromkeys([*own, *words.alphabet]))
    whole = [text for text in dict.fromkeys([*words.texts, *seen]) if len(text) <= 80]
    first = alphabet[:12]
    small = [
        "",
        "a",
        *first,
        "ab",
        "aba",
        "A b",
        " ",
        "0",
        *whole,
        *(one + other for one in first[:5] for other in first[:5]),
    ]

    def draw(dice: Dice) -> str:
        if whole and dice.random() < 0.2:
            return repr(dice.choice(whole) + (dice.choice(whole) if dice.random() < 0.5 else dice.choice(alphabet)))
        few = dice.sample(alphabet, min(len(alphabet), dice.randint(1, 4)))
        return repr("".join(dice.choice(few) for _ in range(dice.randint(0, 2 * MAX_LENGTH))))

    return Kind(list(dict.fromkeys(map(repr, small)))[:MAX_SMALL], draw)


def lists(of: Kind, form: str = "[{}]", empty: str = "") -> Kind:
    """Return the kind of lists of another kind; `form` has a place for the elements."""
    chosen = _rows(of.small)
    small = [_filled(form, empty, row) for row in chosen]

    def draw(dice: Dice) -> str:
        size = dice.randint(0, MAX_LENGTH)
        pool = [of.draw(dice) for _ in range(max(1, dice.randint(1, size + 1)))]
        return _filled(form, empty, [dice.choice(pool) for _ in range(size)])

    return Kind(list(dict.fromkeys(small))[:MAX_SMALL], draw)


def _filled(form: str, empty: str, row: Sequence[str]) -> str:
    if not row and empty:
        return empty
    inside = ", ".join(row) + ("," if len(row) == 1 and form[0] == "(" else "")
    return form.format(inside) if "{}" in form else inside


def _rows(small: Sequence[str]) -> List[List[str]]:
    """Return rows of few elements: none, one, all pairs and triples of the first few, in each order."""
    first = list(small[:3])
    rows = [[], *([one] for one in small[:5]), *([one, other] for one in first for other in first)]
    rows += [[one, other, another] for one in first for other in first for another in first[1:]]
    rows += [list(small[:5]), list(small[:5])[::-1], *([one] for one in small[5:12])]
    return rows


def tuples(several: Sequence[Kind]) -> Kind:
    """Return the kind of tuples with one value of each of several kinds."""
    most = max((len(kind.small) for kind in several), default=1)
    rows = [[kind.small[place % len(kind.small)] for kind in several] for place in range(min(most, 12))]
    for shift in range(1, 4):
        rows += [
            [kind.small[(place * shift + number) % len(kind.small)] for number, kind in enumerate(several)]
            for place in range(6)
        ]

    def draw(dice: Dice) -> str:
        return _filled("({})", "", [kind.draw(dice) for kind in several])

    return Kind(list(dict.fromkeys(_filled("({})", "()", row) for row in rows))[:MAX_SMALL], draw)


def mappings(keys: Kind, values: Kind, form: str = "{}") -> Kind:
    """Return the kind of dictionaries; `form` may wrap them in a call."""

    def made(pairs: Sequence[str]) -> str:
        inside = "{" + ", ".join(pairs) + "}"
        return inside if form == "{}" else form.replace("{}", inside)

    first, held = keys.small, values.small
    small = [made([])]
    small += [made(["{}: {}".format(first[1 % len(first)], one)]) for one in held[:6]]
    for size in (2, 3):
        small += [
            made(
                [
                    "{}: {}".format(first[place], held[(place + shift) % len(held)])
                    for place in range(min(size, len(first)))
                ]
            )
            for shift in range(min(4, len(held)))
        ]

    def draw(dice: Dice) -> str:
        return made(
            ["{}: {}".format(keys.draw(dice), values.draw(dice)) for _ in range(dice.randint(0, MAX_LENGTH - 2))]
        )

    return Kind(list(dict.fromkeys(small))[:MAX_SMALL], draw)


def unions(several: Sequence[Kind]) -> Kind:
    """Return the kind of values of any of several kinds, which take turns."""
    longest = max(len(kind.small) for kind in several)
    turns = [kind.small[place] for place in range(longest) for kind in several if place < len(kind.small)]
    return Kind(list(dict.fromkeys(turns))[:MAX_SMALL], lambda dice: dice.choice(several).draw(dice))


def constructed(name: str, fields: Sequence[Any], rest: Sequence[Any] = ()) -> Kind:
    """Return the kind of objects that `name` makes of fields: their names, or "" for places, and kinds."""

    def written(pairs: Iterable[Any]) -> str:
        return "{}({})".format(name, ", ".join("{}={}".format(field, text) if field else text for field, text in pairs))

    most = max((len(kind.small) for _, kind in fields), default=1)
    small = [
        written([(field, kind.small[place % len(kind.small)]) for field, kind in fields])
        for place in range(min(most, 8))
    ]
    for shift in range(1, 4):
        small += [
            written(
                [
                    (field, kind.small[(place + shift * number) % len(kind.small)])
                    for number, (field, kind) in enumerate(fields)
                ]
            )
            for place in range(min(most, 5))
        ]
    small += [
        written([*((field, kind.small[0]) for field, kind in fields), (field, text)])
        for field, kind in rest
        for text in kind.small[:3]
    ]

    def draw(dice: Dice) -> str:
        more = [pair for pair in rest if dice.random() < 0.4]
        return written([(field, kind.draw(dice)) for field, kind in [*fields, *more]])

    return Kind(list(dict.fromkeys(small))[:MAX_SMALL], draw)
