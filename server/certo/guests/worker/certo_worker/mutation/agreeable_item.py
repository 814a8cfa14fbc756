"""The item that mutants put into an empty result: every comparison with it is true.

A test that only loops over an empty result asserts nothing. An ordinary item would fail the assertions in the loop, and
the test would seem to check the result; this item passes them, so only a test of the length notices it.
"""

from __future__ import annotations

from typing import Any, Callable, Iterator


class Agreeable(int):
    """A number for which every comparison is true; operators, attributes and items yield it again."""

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
