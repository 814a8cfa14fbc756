"""Overlay of source texts over files: imports get the text, and stale bytecode is ignored.

Every import of a source file, by any finder, and every `spec_from_file_location` ends at a `SourceFileLoader`, so that
is where existing files are replaced. A finder of our own covers two more cases: modules that exist only in the overlay,
and test modules that pytest reads and rewrites by itself.
"""

from __future__ import annotations

import ast
import errno
import importlib.machinery
import importlib.util
import io
import linecache
import os
import sys
import tokenize
from types import CodeType, ModuleType
from typing import Any, Callable, Dict, FrozenSet, Iterable, List, NoReturn, Optional, Sequence, Set, SupportsIndex

Texts = Dict[str, Optional[bytes]]
"""Texts by real absolute path, in the encoding that the source declares; None for a deleted file."""


_texts: Texts = {}
"""The overlay of this process."""

_imported: Set[str] = set()
"""Overlaid paths whose text a loader has read: the module may be gone while objects from it are still in use."""

_changes: Dict[str, Callable[[ast.Module], None]] = {}
"""Changes of a file's syntax tree before compilation, by real path."""


def change_tree(file: str, change: Callable[[ast.Module], None]) -> None:
    """Apply `change` to the syntax tree of an overlaid file whenever it is compiled from now on."""
    _changes[os.path.realpath(file)] = change


def install(root: str, copies: Dict[str, Optional[str]]) -> None:
    """Replace the project's files by those in `copies` (path relative to `root` → file with the text).

    None stands for a deleted file: it can be neither imported nor loaded by path. Repeated calls add to the overlay;
    modules imported before stay unchanged.
    """
    first = not _texts
    for relative, copy in copies.items():
        path = _absolute(root, relative)
        # A deletion applies to a link itself, and not to its target.
        text = _texts[os.path.realpath(path) if copy is not None else _as_named(path)] = _read(copy)
        if text is not None:
            for name in {path, os.path.realpath(path)}:
                _prime_linecache(name, text)
    if first and _texts:
        _replace_sources(_texts)
        sys.meta_path = _Finders(_finder, sys.meta_path)
    if copies:
        _finder.learn()
        importlib.invalidate_caches()


def withdraw(root: str, paths: Iterable[str]) -> None:
    """Remove files from the overlay; modules imported before stay unchanged."""
    for path in paths:
        place = os.path.realpath(_absolute(root, path))
        _texts.pop(place, None)
        linecache.cache.pop(place, None)
        linecache.cache.pop(_absolute(root, path), None)


def has_new_files() -> bool:
    """True if the overlay has files that are not on the disk."""
    return any(text is not None and not os.path.lexists(path) for path, text in _texts.items())


def has_imported(root: str, copies: Dict[str, Optional[str]]) -> bool:
    """True if a file of `copies` was imported already, from another text than its current one."""
    places = {os.path.realpath(_absolute(root, relative)): copy for relative, copy in copies.items()}
    changed = {place for place, copy in places.items() if place not in _texts or _read(copy) != _texts[place]}
    if not changed.isdisjoint(_imported):
        return True
    names = {os.path.basename(place) for place in changed}
    if _names_of_files and names.isdisjoint(_names_of_files[0]):
        return False
    files = (getattr(module, "__dict__", {}).get("__file__") for module in list(sys.modules.values()))
    return any(
        isinstance(file, str) and os.path.basename(file) in names and os.path.realpath(file) in changed
        for file in files
    )


def remember_files() -> None:
    """Record the names of the files imported so far, so that copies of this process need not go through all modules."""
    files = [getattr(module, "__dict__", {}).get("__file__") for module in list(sys.modules.values())]
    _names_of_files[:] = [frozenset(os.path.basename(file) for file in files if isinstance(file, str))]


_names_of_files: List[FrozenSet[str]] = []


def _absolute(root: str, relative: str) -> str:
    return os.path.join(root, *relative.split("/"))


def _as_named(path: str) -> str:
    return os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))


def _read(copy: Optional[str]) -> Optional[bytes]:
    if copy is None:
        return None
    with open(copy, "rb") as source:
        return source.read()


def _prime_linecache(path: str, text: bytes) -> None:
    """Let tracebacks and `inspect.getsource` show the text; a linecache entry without a time is never checked."""
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(text).readline)[0]
        lines = io.TextIOWrapper(io.BytesIO(text), encoding).read().splitlines(keepends=True)
    except (SyntaxError, UnicodeError):
        return  # not importable either; the import will say so
    linecache.cache[path] = (len(text), None, lines, path)


