"""The functions that differ from a revision, those that were moved or renamed, and those that call changed ones."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from difflib import SequenceMatcher
from pathlib import Path

from certo.edits.definitions import definitions
from certo.edits.outside_functions import outside_functions
from certo.edits.source import parse, read_source
from certo.edits.target import ByName, find_target
from certo.project.listing import list_files
from certo.project.revisions import Revision
from certo.project.testfiles import is_test_file
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Target
from certo.vocabulary.records import dataclass

LIKENESS = 0.6
"""The least share of equal nodes by which a new function is taken for one that is gone: it was moved or renamed."""

MAX_CALLERS = 50
"""Maximum number of callers that are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFunction:
    """A function that differs from an older version, or, if `is_new`, is not in it; `size` is that of the change.

    One that was moved or renamed was at `moved` there: the path, and the function in it. A function that only calls
    changed ones is a caller.
    """

    path: str
    target: Target
    is_new: bool = False
    is_caller: bool = False
    size: int = 0
    moved: tuple[str, ByName] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Function:
    """A function of one version: the lines of its syntax tree, without its name."""

    path: str
    qualname: str
    number: int
    name: str
    lines: tuple[str, ...]

    @property
    def owner(self) -> str:
        """The class that it is in; empty for one of a module."""
        return self.qualname.rpartition(".")[0]

    def changes_to(self, other: _Function) -> int:
        """Return how many nodes differ."""
        return sum(
            max(there - here, other_there - other_here)
            for kind, here, there, other_here, other_there in _matched(self, other).get_opcodes()
            if kind != "equal"
        )


def _matched(one: _Function, other: _Function) -> SequenceMatcher[str]:
    return SequenceMatcher(None, one.lines, other.lines, autojunk=False)


def changed_functions(
    now: Mapping[str, str], before: Mapping[str, str | None], deleted: list[str] | None = None
) -> Iterator[ChangedFunction]:
    """Yield the functions whose syntax tree differs from the older one; nested ones count as their outer.

    `now` and `before` are texts by path. Those that are in no text any more are added to `deleted`.
    """
    own = {key: one for path, text in now.items() for key, one in _functions(path, text).items()}
    older = {
        key: one for path, text in before.items() if text is not None for key, one in _functions(path, text).items()
    }
    gone = {key: one for key, one in older.items() if key not in own}
    made_of = _matches({key: one for key, one in own.items() if key not in older}, gone)
    for key, one in own.items():
        previous = older.get(key) or made_of.get(key)
        is_moved = key in made_of
        if previous is not None and not is_moved and previous.lines == one.lines:
            continue
        yield ChangedFunction(
            path=one.path,
            target=find_target(now[one.path], ByName(one.qualname, one.number), path=one.path),
            is_new=previous is None,
            size=len(one.lines) if previous is None else one.changes_to(previous),
            moved=(previous.path, ByName(previous.qualname, previous.number)) if previous and is_moved else None,
        )
    if deleted is not None:
        kept = {(one.path, one.qualname, one.number) for one in made_of.values()}
        deleted += [f"{one.path}::{one.qualname}" for key, one in gone.items() if key not in kept]


_Key = tuple[str, str, int]


def _matches(fresh: Mapping[_Key, _Function], gone: Mapping[_Key, _Function]) -> dict[_Key, _Function]:
    """Return the function that each new one was most likely made of, if any is alike; the likest pairs come first.

    Both are in the same class.
    """
    pairs = [
        (-alike.ratio(), one.name != other.name, key, other_key)
        for key, one in fresh.items()
        for other_key, other in gone.items()
        if other.owner == one.owner and (alike := _matched(one, other)).quick_ratio() >= LIKENESS
    ]
    found: dict[_Key, _Function] = {}
    taken: set[_Key] = set()
    for ratio, _, key, other_key in sorted(pairs):
        if -ratio >= LIKENESS and key not in found and other_key not in taken:
            found[key] = gone[other_key]
            taken.add(other_key)
    return found


def _functions(path: str, text: str) -> dict[_Key, _Function]:
    """Return the functions of a text by path, qualified name and number; none of a text that is no Python."""
    found: dict[_Key, _Function] = {}
    seen: dict[str, int] = {}
    try:
        tree = parse(text)
    except SyntaxError:
        return {}
    for definition in definitions(tree):
        if "<locals>" not in definition.qualname:
            number = seen.get(definition.qualname, 0)
            seen[definition.qualname] = number + 1
            name = definition.node.name
            lines = tuple(ast.dump(definition.node, indent=0).replace(f"name={name!r}", "name=", 1).splitlines())
            found[path, definition.qualname, number] = _Function(
                path=path, qualname=definition.qualname, number=number, name=name, lines=lines
            )
    return found


