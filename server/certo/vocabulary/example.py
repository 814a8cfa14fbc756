"""What one call of the target has to come to."""

from __future__ import annotations

from dataclasses import dataclass

GIVEN = "example "
"""How the ids of examples begin that the user gave besides those in the docstring; their number follows."""


def is_given(test: str) -> bool:
    """Whether a test of this id is an example that the user gave."""
    return test.startswith(GIVEN) and test.removeprefix(GIVEN).isdecimal()


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Source to run, and what it must print, as in a doctest.

    `id` is that of its KnownTest: `doctest:<qualname>:<line>` when it stands in the target's docstring, `example 1` and
    so on when it was given besides. Where `equals` is set, `expected` is an expression that the value of the source has
    to equal, however either is printed.
    """

    id: str
    source: str
    expected: str
    equals: bool = False

    @property
    def is_given(self) -> bool:
        """Whether the user gave it, and it stands in no docstring."""
        return is_given(self.id)

    @property
    def sentence(self) -> str:
        """The example as one would write it: `total([1, 2]) == 3`, or the lines of a doctest."""
        if self.equals:
            return f"{self.source.strip()} == {self.expected.strip()}"
        first, *more = self.source.splitlines() or [""]
        return "\n".join([f">>> {first}", *(f"... {line}" for line in more), *self.expected.splitlines()])
