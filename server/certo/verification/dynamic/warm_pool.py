"""Processes prepared once for the tests of one problem, and kept until its search ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import anyio
from anyio.abc import TaskGroup, TaskStatus

from certo.sandbox.executor import Executor, Policy, Work
from certo.verification.dynamic.harness import Harness, Selection, work_of


@dataclass(frozen=True, slots=True)
class Preparation:
    """The state that runs of tests at `paths` start with: `libraries` imported, and maybe a pytest `session`.

    `characters` says that the tables are made that Hypothesis needs to generate text.
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
    """Prepared processes, one for each preparation; they live in `group`."""

    group: TaskGroup
    _kept: dict[Preparation, _WarmEntry] = field(default_factory=dict)

    async def harness(self, cold: Harness, preparation: Preparation) -> Harness:
        """Return a harness like `cold` whose runs start from a prepared process, which is started if there is none."""
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
        """End a prepared process that cannot be used."""
        kept = self._kept.pop(preparation, None)
        if kept is not None:
            kept.scope.cancel()


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
