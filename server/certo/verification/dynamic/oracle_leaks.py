"""Files that would reveal the expected results of tests to a candidate, and are hidden from its process."""

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
_MAX_FILE_BYTES = 1_000_000
"""The size of a file whose imports are read; larger files count as importing nothing."""


def oracle_files(root: Path, path: str, tests: Iterable[str]) -> tuple[str, ...]:
    """Return the files that contain what `tests` expect, and their bytecode caches, as POSIX paths relative to `root`.

    These are the test files, each conftest.py above them, and the modules in test folders that they import, directly or
    not. A module is left out if the document at `path` imports it too, or if a test may pass it to the candidate, as an
    object or by name: the candidate has to import it.
    """
    files = tuple(dict.fromkeys(tests))
    folders = dict.fromkeys(PurePosixPath(file).parent for file in files)
    above = dict.fromkeys(str(each / "conftest.py") for folder in folders for each in (folder, *folder.parents))
    judging = tuple(name for name in dict.fromkeys((*files, *above)) if (root / name).exists())
    shared = _shared(root, path, judging)
    folders.update(dict.fromkeys(PurePosixPath(name).parent for name in shared))
    # The cache in the document's own folder also has the candidate's modules, which are no secret.
    folders.pop(PurePosixPath(path).parent, None)
    kept = (str(folder / _CACHE) for folder in folders)
    return tuple(name for name in (*judging, *shared, *kept) if name != path and (root / name).exists())


def _shared(root: Path, path: str, judging: tuple[str, ...]) -> tuple[str, ...]:
    """Return the modules in test folders that only the files `judging` use."""
    theirs, handed = _reached(root, judging)
    own, _ = _reached(root, (path,))
    return tuple(sorted(theirs - handed - own - {path, *judging}))


def _reached(root: Path, files: tuple[str, ...]) -> tuple[set[str], set[str]]:
    """Return the modules in test folders that `files` import, directly or not, and those that tests may pass on."""
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
    """Return the name of a module without its packages."""
    path = PurePosixPath(file)
    return path.parent.name if path.stem == "__init__" else path.stem


def _places(root: Path, folder: PurePosixPath, imported: _Import) -> Iterator[str]:
    """Yield the existing files in test folders that an import in `folder` may mean."""
    within = (folder, *folder.parents)
    for start in within[imported.level - 1 : imported.level] if imported.level else within:
        module = start.joinpath(*imported.parts)
        for found in (module.with_name(f"{module.name}.py") if module.name else module, module / "__init__.py"):
            if FOLDERS_OF_TESTS.intersection(found.parts) and (root / found).is_file():
                yield str(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Import:
    """An imported name that may be a module: its relative `level`, its `parts`, and the name it is `bound` to."""

    level: int
    parts: tuple[str, ...]
    bound: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """The imports of a file, the names it uses without an attribute (`bare`), and the `words` in its strings."""

    imports: tuple[_Import, ...] = ()
    bare: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


def _source(place: Path) -> _Source:
    try:
        about = place.stat()
    except OSError:
        return _Source()
    return _read(place, about.st_mtime_ns, about.st_size) if about.st_size <= _MAX_FILE_BYTES else _Source()


@lru_cache(maxsize=512)
def _read(place: Path, _changed: int, _size: int) -> _Source:
    """Read a file, once for each change of it; a file that is no Python imports nothing."""
    try:
        tree = ast.parse(place.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return _Source()
    nodes = list(ast.walk(tree))
    # A name with an attribute, as `numbers` in `numbers.ONE`, is not passed on itself.
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
