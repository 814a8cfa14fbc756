"""Components about text: case, words, parts, joining and kinds of characters."""

from __future__ import annotations

import hashlib
import operator as ops
import re
from typing import Any, Callable, List

from certo_builtin.synthesis.components.component import (
    PRODUCT_LEVELS,
    SUM_LEVELS,
    TEST_LEVELS,
    Component,
    call,
    on,
    operator,
    question,
    walk,
)
from certo_builtin.synthesis.terms import MAX_TEXT, SUM


def _repeated(text: Any, count: int) -> Any:
    if len(text) * count > MAX_TEXT:
        raise ValueError("too long")
    return text * count


def _split(text: str, separator: str) -> List[str]:
    return text.split(separator)


def _contained(part: str, text: str) -> bool:
    return part in text


def _digest(name: str) -> Callable[[str], str]:
    return lambda text: hashlib.new(name, text.encode()).hexdigest()


TEXTS: List[Component] = [
    on("{0}.lower()", 2, str.lower, "str", "lower lowercase case insensitive"),
    on("{0}.upper()", 2, str.upper, "str", "upper uppercase capital"),
    on("{0}.strip()", 2, str.strip, "str", "strip whitespace trim spaces"),
    on("{0}.split()", 2, str.split, "str", "words split whitespace"),
    on("{0}.splitlines()", 4, str.splitlines, "str", "lines"),
    on("{0}.title()", 3, str.title, "str", "title"),
    on("{0}.capitalize()", 3, str.capitalize, "str", "capitalize capital"),
    on("{0}.swapcase()", 3, str.swapcase, "str", "swap case flip toggle"),
    on("{0}.isdigit()", 3, str.isdigit, "str", "digits numeric numbers"),
    on("{0}.isalpha()", 3, str.isalpha, "str", "letters alphabetic alphabet"),
    on("{0}.isalnum()", 3, str.isalnum, "str", "alphanumeric special"),
    on("{0}.isupper()", 3, str.isupper, "str", "upper uppercase capital"),
    on("{0}.islower()", 3, str.islower, "str", "lower lowercase"),
    on("{0}.isspace()", 4, str.isspace, "str", "spaces whitespace"),
    call("int({0})", 2, int, "str", "integer int number convert digits"),
    call("float({0})", 3, float, "str", "float decimal"),
    call("int({0}, 2)", 4, lambda v: int(v, 2), "str", "binary decimal bits"),
    call("ord({0})", 3, ord, "character", "ascii ord code character value"),
    question("{0} in 'aeiou'", SUM, 3, lambda v: v in "aeiou", "character", "vowels consonants"),
    question("{0} in 'aeiouAEIOU'", SUM, 3, lambda v: v in "aeiouAEIOU", "character", "vowels consonants"),
    walk("''.join({0})", 2, "".join, "texts", "join concatenate string"),
    walk("' '.join({0})", 3, " ".join, "texts", "join words space sentence"),
    call("hashlib.md5({0}.encode()).hexdigest()", 7, _digest("md5"), "str", "md5"),
    call("hashlib.sha256({0}.encode()).hexdigest()", 7, _digest("sha256"), "str", "sha256 sha"),
    call("re.findall(r'\\d+', {0})", 3, lambda v: re.findall(r"\d+", v), "str", "numbers digits integer extract"),
    call("re.findall(r'[A-Z]+', {0})", 4, lambda v: re.findall(r"[A-Z]+", v), "str", "uppercase capital run"),
    call("re.findall(r'[a-z]+', {0})", 4, lambda v: re.findall(r"[a-z]+", v), "str", "lowercase run"),
    call("re.findall(r'\\w+', {0})", 5, lambda v: re.findall(r"\w+", v), "str", "words extract"),
    operator("{0} + {1}", SUM_LEVELS, 2, ops.add, "str, str", "concatenate append join greeting add"),
    operator("{0} * {1}", PRODUCT_LEVELS, 3, _repeated, "str, count", "repeat times"),
    operator("{0} == {1}", TEST_LEVELS, 2, ops.eq, "str, str", "equal same is palindrome whether", swaps=True),
    operator("{0} != {1}", TEST_LEVELS, 3, ops.ne, "str, str", "different not", swaps=True),
    operator("{0} < {1}", TEST_LEVELS, 5, ops.lt, "str, str", "before alphabetical lexicographic"),
    operator("{0} in {1}", TEST_LEVELS, 2, _contained, "str, str", "in contains present substring appears"),
    operator("{0} not in {1}", TEST_LEVELS, 3, lambda a, b: a not in b, "str, str", "not without remove"),
    on("{0}.count({1})", 2, str.count, "str, str", "count number times occurrences"),
    on("{0}.startswith({1})", 3, str.startswith, "str, str", "start begin beginning prefix"),
    on("{0}.endswith({1})", 3, str.endswith, "str, str", "end suffix"),
    on("{0}.split({1})", 3, _split, "str, str", "split separated separator"),
    on("{0}.join({1})", 3, lambda a, b: a.join(b), "str, texts", "join separated separator delimiter"),
    on("{0}.find({1})", 4, str.find, "str, str", "find index position"),
    on("{0}.rfind({1})", 5, str.rfind, "str, str", "last index position"),
    on("{0}.strip({1})", 4, str.strip, "str, str", "strip trim"),
    on("{0}.replace({1}, '')", 3, lambda a, b: a.replace(b, ""), "str, str", "remove delete without"),
    on("{0}.replace({1}, {2})", 3, str.replace, "str, str, str", "replace substitute change convert"),
    on("{0}.zfill({1})", 5, str.zfill, "str, count", "zeros pad padded"),
    on("{0}.rjust({1})", 5, str.rjust, "str, count", "pad padded right"),
    on("{0}.ljust({1})", 5, str.ljust, "str, count", "pad padded left"),
]  # fmt: skip
