"""Excerpts of the project in a prompt: the file around the target, and tests with their messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from certo.edits.definitions import after_docstring, definitions
from certo.edits.offsets import SourceMap
from certo.edits.source import parse, read_source
from certo.generation.model.code_blocks import fenced
from certo.generation.model.conversation import characters_for, shortened
from certo.sandbox.confinement.secrets import is_within, looks_secret
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.guidance import Example
from certo.vocabulary.problem import KnownTest, Problem

MAX_TESTS = 10
"""Maximum number of tests named; further ones mostly fail for the same reason."""

MESSAGE_CHARACTERS = 600
"""Maximum length of a test's message in characters."""


def target_code(problem: Problem) -> str:
    """Return the target with its own indentation, in a block."""
    source = SourceMap(problem.text)
    start = source.line_start(source.line_of(problem.target.span.start))
    return fenced(problem.text[start : problem.target.span.end].replace("\r\n", "\n"))


def selected(problem: Problem) -> str:
    """Return the user's selection within the target; empty if there is none, or it is the whole target."""
    if problem.selected is None or problem.selected == problem.target.span:
        return ""
    source = SourceMap(problem.text)
    head = source.line_of(problem.target.span.start)
    first, last = (source.line_of(place) - head + 1 for place in (problem.selected.start, problem.selected.end))
    start = source.line_start(head + first - 1)
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    shown = fenced(problem.text[start : problem.selected.end].replace("\r\n", "\n"))
    return f"The user has selected {lines} of the function and means these above all:\n\n{shown}"


def file_around(problem: Problem, tokens: int) -> str:
    """Return the target's file in a block: without the target's body, without any bodies, or cut.

    Empty if it contains only the target.
    """
    text, span = problem.text, problem.target.span
    if not tokens or not (text[: span.start] + text[span.end :]).strip():
        return ""
    room = characters_for(tokens)
    shown = _outline(problem, every=False)
    if len(shown) > room:
        shown = _outline(problem, every=True)
    head = shown.find(problem.target.signature)
    if len(shown) > room and head >= 0:
        shown = f"{shortened(shown[:head], room // 2)}{shown[head : head + room // 2]}"
    return fenced(shown.replace("\r\n", "\n"))


def tests_shown(problem: Problem, tests: Sequence[KnownTest], tokens: int) -> str:
    """Return the tests' messages, a line each, and the source of as many tests as fit."""
    if not tests:
        return ""
    lines = [_line(test, problem) for test in tests[:MAX_TESTS]]
    if len(tests) > MAX_TESTS:
        lines.append(f"- and {len(tests) - MAX_TESTS} more")
    return "\n\n".join(["\n".join(lines), *sources_of(problem, [test.id for test in tests[:MAX_TESTS]], tokens)])


def sources_of(problem: Problem, ids: Iterable[str], tokens: int) -> list[str]:
    """Return the source of tests by their ids, a block per file; none for doctests, which are in the target."""
    room = characters_for(tokens)
    by_file: dict[str, list[str]] = {}
    for one in ids:
        path, separator, name = one.partition("::")
        if not separator or not may_quote(problem, path):
            continue
        if (name := name.partition("[")[0]) not in by_file.setdefault(path, []):
            by_file[path].append(name)
    shown: list[str] = []
    for path, names in by_file.items():
        block = fenced("\n\n\n".join(_functions(problem, path, names)))
        if len(block) <= room and len(block.splitlines()) > 2:
            shown.append(f"From {path}:\n\n{block}")
            room -= len(block)
    return shown


def may_quote(problem: Problem, path: str) -> bool:
    """True if a prompt may quote a file: the target's own, or one that git tracks and that is not named like a secret.

    Prompts go to providers of models, and users keep private data out of their repositories.
    """
    if path == problem.path:
        return True
    return not looks_secret(problem.root, path) and not any(is_within(path, place) for place in problem.ignored)


def _line(test: KnownTest, problem: Problem) -> str:
    """Return a test and its message; a docstring example is shown by its source."""
    message = shortened(test.message.strip(), MESSAGE_CHARACTERS)
    name = f"`{test.id}`"
    if test.is_doctest:
        known = {one.id: one for one in (*problem.examples, *problem.guidance.examples)}
        example = known.get(test.id)
        name = f"the example on line {test.id.rpartition(':')[2]}" if example is None else _example(example)
    return f"- {name}: {message}" if message else f"- {name}"


def _example(example: Example) -> str:
    """Return an example by its source, with the expected result if that is not given elsewhere."""
    if example.equals:
        return f"the example `{example.sentence}`"
    shown = f"the example `{example.source.strip()}`"
    return (
        f"{shown}, which has to print `{example.expected.strip()}`" if example.is_given and example.expected else shown
    )


def _functions(problem: Problem, path: str, names: Sequence[str]) -> list[str]:
    """Return the source of functions of a test file, with decorators; none for an unreadable file."""
    text = problem.text if path == problem.path else problem.unsaved.get(path)
    try:
        text = read_source(problem.root / path) if text is None else text
        tree = parse(text)
    except (BadRequest, SyntaxError):
        return []
    wanted = {name.replace("::", ".") for name in names}
    source = SourceMap(text)
    spans = (source.span(each.node) for each in definitions(tree) if each.qualname in wanted)
    return [text[source.line_start(source.line_of(span.start)) : span.end].replace("\r\n", "\n") for span in spans]


def _outline(problem: Problem, *, every: bool) -> str:
    """Return the file with `...` for the body of the target or, with `every`, of all functions not around it."""
    text, target = problem.text, problem.target.span
    source = SourceMap(text)
    parts: list[str] = []
    done = 0
    for each in definitions(parse(text)):
        body = after_docstring(each.node)
        if not body or not (every or source.span(each.node) == target):
            continue
        start, end = source.span(body[0]).start, source.end(each.node)
        if start < done or (start <= target.start and target.end <= end):
            continue
        parts += [text[done:start], "..."]
        done = end
    return "".join([*parts, text[done:]])
