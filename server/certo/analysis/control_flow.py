"""Abstract interpretation of statements: branches, loops and all exits."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeAlias

from certo.analysis.evaluation_order import Domain, EvaluationOrder, State
from certo.edits.definitions import Function, statements_in
from certo.vocabulary.records import dataclass

Callee: TypeAlias = Function | ast.Lambda


@dataclass(frozen=True, slots=True, kw_only=True)
class Exits(Generic[State]):
    """The state at each exit of a piece of code; None for an exit that does not exist.

    `on` leads to the next statement, the others out of an iteration, a loop or a function.
    """

    on: State | None = None
    continued: State | None = None
    broke: State | None = None
    returned: State | None = None
    raised: State | None = None

    @property
    def all(self) -> tuple[State, ...]:
        """The states at all existing exits."""
        ways = (self.on, self.continued, self.broke, self.returned, self.raised)
        return tuple(state for state in ways if state is not None)


class Flow(Generic[State]):
    """Interpreter of statements over one abstract domain, in linear time."""

    def __init__(self, domain: Domain[State]) -> None:
        self._domain = domain
        self._evaluation = EvaluationOrder(domain)
        self._statements: Mapping[type[ast.stmt], Callable[[Any, State], Exits[State]]] = {
            ast.If: self._if,
            ast.For: self._for,
            ast.AsyncFor: self._for,
            ast.While: self._while,
            ast.Try: self._try,
            ast.TryStar: self._try,
            ast.With: self._with,
            ast.AsyncWith: self._with,
            ast.Match: self._match,
            ast.FunctionDef: self._define,
            ast.AsyncFunctionDef: self._define,
            ast.ClassDef: self._define_class,
            ast.Return: lambda node, before: Exits(returned=self._evaluation.through(node.value, before)),
            ast.Raise: lambda node, before: Exits(raised=self._evaluation.all([node.exc, node.cause], before)),
            ast.Break: lambda _node, before: Exits(broke=before),
            ast.Continue: lambda _node, before: Exits(continued=before),
            ast.Assert: self._assert,
            ast.Assign: lambda node, before: Exits(on=self._evaluation.all([node.value, *node.targets], before)),
        }

    def of_function(self, function: Callee, before: State) -> Exits[State]:
        """Return the exits of a function's body from an initial state."""
        if isinstance(function, ast.Lambda):
            return Exits(returned=self._evaluation.through(function.body, before))
        return self.through(function.body, before)

    def through(self, statements: Sequence[ast.stmt], before: State) -> Exits[State]:
        """Return the exits of some statements; statements after the last exit are unreachable."""
        aside: Exits[State] = Exits()
        state: State | None = before
        for statement in statements:
            if state is None:
                break
            out = self._statement(statement, state)
            state = out.on
            aside = self._both(aside, out)
        return replace(aside, on=state)

    def _statement(self, node: ast.stmt, before: State) -> Exits[State]:
        special = self._statements.get(type(node))
        if special is not None:
            return special(node, before)
        values = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
        return Exits(on=self._evaluation.all(values, before))

    def _if(self, node: ast.If, before: State) -> Exits[State]:
        """Follow a chain of elifs iteratively, because they are nested in each other."""
        found: Exits[State] = Exits()
        while True:
            before = self._evaluation.through(node.test, before)
            found = self._both(found, self.through(node.body, before))
            if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
                return self._both(found, self.through(node.orelse, before))
            node = node.orelse[0]

    def _for(self, node: ast.For | ast.AsyncFor, before: State) -> Exits[State]:
        entered = self._evaluation.through(node.iter, before)
        return self._loop(node, entered, entered, endless=False)

    def _while(self, node: ast.While, before: State) -> Exits[State]:
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        return self._loop(node, before, self._evaluation.through(node.test, before), endless=endless)

    def _loop(
        self, node: ast.For | ast.AsyncFor | ast.While, before: State, tested: State, *, endless: bool
    ) -> Exits[State]:
        body = self.through(node.body, tested)
        once = self._either(body.on, body.continued)

        def left(state: State | None) -> State | None:
            return state if state is None or once is None else self._domain.leaving(before, once, state)

        ended = tested if once is None else self._domain.again(before, tested, once)
        out: Exits[State] = Exits(on=left(body.broke), returned=left(body.returned), raised=left(body.raised))
        if not endless:
            return self._both(out, self.through(node.orelse, ended))
        # An endless loop can only be ended from outside, by an exception.
        return out if out.all else Exits(raised=ended)

    def _try(self, node: Any, before: State) -> Exits[State]:
        body = self.through(node.body, before)
        found = replace(body, on=None)
        if body.on is not None:
            found = self._both(found, self.through(node.orelse, body.on))
        # An exception may come from anywhere in the body: at its very beginning, or at its very end.
        for handler in node.handlers:
            found = self._both(found, self.through(handler.body, self._any([before, *body.all])))
        return self._finally(node.finalbody, before, found) if node.finalbody else found

    def _finally(self, statements: Sequence[ast.stmt], before: State, found: Exits[State]) -> Exits[State]:
        start = self._any([before, *found.all])
        final = self.through(statements, start)
        ended = final.on
        if ended is None:
            return final

        def then(state: State | None) -> State | None:
            return None if state is None else self._domain.plus(state, start, ended)

        through: Exits[State] = Exits(
            on=then(found.on),
            continued=then(found.continued),
            broke=then(found.broke),
            returned=then(found.returned),
            raised=then(found.raised),
        )
        return self._both(through, replace(final, on=None))

    def _with(self, node: ast.With | ast.AsyncWith, before: State) -> Exits[State]:
        for item in node.items:
            before = self._evaluation.all([item.context_expr, item.optional_vars], before)
        return self.through(node.body, before)

    def _match(self, node: ast.Match, before: State) -> Exits[State]:
        state = self._evaluation.through(node.subject, before)
        found: Exits[State] = Exits()
        for case in node.cases:
            guarded = self._evaluation.through(case.guard, state)
            found = self._both(found, self.through(case.body, guarded))
            if case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None:
                return found
            state = self._domain.join(state, guarded)
        return self._both(found, Exits(on=state))

    def _define(self, node: Function, before: State) -> Exits[State]:
        return Exits(on=self._evaluation.defaults(node.args, self._evaluation.all(node.decorator_list, before)))

    def _define_class(self, node: ast.ClassDef, before: State) -> Exits[State]:
        outside = [*node.decorator_list, *node.bases, *(each.value for each in node.keywords)]
        return self.through(node.body, self._evaluation.all(outside, before))

    def _assert(self, node: ast.Assert, before: State) -> Exits[State]:
        tested = self._evaluation.through(node.test, before)
        return Exits(on=tested, raised=self._evaluation.through(node.msg, tested))

    def _either(self, one: State | None, other: State | None) -> State | None:
        if one is None or other is None:
            return other if one is None else one
        return self._domain.join(one, other)

    def _any(self, states: Sequence[State]) -> State:
        joined = states[0]
        for state in states[1:]:
            joined = self._domain.join(joined, state)
        return joined

    def _both(self, one: Exits[State], other: Exits[State]) -> Exits[State]:
        return Exits(
            on=self._either(one.on, other.on),
            continued=self._either(one.continued, other.continued),
            broke=self._either(one.broke, other.broke),
            returned=self._either(one.returned, other.returned),
            raised=self._either(one.raised, other.raised),
        )


def own_functions(tree: ast.AST) -> Mapping[str, Callee]:
    """Return the functions defined in a piece of code, by the names used to call them.

    Methods are called as `self.name` or `cls.name`; a lambda by the name it is assigned to. The last of several with
    one name counts.
    """
    found: dict[str, Callee] = {}
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        inside = [*statements_in(node)]
        waiting.extend(reversed(inside))
        for each in inside:
            match each:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    prefixes = ("self.", "cls.", f"{node.name}.") if isinstance(node, ast.ClassDef) else ("",)
                    found.update((f"{prefix}{each.name}", each) for prefix in prefixes)
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as function):
                    found[name] = function
    return found
