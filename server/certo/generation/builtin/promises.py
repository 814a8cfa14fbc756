"""Promises in the words of a docstring about results, such as "in ascending order" or "ignoring case".

How often the right solution keeps each is measured by `tests/benchmarks/phrases.py`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from certo.vocabulary.records import dataclass

Values = Sequence[Any]
Holds = Callable[[Values, Any], bool | None]


# Before the words of a promise, these make it none.
_DOUBT = re.compile(
    r"\b(?:not|no|nor|neither|never|cannot|without|instead|rather|previously|formerly|unless|except|avoid\w*)\b|n['\u2019]t\b",
    re.IGNORECASE,
)


def _given(wording: str, sentence: str) -> bool:
    """True if a sentence has some words, and none before that take them back."""
    found = re.search(wording, sentence, re.IGNORECASE)
    return found is not None and not _DOUBT.search(sentence[: found.start()])


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise: the words that give it and not, and whether a result keeps it, None if it says nothing of that one."""

    name: str
    wording: str
    holds: Holds
    unless: str = ""

    def is_in(self, sentence: str) -> bool:
        """True if a sentence makes the promise."""
        refused = self.unless and re.search(self.unless, sentence, re.IGNORECASE)
        return not refused and _given(self.wording, sentence)


@dataclass(frozen=True, slots=True)
class Relation:
    """A promise about two calls: the words that give it, and the changes of one argument that change no result."""

    name: str
    wording: str
    changes: tuple[Callable[[Any], Any], ...]
    same: Callable[[Any, Any], bool]


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _lists(given: Values) -> list[Any]:
    return [one for one in given if _is_list(one)]


def _rising(_: Values, result: Any) -> bool | None:
    return list(result) == sorted(result) if _is_list(result) else None


def _falling(_: Values, result: Any) -> bool | None:
    return list(result) == sorted(result, reverse=True) if _is_list(result) else None


def _distinct(_: Values, result: Any) -> bool | None:
    return len(set(map(repr, result))) == len(result) if _is_list(result) else None


def _truth(_: Values, result: Any) -> bool | None:
    return isinstance(result, bool)


def _count(_: Values, result: Any) -> bool | None:
    return _is_number(result) and result >= 0 if _is_number(result) or isinstance(result, bool | type(None)) else None


def _not_negative(_: Values, result: Any) -> bool | None:
    return bool(result >= 0) if _is_number(result) else None


def _rearranged(given: Values, result: Any) -> bool | None:
    for one in given[:1]:
        if (_is_list(one) and _is_list(result)) or (isinstance(one, str) and isinstance(result, str)):
            return sorted(map(repr, one)) == sorted(map(repr, result))
    return None


def _selected(given: Values, result: Any) -> bool | None:
    if not _is_list(result) or not _is_list(given[0] if given else None):
        return None
    return len(result) <= len(given[0]) and all(any(one == other for other in given[0]) for one in result)


def _one_of(given: Values, result: Any) -> bool | None:
    lists = [one for one in given if _is_list(one) and one]
    if len(lists) != 1 or result is None or type(result) not in set(map(type, lists[0])):
        return None
    return any(one == result for one in lists[0])


def _bound(choose: Callable[[Any], Any], size: Callable[[Any], Any]) -> Holds:
    def holds(given: Values, result: Any) -> bool | None:
        found = _one_of(given, result)
        if not found:
            return found
        sizes = [size(one) for one in _lists(given)[0]]
        return bool(size(result) == choose(sizes))

    return holds


def _same_size(given: Values, result: Any) -> bool | None:
    lists = _lists(given)
    return len(result) == len(lists[0]) if _is_list(result) and len(lists) == 1 and len(given) == 1 else None


def _mean(given: Values, result: Any) -> bool | None:
    numbers = given[0] if len(given) == 1 and _is_list(given[0]) else ()
    if not numbers or not all(map(_is_number, numbers)) or not _is_number(result):
        return None
    return bool(min(numbers) - 1e-9 <= result <= max(numbers) + 1e-9)


def _each(test: Callable[[int], bool]) -> Holds:
    def holds(_: Values, result: Any) -> bool | None:
        return all(map(test, result)) if _is_list(result) and all(type(one) is int for one in result) else None

    return holds


def _is_prime(number: int) -> bool:
    return number > _MAX_TESTED or (number > 1 and all(number % one for one in range(2, math.isqrt(number) + 1)))


_MAX_TESTED = 10**6
"""Largest number that is tested for being prime; larger ones pass for it."""


def _of_type(*kinds: type) -> Holds:
    return lambda _, result: isinstance(result, kinds) and not (isinstance(result, bool) and bool not in kinds)


def _upper(_: Values, result: Any) -> bool | None:
    return result == result.upper() if isinstance(result, str) else None


def _lower(_: Values, result: Any) -> bool | None:
    return result == result.lower() if isinstance(result, str) else None


