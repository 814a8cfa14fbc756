"""The place for tests of a function in a project, and the style of the tests around it."""

from __future__ import annotations

import ast
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path, PurePosixPath
from typing import Literal

from certo.edits.source import read_source
from certo.generation.regression.fixtures import fixtures_by_expression
from certo.project.testfiles import find_test_files
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.records import dataclass

Form = Literal["functions", "classes", "unittest"]

MAX_NEIGHBOURS = 12
"""Maximum number of test files that are read to learn how the project writes tests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestStyle:
    """The style of tests: in functions, in plain classes, or in classes of `unittest`."""

    __test__ = False

    form: Form = "functions"
    uses_parametrize: bool = False
    has_future_import: bool = False
    has_single_quotes: bool = False
    has_docstrings: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TestPlace:
    """The file that tests are added to, relative to the root; `text` is None for a new one.

    `fixtures` are the names of those that the file's tests ask for, by the expressions that they return.
    """

    __test__ = False

    path: str
    text: str | None
    style: TestStyle
    fixtures: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _TestFile:
    path: PurePosixPath
    text: str
    tree: ast.Module = field(compare=False)


def find_place(root: Path, path: str, named: Sequence[str], unsaved: Mapping[str, str]) -> TestPlace:
    """Return the place for tests of a function in the file at `path`; `named` are test files that name it, best first.

    Raises:
        BadRequest: That place cannot be written to.
    """
    files = list(_read(root, unsaved, prefer=named))
    stem = _stem(path)
    by_path = {str(file.path): file for file in files}
    own = [file for file in files if _tested_stem(file.path) == stem]
    chosen = next((by_path[name] for name in named if name in by_path and by_path[name] in own), None)
    importing = [by_path[name] for name in named if name in by_path and _imports(by_path[name].tree, stem)]
    chosen = chosen or next(iter(importing), None)
    if chosen is None and len(own) == 1:
        chosen = own[0]
    if chosen is not None:
        _require_writable(root, str(chosen.path))
        style = _style([chosen], files)
        outer = _conftests(root, chosen.path, unsaved)
        fixtures = fixtures_by_expression(chosen.tree, outer) if style.form != "unittest" else {}
        return TestPlace(path=str(chosen.path), text=chosen.text, style=style, fixtures=fixtures)
    fresh = _new_path(root, path, files)
    _require_writable(root, str(fresh))
    neighbours = [file for file in files if file.path.parent == fresh.parent]
    return TestPlace(path=str(fresh), text=None, style=_style(neighbours or files, files))


def _imports(tree: ast.Module, stem: str) -> bool:
    """True if a test file imports a module of this name, or something from it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = [*(node.module or "").split("."), *(one.name for one in node.names)]
        elif isinstance(node, ast.Import):
            names = [part for one in node.names for part in one.name.split(".")]
        else:
            continue
        if stem in names:
            return True
    return False


def _read(root: Path, unsaved: Mapping[str, str], prefer: Sequence[str]) -> Iterator[_TestFile]:
    paths = [file.relative_to(root).as_posix() for file in find_test_files(root)]
    paths.sort(key=lambda each: prefer.index(each) if each in prefer else len(prefer))
    for relative in paths[: MAX_NEIGHBOURS * 4]:
        with suppress(BadRequest, SyntaxError, ValueError):
            yield _read_file(root, relative, unsaved)


def _read_file(root: Path, relative: str, unsaved: Mapping[str, str]) -> _TestFile:
    text = unsaved[relative] if relative in unsaved else read_source(root / relative)
    return _TestFile(PurePosixPath(relative), text, ast.parse(text.lstrip("\ufeff")))


def _conftests(root: Path, path: PurePosixPath, unsaved: Mapping[str, str]) -> Iterator[ast.Module]:
    """Yield the modules `conftest.py` that hold for a test file, the nearest first."""
    for folder in path.parents:
        relative = (folder / "conftest.py").as_posix()
        if relative in unsaved or (root / relative).is_file():
            with suppress(BadRequest, SyntaxError, ValueError):
                yield _read_file(root, relative, unsaved).tree


def _stem(path: str) -> str:
    """Return the name under which a module is known to its tests: that of its package for `__init__.py`."""
    pure = PurePosixPath(path)
    return (pure.parent.name if pure.stem == "__init__" else pure.stem).strip("_")


