"""Placement of an answer's code: an edit of the target alone, with required imports and helpers inside."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from certo.edits.definitions import Definition, Function, after_docstring, definitions, docstring_of
from certo.edits.offsets import SourceMap
from certo.edits.patch import edits_between, within
from certo.edits.positions import newline_of, with_newlines
from certo.edits.target import definition_of, end_of_head
from certo.generation.model.code_extraction import Extracted, as_body, framed, function_text, parsed, statements
from certo.generation.model.dependencies import Support, supporting
from certo.vocabulary.problem import Goal, Problem, Target
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import Span, TextEdit


def indentation(text: str, offset: int) -> str:
    """Return the blanks between the start of a line and an offset on it; "" if there is other text."""
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    return before if not before.strip() else ""


def reindented(
    source: str, statements: Sequence[ast.stmt], to: str, *, span: Span | None = None, docstring: bool = False
) -> str:
    r"""Return the lines of adjacent statements of `source`, indented by `to`, with \n between the lines.

    `span` is the range of source to use if it is more than the statements, such as comments before them.
    The lines of a string stay as they are, or its value would change; only a `docstring` moves as a whole.
    """
    places = SourceMap(source)
    span = span or Span(places.span(statements[0]).start, places.end(statements[-1]))
    first = places.line_of(span.start)
    fixed = set() if docstring else set(_string_lines(source, statements))
    margins = (indentation(source, places.span(each).start) for each in statements)
    margin = next(filter(None, margins), "")
    opening, *others = source[span.start : span.end].split("\n")
    lines = [to + opening.strip(" \t;")] if opening.strip(" \t;") else []
    if lines and first in fixed:
        lines = [to + opening.lstrip(" \t;")]
    for number, line in enumerate(others, first + 1):
        if number in fixed:
            lines.append(line)
        elif not line.strip():
            lines.append("")
        elif line.startswith(margin):
            lines.append(to + line[len(margin) :])
        else:
            lines.append(line if docstring else to + line.lstrip(" \t"))
    return "\n".join(lines).strip("\n")


def _string_lines(source: str, statements: Sequence[ast.stmt]) -> Iterator[int]:
    """Yield the 1-based lines that begin within a string."""
    places = SourceMap(source)
    for statement in statements:
        for node in ast.walk(statement):
            if not isinstance(node, ast.Constant | ast.JoinedStr) or node.lineno == node.end_lineno:
                continue
            span = places.span(node)
            text = source[span.start : span.end]
            # Several strings side by side are one node; only within one of these may the lines not move.
            if '"""' in text or "'''" in text or "\\\n" in text:
                yield from range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)


UNIT = "    "
"""Default indentation of a body below its function."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Edits that put an answer's code in place of the target; `moved` counts outside statements put into it."""

    edits: tuple[TextEdit, ...]
    moved: int = 0


def place_code(extracted: Extracted, problem: Problem) -> Placement | str:
    """Return edits that put code in place of the target, or a sentence for the model why that is impossible.

    A function with the target's name and parameters contributes only its body: head, decorators and docstring stay. One
    with other parameters replaces the whole, so that the signature verifier can report it; so does one that does not
    parse. Required imports and definitions beside the function go into its body.
    """
    try:
        return _placed(extracted, problem)
    except RecursionError:
        return "it is too deeply nested to be read"


def sketch(extracted: Extracted, problem: Problem) -> tuple[TextEdit, ...]:
    """Return the edits of an unfinished answer for display: its whole lines, parsable or not."""
    code = extracted.code if extracted.whole else extracted.code[: extracted.code.rfind("\n") + 1]
    placement = place_code(replace(extracted, code=code), problem) if code.strip() else ""
    return () if isinstance(placement, str) else placement.edits


@dataclass(frozen=True, slots=True)
class PlacedCode:
    """The text that contains an answer's function, and the parts around it that the function needs."""

    source: str
    support: tuple[Support, ...]


def _placed(extracted: Extracted, problem: Problem) -> Placement | str:
    target, code = problem.target, extracted.code
    tree = parsed(code)
    if tree is None:
        return _as_text(code, problem)
    found = _find(tree, target)
    if found is None:
        if any(isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) for each in statements(tree)):
            return f"there was no function named `{target.name}` in it"
        return _as_body(code, tree, problem)
    original = definition_of(problem.text, target)
    if original is None:
        raise ValueError(f"{target.qualname} is not in the problem's own text")
    source = framed(code)
    if not _same_head(original.node, found.node):
        span = SourceMap(source).span(found.node)
        return _whole(indentation(source, span.start) + source[span.start : span.end], problem)
    support = supporting(found.node, (tree, source), extracted.imports, problem.text)
    return _under_its_head(original.node, found.node, PlacedCode(source, support), problem)


