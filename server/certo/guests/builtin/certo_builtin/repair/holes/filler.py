"""Hole filling: expressions for each suspicious condition, result and assigned value.

The checks determine the required values of a condition or result; the expression is enumerated over the variables'
values at the place, including the existing expression, which may be kept and extended. For assigned values no check
tells what they should be: small expressions are all tried.
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
from certo_builtin.synthesis.unused_hints import UNUSED_PARAMETER_COST

ADDED_PART_FACTOR = 0.3
"""Factor of an expression's probability for each part: a name, a constant, an operator or a call."""


def parts(text: str, old: str) -> int:
    """Return the number of parts of an expression in place of an old one, which counts as one part in it."""
    new = size(text)
    return max(1, new - size(old) + 1) if old in text else new


def size(text: str) -> int:
    """Return the number of parts of an expression."""
    return sum(isinstance(node, (ast.expr, ast.comprehension)) for node in ast.walk(parsed(text)))


def parsed(text: str) -> ast.expr:
    """Return a parsed expression; its text may have several lines."""
    return ast.parse("({}\n)".format(text), mode="eval").body


MAX_VALUES = 120
"""Maximum number of expressions for one assigned value, about as many as templates propose there."""

MAX_ROWS = 12
"""Maximum number of evaluations by which expressions are distinguished."""

MAX_COST = 8
MAX_VALUE_TRIES = 8000


class ValueRecorder:
    """Hook at a value: it records the value with the variables around it, and returns it."""

    def __init__(self) -> None:
        self.seen: List[Seen] = []
        setattr(builtins, HOOK, self)

    def __call__(self, given: Callable[[], Any], *names: Callable[[], Any]) -> Any:
        """Record one evaluation."""
        values = tuple(map(value_of, names))
        result: Any = UNBOUND
        try:
            result = given()
        finally:
            if len(self.seen) < MAX_ROWS:
                self.seen.append(Seen(values, UNBOUND if result is UNBOUND else value_of(lambda: result), None))
        return result


def values(
    place: Place, runner: CandidateRunner, context: RepairContext, question: Question
) -> Iterator[Tuple[str, float]]:
    """Yield expressions for one place with the hook, each with its probability."""
    seen = _looked_at(runner)
    if not seen:
        return
    setting = setting_at(place, runner, context, question, seen)
    old = place.old(context)
    kinds = {_kind(one.gave) for one in seen if one.gave is not UNBOUND}
    same = fingerprint(tuple(one.gave for one in seen))
    grown = Enumeration([*setting.leaves, *setting.constants], frozenset(), setting.components, Tries(MAX_VALUE_TRIES))
    left = MAX_VALUES
    for cost in range(1, MAX_COST + 1):
        for term in grown.grow(cost):
            fits = not kinds or {_kind(value) for value in term.values} <= kinds
            # Templates have tried variables and constants alone; an import would be an edit elsewhere.
            plain = cost > 1 and not term.fixed and not imports_for(term.text, context.source)
            if fits and plain and fingerprint(term.values) != same:
                yield term.text, ADDED_PART_FACTOR ** parts(term.text, old)
                left -= 1
                if not left:
                    return


def _looked_at(runner: CandidateRunner) -> List[Seen]:
    """Return the values observed at the place over all checks, each once, evenly distributed over the checks."""
    found: Dict[str, Seen] = {}
    rows: List[Sequence[Seen]] = []
    for index in range(len(runner.checks)):
        recorder = ValueRecorder()
        runner.run_check(index, FUEL, SECONDS)
        rows.append(recorder.seen)
    for turn in range(MAX_ROWS):
        for seen in rows:
            if turn < len(seen) and len(found) < MAX_ROWS:
                try:
                    found.setdefault(repr(seen[turn].values), seen[turn])
                except Exception:  # a project's own __repr__ may raise
                    continue
    return list(found.values())


def _kind(value: Any) -> str:
    """Return the type of a value; int and float count as one."""
    return "number" if type(value) in (int, float) else type(value).__name__


HOLE_PRIOR = 0.3
"""Prior of a synthesised expression, relative to those of the templates."""

MAX_FILLINGS = 6
"""Maximum number of expressions for one hole."""

WHOLE_EXPRESSION = "{}"
MIN_BITS_PER_PART = 1.0
"""Minimum evidence for a new result, in bits of the required results per part.

An expression with less is no shorter than the results that it explains: minimum description length.
"""

CONVINCING_EVALUATIONS = 4
"""Number of evaluations after which more of them add no confidence."""

MAX_TRIES = 10000
MAX_TRIES_FOR_LOST_RESULTS = 80000
MAX_EXAMPLES = 40
MAX_STALL_SECONDS = 20.0


