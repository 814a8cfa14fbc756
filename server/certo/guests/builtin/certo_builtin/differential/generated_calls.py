"""Calls made up for a function: by annotation, by what is known of its parameters, and near calls that told something.

Deterministic for a seed.
"""

from __future__ import annotations

import ast
import itertools
import random
from typing import Any, Dict, FrozenSet, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from certo_builtin.differential.calls import places, put, source_of
from certo_builtin.differential.versions import Call, Loaded
from certo_builtin.execution.hot_swap import HotSwap
from certo_builtin.inputs.annotations import Annotations
from certo_builtin.inputs.inference import anything, kind_by_use, kind_of_values
from certo_builtin.inputs.kinds import Kind, unions
from certo_builtin.inputs.unusual import CALENDAR, DATED
from certo_builtin.inputs.variants import Words, gathered, near, simpler
from certo_builtin.source import FUNCTIONS, Function

MAX_CHARACTERS = 2000
"""Maximum length of a generated call."""

MAX_COMBINATIONS = 400
"""Maximum number of combinations of small values."""


MAX_REST = 2
"""Number of arguments made up for a parameter like `*rest`, and for one like `**rest`."""

REST_NAMES = ("a", "b")
"""Names of arguments for `**rest` where neither a call nor the code names any."""

MAX_KNOWN = 40
"""Number of known calls whose texts become part of the alphabet."""


def constants_in(tree: ast.AST) -> List[Any]:
    """Return the constants in a syntax tree; a negative number counts without its sign."""
    return [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]


def keys_in(tree: ast.AST, name: str) -> Iterator[str]:
    """Yield the identifiers that code looks up in a mapping of this name: as keys, by methods, or by `in`."""
    for node in ast.walk(tree):
        key: Any = None
        if isinstance(node, ast.Subscript) and _is_named(node.value, name):
            # Before Python 3.9, an index has a node of its own.
            key = getattr(node.slice, "value", None) if not isinstance(node.slice, ast.Constant) else node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            key = node.args[0] if _is_named(node.func.value, name) else None
        elif isinstance(node, ast.Compare) and _is_named(node.comparators[0], name):
            key = node.left
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.isidentifier():
            yield key.value


