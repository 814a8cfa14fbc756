"""Phrases of docstrings: which are found, and the components, constants and constructs that they suggest."""

from __future__ import annotations

import ast
import collections
import copy
import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo_builtin.synthesis.components.catalogue import COMPONENTS
from certo_builtin.synthesis.components.component import Component
from certo_builtin.synthesis.docstring_words import stems
from certo_builtin.synthesis.expressions import Setting, expressions
from certo_builtin.synthesis.phrases.catalogue import PHRASES
from certo_builtin.synthesis.phrases.grammar import Reading, read
from certo_builtin.synthesis.phrases.units import factors
from certo_builtin.synthesis.space import Leaf
from certo_builtin.synthesis.terms import ATOM, COMPARED, LOOSE, POWER, PRODUCT, SUM
from certo_builtin.synthesis.unused_hints import UnusedHints

WORDS = (
    "sort by the length in descending order ignoring case at least most 3 n first last two of each digit unique "
    "inclusive divisible between rotate right raise ValueError if is empty vowels number sum seconds minutes"
)
words_of_phrases = st.sampled_from(WORDS.split())
prose = st.text(max_size=80) | st.lists(words_of_phrases, max_size=14).map(" ".join)


def names(reading: Reading) -> set[str]:
    return {one.phrase.name for one in reading.found}


@pytest.mark.parametrize(
    ("text", "name", "made"),
    [
        ("Return True if both are equal, ignoring case.", "ignoring case", "{0}.lower() == {1}.lower()"),
        ("Compare case-insensitively.", "ignoring case", "sorted({0}, key=str.lower)"),
        ("Sort the words by length.", "sorted by", "sorted({0}, key=len)"),
        ("Sort the pairs by their second element.", "sorted by", "sorted({0}, key=lambda x: x[1])"),
        ("Return names ordered by\nthe last letter", "sorted by", "sorted({0}, key=lambda x: x[-1])"),
        ("Sort a dictionary by value.", "sorted by value", "sorted({0}.items(), key=lambda x: x[1])"),
        ("Words of at least four letters.", "at least N", "len({0}) >= 4"),
        ("Numbers of at most 10.", "at most N", "{0} <= 10"),
        ("Numbers greater than 3", "more than N", "{0} > 3"),
        ("Words shorter than 5 letters", "less than N", "len({0}) < 5"),
        ("Numbers from low to high, inclusive.", "inclusive", "{0} <= {1} <= {2}"),
        ("Numbers divisible by seven.", "divisible by N", "{0} % 7 == 0"),
        ("Return the n largest numbers.", "the n largest", "sorted({0}, reverse=True)[:{1}]"),
        ("Clamp x to low and high.", "clamped", "max({1}, min({0}, {2}))"),
        ("The most frequent word.", "most common", "max({0}, key={0}.count)"),
        ("Rotate the list to the right by n.", "rotated right", "{0}[-{1}:] + {0}[:-{1}]"),
        ("Convert to snake_case", "snake case", "re.sub(r'(?<!^)(?=[A-Z])', '_', {0}).lower()"),
    ],
)
def test_phrase_brings_its_component(text: str, name: str, made: str) -> None:
    reading = read(text)
    assert name in names(reading)
    assert made in [component.text for component in reading.components()]


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("Return the least common multiple.", "the smallest"),
        ("Work even if it fails.", "even numbers"),
        ("Rotate to the right.", "rotated left"),
        ("In reverse order.", "reversed"),
        ("At least one is set.", "at least"),
        ("The first five.", "the first"),
        ("The next perfect square.", "squares"),
        ("The minimum of two numbers.", "at least N"),
    ],
)
def test_like_words_are_other_phrases(text: str, absent: str) -> None:
    assert absent not in names(read(text))


def test_name_is_read_as_well() -> None:
    assert "sorted by" in names(read("", "sort_by_length"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Convert hours to seconds.", [3600]),
        ("Format a number of minutes as hours and days.", [60, 1440, 24]),
        ("Weeks and days", [7]),
        ("kilobytes to bytes", [1024]),
        ("The price in cents of some dollars", [100]),
        ("Feet to inches", [12]),
        ("The second element of hours", [3600]),
        ("seconds", []),
    ],
)
def test_units_give_factors(text: str, found: list[int]) -> None:
    assert factors(text) == found


def test_numbers_are_read_in_ascii() -> None:
    for text in ("at least s\u0131x", "at least \u0663"):
        assert "at least N" not in names(read(text))
        read(text).components()


@given(prose, prose)
def test_any_text_is_read(text: str, name: str) -> None:
    texts = [one.text for one in read(text, name).components()]
    assert len(set(texts)) == len(texts)


@given(prose)
def test_white_space_changes_nothing(text: str) -> None:
    assert names(read(text)) == names(read("\n  ".join(text.split(" ")) if " " in text else text))


