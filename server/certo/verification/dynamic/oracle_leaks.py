"""Files and examples that would reveal expected results to a candidate, and are hidden from its process."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path, PurePosixPath

from certo.edits.offsets import SourceMap
from certo.sandbox.confinement.secrets import is_within
from certo.sandbox.executor import Apart, Work
from certo.verification.file_rules import FOLDERS_OF_TESTS
from certo.vocabulary.records import dataclass

_CACHE = "__pycache__"
_DOTTED = re.compile(r"[\w.:]+")
_MAX_FILE_BYTES = 1_000_000
"""The size of a file whose imports are read; larger files count as importing nothing."""
_MAX_MODULES = 300
"""The number of modules of a project that are read to know what the document imports."""


def oracle_files(root: Path, path: str, tests: Iterable[str]) -> tuple[str, ...]:
    """Return the files that contain what `tests` expect, and their bytecode caches, as POSIX paths relative to `root`.

    These are the test files, each conftest.py above them, and the modules in test folders that they import, directly or
    not. Modules elsewhere count too if they define values alone, as in `EXPECTED = {...}`. A module is left out if the
    document at `path` imports it too, directly or not, or if a test may pass it to the candidate, as an object or by
    name: the candidate has to import it.
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


def apart_from_examples(work: Work, path: str, ids: Iterable[str]) -> Work:
    """Return a run of doctests in which the candidate, apart, sees the files that hold them, but not the examples.

    `path` is the document, and `ids` are those of the examples.
    """
    holding = dict.fromkeys(name.removeprefix("doctest:").rpartition(":")[0] for name in ids)
    texts = tuple(file for file in holding if file.endswith((".txt", ".rst", ".md")))
    blanked = {path: without_examples(path, str(work.overlay[path]))}
    for file in (*texts, *(file for file in holding if file.endswith(".py") and file != path)):
        # Of a file that is unsaved or protected, the candidate can be given no text of its own.
        if file not in work.overlay and not any(is_within(file, place) for place in work.protected):
            with suppress(OSError, ValueError):
                blanked[file] = without_examples(file, (work.root / file).read_text("utf-8"))
    apart = Apart(files=tuple(blanked), hidden=tuple(dict.fromkeys((*texts, *blanked))))
    return replace(work, overlay={**work.overlay, **blanked}, apart=apart)


def without_examples(path: str, text: str) -> str:
    """Return the text of a file with its doctest examples blanked: in docstrings, or everywhere if it is not Python.

    All lines keep their numbers.
    """
    if not path.endswith(".py"):
        return _blanked(text)
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text
    source = SourceMap(text)
    for node in sorted(_docstrings(tree), key=lambda node: (node.lineno, node.col_offset), reverse=True):
        span = source.span(node)
        lines = text.count("\n", span.start, span.end)
        kept = _blanked(str(node.value))
        text = f"{text[: span.start]}({kept!r}{lines * chr(10)}){text[span.end :]}"
    return text


def _docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield the docstrings with examples."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            match node.body:
                case [ast.Expr(value=ast.Constant(value=str(said)) as docstring), *_] if ">>>" in said:
                    yield docstring


def _blanked(text: str) -> str:
    """Return a text with empty lines in place of each example and its result, which ends at an empty line."""
    kept, is_example = [], False
    for line in text.split("\n"):
        is_example = bool(line.strip()) and (is_example or line.lstrip().startswith(">>>"))
        kept.append("" if is_example else line)
    return "\n".join(kept)


def _shared(root: Path, path: str, judging: tuple[str, ...]) -> tuple[str, ...]:
    """Return the modules in test folders, or with values alone, that only the files `judging` use."""
    theirs, handed, _ = _reached(root, judging, lambda name: _is_in_tests(name) or _source(root / name).has_values_only)
    if not theirs:
        return ()
    own, _, words = _reached(root, tuple(_with_packages(root, path)), None)
    needed = own | handed | {path, *judging}
    if len(own) >= _MAX_MODULES:
        needed |= {name for name in theirs if not _is_in_tests(name)}
    return tuple(sorted(name for name in theirs - needed if _is_in_tests(name) or _name(name) not in words))


def _reached(
    root: Path, files: tuple[str, ...], follows: Callable[[str], bool] | None
) -> tuple[set[str], set[str], set[str]]:
    """Return the modules that `files` import, directly or not, those that they may pass on, and the words in all.

    Only modules that `follows` accepts are returned and read, or all with their packages if it is None; at most about
    _MAX_MODULES.
    """
    reached: set[str] = set()
    handed: set[str] = set()
    words: set[str] = set()
    waiting = list(files)
    while waiting and len(reached) < _MAX_MODULES:
        file = waiting.pop()
        source = _source(root / file)
        words |= source.words
        for each in source.imports:
            for found in filter(follows, _places(root, PurePosixPath(file).parent, each)):
                handed |= {found} if each.bound in source.bare else set()
                new = {found} if follows is not None else set(_with_packages(root, found))
                waiting += sorted(new - reached)
                reached |= new
    return reached, handed | {name for name in reached if _name(name) in words}, words


def _is_in_tests(name: str) -> bool:
    return bool(FOLDERS_OF_TESTS.intersection(PurePosixPath(name).parts))


def _name(file: str) -> str:
    """Return the name of a module without its packages."""
    path = PurePosixPath(file)
    return path.parent.name if path.stem == "__init__" else path.stem


def _places(root: Path, folder: PurePosixPath, imported: _Import) -> Iterator[str]:
    """Yield the existing files that an import in `folder` may mean."""
    within = (folder, *folder.parents)
    for start in within[imported.level - 1 : imported.level] if imported.level else within:
        module = start.joinpath(*imported.parts)
        for found in (module.with_name(f"{module.name}.py") if module.name else module, module / "__init__.py"):
            if (root / found).is_file():
                yield str(found)


def _with_packages(root: Path, name: str) -> Iterator[str]:
    """Yield a module and the `__init__.py` of each package around it, which are run with it."""
    yield name
    for folder in PurePosixPath(name).parents:
        package = str(folder / "__init__.py")
        if not (root / package).is_file():
            return
        if package != name:
            yield package


@dataclass(frozen=True, slots=True, kw_only=True)
class _Import:
    """An imported name that may be a module: its relative `level`, its `parts`, and the name it is `bound` to."""

    level: int
    parts: tuple[str, ...]
    bound: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """The imports of a file, the names it uses without an attribute (`bare`), and the `words` in its strings.

    With `has_values_only` it assigns to names and defines no function or class.
    """

    imports: tuple[_Import, ...] = ()
    bare: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    has_values_only: bool = False


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
        has_values_only=any(isinstance(node, ast.Assign | ast.AnnAssign) for node in tree.body)
        and not any(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) for node in nodes),
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
