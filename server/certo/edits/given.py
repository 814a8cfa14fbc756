"""Reading the examples that a user gives besides those in the docstring."""

from __future__ import annotations

import ast
import doctest
import re

from certo.vocabulary.errors import BadSetting
from certo.vocabulary.example import GIVEN, Example

_HOW = "write a call and what it has to equal, as `total([1, 2]) == 3`, or the lines of a doctest, beginning with >>>"

_PROMPT = re.compile(r"^[ \t]*>>>", re.MULTILINE)
"""How a line of a doctest begins."""

_SHOWN_CHARACTERS = 120
"""How much of a malformed example is repeated."""

_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What Python says of a text that is none of its own; the last two where it is nested too deeply."""


def examples_in(text: str, *, after: int = 0) -> tuple[Example, ...]:
    """The examples in a text: `call == expected`, or the lines of a doctest; `after` is how many there are already.

    Raises:
        BadSetting: there is no example in it, or one that is no Python.
    """
    if _PROMPT.search(text):
        return _from_doctest(text, after)
    source = text.strip()
    try:
        expression = ast.parse(source, mode="eval").body
    except _UNREADABLE as error:
        raise _malformed(text, error) from error
    match expression:
        case ast.Compare(left=call, ops=[ast.Eq()], comparators=[expected]):
            return (example_that(_source_of(call, source), _source_of(expected, source), number=after + 1),)
        case _:
            raise BadSetting(f"the example {_shown(text)} does not say what is expected; {_HOW}")


def example_that(call: str, expected: str, *, number: int) -> Example:
    """The example that a call has to equal what is expected, both of them expressions.

    Raises:
        BadSetting: one of them is none.
    """
    for side in (call, expected):
        try:
            ast.parse(side.strip(), mode="eval")
        except _UNREADABLE as error:
            raise _malformed(side, error) from error
    return Example(id=f"{GIVEN}{number}", source=f"{call.strip()}\n", expected=f"{expected.strip()}\n", equals=True)


def _source_of(expression: ast.expr, source: str) -> str:
    """The source of a part of an expression; on one line, for it may have stood on several only within parentheses."""
    segment = ast.get_source_segment(source, expression)
    return ast.unparse(expression) if segment is None or "\n" in segment else segment


def _from_doctest(text: str, after: int) -> tuple[Example, ...]:
    try:
        found = doctest.DocTestParser().get_examples(text)
        for each in found:
            ast.parse(each.source)
    except _UNREADABLE as error:
        raise _malformed(text, error) from error
    if not any(each.want for each in found):
        raise BadSetting(f"the example {_shown(text)} does not say what is expected; {_HOW}")
    return tuple(
        Example(id=f"{GIVEN}{number}", source=each.source, expected=each.want)
        for number, each in enumerate(found, after + 1)
    )


def _malformed(text: str, error: Exception) -> BadSetting:
    if isinstance(error, RecursionError | MemoryError):
        said = "it is nested too deeply"
    else:
        said = error.msg if isinstance(error, SyntaxError) else str(error)
    return BadSetting(f"the example {_shown(text)} cannot be read: {said}; {_HOW}")


def _shown(text: str) -> str:
    shown = repr(text.strip())
    return shown if len(shown) <= _SHOWN_CHARACTERS else f"{shown[:_SHOWN_CHARACTERS]}…"
