"""Places of holes: suspicious conditions, results and assigned values, with the visible variables."""

from __future__ import annotations

import ast
from typing import Any, Dict, Iterator, List, NamedTuple, Sequence, Tuple, Union

from certo_builtin.execution.runner import CandidateRunner
from certo_builtin.question import Question
from certo_builtin.repair.context import CALLABLES, RepairContext
from certo_builtin.repair.fault_localization import Suspicion
from certo_builtin.repair.holes.angelic import UNBOUND, Seen
from certo_builtin.repair.templates.statements import insertion
from certo_builtin.source import FUNCTIONS, Edit
from certo_builtin.synthesis import space
from certo_builtin.synthesis.enumeration import Leaf
from certo_builtin.synthesis.expected_values import Known
from certo_builtin.synthesis.expressions import Setting
from certo_builtin.synthesis.terms import ATOM, COMPARED, LOOSE

MAX_PLACES = 8
"""Maximum number of conditions and results that become holes, the most suspicious ones."""

MAX_ASSIGNED = 6
"""Maximum number of assigned values that become holes: without angelic values, each filling is tried."""

MAX_NAMES = 8
"""Maximum number of variables in an expression, the nearest ones."""

NO_LAMBDA = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
"""Expressions with another meaning inside a lambda, which the hook therefore cannot take."""


CONDITION, RESULT, VALUE = "condition", "result", "value"
"""The role of an expression: a condition, a returned value, or an assigned value."""


class Place(NamedTuple):
    """One expression and the variables around it; `blame` is its suspicion, `kind` its role.

    If a function ends without a result, `node` is its last statement, after which one may be missing.
    """

    node: Union[ast.expr, ast.stmt]
    names: Tuple[str, ...]
    blame: float
    kind: str

    @property
    def line(self) -> int:
        """The line of the expression."""
        return self.node.lineno

    def old(self, context: RepairContext) -> str:
        """Return the source of the existing expression."""
        return context.text(self.node) if isinstance(self.node, ast.expr) else "None"

    def filled(self, context: RepairContext, text: str) -> Tuple[Edit, ...]:
        """Return the edits that put an expression there."""
        if isinstance(self.node, ast.expr):
            return context.replace(self.node, text)
        return insertion(context, self.node, ["return " + text], after=True)


def places(context: RepairContext, suspicion: Suspicion) -> List[Place]:
    """Return the conditions and results of the target, the most suspicious first."""
    found: List[Place] = []
    for statement, node in context.nodes():
        blame = suspicion.of(statement.lineno, getattr(node, "end_lineno", None) or statement.lineno)
        for one, kind in _expressions(context, node):
            if _may_be_hooked(one):
                found.append(Place(one, _names(context, one), blame, kind))
    # Of equally suspicious places, the last one decides nearest to the failure.
    found.sort(key=lambda place: (-place.blame, -place.node.lineno, place.node.col_offset))
    return [*_missing(context, suspicion), *found][:MAX_PLACES]


def assigned(context: RepairContext, suspicion: Suspicion) -> List[Place]:
    """Return the values that the target assigns to one variable, item or attribute, the most suspicious first."""
    found: List[Place] = []
    for _, node in context.nodes():
        if isinstance(node, ast.Assign) and not isinstance(node.targets[0], (ast.Tuple, ast.List)):
            blame = suspicion.of(node.lineno, node.end_lineno or node.lineno)
            if _may_be_hooked(node.value):
                found.append(Place(node.value, _names(context, node.value), blame, VALUE))
    found.sort(key=lambda place: (-place.blame, -place.node.lineno))
    return found[:MAX_ASSIGNED]


def _may_be_hooked(node: ast.expr) -> bool:
    return not any(isinstance(inner, NO_LAMBDA) for inner in ast.walk(node))


def _missing(context: RepairContext, suspicion: Suspicion) -> Iterator[Place]:
    """Yield the end of a function that returns nothing there."""
    last = context.target.body[-1]
    if isinstance(last, (ast.Return, ast.Raise)) or not context.owns_lines(last):
        return
    if not any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in ast.walk(context.target)):
        yield Place(last, _names(context, last), suspicion.of(last.lineno, last.end_lineno or last.lineno), RESULT)


def _expressions(context: RepairContext, node: ast.AST) -> Iterator[Tuple[ast.expr, str]]:
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        yield node.test, CONDITION
    elif isinstance(node, ast.comprehension):
        for condition in node.ifs:
            yield condition, CONDITION
    elif isinstance(node, ast.Return) and node.value is not None and context.function_of(node) is context.target:
        # Tests do not see the results of functions within the target.
        yield from ((one, RESULT) for one in _results(node.value))


def _results(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the alternatives of a conditional result, and then the whole of it."""
    if isinstance(node, ast.IfExp):
        yield from _results(node.body)
        yield from _results(node.orelse)
    yield node


def _names(context: RepairContext, node: Union[ast.expr, ast.stmt]) -> Tuple[str, ...]:
    function = context.function_of(node)
    used = [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]
    visible = context.values(node)
    near = [name for name in used if name in visible] + visible
    kept = [name for name in dict.fromkeys(near) if not context.kinds(function, name) & CALLABLES]
    own = [name for name in kept if not isinstance(function, FUNCTIONS) or name != function.name]
    return tuple(own[:MAX_NAMES])


def watched(context: RepairContext, place: Place, hook: str) -> Tuple[Edit, ...]:
    """Return the edits that replace the place by a call of the hook, with expression and variables as lambdas."""
    given = "".join(", lambda: " + name for name in place.names)
    return place.filled(context, "{}(lambda: ({}){})".format(hook, place.old(context), given))


OLD_COST = 3
"""Cost of the existing expression; above that of a variable, or every other condition would be its negation."""


def setting_at(
    place: Place, runner: CandidateRunner, context: RepairContext, question: Question, seen: Sequence[Seen]
) -> Setting:
    """Return the leaves, constants and functions for an expression at a place."""
    module: Dict[str, Any] = runner.hot_swap.live[0][0].__globals__
    bound = [number for number in range(len(place.names)) if all(one.values[number] is not UNBOUND for one in seen)]
    rows = [Known(tuple(one.values[number] for number in bound), one.wanted) for one in seen]
    # The surrounding function may use parts that this expression does not.
    names = [place.names[number] for number in bound]
    leaves = [leaf._replace(asked=False) for leaf in space.leaves(names, rows, {})]
    gave = tuple(one.gave for one in seen)
    if not any(value is UNBOUND or value is None for value in gave) or place.kind == RESULT:
        leaves.append(Leaf(place.old(context), gave, OLD_COST, _level(place.node)))
    constants = [*_written(context, len(seen)), *space.constants(question, rows, module)]
    return Setting(
        leaves=[leaf for leaf in leaves if not any(value is UNBOUND for value in leaf.values)],
        constants=constants,
        components=space.project_functions(module, question.name, runner.hot_swap.source),
        words=space.words(question),
        expected=[one.wanted for one in seen],
    )


def _level(node: ast.AST) -> int:
    """Return the precedence of the expression at a place, or a lower one."""
    if isinstance(node, (ast.Name, ast.Constant, ast.Call, ast.Subscript, ast.Attribute, ast.List, ast.ListComp)):
        return ATOM
    return COMPARED if isinstance(node, ast.Compare) else LOOSE


def _written(context: RepairContext, count: int) -> List[Leaf]:
    """Return the constants in the function."""
    found: List[Leaf] = []
    for text, node, _ in context.ingredients(context.target.body[-1]):
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str)):
            found.append(Leaf(text, (node.value,) * count, 1, ATOM, fixed=True))
    return found
