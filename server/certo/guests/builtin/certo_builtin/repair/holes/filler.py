"""Filling holes: an expression for each suspicious condition, result and assigned value.

What a condition or result should have given is asked of the checks; the expression is enumerated over the variables'
values at the place, with the expression that stands there among them, so that it may be kept and added to. Of values
that are assigned no check says what they should be: small ones are all tried.
"""

from __future__ import annotations

import ast
import builtins
from itertools import islice
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from certo_builtin.execution.fork_pool import streamed
from certo_builtin.execution.runner import CandidateRunner
from certo_builtin.question import Question
from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.fault_localization import Suspicion
from certo_builtin.repair.holes.angelic import (
    FUEL,
    HOOK,
    SECONDS,
    UNBOUND,
    Seen,
    consistent,
    decisions,
    value_of,
    wanted_results,
)
from certo_builtin.repair.holes.place import RESULT, VALUE, Place, assigned, places, setting_at, watched
from certo_builtin.repair.naturalness import Naturalness
from certo_builtin.repair.ranking import Ranked
from certo_builtin.source import within
from certo_builtin.synthesis.enumeration import Enumeration, Tries
from certo_builtin.synthesis.evidence import PARTS, cost_of, told_by
from certo_builtin.synthesis.expected_values import Known
from certo_builtin.synthesis.expressions import expressions
from certo_builtin.synthesis.insertion import imports_for
from certo_builtin.synthesis.terms import fingerprint
from certo_builtin.synthesis.unused_hints import UNUSED

PART = 0.3
"""How much less likely an expression is for each part of it: a name, a constant, an operator or a call."""


def parts(text: str, old: str) -> int:
    """Return the number of parts of an expression in the place of an old one, which counts as one within it."""
    new = size(text)
    return max(1, new - size(old) + 1) if old in text else new


def size(text: str) -> int:
    """Return the number of parts of an expression."""
    return sum(isinstance(node, (ast.expr, ast.comprehension)) for node in ast.walk(parsed(text)))


def parsed(text: str) -> ast.expr:
    """An expression that may go on over several lines."""
    return ast.parse("({}\n)".format(text), mode="eval").body


MAX_VALUES = 120
"""Expressions for one place, at most: about as many as the templates know of edits there."""

MAX_ROWS = 12
"""Evaluations by which expressions are told apart, at most."""

DEAREST = 8
VALUE_TRIES = 8000


class Onlooker:
    """Stands at a value, notes it with the variables around it, and lets it pass."""

    def __init__(self) -> None:
        self.seen: List[Seen] = []
        setattr(builtins, HOOK, self)

    def __call__(self, given: Callable[[], Any], *names: Callable[[], Any]) -> Any:
        """Note one evaluation."""
        values = tuple(map(value_of, names))
        result: Any = UNBOUND
        try:
            result = given()
        finally:
            if len(self.seen) < MAX_ROWS:
                self.seen.append(Seen(values, UNBOUND if result is UNBOUND else value_of(lambda: result), None))
        return result


def values(
    place: Place, bench: CandidateRunner, scene: RepairContext, question: Question
) -> Iterator[Tuple[str, float]]:
    """Expressions for one place where the hook is, each with how likely it is."""
    seen = _looked_at(bench)
    if not seen:
        return
    setting = setting_at(place, bench, scene, question, seen)
    old = place.old(scene)
    kinds = {_kind(one.gave) for one in seen if one.gave is not UNBOUND}
    same = fingerprint(tuple(one.gave for one in seen))
    grown = Enumeration([*setting.leaves, *setting.constants], frozenset(), setting.components, Tries(VALUE_TRIES))
    left = MAX_VALUES
    for cost in range(1, DEAREST + 1):
        for term in grown.grow(cost):
            fits = not kinds or {_kind(value) for value in term.values} <= kinds
            # Variables and constants alone the templates have tried; an import would be an edit elsewhere.
            plain = cost > 1 and not term.fixed and not imports_for(term.text, scene.source)
            if fits and plain and fingerprint(term.values) != same:
                yield term.text, PART ** parts(term.text, old)
                left -= 1
                if not left:
                    return


def _looked_at(bench: CandidateRunner) -> List[Seen]:
    """Return the values seen at the place over all checks, each once, as many of each check as there is room for."""
    found: Dict[str, Seen] = {}
    rows: List[Sequence[Seen]] = []
    for index in range(len(bench.checks)):
        onlooker = Onlooker()
        bench.run_check(index, FUEL, SECONDS)
        rows.append(onlooker.seen)
    for turn in range(MAX_ROWS):
        for seen in rows:
            if turn < len(seen) and len(found) < MAX_ROWS:
                try:
                    found.setdefault(repr(seen[turn].values), seen[turn])
                except Exception:  # a project's own __repr__ may raise
                    continue
    return list(found.values())


def _kind(value: Any) -> str:
    """The type of a value; whole numbers and fractions are of one."""
    return "number" if type(value) in (int, float) else type(value).__name__


PRIOR = 0.3
"""How likely a bug is repaired by an enumerated expression, against the templates."""

MAX_FILLINGS = 6
"""Expressions for one hole, at most."""

