"""Processes prepared once for the tests of a project, and kept until its search ends, or longer by the daemon."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path

import anyio
from anyio.abc import TaskGroup, TaskStatus

from certo.sandbox.executor import Executor, Interpreter, Policy, Work
from certo.sandbox.process.resource_tracker import current_tracker, tracked_by
from certo.sandbox.warm.reserve import Reserve, keep_warm
from certo.verification.dynamic.harness import Harness, Selection, work_of
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True)
class Preparation:
    """The state that runs of tests at `paths` start with: `libraries` imported, and maybe a pytest `session`.

    Without `paths` it serves all tests of the project, and imports the libraries of a run when that is wanted.
    `characters` says that the tables are made that Hypothesis needs to generate text.
    """

    paths: tuple[str, ...] | None
    libraries: tuple[str, ...]
    session: bool
    characters: bool

    def in_words(self, harness: Harness) -> Mapping[str, object]:
        """Return what the worker gets of it."""
        return {
            "root": str(harness.root),
            "paths": None if self.paths is None else list(self.paths),
            "libraries": list(self.libraries),
            "session": self.session,
            "characters": self.characters,
            "environment": dict(harness.environment),
        }


PROJECT = Preparation(paths=None, libraries=(), session=True, characters=False)
"""The state in which the tests of a project start, whatever they test."""

_Key = tuple[Preparation, Policy, int, tuple[str, ...], tuple[str, ...], tuple[tuple[str, str], ...]]


@dataclass(slots=True)
class _WarmEntry:
    executor: Executor
    scope: anyio.CancelScope
    ended: anyio.Event


@dataclass(slots=True)
class WarmPool:
    """Prepared processes, one for each preparation and way to run; they live in `group`.

    They are part of the search that starts them, unless they are shared by several.
    """

    group: TaskGroup
    is_shared: bool = False
    reserve: Reserve = field(init=False)
    _kept: dict[_Key, _WarmEntry] = field(default_factory=dict)
    _lock: anyio.Lock = field(default_factory=anyio.Lock)

    def __post_init__(self) -> None:
        """Have a reserve in the same group."""
        self.reserve = Reserve(self.group)

    async def harness(self, cold: Harness, preparation: Preparation) -> Harness:
        """Return a harness like `cold` whose runs start from a prepared process, which is started if there is none."""
        prepared = replace(cold, preparation=preparation.in_words(cold))
        key = _key(cold, preparation)
        # Two that ask for the same at once share one process.
        async with self._lock:
            if key not in self._kept:
                like = _like(prepared, preparation)
                scope = anyio.CancelScope()
                ended = anyio.Event()
                # Another search may still use it when this one has ended.
                with tracked_by(None if self.is_shared else current_tracker()):
                    executor = await self.group.start(keep_warm, cold.executor, like, scope, ended)
                self._kept[key] = _WarmEntry(executor, scope, ended)
            return replace(prepared, executor=self._kept[key].executor)

    def tidy(self) -> None:
        """End the processes that are of no use to another search."""
        useful = [key for key in self._kept if key[0] == PROJECT][-_MAX_KEPT:]
        for key in set(self._kept).difference(useful):
            self._kept.pop(key).scope.cancel()

    async def end(self) -> None:
        """End all of its processes, and wait until they are gone."""
        entries = list(self._kept.values())
        self._kept.clear()
        for entry in entries:
            entry.scope.cancel()
        await self.reserve.end()
        for entry in entries:
            await entry.ended.wait()

    def drop(self, cold: Harness, preparation: Preparation) -> None:
        """End a prepared process that cannot be used."""
        kept = self._kept.pop(_key(cold, preparation), None)
        if kept is not None:
            kept.scope.cancel()


def project_key(root: Path, executor: Executor, interpreter: Interpreter, *, background: bool) -> Hashable:
    """Return the key of the processes that are kept for a project: everything that they depend on."""
    return root, executor, interpreter, background


MAX_PROJECTS = 3
"""The number of projects for which processes are kept without a search; each takes some 50 MiB."""

MAX_IDLE_SECONDS = 600.0
"""The time for which processes of a project are kept without a search."""

_MAX_KEPT = 4
"""The number of prepared processes that are kept for one project: more are of states that it is in no longer."""


@dataclass(slots=True)
class _Project:
    pool: WarmPool
    users: int = 0
    last: float = 0.0


@dataclass(slots=True)
class WarmProjects:
    """The prepared processes of projects, which one search leaves to the next; they live in `group`.

    With `prepares_next` a search also leaves a new process in place of each that it has used up.
    """

    group: TaskGroup
    prepares_next: bool = False
    _projects: dict[Hashable, _Project] = field(default_factory=dict)

    async def lend(self, key: Hashable, is_stopped: Callable[[], bool], *, task_status: TaskStatus[WarmPool]) -> None:
        """Lend the pool of a project until cancelled; `key` is its root and everything that its runs depend on.

        If the user has stopped the search by then, no process is left for the next one.
        """
        project = self._projects.setdefault(key, _Project(WarmPool(self.group, is_shared=True)))
        project.users += 1
        try:
            task_status.started(project.pool)
            await anyio.sleep_forever()
        finally:
            project.users -= 1
            project.last = anyio.current_time()
            if not project.users:
                project.pool.tidy()
            with anyio.CancelScope(shield=True):
                if is_stopped():
                    await self._end_idle(key)
                await self._end_others()
            if self.prepares_next and not is_stopped():
                self.group.start_soon(project.pool.reserve.renew)
            self.group.start_soon(self._end_when_idle, key, project.last)

    async def refresh(self, document: Path) -> None:
        """Replace processes kept without a search that began with another text of a document, which was saved."""
        for project in list(self._projects.values()):
            if not project.users:
                await project.pool.reserve.refresh(document)

    async def _end_others(self) -> None:
        idle = [key for key, project in self._projects.items() if not project.users]
        for key in sorted(idle, key=lambda key: self._projects[key].last)[:-MAX_PROJECTS]:
            await self._end_idle(key)

    async def _end_when_idle(self, key: Hashable, last: float) -> None:
        await anyio.sleep(MAX_IDLE_SECONDS)
        project = self._projects.get(key)
        if project is not None and project.last == last:
            await self._end_idle(key)

    async def _end_idle(self, key: Hashable) -> None:
        """End the processes of a project unless a search uses them, as one may have begun to meanwhile."""
        project = self._projects.get(key)
        if project is not None and not project.users:
            del self._projects[key]
            await project.pool.end()


def _like(prepared: Harness, preparation: Preparation) -> Work:
    """Return a run like those that the process is prepared for."""
    selection = Selection(paths=preparation.paths or ())
    work = work_of("suite", prepared, prepared.base, selection, seconds=prepared.options.total_seconds)
    if preparation.paths is not None:
        return work
    # It serves later searches too, which have other texts of other files: it reads them all from the disk.
    beside = (path.relative_to(prepared.root).as_posix() for path in prepared.root.glob("test*/"))
    names = dict.fromkeys((*beside, "test", "tests"))
    conftests = ("conftest.py", *(f"{name}/conftest.py" for name in names))
    return replace(work, overlay={}, unprotected=(), protected=(*work.protected, *conftests))


def _key(cold: Harness, preparation: Preparation) -> _Key:
    """Return everything that a prepared process depends on, besides the project."""
    environment = tuple(sorted(cold.environment.items()))
    return preparation, cold.policy, cold.hash_seed, cold.shown, cold.hidden, environment


def why_not_warm(cold: Harness) -> str:
    """Return why no process can be prepared for the tests of a harness, or nothing if one can."""
    if cold.policy is not Policy.STRICT:
        return f"its tests run under the policy {cold.policy.value}"
    if cold.whole_suite:
        # A rehearsal of the whole suite takes as long as judging a candidate, and most candidates could not use it.
        return "a candidate may change files that no process can be prepared for"
    return ""


def files_of(tests: Iterable[str]) -> tuple[str, ...]:
    """Return the files of tests with these ids, in order."""
    return tuple(dict.fromkeys(name.partition("::")[0] for name in tests))
