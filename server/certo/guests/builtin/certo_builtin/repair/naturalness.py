"""Naturalness of edits: edits that leave a variable unused or compare a value with itself are less likely.

Software is repetitive, and oddities are informative (Hindle et al., "On the naturalness of software", 2012).
Conversely, a variable that is never read is often the one the repair needs.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from functools import lru_cache
from typing import Dict, Iterator, List, Optional, Pattern, Sequence, Set, Tuple

from certo_builtin.question import Question
from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.token_model import TokenModel
from certo_builtin.source import FUNCTIONS, Edit, Function, applied
from certo_builtin.synthesis import space
from certo_builtin.synthesis.components.catalogue import COMPONENTS
from certo_builtin.synthesis.components.component import Component
from certo_builtin.synthesis.docstring_words import stem, words_of
from certo_builtin.synthesis.unused_hints import COMMON_WORDS, UnusedHints

ANSWERED_WORD_FACTOR = 2.5
"""Factor for an edit that matches a word of the prose that nothing in the function matched."""

MAX_WORDING_FACTOR = ANSWERED_WORD_FACTOR
"""Maximum of `Naturalness.wording_factor`: the others lower it."""

UNANSWERED_WORD_FACTOR = 0.4
"""Factor for an edit that leaves a word without the match it had."""

COMMON_NUMBERS = (0, 1, 2)
"""Numbers common in code, whatever the prose says."""

BOUND = re.compile(r"(?<![-=<>])(<=|>=|<|>|!=) ?(-?\d+)(?![\w.])")
CALLED = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?=\()|(?<=\.)[A-Za-z_]\w*")
OPTION = re.compile(r"\b([a-z]+)=(?!=)")


class Wording:
    """Words to be matched, those that the function matches already, and the effect of an edit on them."""

    def __init__(self, context: RepairContext, question: Question) -> None:
        self._text = context.source.text
        self._name = question.name
        self._stems = frozenset(map(stem, space.words(question))) - COMMON_WORDS
        self._patterns = {
            **UnusedHints(frozenset(), self._stems, list(map(_without_options, COMPONENTS))).answers,
            **dict(_written_out(question)),
        }
        code = [one for one in context.target.body if not _is_text(one)] or context.target.body
        self._start, self._end = context.source.start(code[0]), context.source.end(code[-1])
        self._said = self._in(self._text[self._start : self._end])
        self._said_before: Dict[str, Set[str]] = {}

    def answer(self, edits: Sequence[Edit]) -> float:
        """Return an edit's factor for the words that it matches, and for those that it leaves unmatched."""
        # The edited lines alone are searched first; the whole body is read only if a word has lost its match there,
        # since it may have another elsewhere.
        start = self._text.rfind("\n", 0, edits[0][0]) + 1
        end = self._text.find("\n", edits[-1][1])
        before = self._text[start : end if end >= 0 else len(self._text)]
        said = self._in(applied(before, edits, start))
        factor = ANSWERED_WORD_FACTOR if said - self._said else 1.0
        # Hundreds of edits change the same few lines.
        if before not in self._said_before:
            self._said_before[before] = self._in(before)
        lost = self._said_before[before] - said
        if lost and lost - self._in(self._after(edits)):
            factor *= UNANSWERED_WORD_FACTOR
        return factor

    def _after(self, edits: Sequence[Edit]) -> str:
        """Return the whole body with these edits."""
        start, end = min(self._start, edits[0][0]), max(self._end, edits[-1][1])
        return applied(self._text[start:end], edits, start)

    def _in(self, code: str) -> Set[str]:
        """Return the stems of the words that some code matches, by its calls or by idioms for them."""
        called = [name for name in CALLED.findall(code) if name != self._name]
        found = {word for name in called for word in _stems_of(name)} & self._stems
        found.update(word for word, patterns in self._patterns.items() if any(one.search(code) for one in patterns))
        return found


def _written_out(question: Question) -> Iterator[Tuple[str, List[Pattern[str]]]]:
    """Yield the constants and bounds that the prose writes as code does."""
    for literal in space.literals(question):
        if literal not in COMMON_NUMBERS:
            shape = "(['\"]){}\\1" if isinstance(literal, str) else r"(?<![\w.]){}(?![\w.])"
            yield repr(literal), [re.compile(shape.format(re.escape(str(literal))))]
    for operator, number in BOUND.findall(question.docstring.split(">>>")[0]):
        yield operator + number, [re.compile(r"(?<![-=<>]){} ?{}(?![\w.])".format(operator, number))]