EVERY = (
    "ignoring case",
    "at least 4",
    "at most 4",
    "more than 3",
    "less than 4",
    "exactly 2 characters",
    "divisible by 3",
    "round to 2 digits",
    "sort by length",
    "sort by value",
    "the n largest",
    "the n-th largest",
    "the n-th smallest",
    "second largest",
    "second smallest",
    "check if it is sorted",
    "rotate",
    "last digit",
    "first digit",
    "snake case",
    "camel case",
    "slug",
    "truncate",
    "more than once",
    "exactly once",
    "most common",
    "consecutive",
    "invert the mapping",
    "at least n",
    "at most n",
    "inclusive",
    "between",
    "clamp",
    "percent",
    "leap year",
    "mm:ss",
    "longest",
    "shortest",
    "running maximum",
)
EVERY_COMPONENT = read(" . ".join(EVERY)).components()

# An argument of each level, loosest first, and the ways to use a result that binds as tightly.
ARGUMENTS = {LOOSE: "p if q else r", COMPARED: "p < q", SUM: "p + q", PRODUCT: "p * q", POWER: "p ** q", ATOM: "p.q"}
USES = {LOOSE: "f({})", COMPARED: "not {}", SUM: "{} + p", PRODUCT: "{} * p", ATOM: "{}.p"}


def tree(text: str) -> str:
    return ast.dump(ast.parse(text, mode="eval"))


@pytest.mark.parametrize("component", EVERY_COMPONENT, ids=lambda one: one.text)
def test_components_bind_as_they_say(component: Component) -> None:
    assert len(component.needs) == len(component.takes)
    for place, need in enumerate(component.needs):
        for text in (text for level, text in ARGUMENTS.items() if level >= need):
            given = ["a"] * len(component.needs)
            bare, safe = ([*given[:place], one, *given[place + 1 :]] for one in (text, f"({text})"))
            assert tree(component.text.format(*bare)) == tree(component.text.format(*safe)), text
    made = component.text.format(*["a"] * len(component.needs))
    for use in (use for level, use in USES.items() if level <= component.level):
        assert tree(use.format(made)) == tree(use.format(f"({made})")), use


numbers = st.integers(-30, 30)
letters = st.text("abAB_ 1", max_size=5)
VALUES = {
    "any": numbers | letters,
    "collection": st.lists(numbers, max_size=5) | st.lists(letters, max_size=4),
    "count": st.integers(0, 12),
    "dict": st.dictionaries(letters, numbers, max_size=4),
    "float": st.floats(-100, 100),
    "int": st.integers(-3000, 3000),
    "list": st.lists(numbers, max_size=4),
    "nested": st.lists(letters, max_size=4),
    "number": numbers | st.floats(-100, 100),
    "numbers": st.lists(numbers, max_size=5),
    "sequence": st.lists(numbers, max_size=5) | letters,
    "str": letters,
    "texts": st.lists(letters, max_size=4),
}


@pytest.mark.parametrize("component", EVERY_COMPONENT, ids=lambda one: one.text)
@given(data=st.data())
def test_components_do_what_they_say(component: Component, data: st.DataObject) -> None:
    places = list("abc"[: len(component.takes)])
    values = {place: data.draw(VALUES[kind]) for place, kind in zip(places, component.takes, strict=True)}
    try:
        wanted = component.apply(*copy.deepcopy(list(values.values())))
    except Exception:  # noqa: BLE001 - it has no value for these
        return
    # Arguments as loose as they may be: a conditional expression where that may stand.
    written = zip(places, component.needs, strict=True)
    loose = [f"{one} if True else {one}" if need == LOOSE else one for one, need in written]
    names_of = {"re": re, "collections": collections, "itertools": itertools, **values}
    assert eval(component.text.format(*loose), names_of) == wanted


def test_names_of_phrases_differ() -> None:
    assert len({phrase.name for phrase in PHRASES}) == len(PHRASES)


def find(text: str, columns: dict[str, list[object]], expected: list[object]) -> str | None:
    reading = read(text)
    leaves = [Leaf(name, tuple(values), 1, ATOM, asked=True) for name, values in columns.items()]
    components: list[Component] = reading.components()
    setting = Setting(
        leaves, [], components, frozenset(), expected, constructs=reading.constructs, implied=reading.words
    )
    return next(expressions(setting, 20000), None)


def test_phrase_is_preferred_to_a_coincidence() -> None:
    names_of_fruits: dict[str, list[object]] = {"names": [["fig", "apple", "kiwi"], ["date", "plum"]]}
    expected: list[object] = [["fig", "kiwi", "apple"], ["date", "plum"]]
    assert find("Sort the names by length.", names_of_fruits, expected) == "sorted(names, key=len)"


def test_hint_of_a_phrase_decides_between_equals() -> None:
    columns: dict[str, list[object]] = {"words": [["a", "b"], ["c", "d", "e"]]}
    expected: list[object] = ["b", "e"]
    assert find("Return the last word.", columns, expected) == "words[-1]"
    assert find("Return the largest word.", columns, expected) == "max(words)"


def test_word_hint_outdoes_its_phrase() -> None:
    constructs = read("Return the minimum.").constructs
    hints = UnusedHints(frozenset(), stems("minimum"), COMPONENTS, constructs)
    assert hints.answered("min(a, b)") > hints.answered("a if a < b else b")
    assert UnusedHints(frozenset(), frozenset(), COMPONENTS, constructs).answered("a if a < b else b") == 1
