"""Conditions in words, such as "n is negative" or "the lists differ in length", as expressions over the parameters."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import Any, Iterator, List, Mapping, Match, NamedTuple, Optional, Pattern, Sequence, Tuple

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
    (r"(?:contains?|has|have|includes?|with|any) (?:an? |any |some )?(?:is |are )?negative(?: (?:number|value|"
        r"integer|element|item)s?)?", "any(x < 0 for x in {0})"),
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
    (r"(?:not|n't|in)(?:[- ]| evenly | exactly )?divisible by V|(?:not|n't) (?:a )?multiple of V", "{0} % V != 0"),
    (r"divisible by V|multiple of V", "{0} % V == 0"),
    (r"longer than V|more than V (?:characters|elements|items)", "len({0}) > V"),
    (r"shorter than V|(?:fewer|less) than V (?:characters|elements|items)", "len({0}) < V"),
    (r"(?:does not|doesn't|not) (?:have|contain|consist of)(?: exactly)? V (?:characters|elements|items)",
        "len({0}) != V"),
    (r"(?:at least|not less than|no less than|greater than or equal to) V", "{0} >= V"),
    (r"(?:at most|not more than|no more than|less than or equal to) V", "{0} <= V"),
    (r"(?:greater|larger|more|bigger|higher) than V|exceed(?:s|ing)? V|(?:above|over|beyond|after) V", "{0} > V"),
    (r"(?:less|smaller|lower|fewer) than V|(?:below|under|before) V", "{0} < V"),
    (r"(?:not|n't) (?:equal to|the same as) V|differs? from V", "{0} != V"),
    (r"(?:equal to|equals|the same as) V", "{0} == V"),
    (r"(?:contains?|has|have) (?:any )?(?:duplicates?|repeated)(?: (?:number|"
        r"value|element|item)s?)?|not unique|not distinct",
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
    (r"(?:already )?\bin V|one of V|(?:a )?(?:key|member) (?:of|in) V", "{0} in V"),
)  # fmt: skip

_TWO: Sequence[Tuple[str, str]] = (
    (r"(?:different|differing|unequal|mismatch\w*) (?:lengths?|sizes?)|(?:lengths?|sizes?)[^.]*?(?:differ|"
        r"do not match|don't match|mismatch|(?:are )?not (?:equal|the same)|are different|are unequal)|"
        r"differ in (?:length|size)|(?:not|n't) (?:all )?(?:have |of )?(?:the )?(?:same|equal) (?:length|"
        r"size)", "len({0}) != len({1})"),
    (r"(?:are|is) (?:equal|the same|identical)(?! (?:to|as)\b)", "{0} == {1}"),
    (r"(?:are not|aren't|is not) (?:equal|the same|identical)(?! (?:to|as)\b)", "{0} != {1}"),
)  # fmt: skip

# Clauses about two parameters, S2, that say no more than the table above.
_SIZES = r"(?:lengths?|sizes?)"
_ABOUT_TWO = (
    r"S2 (?:have|are of|of) (?:a |the )?(?:different|differing|unequal) " + _SIZES,
    r"S2 differ in " + _SIZES,
    r"S2 (?:are not|aren't|do not|don't) (?:all )?(?:have |of )(?:the )?(?:same|equal) " + _SIZES,
    r"(?:the )?" + _SIZES + r"(?: of S2)? (?:differ|do not match|don't match|mismatch|are (?:different|unequal)|"
    r"are not (?:equal|the same))",
    r"S2 (?:are |are not |aren't )(?:equal|the same|identical)",
)

_OUT_OF_RANGE = re.compile(r"\bout of (?:range|bounds)", re.IGNORECASE)

_VALUE = (
    r"(?:(?:the )?length of (?:the )?\w+|len\(\w+\)|-?[0-9]+(?:\.[0-9]+)?|'[^'\s]*'|\"[^\"\s]*\"|"
    r"(?:the )?\w+)"
)
_OR = re.compile(r",? or (?:if |when )?(?!equal\b|(?:less|more|greater|below|negative|positive)$)", re.IGNORECASE)
_COMPARED = re.compile(r"(\w+(?:\(\w+\))?) ?(<=|>=|==|!=|<|>|not in|in|is not|is) ?(" + _VALUE + ")$")
_PRONOUN = re.compile(
    r"\b(?:it|they|either|any|both|this|these|inputs?|arguments?|parameters?|values?)\b", re.IGNORECASE
)

# What may stand before a predicate for all words of a clause to be read: a subject and a verb.
_VERB = re.compile(r"(?P<subject>.*?)(?:(?:^| )(?P<verb>is|are|was|were|be|do|does|has|have))?", re.IGNORECASE)
_ARGUMENT = (
    r"(?:the |an? )?(?:given |input )?(?:value of (?:the )?)?(?:(?:argument|parameter|number|integer|list|string|text|"
    r"array|dict) )?{}(?: (?:argument|parameter))?"
)
_ANY_ARGUMENT = r"(?:the |an? )?(?:given |only )?(?:input|argument|parameter)"
_VERB_LED = re.compile(r"^(?:.* )?(?:is|are|was|were|has|have)\b", re.IGNORECASE)
_NEGATIONS = re.compile(r"\b(?:not|no|non\w*|neither|nor|never|cannot|outside|without|un\w+)\b|n't", re.IGNORECASE)
# In words beside a condition, these make another one of it, which no single example tells.
_AND = re.compile(r"\b(?:and|but|both|except|unless|neither)\b", re.IGNORECASE)
_RANGE = re.compile(r"between|range|outside|within|from", re.IGNORECASE)
_SEVERAL_SENSES = re.compile(r"blank|^missing$|(?:not|n't) .*\bnumber\b|numeric", re.IGNORECASE)

_CALLABLE = frozenset({"len", "isinstance", "abs", "min", "max", "sum", "all", "any", "set", "str", "int", "float"})
_ALLOWED = (
    ast.Expression, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Name, ast.Constant, ast.Call, ast.Subscript,
    ast.Tuple, ast.List, ast.Set, ast.expr_context, ast.boolop, ast.unaryop, ast.cmpop, ast.Add, ast.Sub, ast.Mult,
    ast.Div, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr,
)  # fmt: skip
_MAX_FACTOR = 10**6


class Reading(NamedTuple):
    """A condition that some words may mean, and whether it says all of them."""

    condition: str
    whole: bool = False


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
    ((bool,), ("flag",)),
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


def conditions(words: str, parameters: Parameters) -> Iterator[Reading]:
    """Yield what some words may mean, the likeliest first.

    Several clauses are joined by `or`. Where the words do not tell which parameter is meant, each is one reading.
    """
    text = " ".join(words.split())
    code = _code(text.replace("`", ""), parameters.names)
    if code:
        yield Reading(code, whole=True)
        return
    readings: List[List[Reading]] = []
    subject: Sequence[str] = ()
    waiting: List[str] = []
    earlier = ""
    for clause in _OR.split(text):
        plain = clause.replace("`", "").strip()
        # "a or b is negative": the first clause is another subject of the second.
        if re.sub(r"^(?:either|the|if) ", "", plain) in parameters.names:
            waiting += parameters.meant_by(plain)
            continue
        codes = (_code(each, parameters.names) for each in re.findall(r"`+([^`]+)`+", clause))
        whole = next(filter(None, codes), "")
        found = [Reading(whole)] if whole else _Clause(plain, parameters, subject, waiting).readings()
        if not found:
            return
        # "n is zero or is negative": the second clause is about the subject of the first.
        subject = [*waiting, *parameters.meant_by(plain)] or subject
        # "n is not positive or zero": what is negated may go on.
        cut = not _VERB_LED.search(plain) and _NEGATIONS.search(earlier)
        readings.append([Reading(one.condition) for one in found] if cut else found)
        earlier += plain + " "
        waiting = []
    if waiting:
        return
    for number in range(max(map(len, readings), default=0)):
        chosen = [each[min(number, len(each) - 1)] for each in readings]
        yield Reading(" or ".join(one.condition for one in chosen), all(one.whole for one in chosen))


class _Clause:
    """One clause, `waiting` the subjects named before it, and `previous` those of the clause before."""

    def __init__(self, text: str, parameters: Parameters, previous: Sequence[str], waiting: Sequence[str]) -> None:
        self.text = text
        self.parameters = parameters
        self.names = parameters.names
        self.previous = previous
        self.waiting = waiting
        self.loose: Sequence[str] = [*waiting, *parameters.meant_by(text)] or previous

    def readings(self) -> List[Reading]:
        """Return what the clause may mean, by the first table that knows it."""
        tables = (self._compared, self._out_of_range, self._of_two, self._of_types, self._by_predicates)
        return next(filter(None, (list(dict.fromkeys(table())) for table in tables)), [])

    def _compared(self) -> Iterator[Reading]:
        found = _COMPARED.search(self.text)
        value = _value(found.group(3), self.names) if found and found.group(1) in self.names else None
        if found and value is not None:
            sign = {"is": "==", "is not": "!="}.get(found.group(2), found.group(2))
            whole = self._subjects(self.text[: found.end(1)]) == [*self.waiting, found.group(1)]
            made = ("{} {} {}".format(name, sign, value) for name in (*self.waiting, found.group(1)))
            if _AND.search(self.text[: found.start()]):
                return
            # "a or b < 0" is no clear sentence.
            yield Reading(" or ".join(made), whole and (not self.waiting or found.group(2).startswith("is")))

    def _out_of_range(self) -> Iterator[Reading]:
        if len(self.names) == 2 and _OUT_OF_RANGE.search(self.text):
            for index, values in (self.names, self.names[::-1]):
                yield Reading("not 0 <= {} < len({})".format(index, values))

    def _of_two(self) -> Iterator[Reading]:
        pair = self.loose if len(self.loose) == 2 else self.names
        if len(pair) != 2:
            return
        for wording, text in _TWO:
            if re.search(wording, self.text, re.IGNORECASE):
                yield Reading(text.format(*pair), not self.waiting and self._names_two(pair))
                return

    def _names_two(self, pair: Sequence[str]) -> bool:
        """True if the clause is about both parameters and says nothing else."""
        one, other = map(re.escape, pair)
        shared = [noun for noun in self.parameters.nouns[pair[0]] if noun in self.parameters.nouns[pair[1]]]
        nouns = "|".join((*(noun + "s" for noun in shared), "inputs", "arguments", "parameters"))
        named = r"(?:{0} (?:and|or) (?:the )?{1}|{1} (?:and|or) (?:the )?{0}".format(one, other)
        both = r"(?:the )?(?:both )?(?:two |given )?" + named + (r"|" + nouns if len(self.names) == 2 else "") + ")"
        return any(re.fullmatch(each.replace("S2", both), self.text, re.IGNORECASE) for each in _ABOUT_TWO)

    def _of_types(self) -> Iterator[Reading]:
        for kinds, kind in _TYPES:
            match = re.search(r"(?:not|n't) {}(?:{})\b".format(_A, kinds), self.text)
            if match:
                yield from self._about("not isinstance({0}, %s)" % kind, (), match)
                return

    def _by_predicates(self) -> Iterator[Reading]:
        for pattern, text in _compiled():
            match = pattern.search(self.text)
            words = [word for word in match.groups() if word] if match else []
            known = [found for found in (_value(word, self.names) for word in words) if found is not None]
            if match and len(known) == len(words):
                yield from self._about(text, known, match)
                return

    def _about(self, text: str, values: Sequence[str], match: Match[str]) -> Iterator[Reading]:
        """Yield a condition about each subject; about all of them together if the clause names them."""
        before, after = self.text[: match.start()], self.text[match.end() :]
        if _AND.search(before + after):
            return
        exact = None if _has_several_senses(text, match.group()) else self._subjects(before)
        if exact and re.search(r"\b(?:has|have)$", before.strip()) and "len(" not in text:
            exact = None
        whole = exact is not None and (not after or (after == " long" and "len(" in text))
        subject = exact if whole and exact else self.loose
        made = [_with(text, name, values) for name in subject if name not in values]
        named = all(re.search(r"\b{}\b".format(re.escape(name)), self.text) for name in subject[-1:])
        if named and made:
            yield Reading(" or ".join(made), whole)
        else:
            yield from (Reading(one, whole) for one in made)

    def _subjects(self, before: str) -> Optional[Sequence[str]]:
        """Return the parameters that all of the words before a predicate name; None if they say something else."""
        found = _VERB.fullmatch(before.strip())
        words = found.group("subject").strip() if found else before
        if not words:
            return None if self.waiting or len(self.previous) != 1 else self.previous
        for name in self.names:
            if name in words and re.fullmatch(_ARGUMENT.format(re.escape(name)), words, re.IGNORECASE):
                same = all(self.parameters.nouns[other] == self.parameters.nouns[name] for other in self.waiting)
                return [*self.waiting, name] if same else None
        if self.waiting:
            return None
        if re.fullmatch(_ANY_ARGUMENT, words, re.IGNORECASE):
            return self.names
        return [name for name in self.names if self._is_noun_for(words, name)] or None

    def _is_noun_for(self, words: str, name: str) -> bool:
        nouns = (noun for noun in self.parameters.nouns[name] if noun not in ("value", "name", "flag"))
        return any(re.fullmatch(r"(?:the |an? )?(?:given |input )?" + noun, words, re.IGNORECASE) for noun in nouns)


def _has_several_senses(text: str, words: str) -> bool:
    """True if only an example can tell whether the words mean this condition."""
    inexact = ".is" in text or ("<= {0} <=" in text and not _RANGE.search(words))
    return inexact or bool(_SEVERAL_SENSES.search(words))


def _with(text: str, name: str, values: Sequence[str]) -> str:
    # All at once, for a name or a value may look like a place.
    given = {"{0}": name, "V": values[0] if values else "", "W": values[-1] if values else ""}
    return re.sub(r"\{0\}|\b[VW]\b", lambda place: given[place.group()], text)


def _value(word: str, parameters: Sequence[str]) -> Optional[str]:
    """Return the expression for a value in words; None if it is none that is known."""
    word = re.sub(r"^the ", "", word)
    length = re.match(r"(?:length of (?:the )?|len\()(\w+)\)?$", word)
    if length:
        return "len({})".format(length.group(1)) if length.group(1) in parameters else None
    if word.lower() in NUMERALS:
        return str(NUMERALS.index(word.lower()))
    if word in parameters:
        return word
    return word if re.match(r"-?[0-9]|['\"]", word) and _is_literal(word) else None


def _is_literal(text: str) -> bool:
    try:
        return "\\" not in text and ast.literal_eval(text) is not None
    except (SyntaxError, ValueError):
        return False


def _wording(text: str) -> Pattern[str]:
    return re.compile(re.sub(r"\b[VW]\b", lambda _: "(" + _VALUE + ")", text), re.IGNORECASE)


@lru_cache(maxsize=None)
def _compiled() -> Sequence[Tuple[Pattern[str], str]]:
    return tuple((_wording(wording), text) for wording, text in _PREDICATES)


def _code(text: str, parameters: Sequence[str]) -> str:
    """Return the code that a text is, if it is a condition on the parameters alone; otherwise an empty one."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    nodes = list(ast.walk(tree))
    # "n is 0" is no code that anybody should write, and "n or k" is part of a sentence.
    words = any(isinstance(node, (ast.Is, ast.IsNot)) for node in nodes) and "None" not in text
    words = words or any(isinstance(one, ast.Name) for node in nodes for one in getattr(node, "values", ()))
    if words or not isinstance(tree.body, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
        return ""
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    known = names & set(parameters) and names <= {*parameters, *_CALLABLE}
    is_test = isinstance(getattr(tree.body, "op", ast.Not()), (ast.Not, ast.boolop))
    return text.strip() if is_test and known and all(map(_is_allowed, nodes)) else ""


def _is_allowed(node: ast.AST) -> bool:
    """True if a node costs little wherever it is evaluated, and changes nothing."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return all(map(_is_factor, (node.left, node.right)))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return not any(isinstance(getattr(one, "value", None), (str, bytes)) for one in ast.walk(node))
    return isinstance(node, _ALLOWED)


def _is_factor(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float)) and abs(node.value) <= _MAX_FACTOR
    return isinstance(node, ast.Name)