def _without_options(component: Component) -> Component:
    """Return a component without the words of its options: sorting with `reverse=True` does not match "reverse"."""
    return component._replace(words=component.words - frozenset(map(stem, OPTION.findall(component.text))))


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


UNREAD_VARIABLE_FACTOR = 0.25
"""Factor for each variable or inner function that an edit leaves unread."""

NEWLY_READ_VARIABLE_FACTOR = 2.5
"""Factor for reading a variable that nothing read before."""

FOREIGN_FACTOR = 0.6
"""Factor for a name or constant that the file does not have: projects repeat their own words."""

AT_HAND = frozenset({*dir(builtins), *keyword.kwlist, "0", "1", "2", "error"})
"""Words that every file may use."""

WORD = re.compile(r"[A-Za-z_]\w*|\d+(?:\.\d+)?")

NEARBY_CHARACTERS = 24
"""Number of characters on either side of an edit in which oddities count."""

ODDITY_FACTOR = 0.1
"""Factor for a tautology or a repetition."""

NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
THING = r"(?<![\w.\])'\"])(?P<thing>[A-Za-z_][\w.]*(?:\[[^\[\]]*\])?)"
OPERATOR = r" ?(?:-|//?|%|==|!=|<=?|>=?|\band\b|\bor\b|\bis\b(?: not)?|\bin\b) ?"
CONSTANT = r"(?:True|False|None|\d+)\b(?! ?[-+*/%<>=!.\[(&|^]| (?:in|is|not)\b)"
ODDITIES = re.compile(
    "|".join(
        (
            # Equal operands.
            THING + OPERATOR + r"(?P=thing)(?![\w.(\[])",
            r"\b(?:max|min)\((?P<bound>\w+), (?P=bound)\)",
            r"(?<![\w.])(?P<target>[A-Za-z_][\w.]*) = (?P=target)\s*$",
            # An operation and its inverse, or a repetition of what one operation says.
            r"\+ 1 - 1\b|- 1 \+ 1\b|\+ 1 \+ 1\b|- 1 - 1\b|\bnot not\b|[-+]=? -",
            # A neutral or absorbing number.
            r"(?<=[\w)\]] )(?:[-+]=? 0|\*\*?=? [01]|//?=? 1)(?![\w.])|(?<![\w.)\]])-0(?![\w.])",
            r"(?<![\w.])(?:0 [-+*]|1 \*) (?=[\w(])",
            # A constant condition.
            r"\b(?:if|elif|not) "
            + CONSTANT
            + r"|\bwhile (?!True\b|1\b)"
            + CONSTANT
            + r"|\b(?:and|or) (?:True|False)\b",
            r"\b(?:sorted|list|set|str|int)\(\d",
            # An identity of constants, or a collection made a text.
            r"\bis(?: not)? (?:['\"(\[{]|-?\d)",
            r"\bstr\((?:[\[{(]|[\w.]+\.(?:keys|values|items|copy|split)\(\))",
            # A loop that continues only while two variables happen to be equal.
            r"\bwhile [A-Za-z_]\w* == [A-Za-z_]\w*:",
        )
    )
)
NO_TRUTH = re.compile(r"\breturn (?:-?\d+|None|''|\[\]|\{\})\s*$", re.MULTILINE)
"""Results that are odd in a function whose other results are booleans."""


