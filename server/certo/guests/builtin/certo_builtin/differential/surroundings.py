"""The surroundings of a call: other modules and classes, files elsewhere, log records, warnings, and what is shared.

Whole modules are too much to look at for each call. So the containers of the project are known once, with the
identities of what they hold; after a call it takes one pass over these to see which has changed, and only that is put
into words.
"""

from __future__ import annotations

import collections
import contextlib
import io
import itertools
import logging
import os
import re
import sys
import tempfile
import types
import warnings
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

from certo_builtin.differential.value_view import NAMED, View, attributes_of, cut

MAX_CELLS = 600
"""Maximum number of containers that are watched, those of the function's own module first."""

MAX_ELEMENTS = 200
"""Maximum number of elements of a watched container; larger ones are most often tables."""

MAX_DEPTH = 4
MAX_FILES = 20

MAX_PARTS = 200
"""Maximum number of parts of a result, or of its arguments, that are looked at for what they share."""

_PLAIN = (list, set, dict, collections.deque, collections.defaultdict, collections.OrderedDict, collections.Counter)
_RANDOM_NAME = re.compile(r"\btmp[a-z0-9_]{8}\b")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class _Cell:
    """A container with the words for it, and what it held at first; if it `is_named`, it holds names."""

    def __init__(self, words: str, held: Any, content: Any, is_named: bool) -> None:
        self.words = words
        self.held = held
        self.is_named = is_named
        self.content = content
        self.identities = _identities(held)

    def look(self) -> None:
        """Take what it holds now for what it holds without a call."""
        self.content, self.identities = _content(self.held), _identities(self.held)