WHOLE = "{}"
MIN_TOLD = 1.0
"""Bits that the wanted results have to tell for each part of a new one: what tells less is shorter as it stands."""

ENOUGH = 4
"""Evaluations that speak for an expression as much as any number of them."""

TRIES = 10000
LOST_TRIES = 80000
MAX_EXAMPLES = 40
STALL = 20.0


def fillings(
    bench: CandidateRunner, scene: RepairContext, suspicion: Suspicion, question: Question, failing: Sequence[int]
) -> List[Ranked]:
    """Edits that put an enumerated expression into a suspicious place; found in a child, for the checks run there."""
    found: List[Ranked] = []
    all_places = [*places(scene, suspicion), *assigned(scene, suspicion)]
    filler = Filler(bench, scene, question, failing)

    def search(emit: Callable[[Any], None]) -> None:
        for number, place in enumerate(all_places):
            for text, weight, confidence in filler.expressions(place):
                emit([number, text, weight, confidence])

    for number, text, weight, confidence in streamed(search, STALL, bench.allowance):
        place = all_places[number]
        edits = within(question.text, place.filled(scene, text), question.end)
        probability = place.blame**2 * PRIOR * weight * filler.natural.memory(edits) * filler.natural.reading(edits)
        found.append(Ranked(probability, "an enumerated " + place.kind, place.line, edits, confidence))
    return found


class Filler:
    """Finds expressions for places, in a child where the checks may be run."""

    def __init__(
        self, bench: CandidateRunner, scene: RepairContext, question: Question, failing: Sequence[int]
    ) -> None:
        self.bench = bench
        self.scene = scene
        self.question = question
        self.failing = failing
        self.natural = Naturalness(scene, question)

    def expressions(self, place: Place) -> Iterator[Tuple[str, float, Optional[float]]]:
        """Those for one place, likeliest first, each with how likely it is and how far the checks speak for it."""
        try:
            self.bench.graft.try_on(watched(self.scene, place, HOOK))
        except (SyntaxError, ValueError):
            return
        if place.kind == VALUE:
            for text, weight in values(place, self.bench, self.scene, self.question):
                yield text, weight, None
        else:
            yield from self._wanted(place)

    def _wanted(self, place: Place) -> Iterator[Tuple[str, float, float]]:
        """Those that give what the checks want there."""
        ways = [wanted_results(self.bench)] if place.kind == RESULT else list(decisions(self.bench, self.failing))
        old = place.old(self.scene)
        told = {old}
        # Where a variable or a constant is returned, what the result was made of may be lost.
        tries = TRIES if size(old) > 1 or place.kind != RESULT else LOST_TRIES
        for seen in ways:
            examples = consistent(seen)[:MAX_EXAMPLES]
            for shape, some in _shapes(self.scene, place, examples):
                sure = min(1.0, len(some) / ENOUGH)
                setting = setting_at(place, self.bench, self.scene, self.question, some)
                for text in islice(expressions(setting, tries), MAX_FILLINGS):
                    whole = shape.format(_operand(text) if shape != WHOLE else text)
                    confidence = self._spoken_for(place, text, whole, some)
                    if whole not in told and (place.kind != RESULT or confidence >= MIN_TOLD):
                        told.add(whole)
                        yield whole, sure * PART ** parts(text, old), confidence

    def _spoken_for(self, place: Place, text: str, whole: str, seen: Sequence[Seen]) -> float:
        """The bits that what was wanted tells, beyond what is at hand, for each part that did not stand there before.

        As with a body that was made to fit examples, an expression that is as long as what it explains may be made up.
        At hand are the variables and what the function gave so far. A variable that nothing reads any more costs as
        much as a parameter that a body does not use.
        """
        old = place.old(self.scene)
        kept = cost_of("({}\n)".format(old)) if old in text and old != "None" else 0.0
        cost = cost_of("({}\n)".format(text)) - kept + UNUSED * self.natural.forgotten(place.filled(self.scene, whole))
        written = {repr(node.value) for node in ast.walk(parsed(text)) if isinstance(node, ast.Constant)}
        told = told_by([Known((*one.values, one.gave), one.wanted) for one in seen if repr(one.wanted) not in written])
        return told / max(PARTS, PARTS * cost)


def _shapes(scene: RepairContext, place: Place, seen: List[Seen]) -> Iterator[Tuple[str, List[Seen]]]:
    """Yield the forms of a filling: one more clause for a condition too wide or too narrow, or a new expression.

    With each, the evaluations that it has to answer for: a clause only has to where the others leave it open.
    """
    if not seen:
        return
    old = _operand(place.old(scene))
    if place.kind != RESULT:
        held = [one for one in seen if one.gave]
        missed = [one for one in seen if not one.gave]
        if held and not any(one.wanted for one in missed):
            yield old.replace("{", "{{").replace("}", "}}") + " and {}", held
        if missed and all(one.wanted for one in held):
            yield old.replace("{", "{{").replace("}", "}}") + " or {}", missed
    yield WHOLE, seen


def _operand(text: str) -> str:
    """An expression as an operand of `and` or `or`."""
    node = parsed(text)
    return "({})".format(text) if isinstance(node, (ast.BoolOp, ast.IfExp, ast.Lambda)) else text
