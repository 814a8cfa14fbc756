"""Kinds of values by annotation: plain types, collections, enumerations, and classes made from their fields."""

from __future__ import annotations

import collections.abc
import enum
import inspect
import sys
import typing
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from certo_builtin.inputs.kinds import (
    Kind,
    constructed,
    fixed,
    floats,
    integers,
    lists,
    mappings,
    texts,
    tuples,
    unions,
)
from certo_builtin.inputs.unusual import BYTES, TIMES, dates
from certo_builtin.inputs.variants import Words

MAX_DEPTH = 3
"""How deep classes within the fields of classes are made."""

_BY_NAME: Dict[str, List[str]] = {
    "datetime.date": dates("datetime.date({})"),
    "datetime.datetime": [
        *dates("datetime.datetime({})", TIMES),
        "datetime.datetime(2020, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)",
    ],
    "datetime.time": ["datetime.time({})".format(time) for time in TIMES],
    "datetime.timedelta": [
        "datetime.timedelta({})".format(given)
        for given in ("0", "days=1", "seconds=-1", "days=31", "days=-366", "hours=25", "microseconds=1", "weeks=5")
    ],
    "decimal.Decimal": [
        "decimal.Decimal({!r})".format(digits)
        for digits in (
            # Halves that the modes of rounding treat differently, with even and odd neighbours and both signs.
            *("0", "1", "-0.5", "2.5", "0.125", "-1.5", "2.675", "0.005"),
            *("1.10", "100", "1E+3", "-0", "0.01", "99.995", "NaN", "Infinity"),
        )
    ],
    "fractions.Fraction": ["fractions.Fraction(0)", "fractions.Fraction(1, 3)", "fractions.Fraction(-5, 2)"],
    "uuid.UUID": ["uuid.UUID(int=0)", "uuid.UUID(int=1)"],
    "pathlib.Path": ["pathlib.Path('a')", "pathlib.Path('a/b.txt')", "pathlib.Path('.')"],
    "pathlib.PurePath": ["pathlib.PurePath('a')", "pathlib.PurePath('a/b.txt')"],
}
MODULES = ("collections", "datetime", "decimal", "fractions", "pathlib", "uuid")
"""Modules whose names may stand in expressions."""

_LISTS: Tuple[Any, ...] = (
    list,
    collections.abc.Sequence,
    collections.abc.Iterable,
    collections.abc.Collection,
    collections.abc.MutableSequence,
)
_LISTS += (collections.abc.Reversible, collections.abc.Container)
_SETS = (set, collections.abc.Set, collections.abc.MutableSet)
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_ITERATORS = (collections.abc.Iterator, collections.abc.Generator)


