"""Filling holes: an expression for each suspicious condition and result that gives what it should have given.

What it should have given is asked of the checks; the expression is enumerated over the variables' values at the place,
with the expression that stands there among them, so that it may be kept and added to.
"""

from __future__ import annotations

import ast
from itertools import islice
from typing import Any, Callable, Dict, Iterator, List, Sequence, Tuple

from certo_builtin.confidence import cost_of
from certo_builtin.forks import streamed
from certo_builtin.holes.asking import HOOK, UNBOUND, Seen, consistent, decisions, known, wanted_results
from certo_builtin.holes.place import Place, places, watched
from certo_builtin.naturalness import Naturalness
from certo_builtin.question import Question
from certo_builtin.ranking import Ranked
from certo_builtin.scene import Scene
from certo_builtin.suspicion import Suspicion
from certo_builtin.synthesis import space
from certo_builtin.synthesis.enumeration import Leaf
from certo_builtin.synthesis.evidence import PARTS, told_by
from certo_builtin.synthesis.expressions import Setting, expressions
from certo_builtin.synthesis.probing import Known
from certo_builtin.synthesis.terms import ATOM, COMPARED, LOOSE
from certo_builtin.synthesis.unsaid import UNUSED
from certo_builtin.trial import Bench

PRIOR = 0.3
"""How likely a bug is repaired by an enumerated expression, against the templates."""

PART = 0.3
"""How much less likely an expression is for each part of it: a name, a constant, an operator or a call."""

MOST_FILLINGS = 6
"""Expressions for one hole, at most."""

WHOLE = "{}"
LEAST_TOLD = 1.0
"""Bits that the wanted results have to tell for each part of a new one: what tells less is shorter as it stands."""

ENOUGH = 4
"""Evaluations that speak for an expression as much as any number of them."""

OLD_COST = 3
"""The expression that stands there costs more than a variable, or every other condition would be its negation."""

TRIES = 10000
LOST_TRIES = 80000
MOST_EXAMPLES = 40
STALL = 20.0


def fillings(
    bench: Bench, scene: Scene, suspicion: Suspicion, question: Question, failing: Sequence[int]
) -> List[Ranked]:
    """Edits that put an enumerated expression into a suspicious place; found in a child, for the checks run there."""
    found: List[Ranked] = []
    all_places = places(scene, suspicion)
    filler = Filler(bench, scene, question, failing)

    def search(emit: Callable[[Any], None]) -> None:
        for number, place in enumerate(all_places):
            for text, weight, confidence in filler.expressions(place):
                emit([number, text, weight, confidence])

    for number, text, weight, confidence in streamed(search, STALL, bench.allowance):
        place = all_places[number]
        kind = "an enumerated result" if place.is_result else "an enumerated condition"
        edits = place.filled(scene, text)
        probability = place.blame**2 * PRIOR * weight * filler.natural.memory(edits) * filler.natural.reading(edits)
        found.append(Ranked(probability, kind, place.line, edits, confidence))
    return found


class Filler:
    """Finds expressions for places, in a child where the checks may be run."""

    def __init__(self, bench: Bench, scene: Scene, question: Question, failing: Sequence[int]) -> None:
        self.bench = bench
        self.scene = scene
        self.question = question
        self.failing = failing
        self.natural = Naturalness(scene, question)

    def expressions(self, place: Place) -> Iterator[Tuple[str, float, float]]:
        """Those for one place, likeliest first, each with how likely it is and how far the checks speak for it."""
        try:
            self.bench.graft.try_on(watched(self.scene, place, HOOK))
        except (SyntaxError, ValueError):
            return
        ways = [wanted_results(self.bench)] if place.is_result else list(decisions(self.bench, self.failing))
        old = place.old(self.scene)
        told = {old}
        # Where a variable or a constant is returned, what the result was made of may be lost.
        tries = TRIES if _size(old) > 1 or not place.is_result else LOST_TRIES
        for seen in ways:
            examples = consistent(seen)[:MOST_EXAMPLES]
            for shape, some in _shapes(self.scene, place, examples):
                sure = min(1.0, len(some) / ENOUGH)
                setting = _setting(self.bench, self.scene, place, self.question, some)
                for text in islice(expressions(setting, tries), MOST_FILLINGS):
                    whole = shape.format(_operand(text) if shape != WHOLE else text)
                    confidence = self._spoken_for(place, text, whole, some)
                    if whole not in told and (not place.is_result or confidence >= LEAST_TOLD):
                        told.add(whole)
                        yield whole, sure * PART ** _parts(text, old), confidence

    def _spoken_for(self, place: Place, text: str, whole: str, seen: Sequence[Seen]) -> float:
        """The bits that what was wanted tells, beyond what is at hand, for each part that did not stand there before.

        As with a body that was made to fit examples, an expression that is as long as what it explains may be made up.
        At hand are the variables and what the function gave so far. A variable that nothing reads any more costs as
        much as a parameter that a body does not use.
        """
        old = place.old(self.scene)
        kept = cost_of("({}\n)".format(old)) if old in text and old != "None" else 0.0
        cost = cost_of("({}\n)".format(text)) - kept + UNUSED * self.natural.forgotten(place.filled(self.scene, whole))
        written = {repr(node.value) for node in ast.walk(_parsed(text)) if isinstance(node, ast.Constant)}
        told = told_by([Known((*one.values, one.gave), one.wanted) for one in seen if repr(one.wanted) not in written])
        return told / max(PARTS, PARTS * cost)


