"""The phrases that the grammar knows, each with what code that does so contains.

How often code has the construct of a phrase, in installed packages and in the stubs, is measured by
`tests/benchmarks/phrases.py`.
"""

from __future__ import annotations

import collections
import itertools
import re
from typing import Any, Callable, Iterator, List, Tuple

from certo_builtin.synthesis.components.component import TEST_LEVELS, Component, call, on, operator, question
from certo_builtin.synthesis.phrases.orders import BY, BY_KEY, FALLING, by_key
from certo_builtin.synthesis.phrases.phrase import NUMBER, Phrase, phrase, with_number
from certo_builtin.synthesis.terms import ATOM, COMPARED, LOOSE, PRODUCT, SUM

_CHECK = r"(?:check|test|determin\w+|decide|verif\w+|find|tell|see|true|returns?|true or false)"
_IF = r"(?:if|iff|whether|when|that)"


def _rotated(values: Any, count: int) -> Any:
    if not 0 <= count <= len(values):
        raise ValueError("too far")
    return values[count:] + values[:count]


def _rotated_right(values: Any, count: int) -> Any:
    return _rotated(values, len(values) - count)


def _commonest(values: Any) -> Any:
    return collections.Counter(values).most_common(1)[0][0]


def _few(values: Any, count: int) -> Any:
    if not 0 <= count <= len(values):
        raise ValueError("not so many")
    return values[:count]


def _ordinal(values: Any, number: int, *, reverse: bool) -> Any:
    if not 1 <= number <= len(values):
        raise ValueError("not so many")
    return sorted(values, reverse=reverse)[number - 1]


def _clamped(value: Any, low: Any, high: Any) -> Any:
    if low > high:
        raise ValueError("no range")
    return max(low, min(value, high))


def _within(value: Any, low: Any, high: Any) -> bool:
    return bool(low <= value <= high)


def _neighbours(values: Any) -> Iterator[Tuple[Any, Any]]:
    return zip(values, values[1:])  # noqa: RUF007 - itertools.pairwise came with Python 3.10


def _steps(values: Any) -> List[Any]:
    return [second - first for first, second in _neighbours(values)]


def _rising(values: Any) -> bool:
    return all(one <= other for one, other in _neighbours(values))


def _rising_strictly(values: Any) -> bool:
    return all(one < other for one, other in _neighbours(values))


def _falling(values: Any) -> bool:
    return all(one >= other for one, other in _neighbours(values))


def _same_text(one: str, other: str) -> bool:
    return one.lower() == other.lower()


IGNORING_CASE = "ignoring case"