class Surroundings:
    """The project's state outside of what `World` holds, and what a call says beside its output."""

    def __init__(self, root: str, own: List[Dict[str, Any]]) -> None:
        """Look at the project's modules, of which `own` are those of the function."""
        self._root = os.path.realpath(root) + os.sep
        self._cells: List[_Cell] = []
        self._known: Dict[int, str] = {}
        modules = {name: vars(one) for name, one in sorted(sys.modules.items()) if self._is_project(name, one)}
        self._modules = {*modules, *(one.get("__name__") for one in own)}
        for names in own:
            self._add("", names, MAX_DEPTH)
        for name, names in modules.items():
            self._add(name, names, MAX_DEPTH)
        self._logged: List[str] = []
        self._written: List[str] = []
        self._entered = 0

    def begin(self) -> None:
        """Take control of what is logged and where files are written, in this process for good."""
        self._logged.clear()
        self._written.clear()
        if self._entered == os.getpid():
            return
        self._entered = os.getpid()
        # The clock has been replaced where modules have it by name.
        for cell in self._cells:
            cell.look()
        handle, logged = logging.Logger.callHandlers, self._logged

        def noted(logger: logging.Logger, record: logging.LogRecord) -> None:
            try:
                said = record.getMessage()
            except Exception:  # arguments that do not fit the message
                said = str(record.msg)
            logged.append("{} {}: {}".format(record.levelname, record.name, said))
            # Without any, Python would write it to standard error.
            if logger.hasHandlers():
                handle(logger, record)

        setattr(logging.Logger, "callHandlers", noted)  # noqa: B010 - assigning to a method is what mypy forbids
        sys.addaudithook(self._hear)

    @property
    def known(self) -> Set[int]:
        """The identities of the containers that are watched."""
        return set(self._known)

    @contextlib.contextmanager
    def noting(self) -> Iterator[io.StringIO]:
        """Note warnings meanwhile, and what is written to standard error."""
        errors = io.StringIO()
        with warnings.catch_warnings(record=True) as warned, contextlib.redirect_stderr(errors):
            warnings.simplefilter("always")
            try:
                yield errors
            finally:
                for one in warned or ():
                    self._logged.append("{}: {}".format(one.category.__name__, one.message))

    @property
    def logged(self) -> str:
        """The log records and warnings of the last call; empty if there are none."""
        return cut("; ".join(self._logged))

    def left(self) -> List[str]:
        """Return what the last call has changed elsewhere, in words, and put it back."""
        changed = [cell for cell in self._cells if _identities(cell.held) != cell.identities]
        said = [words for cell in changed for words in self._told(cell)]
        for cell in changed:
            _put_back(cell)
            # Python may keep names of its own there from now on.
            cell.identities = _identities(cell.held)
        return [*said, *self._files()]

    def shares(self, result: Any, arguments: List[Any], named: Dict[str, Any]) -> str:
        """Return which parts of a result are parts of arguments or of the project's modules, in words."""
        try:
            return self._shared(result, arguments, named) if _is_mutable(result) else ""
        except Exception:  # the project's own descriptors
            return ""

    def _shared(self, result: Any, arguments: List[Any], named: Dict[str, Any]) -> str:
        known = dict(self._known)
        for name, one in [*enumerate(arguments, 1), *named.items()]:
            for path, part in _parts(one, "argument {}".format(name)):
                known.setdefault(id(part), path)
        return "; ".join(
            "{} is {}".format(path, known[id(part)])
            for path, part in _parts(result, "the result", known)
            if id(part) in known
        )

    def _is_project(self, name: str, module: Any) -> bool:
        file = getattr(module, "__dict__", {}).get("__file__")
        last = name.rpartition(".")[2]
        if not isinstance(file, str) or last.startswith(("test_", "conftest")) or last.endswith("_test"):
            return False
        real = os.path.realpath(file)
        return real.startswith(self._root) and os.sep + "site-packages" + os.sep not in real

    def _add(self, words: str, held: Any, depth: int, *, is_named: bool = True) -> None:
        """Watch a container, and those within it."""
        if id(held) in self._known or len(self._cells) >= MAX_CELLS:
            return
        content = _content(held)
        if len(content) > MAX_ELEMENTS and depth < MAX_DEPTH:
            return
        self._known[id(held)] = words or "the module"
        self._cells.append(_Cell(words, held, content, is_named))
        if not depth:
            return
        for name, one in _elements(held):
            # Those of a module are told by their names alone.
            inner = words + name if depth < MAX_DEPTH else ".".join(filter(None, (words, name[2:-2])))
            try:
                self._add_element(inner, one, depth - 1)
            except Exception:  # the project's own descriptors and classes
                continue

    def _add_element(self, words: str, one: Any, depth: int) -> None:
        if type(one) in _PLAIN:
            self._add(words, one, depth, is_named=False)
        elif issubclass(type(one), type):
            if self._is_own(one):
                self._add(one.__qualname__, one, depth)
        elif type(one) is types.FunctionType:
            if self._is_own(one):
                for part in (one.__dict__, *(one.__defaults__ or ()), *(one.__kwdefaults__ or {}).values()):
                    if type(part) in _PLAIN:
                        self._add(one.__qualname__, part, 0, is_named=part is one.__dict__)
        elif self._is_own(type(one)):
            held = (attributes_of(one) or {}) and getattr(one, "__dict__", None)
            if type(held) is dict:
                self._add(words, held, depth)

    def _is_own(self, one: Any) -> bool:
        return getattr(one, "__module__", None) in self._modules

    def _told(self, cell: _Cell) -> Iterator[str]:
        """Yield the changes of a container."""
        if not cell.is_named:
            yield "{} = {}".format(cell.words, View(cell.held).state)
            return
        now = _content(cell.held)
        for name in sorted({*now, *cell.content}, key=repr):
            if now.get(name, cell) is cell.content.get(name, cell):
                continue
            # What is imported late is no change that anyone depends on.
            if type(now.get(name)) is not types.ModuleType:
                state = View(now[name]).state if name in now else "gone"
                yield "{} = {}".format("{}.{}".format(cell.words, name) if cell.words else name, state)

    def _hear(self, event: str, arguments: Any) -> None:
        if event != "open" or self._entered != os.getpid():
            return
        path, mode, flags = arguments
        is_written = flags & _WRITING if type(flags) is int else set("wax+") & set(str(mode))
        if is_written and isinstance(path, (str, bytes)):
            self._written.append(os.path.abspath(os.fsdecode(path)))

    def _files(self) -> Iterator[str]:
        """Yield the files written outside the working directory, which are removed where only calls write."""
        here, ours = os.getcwd() + os.sep, os.path.dirname(tempfile.gettempdir()) + os.sep
        for path in sorted(set(self._written))[:MAX_FILES]:
            if path.startswith((here, "/dev/", "/proc/")):
                continue
            try:
                with open(path, "rb") as opened:
                    content = opened.read(100_000)
                if path.startswith(ours):
                    os.remove(path)
            except OSError:
                continue
            shown = path[len(ours) :] if path.startswith(ours) else path
            yield "{} is written: {}".format(_RANDOM_NAME.sub("tmp…", shown), cut(repr(content)))
        self._written.clear()


