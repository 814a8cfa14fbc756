"""Filling holes: an expression for each suspicious condition, result and assigned value.

What a condition or result should have given is asked of the checks; the expression is enumerated over the variables'
values at the place, with the expression that stands there among them, so that it may be kept and added to. Of values
that are assigned no check says what they should be: small ones are all tried.
"""

from __future__ import annotations

import ast
from itertools import islice
from typing import Any, Callable, Iterator, List, Optional, Sequence, Tuple

from certo_builtin.confidence import cost_of
from certo_builtin.forks import streamed
from certo_builtin.holes.asking import HOOK, Seen, consistent, decisions, wanted_results
from certo_builtin.holes.parts import PART, parsed, parts, size
from certo_builtin.holes.place import RESULT, VALUE, Place, assigned, places, watched
from certo_builtin.holes.setting import setting_at
from certo_builtin.holes.values import values
from certo_builtin.naturalness import Naturalness
from certo_builtin.question import Question
from certo_builtin.ranking import Ranked
from certo_builtin.scene import Scene
from certo_builtin.source import within
from certo_builtin.suspicion import Suspicion
from certo_builtin.synthesis.evidence import PARTS, told_by
from certo_builtin.synthesis.expressions import expressions
from certo_builtin.synthesis.probing import Known
from certo_builtin.synthesis.unsaid import UNUSED
from certo_builtin.trial import Bench

PRIOR = 0.3
"""How likely a bug is repaired by an enumerated expression, against the templates."""

MOST_FILLINGS = 6
"""Expressions for one hole, at most."""

WHOLE = "{}"
LEAST_TOLD = 1.0
"""Bits that the wanted results have to tell for each part of a new one: what tells less is shorter as it stands."""

ENOUGH = 4
"""Evaluations that speak for an expression as much as any number of them."""

TRIES = 10000
LOST_TRIES = 80000
MOST_EXAMPLES = 40
STALL = 20.0


def fillings(
    bench: Bench, scene: Scene, suspicion: Suspicion, question: Question, failing: Sequence[int]
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

    def __init__(self, bench: Bench, scene: Scene, question: Question, failing: Sequence[int]) -> None:
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
            examples = consistent(seen)[:MOST_EXAMPLES]
            for shape, some in _shapes(self.scene, place, examples):
                sure = min(1.0, len(some) / ENOUGH)
                setting = setting_at(place, self.bench, self.scene, self.question, some)
                for text in islice(expressions(setting, tries), MOST_FILLINGS):
                    whole = shape.format(_operand(text) if shape != WHOLE else text)
                    confidence = self._spoken_for(place, text, whole, some)
                    if whole not in told and (place.kind != RESULT or confidence >= LEAST_TOLD):
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


def _shapes(scene: Scene, place: Place, seen: List[Seen]) -> Iterator[Tuple[str, List[Seen]]]:
    """What may be put in: a clause more where the condition is too wide or too narrow, or something else altogether.

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
