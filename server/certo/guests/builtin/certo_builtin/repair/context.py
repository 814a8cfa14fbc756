"""The context of a repair: the function, its visible names, the types of their values, its expressions."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import (
    Any,
    Callable,
    Dict,
    FrozenSet,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Set,
    Tuple,
    TypeVar,
    Union,
)

from certo_builtin.execution.unasked_values import parts_of_module
from certo_builtin.repair.fault_localization import PLAIN
from certo_builtin.source import FUNCTIONS, Edit, Function, Source

NUMBERS = frozenset({"int", "float", "bool"})
SEQUENCES = frozenset({"list", "str", "tuple", "deque"})
COLLECTIONS = SEQUENCES | {"set", "dict", "defaultdict", "Counter", "frozenset", "OrderedDict"}
CALLABLES = frozenset({"function", "module", "type", "method", "builtin_function_or_method"})
NAMELESS = ("<listcomp>", "<genexpr>", "<setcomp>", "<dictcomp>", "<lambda>")
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
ATOMS = (
    ast.Name, ast.Constant, ast.Call, ast.Subscript, ast.Attribute, ast.List, ast.Dict, ast.Set, ast.JoinedStr,
    *COMPREHENSIONS,
)  # fmt: skip
UNPARENTHESIZED_PARENTS = (
    ast.Assign, ast.Return, ast.Expr, ast.If, ast.While, ast.AugAssign, ast.keyword, ast.List, ast.For, ast.Tuple,
    ast.FormattedValue,
)  # fmt: skip
"""Parents whose child expressions need no parentheses, bare tuples excepted."""

MAX_PLACEMENTS = 60000
"""Maximum number of pairs of a place and an ingredient; in larger functions only nearby ingredients are used."""

MIN_NEAR = 12
"""Minimum number of nearby ingredients."""

MAX_INGREDIENT_NODES = 14
"""Maximum size, in nodes, of an expression used elsewhere as an ingredient."""

T = TypeVar("T")
Node = Union[ast.expr, ast.stmt]
Scope = Union[Function, ast.Module]


class RepairContext:
    """The target function with run-time observations.

    `kinds_seen` maps function and variable, or an attribute of one, to the type names of its values; `attributes` maps
    such a type to the attribute names of its values; `literals` are the constants in the failing checks, `expected` the
    exceptions that these name, `raised` those that ended them. `usual_kinds` are the types seen in passing checks, and
    `bases` the base classes of a type, nearest first. `scope` are the globals of the target at run time.
    """

    def __init__(
        self,
        source: Source,
        target: Function,
        kinds_seen: Dict[str, Dict[str, Set[str]]],
        attributes: Dict[str, Set[str]],
        literals: Sequence[object] = (),
        *,
        expected: Sequence[str] = (),
        raised: Sequence[str] = (),
        usual_kinds: Optional[Dict[str, Dict[str, Set[str]]]] = None,
        bases: Optional[Dict[str, List[str]]] = None,
        scope: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self.source = source
        self.target = target
        self.kinds_seen = kinds_seen
        self.attributes = attributes
        self.literals = literals
        self.expected = expected
        self.raised = raised
        self.bases = bases or {}
        self._usual_kinds = usual_kinds or {}
        self.scope: Mapping[str, Any] = scope or {}
        self.near = max(MIN_NEAR, MAX_PLACEMENTS // sum(1 for _ in ast.walk(target)))
        self.functions = [node.name for node in source.tree.body if isinstance(node, FUNCTIONS)]
        self._names: Dict[ast.AST, List[str]] = {}
        self._ingredients: Dict[ast.AST, List[Tuple[str, ast.expr, int]]] = {}
        self._kinds: Dict[Tuple[Scope, str], FrozenSet[str]] = {}
        self._within: Dict[ast.AST, List[ast.AST]] = {}
        self._close: Dict[Tuple[ast.AST, int], List[Tuple[str, ast.expr, int]]] = {}

    # Places

    def text(self, node: Node) -> str:
        """Return the source of a node, as written."""
        return self.source.text_of(node)

    def parent(self, node: ast.AST) -> ast.AST:
        """Return the parent of a node."""
        return self.source.parents[node]

    def swap(self, node: Node, text: str) -> Tuple[Edit, ...]:
        """Replace `node` by `text` as it is."""
        return ((self.source.start(node), self.source.end(node), text),)

    def exchange(self, one: ast.expr, other: ast.expr) -> Tuple[Edit, ...]:
        """Exchange two nodes."""
        return self.swap(one, self.fitted(one, self.text(other))) + self.swap(other, self.fitted(other, self.text(one)))

    def replace(self, node: ast.expr, text: str) -> Tuple[Edit, ...]:
        """Replace `node` by the expression `text`, in parentheses if it might bind otherwise there."""
        return self.swap(node, self.fitted(node, text))

    def fitted(self, node: ast.expr, text: str) -> str:
        """Return the expression `text` as it must be written in place of `node`."""
        new = expression(text)
        if new is None:
            return text
        parent = self.parent(node)
        if isinstance(parent, ast.FormattedValue) and (text.startswith("{") or isinstance(new, ast.Lambda)):
            return "({})".format(text)
        if isinstance(new, ATOMS):
            bare_number = isinstance(new, ast.Constant) and isinstance(new.value, (int, float))
            return "({})".format(text) if bare_number and isinstance(parent, ast.Attribute) else text
        if isinstance(new, ast.Tuple):
            return text if text.startswith("(") else "({})".format(text)
        if isinstance(new, ast.BinOp) and isinstance(parent, ast.Compare):
            return text
        if isinstance(new, (ast.Compare, ast.UnaryOp)) and isinstance(parent, (ast.BoolOp, ast.IfExp)):
            return text
        if isinstance(parent, ast.comprehension) and not isinstance(new, (ast.IfExp, ast.Lambda, ast.NamedExpr)):
            return text
        plain_argument = isinstance(parent, ast.Call) and node is not parent.func
        plain_index = isinstance(parent, ast.Subscript) and node is not parent.value
        is_bare = isinstance(parent, UNPARENTHESIZED_PARENTS) or plain_argument or plain_index
        return text if is_bare else "({})".format(text)

    def line_start(self, statement: ast.stmt) -> int:
        """Return the offset at which the statement's first line begins."""
        return self.source.starts[statement.lineno - 1]

    def line_end(self, statement: ast.stmt) -> int:
        """Return the offset after the statement's last line and its line break."""
        return self.source.starts[statement.end_lineno or statement.lineno]

    def indentation(self, statement: ast.stmt) -> str:
        """Return the indentation of a statement, or all text before it on its line."""
        return self.source.text[self.line_start(statement) : self.source.start(statement)]

    def step(self) -> str:
        """Return one level of indentation as used in this function."""
        body = self.indentation(self.target.body[-1])
        outer = self.indentation(self.target)
        return body[len(outer) :] if body.startswith(outer) and body != outer and not body.strip() else "    "

    def owns_lines(self, statement: ast.stmt) -> bool:
        """True if the statement has its lines to itself, so that they can be moved and removed whole."""
        end = self.line_end(statement)
        rest = self.source.text[self.source.end(statement) : end].strip()
        return not self.indentation(statement).strip() and (not rest or rest.startswith("#"))

    # Structure

    def nodes(self) -> Iterator[Tuple[ast.stmt, ast.AST]]:
        """Yield every editable node with its statement: those of the body, except docstrings and nested signatures."""
        pending: List[ast.stmt] = list(self.target.body)
        if pending and isinstance(pending[0], ast.Expr) and isinstance(pending[0].value, ast.Constant):
            pending = pending[1:]
        while pending:
            statement = pending.pop(0)
            yield statement, statement
            inner: List[ast.AST] = [statement]
            while inner:
                for child in self._editable(inner.pop(0)):
                    if isinstance(child, ast.stmt):
                        pending.append(child)
                    else:
                        inner.append(child)
                        yield statement, child

    def _editable(self, node: ast.AST) -> List[ast.AST]:
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            return list(node.body)
        if isinstance(node, ast.AnnAssign):
            return [node.target, *([node.value] if node.value else [])]
        if isinstance(node, ast.JoinedStr):
            fields = [one.value for one in node.values if isinstance(one, ast.FormattedValue)]
            return [one for one in fields if self._is_placed(one)]
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return []
        return list(ast.iter_child_nodes(node))

    def _is_placed(self, node: ast.expr) -> bool:
        """True if a node is where its position says; older Pythons misplace some of those in f-strings."""
        written = expression(self.text(node))
        return written is not None and ast.dump(written) == ast.dump(node)

    def within(self, scope: ast.AST) -> List[ast.AST]:
        """Return all nodes of a function, a statement, a class or the module, itself included."""
        if scope not in self._within:
            self._within[scope] = list(ast.walk(scope))
        return self._within[scope]

    def siblings(self, statement: ast.stmt) -> List[ast.stmt]:
        """Return the block that contains a statement."""
        for _, value in ast.iter_fields(self.parent(statement)):
            if isinstance(value, list) and statement in value:
                return [node for node in value if isinstance(node, ast.stmt)]
        return [statement]

    def function_of(self, node: ast.AST) -> Scope:
        """Return the function that contains a node."""
        while not isinstance(node, (*FUNCTIONS, ast.Module)):
            node = self.parent(node)
        return node

    def in_loop(self, node: ast.AST) -> bool:
        """True if `break` and `continue` are valid at a node."""
        while not isinstance(node, (*FUNCTIONS, ast.Module)):
            node = self.parent(node)
            if isinstance(node, (ast.For, ast.While, ast.AsyncFor)):
                return True
        return False

    def is_condition(self, node: ast.AST) -> bool:
        """True if only the truth of a node's value matters."""
        parent = self.parent(node)
        if isinstance(parent, (ast.If, ast.While, ast.IfExp, ast.Assert)):
            return node is parent.test
        if isinstance(parent, ast.comprehension):
            return node in parent.ifs
        return isinstance(parent, ast.BoolOp) or (isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not))

    def is_callee(self, node: ast.AST) -> bool:
        """True if a node is the function of a call."""
        parent = self.parent(node)
        return isinstance(parent, ast.Call) and node is parent.func

    # Names

    def names(self, node: ast.AST) -> List[str]:
        """Return the variables visible at a node, nearest first, without module globals."""
        found: List[str] = []
        below, child, parent = node, node, self.parent(node)
        while not isinstance(parent, ast.stmt) and not isinstance(child, ast.stmt):
            if isinstance(parent, COMPREHENSIONS):
                for generator in parent.generators:
                    # The iterable does not see the loop variable; the conditions do.
                    if child is not generator or below in generator.ifs:
                        found += [name.id for name in ast.walk(generator.target) if isinstance(name, ast.Name)]
            elif isinstance(parent, ast.Lambda):
                found += [argument.arg for argument in parent.args.args]
            below, child, parent = child, parent, self.parent(parent)
        return list(dict.fromkeys(found + self._local(self.function_of(node))))

    def values(self, node: ast.AST) -> List[str]:
        """Return the visible variables that hold no callables."""
        function = self.function_of(node)
        return [name for name in self.names(node) if not self.kinds(function, name) & CALLABLES]

    def parts(self, node: ast.AST) -> List[str]:
        """Return the attributes observed on visible objects, as `self.items`, without callables."""
        seen = self.kinds_seen.get(getattr(self.function_of(node), "name", ""), {})
        owners = {name + "." for name in self.names(node)}
        return sorted(one for one in seen if one[: one.find(".") + 1] in owners and not seen[one] & CALLABLES)

    def _local(self, function: Scope) -> List[str]:
        if function not in self._names:
            found: List[str] = []
            if isinstance(function, FUNCTIONS):
                given = function.args
                arguments = getattr(given, "posonlyargs", []) + given.args + given.kwonlyargs
                found += [one.arg for one in [*arguments, given.vararg, given.kwarg] if one]
                found += list(self._stored(function))
                found += self._local(self.function_of(self.parent(function)))
            self._names[function] = list(dict.fromkeys(found))
        return self._names[function]

    def _stored(self, node: ast.AST) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (*FUNCTIONS, ast.ClassDef, ast.Lambda, *COMPREHENSIONS)):
                continue
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                yield child.id
            yield from self._stored(child)

    # Kinds of values

    def kinds(self, function: Scope, name: str) -> FrozenSet[str]:
        """Return the types of a variable's values, in its function or the ones around it; empty if unobserved."""
        if (function, name) not in self._kinds:
            self._kinds[function, name] = self._kinds_in(self.kinds_seen, function, name)
        return self._kinds[function, name]

    def telling_kinds(self, function: Scope, name: str) -> FrozenSet[str]:
        """Return the types that a variable's values have in failing checks alone."""
        return self.kinds(function, name) - self._kinds_in(self._usual_kinds, function, name)

    def _kinds_in(self, kinds: Dict[str, Dict[str, Set[str]]], function: Scope, name: str) -> FrozenSet[str]:
        while isinstance(function, FUNCTIONS):
            seen = kinds.get(function.name, {}).get(name)
            if seen:
                return frozenset(seen)
            function = self.function_of(self.parent(function))
        # A variable of a comprehension or lambda lives in a nameless frame of its own.
        return frozenset().union(*(kinds.get(frame, {}).get(name, ()) for frame in NAMELESS))

    def may_be(self, node: ast.AST, name: str, kinds: FrozenSet[str]) -> bool:
        """True if a variable held a value of these types, or was not observed and so may hold one."""
        seen = self.kinds(self.function_of(node), name) or self._global_kind(node, name)
        return not seen or bool(seen & kinds)

    def _global_kind(self, node: ast.AST, name: str) -> FrozenSet[str]:
        """Return the type of a global, or of a part of a module such as `math.pi`; empty if it is neither."""
        owner, dot, part = name.partition(".")
        value = self.scope.get(owner) if owner in self.scope and owner not in self.names(node) else None
        if dot:
            value = parts_of_module(value).get(part)
        return frozenset() if value is None else frozenset({type(value).__name__})

    def alike(self, node: ast.AST, one: str, other: str) -> float:
        """Return the probability that one variable replaces the other, by the types of their values."""
        function = self.function_of(node)
        first, second = self.kinds(function, one), self.kinds(function, other)
        if not first or not second:
            return 0.6
        return 1.0 if first & second else 0.6 if (first | second) <= NUMBERS else 0.25

    def attribute_names(self) -> List[str]:
        """Return the attributes observed on the project's own objects, sorted."""
        return sorted(set().union(*self.attributes.values())) if self.attributes else []

    def is_object(self, node: ast.AST, name: str) -> bool:
        """True if a variable held objects of the project's own classes, or None."""
        seen = self.kinds(self.function_of(node), name)
        return not seen or bool(seen - PLAIN) or "NoneType" in seen

    # Ingredients

    def ingredients(self, node: ast.AST) -> List[Tuple[str, ast.expr, int]]:
        """Return the function's own small expressions, each once: its text, one node that has it, its size in nodes.

        In large functions only nearby ones are returned. Most of the code a repair needs already exists nearby (Barr et
        al., "The plastic surgery hypothesis", 2014).
        """
        function = self.function_of(node)
        if function not in self._ingredients:
            found: Dict[str, Tuple[str, ast.expr, int]] = {}
            for one in ast.walk(function):
                if isinstance(one, ast.expr) and self._usable(one):
                    size = sum(1 for _ in ast.walk(one))
                    text = self.text(one)
                    if size <= MAX_INGREDIENT_NODES and "\n" not in text and text not in found:
                        found[text] = (text, one, size)
            self._ingredients[function] = list(found.values())
        line = self.line_of(node)
        if (function, line) not in self._close:
            self._close[function, line] = self.nearest(line, self._ingredients[function], lambda one: one[1].lineno)
        return self._close[function, line]

    def line_of(self, node: ast.AST) -> int:
        """Return the line of a node, or of its parent: operators have none of their own."""
        while not hasattr(node, "lineno"):
            node = self.parent(node)
        return int(node.lineno)

    def nearest(self, line: int, those: List[T], line_of: Callable[[T], int]) -> List[T]:
        """Return the items nearest to a line, if there are too many for every place."""
        return (
            those if len(those) <= self.near else sorted(those, key=lambda one: abs(line_of(one) - line))[: self.near]
        )

    def _usable(self, node: ast.expr) -> bool:
        if isinstance(node, (ast.Starred, ast.Slice, ast.JoinedStr, ast.FormattedValue, ast.Lambda)):
            return False
        parent = self.parent(node)
        is_text = isinstance(parent, ast.Expr) and isinstance(node, ast.Constant)
        return (
            not is_text
            and not isinstance(parent, (ast.JoinedStr, ast.FormattedValue, ast.arg))
            and hasattr(node, "lineno")
        )


@lru_cache(maxsize=32768)
def expression(text: str) -> Optional[ast.expr]:
    """Return the parsed expression; None if the text is none."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return None
