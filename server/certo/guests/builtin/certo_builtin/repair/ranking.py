"""Ranking of the edits to try, likeliest first.

An edit's probability is a product of factors: the square of its line's suspicion, the prior of its template, its weight
among the template's alternatives at that place, and its naturalness. The last is lower for code that no one would write
(`naturalness`), and higher for names that match a word of the docstring, the instruction or the function's name, as in
ELIXIR (Saha et al., "ELIXIR: effective object-oriented program repair", 2017). The same edit may be needed at several
places, so edits of like places are also joined.
"""

from __future__ import annotations

import ast
import heapq
import random
from itertools import combinations
from typing import Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

from certo_builtin.question import Question
from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.fault_localization import Suspicion
from certo_builtin.repair.naturalness import MAX_WORDING_FACTOR, Naturalness
from certo_builtin.repair.priors import place_of, prior_of
from certo_builtin.repair.templates.catalogue import CATALOGUE
from certo_builtin.repair.templates.template import Change
from certo_builtin.repair.token_model import MAX_TOKENS_FACTOR, MIN_TOKENS_FACTOR
from certo_builtin.source import Edit, applied, within

MAX_PLACES = 4
"""Maximum number of places edited together; an edit that applies to more is too general for a repair."""

SAME_STATEMENT = 0.4
ELSEWHERE = 0.15
"""Probability of an edit at all its like places, relative to the edit at the likeliest one alone."""


DECISION = 0.7
"""Suspicion of a condition, relative to the most suspicious statement that runs only by it."""


class Single(NamedTuple):
    """Edit of one place: its probability, its template, its line, the start of its statement, and the edit."""

    probability: float
    template: str
    line: int
    statement: int
    edit: Edit


def same_edit_elsewhere(text: str, singles: List[Single]) -> Iterator[Tuple[Single, Tuple[Edit, ...]]]:
    """Yield the joined edits that make the same change at several places, each with the likeliest of its parts."""
    groups: Dict[Tuple[str, str, str], List[Single]] = {}
    for one in singles:
        shape = _shape(text, one.edit)
        if shape is not None:
            groups.setdefault((one.template, *shape), []).append(one)
    for group in groups.values():
        by_statement: Dict[int, List[Single]] = {}
        for one in group:
            by_statement.setdefault(one.statement, []).append(one)
        for together in by_statement.values():
            if 2 <= len(together) <= MAX_PLACES:
                yield from _joined(together, SAME_STATEMENT)
        if len(by_statement) > 1 and len(group) <= MAX_PLACES:
            yield from _joined(group, ELSEWHERE)


def _joined(group: List[Single], factor: float) -> Iterator[Tuple[Single, Tuple[Edit, ...]]]:
    sizes = {len(group), 2}
    # All places or any two of them: other subsets are rarely meant, and there are exponentially many.
    for size in sorted(sizes):
        for some in combinations(group, size):
            edits = tuple(sorted(one.edit for one in some))
            best = max(some, key=lambda one: one.probability)
            yield best._replace(probability=best.probability * factor / (1 if size == len(group) else 4)), edits


def _shape(text: str, edit: Edit) -> Optional[Tuple[str, str]]:
    """Return the change of an edit without its place: text added around the old one, or old and new text."""
    start, end, new = edit
    old = text[start:end]
    if not old.strip() or "\n" in old:
        return None
    if old in new:
        return "", new.replace(old, "\0", 1)
    return (old.replace(new, "\0", 1), "") if new.strip() and new in old else (old, new)


MAX_READ = 2000
"""Number of edits whose words, oddities and tokens are read, the likeliest ones."""

MAX_READ_FACTOR = MAX_WORDING_FACTOR * MAX_TOKENS_FACTOR
"""Maximum of the factors of an edit that is read."""


TOLD_BY = {
    "KeyError": ("a missing item of a dictionary", "a missing default"),
    "UnboundLocalError": ("a missing else", "a missing branch", "a variable never set"),
    "NameError": ("a variable never set",),
    "AttributeError": ("a missing fallback for None", "None or any false value"),
}
"""Kinds of edits that an exception asks for which ended a failing check."""

NOTHING_RAISED = frozenset({"AssertionError", "Failed"})
"""What ends a check if an exception is missing for which it waits, in unittest and in pytest."""

