"""`dataclass` with the meaning that the standard library gives it, made in a tenth of the time.

Python 3.11 compiles up to seven functions for each dataclass, which takes 0.9 ms; a search imports nearly 500 of them.
That was a third of the processor time that a command spent before its first test ran. Only `__init__` depends on the
fields so much that it has to be compiled, and that can wait for the first object. Comparison, hash, representation,
copying and the refusal of assignments are closures here. Everything else is still done by the standard library's
decorator: fields, slots, matching, and with them `fields`, `replace` and `asdict`.

`InitVar`, `unsafe_hash` and `weakref_slot` are not supported: nothing here uses them.
"""

from __future__ import annotations

import dataclasses
import sys
from dataclasses import MISSING as _MISSING
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, cast

__all__ = ["dataclass"]

_MARK = "__dataclass_"
"""Beginning of names in compiled functions that no field has."""

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from dataclasses import dataclass
    from types import FunctionType
else:

    def dataclass(cls=None, /, *, order=False, **options):
        """Make a dataclass of a class, as `dataclasses.dataclass` does with the same options."""
        if order:
            return dataclasses.dataclass(cls, order=order, **options)
        return _made(cls, **options) if cls else lambda cls: _made(cls, **options)


def _made(cls: type, *, frozen: bool = False, eq: bool = True, slots: bool = False, kw_only: bool = False) -> type:
    own = cls.__dict__
    # It refuses to mix frozen classes and others, for which it has to be told.
    checked = frozen and any(map(dataclasses.is_dataclass, cls.__mro__[1:]))
    options = {"init": False, "repr": False, "eq": False, "frozen": checked, "slots": slots, "kw_only": kw_only}
    made: Any = dataclasses.dataclass(**options)(cls)
    fields = dataclasses.fields(made)
    _check_order([each for each in fields if each.init and not each.kw_only])
    # A class made by the standard decorator may have this one as its base.
    made.__dataclass_params__.init = made.__dataclass_params__.repr = True
    made.__dataclass_params__.eq, made.__dataclass_params__.frozen = eq, frozen
    methods: dict[str, Any] = {"__init__": _Init(made, frozen=frozen), "__repr__": _representation}
    if eq:
        methods["__eq__"] = _equality(_values([each.name for each in fields if each.compare]))
        methods["__hash__"] = None
    if eq and frozen:
        hashed = [each.name for each in fields if (each.compare if each.hash is None else each.hash)]
        methods["__hash__"] = _hashing(_values(hashed))
    if frozen:
        methods["__setattr__"], methods["__delattr__"] = _refusals(made, {each.name for each in fields})
    if frozen and slots:
        methods["__getstate__"], methods["__setstate__"] = _state, _restore
    for name, method in methods.items():
        # A class that defines `__eq__` has `__hash__ = None` without having asked for it.
        if name not in own or (name == "__hash__" and own[name] is None and "__eq__" in own):
            setattr(made, name, method)
    return cast("type", made)


def _check_order(fields: Sequence[dataclasses.Field[Any]]) -> None:
    """Raise TypeError if a field without a default follows one with a default."""
    defaults = [each.default is not _MISSING or each.default_factory is not _MISSING for each in fields]
    for one, other, each in zip(defaults, defaults[1:], fields[1:], strict=False):
        if one and not other:
            raise TypeError(f"non-default argument {each.name!r} follows default argument")


class _Init:
    """Stands for `__init__` until it is first looked up, and is replaced by the compiled function then."""

    def __init__(self, cls: Any, *, frozen: bool) -> None:
        self._cls, self._frozen = cls, frozen

    def __get__(self, instance: object, owner: type) -> Any:
        made = _init(self._cls, frozen=self._frozen)
        self._cls.__init__ = made
        return made.__get__(instance, owner)


def _init(cls: Any, *, frozen: bool) -> FunctionType:
    known: dict[str, Any] = {f"{_MARK}put": object.__setattr__, f"{_MARK}factory": _FACTORY}
    places: list[str] = []
    keywords: list[str] = []
    lines: list[str] = []
    for each in dataclasses.fields(cls):
        name, given = each.name, f"{_MARK}of_{each.name}"
        value, default = name, ""
        if each.default is not _MISSING:
            known[given], default = each.default, f"={given}"
        elif each.default_factory is not _MISSING:
            known[given], default = each.default_factory, f"={_MARK}factory"
            value = f"{given}() if {name} is {_MARK}factory else {name}" if each.init else f"{given}()"
        if each.init:
            (keywords if each.kw_only else places).append(f"{name}{default}")
        elif not default:
            continue
        elif value == name:
            value = given
        lines.append(f"{_MARK}put(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    lines += ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    parameters = ", ".join(["self", *places, *(["*", *keywords] if keywords else [])])
    body = "\n".join(f"  {line}" for line in lines) or "  pass"
    text = f"def create({', '.join(known)}):\n def __init__({parameters}):\n{body}\n return __init__"
    # Its annotations are read as those of the module are.
    module = sys.modules.get(cls.__module__)
    made: dict[str, Any] = {}
    exec(text, module.__dict__ if module is not None else {}, made)
    function: FunctionType = made["create"](**known)
    function.__qualname__ = f"{cls.__qualname__}.__init__"
    types = {each.name: each.type for each in dataclasses.fields(cls) if each.init}
    function.__annotations__ = {**types, "return": None}
    return function


class _Factory:
    """Stands in a signature for a default that is made anew for each object."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


def _values(names: Sequence[str]) -> Callable[[Any], tuple[object, ...]]:
    get = attrgetter(*names) if names else lambda _: ()
    return (lambda self: (get(self),)) if len(names) == 1 else get


def _equality(values: Callable[[Any], tuple[object, ...]]) -> Callable[[Any, object], bool]:
    def is_equal(self: Any, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return is_equal


def _hashing(values: Callable[[Any], tuple[object, ...]]) -> Callable[[Any], int]:
    def hash_of(self: Any) -> int:
        return hash(values(self))

    return hash_of


def _refusals(cls: Any, names: set[str]) -> tuple[Callable[[Any, str, object], None], Callable[[Any, str], None]]:
    """Return `__setattr__` and `__delattr__` of a frozen class; a subclass may have further attributes of its own."""

    def assign(self: Any, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def delete(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return assign, delete


@recursive_repr()
def _representation(self: Any) -> str:
    shown = (f"{each.name}={getattr(self, each.name)!r}" for each in dataclasses.fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _state(self: Any) -> list[object]:
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _restore(self: Any, state: list[object]) -> None:
    for each, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
