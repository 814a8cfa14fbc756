"""Kinds of bugs that the histories of projects are full of: a small function with one, and the edit that repairs it."""

from __future__ import annotations

import types
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from certo_builtin.repair.fault_localization import Suspicion
from certo_builtin.repair.naturalness import Naturalness
from certo_builtin.repair.ranking import ranked
from support.search import repair_context
from support.search.repair_context import alive, asked, context_of


class ParseError(Exception):
    """An exception of the made-up project."""


MARKS = types.ModuleType("marks")
vars(MARKS).update(DOT=".", COMMA=",", COLON=":", NUMBER=3)
SCOPE: dict[str, Any] = {
    "ParseError": ParseError, "marks": MARKS, "clean": None, "fold": None, "Path": Path, "bytes": bytes,
}  # fmt: skip


context = partial(context_of, scope=SCOPE)
proposed = partial(repair_context.proposed, scope=SCOPE)


def test_expressions_in_texts_are_edited() -> None:
    source = 'def target(whole, rest):\n    return f"{whole:.0f} {rest:.0f}"\n'
    texts = proposed("a missing call", source, {"rest": {"int"}})
    assert 'def target(whole, rest):\n    return f"{whole:.0f} {abs(rest):.0f}"\n' in texts


OR = "def target(tags):\n    return list(tags or usual())\n"
IF = "def target(key, item):\n    if key and key(item):\n        return 1\n    return 0\n"
NOT = "def target(key):\n    return 0 if not key else 1\n"
SURE = "def target(key):\n    return 0 if key is None else 1\n"


@pytest.mark.parametrize(
    ("source", "old", "new"),
    [
        (OR, "tags or usual()", "tags if tags is not None else usual()"),
        (IF, "if key and", "if key is not None and"),
        (NOT, "not key", "key is None"),
        (SURE, "key is None", "not key"),
    ],
)
def test_none_is_told_from_false_values(source: str, old: str, new: str) -> None:
    assert source.replace(old, new) in proposed("None or any false value", source, {})


def test_none_gets_a_fallback() -> None:
    source = "def target(text):\n    return text.strip()\n"
    name = "a missing fallback for None"
    assert source.replace("text.", "(text or '').") in proposed(name, source, {"text": {"str", "NoneType"}})
    assert proposed(name, source, {"text": {"str"}}) == {}


def test_tables_get_cases() -> None:
    name = "a missing case in a table"
    words = "def target(word):\n    return word in ('yes', 'on')\n"
    assert words.replace("'on'", "'on', 'true'") in proposed(name, words, {}, literals=["true"])
    members = "def target(mark):\n    return mark in (marks.DOT, marks.COMMA)\n"
    texts = proposed(name, members, {})
    assert members.replace("COMMA", "COMMA, marks.COLON") in texts
    assert not any("NUMBER" in text or "__name__" in text for text in texts)
    shown = "def target(word):\n    return '%s%s' % ('yes', 'on'), ('yes', 'on')[0]\n"
    assert proposed(name, shown, {}, literals=["true"]) == {}


def test_types_get_cases() -> None:
    source = "def target(place):\n    return isinstance(place, str)\n"
    texts = proposed("a missing type", source, {"place": {"str", "bytes"}})
    wanted = source.replace("place, str", "place, (str, bytes)")
    assert texts[wanted] == max(texts.values())


def test_base_classes_of_failing_values_lead() -> None:
    source = "def target(place):\n    return not isinstance_safe(place, (str, bytes))\n"
    observed: dict[str, Any] = {
        "usual_kinds": {"target": {"place": {"str", "Leaf"}}},
        "bases": {"Twig": ["int", "Path"], "Leaf": ["dict"]},
    }
    texts = proposed("a missing type", source, {"place": {"str", "Leaf", "Twig"}}, **observed)
    named, builtin = (source.replace("bytes", f"bytes, {kind}") for kind in ("Path", "int"))
    assert set(texts) == {named, builtin}, "a passing value's bases are no type that is missing"
    assert texts[named] > texts[builtin], "the module names this one"


CALLS = """\
def clean(text):
    return text.strip()

def fold(text):
    return clean(text).lower()

def target(word, words):
    return word in words
"""


def test_project_calls_are_put_around_values() -> None:
    texts = proposed("a missing call of the project's", CALLS, {})
    assert CALLS.replace("return word in", "return fold(word) in") in texts
    assert CALLS.replace("return word in", "return clean(word) in") in texts


