"""Processes prepared for the tests of one problem, kept for whoever runs them again until its search is over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import anyio
from anyio.abc import TaskGroup, TaskStatus

from certo.sandbox.executor import Executor, Policy, Work
from certo.verification.dynamic.harness import Harness, Selection, work_of


@dataclass(frozen=True, slots=True)
class Preparation:
    """What runs of the tests at `paths` have in common: `libraries` imported, and perhaps a `session` of pytest.

    `characters` are tables that Hypothesis makes for tests with texts.
    """

    paths: tuple[str, ...]
    libraries: tuple[str, ...]
    session: bool
    characters: bool


@dataclass(slots=True)
class _WarmEntry:
    executor: Executor
    scope: anyio.CancelScope


@dataclass(slots=True)
class WarmPool:
    """Prepares a process for each preparation once, in `group`."""

    group: TaskGroup
    _kept: dict[Preparation, _WarmEntry] = field(default_factory=dict)

    async def ground(self, cold: Harness, preparation: Preparation) -> Harness:
        """The ground like `cold` whose runs start from a process that is prepared; it is started for the first."""
        words = {
            "root": str(cold.root),
            "paths": list(preparation.paths),
            "libraries": list(preparation.libraries),
            "session": preparation.session,
            "characters": preparation.characters,
        }
        prepared = replace(cold, preparation=words)
        if preparation not in self._kept:
            selection = Selection(paths=preparation.paths)
            like = work_of("suite", prepared, cold.base, selection, seconds=cold.options.total_seconds)
            scope = anyio.CancelScope()
            executor = await self.group.start(_keep_warm, cold.executor, like, scope)
            self._kept[preparation] = _WarmEntry(executor, scope)
        return replace(prepared, executor=self._kept[preparation].executor)

    def drop(self, preparation: Preparation) -> None:
        """End what was prepared, which does not do for judging."""
        kept = self._kept.pop(preparation, None)
        if kept is not None:
            kept.scope.cancel()


def why_not_warm(cold: Harness) -> str:
    """Why nothing can be prepared for the tests of a ground, in words; empty when it can."""
    if cold.policy is not Policy.STRICT:
        return f"its tests run under the policy {cold.policy.value}"
    if cold.whole:
        # Rehearsing the whole suite takes as long as a candidate does, and most of these could not use it.
        return "a candidate may change files that no process can be prepared for"
    return ""


def files_of(tests: Iterable[str]) -> tuple[str, ...]:
    """The files of tests with these ids, in their order."""
    return tuple(dict.fromkeys(name.partition("::")[0] for name in tests))


async def _keep_warm(
    executor: Executor, like: Work, scope: anyio.CancelScope, *, task_status: TaskStatus[Executor]
) -> None:
    """Keep what runs like `like` start from, until the scope is cancelled."""
    with scope:
        async with executor.warmed(like) as warm:
            task_status.started(warm)
            await anyio.sleep_forever()