def _snake(text: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", text).lower()


def _camel(text: str) -> str:
    return "".join(word.capitalize() for word in text.split("_"))


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _shortened(text: str, size: int) -> str:
    if size < 3:
        raise ValueError("too short for the dots")
    return text if len(text) <= size else text[: size - 3] + "..."


def _percentage(part: float, whole: float) -> float:
    return part / whole * 100


def _change(before: float, after: float) -> float:
    return (after - before) / before * 100


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _loop(text: str, cost: int, apply: Callable[..., Any], takes: str) -> Component:
    """Return a comprehension over its one argument, which may be no conditional expression."""
    return call(text, cost, apply, takes)._replace(needs=(COMPARED,))


def _clock(text: str, size: int) -> Component:
    return call(text, 3, lambda value: "{:02d}:{:02d}".format(*divmod(value, size)), "count")


_PAIRED = "for a, b in zip({0}, {0}[1:])"
_CASE: Tuple[Component, ...] = (
    operator("{0}.lower() == {1}.lower()", (ATOM, ATOM, COMPARED), 2, _same_text, "str, str", swaps=True),
    call("sorted({0}, key=str.lower)", 2, lambda values: sorted(values, key=str.lower), "texts"),
    _loop("{{x.lower() for x in {0}}}", 3, lambda values: {one.lower() for one in values}, "texts"),
)
_CHOSEN_ORDER: Tuple[Component, ...] = (
    on("{0}[:{1}]", 2, _few, "sequence, count"),
    call("sorted({0}, reverse=True)[:{1}]", 3, lambda values, count: _few(sorted(values, reverse=True), count),
        "collection, count"),
    call("sorted({0})[:{1}]", 3, lambda values, count: _few(sorted(values), count), "collection, count"),
)  # fmt: skip

TEXTS = (
    phrase(IGNORING_CASE, r"(?:ignor\w+|regardless of|irrespective of|without regard to|disregard\w*)(?: the)?"
        r"(?: letter)? case|case[- ]?insensitiv\w*", r"\.(lower|upper|casefold)\(|IGNORECASE|str\.lower",
        "lowercase insensitive", _CASE),
    phrase("to lower case", r"\b(?:to|in|into|as|all) (?:all )?lower[- ]?case|\blower[- ]?case (?:the|a|all|each|"
        r"every)\b",
        r"\.(lower|casefold)\(|str\.lower", "lowercase"),
    phrase("to upper case", r"\b(?:to|in|into|as|all) (?:all )?upper[- ]?case|\bupper[- ]?case (?:the|a|all|each|"
        r"every)\b",
        r"\.upper\(|str\.upper", "uppercase"),
    phrase("capitalised", r"\bcapitali[sz]\w+|\btitle[- ]?case", r"\.(title|capitalize|upper)\(", "capitalize title"),
    phrase("starts with", r"\b(?:start|begin)\w* with\b", r"startswith|\[0\]|\[:|re\.", "start"),
    phrase("ends with", r"\bend(?:s|ing|ed)? (?:with|in)\b", r"endswith|\[-", "end"),
    phrase("surrounding space", r"(?:leading|trailing|surrounding|outer|extra) (?:and trailing |or trailing )?"
        r"(?:white ?space|space|blank)s?", r"strip\(|split\(", "strip"),
    phrase("separated by", r"\b(?:comma|space|dash|hyphen|semicolon|tab|line|dot|underscore)s?[- ](?:separated|"
        r"delimited|joined)|(?:separated|delimited|joined) (?:by|with)\b", r"join\(|split\(", "separator"),
    phrase("snake case", r"snake[- _]?case", r"sub\(", "",
        [call("re.sub(r'(?<!^)(?=[A-Z])', '_', {0}).lower()", 3, _snake, "str")]),
    phrase("camel case", r"(?:camel|pascal)[- ]?case", r"title\(|capitalize\(|upper\(|A-Z", "",
        [on("''.join(w.capitalize() for w in {0}.split('_'))", 3, _camel, "str")]),
    phrase("slug", r"\b(?:slug\w*|kebab[- ]?case)", r"'-'|sub\(", "",
        [on("re.sub(r'[^a-z0-9]+', '-', {0}.lower()).strip('-')", 3, _slug, "str")]),
    phrase("shortened", r"\b(?:truncat\w+|shorten\w*|abbreviat\w*)\b", r"\[:", "",
        [call("{0} if len({0}) <= {1} else {0}[:{1} - 3] + '...'", 4, _shortened, "str, count")._replace(
            needs=(ATOM, SUM), level=LOOSE)],
        telling=False),
    phrase("vowels", r"\b(?:vowels?|consonants?)\b", r"(?i:aeiou)"),
    phrase("digits of a number", r"\bdigits? (?:of|in) (?:the |a |an )?(?:given |positive |whole |non-negative )*"
        r"(?:number|integer|n|num|int)\b", r"str\(|% 10|divmod\(", "digits"),
    phrase("last digit", r"\b(?:last|unit|units|ones) digit", r"% 10|\[-1\]", "",
        [question("{0} % 10", PRODUCT, 2, lambda value: value % 10, "int")._replace(level=PRODUCT)]),
    phrase("first digit", r"\b(?:first|leading) digit", r"\[0\]|//", "",
        [call("int(str({0})[0])", 3, lambda value: int(str(value)[0]), "count")]),
)  # fmt: skip

ORDERS = (
    phrase("sorted by", BY_KEY, r"key=", "", by_key),
    phrase("sorted by value", r"(?:sort|order|rank)\w*\b[^.]{0,60}?\b" + BY + r" (?:(?:their|its|the) )?values?\b",
        r"key=", "", [
            on("sorted({0}.items(), key=lambda x: x[1])", 2,
                lambda values: sorted(values.items(), key=lambda one: one[1]), "dict"),
            on("sorted({0}.items(), key=lambda x: x[1], reverse=True)", 2,
                lambda values: sorted(values.items(), key=lambda one: one[1], reverse=True), "dict"),
            on("sorted({0}, key={0}.get)", 2, lambda values: sorted(values, key=values.get), "dict"),
        ]),
    phrase("descending", r"\b(?:" + FALLING + r")\b",
        r"reverse=True|\[::-1\]|reversed\(|nlargest|sort.*-", "descending"),
    phrase("ascending", r"\b(?:ascending|increasing|sorted|alphabetical|numerical|lexicographic\w*) order\b|\bsorted "
        r"(?:list|array|tuple|copy)\b|\bsort (?:the|a|an|all|each)\b", r"sort", "sorted ascending"),
    phrase("the n largest", r"\b(?:n|k|top|given number of|" + NUMBER + r") (?:\w+ )?(?:largest|highest|biggest|"
        r"smallest|lowest|longest|shortest)\b", r"sort|nlargest|nsmallest", "", _CHOSEN_ORDER),
    phrase("n-th largest", r"\b(?:n|k)(?:-|')?th (?:largest|highest|biggest|greatest)", r"sort|nlargest", "",
        [call("sorted({0}, reverse=True)[{1} - 1]", 2, lambda values, n: _ordinal(values, n, reverse=True),
            "collection, count")._replace(needs=(LOOSE, SUM))]),
    phrase("n-th smallest", r"\b(?:n|k)(?:-|')?th (?:smallest|lowest|least)", r"sort|nsmallest", "",
        [call("sorted({0})[{1} - 1]", 2, lambda values, n: _ordinal(values, n, reverse=False),
            "collection, count")._replace(needs=(LOOSE, SUM))]),
    phrase("second largest", r"\bsecond[- ](?:largest|highest|biggest|greatest)", r"\[-2\]|\[1\]|remove|nlargest", "",
        [call("sorted({0})[-2]", 3, lambda values: sorted(values)[-2], "collection"),
         call("sorted(set({0}))[-2]", 3, lambda values: sorted(set(values))[-2], "collection")]),
    phrase("second smallest", r"\bsecond[- ](?:smallest|lowest|least)", r"\[1\]|remove|nsmallest", "",
        [call("sorted({0})[1]", 3, lambda values: sorted(values)[1], "collection"),
         call("sorted(set({0}))[1]", 3, lambda values: sorted(set(values))[1], "collection")]),
    phrase("is in order", _CHECK + r"[^.]{0,40}?\b" + _IF + r"\b[^.]{0,60}?\b(?:sorted|(?:strictly )?(?:increasing|"
        r"decreasing|ascending|descending)|monotonic\w*|in (?:ascending |descending |increasing |"
        r"decreasing )?order)\b",
        r"sort|zip\(|\[1:\]|\+ 1\]|- 1\]", "", [
            question("{0} == sorted({0})", SUM, 2, lambda values: values == sorted(values), "list"),
            on("all(a <= b " + _PAIRED + ")", 2, _rising, "sequence"),
            on("all(a >= b " + _PAIRED + ")", 3, _falling, "sequence"),
            on("all(a < b " + _PAIRED + ")", 3, _rising_strictly, "sequence"),
        ]),
    phrase("reversed", r"\breverse(?:s|d)?\b(?! order)|\bbackwards?\b", r"\[::-1\]|reversed\(|\.reverse\(|"
        r"reverse=", "reverse"),
    phrase("rotated left", r"\b(?:rotat\w+|shift\w*)\b(?![^.]*\bright\b)", r"\[[^\]]*:\]", "",
        [call("{0}[{1}:] + {0}[:{1}]", 3, _rotated, "sequence, count")._replace(needs=(ATOM, LOOSE), level=SUM)],
            telling=False),
    phrase("rotated right", r"\b(?:rotat\w+|shift\w*)\b[^.]*\bright\b", r"\[[^\]]*:\]", "",
        [call("{0}[-{1}:] + {0}[:-{1}]", 3, _rotated_right, "sequence, count")._replace(needs=(ATOM, ATOM), level=SUM)],
        telling=False),
)  # fmt: skip

PARTS = (
    phrase("the last", r"\bthe last (?:element|item|character|word|value|letter|line|part|digit|one|entry|name)\b",
        r"\[-1\]|\[-|pop\(\)|rsplit|rpartition|rfind", "last"),
    phrase("the first", r"\bthe first (?:element|item|character|word|value|letter|line|part|digit|one|entry|name)\b",
        r"\[0\]|next\(|\[:1\]|partition|iter\(", "first"),
    phrase("the last n", r"\blast (?:n|k|" + NUMBER + r") ", r"\[-|\[len", "last"),
    phrase("the first n", r"\bfirst (?:n|k|" + NUMBER + r") (?!natural|positive|even|odd|prime)", r"\[:|range\(|"
        r"islice",
        "first"),
    phrase("all but the first", r"\b(?:all but|except|without|excluding|skip\w*) the first\b", r"\[1:\]", "rest tail"),
    phrase("all but the last", r"\b(?:all but|except|without|excluding) the last\b", r"\[:-1\]", "without last"),
    phrase("distinct", r"\b(?:unique|distinct|no duplicates?|without duplicates?|"
        r"remov\w+ (?:all )?(?:the )?duplicates?|duplicates? (?:are )?removed|de-?duplicat\w+)\b",
        r"set\(|fromkeys|not in|count\(|Counter|\{\w+ for",
        "unique duplicates"),
    phrase("more than once", r"\b(?:more than once|duplicate elements|duplicates? (?:in|of|from)|repeat\w* (?:element|"
        r"item|number|character|word)s?|appears? (?:at least )?twice)",
        r"count\(|Counter|set\(|> 1", "", [
            on("{0}.count({1}) > 1", 3, lambda values, one: values.count(one) > 1, "sequence, any")._replace(
                level=COMPARED)]),
    phrase("exactly once", r"\b(?:exactly|only) once|\b(?:non[- ]?repeat\w*|occurs? once|unpaired)\b",
        r"count\(|Counter|\^", "", [
            on("{0}.count({1}) == 1", 3, lambda values, one: values.count(one) == 1, "sequence, any")._replace(
                level=COMPARED)]),
    phrase("most common", r"\bmost (?:common|frequent\w*|often)|\bmode of\b|\bhighest frequency", r"Counter|"
        r"count", "most", [
        on("max({0}, key={0}.count)", 2, lambda values: max(values, key=values.count), "sequence"),
        call("collections.Counter({0}).most_common(1)[0][0]", 3, _commonest, "sequence"),
        call("collections.Counter({0}).most_common({1})", 3,
            lambda values, count: collections.Counter(values).most_common(count), "sequence, count")]),
    phrase("how often", r"\b(?:frequenc(?:y|ies)|occurr?[ea]nces?|how (?:often|many times)|number of times)\b",
        r"count\(|Counter|\+= 1|get\(|sum\(", "count frequency"),
    phrase("flattened", r"\bflatten\w*|\bflat list", r"chain|extend|for .* for|sum\(|\+=", "flatten"),
    phrase("consecutive", r"\b(?:consecutive|adjacent|successive|neighbou?ring)\b", r"zip\(|\[1:\]|groupby|\+ 1\]|"
        r"- 1\]",
        "consecutive adjacent", [
            on("[b - a " + _PAIRED + "]", 3, _steps, "numbers"),
            call("[k for k, _ in itertools.groupby({0})]", 3, lambda values: [key for key,
                _ in itertools.groupby(values)],
                "sequence")]),
    phrase("in both", r"\b(?:in|common to|shared by|from) (?:both|all)\b|\bcommon (?:elements|items|values|"
        r"characters)\b|\bintersection\b", r"&|intersection|if .* in |count\(", "common intersection"),
    phrase("in either", r"\b(?:in|from) either\b|\bunion\b", r"\||union|\+", "union either"),
    phrase("element-wise", r"\b(?:element|component|item|pair)[- ]?wise\b|\bcorresponding (?:elements|items|values)\b",
        r"zip\(|map\(|\[i\]", "corresponding"),
    phrase("swapped keys", r"\b(?:swap\w*|invert\w*|revers\w+|exchang\w+)\b[^.]*\bkeys\b|\binver(?:t|"
        r"se)\w*\b[^.]*\b(?:dict\w*|mapping)", r"items\(\)", "", [
            on("{{v: k for k, v in {0}.items()}}", 2, lambda values: {one: key for key, one in values.items()},
                "dict")]),
)  # fmt: skip

NUMBERS = (
    phrase("at least N", r"\b(?:at least|no (?:less|fewer) than|greater than or equal to|"
        r"not less than) " + NUMBER,
        r">=|<=|max\(|>|,\}", "least", with_number(
            ("{0} >= N", lambda value, number: value >= number, "number"),
            ("len({0}) >= N", lambda value, number: len(value) >= number, "collection"))),
    phrase("at most N", r"\b(?:at most|no more than|up to|less than or equal to|not more than) " + NUMBER,
        r"<=|>=|min\(|<|>|\[:", "most", with_number(
            ("{0} <= N", lambda value, number: value <= number, "number"),
            ("len({0}) <= N", lambda value, number: len(value) <= number, "collection"))),
    phrase("more than N", r"\b(?:more|greater|larger|bigger|higher|longer) than " + NUMBER, r">|<", "greater",
        with_number(
        ("{0} > N", lambda value, number: value > number, "number"),
        ("len({0}) > N", lambda value, number: len(value) > number, "collection"))),
    phrase("less than N", r"\b(?:less|fewer|smaller|lower|shorter) than " + NUMBER, r"<|>", "less", with_number(
        ("{0} < N", lambda value, number: value < number, "number"),
        ("len({0}) < N", lambda value, number: len(value) < number, "collection"))),
    phrase("exactly N", r"\b(?:exactly|of (?:length|size)) " + NUMBER + r" ?(?:character|element|item|letter|digit|"
        r"word|$|\.)",
        r"==|!=", "", with_number(("len({0}) == N", lambda value, number: len(value) == number, "collection"))),
    phrase("at least", r"\b(?:at least|no (?:less|fewer) than|greater than or equal to) (?!" + NUMBER + r"\b|one\b)",
        r">=|<=|max\(|<|>", "least", [
            operator("{0} >= {1}", TEST_LEVELS, 2, lambda one, other: one >= other, "number, number")]),
    phrase("at most", r"\b(?:at most|no (?:more|greater) than|less than or equal to) (?!" + NUMBER + r"\b)",
        r"<=|>=|min\(|<|>", "most", [
            operator("{0} <= {1}", TEST_LEVELS, 2, lambda one, other: one <= other, "number, number")]),
    phrase("more than", r"\b(?:more|greater|larger|longer|bigger|higher) than (?!" + NUMBER + r"\b|or equal|"
        r"once)", r">|<",
        "greater more"),
    phrase("less than", r"\b(?:less|fewer|smaller|shorter|lower) than (?!" + NUMBER + r"\b|or equal)", r"<|>",
        "less smaller"),
    phrase("inclusive", r"\binclusive(?:ly)?\b|\bboth ends included", r"<=|>=|\+ 1", "inclusive", [
        call("{0} <= {1} <= {2}", 3, lambda low, value, high: _within(value, low, high), "number, number, "
            "number")._replace(
            needs=(SUM, SUM, SUM), level=COMPARED)]),
    phrase("within a range", r"\b(?:between|within|in the (?:given )?range|lies? (?:in|inside))\b", r"<|>|range\(|"
        r"\[.*:", "", [
        call("{1} <= {0} <= {2}", 4, _within, "number, number, number")._replace(
            needs=(SUM, SUM, SUM), level=COMPARED)],
        telling=False),
    phrase("clamped", r"\bclamp\w*|\bclip(?:s|ped)?\b|\b(?:limit|restrict|constrain)\w* (?:\w+ ){0,3}(?:to|between)\b",
        r"min\(|max\(", "clamp", [call("max({1}, min({0}, {2}))", 3, _clamped, "number, number, number")]),
    phrase("divisible by N", r"\b(?:divisible by|multiples? of) " + NUMBER, r"%", "divisible", with_number(
        ("{0} % N == 0", lambda value, number: value % number == 0, "int"))),
    phrase("divisible by", r"\b(?:divisible by|multiples? of|divides)\b(?! " + NUMBER + ")", r"%", "divisible "
        "multiple"),
    phrase("even numbers", r"\beven\b(?!,? (?:if|though|when|with|length|position|ind))", r"% 2|& 1|\[::2\]|"
        r"\[1::2\]", "even"),
    phrase("odd numbers", r"\b(?:odd|uneven)\b(?! (?:length|position|ind))", r"% 2|& 1|\[::2\]|\[1::2\]", "odd"),
    phrase("rounded to N places", r"\bround\w*\b[^.]{0,30}?\bto (?:the )?(?:nearest )?" + NUMBER +
        r" (?:decimal|digit|place)",
        r"round\(|format|:\.\d|%\.", "round", with_number(("round({0}, N)", round, "float"))),
    phrase("rounded", r"\bround(?:ed|s|ing)?\b", r"round\(|floor|ceil|//|int\(", "round"),
    phrase("average", r"\b(?:mean|average)\b", r"/|mean\(", "average mean"),
    phrase("absolute", r"\babsolute (?:value|difference|distance)|\bdistance between\b", r"abs\(|\*\* 2|"
        r"hypot", "absolute"),
    phrase("percentage", r"\bpercent(?:age)?\b|\bper cent\b|%", r"100", "percent", [
        call("{0} / {1} * 100", 3, _percentage, "number, number")._replace(needs=(PRODUCT, ATOM), level=PRODUCT),
        call("({1} - {0}) / {0} * 100", 4, _change, "number, number")._replace(needs=(ATOM, PRODUCT), level=PRODUCT)],
        telling=False),
    phrase("leap year", r"\bleap year", r"% 4|isleap", "", [
        question("{0} % 4 == 0 and ({0} % 100 != 0 or {0} % 400 == 0)", ATOM, 2, _is_leap, "int")._replace(
            level=LOOSE)]),
    phrase("minutes and seconds", r"\b(?:mm:ss|m:ss|hh:mm|h:mm|minutes and seconds|hours and minutes)\b", r"60", "",
        [_clock("'{{:02d}}:{{:02d}}'.format(*divmod({0}, 60))", 60)]),
    phrase("squares", r"(?<!perfect )\b(?:squares? of|squared?\b(?! (?:matrix|root|bracket|grid|number)))",
        r"\*\* 2|(\w+) \* \1\b|pow\(",
        "square"),
    phrase("cubes", r"\bcubes? of|\bcubed\b", r"\*\* 3|pow\(|(\w+) \* \1 \* \1", "cube"),
    phrase("binary", r"\b(?:in|to|its|as a?) binary\b|\bbinary (?:representation|equivalent|string|form|"
        r"number)", r"bin\(|'b'|, 2\)|b}|// 2|% 2", "binary"),
)  # fmt: skip

SHAPES = (
    phrase("true if all", _CHECK + r"[^.]{0,40}?\b" + _IF + r"\b[^.]{0,30}?\b(?:all|every|each)\b", r"all\(|== |"
        r"return False",
        telling=False),
    phrase("true if any", _CHECK + r"[^.]{0,40}?\b" + _IF + r"\b[^.]{0,30}?\b(?:any|at least one|some)\b",
        r"any\(| in |return True", telling=False),
    phrase("the number of", r"\b(?:count(?:s|ing)?\b|(?:return|find|get|calculate|"
        r"compute)s? (?:the )?(?:total )?number of|how many)",
        r"len\(|sum\(|count\(|\+= 1|\+ 1", "count", telling=False),
    phrase("the sum of", r"\b(?:the )?(?:sum|total) of\b|\bsums? (?:the|all|up)\b|\badd up\b", r"sum\(|\+=|\+", "sum"),
    phrase("the product of", r"\bproduct of\b", r"prod\(|\*", "product"),
    phrase("the longest", r"\blongest\b", r"len|max\(", "longest", [
        call("max({0}, key=len)", 2, lambda values: max(values, key=len), "nested")]),
    phrase("the shortest", r"\bshortest\b", r"len|min\(", "shortest", [
        call("min({0}, key=len)", 2, lambda values: min(values, key=len), "nested")]),
    phrase("the largest", r"\b(?:largest|greatest|biggest|highest|maximum)\b(?! common)",
        r"max\(|sort.*\[|>|nlargest", "maximum"),
    phrase("the smallest", r"\b(?:smallest|lowest|least|minimum)\b(?! common)(?<!at least)",
        r"min\(|sort.*\[|<|nsmallest", "minimum"),
    phrase("removed", r"\b(?:remov|delet|exclud|filter|drop|discard|strip)\w*\b|\bwithout (?:the|any|all)\b",
        r" if |remove|replace|discard|pop|del |filter|strip|sub\(| - |translate", telling=False),
    phrase("replaced", r"\breplac\w+", r"replace\(|sub\(| if |translate", "replace", telling=False),
    phrase("grouped", r"\bgroup(?:s|ed|ing)?\b", r"setdefault|defaultdict|groupby|append|get\(", "group",
        telling=False),
    phrase("cumulative", r"\b(?:cumulative|running|prefix) (?:sum|total)s?", r"accumulate|\+=|cumsum|sum\(",
        "cumulative"),
    phrase("running extremes", r"\b(?:running|rolling|cumulative) (?:max|min)\w*", r"accumulate|max\(|min\(", "", [
        call("list(itertools.accumulate({0}, max))", 2, lambda values: list(itertools.accumulate(values, max)),
            "numbers"),
        call("list(itertools.accumulate({0}, min))", 3, lambda values: list(itertools.accumulate(values, min)),
            "numbers")]),
    phrase("chunks", r"\b(?:chunks?|batch(?:es)?|pieces|blocks) of\b", r"range\(|\[i:|islice", "chunk"),
    phrase("None if", r"\bNone (?:if|when|for|otherwise)|\botherwise,? (?:\w+ )?None\b|\bor None\b", r"None",
        telling=False),
)  # fmt: skip

PHRASES: Tuple[Phrase, ...] = (*TEXTS, *ORDERS, *PARTS, *NUMBERS, *SHAPES)