OPTION = """\
def find(items, skip=False, start=0, _raw=False):
    return items

def other(items):
    return find(items, limit=3)

def target(items, start):
    return find(items)
"""


@pytest.mark.parametrize("passed", ["skip=True", "start=start", "limit=3"])
def test_options_are_passed_on(passed: str) -> None:
    texts = proposed("a missing option", OPTION, {})
    assert OPTION.replace("return find(items)\n", f"return find(items, {passed})\n") in texts
    assert not any("_raw=True" in text for text in texts), "it is not for others"


def test_like_named_methods_are_likelier() -> None:
    class Tokens:
        def token_next(self) -> None: ...
        def token_previous(self) -> None: ...
        def flush(self) -> None: ...

    source = "def target(tokens):\n    return tokens.token_next(1)\n"
    SCOPE["Tokens"] = Tokens
    texts = proposed("another method of the class", source, {"tokens": {"Tokens"}})
    assert texts[source.replace("next", "previous")] > texts[source.replace("token_next", "flush")] > 0


def test_case_of_compared_words_is_likely() -> None:
    source = "def target(token):\n    return token.value == 'AS'\n"
    texts = proposed("a missing method", source, {})
    assert texts[source.replace(".value", ".value.upper()")] == max(texts.values()) > 1
    read = "def target(stream):\n    return stream.read()\n"
    marked = read.replace("read()", "read().removeprefix('#')")
    assert marked in proposed("a missing method", read, {}, literals=["#", "x"])


CHECKED = """\
def other(n):
    if n > 9:
        raise ValueError('n must be small')

def target(n):
    size = n * 2
    return size
"""


def test_expected_exceptions_are_raised() -> None:
    name = "a missing refusal"
    texts = proposed(name, CHECKED, {"n": {"int"}}, expected=["ValueError"])
    guard = "    if n < 0:\n        raise ValueError('n must be small')\n    size"
    assert CHECKED.replace("    size =", guard + " =") in texts
    assert proposed(name, CHECKED, {"n": {"int"}}) == {}
    plain = proposed(name, CHECKED, {"n": {"int"}}, expected=["ParseError"])
    assert CHECKED.replace("    size =", "    if n < 0:\n        raise ParseError\n    size =") in plain


HANDLED = "def target(text):\n    try:\n        return int(text)\n    except KeyError:\n        raise TypeError('no')\n"


def test_observed_exceptions_are_likelier() -> None:
    caught = proposed("another exception caught", HANDLED, {}, raised=["ParseError"])
    assert caught[HANDLED.replace("except KeyError", "except ParseError")] == max(caught.values())
    raised = proposed("another exception raised", HANDLED, {}, expected=["ValueError"])
    assert raised[HANDLED.replace("raise TypeError", "raise ValueError")] == max(raised.values())


def test_exceptions_are_handled_and_translated() -> None:
    name = "an exception not handled"
    source = "def target(self, text):\n    self.size = int(text)\n    return self\n"
    texts = proposed(name, source, {}, raised=["ValueError"], expected=["ParseError"])
    line = "    self.size = int(text)\n"
    tried = "    try:\n    " + line
    assert source.replace(line, tried + "    except ValueError:\n        pass\n") in texts
    shape = "    except ValueError as error:\n        raise ParseError(str(error)) from error\n"
    assert source.replace(line, tried + shape) in texts
    assert proposed(name, source, {}) == {}


def test_assertions_become_errors() -> None:
    source = "def target(text):\n    assert isinstance(text, str), 'no text'\n    return text\n"
    wanted = "    if not isinstance(text, str):\n        raise ValueError('no text')\n"
    texts = proposed("an assertion for an error", source, {}, expected=["ValueError"])
    assert source.replace("    assert isinstance(text, str), 'no text'\n", wanted) in texts


def test_branches_are_left() -> None:
    source = "def target(items):\n    for item in items:\n        if item:\n            print(item)\n"
    assert source + "            break\n" in proposed("a branch not left", source, {})


def test_conditions_of_other_functions_are_asked() -> None:
    source = (
        "def other(node):\n    return 1 if node.tag == 'div' else 2\n\n"
        "def target(node):\n    if node is None:\n        return 1\n    return 2\n"
    )
    texts = proposed("a missing clause", source, {"node": {"NoneType", "Node"}})
    assert source.replace("if node is None", "if node is None or node.tag != 'div'") in texts