def _shapes(scene: Scene, place: Place, seen: List[Seen]) -> Iterator[Tuple[str, List[Seen]]]:
    """What may be put in: a clause more where the condition is too wide or too narrow, or something else altogether.

    With each, the evaluations that it has to answer for: a clause only has to where the others leave it open.
    """
    if not seen:
        return
    old = _operand(place.old(scene))
    if not place.is_result:
        held = [one for one in seen if one.gave]
        missed = [one for one in seen if not one.gave]
        if held and not any(one.wanted for one in missed):
            yield old.replace("{", "{{").replace("}", "}}") + " and {}", held
        if missed and all(one.wanted for one in held):
            yield old.replace("{", "{{").replace("}", "}}") + " or {}", missed
    yield WHOLE, seen


def _parts(text: str, old: str) -> int:
    """How many parts an expression has, the one that stood there counting as one."""
    new = _size(text)
    return max(1, new - _size(old) + 1) if old in text else new


def _size(text: str) -> int:
    return sum(isinstance(node, (ast.expr, ast.comprehension)) for node in ast.walk(_parsed(text)))


def _parsed(text: str) -> ast.expr:
    """An expression that may go on over several lines."""
    return ast.parse("({}\n)".format(text), mode="eval").body


def _operand(text: str) -> str:
    """An expression as an operand of `and` or `or`."""
    node = _parsed(text)
    return "({})".format(text) if isinstance(node, (ast.BoolOp, ast.IfExp, ast.Lambda)) else text


def _setting(bench: Bench, scene: Scene, place: Place, question: Question, seen: Sequence[Seen]) -> Setting:
    """What an expression at a place may be made of."""
    module: Dict[str, Any] = bench.graft.live[0][0].__globals__
    leaves = [
        Leaf(name, tuple(one.values[number] for one in seen), 1, ATOM)
        for number, name in enumerate(place.names)
        if all(one.values[number] is not UNBOUND for one in seen)
    ]
    gave = tuple(one.gave for one in seen)
    if not any(value is UNBOUND or value is None for value in gave) or place.is_result:
        leaves.append(Leaf(place.old(scene), gave, OLD_COST, _level(place.node)))
    constants = [*_written(scene, len(seen)), *space.constants(question, known(seen), module)]
    return Setting(
        leaves=[leaf for leaf in leaves if not any(value is UNBOUND for value in leaf.values)],
        constants=constants,
        components=space.project_functions(module, question.name),
        words=space.words(question),
        expected=[one.wanted for one in seen],
    )


def _level(node: ast.AST) -> int:
    """How tightly the expression that stands at a place binds, or less."""
    if isinstance(node, (ast.Name, ast.Constant, ast.Call, ast.Subscript, ast.Attribute, ast.List, ast.ListComp)):
        return ATOM
    return COMPARED if isinstance(node, ast.Compare) else LOOSE


def _written(scene: Scene, count: int) -> List[Leaf]:
    """The constants that stand in the function."""
    found: List[Leaf] = []
    for text, node, _ in scene.ingredients(scene.target.body[-1]):
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str)):
            found.append(Leaf(text, (node.value,) * count, 1, ATOM, fixed=True))
    return found
