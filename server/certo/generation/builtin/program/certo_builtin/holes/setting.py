"""What an expression at a place may be made of: the variables there, what stands there, constants and functions."""

from __future__ import annotations

import ast
from typing import Any, Dict, List, Sequence

from certo_builtin.holes.asking import UNBOUND, Seen
from certo_builtin.holes.place import RESULT, Place
from certo_builtin.question import Question
from certo_builtin.scene import Scene
from certo_builtin.synthesis import space
from certo_builtin.synthesis.enumeration import Leaf
from certo_builtin.synthesis.expressions import Setting
from certo_builtin.synthesis.probing import Known
from certo_builtin.synthesis.terms import ATOM, COMPARED, LOOSE
from certo_builtin.trial import Bench

OLD_COST = 3
"""The expression that stands there costs more than a variable, or every other condition would be its negation."""


def setting_at(place: Place, bench: Bench, scene: Scene, question: Question, seen: Sequence[Seen]) -> Setting:
    """What an expression at a place may be made of."""
    module: Dict[str, Any] = bench.graft.live[0][0].__globals__
    bound = [number for number in range(len(place.names)) if all(one.values[number] is not UNBOUND for one in seen)]
    rows = [Known(tuple(one.values[number] for number in bound), one.wanted) for one in seen]
    # The function around the place may use what this expression does not.
    names = [place.names[number] for number in bound]
    leaves = [leaf._replace(asked=False) for leaf in space.leaves(names, rows, {})]
    gave = tuple(one.gave for one in seen)
    if not any(value is UNBOUND or value is None for value in gave) or place.kind == RESULT:
        leaves.append(Leaf(place.old(scene), gave, OLD_COST, _level(place.node)))
    constants = [*_written(scene, len(seen)), *space.constants(question, rows, module)]
    return Setting(
        leaves=[leaf for leaf in leaves if not any(value is UNBOUND for value in leaf.values)],
        constants=constants,
        components=space.project_functions(module, question.name, bench.graft.source),
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