def _content(held: Any) -> Any:
    """Return a copy of what a container holds; of a namespace without what Python keeps there."""
    if isinstance(held, type):
        held = vars(held)
    if isinstance(held, (dict, types.MappingProxyType)):
        return {name: one for name, one in held.items() if not (type(name) is str and name.startswith("__"))}
    return list(held)


def _identities(held: Any) -> Tuple[int, ...]:
    """Return the identities of all that a container holds, which costs little."""
    if isinstance(held, type):
        return tuple(map(id, vars(held).values()))
    if isinstance(held, dict):
        return tuple(map(id, held.values()))
    # The order of a set is its own affair.
    return tuple(sorted(map(id, held)) if type(held) is set else map(id, held))


def _put_back(cell: _Cell) -> None:
    held, content = cell.held, cell.content
    if isinstance(held, type):
        now = _content(held)
        for name in now.keys() - content.keys():
            type.__delattr__(held, name)
        for name, one in content.items():
            if now.get(name) is not one:
                type.__setattr__(held, name, one)
    elif isinstance(held, dict):
        for name in _content(held).keys() - content.keys():
            del held[name]
        held.update(content)
    else:
        held.clear()
        (held.update if type(held) is set else held.extend)(content)


def _is_mutable(value: Any) -> bool:
    kind = type(value)
    if kind in _PLAIN or kind is tuple:
        return True
    # A class, a module or a member of an enumeration is what its name says, wherever it is held.
    return kind.__module__ != "builtins" and not issubclass(kind, NAMED) and attributes_of(value) is not None


def _elements(value: Any) -> List[Tuple[str, Any]]:
    """Return the elements of a container or the attributes of an object, with the words for their places."""
    kind = type(value)
    if kind in (list, tuple, collections.deque):
        return [("[{}]".format(place), one) for place, one in enumerate(list(value)[:MAX_ELEMENTS])]
    if kind is set:
        return []
    if isinstance(value, (dict, type)):
        return [("[{!r}]".format(name), one) for name, one in list(_content(value).items())[:MAX_ELEMENTS]]
    return [(".{}".format(name), one) for name, one in list((attributes_of(value) or {}).items())[:MAX_ELEMENTS]]


def _parts(value: Any, path: str, known: Optional[Dict[int, str]] = None) -> Iterator[Tuple[str, Any]]:
    """Yield the mutable parts of a value, the outer ones first, each with its path; not those within `known` ones."""
    pending, seen = [(path, value, MAX_DEPTH)], set()
    for path, one, depth in itertools.islice(_growing(pending), MAX_PARTS):
        if id(one) in seen or not _is_mutable(one):
            continue
        seen.add(id(one))
        if type(one) is not tuple:
            yield path, one
        if depth and (known is None or id(one) not in known):
            pending += [(path + name, inner, depth - 1) for name, inner in _elements(one)]


def _growing(pending: List[Any]) -> Iterator[Any]:
    """Yield the elements of a list that grows meanwhile."""
    yield from pending