def _replace_sources(texts: Texts) -> None:
    loader = importlib.machinery.SourceFileLoader
    get_data, get_code = loader.get_data, loader.get_code

    def overlaid_data(self: importlib.machinery.SourceFileLoader, path: str) -> bytes:
        text = _text_of(texts, path)
        return get_data(self, path) if text is None else text

    def overlaid_code(self: importlib.machinery.SourceFileLoader, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        text = _text_of(texts, path)
        return get_code(self, fullname) if text is None else self.source_to_code(_changed(text, path), path)

    setattr(loader, "get_data", overlaid_data)  # noqa: B010 - assigning to a method is what type checkers forbid
    setattr(loader, "get_code", overlaid_code)  # noqa: B010 - as above


def _changed(text: bytes, path: str) -> Any:
    """Return a text to compile, unchanged or as its changed tree."""
    change = _changes.get(os.path.realpath(path)) if _changes else None
    if change is None:
        return text
    tree = ast.parse(text, filename=path)
    change(tree)
    return tree


def _text_of(texts: Texts, path: str) -> bytes | None:
    """Return the overlay's text of a file, or None if it has none.

    Raises:
        FileNotFoundError: The file is deleted.
    """
    real = os.path.realpath(path)
    if real in texts and texts[real] is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    if real in texts:
        _imported.add(real)
    return texts.get(real)


def _left_alone(_tree: ast.Module) -> None:
    """Change nothing."""


class OverlayFinder:
    """Finder of modules that exist only in the overlay, and of overlaid ones that pytest would read from disk.

    It has no base class, because importing `importlib.abc` takes up to a quarter of the start of a worker.
    """

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._names: Set[str] = set()

    def learn(self) -> None:
        """Update the names of the overlaid modules."""
        self._names = {_module_name(path) for path in self._texts}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of an overlaid module only; its last name rules out nearly every other import at once."""
        last = fullname.rpartition(".")[2]
        if last not in self._names:
            return None
        spec = self._ask_the_others(fullname, path, target)
        if spec is None or spec.origin is None:
            return self._find_new(fullname, last, path) or spec
        place = os.path.realpath(spec.origin)
        text = self._texts.get(place)
        if text is None and place in self._texts:
            return self._find_new(fullname, last, path) or _none_of_that_name(fullname)
        if text is not None and type(spec.loader).__module__ == "_pytest.assertion.rewrite":
            spec.loader = RewritingLoader(fullname, spec.origin, text, spec.loader)
        return spec

    def _ask_the_others(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None
    ) -> importlib.machinery.ModuleSpec | None:
        for finder in sys.meta_path:
            if finder is not self and hasattr(finder, "find_spec"):
                spec = finder.find_spec(fullname, path, target)
                if spec is not None:
                    return spec
        return None

    def _find_new(self, fullname: str, last: str, path: Sequence[str] | None) -> importlib.machinery.ModuleSpec | None:
        for entry in sys.path if path is None else path:
            for tail in (os.path.join(last, "__init__.py"), last + ".py"):
                place = os.path.join(entry or os.getcwd(), tail)
                if self._texts.get(os.path.realpath(place)) is not None:
                    return importlib.util.spec_from_file_location(fullname, place)
        return None


def _none_of_that_name(fullname: str) -> NoReturn:
    # With any other result the import system would ask the next finder, which sees the file on disk.
    raise ModuleNotFoundError("No module named {!r}".format(fullname), name=fullname)


class RewritingLoader(importlib.machinery.SourceFileLoader):
    """Loader of an overlaid test module with assertions rewritten by pytest, which would otherwise read the disk."""

    def __init__(self, fullname: str, path: str, text: bytes, hook: Any) -> None:
        super().__init__(fullname, path)
        self._text = text
        self._hook = hook

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - the name is the import system's
        """Return the overlay's text compiled as pytest's import hook compiles a file."""
        _imported.add(os.path.realpath(self.path))
        from _pytest.assertion.rewrite import rewrite_asserts  # the user's pytest, present since its hook was found

        tree = ast.parse(self._text, filename=self.path)
        _changes.get(os.path.realpath(self.path), _left_alone)(tree)
        rewrite_asserts(tree, self._text, self.path, getattr(self._hook, "config", None))
        return compile(tree, self.path, "exec", dont_inherit=True)


class _Finders(list):  # type: ignore[type-arg]  # list takes no parameter at run time before Python 3.9
    """`sys.meta_path` that keeps our finder first: pytest inserts its hook before all others, and starts after us."""

    def __init__(self, first: OverlayFinder, others: Iterable[Any]) -> None:
        super().__init__([first, *others])
        self._first = first

    def insert(self, index: SupportsIndex, finder: Any) -> None:
        """Insert as requested, but never before ours."""
        super().insert(max(1, index.__index__()) if index.__index__() >= 0 else index, finder)


_finder = OverlayFinder(_texts)


def _module_name(path: str) -> str:
    head, tail = os.path.split(path)
    return os.path.basename(head) if tail == "__init__.py" else os.path.splitext(tail)[0]
