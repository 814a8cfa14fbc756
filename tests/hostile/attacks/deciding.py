"""Candidates whose objects decide what is asserted of them, apart from the tests as well as with them."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent

from hostile.row import Must, Row


@dataclass(frozen=True, kw_only=True)
class Deciding(Row):
    """One such candidate: `attack` is its whole text, and what it gives is wrong."""

    whole: bool = True
    must: Must = Must.WITHHOLD

    def text(self, names: str) -> str:
        """The part that is the same in both processes."""
        return names + dedent(self.attack)


DECIDING = (
    Deciding(
        name="gives_a_number_that_equals_every_number",
        why="a number is what it is, whatever its class says of it",
        must=Must.REJECT,
        attack="""
            class Every(int):
                __hash__ = int.__hash__

                def __eq__(self, other):
                    return isinstance(other, int)

            def double(n):
                return Every(n)
            """,
    ),
    Deciding(
        name="gives_a_number_that_equals_its_neighbours",
        why="as above, and what is far from it the canary asks for in vain",
        attack="""
            class Near(float):
                __hash__ = float.__hash__

                def __eq__(self, other):
                    return abs(float(self) - float(other)) < 100

            def double(n):
                return Near(n)
            """,
    ),
    Deciding(
        name="gives_what_a_library_has_for_anything",
        why="what tests use so as not to care equals anything, and is no result",
        must=Must.REJECT,
        attack="""
            from unittest.mock import ANY

            def double(n):
                return ANY
            """,
    ),
    Deciding(
        name="gives_an_approximation",
        why="as above, with a tolerance",
        attack="""
            import pytest

            def double(n):
                return pytest.approx(n, abs=100)
            """,
    ),
    Deciding(
        name="gives_another_class_by_a_well_known_name",
        why="what a class is called says nothing of its operators",
        must=Must.REJECT,
        attack="""
            class Every:
                def __eq__(self, other):
                    return True

            Every.__module__, Every.__qualname__, Every.__name__ = "fractions", "Fraction", "Fraction"

            def double(n):
                return Every()
            """,
    ),
    Deciding(
        name="gives_what_takes_another_class_when_it_is_compared",
        why="the class of an object may change as often as it likes, and decides nothing",
        must=Must.REJECT,
        attack="""
            class Shy:
                def __eq__(self, other):
                    self.__class__ = Every
                    return self == other

            class Every(Shy):
                def __eq__(self, other):
                    return True

            def double(n):
                return Shy()
            """,
    ),
    Deciding(
        name="gives_what_is_asked_the_other_way_round",
        why="Python asks the right operand where the left one knows nothing",
        must=Must.REJECT,
        attack="""
            class Every:
                def __getattribute__(self, name):
                    return lambda *_: True

                def __eq__(self, other):
                    return NotImplemented if type(other) is Every else True

                __ne__ = lambda self, other: False

            def double(n):
                return Every()
            """,
    ),
    Deciding(
        name="changes_how_numbers_are_taken_in_its_own_process",
        why="what is patched apart from the tests is not what they use",
        must=Must.REJECT,
        attack="""
            import builtins, math

            builtins.abs = lambda number: 0
            math.isclose = lambda *_, **__: True
            class Every(int):
                __eq__ = lambda self, other: True
                __hash__ = int.__hash__
            builtins.int = Every

            def double(n):
                return Every(n)
            """,
    ),
)
