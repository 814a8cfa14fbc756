"""Rules about files that a candidate must not change, because they decide how it is judged."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from certo.project.listing import list_files
from certo.project.testfiles import is_test_file
from certo.sandbox.confinement.kernel_features import CONFIGURATIONS
from certo.sandbox.confinement.secrets import is_named_like_secret
from certo.verification.static.text_verdict import MAX_CANDIDATE_BYTES
from certo.vocabulary.problem import Problem

FOLDERS_OF_TESTS = frozenset({"test", "tests"})
"""Names of folders in which everything belongs to tests."""

AT_START = ("sitecustomize.py", "usercustomize.py")
"""Files that Python runs before any program, if it finds them."""


def judging_files(root: Path, tests: Iterable[str], readable: Iterable[Path]) -> tuple[str, ...]:
    """Return the files and folders that decide the results of `tests`, as paths relative to `root`, existing or not.

    `tests` are pytest's paths, node ids included; `readable` the interpreter's places, some of which may be inside.
    Everything in a folder named for tests counts: fixtures, data and shared modules. Beside a test among the project's
    modules only pytest's own files count, because the modules there are what is judged.
    """
    files = {PurePosixPath(test.partition("::")[0]) for test in tests}
    found = {name for file in files for name in _around(file)}
    found |= {PurePosixPath(name) for name in AT_START}
    found |= {PurePosixPath(place.relative_to(root)) for place in readable if root in place.parents}
    return tuple(sorted(map(str, found)))


def _around(test: PurePosixPath) -> Iterator[PurePosixPath]:
    yield test
    for folder in test.parents:
        yield from (folder / name for name in ("conftest.py", *CONFIGURATIONS))
        if folder.name in FOLDERS_OF_TESTS:
            yield folder


MAX_FILES = 8
"""Maximum number of further files a candidate may change: as many as a person can review."""

_MODULE = re.compile(r"[A-Za-z_]\w*\.py", re.ASCII)
_NEVER = frozenset({"conftest.py", "setup.py", *AT_START})
"""Files that run before a test or instead of the program, in any folder."""

_OTHERS = frozenset({*sys.stdlib_module_names, "pytest", "_pytest", "pluggy"})
"""Modules that every test file imports, apart from the code under test."""

_JUDGING = frozenset({"pytest", "_pytest", "unittest"})
"""Modules that judging code imports."""


async def changeable_files(root: Path, environ: Mapping[str, str]) -> frozenset[str]:
    """Return the files of a project that a candidate may change, as POSIX paths relative to `root`.

    These are Python files that git does not ignore, that are not reached through links, and that play no part in
    judging. If git is needed and fails, there are none.
    """
    listing = await list_files(root, environ)
    return frozenset(listed.path for listed in listing.files if not _why_never(listed.path))


def why_not_changed(elsewhere: Mapping[str, str], problem: Problem) -> str:
    """Return why a candidate may not change other files to these texts, or nothing if it may.

    A new file may stand beside one that may be changed. Files cannot be deleted.
    """
    if not elsewhere:
        return ""
    if problem.others is None:
        return f"it changes {_first(elsewhere)}, and the search is about one function; search.scope = files allows more"
    if len(elsewhere) > MAX_FILES:
        return f"it changes {len(elsewhere)} other files, and at most {MAX_FILES} may be"
    try:
        size = sum(len(text.encode("utf-8")) for text in elsewhere.values())
    except UnicodeEncodeError:
        return "a lone surrogate in it is no character, and no file can hold it"
    if size > MAX_CANDIDATE_BYTES:
        return f"it has {size} bytes in other files, and at most {MAX_CANDIDATE_BYTES} may be"
    judging = {test.id.partition("::")[0] for test in problem.baseline.tests}
    for path in elsewhere:
        if why := _why_not(path, problem, problem.others, judging):
            return f"it may not change {path!r}: {why}"
    return ""


def _why_not(path: str, problem: Problem, others: frozenset[str], judging: set[str]) -> str:
    if path == problem.path:
        return f"that is the file of {problem.target.qualname}, of which only the function may be changed"
    if path in judging:
        return "it holds tests that judge the candidate"
    return "" if path in others else _why_never(path) or _why_not_new(path, problem, others)


def _why_never(path: str) -> str:
    """Return why no candidate of any project may change a file with this path, or nothing."""
    place = PurePosixPath(path)
    if str(place) != path or place.is_absolute() or ".." in place.parts or not _MODULE.fullmatch(place.name):
        return "that is no Python file below the project's root"
    parts = tuple(part.casefold() for part in place.parts)
    if is_test_file(path.casefold()) or parts[-1] in _NEVER or not FOLDERS_OF_TESTS.isdisjoint(parts[:-1]):
        return "it decides how candidates are judged"
    return "its name is one of files that hold keys" if is_named_like_secret(place.name) else ""


def _why_not_new(path: str, problem: Problem, others: frozenset[str]) -> str:
    place = PurePosixPath(path)
    if str(place.parent) not in {str(PurePosixPath(other).parent) for other in others}:
        return "no Python file of the project's own stands in its folder"
    if os.path.lexists(problem.root / path):
        return "it is there, and git ignores it, or it is a link or no file"
    taken = _OTHERS | {name.partition(".")[0] for name in problem.baseline_run.libraries}
    in_package = str(place.parent / "__init__.py") in others
    name = place.parent.name if place.name == "__init__.py" else place.stem
    return f"it would stand in the way of {name}, which others import" if name in taken and not in_package else ""


def why_not_rewritten(before: str | None, after: str) -> str:
    """Return why a changeable file may not get this text: it would judge candidates.

    Projects have modules with assertions that tests call. Such a module may gain assertions, but lose none.
    """
    was, will = _judging(before or ""), _judging(after)
    if was - will or any(name in _JUDGING for name in (*was, *will)):
        return "it has assertions, or imports what tests are made with, and so may judge the candidate"
    return ""


def _judging(text: str) -> Counter[str]:
    """Return the assertions in a text by meaning, and its imports of judging modules."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # Code that does not parse cannot run.
        return Counter()
    found: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            found[ast.dump(node)] += 1
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            found.update(name.partition(".")[0] for name in names if name.partition(".")[0] in _JUDGING)
    return found


def _first(elsewhere: Mapping[str, str]) -> str:
    return repr(next(iter(elsewhere)))