async def changed_since(revision: Revision, texts: Mapping[str, str | None]) -> list[ChangedFunction]:
    """Return the functions that differ from a revision, the most changed first; tests are left out.

    `texts` are the files that differ, as they are there.
    """
    kept = {path: text for path, text in texts.items() if not is_test_file(path)}
    now = {path: text for path in kept if (text := _read(revision.root / path)) is not None}
    found = list(changed_functions(now, kept))
    return sorted(found, key=lambda one: (one.is_new, -one.size, one.path, one.target.line))


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Everything that differs from a revision: `functions` in the order of the text, and what is not among them.

    `deleted` are functions that are gone. `unreadable` has the reason for each file that is no Python now. In the files
    `outside`, code beside the functions differs. `test_files` differ too. `texts` are the older ones of all files.
    """

    functions: tuple[ChangedFunction, ...] = ()
    deleted: tuple[str, ...] = ()
    unreadable: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    outside: tuple[str, ...] = ()
    test_files: tuple[str, ...] = ()
    texts: Mapping[str, str | None] = field(default_factory=dict)


async def changes_since(revision: Revision, texts: Mapping[str, str | None], environ: Mapping[str, str]) -> Changes:
    """Return all that differs from a revision, files included that git does not know yet.

    `texts` are the files that differ, as they are there.
    """
    fresh = set(await revision.new_files()) - set(texts)
    listed = {one.path for one in (await list_files(revision.root, environ)).files} if fresh else set()
    before = {**texts, **dict.fromkeys(sorted(fresh & listed))}
    unreadable: dict[str, tuple[int, str]] = {}
    now: dict[str, str] = {}
    for path in before:
        if is_test_file(path) or not (revision.root / path).is_file():
            continue
        try:
            now[path] = read_source(revision.root / path)
            parse(now[path])
        except SyntaxError as error:
            unreadable[path] = error.lineno or 1, f"it is no valid Python: {error.msg}, line {error.lineno}"
        except BadRequest as error:
            unreadable[path] = 1, str(error)
    readable = {path: text for path, text in before.items() if not is_test_file(path) and path not in unreadable}
    deleted: list[str] = []
    own = {path: text for path, text in now.items() if path not in unreadable}
    found = sorted(changed_functions(own, readable, deleted), key=lambda one: (one.path, one.target.line))
    return Changes(
        functions=tuple(found),
        deleted=tuple(deleted),
        unreadable=unreadable,
        outside=tuple(path for path, text in own.items() if _differs_outside(text, readable[path])),
        test_files=tuple(path for path in before if is_test_file(path)),
        texts=before,
    )


def _differs_outside(now: str, before: str | None) -> bool:
    """True if two texts differ in code that is in no function; a new text does if it has any but imports."""
    try:
        older = outside_functions(before or "")
    except SyntaxError:
        return True
    return outside_functions(now) != older


async def callers_of(
    revision: Revision, changed: Sequence[ChangedFunction], environ: Mapping[str, str]
) -> list[ChangedFunction]:
    """Return the functions of the project that call changed ones by name, those that changed themselves left out."""
    names = {one.target.name for one in changed if not one.is_new}
    known = {(one.path, one.target.qualname) for one in changed}
    words = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\s*\(") if names else None
    found: list[ChangedFunction] = []
    for listed in (await list_files(revision.root, environ)).files if words is not None else ():
        if not listed.path.endswith(".py") or is_test_file(listed.path):
            continue
        text = _read(revision.root / listed.path)
        if text is not None and words is not None and words.search(text):
            found += [one for one in _calling(listed.path, text, names) if (one.path, one.target.qualname) not in known]
    return found[:MAX_CALLERS]


def _calling(path: str, text: str, names: set[str]) -> Iterator[ChangedFunction]:
    try:
        tree = parse(text)
    except SyntaxError:
        return
    seen: dict[str, int] = {}
    for definition in definitions(tree):
        number = seen.get(definition.qualname, 0)
        seen[definition.qualname] = number + 1
        if "<locals>" in definition.qualname or names.isdisjoint(_called(definition.node)):
            continue
        target = find_target(text, ByName(definition.qualname, number), path=path)
        yield ChangedFunction(path=path, target=target, is_caller=True)


def _called(function: ast.AST) -> Iterator[str]:
    """Yield the names that a function calls."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "id", "") or getattr(node.func, "attr", "")


def _read(path: Path) -> str | None:
    try:
        return read_source(path) if path.is_file() else None
    except BadRequest:
        return None
