"""Examples that a docstring writes out in prose: `f(2, 3) == 5`, `f(2) -> 4`, “For x = 2 the output should be 4”.

Only what leaves no doubt is one: a call of the function itself, or values for its parameters by their names, all of
them literals, with a literal for the result, after one of the usual arrows, words or headings. Whoever writes a stub
means them to hold, doctests or not.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from certo.edits.given import example_that
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.example import Example
from certo.vocabulary.problem import Target

MOST = 20
"""So many examples of one docstring are read at most."""

_ARROW = re.compile(r"\s*(?:={1,3}>?|-{1,2}>|➞|→|⇒|returns?\b|should (?:return|be|equal)\b|gives\b)\s*")
_RESULT = r"(?:the |your )?(?:output|result|answer|function) (?:should (?:be|return|equal)|is|returns)"
_SAID = re.compile(rf"\b(?:for|if|when|with|given)\s+(\w+\s*=.*?)[\s,]*\b{_RESULT}:?\s+(.+)", re.IGNORECASE)
_HEADED = re.compile(r"^[ \t]*Inputs?:[ \t]*(\S.*)\n\s*Outputs?:[ \t]*(\S.*)", re.MULTILINE)
_WORDS = {"true": "True", "false": "False", "null": "None", "none": "None"}
_AFTER = "#.,;("
"""How whatever follows a result may begin: a remark, or the end of the sentence."""


def written_examples(target: Target) -> tuple[Example, ...]:
    """The examples of a function at the top of its module, numbered from one on; none where it has doctests."""
    if "." in target.qualname or ">>>" in target.docstring:
        return ()
    found = dict.fromkeys([*_called(target), *_valued(target)])
    kept: list[Example] = []
    for call, expected in list(found)[:MOST]:
        try:
            kept.append(example_that(call, expected, number=len(kept) + 1))
        except BadSetting:
            continue
    return tuple(kept)


def _called(target: Target) -> Iterator[tuple[str, str]]:
    """Calls of the target with literals, each followed by an arrow and a literal."""
    for line in target.docstring.splitlines():
        for begun in re.finditer(rf"(?<![\w.]){re.escape(target.name)}\(", line):
            call = _first(line[begun.start() :])
            rest = line[begun.start() + len(call) :]
            arrow = _ARROW.match(rest)
            expected = _result(rest[arrow.end() :]) if arrow else None
            if expected is not None and _arguments(call) is not None:
                yield call, expected


def _valued(target: Target) -> Iterator[tuple[str, str]]:
    """Values for the parameters, by their names or in their order, with the literal that comes of them."""
    pairs = [*_SAID.findall(target.docstring), *_HEADED.findall(target.docstring)]
    for given, wanted in pairs:
        pieces = [piece for piece in _pieces(given) if _literal(piece.partition("=")[2] or piece)]
        call = f"{target.name}({', '.join(pieces)})"
        expected = _result(wanted)
        if expected is not None and _arguments(call) == _required(target):
            yield call, expected


def _required(target: Target) -> int:
    """How many parameters the target has."""
    (function,) = ast.parse(f"{target.signature.rstrip().rstrip(':')}: ...").body
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    return len(function.args.args) + len(function.args.kwonlyargs)


def _arguments(call: str) -> int | None:
    """How many arguments a call has, all of them literals; None for what is no such call."""
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
    """The literal that a text begins with, if nothing but a remark follows it."""
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
    """What a text begins with: as far as its brackets and quotes are open, and from there to the next blank or sign."""
    depth = 0
    for place, letter in _outside_quotes(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter in ")]}" and depth == 0:
            return text[: place + 1]
        if depth == 0 and (letter.isspace() or letter in ",;#" or text[place:] == "."):
            return text[:place]
    return text


def _pieces(text: str) -> Iterator[str]:
    """The parts of a text between the commas that stand in no brackets and no quotes."""
    depth = start = 0
    for place, letter in _outside_quotes(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            yield text[start:place].strip()
            start = place + 1
    yield text[start:].strip()


def _outside_quotes(text: str) -> Iterator[tuple[int, str]]:
    """The characters of a text that stand in no quotes, with their places."""
    quote, escaped = "", False
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote and not escaped else quote
            escaped = letter == "\\" and not escaped
        elif letter in "'\"":
            quote = letter
        else:
            yield place, letter