REFUSALS = ("a missing refusal", "an assertion for an error")
"""Kinds of edits that a check asks for if nothing raised the exception that it names."""

TOLD_FACTOR, REFUSAL_FACTOR = 4.0, 16.0
"""Factors for an edit of a kind that the exception of a failing check asks for, and for one that raises a missing one.

Other edits may avoid an exception, but hardly anything else raises the right one. Such an edit has hundreds of
alternatives, a question and words for each, among which it shares its probability.
"""


def told_factor(name: str, told: Set[str]) -> float:
    """Return the factor of a template by what the exceptions of the failing checks ask for."""
    if name not in told:
        return 1.0
    return REFUSAL_FACTOR if name in REFUSALS else TOLD_FACTOR


def asked_for(context: RepairContext) -> Set[str]:
    """Return the names of the templates whose edits the exceptions of the failing checks ask for."""
    told = {name for kind in context.raised for name in TOLD_BY.get(kind, ())}
    if context.expected and context.raised and NOTHING_RAISED.issuperset(context.raised):
        told.update(REFUSALS)
    return told


MAX_WEIGHT = 8.0
"""Maximum weight of a change among its template's alternatives at a place."""

MAX_HELD = 2
"""Number of edits held at once, as a multiple of those that may be tried; long functions have millions."""


class Ranked(NamedTuple):
    """One edit to try: its probability, its template's name, its line, and the edits.

    `confidence` is the evidence of the checks for a synthesised expression, in bits per part; None for an edit of a
    template.
    """

    probability: float
    template: str
    line: int
    edits: Tuple[Edit, ...]
    confidence: Optional[float] = None

    @property
    def note(self) -> str:
        """The sentence that the user reads about it."""
        return "{}, line {}".format(self.template, self.line)


def _own_lines(statement: ast.stmt, node: ast.AST) -> Tuple[int, int]:
    """Return the lines of a node without the block below it."""
    last = getattr(node, "end_lineno", None) or statement.end_lineno or statement.lineno
    first = getattr(node, "lineno", None) or statement.lineno
    body = getattr(node, "body", None)
    if isinstance(body, list) and body:
        last = max(first, body[0].lineno - 1)
    return first, last


class Ranking:
    """The edits to try, which are put in order only as they are drawn: the first tries wait for nothing else."""

    def __init__(self, edits: Iterator[Ranked]) -> None:
        self._source = edits
        self._drawn: List[Ranked] = []

    def first(self, number: int) -> Iterator[Ranked]:
        """Yield the likeliest edits, at most so many."""
        for place in range(number):
            if place == len(self._drawn):
                self._drawn += [one for one in [next(self._source, None)] if one is not None]
            if place == len(self._drawn):
                return
            yield self._drawn[place]

    def all(self) -> List[Ranked]:
        """Return all edits in order."""
        self._drawn += self._source
        return self._drawn


def ranked(context: RepairContext, suspicion: Suspicion, question: Question) -> Ranking:
    """Return every edit the templates propose within the target, likeliest first; those of a selection lead."""
    best: Dict[Tuple[Edit, ...], Ranked] = {}
    singles: List[Single] = []
    natural = Naturalness(context, question)

    def offer(probability: float, template: str, line: int, edits: Tuple[Edit, ...]) -> None:
        if edits not in best or best[edits].probability < probability:
            best[edits] = Ranked(probability, template, line, edits)

    for statement, one in _likeliest(context, suspicion, question):
        probability = one.probability * natural.variables_factor(one.edits)
        offer(probability, one.template, one.line, one.edits)
        if len(one.edits) == 1:
            singles.append(Single(probability, one.template, one.line, statement, one.edits[0]))
    for single, edits in same_edit_elsewhere(question.text, singles):
        offer(single.probability, single.template, single.line, edits)
    found = sorted(best.values(), key=lambda one: (-one.probability, one.edits))
    return Ranking(_chosen(found, natural, question))