class Annotations:
    """Kinds of values by annotation, in the names of one module, with the constants of the code under test."""

    def __init__(self, names: Mapping[str, Any], words: Words) -> None:
        self._names = names
        self._words = words

    def hints(self, function: Callable[..., Any]) -> Dict[str, Any]:
        """Return the evaluated annotations of a function; those that cannot be evaluated are left out."""
        own = getattr(function, "__annotations__", {})
        try:
            return typing.get_type_hints(function)
        except (Exception, SystemExit):  # the project's names and classes may do anything
            return {name: one for name, one in own.items() if not isinstance(one, str)}

    def kind(self, hint: Any, depth: int = MAX_DEPTH) -> Optional[Kind]:
        """Return the kind of an annotation; None if it says nothing, or of something that cannot be made."""
        if depth < 0:
            return None
        try:
            return self._plain(hint) or self._generic(hint, depth) or self._class(hint, depth)
        except Exception:  # metaclasses of the project may do anything
            return None

    def _plain(self, hint: Any) -> Optional[Kind]:
        words = self._words
        if hint is int:
            return integers(words)
        if hint is float:
            return unions([floats(words), integers(words)])
        if hint is complex:
            return fixed(["0j", "1j", "(1+2j)"])
        if hint is str:
            return texts(words)
        if hint is bool:
            return fixed(["False", "True"])
        if hint in (bytes, bytearray, memoryview):
            return fixed(BYTES)
        if hint in (None, type(None)):
            return fixed(["None"])
        if hint in (Any, object) or isinstance(hint, typing.TypeVar):
            return self._of_typevar(hint) or unions([integers(words), texts(words), fixed(["None", "[]", "[1]"])])
        if hint in (typing.Hashable, collections.abc.Hashable):
            return unions([integers(words), texts(words)])
        return None

    def _of_typevar(self, hint: Any) -> Optional[Kind]:
        allowed = [*getattr(hint, "__constraints__", ()), *filter(None, [getattr(hint, "__bound__", None)])]
        kinds = [kind for kind in map(self.kind, allowed) if kind is not None]
        return unions(kinds) if kinds else None

    def _generic(self, hint: Any, depth: int) -> Optional[Kind]:
        origin, inner = typing.get_origin(hint) or hint, typing.get_args(hint)
        if getattr(hint, "__metadata__", None) is not None:
            return self.kind(hint.__origin__, depth)
        if origin is getattr(typing, "Literal", None):
            return fixed(map(repr, inner))
        if origin is typing.Union or type(hint).__name__ == "UnionType":
            kinds = [kind for kind in (self.kind(one, depth) for one in inner) if kind is not None]
            return unions(kinds) if kinds else None
        if origin is tuple:
            return self._tuple(inner, depth)
        if origin in (collections.abc.Callable, typing.Callable):
            return fixed(
                ["bool", "str", "len", "(lambda *given: given[0] if given else None)", "(lambda *given: None)"]
            )
        if origin is type:
            return fixed(["int", "str", "list"])
        of = [self.kind(one, depth) for one in inner if not isinstance(one, typing.TypeVar)]
        if any(kind is None for kind in of):
            return None
        return self._collection(origin, [kind for kind in of if kind is not None])

    def _tuple(self, inner: Tuple[Any, ...], depth: int) -> Optional[Kind]:
        if (len(inner) == 2 and inner[1] is Ellipsis) or not inner:
            of = self.kind(inner[0], depth) if inner else integers(self._words)
            return lists(of, "({})", "()", self._words.lengths) if of is not None else None
        kinds = [self.kind(one, depth) for one in inner if one != ()]
        known = [kind for kind in kinds if kind is not None]
        return tuples(known) if len(known) == len(kinds) else None

    def _collection(self, origin: Any, of: List[Kind]) -> Optional[Kind]:
        first = of[0] if of else integers(self._words)
        if origin in _LISTS:
            return lists(first, lengths=self._words.lengths)
        if origin in _ITERATORS:
            return lists(first, "iter([{}])", lengths=self._words.lengths)
        if origin in _SETS:
            return lists(first, "set([{}])", "set()")
        if origin is frozenset:
            return lists(first, "frozenset([{}])", "frozenset()")
        if origin is collections.deque:
            return lists(first, "collections.deque([{}])")
        form = {collections.Counter: "collections.Counter({})", collections.OrderedDict: "collections.OrderedDict({})"}
        if origin in _MAPPINGS or origin in form:
            keys, values = first if of else texts(self._words), of[-1] if of else integers(self._words)
            return mappings(keys, values, form.get(origin, "{}"))
        if origin is collections.defaultdict:
            return mappings(first, of[-1] if of else integers(self._words), "collections.defaultdict(None, {})")
        return None

    def _class(self, hint: Any, depth: int) -> Optional[Kind]:
        supertype = getattr(hint, "__supertype__", None)
        if supertype is not None:
            return self.kind(supertype, depth)
        if not isinstance(hint, type):
            return None
        name = self.name_of(hint)
        full = "{}.{}".format(hint.__module__, hint.__qualname__)
        if full in _BY_NAME:
            # A module that imports the class itself may have no module of that name, or, as `datetime`, another thing.
            known = [text.replace(full, name or full, 1) for text in _BY_NAME[full]]
            made = [text for text in known if self._makes(text, hint)]
            return fixed(made) if made else None
        if not name:
            return None
        if issubclass(hint, enum.Enum):
            members = ["{}.{}".format(name, member) for member in hint.__members__]
            return fixed(members) if members else None
        if hasattr(hint, "__total__") and issubclass(hint, dict):
            return self._typed_dict(hint, depth)
        if inspect.isabstract(hint):
            return None
        return self._made(hint, name, depth)

    def _makes(self, text: str, kind: type) -> bool:
        """True if an expression makes an object of a kind."""
        try:
            return isinstance(eval(text, dict(self._names)), kind)
        except Exception:  # names may stand for anything
            return False

    def _typed_dict(self, hint: Any, depth: int) -> Optional[Kind]:
        pairs = [(name, self.kind(one, depth - 1)) for name, one in self.hints_of(hint).items()]
        known = [(name, kind) for name, kind in pairs if kind is not None]
        return constructed("dict", known) if len(known) == len(pairs) else None

    @staticmethod
    def hints_of(kind: type) -> Dict[str, Any]:
        """Return the evaluated annotations of a class."""
        return typing.get_type_hints(kind)

    def _made(self, hint: type, name: str, depth: int) -> Optional[Kind]:
        """Return the kind of objects made by the class's own constructor, by the annotations of its parameters."""
        parameters = self.parameters(hint)
        if parameters is None:
            return None
        hints: Dict[str, Any] = {}
        for source in (hint, getattr(hint, "__init__", None), getattr(hint, "__new__", None)):
            try:
                hints = {**typing.get_type_hints(source), **hints}
            except Exception:  # as above
                continue
        fields: List[Tuple[str, Kind]] = []
        rest: List[Tuple[str, Kind]] = []
        for parameter in parameters:
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                continue
            kind = self.kind(hints[parameter.name], depth - 1) if parameter.name in hints else None
            field = "" if parameter.kind is parameter.POSITIONAL_ONLY else parameter.name
            if kind is not None:
                (fields if parameter.default is parameter.empty else rest).append((field, kind))
            elif parameter.default is parameter.empty:
                return None
        return constructed(name, fields, rest)

    @staticmethod
    def parameters(hint: Any) -> Optional[List[inspect.Parameter]]:
        """Return the parameters of a call; None if they are not known."""
        try:
            return list(inspect.signature(hint).parameters.values())
        except (ValueError, TypeError):
            return None

    def name_of(self, kind: Any) -> str:
        """Return an expression for a class: its own name if the module has it, else with the module that does."""
        parts = kind.__qualname__.split(".")
        found: Any = self._names.get(parts[0])
        for part in parts[1:]:
            found = getattr(found, part, None)
        if found is kind:
            return str(kind.__qualname__)
        module: Any = sys.modules.get(kind.__module__)
        for part in parts:
            module = getattr(module, part, None)
        own = "{}.{}".format(kind.__module__, kind.__qualname__)
        return own if module is kind and kind.__module__.split(".")[0] not in self._names else ""