_START = (
    r"^(?:write a (?:python )?function (?:to|that|which) )?(?:returns?|finds?|gets?|computes?|calculates?|gives?)?\s*"
)
_THE = r"(?:the |a |an )?"
_ELEMENT = r"(?:element|number|integer|value|item|word|string)"
_OF_LIST = (
    r" (?:in|of|from|among) (?:the |a |an )?(?:given )?(?:list|array|sequence|tuple|numbers|words|strings|values)"
)
_NOT_ONE = r"\b(?:sum|product|difference|length|number of|count|index|position|average|contiguous|sub)"

PROMISES: tuple[Promise, ...] = (
    Promise("in ascending order", r"\bin (?:ascending|increasing|alphabetical|numerical|sorted) order\b|\b(?:return|"
        r"give|get|into|as)\w* (?:a |the )?(?:single )?sorted (?:list|array)\b|" + _START + r"sorts? (?:the|a|"
        r"an) (?:given )?(?:list|array)(?: of (?:numbers|integers|strings|elements|"
        r"words))?(?: in ascending order)?\s*(?:\.|$)", _rising,
        r"descending|decreasing|\bby\b|according|based|using the|\bif\b|whether|of (?:the |a )?\w+$"),
    Promise("in descending order", r"\bin (?:descending|decreasing) order\b", _falling,
        r"ascending|increasing|\bby\b|according|based|\bif\b|whether|using|\bkey"),
    Promise("without duplicates", r"\b(?:without|no) duplicates?\b|\bremov\w+ (?:all )?(?:the )?duplicates?\b|"
        r"\b(?:return|list|get|find|all)\w* (?:the |a |of |all )*(?:unique|distinct) (?:\w+ )?" + _ELEMENT, _distinct,
        r"consecutive|adjacent|\bif\b|whether|count|number of|sum"),
    Promise("True or False", _START + r"(?:checks? (?:if|whether)|true (?:if|when)|determines? (?:if|whether)|"
        r"whether)\b",
        _truth, r"regex|\bmatch|\belse\b|otherwise|return (?!true|false|whether|if)\w|then"),
    Promise("a number of things", r"^(?:write a (?:python )?function (?:to|that|which) )?(?:(?:returns?|finds?|gets?|"
        r"computes?) "
        + r"the (?:total )?number of|counts? the (?:number|total)|counts? (?:how many|all)|how many)\b", _count,
        r"\beach\b|every|\bnone\b"),
    Promise("not negative", r"\babsolute (?:value|difference|distance)\b|" + _START + _THE + r"(?:length|"
        r"distance) (?:of|between)",
        _not_negative),
    Promise("the same elements", _START + r"(?:sorts?|reverses?|rotates?|shuffles?|moves?|rearranges?|"
        r"swaps?) ", _rearranged,
        r"duplicate|unique|distinct|remov|each|every|convert|case|dict|sum|tuples? in|lists? in|nested|key|words"),
    Promise("only elements of the argument", _START + r"(?:removes?|filters?|extracts?|keeps?|excludes?|drops?|"
        r"selects?|all (?:the )?"
        + _ELEMENT + r"s)\b", _selected, r"each|every|convert|nested|digits|characters?|from (?:each|a) (?:string|"
            r"tuple)|\bkth|sub"),
    Promise("the largest element",
        _START + _THE + r"(?:largest|maximum|biggest|greatest|highest|max) (?:" + _ELEMENT + ")"
        + _OF_LIST, _bound(max, lambda one: one), _NOT_ONE),
    Promise("the smallest element",
        _START + _THE + r"(?:smallest|minimum|lowest|least|min) (?:" + _ELEMENT + ")" + _OF_LIST,
        _bound(min, lambda one: one), _NOT_ONE),
    Promise("the longest element", _START + _THE + r"longest (?:word|string|element|list|item)" + _OF_LIST,
        _bound(max, len), _NOT_ONE),
    Promise("the shortest element", _START + _THE + r"shortest (?:word|string|element|list|item)" + _OF_LIST,
        _bound(min, len),
        _NOT_ONE),
    Promise("an element of the argument", _START + _THE + r"(?:first|last|second|third|middle|most (?:common|"
        r"frequent)|only) (?:"
        + _ELEMENT + ")" + _OF_LIST, _one_of, _NOT_ONE),
    Promise("as many results as elements", r"\b(?:element|item)[- ]?wise\b|\b(?:square|double|triple|cube|halve|"
        r"negate|increment)s? (?:each|every|all)\b|\b(?:running|cumulative|rolling) (?:sum|max|min|total|"
        r"product)\w*\b", _same_size,
        r"filter|remov|only|\bif\b"),
    Promise("an average", _START + _THE + r"(?:mean|average|median)\b", _mean, r"square|absolute|weight|geometric|"
        r"deviation|sum"),
    Promise("even numbers", _START + r"(?:only |all |the |a list of )*even (?:numbers|integers|elements|digits|"
        r"values)\b",
        _each(lambda one: one % 2 == 0), _NOT_ONE),
    Promise("odd numbers", _START + r"(?:only |all |the |a list of )*odd (?:numbers|integers|elements|digits|"
        r"values)\b",
        _each(lambda one: one % 2 == 1), _NOT_ONE),
    Promise("positive numbers", _START + r"(?:only |all |the |a list of )*positive (?:numbers|integers|elements|"
        r"values)\b",
        _each(lambda one: one > 0), _NOT_ONE),
    Promise("negative numbers", _START + r"(?:only |all |the |a list of )*negative (?:numbers|integers|elements|"
        r"values)\b",
        _each(lambda one: one < 0), _NOT_ONE),
    Promise("prime numbers", _START + r"(?:only |all |the |a list of )*prime (?:numbers|factors|divisors)\b",
        _each(_is_prime),
        _NOT_ONE),
    Promise("in upper case", _START + r"(?:converts?|changes?)\b[^.]*\bto upper[- ]?case", _upper, r"first|each|every|"
        r"\bif\b|alternat"),
    Promise("in lower case", _START + r"(?:converts?|changes?)\b[^.]*\bto lower[- ]?case", _lower, r"first|each|every|"
        r"\bif\b|alternat"),
    Promise("a list", r"\breturns? (?:it as |them as |the result as )?a (?:new |single |sorted |"
        r"flat )?list\b", _of_type(list), r"or none|if"),
    Promise("a string", r"\breturns? (?:it as |the result as )?a (?:new |single )?string\b", _of_type(str),
        r"or none|if"),
    Promise("a tuple", r"\breturns? (?:it as |the result as )?a (?:new |single )?tuple\b", _of_type(tuple),
        r"or none|if"),
    Promise("a dictionary", r"\breturn\w* (?:it as |in |the result as )?a (?:new |"
        r"single )?dict(?:ionary)?\b", _of_type(dict),
        r"or none|if"),
    Promise("an integer", r"\breturns? (?:it as |the result as )?an (?:integer|int)\b", _of_type(int), r"or none|if"),
)  # fmt: skip


