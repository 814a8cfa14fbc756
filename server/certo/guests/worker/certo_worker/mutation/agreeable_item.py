"""The item that is put into what was empty: whatever a loop over the items asserts, this one says yes.

A test that only loops over an empty result asserts nothing, and any other item might fail what it would assert.
"""

from __future__ import annotations

from typing import Any, Callable, Iterator


class Agreeable(int):
    """A number to which every comparison is true, and whose operators, attributes and items are like it."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: AGREEABLE

    def __iter__(self) -> Iterator[Any]:
        return iter((AGREEABLE,))

    def __len__(self) -> int:
        return 1

    __hash__ = int.__hash__


def _always(answer: Callable[[], Any]) -> Callable[..., Any]:
    return lambda *_: answer()


AGREEABLE = Agreeable(1)

for _name in ("eq", "ne", "lt", "le", "gt", "ge", "contains"):
    setattr(Agreeable, f"__{_name}__", _always(lambda: True))
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift"):
    setattr(Agreeable, f"__{_name}__", _always(lambda: AGREEABLE))
    setattr(Agreeable, f"__r{_name}__", _always(lambda: AGREEABLE))
for _name in ("neg", "pos", "abs", "invert", "round", "getitem"):
    setattr(Agreeable, f"__{_name}__", _always(lambda: AGREEABLE))
