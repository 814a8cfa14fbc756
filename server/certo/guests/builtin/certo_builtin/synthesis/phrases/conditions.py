"""Conditions in words, such as "n is negative" or "the lists differ in length", as expressions over the parameters."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import Any, Iterator, List, Mapping, NamedTuple, Optional, Pattern, Sequence, Tuple

from certo_builtin.synthesis.phrases.phrase import NUMERALS

_A = r"(?:an? |the )?"
_TYPES = (
    (r"string|str|text", "str"), (r"integer|int|whole number", "int"), (r"float", "float"), (r"list", "list"),
    (r"number|numeric|numeric value", "(int, float)"), (r"dict|dictionary|mapping", "dict"), (r"tuple", "tuple"),
    (r"bool|boolean", "bool"), (r"set", "set"),
)  # fmt: skip

# The first that matches is taken, so the more special come first. V and W are values in words.
_PREDICATES: Sequence[Tuple[str, str]] = (
    (r"(?:not|outside|isn't|is not)(?: in)?(?: of)?(?: the)?(?: range)?(?: between| from)? \[?V\]? ?(?:,|to|and|-|"
        r"\.\.) ?W\]?",
        "not V <= {0} <= W"),
    (r"between V and W", "V <= {0} <= W"),
    (r"(?:not|n't) (?:strictly )?positive|non-?positive|(?:zero|0) or (?:less|negative|below)|negative or (?:zero|0)|"
        r"less than or equal to (?:zero|0)", "{0} <= 0"),
    (r"(?:not|n't) negative|non-?negative|(?:zero|0) or (?:more|positive)", "{0} >= 0"),
    (r"(?:contains?|has|have|includes?|with|any) (?:\w+ )?(?:is |are )?negative(?: \w+)?", "any(x < 0 for x in {0})"),
    (r"negative|(?:less than|below|under) (?:zero|0)", "{0} < 0"),
    (r"positive", "{0} > 0"),
    (r"(?:not|n't|non)[- ]?(?:zero|0)|nonzero", "{0} != 0"),
    (r"(?:is|are|equals?|be) (?:zero|0)\b|^(?:zero|0)$", "{0} == 0"),
    (r"(?:not|n't|non)[- ]?empty|has (?:any |some )?(?:elements|items)", "{0}"),
    (r"empty|has no (?:elements|items|characters|values)|blank", "not {0}"),
    (r"(?:not|n't) None", "{0} is not None"),
    (r"\bNone\b|missing", "{0} is None"),
    (r"(?:not|n't) (?:an )?even|\bodd\b", "{0} % 2 != 0"),
    (r"(?:not|n't) (?:an )?odd|\beven\b", "{0} % 2 == 0"),
    (r"(?:not|n't|in)(?:[- ]| \w+ )?divisible by V|(?:not|n't) (?:a )?multiple of V", "{0} % V != 0"),
    (r"divisible by V|multiple of V", "{0} % V == 0"),
    (r"longer than V|more than V (?:characters|elements|items|letters|digits)", "len({0}) > V"),
    (r"shorter than V|(?:fewer|less) than V (?:characters|elements|items|letters|digits)", "len({0}) < V"),
    (r"(?:does not|doesn't|not) (?:have|contain|consist of)(?: exactly)? V (?:characters|elements|items|letters|"
        r"digits)",
        "len({0}) != V"),
    (r"(?:at least|not less than|no less than|greater than or equal to) V", "{0} >= V"),
    (r"(?:at most|not more than|no more than|less than or equal to) V", "{0} <= V"),
    (r"(?:greater|larger|more|bigger|higher) than V|exceed(?:s|ing)? V|(?:above|over|beyond|after) V", "{0} > V"),
    (r"(?:less|smaller|lower|fewer) than V|(?:below|under|before) V", "{0} < V"),
    (r"(?:not|n't) (?:equal to|the same as) V|differs? from V", "{0} != V"),
    (r"(?:equal to|equals|the same as) V", "{0} == V"),
    (r"(?:contains?|has|have) (?:any )?(?:duplicates?|repeated)(?: \w+)?|not unique|not distinct",
        "len(set({0})) != len({0})"),
    (r"(?:not|n't) (?:only )?(?:contain |consist of |made of )?(?:only )?(?:all )?digits?|not numeric|non-?digit|"
        r"(?:anything|something|characters?) (?:but|other than|except|that (?:are|"
        r"is) not) (?:a )?(?:decimal )?digits?",
        "not {0}.isdigit()"),
    (r"(?:not|n't) (?:only )?(?:contain |consist of )?(?:only )?(?:letters|alphabetic)|(?:anything|something|"
        r"characters?) (?:but|other than|except|that (?:are|is) not) (?:a )?letters?",
        "not {0}.isalpha()"),
    (r"(?:not|n't)(?: found| present| contained)? in V|missing (?:from|in) V|not one of V|not a (?:key|member) (?:of|"
        r"in) V|absent from V", "{0} not in V"),
    (r"(?:already )?in V|one of V|(?:a )?(?:key|member) (?:of|in) V", "{0} in V"),
)  # fmt: skip

_TWO: Sequence[Tuple[str, str]] = (
    (r"(?:different|differing|unequal|mismatch\w*) (?:lengths?|sizes?)|(?:lengths?|sizes?)[^.]*?(?:differ|"
        r"do not match|don't match|mismatch|(?:are )?not (?:equal|the same)|are different|are unequal)|"
        r"differ in (?:length|size)|(?:not|n't) (?:all )?(?:have |of )?(?:the )?(?:same|equal) (?:length|"
        r"size)", "len({0}) != len({1})"),
    (r"(?:are|is) (?:equal|the same|identical)", "{0} == {1}"),
    (r"(?:are not|aren't|is not) (?:equal|the same|identical)", "{0} != {1}"),
)  # fmt: skip

_OUT_OF_RANGE = re.compile(r"\bout of (?:range|bounds)", re.IGNORECASE)

_VALUE = r"(?:(?:the )?length of (?:the )?\w+|len\(\w+\)|-?\d+(?:\.\d+)?|'[^']*'|\"[^\"]*\"|(?:the )?\w+)"
_OR = re.compile(r",? or (?:if |when )?(?!equal\b|(?:less|more|greater|below|negative|positive)$)", re.IGNORECASE)
_COMPARED = re.compile(r"(\w+(?:\(\w+\))?) ?(<=|>=|==|!=|<|>|not in|in|is not|is) ?(" + _VALUE + ")$")
_PRONOUN = re.compile(
    r"\b(?:it|they|either|any|both|this|these|inputs?|arguments?|parameters?|values?)\b", re.IGNORECASE
)

_CALLABLE = frozenset({"len", "isinstance", "abs", "min", "max", "sum", "all", "any", "set", "str", "int", "float"})
_ALLOWED = (
    ast.Expression, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Name, ast.Constant, ast.Call, ast.Attribute,
    ast.Subscript, ast.Tuple, ast.List, ast.Set, ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop,
)  # fmt: skip


class Parameters(NamedTuple):
    """The parameters that conditions are about, and the nouns that the values of each have in prose."""

    names: Sequence[str]
    nouns: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Parameters:
        """Return the parameters with the nouns for their values in all rows."""
        return cls(names, {name: _nouns([row[place] for row in rows]) for place, name in enumerate(names)})

    def meant_by(self, clause: str) -> Sequence[str]:
        """Return the parameters that a clause may be about: those it names, those of its noun, or any for a pronoun."""
        named = [name for name in self.names if re.search(r"\b{}\b".format(re.escape(name)), clause)]
        if named:
            return named
        of_noun = [name for name in self.names if any(re.search(r"\b" + one, clause) for one in self.nouns[name])]
        return of_noun or (self.names if _PRONOUN.search(clause) else ())


_NOUNS: Sequence[Tuple[Tuple[type, ...], Sequence[str]]] = (
    ((list, tuple), ("list", "array", "sequence", "tuple")),
    ((str,), ("string", "text", "word", "name")),
    ((int, float), ("number", "integer", "value")),
    ((dict,), ("dict", "mapping")),
    ((set, frozenset), ("set",)),
)


def _nouns(values: Sequence[Any]) -> Sequence[str]:
    for kinds, nouns in _NOUNS:
        if values and all(isinstance(value, kinds) for value in values):
            return nouns
    return ()


def conditions(words: str, parameters: Parameters) -> Iterator[str]:
    """Yield expressions that some words may mean, the likeliest first.

    Several clauses are joined by `or`. Where the words do not tell which parameter is meant, each is one reading.
    """
    readings: List[List[str]] = []
    subject: Sequence[str] = ()
    waiting: List[str] = []
    for clause in _OR.split(" ".join(words.split())):
        whole = _code(clause, parameters.names)
        plain = clause.replace("`", "").strip()
        # "a or b is negative": the first clause is another subject of the second.
        if re.sub(r"^(?:either|the|if) ", "", plain) in parameters.names:
            waiting += parameters.meant_by(plain)
            continue
        # "n is zero or is negative": the second clause is about the subject of the first.
        subject = [*waiting, *parameters.meant_by(plain)] or subject
        found = [whole] if whole else list(dict.fromkeys(_readings(plain, subject, parameters.names)))
        if not found:
            return
        waiting = []
        readings.append(found)
    for number in range(max(map(len, readings), default=0)):
        yield " or ".join(each[min(number, len(each) - 1)] for each in readings)


def _readings(clause: str, subject: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    compared = _COMPARED.search(clause)
    value = _value(compared.group(3), names) if compared and compared.group(1) in names else None
    if compared and value is not None:
        operator = {"is": "==", "is not": "!="}.get(compared.group(2), compared.group(2))
        yield "{} {} {}".format(compared.group(1), operator, value)
        return
    if len(names) == 2 and _OUT_OF_RANGE.search(clause):
        for index, values in (names, names[::-1]):
            yield "not 0 <= {} < len({})".format(index, values)
        return
    pair = subject if len(subject) == 2 else names
    two = [text for wording, text in _TWO if re.search(wording, clause, re.IGNORECASE)] if len(pair) == 2 else []
    if two:
        yield two[0].format(*pair)
        return
    for kinds, kind in _TYPES:
        if re.search(r"(?:not|n't) {}(?:{})\b".format(_A, kinds), clause):
            yield from _about("not isinstance({0}, %s)" % kind, subject, (), clause)
            return
    for pattern, text in _compiled():
        match = pattern.search(clause)
        words = [word for word in match.groups() if word] if match else []
        known = [found for found in (_value(word, names) for word in words) if found is not None]
        if match and len(known) == len(words):
            yield from _about(text, subject, known, clause)
            return


def _about(text: str, subject: Sequence[str], values: Sequence[str], clause: str) -> Iterator[str]:
    """Yield a condition about each subject; about all of them together if the clause names them."""
    made = [_with(text, name, values) for name in subject if name not in values]
    named = all(re.search(r"\b{}\b".format(re.escape(name)), clause) for name in subject[-1:])
    if named and made:
        yield " or ".join(made)
    else:
        yield from made


def _with(text: str, name: str, values: Sequence[str]) -> str:
    return re.sub("[VW]", lambda letter: values["VW".index(letter.group())], text).format(name)


def _value(word: str, parameters: Sequence[str]) -> Optional[str]:
    """Return the expression for a value in words; None if it is none that is known."""
    word = re.sub(r"^the ", "", word)
    length = re.match(r"(?:length of (?:the )?|len\()(\w+)\)?$", word)
    if length:
        return "len({})".format(length.group(1)) if length.group(1) in parameters else None
    if word.lower() in NUMERALS:
        return str(NUMERALS.index(word.lower()))
    if word in parameters or re.match(r"-?\d+(\.\d+)?$|['\"]", word):
        return word
    return None


def _wording(text: str) -> Pattern[str]:
    return re.compile(re.sub(r"\b[VW]\b", lambda _: "(" + _VALUE + ")", text), re.IGNORECASE)


@lru_cache(maxsize=None)
def _compiled() -> Sequence[Tuple[Pattern[str], str]]:
    return tuple((_wording(wording), text) for wording, text in _PREDICATES)


def _code(clause: str, parameters: Sequence[str]) -> str:
    """Return the code in back-ticks, or that a clause is, if it is a condition on the parameters alone."""
    texts: List[str] = [*re.findall(r"`+([^`]+)`+", clause), clause]
    for text in texts:
        try:
            tree = ast.parse(text.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        # "n is 0" is no code that anybody should write.
        words = any(isinstance(node, (ast.Is, ast.IsNot)) for node in ast.walk(tree)) and "None" not in text
        if words or not isinstance(tree.body, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
            continue
        if isinstance(getattr(tree.body, "op", ast.Not()), (ast.Not, ast.boolop)):
            names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            if (
                names & set(parameters)
                and names <= {*parameters, *_CALLABLE}
                and all(isinstance(node, _ALLOWED) for node in ast.walk(tree))
            ):
                return text.strip()
    return ""