def _swapped(value: Any) -> Any:
    if _is_list(value):
        return type(value)(map(_swapped, value))
    return value.swapcase() if isinstance(value, str) else value


def _first_swapped(value: Any) -> Any:
    """Return a value with the first letter in another case, which tells texts apart that are compared within it."""
    if _is_list(value) and value:
        return type(value)([_first_swapped(value[0]), *value[1:]])
    return value[:1].swapcase() + value[1:] if isinstance(value, str) else value


def _reversed(value: Any) -> Any:
    return type(value)(value[::-1]) if _is_list(value) else value


def _close(one: Any, other: Any) -> bool:
    """True if two results are equal up to rounding, and to the order of elements."""
    if _is_list(one) and _is_list(other):
        with suppress(TypeError):
            one, other = sorted(one), sorted(other)
        return len(one) == len(other) and all(map(_close, one, other))
    if isinstance(one, float) or isinstance(other, float):
        with suppress(OverflowError):  # of a large integer
            return _is_number(one) and _is_number(other) and math.isclose(one, other, abs_tol=1e-9)
    return bool(one == other)


def _equal_but_case(one: Any, other: Any) -> bool:
    return repr(one).lower() == repr(other).lower()


RELATIONS: tuple[Relation, ...] = (
    Relation("ignoring case", r"(?:ignor\w+|regardless of|irrespective of|without regard to|disregard\w*)(?: the)?"
        r"(?: letter)? case\b|\bcase[- ]?insensitiv", (_swapped, _first_swapped), _equal_but_case),
    Relation("in any order", r"(?:regardless|irrespective) of (?:the |their )?order\b(?! (?:of|in|for)\b)",
        (_reversed,), _close),
)  # fmt: skip


def promises_in(prose: str) -> tuple[Promise, ...]:
    """Return the promises that some prose makes, each by one of its sentences."""
    sentences = _sentences(prose)
    return tuple(each for each in PROMISES if any(map(each.is_in, sentences)))


def relations_in(prose: str) -> tuple[Relation, ...]:
    """Return the promises about two calls that some prose makes."""
    sentences = _sentences(prose)
    return tuple(each for each in RELATIONS if any(_given(each.wording, one) for one in sentences))


_MAX_CHARACTERS = 4000


def _sentences(prose: str) -> list[str]:
    """Return the sentences of a docstring before its examples."""
    before = prose.split(">>>")[0][:_MAX_CHARACTERS]
    found = re.split(r"(?<=[.!?])\s+|\n\s*\n|;\s+", before)
    return [" ".join(sentence.replace("`", "").split()) for sentence in found]