def _tested_stem(path: PurePosixPath) -> str:
    stem = path.stem
    return stem.removeprefix("test_") if stem.startswith("test_") else stem.removesuffix("_test")


def _new_path(root: Path, path: str, files: Sequence[_TestFile]) -> PurePosixPath:
    """Return the path of a new test file: named and placed like those of other modules."""
    suffixed = sum(file.path.stem.endswith("_test") for file in files)
    stem = _stem(path)
    name = f"{stem}_test.py" if suffixed * 2 > len(files) else f"test_{stem}.py"
    parent = PurePosixPath(path).parent
    folders = Counter(file.path.parent for file in files)
    if folders.get(parent):
        return _free(root, parent, name, files)
    for mirrored in _mirrored(parent, folders):
        return _free(root, mirrored, name, files)
    if folders:
        most = min(folders, key=lambda folder: (-folders[folder], len(folder.parts), str(folder)))
        return _free(root, most, name, files)
    folder = next((one for one in ("tests", "test") if (root / one).is_dir()), "tests")
    return _free(root, PurePosixPath(folder), name, files)


def _mirrored(parent: PurePosixPath, folders: Mapping[PurePosixPath, int]) -> Iterator[PurePosixPath]:
    """Yield the folders of tests whose path ends like that of a package, those that share most first."""
    parts = parent.parts
    for shared in range(len(parts), 0, -1):
        for folder in sorted(folders):
            if folder.parts[-shared:] == parts[-shared:] and folder != parent:
                yield folder


def _free(root: Path, folder: PurePosixPath, name: str, files: Sequence[_TestFile]) -> PurePosixPath:
    """Return a path in a folder that no test file has: pytest wants different names where there are no packages.

    Files that could not be read, or are no Python, are there too.
    """
    taken = {file.path for file in files}
    place = folder / name
    number = 2
    while place in taken or os.path.lexists(root / place):
        place = folder / f"{name.removesuffix('.py')}_{number}.py"
        number += 1
    return place


def _require_writable(root: Path, path: str) -> None:
    place = root / path
    if place.exists():
        if not os.access(place, os.W_OK):
            raise BadRequest(f"{path} is read-only, so no tests can be added to it; nothing was written")
        return
    folder = place.parent
    while not folder.exists():
        folder = folder.parent
    if not os.access(folder, os.W_OK):
        shown = folder.relative_to(root).as_posix() if folder != root else "the project's folder"
        raise BadRequest(f"{shown} is read-only, so {path} cannot be made there; nothing was written")


def _style(nearest: Sequence[_TestFile], files: Sequence[_TestFile]) -> TestStyle:
    near = list(nearest)[:MAX_NEIGHBOURS]
    forms: Counter[Form] = Counter()
    for file in near or list(files)[:MAX_NEIGHBOURS]:
        forms.update(_forms(file.tree))
    # A project whose only sign of a framework is unittest wants no pytest.
    ranked: list[Form] = ["functions", "classes", "unittest"]
    form = max(ranked, key=lambda one: (forms[one], -ranked.index(one)))
    return TestStyle(
        form=form,
        uses_parametrize=any("parametrize" in file.text for file in near),
        has_future_import=bool(near) and all("from __future__ import annotations" in file.text for file in near),
        has_single_quotes=sum(_single(file.text) for file in near) > 0,
        has_docstrings=_mostly(ast.get_docstring(test) is not None for file in near for test in _tests(file.tree)),
    )


def _single(text: str) -> int:
    """Return how many more texts are written in single quotes than in double ones, roughly."""
    return text.count("'") - text.count('"')


def _mostly(facts: Iterable[bool]) -> bool:
    """True if most of at least two facts hold."""
    known = list(facts)
    return len(known) > 1 and 2 * sum(known) > len(known)


def _tests(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            yield node


def _forms(tree: ast.Module) -> Iterator[Form]:
    """Yield the form of each test in a module."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            yield "functions"
        elif isinstance(node, ast.ClassDef):
            form: Form = "unittest" if is_test_case(node) else "classes"
            yield from (form for inner in node.body if getattr(inner, "name", "").startswith("test"))


def is_test_case(node: ast.ClassDef) -> bool:
    """True if a class is one of `unittest`, judged by the names of its bases."""
    names = [base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases]
    return any(name.endswith("TestCase") for name in names)
