"""Experiments without git: contents of changed files, stored by hash, and a list in JSON."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import asdict, field
from pathlib import Path, PurePosixPath
from typing import Any

import anyio

from certo.project.candidate_store.directories import remove, set_aside
from certo.project.candidate_store.replacement import Replacement, replaced
from certo.project.candidate_store.store import CheckedOut, Files, StoredCandidate, is_gits_own, is_text
from certo.project.testfiles import is_skipped
from certo.vocabulary.errors import CandidateNotFound, ExperimentsUnavailable
from certo.vocabulary.records import dataclass

_LIST = "experiments.json"
_VERSION = 1

_Held = dict[str, str | None]
"""Hashes of file contents by path; None for a file that does not exist."""


@dataclass(slots=True, kw_only=True)
class _StoredFile:
    """One experiment in the list."""

    parent: int | None
    files: _Held
    message: str


@dataclass(slots=True, kw_only=True)
class _List:
    """Stored data of a search: original contents of the files involved, and its experiments."""

    base: _Held = field(default_factory=dict)
    experiments: dict[int, _StoredFile] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainExperiments:
    """Experiments of one search of the project at `root`, in a folder of certo's; `say` as for git."""

    search: str
    place: Path
    root: Path
    say: Callable[[str], None]

    @asynccontextmanager
    async def begun(self, texts: Files) -> AsyncIterator[PlainKeeping]:
        """Store the current contents of the given files; others are stored when an experiment changes them."""
        try:
            listed = self._read() if self.place.exists() else None
        except ExperimentsUnavailable as failure:
            kept = set_aside(self.place)
            self.say(f"the experiments of search {self.search} cannot be used: {failure}. They are kept in {kept}")
            listed = None
        if listed is None:
            listed = _List(base={path: self._hold(content) for path, content in texts.items()})
            self._write(listed)
        yield PlainKeeping(experiments=self, listed=listed)

    async def numbers(self) -> tuple[int, ...]:
        """Return the numbers of the listed experiments."""
        return tuple(sorted(self._read().experiments)) if self.place.exists() else ()

    async def message(self, number: int) -> str:
        """Return the message of an experiment."""
        return self._kept(number).message

    async def files(self, number: int) -> Files:
        """Return the files of an experiment that differ from the base."""
        base = self._read().base
        return {path: self._held(name) for path, name in self._kept(number).files.items() if name != base[path]}

    @asynccontextmanager
    async def materialized(self, number: int | None) -> AsyncIterator[Path]:
        """Copy the project's current text files, overlaid with the files of an experiment."""
        listed = self._read()
        laid = {**listed.base, **({} if number is None else self._kept(number).files)}
        with tempfile.TemporaryDirectory(prefix="certo-experiment-", ignore_cleanup_errors=True) as folder:
            tree = Path(folder, "tree")
            for text, content in _texts(self.root):
                await anyio.lowlevel.checkpoint()
                _put(tree / text, content)
            for path, name in laid.items():
                _put(tree / path, self._held(name))
            yield tree

    async def check_out(self, number: int, branch: str) -> CheckedOut:  # noqa: ARG002 - there are no branches here
        """Write the files of an experiment if they are unchanged since the search began."""
        base = self._read().base
        wanted = {
            self._within(path): Replacement(before=self._held(base[path]), after=content)
            for path, content in (await self.files(number)).items()
        }
        with replaced(self.root.resolve(), wanted) as written:
            return CheckedOut(branch=None, paths=written)

    async def forget(self) -> None:
        """Remove the folder."""
        await remove(self.place)

    def keep(self, listed: _List, experiment: StoredCandidate) -> str:
        """Add an experiment to the list; return its name."""
        if experiment.number not in listed.experiments:
            for path in experiment.files:
                within = self.root.resolve() / self._within(path)
                if path not in listed.base:
                    listed.base[path] = self._hold(within.read_bytes() if within.is_file() else None)
            files = {path: self._hold(content) for path, content in experiment.files.items()}
            listed.experiments[experiment.number] = _StoredFile(
                parent=experiment.parent, files=files, message=experiment.message
            )
            self._write(listed)
        facts = json.dumps(asdict(listed.experiments[experiment.number]), sort_keys=True)
        return hashlib.sha256(facts.encode()).hexdigest()

    def _within(self, path: str) -> str:
        """Return a path of the project with links resolved.

        Raises:
            ExperimentsUnavailable: It leads out of the project.
        """
        root = self.root.resolve()
        real = Path(os.path.realpath(root / path))
        if not real.is_relative_to(root) or real == root:
            raise ExperimentsUnavailable(f"{path} leads to {real}, outside of {root}")
        if is_gits_own(real.relative_to(root)):
            raise ExperimentsUnavailable(f"{path} leads to what is git's own")
        return real.relative_to(root).as_posix()

    def _kept(self, number: int) -> _StoredFile:
        experiments = self._read().experiments
        if number not in experiments:
            known = ", ".join(f"#{each}" for each in sorted(experiments)) or "none"
            raise CandidateNotFound(f"search {self.search} keeps no experiment #{number}; it has {known}")
        return experiments[number]

    def _read(self) -> _List:
        try:
            written: dict[str, Any] = json.loads((self.place / _LIST).read_bytes())
            if written["version"] != _VERSION:
                raise ExperimentsUnavailable(f"another version of certo wrote {self.place}")
            experiments = {int(number): _StoredFile(**kept) for number, kept in written["experiments"].items()}
            return _List(base=dict(written["base"]), experiments=experiments)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ExperimentsUnavailable(f"{self.place} cannot be read: {error!r}") from error

    def _write(self, listed: _List) -> None:
        _written(self.place / _LIST, json.dumps({"version": _VERSION, **asdict(listed)}).encode())

    def _hold(self, content: bytes | None) -> str | None:
        """Store the content of a file; return its hash."""
        if content is None:
            return None
        name = hashlib.sha256(content).hexdigest()
        if not (self.place / name).exists():
            _written(self.place / name, content)
        return name

    def _held(self, name: str | None) -> bytes | None:
        if name is None:
            return None
        try:
            return (self.place / name).read_bytes()
        except OSError as error:
            raise ExperimentsUnavailable(f"{self.place} is not whole: {error.strerror or error}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainKeeping:
    """Writer for the experiments of a running search."""

    experiments: PlainExperiments
    listed: _List

    async def keep(self, experiment: StoredCandidate) -> str:
        """Add an experiment to the list."""
        try:
            return self.experiments.keep(self.listed, experiment)
        except OSError as error:
            raise ExperimentsUnavailable(f"{error.filename} cannot be read: {error.strerror or error}") from error


def _written(file: Path, content: bytes) -> None:
    """Write a file atomically, for its owner only."""
    scratch = file.with_suffix(".new")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as written:
            written.write(content)
        scratch.replace(file)
    except OSError as error:
        raise ExperimentsUnavailable(f"{file} cannot be written: {error.strerror or error}") from error


def _texts(root: Path) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield the text files of a project by path."""
    for place, directories, names in os.walk(root):
        directories[:] = [name for name in directories if not is_skipped(Path(place, name))]
        for name in names:
            file = Path(place, name)
            if file.is_file() and is_text(content := file.read_bytes()):
                yield PurePosixPath(file.relative_to(root)), content


def _put(file: Path, content: bytes | None) -> None:
    if content is None:
        file.unlink(missing_ok=True)
    else:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
