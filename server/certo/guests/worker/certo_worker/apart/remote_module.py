"""The proxy of the candidate's module: importing the target's file in the test process yields it."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys
from types import ModuleType
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, SupportsIndex

from certo_worker.apart.client import Client
from certo_worker.apart.proxies import Contents, Reference, reference_of

_dictionary: Callable[[ModuleType], Dict[str, Any]] = vars(ModuleType)["__dict__"].__get__


class RemoteModule(ModuleType):
    """The proxy of a module. Attributes that the import system sets, such as `__spec__`, stay local."""

    @property
    def __dict__(self) -> Any:  # type: ignore[override]  # that of a module can be read only, too
        """The local attributes and those of the candidate's module."""
        reference = _of(self)
        return _dictionary(self) if reference is None else Contents(reference, _dictionary(self))

    def __getattr__(self, name: str) -> Any:
        reference = _of(self)
        if reference is None:
            raise AttributeError(name)
        if name == "__all__":
            return _public(reference)
        return reference.get(name)

    def __setattr__(self, name: str, value: Any) -> None:
        reference = _of(self)
        # The import system sets submodules that are imported here as attributes; the candidate has its own.
        if reference is None or name.startswith("__") or isinstance(value, ModuleType):
            super().__setattr__(name, value)
        else:
            reference.set(name, value)

    def __delattr__(self, name: str) -> None:
        reference = _of(self)
        if reference is None or name in _dictionary(self):
            super().__delattr__(name)
        else:
            reference.delete(name)

    def __dir__(self) -> List[str]:
        reference = _of(self)
        return sorted(_dictionary(self)) if reference is None else reference.names()


def _of(module: ModuleType) -> Optional[Reference]:
    found = _dictionary(module).get("_certo_reference")
    return found if isinstance(found, Reference) else None


RemoteModule._certo_reference_of = _of  # type: ignore[attr-defined]  # looked up by `reference_of`


def namespace_of(module: ModuleType) -> Dict[str, Any]:
    """Return a copy of a module's namespace; for a proxy, each attribute is fetched."""
    reference = _of(module)
    if reference is None:
        return dict(_dictionary(module))
    names = [name for name in reference.names() if not name.startswith("__")]
    return {"__name__": module.__name__, **{name: reference.get(name) for name in names}}


def _public(reference: Reference) -> List[str]:
    """Return the names that `import *` imports."""
    names = reference.names()
    if "__all__" in names:
        told = reference.get("__all__")
        return [name for name in told if isinstance(name, str)] if isinstance(told, (list, tuple)) else []
    return [name for name in names if not name.startswith("_")]


class RemoteLoader:
    """A loader that imports a module in the candidate's process and yields its proxy."""

    def __init__(self, client: Client, path: str):
        self._client = client
        self._path = path

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Return a proxy that is not connected yet."""
        return RemoteModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Import the module in the candidate's process, with the import path of this one.

        Raises:
            BaseException: whatever the import raises.
        """
        if _of(module) is not None:
            self._client.account.unsupported("it reloads the candidate's module")
        _dictionary(module)["__file__"] = self._path
        there = self._client.ask("import", name=module.__name__, values=[[path for path in sys.path if path]])
        reference = reference_of(there)
        if reference is None:
            raise ImportError("the candidate's process has no module {}".format(module.__name__))
        _dictionary(module)["_certo_reference"] = reference


class RemoteFinder:
    """A finder that takes over the spec of another finder if it leads to the target's file."""

    def __init__(self, client: Client, file: str):
        self._client = client
        self._file = os.path.realpath(file)
        head, tail = os.path.split(self._file)
        self._last = os.path.basename(head) if tail == "__init__.py" else os.path.splitext(tail)[0]
        self._asking = False

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]] = None, target: Optional[ModuleType] = None
    ) -> Optional[importlib.machinery.ModuleSpec]:
        """Return a spec for the target's file, under any module name, or None."""
        # Another finder may call all finders in turn, and so this one again.
        if self._asking or fullname.rpartition(".")[2] != self._last:
            return None
        self._asking = True
        try:
            found = (each.find_spec(fullname, path, target) for each in sys.meta_path if hasattr(each, "find_spec"))
            spec = next(filter(None, found), None)
        finally:
            self._asking = False
        if spec is None and not os.path.lexists(self._file):
            spec = self._find_unwritten(fullname, path)
        if spec is None or spec.origin is None or os.path.realpath(spec.origin) != self._file:
            return None
        spec.loader = RemoteLoader(self._client, spec.origin)  # type: ignore[assignment]  # it has the methods of one
        return spec

    def _find_unwritten(self, fullname: str, path: Optional[Sequence[str]]) -> Optional[importlib.machinery.ModuleSpec]:
        """Return a spec for a target's file that is not on the disk: only the candidate's process has its text."""
        for entry in sys.path if path is None else path:
            place = os.path.join(entry or os.getcwd(), self._last + ".py")
            if os.path.realpath(place) == self._file:
                return importlib.util.spec_from_file_location(fullname, place)
        return None


class FirstFinder(list):  # type: ignore[type-arg]  # list takes no parameter at run time before Python 3.9
    """`sys.meta_path` with our finder always first, because pytest and others insert theirs at index 0."""

    def __init__(self, first: RemoteFinder, others: Iterable[Any]) -> None:
        super().__init__([first, *others])

    def insert(self, index: SupportsIndex, finder: Any) -> None:
        """Insert a finder, but never before ours."""
        super().insert(max(1, index.__index__()) if index.__index__() >= 0 else index, finder)