def test_names_that_were_none_are_guarded() -> None:
    source = "def target(token, valid):\n    if valid(token):\n        return 1\n    return 2\n"
    texts = proposed("a missing clause", source, {"token": {"NoneType", "Token"}})
    assert texts[source.replace("if valid", "if token and valid")] == max(texts.values())


def test_identity_with_constants_is_not_proposed() -> None:
    source = "def target(word):\n    return word == ''\n"
    assert not any(" is " in text for text in proposed("another comparison", source, {}))
    none = source.replace("''", "None")
    assert none.replace("==", "is") in proposed("another comparison", none, {})


def test_alike_passing_checks_acquit_little() -> None:
    """A hundred checks that take one way say hardly more of a condition than a few."""
    lines = [{1, 2}, *[{1, 3}] * 100]
    endings = ["failed", *["passed"] * 100]
    assert Suspicion(lines, endings).of(1, 1) > 0.3
    different = [{1, 2}, *({1, number} for number in range(3, 103))]
    assert Suspicion(different, endings).of(1, 1) < 0.1


def test_conditions_share_the_suspicion_of_branches() -> None:
    source = "def target(a, b):\n    c = a\n    if a > b:\n        return c\n    return b\n"
    lines = [{2, 3, 4}, *({2, 3, 5, other} for other in range(10, 40))]
    found = ranked(context(source, {}), Suspicion(lines, ["failed", *["passed"] * 30]), asked(source)).all()
    first = {one.line: one.probability for one in reversed(found)}
    assert first[3] > 5 * first[2]


RAISING = """\
def target(text):
    if text == 'b':
        raise KeyError(text)
    return text
"""


def test_exceptions_of_checks_are_seen(tmp_path: Path) -> None:
    tests = ["try:\n        target('a')\n    except ValueError:\n        return\n    assert False", "target('b')"]
    with alive(tmp_path, RAISING, tests) as patient:
        assert patient.trace.expected == ["ValueError"]
        assert patient.trace.raised == ["AssertionError", "KeyError"]


def test_words_of_the_file_are_likelier() -> None:
    source = "LIMIT = 100\n\ndef target(n):\n    return n % 7\n"
    natural = Naturalness(context(source, {}, literals=[31]), asked(source))
    at = source.index("7")
    factors = {new: natural.variables_factor([(at, at + 1, new)]) for new in ("100", "LIMIT", "31", "20", "size")}
    assert factors == {"100": 1.0, "LIMIT": 1.0, "31": 1.0, "20": 0.6, "size": 0.6}


@pytest.mark.parametrize("odd", ["n is ''", "n is not 5", "str(n.values())"])
def test_identities_and_texts_of_collections_are_odd(odd: str) -> None:
    source = "def target(n):\n    return n == 3\n"
    natural = Naturalness(context(source, {}), asked(source))
    at = source.index("n == 3")
    assert natural.oddity([(at, at + len("n == 3"), odd)]) < 1
    assert natural.oddity([(at, at + len("n == 3"), "n is None")]) == 1


def test_only_numbers_are_off_by_one() -> None:
    source = "def target(items):\n    return items.take(marks.DOT, marks.NUMBER, Path)\n"
    texts = proposed("off by one", source, {"items": {"list"}})
    assert texts[source.replace("NUMBER", "NUMBER + 1")] < 0.5, "a constant with a name is what its name says"
    assert not any("DOT +" in text or "Path +" in text for text in texts)


NAMES = 'def target(names):\n    """Join."""\n    last = names[-1]\n    return ", ".join(names[:-1]) + f" and {last}"\n'
PARTS = "def target(parts, n):\n    size = len(parts)\n    step = n % size\n    yield step\n"


def test_inputs_are_guarded() -> None:
    name = "a missing guard of an input"
    texts = proposed(name, NAMES, {"names": {"list"}, "last": {"str"}})
    wanted = NAMES.replace("    last =", "    if not names:\n        return ''\n    last =")
    assert texts[wanted] == max(texts.values())
    made = proposed(name, PARTS, {"parts": {"list"}, "n": {"int"}, "size": {"int"}})
    assert PARTS.replace("    step =", "    if not size:\n        return\n    step =") in made
    assert not any("return None" in text for text in made)


DEEP = """\
def target(text):
    return text.strip('#')

def outer(text):
    return target(text + '!')
"""


def test_literals_of_the_test_are_seen(tmp_path: Path) -> None:
    """What calls the target is mostly the project, and not the test."""
    with alive(tmp_path, DEEP, ["assert outer('a~') == 'a'"]) as patient:
        assert {"!", "a~", "a"} <= set(patient.trace.literals)