def fillings(
    runner: CandidateRunner, context: RepairContext, suspicion: Suspicion, question: Question, failing: Sequence[int]
) -> List[Ranked]:
    """Return edits that put a synthesised expression into a suspicious place, found in a child that runs checks."""
    found: List[Ranked] = []
    all_places = [*places(context, suspicion), *assigned(context, suspicion)]
    filler = Filler(runner, context, question, failing)

    def search(emit: Callable[[Any], None]) -> None:
        for number, place in enumerate(all_places):
            for text, weight, confidence in filler.expressions(place):
                emit([number, text, weight, confidence])

    for number, text, weight, confidence in streamed(search, MAX_STALL_SECONDS, runner.allowance):
        place = all_places[number]
        edits = within(question.text, place.filled(context, text), question.end)
        probability = (
            place.blame**2
            * HOLE_PRIOR
            * weight
            * filler.natural.variables_factor(edits)
            * filler.natural.wording_factor(edits)
        )
        found.append(Ranked(probability, "an enumerated " + place.kind, place.line, edits, confidence))
    return found


class Filler:
    """Searches expressions for places, in a child where the checks may be run."""

    def __init__(
        self, runner: CandidateRunner, context: RepairContext, question: Question, failing: Sequence[int]
    ) -> None:
        self.runner = runner
        self.context = context
        self.question = question
        self.failing = failing
        self.natural = Naturalness(context, question)

    def expressions(self, place: Place) -> Iterator[Tuple[str, float, Optional[float]]]:
        """Yield the expressions for one place, likeliest first, each with its weight and its evidence in bits."""
        try:
            self.runner.hot_swap.try_on(watched(self.context, place, HOOK))
        except (SyntaxError, ValueError):
            return
        if place.kind == VALUE:
            for text, weight in values(place, self.runner, self.context, self.question):
                yield text, weight, None
        else:
            yield from self._wanted(place)

    def _wanted(self, place: Place) -> Iterator[Tuple[str, float, float]]:
        """Yield the expressions that have the angelic values of the place."""
        ways = [wanted_results(self.runner)] if place.kind == RESULT else list(decisions(self.runner, self.failing))
        old = place.old(self.context)
        told = {old}
        # If a variable or constant is returned, the expression that made the result may be missing entirely.
        tries = MAX_TRIES if size(old) > 1 or place.kind != RESULT else MAX_TRIES_FOR_LOST_RESULTS
        for seen in ways:
            examples = consistent(seen)[:MAX_EXAMPLES]
            for shape, some in _shapes(self.context, place, examples):
                sure = min(1.0, len(some) / CONVINCING_EVALUATIONS)
                setting = setting_at(place, self.runner, self.context, self.question, some)
                for text in islice(expressions(setting, tries), MAX_FILLINGS):
                    whole = shape.format(_operand(text) if shape != WHOLE_EXPRESSION else text)
                    confidence = self._spoken_for(place, text, whole, some)
                    if whole not in told and (place.kind != RESULT or confidence >= MIN_BITS_PER_PART):
                        told.add(whole)
                        yield whole, sure * ADDED_PART_FACTOR ** parts(text, old), confidence

    def _spoken_for(self, place: Place, text: str, whole: str, seen: Sequence[Seen]) -> float:
        """Return the evidence for an expression: the bits of the angelic values per new part.

        As with a synthesised body, an expression as long as the values that it explains may be a coincidence. Values of
        variables or of the old expression count little. A variable that is no longer read costs as much as an unused
        parameter of a body.
        """
        old = place.old(self.context)
        kept = cost_of("({}\n)".format(old)) if old in text and old != "None" else 0.0
        cost = (
            cost_of("({}\n)".format(text))
            - kept
            + UNUSED_PARAMETER_COST * self.natural.forgotten(place.filled(self.context, whole))
        )
        written = {repr(node.value) for node in ast.walk(parsed(text)) if isinstance(node, ast.Constant)}
        told = told_by([Known((*one.values, one.gave), one.wanted) for one in seen if repr(one.wanted) not in written])
        return told / max(PARTS, PARTS * cost)


def _shapes(context: RepairContext, place: Place, seen: List[Seen]) -> Iterator[Tuple[str, List[Seen]]]:
    """Yield the forms of a filling: an added clause for a condition too wide or too narrow, or a new expression.

    Each comes with the evaluations that it must explain: a clause must only decide where the others leave it open.
    """
    if not seen:
        return
    old = _operand(place.old(context))
    if place.kind != RESULT:
        # A condition that holds wherever it should, and elsewhere too, is too wide: a clause joined by `and` must
        # decide only the evaluations where it held. A condition that is too narrow gets one joined by `or`. This is the
        # condition refinement of SPR (Long and Rinard, 2015); the clause has fewer evaluations to explain than a new
        # condition, and is shorter.
        held = [one for one in seen if one.gave]
        missed = [one for one in seen if not one.gave]
        if held and not any(one.wanted for one in missed):
            yield old.replace("{", "{{").replace("}", "}}") + " and {}", held
        if missed and all(one.wanted for one in held):
            yield old.replace("{", "{{").replace("}", "}}") + " or {}", missed
    yield WHOLE_EXPRESSION, seen


def _operand(text: str) -> str:
    """Return an expression as an operand of `and` or `or`."""
    node = parsed(text)
    return "({})".format(text) if isinstance(node, (ast.BoolOp, ast.IfExp, ast.Lambda)) else text
