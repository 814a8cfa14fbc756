"""Examples given by the user or written in a docstring."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator

from certo.vocabulary.errors import BadSetting
from certo.vocabulary.guidance import GIVEN, Example
from certo.vocabulary.problem import Target

_HOW = "write a call and what it has to equal, as `total([1, 2]) == 3`, or the lines of a doctest, beginning with >>>"

_PROMPT = re.compile(r"^[ \t]*>>>", re.MULTILINE)
"""The beginning of a line with a doctest prompt."""

_SHOWN_CHARACTERS = 120
"""Maximum length of a malformed example in a message."""

_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""Errors of parsing invalid Python; the last two for code that is nested too deeply."""


def examples_in(text: str, *, after: int = 0) -> tuple[Example, ...]:
    """Return the examples in a text: `call == expected`, or doctest lines; `after` is the number of earlier ones.

    Raises:
        BadSetting: There is no example in it, or one that is no Python.
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
    """Return the example that `call` equals `expected`, both of them expressions.

    Raises:
        BadSetting: One of them is no expression.
    """
    for side in (call, expected):
        try:
            ast.parse(side.strip(), mode="eval")
        except _UNREADABLE as error:
            raise _malformed(side, error) from error
    return Example(id=f"{GIVEN}{number}", source=f"{call.strip()}\n", expected=f"{expected.strip()}\n", equals=True)


def _source_of(expression: ast.expr, source: str) -> str:
    """Return the source of a part of an expression, on one line; line breaks are possible in parentheses only."""
    segment = ast.get_source_segment(source, expression)
    return ast.unparse(expression) if segment is None or "\n" in segment else segment


def _from_doctest(text: str, after: int) -> tuple[Example, ...]:
    try:
        found = importlib.import_module("doctest").DocTestParser().get_examples(text)
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


MAX_ITEMS = 20
"""Maximum number of examples read from one docstring."""

_ARROW = re.compile(r"\s*(?:={1,3}>?|-{1,2}>|➞|→|⇒|returns?\b|should (?:return|be|equal)\b|gives\b)\s*")
_RESULT = r"(?:the |your )?(?:output|result|answer|function) (?:should (?:be|return|equal)|is|returns)"
_SAID = re.compile(rf"\b(?:for|if|when|with|given)\s+(\w+\s*=.*?)[\s,]*\b{_RESULT}:?\s+(.+)", re.IGNORECASE)
_HEADED = re.compile(r"^[ \t]*Inputs?:[ \t]*(\S.*)\n\s*Outputs?:[ \t]*(\S.*)", re.MULTILINE)
_WORDS = {"true": "True", "false": "False", "null": "None", "none": "None"}
_AFTER = "#.,;("
"""Characters that may follow a result: those of a remark or the end of the sentence."""


def written_examples(target: Target) -> tuple[Example, ...]:
    """Return the prose examples of a module-level function, numbered from one; none if it has doctests."""
    if "." in target.qualname or ">>>" in target.docstring:
        return ()
    found = dict.fromkeys([*_called(target), *_valued(target)])
    kept: list[Example] = []
    for call, expected in list(found)[:MAX_ITEMS]:
        try:
            kept.append(example_that(call, expected, number=len(kept) + 1))
        except BadSetting:
            continue
    return tuple(kept)


def _called(target: Target) -> Iterator[tuple[str, str]]:
    """Yield calls of the target with literals, each followed by an arrow and a literal."""
    for line in target.docstring.splitlines():
        for begun in re.finditer(rf"(?<![\w.]){re.escape(target.name)}\(", line):
            call = _first(line[begun.start() :])
            rest = line[begun.start() + len(call) :]
            arrow = _ARROW.match(rest)
            expected = _result(rest[arrow.end() :]) if arrow else None
            if expected is not None and _arguments(call) is not None:
                yield call, expected


def _valued(target: Target) -> Iterator[tuple[str, str]]:
    """Yield arguments of the target, by name or in order, with the literal that results."""
    pairs = [*_SAID.findall(target.docstring), *_HEADED.findall(target.docstring)]
    for given, wanted in pairs:
        pieces = [piece for piece in _pieces(given) if _literal(piece.partition("=")[2] or piece)]
        call = f"{target.name}({', '.join(pieces)})"
        expected = _result(wanted)
        if expected is not None and _arguments(call) == _required(target):
            yield call, expected


def _required(target: Target) -> int:
    """Return the number of parameters of the target."""
    (function,) = ast.parse(f"{target.signature.rstrip().rstrip(':')}: ...").body
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    return len(function.args.args) + len(function.args.kwonlyargs)


def _arguments(call: str) -> int | None:
    """Return the number of arguments of a call with only literals, or None for anything else."""
    try:
        node = ast.parse(call.strip(), mode="eval").body
        if not isinstance(node, ast.Call):
            return None
        values = [*node.args, *(keyword.value for keyword in node.keywords)]
        for value in values:
            ast.literal_eval(value)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None
    return len(values)


def _result(text: str) -> str | None:
    """Return the literal at the beginning of a text, if only a remark follows it."""
    literal = _first(text.strip())
    rest = text.strip()[len(literal) :].strip()
    literal = _WORDS.get(literal, literal)
    return literal if _literal(literal) and (not rest or rest[0] in _AFTER) else None


def _literal(text: str) -> bool:
    try:
        ast.literal_eval(text.strip())
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return False
    return True


def _first(text: str) -> str:
    """Return the beginning of a text up to the first blank or sign outside brackets and quotes."""
    depth = 0
    for place, letter in _outside_quotes(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter in ")]}" and depth == 0:
            return text[: place + 1]
        if depth == 0 and (letter.isspace() or letter in ",;#" or text[place:] == "."):
            return text[:place]
    return text


def _pieces(text: str) -> Iterator[str]:
    """Yield the parts of a text between the commas outside brackets and quotes."""
    depth = start = 0
    for place, letter in _outside_quotes(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            yield text[start:place].strip()
            start = place + 1
    yield text[start:].strip()


def _outside_quotes(text: str) -> Iterator[tuple[int, str]]:
    """Yield the characters of a text outside quotes, with their offsets."""
    quote, escaped = "", False
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote and not escaped else quote
            escaped = letter == "\\" and not escaped
        elif letter in "'\"":
            quote = letter
        else:
            yield place, letter
