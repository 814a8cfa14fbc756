"""Kinds of values: for each, small values of it, and random ones.

Small values come first because most faults show on them (the small scope hypothesis: Jackson and Damon, "Elements of
style", 1996).
"""

from __future__ import annotations

import random
from typing import Any, Callable, Iterable, Iterator, List, NamedTuple, Sequence

from certo_builtin.inputs import unusual
from certo_builtin.inputs.variants import MISSING, Words, expression, literal

MAX_SMALL = 40
"""Maximum number of small values of a kind."""

MAX_MORE = 100
"""Maximum number of further values of a kind."""

MAX_INNER = 16
"""Maximum number of further values of an element that collections hold."""

MAX_LENGTH = 6
"""Maximum length of a random collection; texts may be twice as long."""

Dice = random.Random


class Kind(NamedTuple):
    """Values of one kind as expressions: `small` ones, the simplest first, and a function that draws others.

    `more` are boundaries and unusual values, which are tried one at a time and not in combination.
    """

    small: List[str]
    draw: Callable[[Dice], str]
    more: Sequence[str] = ()


def fixed(texts: Iterable[str]) -> Kind:
    """Return the kind of these values."""
    every = list(dict.fromkeys(texts))
    return _kind(every, lambda dice: dice.choice(every), every[MAX_SMALL:])


def _kind(small: Iterable[str], draw: Callable[[Dice], str], more: Iterable[str]) -> Kind:
    """Return a kind with each value once; small ones beyond their number are further values."""
    every = list(dict.fromkeys(small))
    first = every[:MAX_SMALL]
    rest = dict.fromkeys([*every[MAX_SMALL:], *more])
    return Kind(first, draw, [one for one in rest if one not in first][:MAX_MORE])


def integers(words: Words, seen: Sequence[int] = ()) -> Kind:
    """Return the kind of whole numbers, with those of the code and those seen."""
    plain = [0, 1, 2, -1, 3, 10, 100]
    pool = list(dict.fromkeys([*plain[:5], *seen, *words.numbers, *plain[5:]]))
    more = [*map(repr, words.large), *unusual.WHOLE]

    def draw(dice: Dice) -> str:
        return repr(
            dice.choice(pool)
            if dice.random() < 0.4
            else dice.randint(-4, 12)
            if dice.random() < 0.8
            else dice.randint(-1000, 1000)
        )

    return _kind(map(repr, pool), draw, more)


def floats(words: Words, seen: Sequence[float] = ()) -> Kind:
    """Return the kind of fractions, with those of the code and those seen, and whole numbers among them."""
    plain = [0.0, 1.0, 0.5, -1.0, 1.5, 2.0, 0.1, 2.675]
    pool = list(dict.fromkeys([*plain, *seen, *words.fractions, *map(float, words.numbers)]))

    def draw(dice: Dice) -> str:
        return expression(
            dice.choice(pool) if dice.random() < 0.6 else round(dice.uniform(-20, 20), dice.randint(0, 3))
        )

    return _kind(map(expression, pool), draw, [*unusual.FRACTIONS, *map(expression, words.large)])


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

    long = "{!r} * {}".format((whole[-1:] or ["ab"])[0][:4], unusual.LONG)
    more = [*map(unusual.spelled, words.lengths), *unusual.TEXTS]

    def draw(dice: Dice) -> str:
        if dice.random() < 0.1:
            return repr(dice.choice(more) + dice.choice(alphabet))
        if whole and dice.random() < 0.2:
            return repr(dice.choice(whole) + (dice.choice(whole) if dice.random() < 0.5 else dice.choice(alphabet)))
        few = dice.sample(alphabet, min(len(alphabet), dice.randint(1, 4)))
        return repr("".join(dice.choice(few) for _ in range(dice.randint(0, 2 * MAX_LENGTH))))

    return _kind(map(repr, small), draw, [*map(repr, more), long])


