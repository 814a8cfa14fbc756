"""Descriptions of the candidate's classes: the special methods that their proxy classes forward. No code is sent."""

from __future__ import annotations

import builtins
from typing import Any, List

COMPARISONS = frozenset(("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"))
"""Comparison methods."""

TEXTS = frozenset(("__str__", "__repr__", "__format__"))
"""Methods that have to return a string."""

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
"""Binary operators, plain and reflected, which change neither operand."""

IN_PLACE = frozenset("__i{}__".format(name) for name in _OPERATORS)
"""Augmented assignments: they may change the left operand, and they return its new value."""

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
"""The special methods that a proxy may have."""

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
"""Special attributes that may be read through a proxy.

All others are refused: libraries look for many of them unasked and act on the answer, which may be forged.
"""


def is_builtin_exception(kind: Any) -> bool:
    """True if a class is a builtin exception, which both processes have under the same name."""
    return isinstance(kind, type) and issubclass(kind, BaseException) and getattr(builtins, kind.__name__, None) is kind


def special_methods(kind: type) -> List[str]:
    """Return the special methods that the proxy of a class forwards, and "no hash" for a class that is not hashable."""
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
