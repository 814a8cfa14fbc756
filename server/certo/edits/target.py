"""Search for the target function, by name or by position."""

from __future__ import annotations

import ast
import difflib
import importlib
import re
import unicodedata
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from certo.edits.definitions import Definition, after_docstring, definitions, docstring_of, is_hole
from certo.edits.offsets import SourceMap
from certo.edits.source import parse, parse_source
from certo.vocabulary.errors import BadRequest, BadSource, TargetNotFound
from certo.vocabulary.guidance import Example
from certo.vocabulary.problem import SecondFunction, Target
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import Span

_UP_TO_COLON = re.compile(r"(?:[^#:]|#[^\r\n]*+)*+:")
"""Text between the last name or expression of a function's head and its colon; comments may contain colons."""


_TEST_ID = re.compile(r"(?P<file>.+?\.py)::(?P<names>[^\[\]:]+(?:::[^\[\]:]+)*)(?:\[.*\])?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ByName:
    """A function by its qualified name; `<locals>` may be left out: "f", "Class.method", "outer.inner".

    `number` selects one of several with that name, counted from 0; None is the last, or the getter of a property.
    """

    qualname: str
    number: int | None = None

    @classmethod
    def of(cls, target: Target) -> ByName:
        """Return the reference by which a target is found again after its file has changed."""
        return cls(target.qualname, target.number)


@dataclass(frozen=True, slots=True)
class ByLine:
    """The innermost function on a 1-based line."""

    line: int


@dataclass(frozen=True, slots=True)
class ByOffset:
    """The innermost function on the line of an offset into the text."""

    offset: int


Place: TypeAlias = ByName | ByLine | ByOffset


def split_target(words: str) -> tuple[Path, Place]:
    """Read FILE::QUALNAME, FILE:LINE or the name that pytest prints for a test; the file's name may contain colons.

    pytest writes FILE.py::Class::test[case], which is the function Class.test here: all of its cases are looked at.

    Raises:
        BadRequest: It is none of them.
    """
    if as_pytest := _TEST_ID.fullmatch(words):
        return Path(as_pytest["file"]).expanduser(), ByName(as_pytest["names"].replace("::", "."))
    file, separator, name = words.rpartition("::")
    if separator and file and name and ":" not in name:
        return Path(file).expanduser(), ByName(name)
    file, separator, line = words.rpartition(":")
    if separator and file and line.isdecimal() and int(line) > 0:
        return Path(file).expanduser(), ByLine(int(line))
    raise BadRequest(
        f"{words!r} names no function; write FILE::NAME, as in shop.py::total or shop.py::Basket.total, or FILE:LINE"
    )


def find_target(text: str, where: Place, *, path: str) -> Target:
    """Return the function at a place of a document, called `path` in messages.

    Of several definitions of one name (overloads, branches) the last is found by name, but of a property its getter;
    each is found by its lines, a setter for instance. A comment indented as part of a function belongs to it.

    Raises:
        BadSource: The text does not parse.
        TargetNotFound: There is no function there; the message lists the available ones.
    """
    parse_source(text, path)
    found = functions(text)
    if isinstance(where, ByName):
        return _by_name(found, where, text, path)
    source = SourceMap(text)
    line = where.line if isinstance(where, ByLine) else source.line_of(min(max(where.offset, 0), len(text)))
    if not 1 <= line <= source.lines:
        raise TargetNotFound(f"{path}:{line}: the file has {source.lines} lines; name one of them, or a function")
    target = _by_line(found, line, source)
    if target is None:
        near = sorted(found, key=lambda each: abs(each.line - line))[:3]
        raise TargetNotFound(f"{path}:{line}: there is no function on this line; {_listed(near)}")
    return target


@lru_cache(maxsize=8)
def functions(text: str) -> tuple[Target, ...]:
    """Return every function of a text that parses, methods and nested functions included, in order.

    Cached like the tree itself: an editor asks about one place after another of the same text.
    """
    source = SourceMap(text)
    before: Counter[str] = Counter()
    found = []
    for definition in definitions(parse(text)):
        name = _short(definition.qualname)
        found.append(_target(definition, text, source, number=before[name]))
        before[name] += 1
    return tuple(found)


def with_second(target: Target, path: str, second: SecondFunction) -> Target:
    """Return a target of the document `path` that candidates may change together with a second function.

    If both stand in that document, the target is the one that stands first.

    Raises:
        BadRequest: One of them is a part of the other, or both are parts of one function.
    """
    if second.path != path:
        return replace(target, second=second)
    first, last = sorted((target, second.target), key=lambda each: each.span.start)
    if _outermost(first) == _outermost(last) or first.span.end > last.span.start:
        raise BadRequest(f"{first.short_name} and {last.short_name} are parts of one function; name that one")
    hull = Span(first.span.start, last.span.end)
    return replace(first, span=hull, second=SecondFunction(path=path, target=last))


def find_again(text: str, target: Target, *, path: str) -> Target:
    """Return a target of another version of its document, with its second function if that stands there too.

    Raises:
        BadSource: The text does not parse.
        BadRequest: One of them is gone, or is a part of the other.
    """
    found = find_target(text, ByName.of(target), path=path)
    second = target.second
    if second is not None and second.path == path:
        second = SecondFunction(path=path, target=find_target(text, ByName.of(second.target), path=path))
    return found if second is None else with_second(found, path, second)


def _outermost(target: Target) -> str:
    return target.qualname.partition(".<locals>.")[0]


def accessors_beside(target: Target, text: str) -> tuple[Target, ...]:
    """Return the other functions of a property that a target is the getter, setter or deleter of."""
    same = [each for each in functions(text) if _short(each.qualname) == _short(target.qualname)]
    if not any(_changes_a_property(each, text) for each in same):
        return ()
    return tuple(each for each in same if each.span != target.span)


def definition_of(text: str, target: Target) -> Definition | None:
    """Return the definition with the target's name and start, or None."""
    source = SourceMap(text)
    for definition in definitions(parse(text)):
        if definition.qualname == target.qualname and source.span(definition.node).start == target.span.start:
            return definition
    return None


def examples(target: Target, text: str) -> tuple[Example, ...]:
    """Return the doctest examples in the target's docstring, each with an id that has its line in the text.

    Raises:
        BadSource: The docstring holds a malformed example.
    """
    definition = definition_of(text, target)
    docstring = docstring_of(definition.node) if definition else None
    if docstring is None or ">>>" not in str(docstring.value):
        return ()
    # It imports unittest and a debugger.
    doctest = importlib.import_module("doctest")
    try:
        parsed = doctest.DocTestParser().get_examples(str(docstring.value), target.qualname)
    except ValueError as error:
        raise BadSource(f"{target.qualname}: the docstring at line {docstring.lineno}: {error}; correct it") from error
    return tuple(
        Example(
            id=f"doctest:{target.qualname}:{docstring.lineno + each.lineno}", source=each.source, expected=each.want
        )
        for each in parsed
    )


def _by_name(found: tuple[Target, ...], where: ByName, text: str, path: str) -> Target:
    # Python normalizes identifiers to this form.
    wanted = _short(unicodedata.normalize("NFKC", where.qualname))
    same = [target for target in found if _short(target.qualname) == wanted]
    if same and where.number is not None:
        return same[min(where.number, len(same) - 1)]
    if same:
        # The name of a property means its getter.
        return next((each for each in reversed(same) if not _changes_a_property(each, text)), same[-1])
    names = {_short(target.qualname): target for target in found}
    near = difflib.get_close_matches(wanted, names, n=3, cutoff=0.5)
    same_last = [name for name in names if name.rpartition(".")[2] == wanted.rpartition(".")[2]]
    likely = list(dict.fromkeys([*same_last, *near]))[:5] or list(names)[:10]
    raise TargetNotFound(
        f"{path}: there is no function {where.qualname!r}; {_listed([names[name] for name in likely])}"
    )


def _changes_a_property(target: Target, text: str) -> bool:
    """True if a target is the setter or deleter of a property."""
    definition = definition_of(text, target)
    return definition is not None and any(
        isinstance(each, ast.Attribute)
        and each.attr in ("setter", "deleter")
        and isinstance(each.value, ast.Name)
        and each.value.id == target.name
        for each in definition.node.decorator_list
    )


def _short(qualname: str) -> str:
    return qualname.replace(".<locals>.", ".")


def _listed(targets: list[Target]) -> str:
    """Return the functions that the user can name instead, as the end of a sentence."""
    if not targets:
        return "the file has none, so write its signature first"
    return "name one, such as " + ", ".join(f"{_short(each.qualname)} (line {each.line})" for each in targets)


def _by_line(found: tuple[Target, ...], line: int, source: SourceMap) -> Target | None:
    code = line
    while code > 1 and source.line_text(code).lstrip()[:1] in {"", "#"} and not _covering(found, code, source):
        code -= 1
    covering = _covering(found, code, source)
    if code != line:
        indent = _indent(source.line_text(line))
        covering = [each for each in covering if _indent(source.line_text(each.line)) < indent]
    return covering[-1] if covering else None


def _covering(found: tuple[Target, ...], line: int, source: SourceMap) -> list[Target]:
    """Return the functions that have a part on a line, outermost first."""
    return [each for each in found if source.line_of(each.span.start) <= line <= source.line_of(each.span.end)]


def _indent(line: str) -> int:
    """Return the indentation of a line in columns; 0 for a blank one."""
    content = line.expandtabs(8)
    return len(content) - len(content.lstrip()) if content.strip() else 0


def _target(definition: Definition, text: str, source: SourceMap, *, number: int) -> Target:
    node = definition.node
    start = source.offset(node.lineno, node.col_offset)
    return Target(
        qualname=definition.qualname,
        span=source.span(node),
        body=_body(definition, source),
        line=node.lineno,
        signature=text[start : end_of_head(node, text, source)],
        docstring=ast.get_docstring(node) or "",
        is_hole=is_hole(definition),
        number=number,
    )


def _body(definition: Definition, source: SourceMap) -> Span:
    """Return the span that a new body replaces.

    It runs from the first statement after the docstring (without its indentation) to the end of the last statement,
    without a trailing comment. If there is only a docstring, it is empty and right after the docstring, so that a new
    body there must begin with a line break.
    """
    end = source.end(definition.node)
    statements = after_docstring(definition.node)
    return Span(source.span(statements[0]).start if statements else end, end)


def end_of_head(node: ast.FunctionDef | ast.AsyncFunctionDef, text: str, source: SourceMap) -> int:
    """Return the offset behind the colon that ends a function's head."""
    start = source.offset(node.lineno, node.col_offset)
    arguments = node.args
    last = [
        *arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *arguments.defaults,
        *(default for default in arguments.kw_defaults if default is not None),
        *(each for each in (arguments.vararg, arguments.kwarg, node.returns) if each is not None),
        *getattr(node, "type_params", ()),
    ]  # fmt: skip
    searched_from = max((source.end(each) for each in last), default=start)
    colon = _UP_TO_COLON.match(text, searched_from)
    return colon.end() if colon else searched_from
