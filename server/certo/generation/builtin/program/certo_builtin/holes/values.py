"""Values that may be assigned: small expressions that differ in what they give at the place, cheapest first.

A value that goes on into further computation is compared with nothing, and no angel can tell what it should have been:
there are too many answers. So the space is cut down from the other side, to one expression for each behaviour on the
values that were seen there (observational equivalence, as in the enumeration itself), of the kind of what stands there,
and each is tried on the checks.
"""

from __future__ import annotations

import builtins
from typing import Any, Callable, Dict, Iterator, List, Sequence, Tuple

from certo_builtin.holes.asking import FUEL, HOOK, SECONDS, UNBOUND, Seen, value_of
from certo_builtin.holes.parts import PART, parts
from certo_builtin.holes.place import Place
from certo_builtin.holes.setting import setting_at
from certo_builtin.question import Question
from certo_builtin.scene import Scene
from certo_builtin.synthesis.enumeration import Enumeration, Tries
from certo_builtin.synthesis.rendering import imports_for
from certo_builtin.synthesis.terms import fingerprint
from certo_builtin.trial import Bench

MOST_VALUES = 120
"""Expressions for one place, at most: about as many as the templates know of edits there."""

MOST_ROWS = 12
"""Evaluations by which expressions are told apart, at most."""

DEAREST = 8
TRIES = 8000


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
            if len(self.seen) < MOST_ROWS:
                self.seen.append(Seen(values, UNBOUND if result is UNBOUND else value_of(lambda: result), None))
        return result


def values(place: Place, bench: Bench, scene: Scene, question: Question) -> Iterator[Tuple[str, float]]:
    """Expressions for one place where the hook is, each with how likely it is."""
    seen = _looked_at(bench)
    if not seen:
        return
    setting = setting_at(place, bench, scene, question, seen)
    old = place.old(scene)
    kinds = {_kind(one.gave) for one in seen if one.gave is not UNBOUND}
    same = fingerprint(tuple(one.gave for one in seen))
    grown = Enumeration([*setting.leaves, *setting.constants], frozenset(), setting.components, Tries(TRIES))
    left = MOST_VALUES
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


def _looked_at(bench: Bench) -> List[Seen]:
    """What was seen at the place over all checks, each once, so many of each check as there is room for."""
    found: Dict[str, Seen] = {}
    rows: List[Sequence[Seen]] = []
    for index in range(len(bench.checks)):
        onlooker = Onlooker()
        bench.run_check(index, FUEL, SECONDS)
        rows.append(onlooker.seen)
    for turn in range(MOST_ROWS):
        for seen in rows:
            if turn < len(seen) and len(found) < MOST_ROWS:
                try:
                    found.setdefault(repr(seen[turn].values), seen[turn])
                except Exception:  # a project's own __repr__ may raise
                    continue
    return list(found.values())


def _kind(value: Any) -> str:
    """The type of a value; whole numbers and fractions are of one."""
    return "number" if type(value) in (int, float) else type(value).__name__