def _likeliest(context: RepairContext, suspicion: Suspicion, question: Question) -> List[Tuple[int, Ranked]]:
    """Return the likeliest edits that the templates propose, each with the line of its statement."""
    found: List[Tuple[int, Ranked]] = []
    most, least = question.candidates, 0.0
    told = asked_for(context)
    for blame, statement, node in _by_suspicion(context, suspicion):
        first, _ = _own_lines(statement, node)
        place = place_of(context, statement, node)
        for template in CATALOGUE:
            prior = blame**2 * prior_of(template, place) * told_factor(template.name, told)
            if prior * MAX_WEIGHT < least:
                # None of its edits here could be among the likeliest.
                continue
            changes: List[Change] = list(template.find(context, node))
            for change in changes:
                # A template shares its prior among its alternatives at a place, so that one with hundreds, such as
                # another name, does not crowd out one with a single alternative, such as a negation.
                probability = prior * change.weight / len(changes)
                if probability < least:
                    continue
                edits = within(question.text, tuple(sorted(change.edits)), question.end)
                one = Ranked(probability, template.name, first, edits)
                found.append((statement.lineno, one))
        if len(found) > MAX_HELD * most:
            found = _first(found, most)
            least = found[-1][1].probability
    return _first(found, most)


def _by_suspicion(context: RepairContext, suspicion: Suspicion) -> List[Tuple[float, ast.stmt, ast.AST]]:
    """Return the nodes of the target with their suspicion and statement, the most suspicious first."""
    found: List[Tuple[float, ast.stmt, ast.AST]] = []
    for statement, node in context.nodes():
        # A part of a statement is as suspect as the statement: tracers report a line for it that may be any of its own.
        blame = max(suspicion.of(*_own_lines(statement, one)) for one in (node, statement))
        if isinstance(statement, (ast.If, ast.While)):
            # All checks run the condition that sends some of them the wrong way; only the way itself is suspect.
            ways = [*statement.body, *statement.orelse]
            blame = max(blame, DECISION * max(suspicion.of(*_own_lines(one, one)) for one in ways))
        found.append((blame, statement, node))
    return sorted(found, key=lambda entry: -entry[0])


def _first(found: List[Tuple[int, Ranked]], most: int) -> List[Tuple[int, Ranked]]:
    """Return the likeliest edits with some to spare: an edit that reads an unread variable moves up."""
    return sorted(found, key=lambda entry: -entry[1].probability)[: most + most // 4]


def _chosen(found: List[Ranked], natural: Naturalness, question: Question) -> Iterator[Ranked]:
    """Yield the edits within the target in order, each text once, at most as many as may be tried."""
    # The target's texts are compared by their hashes: thousands of copies of a long file would be gigabytes, which each
    # forked trial would carry along.
    target = question.text[question.start : question.end]
    texts = {hash(target)}
    for one in _in_order(found, natural, question):
        text = hash(applied(target, one.edits, question.start))
        if text not in texts:
            texts.add(text)
            yield one
        if len(texts) > question.candidates:
            break


def _in_order(found: List[Ranked], natural: Naturalness, question: Question) -> Iterator[Ranked]:
    """Yield the edits within the target by their probability with words and oddities, those of a selection first.

    `found` are the edits by their probability without. An edit is yielded as soon as no later one can overtake it.
    """
    # Equally likely edits come in random order, reproducible by the seed: by position, the first lines would always be
    # tried first.
    chance = random.Random(question.seed)
    entries = [(place, chance.random(), one) for place, one in enumerate(found) if _inside(one.edits, question)]
    for is_selected in (True, False):
        waiting: List[Tuple[float, float, Ranked]] = []
        for place, tie, one in entries:
            if _is_selected(one.line, question) is not is_selected:
                continue
            # The variables' factor looks names up and is applied to every edit; words and oddities are searched for by
            # regular expressions, so that is left to the likeliest.
            is_read = place < MAX_READ
            most = one.probability * (MAX_READ_FACTOR if is_read else MIN_TOKENS_FACTOR)
            while waiting and -waiting[0][0] > most:
                yield heapq.heappop(waiting)[-1]
            factor = MIN_TOKENS_FACTOR
            if is_read:
                factor = natural.wording_factor(one.edits) * natural.tokens_factor(one.edits)
            one = one._replace(probability=one.probability * factor)
            heapq.heappush(waiting, (-one.probability, tie, one))
        while waiting:
            yield heapq.heappop(waiting)[-1]


def _is_selected(line: int, question: Question) -> bool:
    """True if the line is in the user's selection; without a selection every line counts."""
    return question.selected is None or question.selected[0] <= line <= question.selected[1]


def _inside(edits: Tuple[Edit, ...], question: Question) -> bool:
    at = question.start
    for start, end, _ in edits:
        if start < at:
            return False
        at = end
    return at <= question.end
