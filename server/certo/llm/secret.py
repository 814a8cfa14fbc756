"""A key of the user's, which shows itself to nobody who does not ask for it by name."""

from __future__ import annotations

from typing import NoReturn


class Secret:
    """Holds a key so that no log, message, event or copy of it ever has it by accident.

    It cannot be compared, copied or pickled; `reveal` is the one way to the key.
    """

    __slots__ = ("_key",)

    def __init__(self, key: str) -> None:
        self._key = key

    def reveal(self) -> str:
        """The key itself, for the one place that sends it."""
        return self._key

    def __repr__(self) -> str:
        return "Secret(…)"

    def __str__(self) -> str:
        return "…"

    def __bool__(self) -> bool:
        return bool(self._key)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not pickled")

    def __copy__(self) -> NoReturn:
        raise TypeError("a secret is not copied")

    def __deepcopy__(self, memo: object) -> NoReturn:
        raise TypeError("a secret is not copied")
