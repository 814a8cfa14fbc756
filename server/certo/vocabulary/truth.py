"""A base for values that neither passed nor failed as a whole, so that nobody takes them for passed by mistake."""

from __future__ import annotations

from typing import ClassVar, NoReturn


class NoTruthValue:
    """Refuses `if`, `all` and `any`, which call every object true, also one that says that something failed."""

    __slots__ = ()

    ask_for: ClassVar[str] = "which it is"
    """The question to ask instead, in words."""

    def __bool__(self) -> NoReturn:
        raise TypeError(f"{type(self).__name__} has no truth value; ask for {self.ask_for}, or whether it is None")
