"""What the candidate's process tells of its classes: enough to make a stand-in of each, and nothing to run."""

from __future__ import annotations

import builtins
from typing import Any, List

COMPARISONS = frozenset(("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"))
"""Methods that say how two values compare."""

TEXTS = frozenset(("__str__", "__repr__", "__format__"))
"""Methods that must return a string."""

_OPERATORS = (
    "add",
    "sub",
    "mul",
    "matmul",
    "truediv",
    "floordiv",
    "mod",
    "divmod",
    "pow",
    "lshift",
    "rshift",
    "and",
    "or",
    "xor",
)

ARITHMETIC = frozenset("__{}{}__".format(kind, name) for kind in ("", "r") for name in _OPERATORS)
"""Methods that combine two values and change neither."""

IN_PLACE = frozenset("__i{}__".format(name) for name in _OPERATORS)
"""Methods that may change the first of two values, and say what becomes of it."""

FORWARDED = frozenset(
    {
        *COMPARISONS,
        *TEXTS,
        *("__{}{}__".format(kind, name) for kind in ("", "r", "i") for name in _OPERATORS),
        *(
            "__call__",
            "__len__",
            "__iter__",
            "__next__",
            "__getitem__",
            "__setitem__",
            "__delitem__",
            "__contains__",
            "__reversed__",
        ),
        *(
            "__bool__",
            "__hash__",
            "__neg__",
            "__pos__",
            "__abs__",
            "__invert__",
            "__int__",
            "__float__",
            "__complex__",
            "__index__",
        ),
        *(
            "__round__",
            "__trunc__",
            "__floor__",
            "__ceil__",
            "__bytes__",
            "__fspath__",
            "__length_hint__",
            "__missing__",
        ),
        *("__enter__", "__exit__", "__aenter__", "__aexit__", "__aiter__", "__anext__", "__await__"),
    }
)
"""The special methods that a stand-in may have."""

READABLE = frozenset(
    (
        "__name__",
        "__qualname__",
        "__doc__",
        "__dict__",
        "__wrapped__",
        "__annotations__",
        "__members__",
        "__version__",
        "__all__",
        "__author__",
        "__dataclass_fields__",
        "__dataclass_params__",
        "__defaults__",
        "__kwdefaults__",
        "__module__",
        "__self__",
        "__func__",
        "__match_args__",
        "__slots__",
        "__bases__",
        "__mro__",
        "__args__",
        "__origin__",
        "__post_init__",
        "__init__",
        "__new__",
        "__notes__",
        "__array__",
    )
)
"""The special attributes that may be read of a stand-in; each of the others makes some library trust what it says."""


def is_builtin_exception(kind: Any) -> bool:
    """Whether a class is one of the exceptions every Python has under its own name."""
    return isinstance(kind, type) and issubclass(kind, BaseException) and getattr(builtins, kind.__name__, None) is kind


def special_methods(kind: type) -> List[str]:
    """Return the special methods of a class that its stand-in should forward."""
    found = []
    for name in sorted(FORWARDED):
        for each in kind.__mro__:
            if name in each.__dict__:
                if each is not object:
                    found.append(name)
                break
    if getattr(kind, "__hash__", None) is None:
        found = [name for name in found if name != "__hash__"] + ["no hash"]
    return found