class Naturalness:
    """Variables read by the function, and the effect of an edit on them."""

    def __init__(self, context: RepairContext, question: Question) -> None:
        self._text = context.source.text
        checked = " ".join(map(repr, context.literals))
        self._known = {*_words(self._text), *_words(checked), *context.expected, *context.raised, *AT_HAND}
        given, own = _bound(context.target)
        self._reads: Dict[str, List[int]] = {name: [] for name in given | own}
        """Places where each of the function's own names is read, except mere modifications."""
        for node in ast.walk(context.target):
            if isinstance(node, FUNCTIONS) and node.name in self._reads:
                # A decorator may keep the function it gets.
                self._reads[node.name] += map(context.source.start, node.decorator_list)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in given | own:
                # A change to an argument is visible outside.
                counts = node.id in given or not _is_changed(context, node)
                self._reads[node.id] += [context.source.start(node)] if counts else []
        # A function that does not call itself lacks nothing.
        self._unread = {name for name, places in self._reads.items() if not places} - {context.target.name}
        self._asks = _is_question(context)
        self._wording = Wording(context, question)
        self._tokens = TokenModel(self._text)

    def variables_factor(self, edits: Sequence[Edit]) -> float:
        """Return an edit's factor for the variables that it newly reads or leaves unread."""
        changed: Dict[str, int] = {}
        for start, end, text in edits:
            before, after = _names(self._text[start:end]), _names(text)
            if before != after:
                for name in before:
                    changed[name] = changed.get(name, 0) - 1
                for name in after:
                    changed[name] = changed.get(name, 0) + 1
        factor = (
            FOREIGN_FACTOR if any(self._is_foreign(self._text[start:end], text) for start, end, text in edits) else 1.0
        )
        for name, more in changed.items():
            if more > 0 and name in self._unread:
                factor *= NEWLY_READ_VARIABLE_FACTOR
        if any(more < 0 and name in self._reads for name, more in changed.items()):
            factor *= UNREAD_VARIABLE_FACTOR ** self.forgotten(edits)
        return factor

    def _is_foreign(self, before: str, after: str) -> bool:
        """True if an edit brings a name or constant that the file does not have, nor Python, nor the failing checks."""
        return any(word not in self._known for word in _words(after) if word not in before)

    def forgotten(self, edits: Sequence[Edit]) -> int:
        """Return the number of the function's own names that are no longer read."""
        gone = {name for start, end, _ in edits for name in _names(self._text[start:end])}
        kept = {name for _, _, text in edits for name in _names(text)}
        read = [self._reads[name] for name in (gone - kept) & self._reads.keys() if self._reads[name]]
        return sum(all(any(start <= at < end for start, end, _ in edits) for at in places) for places in read)

    def wording_factor(self, edits: Sequence[Edit]) -> float:
        """Return the factor for an edit's words and oddities, which is slow to compute."""
        return self.oddity(edits) * self._wording.answer(edits)

    def tokens_factor(self, edits: Sequence[Edit]) -> float:
        """Return the factor for an edit's tokens; synthesised expressions pay for each of their parts already."""
        return self._tokens.factor(edits)

    def oddity(self, edits: Sequence[Edit]) -> float:
        """Return the factor for the oddities that an edit adds."""
        factor = 1.0
        for start, end, text in edits:
            left, right = self._around(start, end)
            before, after = left + self._text[start:end] + right, left + text + right
            # Only added oddities count: code that was odd before, perhaps on purpose, makes no edit beside it less
            # likely.
            if self._odd(after) > self._odd(before):
                factor *= ODDITY_FACTOR
        return factor

    def _odd(self, text: str) -> int:
        """Return the number of oddities in some text."""
        return _oddities(text) + (len(NO_TRUTH.findall(text)) if self._asks else 0)

    def _around(self, start: int, end: int) -> Tuple[str, str]:
        """Return the text on the same lines close before and after a range."""
        first = max(self._text.rfind("\n", 0, start) + 1, start - NEARBY_CHARACTERS)
        last = self._text.find("\n", end, end + NEARBY_CHARACTERS)
        return self._text[first:start], self._text[end : last if last >= 0 else end + NEARBY_CHARACTERS]


def _bound(target: Function) -> Tuple[Set[str], Set[str]]:
    """Return the names of a function's parameters, and those that it sets or defines, itself included."""
    given: Set[str] = set()
    own: Set[str] = set()
    for node in ast.walk(target):
        if isinstance(node, ast.arg):
            given.add(node.arg)
        elif isinstance(node, FUNCTIONS):
            own.add(node.name)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            own.add(node.id)
    hidden = {name for name in given | own if name.startswith("_") or name in ("self", "cls")}
    return given - hidden, own - hidden


def _is_changed(context: RepairContext, node: ast.Name) -> bool:
    """True if a variable is only modified: by an item assignment, or by a method whose result is discarded."""
    parent = context.parent(node)
    if isinstance(parent, ast.Subscript) and node is parent.value:
        return not isinstance(parent.ctx, ast.Load)
    call = context.parent(parent)
    called = isinstance(parent, ast.Attribute) and isinstance(call, ast.Call) and parent is call.func
    return called and isinstance(context.parent(call), ast.Expr)


def _is_question(context: RepairContext) -> bool:
    """True if each result written in the target is a boolean."""
    results = [one.value for one in ast.walk(context.target) if isinstance(one, ast.Return)]
    return bool(results) and all(map(_is_truth, results))


def _is_truth(node: Optional[ast.expr]) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, bool)
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


@lru_cache(maxsize=8192)
def _stems_of(name: str) -> Sequence[str]:
    return tuple(map(stem, words_of("", name)))


@lru_cache(maxsize=8192)
def _words(text: str) -> Sequence[str]:
    return tuple(WORD.findall(text))


@lru_cache(maxsize=8192)
def _names(text: str) -> Sequence[str]:
    return tuple(NAME.findall(text))


@lru_cache(maxsize=8192)
def _oddities(text: str) -> int:
    return sum(1 for _ in ODDITIES.finditer(text))