def _is_named(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


class Here(NamedTuple):
    """A function that is called in this process, and the names in which its calls are written."""

    target: Function
    names: Dict[str, Any]
    hot_swap: HotSwap


class Generator:
    """Makes calls of one function; `callee` says how, `left_out` are those of one version only."""

    def __init__(
        self,
        loaded: Union[Loaded, Here],
        callee: Dict[str, Any],
        trees: Sequence[ast.AST],
        known: Sequence[Call],
        left_out: Sequence[str],
        seed: int,
    ) -> None:
        self._callee = callee
        self._known = list(known)
        self._dice = random.Random(seed)
        self._loaded = loaded
        constants = [value for tree in trees for value in constants_in(tree)]
        self.words = gathered([*constants, *self._constants_around(trees)], self._texts_of_known())
        self._annotations = Annotations(loaded.names, self.words)
        self.unmade: List[str] = []
        """Names of the required parameters of which nothing is known."""
        self.guessed: List[str] = []
        """Names of the parameters for which plain values of all kinds are tried."""
        self._receivers = self._receiver_kind()
        function = self._function()
        self._hints = self._annotations.hints(function) if function is not None else {}
        self._columns = self._all_columns(loaded.target, frozenset(left_out))

    @property
    def is_possible(self) -> bool:
        """True if calls can be made up."""
        return not self.unmade

    @property
    def is_guess(self) -> bool:
        """True if each call has a value of which nothing tells the type."""
        return any(name in self.guessed and is_required for name, _, _, is_required in self._columns)

    @property
    def declared_result(self) -> Any:
        """The evaluated annotation of the result; `Any` if there is none."""
        return self._hints.get("return", Any)

    def _constants_around(self, trees: Sequence[ast.AST]) -> List[Any]:
        """Return the constants of the module's own functions and names that the target names."""
        named = {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)}
        named |= {node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        found: List[Any] = [*CALENDAR] if named & DATED else []
        for node in ast.walk(self._loaded.hot_swap.source.tree):
            if isinstance(node, FUNCTIONS) and node.name in named:
                found += constants_in(node)
        for name in sorted(named):
            value = self._loaded.names.get(name)
            if type(value) in (int, float, str):
                found.append(value)
            elif type(value) in (list, tuple, set, frozenset, dict):
                found += itertools.islice(list(value or ()), 12)
        return found

    def _texts_of_known(self) -> Iterator[str]:
        """Yield the texts in the known calls, whose characters become part of the alphabet."""
        for call in self._known[:MAX_KNOWN]:
            for _, text in places(call):
                try:
                    yield from (value for value in constants_in(ast.parse(text)) if type(value) is str)
                except (SyntaxError, ValueError, RecursionError, MemoryError):
                    continue

    def _all_columns(self, target: Function, left_out: FrozenSet[str]) -> List[Tuple[str, bool, Optional[Kind], bool]]:
        """Return the parameters that are filled: name, if it is by name only, kind, and if it is required."""
        given = target.args
        plain = [*getattr(given, "posonlyargs", []), *given.args]
        defaults: List[Any] = [*[None] * (len(plain) - len(given.defaults)), *given.defaults]
        skipped = 1 if self._has_own else 0
        hints = self._hints
        columns = []
        for place, (argument, default) in enumerate(zip(plain, defaults)):
            if place >= skipped and not (argument.arg in left_out and default is not None):
                columns.append(
                    (argument.arg, False, self._kind(argument, place - skipped, default, hints), default is None)
                )
        if given.vararg is not None:
            seen = [text for call in self._known for text in call["arguments"][len(columns) :]]
            columns += [(given.vararg.arg, False, self._kind_of_rest(given.vararg, seen, hints), False)] * MAX_REST
        for argument, default in zip(given.kwonlyargs, given.kw_defaults):
            if argument.arg not in left_out or default is None:
                columns.append((argument.arg, True, self._kind(argument, None, default, hints), default is None))
        if given.kwarg is not None:
            own = {one.arg for one in (*plain, *given.kwonlyargs)}
            rest = {name: text for call in self._known for name, text in call["named"].items() if name not in own}
            kind = self._kind_of_rest(given.kwarg, list(rest.values()), hints)
            names = [name for name in (*rest, *keys_in(target, given.kwarg.arg), *REST_NAMES) if name not in own]
            columns += [(name, True, kind, False) for name in list(dict.fromkeys(names))[:MAX_REST]]
        return columns

    def _kind_of_rest(self, argument: ast.arg, seen: Sequence[str], hints: Dict[str, Any]) -> Kind:
        """Return the kind of one of the arguments that are gathered in a parameter like `*rest` or `**rest`."""
        found = [kind_of_values(list(dict.fromkeys(seen)), self.words)]
        if argument.arg in hints:
            found.append(self._annotations.kind(hints[argument.arg]))
        kinds = [kind for kind in found if kind is not None]
        if not kinds:
            self.guessed.append(argument.arg)
        return unions(kinds) if kinds else anything(self.words)

    @property
    def _has_own(self) -> bool:
        return (
            (self._callee["has_receiver"] and self._callee["receiver"] is None)
            or self._loaded.target.name == "__init__"
            or bool(self._callee.get("is_class_method"))
        )

    def _function(self) -> Any:
        live = self._loaded.hot_swap.live
        return live[0][0] if live and self._loaded.hot_swap.outermost is self._loaded.target else None

    def _kind(self, argument: ast.arg, place: Optional[int], default: Any, hints: Dict[str, Any]) -> Optional[Kind]:
        seen = [call["named"][argument.arg] for call in self._known if argument.arg in call["named"]]
        if place is not None:
            seen += [call["arguments"][place] for call in self._known if place < len(call["arguments"])]
        of_seen = kind_of_values(list(dict.fromkeys(seen)), self.words)
        annotated = self._annotations.kind(hints[argument.arg]) if argument.arg in hints else None
        if annotated is not None:
            return unions([annotated, of_seen]) if of_seen is not None else annotated
        text = self._default(default)
        of_default = kind_of_values([text], self.words) if text not in (None, "None") else None
        used = kind_by_use(argument.arg, self._loaded.target, self.words)
        kinds = [kind for kind in (of_seen or used, of_default) if kind is not None]
        if kinds:
            return unions(kinds)
        if argument.arg in hints and default is None:
            self.unmade.append(argument.arg)
            return None
        self.guessed.append(argument.arg)
        return anything(self.words) if default is None else None

    def _default(self, default: Any) -> Optional[str]:
        if not isinstance(default, ast.expr):
            return None
        value: str = self._loaded.hot_swap.source.text_of(default)
        return value

    def _receiver_kind(self) -> Optional[Kind]:
        if not self._callee["has_receiver"] or self._callee["receiver"] is not None:
            return None
        seen = kind_of_values(list(dict.fromkeys(call["receiver"] for call in self._known)), self.words)
        found: Any = None
        for place, name in enumerate(self._callee["owner"].split(".")):
            found = self._loaded.names.get(name) if place == 0 else getattr(found, name, None)
        made = self._annotations.kind(found) if isinstance(found, type) else None
        kinds = [kind for kind in (seen, made) if kind is not None]
        if not kinds:
            self.unmade.append("self")
            return None
        return unions(kinds)

    def _call(self, receiver: Optional[str], values: Sequence[Tuple[str, bool, str]]) -> Call:
        return {
            "callee": self._callee["name"],
            "receiver": self._callee["receiver"] if receiver is None else receiver,
            "arguments": [text for _, by_name, text in values if not by_name],
            "named": {name: text for name, by_name, text in values if by_name},
            "is_property": self._callee["is_property"],
        }

    def small(self) -> Iterator[Call]:
        """Yield calls with small values: with few arguments first, all at their simplest and then in combination."""
        if not self.is_possible:
            return
        usable = [column for column in self._columns if column[2] is not None]
        required = [column for column in usable if column[3]]
        optional = [column for column in usable if not column[3]]
        for more in range(len(optional) + 1):
            # An argument by place needs those before it.
            chosen = [column for column in usable if column in required or column in optional[:more]]
            limit = MAX_COMBINATIONS if more in (0, len(optional)) else MAX_COMBINATIONS // 4
            for receiver, row in itertools.islice(self._combined(chosen), limit):
                yield self._call(receiver, [(name, by_name, text) for (name, by_name, _, _), text in zip(chosen, row)])

    def _combined(self, chosen: Sequence[Any]) -> Iterator[Tuple[Optional[str], Tuple[str, ...]]]:
        """Yield combinations of small values, by the sum of their places."""
        kinds = [column[2].small for column in chosen]
        if self._receivers is not None:
            kinds.insert(0, self._receivers.small)
        for row in by_sum([len(small) for small in kinds]):
            texts = tuple(small[place] for small, place in zip(kinds, row))
            yield (texts[0], texts[1:]) if self._receivers is not None else (None, texts)

    def further(self) -> Iterator[Call]:
        """Yield calls with one boundary or unusual value each, the others small, one parameter after the other."""
        usable = [column for column in self._columns if column[2] is not None]
        kinds: List[Kind] = [column[2] for column in usable if column[2] is not None]
        receivers = self._receivers.small if self._receivers is not None else [None]
        longest = max((len(kind.more) for kind in kinds), default=0) if self.is_possible else 0
        # Each with two rows of others; with no others they are the same, and made once.
        for turn, shift in itertools.product(range(longest), (1, 3)):
            for number, kind in enumerate(kinds):
                if turn >= len(kind.more):
                    continue
                row = [one.small[(turn + shift + place) % min(5, len(one.small))] for place, one in enumerate(kinds)]
                row[number] = kind.more[turn]
                # An argument by place needs those before it; others with a default keep that half of the time.
                given = [
                    (name, by_name, text)
                    for place, ((name, by_name, _, needed), text) in enumerate(zip(usable, row))
                    if needed or place == number or (not by_name and place < number) or turn % 2
                ]
                yield self._call(receivers[turn % len(receivers)], given)
        plain = next(self.small(), None)
        if self._receivers is not None and plain is not None:
            for text in self._receivers.more:
                yield {**plain, "receiver": text}

    def drawn(self) -> Iterator[Call]:
        """Yield random calls without end; none if they cannot be made up."""
        dice = self._dice
        usable = [(name, by_name, kind, needed) for name, by_name, kind, needed in self._columns if kind is not None]
        while self.is_possible and (usable or self._receivers is not None):
            receiver = self._receivers.draw(dice) if self._receivers is not None else None
            values = []
            has_gap = False
            for name, by_name, kind, is_required in usable:
                # An argument by place needs those before it.
                if not is_required and ((has_gap and not by_name) or dice.random() < 0.4):
                    has_gap = True
                else:
                    values.append((name, by_name, kind.draw(dice)))
            yield self._call(receiver, values)

    def near(self, calls: Sequence[Call], most: int, words: Optional[Words] = None) -> List[Call]:
        """Return calls near some, and combinations of these, in a random order; `words` are others than the code's."""
        found: List[Call] = []
        for call in calls:
            for place, text in places(call):
                variants = list(itertools.islice(near(text, words or self.words), 400))
                found += [put(call, place, one) for one in self._dice.sample(variants, min(len(variants), 60))]
        if len(calls) > 1:
            for _ in range(most // 4):
                one, other = self._dice.sample(list(calls), 2)
                theirs = dict(places(other))
                for place, _text in places(one):
                    if place in theirs and self._dice.random() < 0.5:
                        one = put(one, place, theirs[place])
                found.append(one)
        self._dice.shuffle(found)
        return [call for call in found if len(source_of(call)) <= MAX_CHARACTERS][:most]

    def plainer(self, call: Call) -> Iterator[Call]:
        """Yield simpler calls: without an optional argument, or with a simpler value."""
        required = sum(column[3] and not column[1] for column in self._columns)
        if len(call["arguments"]) > required:
            yield {**call, "arguments": call["arguments"][:-1]}
        for name in call["named"]:
            if any(column[0] == name and not column[3] for column in self._columns):
                yield {**call, "named": {key: text for key, text in call["named"].items() if key != name}}
        for place, text in places(call):
            for one in simpler(text):
                yield put(call, place, one)


def by_sum(sizes: Sequence[int]) -> Iterator[Tuple[int, ...]]:
    """Yield the tuples of places below these sizes, by their sum."""
    if not sizes:
        yield ()
        return
    for total in range(sum(size - 1 for size in sizes) + 1):
        yield from _with_sum(sizes, total)


def _with_sum(sizes: Sequence[int], total: int) -> Iterator[Tuple[int, ...]]:
    first, *rest = sizes
    if not rest:
        if total < first:
            yield (total,)
        return
    for place in range(min(first - 1, total) + 1):
        for others in _with_sum(rest, total - place):
            yield (place, *others)
