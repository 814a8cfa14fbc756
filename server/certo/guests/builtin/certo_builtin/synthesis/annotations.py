"""Annotations as types of examples: a float for an int literal, a list where a test made a set of it.

PEP 484 lets a caller write 2 for a float, and `==` accepts 3 for 3.0; so the values in a test do not determine the
type: the mean of two floats is no `//`. Annotations are read by their names and never evaluated, because `list[int] |
None` is no valid expression in every supported Python, and names imported below `if TYPE_CHECKING` do not exist. An
unknown name, such as a class of the project's, admits everything.
"""

from __future__ import annotations

import ast
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

from certo_builtin.source import FUNCTIONS, Function

MAX_EXACT = 2**53
"""Largest integer up to which every integer is exactly a float."""

NUMBERS = frozenset({"int", "float", "complex"})
TEXTS = frozenset({"str", "Text", "bytes", "LiteralString"})
LISTS = frozenset({"list", "List", "Sequence", "MutableSequence"})
WALKED = frozenset({"Iterable", "Collection", "Container", "Reversible", "deque", "Deque"})
TUPLES = frozenset({"tuple", "Tuple"})
SETS = frozenset({"set", "Set", "AbstractSet", "MutableSet"})
FROZEN = frozenset({"frozenset", "FrozenSet"})
MAPPINGS = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict", "DefaultDict"})
NEVER_ONE_ANSWER = NUMBERS | TEXTS | LISTS | WALKED | TUPLES | SETS | FROZEN | MAPPINGS
"""Types for which neither None nor a boolean is a plausible result."""

_KINDS = (
    ({"int"}, "int"), ({"float"}, "number"), ({"str", "Text"}, "str"), ({"bool"}, "bool"), ({"bytes"}, "bytes"),
    ({"list", "List", "MutableSequence"}, "list"), ({"Sequence"}, "sequence"), (WALKED, "collection"),
    (TUPLES, "tuple"), (SETS, "set"), (FROZEN, "frozenset"), (MAPPINGS, "dict"),
)  # fmt: skip

WRAPPERS = frozenset({"Annotated", "Final", "Required", "NotRequired", "ClassVar"})


class Signature(NamedTuple):
    """Annotations of a function's parameters, in the order in which they are reported, and of its result."""

    parameters: Tuple[Optional[ast.expr], ...]
    returns: Optional[ast.expr]

    @classmethod
    def of(cls, target: Function) -> Signature:
        """Return the annotations of a function's `def`; those of `*rest` and `**named` are ignored."""
        given = target.args
        plain = [one.annotation for one in [*getattr(given, "posonlyargs", []), *given.args, *given.kwonlyargs]]
        rest = [None for one in (given.vararg, given.kwarg) if one]
        return cls((*plain, *rest), target.returns)

    def arguments(self, values: Tuple[Any, ...]) -> Tuple[Any, ...]:
        """Return the arguments converted to their declared types."""
        return tuple(map(meant, values, self.parameters))

    def result(self, value: Any, *, seen_through: bool) -> Any:
        """Return a result in its declared type; `seen_through` means that a test compared it inside `set` or so."""
        return meant(_shaped(value, self.returns) if seen_through else value, self.returns)


def attributes_of(owner: ast.ClassDef) -> Dict[str, ast.expr]:
    """Return the annotations of the attributes of a class's objects by name.

    They are in its body, as for a dataclass, or in assignments to `self` in a method; an assigned parameter passes on
    its annotation.
    """
    found: Dict[str, ast.expr] = {}
    for statement in owner.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            found[statement.target.id] = statement.annotation
        elif isinstance(statement, FUNCTIONS):
            found.update(_assigned(statement))
    return found


def _assigned(method: Function) -> Iterator[Tuple[str, ast.expr]]:
    given = method.args.args
    own = given[0].arg if given else ""
    declared = {one.arg: one.annotation for one in [*given, *method.args.kwonlyargs] if one.annotation is not None}
    for node in ast.walk(method):
        if isinstance(node, ast.AnnAssign) and _is_own(node.target, own):
            yield node.target.attr, node.annotation  # type: ignore[union-attr]  # it is an attribute
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id in declared:
            for target in node.targets:
                if _is_own(target, own):
                    yield target.attr, declared[node.value.id]  # type: ignore[attr-defined]  # as above


def _is_own(node: ast.expr, own: str) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == own


def may_be(answer: Any, declared: Optional[ast.expr]) -> bool:
    """True if an annotation admits None, True or False."""
    if declared is None:
        return True
    return any(_admits(one, answer) for one in _alternatives(declared))


