"""Processes prepared once for the tests of a project, and kept until its search ends, or longer by the daemon."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import anyio
from anyio.abc import TaskGroup, TaskStatus

from certo.sandbox.executor import Executor, Policy, Work
from certo.verification.dynamic.harness import Harness, Selection, work_of


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


@dataclass(slots=True)
class WarmPool:
    """Prepared processes, one for each preparation and way to run; they live in `group`."""

    group: TaskGroup
    _kept: dict[_Key, _WarmEntry] = field(default_factory=dict)
    _lock: anyio.Lock = field(default_factory=anyio.Lock)

    async def harness(self, cold: Harness, preparation: Preparation) -> Harness:
        """Return a harness like `cold` whose runs start from a prepared process, which is started if there is none."""
        prepared = replace(cold, preparation=preparation.in_words(cold))
        key = _key(cold, preparation)
        # Two that ask for the same at once share one process.
        async with self._lock:
            if key not in self._kept:
                selection = Selection(paths=preparation.paths or ())
                like = work_of("suite", prepared, cold.base, selection, seconds=cold.options.total_seconds)
                scope = anyio.CancelScope()
                executor = await self.group.start(_keep_warm, cold.executor, like, scope)
                self._kept[key] = _WarmEntry(executor, scope)
            return replace(prepared, executor=self._kept[key].executor)

    def drop(self, cold: Harness, preparation: Preparation) -> None:
        """End a prepared process that cannot be used."""
        kept = self._kept.pop(_key(cold, preparation), None)
        if kept is not None:
            kept.scope.cancel()


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


async def _keep_warm(
    executor: Executor, like: Work, scope: anyio.CancelScope, *, task_status: TaskStatus[Executor]
) -> None:
    """Keep a process that runs like `like` start from, until the scope is cancelled."""
    with scope:
        async with executor.warmed(like) as warm:
            task_status.started(warm)
            await anyio.sleep_forever()