def _find(tree: ast.Module, target: Target) -> Definition | None:
    """Return the intended function: by its qualified name, else by its name alone."""
    every = list(definitions(tree))
    for same in (
        [each for each in every if each.qualname == target.qualname],
        [each for each in every if each.node.name == target.name],
    ):
        if same:
            return same[target.number] if len(same) > target.number else same[-1]
    return None


def _same_head(old: Function, new: Function) -> bool:
    """True if the new function may keep the old head: annotations and decorators may be missing."""
    decorators = {ast.dump(each) for each in old.decorator_list}
    return (
        type(old) is type(new)
        and _parameters(old.args) == _parameters(new.args)
        and all(ast.dump(each) in decorators for each in new.decorator_list)
    )


def _parameters(arguments: ast.arguments) -> tuple[object, ...]:
    """Return the parameters by name, kind and default."""
    lists = (arguments.posonlyargs, arguments.args, arguments.kwonlyargs)
    names = tuple(tuple(each.arg for each in several) for several in lists)
    stars = tuple(each.arg if each else None for each in (arguments.vararg, arguments.kwarg))
    defaults = tuple(ast.dump(each) if each else None for each in (*arguments.defaults, *arguments.kw_defaults))
    return names, stars, defaults


def _under_its_head(old: Function, new: Function, code: PlacedCode, problem: Problem) -> Placement:
    """Replace the text after the old head and docstring by the new function's body."""
    keep = docstring_of(old) is not None and not (problem.goal is Goal.REWRITE and docstring_of(new) is not None)
    to = _body_margin(problem, old)
    lines = [] if keep or docstring_of(new) is None else [reindented(code.source, (new.body[0],), to, docstring=True)]
    lines += [reindented(each.source, (each.statement,), to) for each in code.support]
    body = tuple(after_docstring(new))
    if body:
        start, end = _behind_head(code.source, new, keep=True), SourceMap(code.source).end(new)
        lines.append(reindented(code.source, body, to, span=Span(start, end)))
    start = _behind_head(problem.text, old, keep=keep)
    text = "\n".join(lines or [f"{to}..."])
    return _edited(problem, Span(start, problem.target.span.end), f"\n{text}", moved=len(code.support))


def _behind_head(text: str, node: Function, *, keep: bool) -> int:
    """Return the offset at which a body begins: after the head and, with `keep`, after the docstring.

    A comment on the same line belongs to the text before it.
    """
    source = SourceMap(text)
    docstring = docstring_of(node) if keep else None
    start = end_of_head(node, text, source) if docstring is None else source.end(docstring)
    rest = re.match(r"[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|$)", text[start:])
    return start + rest.end() if rest else start


def _body_margin(problem: Problem, node: Function) -> str:
    """Return the indentation of the target's body: its current one, or one step more than its head."""
    source = SourceMap(problem.text)
    first = node.body[0]
    if first.lineno > node.lineno and (found := indentation(problem.text, source.span(first).start)):
        return found
    line = source.line_text(node.lineno)
    return line[: len(line) - len(line.lstrip())] + UNIT


def _as_body(code: str, tree: ast.Module, problem: Problem) -> Placement | str:
    """Use statements without a function around them as the target's new body."""
    original = definition_of(problem.text, problem.target)
    if original is None or as_body(code) is None:
        return "there was nothing in it that could stand in the function"
    keep = docstring_of(original.node) is not None
    text = reindented(framed(code), tuple(statements(tree)), _body_margin(problem, original.node))
    start = _behind_head(problem.text, original.node, keep=keep)
    return _edited(problem, Span(start, problem.target.span.end), f"\n{text}")


def _as_text(code: str, problem: Problem) -> Placement | str:
    """Put unparsable code where it was meant to go; the syntax verifier will report the error."""
    function = function_text(code, problem.target.name)
    if not function:
        return "it is no Python, and there was no function in it that could be told apart"
    return _whole(function, problem)


def _whole(function: str, problem: Problem) -> Placement:
    """Replace the whole target, except decorators that the new function lacks."""
    source = SourceMap(problem.text)
    span = problem.target.span
    if not function.lstrip().startswith("@"):
        line = source.line_text(problem.target.line)
        span = Span(source.line_start(problem.target.line) + len(line) - len(line.lstrip()), span.end)
    lines = function.split("\n")
    old = next((line[: len(line) - len(line.lstrip())] for line in lines if line.strip()), "")
    to = indentation(problem.text, span.start)
    moved = [to + line.removeprefix(old) if line.strip() else "" for line in lines]
    return _edited(problem, span, "\n".join(moved).removeprefix(to))


def _edited(problem: Problem, span: Span, replacement: str, *, moved: int = 0) -> Placement:
    """Return small edits with the same effect as one replacement of a span."""
    old = problem.text
    new = old[: span.start] + with_newlines(replacement, newline_of(old)) + old[span.end :]
    edits = edits_between(old, new)
    whole = (TextEdit(span, with_newlines(replacement, newline_of(old))),)
    return Placement(edits=edits if within(edits, problem.target.span) else whole, moved=moved)