def kind_of(declared: Optional[ast.expr]) -> str:
    """Return the one kind of values that an annotation admits, in the components' terms; "any" if unknown."""
    alternatives = list(_alternatives(declared)) if declared is not None else []
    if len(alternatives) != 1:
        return "any"
    name, _ = _parts(alternatives[0])
    return next((kind for names, kind in _KINDS if name in names), "any")


def _admits(declared: ast.expr, answer: Any) -> bool:
    if isinstance(declared, ast.Constant) and declared.value is None:
        return answer is None
    name, _ = _parts(declared)
    if name == "bool":
        return isinstance(answer, bool)
    return name not in NEVER_ONE_ANSWER


def meant(value: Any, declared: Optional[ast.expr]) -> Any:
    """Return a value with ints converted to floats wherever the annotation declares floats."""
    if declared is None:
        return value
    alternatives = list(_alternatives(declared))
    if type(value) is int:
        names = {_parts(one)[0] for one in alternatives}
        return float(value) if names & NUMBERS == {"float"} and abs(value) <= MAX_EXACT else value
    for one in alternatives:
        name, inner = _parts(one)
        within = _WITHIN.get(type(value))
        if within is not None and inner and name in within[0]:
            return within[1](value, inner)
    return value


def _elements(value: Any, inner: List[ast.expr]) -> Any:
    return type(value)(meant(one, inner[0]) for one in value)


def _items(value: Tuple[Any, ...], inner: List[ast.expr]) -> Tuple[Any, ...]:
    if len(inner) == len(value) and not _is_dots(inner[-1]):
        return tuple(map(meant, value, inner))
    return tuple(_elements(value, inner)) if len(inner) == 1 or _is_dots(inner[-1]) else value


def _pairs(value: Dict[Any, Any], inner: List[ast.expr]) -> Dict[Any, Any]:
    return {meant(key, inner[0]): meant(one, inner[-1]) for key, one in value.items()}


_WITHIN: Dict[type, Tuple[Any, Callable[..., Any]]] = {
    list: (LISTS | WALKED, _elements),
    tuple: (TUPLES | LISTS | WALKED, _items),
    set: (SETS | WALKED, _elements),
    frozenset: (FROZEN | SETS | WALKED, _elements),
    dict: (MAPPINGS, _pairs),
}
"""Conversions by the type of a value: the type names that it may be declared as, and how to convert it."""


def _shaped(value: Any, declared: Optional[ast.expr]) -> Any:
    """Return a collection converted to its declared type; unchanged if its elements have no order."""
    names = {_parts(one)[0] for one in _alternatives(declared)} if declared is not None else set()
    if type(value) not in (list, tuple, set, frozenset) or type(value).__name__ in {name.lower() for name in names}:
        return value
    for kind, these in ((list, LISTS), (tuple, TUPLES), (set, SETS), (frozenset, FROZEN)):
        if names & these:
            try:
                return kind(sorted(value)) if isinstance(value, (set, frozenset)) else kind(value)
            except TypeError:  # elements that have no order, or that cannot be in a set
                return value
    return value


def _alternatives(declared: ast.expr) -> Iterator[ast.expr]:
    """Yield the alternative types of an annotation."""
    if isinstance(declared, ast.Constant) and isinstance(declared.value, str):
        try:
            yield from _alternatives(ast.parse(declared.value.strip(), mode="eval").body)
        except SyntaxError:
            yield declared
    elif isinstance(declared, ast.BinOp) and isinstance(declared.op, ast.BitOr):
        yield from _alternatives(declared.left)
        yield from _alternatives(declared.right)
    else:
        name, inner = _parts(declared)
        if name in WRAPPERS and inner:
            yield from _alternatives(inner[0])
        elif name in ("Optional", "Union"):
            for one in inner:
                yield from _alternatives(one)
            if name == "Optional":
                yield ast.Constant(value=None)
        else:
            yield declared


def _parts(declared: ast.expr) -> Tuple[str, List[ast.expr]]:
    """Return the name of a type and its parameters."""
    inner: List[ast.expr] = []
    if isinstance(declared, ast.Subscript):
        # Before Python 3.9 an index is wrapped.
        index: Any = getattr(declared.slice, "value", declared.slice) if _is_wrapped(declared.slice) else declared.slice
        inner = list(index.elts) if isinstance(index, ast.Tuple) else [index]
        declared = declared.value
    name = declared.attr if isinstance(declared, ast.Attribute) else getattr(declared, "id", "")
    return str(name), inner


def _is_wrapped(index: ast.AST) -> bool:
    return type(index).__name__ == "Index"


def _is_dots(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...
