"""Root of a project: the directory its tests are run from."""

from __future__ import annotations

import os
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from certo.project.testfiles import find_test_files
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def is_too_wide(directory: Path) -> bool:
    """True if a directory is or contains the user's home, as spelled or resolved, or is shared for temporary files.

    `/` always is.
    """
    # Not Path.home(), which fails for a user without a home, as containers have them.
    is_home = directory in _around(os.path.expanduser("~"))
    return is_home or directory in _TEMPORARY or directory == Path(directory.anchor)


_TEMPORARY = frozenset(map(Path, ("/tmp", "/var/tmp", "/private/tmp")))
"""Directories that all users and programs share: a `setup.py` that was left there makes no project of them."""


@lru_cache(maxsize=4)
def _around(home: str) -> frozenset[Path]:
    """Return the home directory and all above it, as spelled and resolved; nothing if there is none."""
    spelled = Path(home)
    resolved = spelled.resolve()
    return frozenset((spelled, *spelled.parents, resolved, *resolved.parents)) if spelled.is_absolute() else frozenset()


MARKERS = ("pyproject.toml", "setup.cfg", "setup.py", "pytest.ini", "tox.ini", "manage.py", ".git")
"""File names that mark a directory as the root of a project."""

_TESTS = ("tests", "test", "conftest.py")

_UNMARKED = "neither it nor a directory above it is marked as a project"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectRoot:
    """Root of a project, with the reason in words."""

    path: Path
    why: str


def find_root(document: Path, folders: Sequence[Path] = ()) -> Path:
    """Return the root of the project `document` belongs to; see `choose_root`."""
    return choose_root(document, folders).path


def choose_root(document: Path, folders: Sequence[Path] = ()) -> ProjectRoot:
    """Return the root of the project that `document` (a file, existing or not) belongs to, and the reason.

    The innermost of the workspace `folders` that holds the document is the outermost possible root; the nearest
    directory with a marker at or below it is taken, else the folder itself. Without folders it is the nearest marked
    directory, else the document's own, or the one around its package, where tests are. If the nearest marked directory
    has no tests, as one of several packages in a repository, an outer one with tests is taken. A marker in the home
    directory or above it, or in a shared directory for temporary files, makes no project: such a root would show a
    sandbox all files of the user, or of others.

    The root is always an ancestor of the document as it is spelled, even if the folder is spelled another way.

    Raises:
        BadRequest: There are folders and the document is in none of them.
    """
    place = _absolute(document).parent
    folder = _innermost(place, folders)
    if folder is None and folders:
        listed = ", ".join(map(str, folders))
        raise BadRequest(f"{document} is outside the workspace folders ({listed}); open its folder in the editor")
    marked = [root for parent in _upwards(place, folder) if (root := _marked(parent)) is not None]
    if marked:
        return _outer_with_tests(marked) or marked[0]
    if folder is not None and not is_too_wide(folder):
        return ProjectRoot(path=folder, why="the workspace folder; nothing in it marks a narrower project")
    outside = next((parent for parent in _upwards(place, None) if not (parent / "__init__.py").exists()), place)
    if outside != place and _has_tests(outside):
        return ProjectRoot(path=outside, why=f"{_UNMARKED}, and its package is in this directory, beside tests")
    return ProjectRoot(path=place, why=_UNMARKED)


def is_marked(directory: Path) -> bool:
    """True if something in a directory marks it as the root of a project."""
    return _marked(directory) is not None


def _marked(directory: Path) -> ProjectRoot | None:
    for marker in MARKERS:
        if (directory / marker).exists():
            return ProjectRoot(path=directory, why=f"the nearest directory with a {marker}")
    return None


def _outer_with_tests(marked: Sequence[ProjectRoot]) -> ProjectRoot | None:
    """Return the nearest outer root with tests, up to the repository's, if the first of the `marked` ones has none."""
    for inner, outer in pairwise(root.path for root in marked):
        if (inner / ".git").exists():
            return None
        if _has_tests(outer):
            first = marked[0].path
            why = f"the nearest directory with tests around {first}, which has none"
            return None if _has_tests(first) or _has_test_files(first) else ProjectRoot(path=outer, why=why)
    return None


def _has_test_files(directory: Path) -> bool:
    return next(find_test_files(directory, also=("test.py", "tests.py")), None) is not None


def _has_tests(directory: Path) -> bool:
    """True if a directory contains tests.

    Any directory may contain packages, such as one for temporary files; with tests it is a project.
    """
    return any((directory / name).exists() for name in _TESTS) or any(directory.glob("test_*.py"))


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path.expanduser()))


def _innermost(place: Path, folders: Sequence[Path]) -> Path | None:
    """Return the nearest directory at or above `place` that is one of `folders`, or links to one."""
    spelled = {_absolute(folder) for folder in folders}
    real = {folder.resolve() for folder in spelled}
    return next((parent for parent in (place, *place.parents) if parent in spelled or parent.resolve() in real), None)


def _upwards(place: Path, last: Path | None) -> Iterator[Path]:
    """Yield the directories from `place` up to `last`, or up to the first too wide to be a project."""
    for parent in (place, *place.parents):
        if is_too_wide(parent):
            return
        yield parent
        if parent == last:
            return
