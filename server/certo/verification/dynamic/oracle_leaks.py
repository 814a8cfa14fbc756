"""Which files would reveal to a candidate what its tests expect, and are therefore kept from its own process."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from certo.verification.file_rules import FOLDERS_OF_TESTS

_CACHE = "__pycache__"
_DOTTED = re.compile(r"[\w.:]+")
_MAX_SIZE = 1_000_000
"""Bytes: a larger file is not looked into for what it imports."""


def oracle_files(root: Path, path: str, tests: Iterable[str]) -> tuple[str, ...]:
    """The files that say what `tests` expect, and what Python keeps of them, as far as they are there.

    These are the tests' own, each conftest.py above them, and the modules in folders named for tests that those import,
    directly or not. A module that the document at `path` imports too is left, and so is one that a test may hand over,
    as an object or by its name: the candidate has to import it. All are paths relative to `root`, in POSIX form.
    """
    files = tuple(dict.fromkeys(tests))
    folders = dict.fromkeys(PurePosixPath(file).parent for file in files)
    above = dict.fromkeys(str(each / "conftest.py") for folder in folders for each in (folder, *folder.parents))
    judging = tuple(name for name in dict.fromkeys((*files, *above)) if (root / name).exists())
    shared = _shared(root, path, judging)
    folders.update(dict.fromkeys(PurePosixPath(name).parent for name in shared))
    # Beside the tests may lie the candidate's own modules, and what is kept of those is no secret.
    folders.pop(PurePosixPath(path).parent, None)
    kept = (str(folder / _CACHE) for folder in folders)
    return tuple(name for name in (*judging, *shared, *kept) if name != path and (root / name).exists())


def _shared(root: Path, path: str, judging: tuple[str, ...]) -> tuple[str, ...]:
    """The modules that only the files `judging` use, among those in folders named for tests."""
    theirs, handed = _reached(root, judging)
    own, _ = _reached(root, (path,))
    return tuple(sorted(theirs - handed - own - {path, *judging}))


def _reached(root: Path, files: tuple[str, ...]) -> tuple[set[str], set[str]]:
    """The modules in folders named for tests that `files` lead to, and those of them that may be handed over."""
    reached: set[str] = set()
    handed: set[str] = set()
    words: set[str] = set()
    waiting = list(files)
    while waiting:
        file = waiting.pop()
        source = _source(root / file)
        words |= source.words
        for each in source.imports:
            for found in _places(root, PurePosixPath(file).parent, each):
                handed |= {found} if each.bound in source.bare else set()
                if found not in reached:
                    reached.add(found)
                    waiting.append(found)
    return reached, handed | {name for name in reached if _name(name) in words}


def _name(file: str) -> str:
    """A module's own name, without those of its packages."""
    path = PurePosixPath(file)
    return path.parent.name if path.stem == "__init__" else path.stem


def _places(root: Path, folder: PurePosixPath, imported: _Import) -> Iterator[str]:
    """The files that an import in `folder` may mean; what is no module has none."""
    within = (folder, *folder.parents)
    for start in within[imported.level - 1 : imported.level] if imported.level else within:
        module = start.joinpath(*imported.parts)
        for found in (module.with_name(f"{module.name}.py") if module.name else module, module / "__init__.py"):
            if FOLDERS_OF_TESTS.intersection(found.parts) and (root / found).is_file():
                yield str(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Import:
    """One name that may be a module's: from so many `level`s up, the name in `parts`, and what it is `bound` to."""

    level: int
    parts: tuple[str, ...]
    bound: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """What of a file tells the modules it uses: `bare` are names used by themselves, `words` what strings may name."""

    imports: tuple[_Import, ...] = ()
    bare: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


def _source(place: Path) -> _Source:
    try:
        about = place.stat()
    except OSError:
        return _Source()
    return _read(place, about.st_mtime_ns, about.st_size) if about.st_size <= _MAX_SIZE else _Source()


@lru_cache(maxsize=512)
def _read(place: Path, _changed: int, _size: int) -> _Source:
    """Read a file once for each state it is in; one that is no Python imports nothing."""
    try:
        tree = ast.parse(place.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return _Source()
    nodes = list(ast.walk(tree))
    # What is only looked into, as `numbers` in `numbers.ONE`, is not handed on itself.
    looked_into = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return _Source(
        imports=tuple(each for node in nodes for each in _imports(node)),
        bare=frozenset(node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in looked_into),
        words=frozenset(word for text in texts if _DOTTED.fullmatch(text) for word in re.split(r"[.:]", text)),
    )


def _imports(node: ast.AST) -> Iterator[_Import]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            parts = tuple(alias.name.split("."))
            yield _Import(level=0, parts=parts, bound=alias.asname or parts[0])
    elif isinstance(node, ast.ImportFrom):
        parts = tuple(node.module.split(".")) if node.module else ()
        yield _Import(level=node.level, parts=parts, bound="")
        for alias in node.names:
            yield _Import(level=node.level, parts=(*parts, alias.name), bound=alias.asname or alias.name)
