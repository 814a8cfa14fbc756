"""Plug-in registry: named parts that are built in, or found by entry point, decorator, or `module:attribute`."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from certo.vocabulary.errors import BadSetting
from certo.vocabulary.records import dataclass

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

Thing = TypeVar("Thing")

_PLACE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")

_FILE = re.compile(r"(?P<file>.*\.py):(?P<attribute>[A-Za-z_]\w*)", re.DOTALL)

_METADATA = ("dist-info", "egg-info")
"""How the names end of what an installed package is recorded in."""

_registered: dict[tuple[str, str], object] = {}
"""Parts registered by decorators in this process, by kind and name."""


def register(kind: str, name: str) -> Callable[[Thing], Thing]:
    """Register a part under a name: `@register("strategy", "greedy")` over a class, for any kind of registry.

    It is known as soon as its module is imported; an entry point of this name may name just the module.

    Raises:
        BadSetting: Another part of this kind has the name in this process.
    """

    def named(thing: Thing) -> Thing:
        before = _registered.setdefault((kind, name), thing)
        if before is not thing and _origin(before) != _origin(thing):
            raise BadSetting(f"the {kind} {name!r} is {_origin(before)} already; give {_origin(thing)} another name")
        _registered[kind, name] = thing
        return thing

    return named


def is_place(name: str) -> bool:
    """True if a name has the form `module:attribute` or `FILE.py:attribute`."""
    return _PLACE.fullmatch(name) is not None or _FILE.fullmatch(name) is not None


def whole_place(name: str, folder: Path | None = None) -> str:
    """Return a name as given in a folder, the current one by default, with the whole path of its file if it names one.

    A weight may follow it, as in "prices.py:Price=2.5". Only commands and programs may complete a path: in settings
    that are kept it would name another file in each project.
    """
    place, weight = (name, "") if _FILE.fullmatch(name) else name.rpartition("=")[::2]
    found = _FILE.fullmatch(place)
    if found is None:
        return name
    path = ((folder or Path.cwd()) / Path(found["file"]).expanduser()).resolve()
    return f"{path}:{found['attribute']}" + (f"={weight}" if weight else "")


PROGRAM_RESERVED = "choose the program certo starts"
"""Completes "a project's file may not …" for a setting that names code: the user installs packages, not a project."""


def names_installed_code(names: str | Sequence[str]) -> bool:
    """True if plug-ins are named as installed packages name them, and none by the place of its code.

    A weight may follow a name, as in "name=2.5".
    """
    every = (names,) if isinstance(names, str) else names
    return not any(is_place(name.partition("=")[0].strip()) for name in every)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """A part from an installed package: its name, its place, and the reason if it cannot be loaded."""

    name: str
    place: str
    failure: str = ""


@dataclass(frozen=True, kw_only=True)
class Registry(Generic[Thing]):
    """Table from name to part, loaded by import path so that naming a part imports nothing.

    `kind` is the noun for messages and the kind for decorators, and `certo.<kind>s` is the entry-point group of
    packages (`group` if the plural differs). A name of the form `module:attribute` or `FILE.py:attribute` needs
    neither. A plug-in with the name of a built-in part is refused, with both named.
    """

    kind: str
    builtin: Mapping[str, str]
    group: str = ""

    def names(self) -> tuple[str, ...]:
        """Return every known name, built-in ones first."""
        return (*self.builtin, *sorted({*self._points(), *self._decorated()} - self.builtin.keys()))

    def load(self, name: str) -> Thing:
        """Import and return the part called `name`.

        Raises:
            BadSetting: The name is unknown (the message lists the known and the broken ones), ambiguous, or fails to
                import.
        """
        points = self._points().get(name, [])
        if name in self.builtin and points:
            raise BadSetting(
                f"the {self.kind} {name!r} is built in ({self.builtin[name]}) "
                f"and also brought by {points[0].value}; rename or remove the plug-in"
            )
        if name in self.builtin:
            return cast("Thing", import_place(self.builtin[name]))
        if len(points) > 1:
            places = " and ".join(point.value for point in points)
            raise BadSetting(f"the {self.kind} {name!r} is brought twice, by {places}; remove one of these packages")
        if points:
            return cast("Thing", self._loaded(points[0].value, name))
        if name in self._decorated():
            return cast("Thing", _registered[self.kind, name])
        if is_place(name):
            return cast("Thing", self._loaded(name, name))
        raise BadSetting(f"there is no {self.kind} {name!r}; known: {', '.join(self._said())}")

    def brought(self) -> tuple[Plugin, ...]:
        """Return the parts of installed packages by name, with reasons for those that cannot be loaded; imports all."""
        found = []
        for name, points in sorted(self._points().items()):
            try:
                self.load(name)
            except BadSetting as error:
                found.append(Plugin(name=name, place=points[0].value, failure=str(error)))
            else:
                found.append(Plugin(name=name, place=points[0].value))
        return tuple(found)

    def _loaded(self, place: str, name: str) -> object:
        """Return the object at a place; for a module, the one a decorator in it registered under this name."""
        try:
            thing = import_place(place)
        # It is foreign code: any error of its import is reported by name.
        except Exception as error:
            raise BadSetting(
                f"the {self.kind} {name!r} of {place} cannot be loaded: {str(error) or type(error).__name__}"
            ) from error
        if not isinstance(thing, ModuleType):
            return thing
        if name not in self._decorated():
            raise BadSetting(
                f"the {self.kind} {name!r} of {place} cannot be loaded: the module registers nothing of this name; "
                f'decorate it with @register("{self.kind}", "{name}")'
            )
        return _registered[self.kind, name]

    def _points(self) -> Mapping[str, Sequence[EntryPoint]]:
        return _installed_of(self.group or f"certo.{self.kind}s", entry_points, _stamps())

    def _decorated(self) -> set[str]:
        return {name for kind, name in _registered if kind == self.kind}

    def _said(self) -> list[str]:
        """Return every known name, with the reason for those that cannot be loaded."""
        broken = {each.name: each.failure for each in self.brought() if each.failure}
        return [f"{name} (broken: {broken[name]})" if name in broken else name for name in self.names()]


def entry_points() -> EntryPoints | None:
    """Return the entry points of all installed packages; None if no package has a plug-in for certo.

    Reading them takes a library that takes as long to import as the sandbox takes to start.
    """
    finders = [finder for finder in sys.meta_path if hasattr(finder, "find_distributions")]
    is_usual = all(getattr(finder, "__module__", "") == "_frozen_importlib_external" for finder in finders)
    if is_usual and not any(map(_may_have_plugin, sys.path)):
        return None
    read: Callable[[], EntryPoints] = importlib.import_module("importlib.metadata").entry_points
    return read()


def _may_have_plugin(place: str) -> bool:
    """True if a package that is installed in a place has a plug-in for certo, or that cannot be told by its files."""
    place = place or os.curdir
    if os.path.isfile(place) or place.lower().endswith(".egg"):
        return True
    try:
        with os.scandir(place) as entries:
            folders = [entry.path for entry in entries if entry.name.lower().endswith(_METADATA)]
    except OSError:
        return False
    return any(map(_names_our_group, folders))


def _names_our_group(metadata: str) -> bool:
    if os.path.isfile(metadata):
        return False  # an .egg-info file has no entry points
    try:
        with open(os.path.join(metadata, "entry_points.txt"), "rb") as lines:
            return any(line.strip().startswith(b"[certo.") for line in lines)
    except OSError:
        return False


def _stamps() -> tuple[tuple[str, object], ...]:
    """Return the places that packages are installed in, each with a stamp that changes when one is."""
    return tuple((place, _stamp(place or os.curdir)) for place in sys.path)


def _stamp(place: str) -> object:
    try:
        return _packages(place, os.stat(place).st_mtime_ns)
    except OSError:
        return None


@lru_cache(maxsize=64)
def _packages(place: str, changed: int) -> object:
    """Return the packages whose metadata lies in a place, each with the time of its last installation.

    The place itself changes with each of its files: a script may lie in a folder for temporary ones.
    """
    if not os.path.isdir(place):
        return changed  # an archive
    with os.scandir(place) as entries:
        return tuple(
            sorted(
                (entry.name, entry.stat().st_mtime_ns) for entry in entries if entry.name.lower().endswith(_METADATA)
            )
        )


@lru_cache(maxsize=8)
def _installed(
    read: Callable[[], EntryPoints | None],
    stamps: tuple[tuple[str, object], ...],  # noqa: ARG001 - a part of the key: other packages, other entry points
) -> EntryPoints | None:
    """Return the entry points of all groups, for which the files of every installed package are read."""
    return read()


@lru_cache(maxsize=64)
def _installed_of(
    group: str, read: Callable[[], EntryPoints | None], stamps: tuple[tuple[str, object], ...]
) -> Mapping[str, Sequence[EntryPoint]]:
    """Return the entry points of a group by name; a search asks several times, and all of them are gone through."""
    points: dict[str, list[EntryPoint]] = {}
    every = _installed(read, stamps)
    for point in () if every is None else every.select(group=group):
        if point.value not in (known.value for known in points.setdefault(point.name, [])):
            points[point.name].append(point)
    return points


def import_place(place: str) -> object:
    """Return the object that `module:attribute` or `FILE.py:attribute` names, or the module alone.

    Raises:
        ValueError: The path of the file is not whole.
    """
    if (found := _FILE.fullmatch(place)) is not None:
        return getattr(_module_in(Path(found["file"]).expanduser()), found["attribute"])
    module, _, path = place.partition(":")
    thing: object = importlib.import_module(module)
    for attribute in filter(None, path.split(".")):
        thing = getattr(thing, attribute)
    return thing


def _module_in(file: Path) -> ModuleType:
    """Return the module in a file, which is executed again only if the file has changed."""
    if not file.is_absolute():
        raise ValueError(f"{file} is not a whole path; write one that begins with / or ~")
    name = f"certo_file_{file.stem}_{abs(hash((file, file.stat().st_mtime_ns)))}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            raise ValueError(f"{file} is no file of Python")
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def _origin(thing: object) -> str:
    return f"{getattr(thing, '__module__', '?')}:{getattr(thing, '__qualname__', repr(thing))}"
