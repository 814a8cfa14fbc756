"""Doctest examples, including those that compare values instead of output."""

from __future__ import annotations

import doctest
import sys
from typing import Any, Callable, Dict

from certo_worker.canary.wrong_values import other_than

Show = Callable[[object], None]
"""Display function for the value of an expression, as `sys.displayhook`."""


class Equality(doctest.Example):
    """An example that holds if the value of its source equals that of `expected`, whatever else is printed."""

    def __init__(self, source: str, expected: str) -> None:
        super().__init__(source, expected)
        self.expected = expected.strip()

    def showing(self, names: Dict[str, Any], *, broken: bool = False) -> Show:
        """Return a display function that prints what doctest expects if the value is right.

        `names` are the globals for the expectation. If the example is `broken` on purpose, only a value that equals
        something else as well is right.
        """

        def show(value: object) -> None:
            expected = eval(self.expected, names)
            if broken:
                other = other_than(expected)
                holds = value == other or other == value
            else:
                holds = value == expected
            printed: Any = sys.stdout  # doctest has put a StringIO there, which takes up again where it is cut
            printed.truncate(0)
            printed.write(self.want if holds else repr(value) + "\n")

        return show


def example_of(source: str, expected: str, *, equals: bool) -> doctest.Example:
    """Return the example that runs this source and prints, or with `equals` is, the expected result."""
    if equals:
        return Equality(source, expected)
    first, *more = source.splitlines() or [""]
    lines = [">>> " + first, *("... " + line for line in more), *expected.splitlines()]
    (example,) = doctest.DocTestParser().get_examples("\n".join(lines) + "\n")
    return example


def show_values_of(example: doctest.Example, names: Dict[str, Any], *, broken: bool = False) -> None:
    """Make the value of an example displayed as it requires; called just before doctest runs it."""
    hook = example.showing(names, broken=broken) if isinstance(example, Equality) else sys.__displayhook__
    sys.displayhook = hook