def lists(of: Kind, form: str = "[{}]", empty: str = "", lengths: Sequence[int] = ()) -> Kind:
    """Return the kind of lists of another kind; `form` has a place for the elements."""
    small = [_filled(form, empty, row) for row in _rows(of.small)]
    more = [_filled(form, empty, row) for row in _further_rows(of, lengths)]

    def draw(dice: Dice) -> str:
        size = dice.randint(0, MAX_LENGTH)
        pool = [of.draw(dice) for _ in range(max(1, dice.randint(1, size + 1)))]
        return _filled(form, empty, [dice.choice(pool) for _ in range(size)])

    return _kind(small, draw, more)


def _filled(form: str, empty: str, row: Sequence[str]) -> str:
    if not row and empty:
        return empty
    inside = ", ".join(row) + ("," if len(row) == 1 and form[0] == "(" else "")
    return form.format(inside) if "{}" in form else inside


def _rows(small: Sequence[str]) -> List[List[str]]:
    """Return rows of few elements: none, one, all pairs and triples of the first few, in each order."""
    first = _unlike(small)[:3]
    rows = [[], *([one] for one in small[:5]), *([one, other] for one in first for other in first)]
    rows += [[one, other, another] for one in first for other in first for another in first[1:]]
    rows += [list(small[:5]), list(small[:5])[::-1], *([one] for one in small[5:12])]
    return rows


def _further_rows(of: Kind, lengths: Sequence[int]) -> List[List[str]]:
    """Return rows with each further value in different places, and rows of boundary lengths, sorted and not."""
    small, rows = _unlike(of.small), []
    zero, one, two, three = (small[place % len(small)] for place in (0, 1, 2, 4))
    for value in of.more[:MAX_INNER]:
        rows += [[value], [one, value, zero], [value, two, one, zero]]
    for length in (*lengths, 8, 20):
        row = [small[place % len(small)] for place in range(length)]
        rows += [row, row[::-1]]
    rows += [[one] * 4, [zero, one] * 3, [one, two, three, three, two], [two, two, one, one]]
    return rows + [[value, value, zero] for value in of.more[:MAX_INNER]]


def _unlike(small: Sequence[str]) -> List[str]:
    """Return expressions without those that equal an earlier one, as 0 does 0.0."""
    found: List[str] = []
    values: List[Any] = []
    for text in small:
        value = literal(text)
        if value is MISSING or value not in values:
            found.append(text)
            values.append(value)
    return found


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

    more = [_filled("({})", "()", row) for row in _one_at_a_time(several)]
    return _kind((_filled("({})", "()", row) for row in rows), draw, more)


def _one_at_a_time(several: Sequence[Kind]) -> Iterator[List[str]]:
    """Yield rows with one further value each, the others plain."""
    for number, kind in enumerate(several):
        for value in kind.more[:MAX_INNER]:
            row = [one.small[min(1, len(one.small) - 1)] for one in several]
            yield [*row[:number], value, *row[number + 1 :]]


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

    more = [made(["{}: {}".format(key, held[0])]) for key in keys.more[:MAX_INNER]]
    more += [made(["{}: {}".format(first[0], one)]) for one in values.more[:MAX_INNER]]
    more += [made(["{}: {}".format(key, held[place % len(held)]) for place, key in enumerate(first[:8])])]
    return _kind(small, draw, more)


def unions(several: Sequence[Kind]) -> Kind:
    """Return the kind of values of any of several kinds, which take turns."""
    return _kind(
        _in_turn([kind.small for kind in several]),
        lambda dice: dice.choice(several).draw(dice),
        _in_turn([kind.more for kind in several]),
    )


def _in_turn(several: Sequence[Sequence[str]]) -> List[str]:
    longest = max(map(len, several))
    return [one[place] for place in range(longest) for one in several if place < len(one)]


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

    names = [field for field, _ in fields]
    return _kind(small, draw, [written(list(zip(names, row))) for row in _one_at_a_time([kind for _, kind in fields])])
