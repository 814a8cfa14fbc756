"""The test map of a project in its journal."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache

from certo.analysis.code_blocks import CodeBlocks, code_blocks
from certo.concurrency import background_tasks
from certo.edits.source import read_source
from certo.sessions.assembly.problem_statement import ExecutionContext, ResolvedRequest
from certo.sessions.persistence.verdict_cache import JournalVerdictCache
from certo.storage.journal import Journal
from certo.verification.dynamic.results import RunResults
from certo.verification.dynamic.test_map import MappedTests, ProjectState, described, holding
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.records import dataclass

log = logging.getLogger(__name__)

_TICK = 50_000_000
"""Maximum step of a kernel's clock for files, in nanoseconds."""


@dataclass(slots=True, kw_only=True)
class JournalTestMap:
    """The test map in the journal of a cache, for a project whose documents have the unsaved `texts`, by path."""

    cache: JournalVerdictCache
    texts: Mapping[str, str]

    async def known(self) -> MappedTests:
        """Return the entries that hold now; the state of the project is waited for only if there are entries."""
        try:
            stored = self.cache.journal.runs
            runs = stored.mapped_runs()
            if not runs:
                return MappedTests()
            await self.cache.looked()
            state = self._state()
            return (
                MappedTests() if state is None else holding(runs, stored.mapped_tests(), stored.mapped_files(), state)
            )
        except (sqlite3.Error, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            # Lines of another version are replaced by the next run.
            log.debug("the test map cannot be read: %s", error)
            return MappedTests()

    def record(self, results: RunResults, whole: Iterable[str], /) -> None:
        """Add a run on the text as it is, which ran the files `whole` without leaving out a test.

        It is added when the state of the project is known, which nobody waits for.
        """
        files = tuple(whole)

        def add() -> None:
            state = self._state()
            found = None if state is None else described(results, state)
            if found is not None:
                self.cache.journal.runs.map_run(*found, files)

        self.cache.after_look(add)

    def _state(self) -> ProjectState | None:
        world = self.cache.world()
        if world is None:
            return None
        text, stamps = world
        unsaved = {path: _stamp(said) for path, said in self.texts.items() if said != self._on_disk(path)}
        return ProjectState(world=text, stamps={**stamps, **unsaved}, blocks=cache(self._blocks))

    def _blocks(self, path: str) -> CodeBlocks | None:
        said = self.texts[path] if path in self.texts else self._on_disk(path)
        return None if said is None else code_blocks(said)

    def _on_disk(self, path: str) -> str | None:
        """Return the text of a file as it was when the runs began; None if that cannot be told any more."""
        file = self.cache.root / path
        try:
            inside = file.resolve().is_relative_to(self.cache.root.resolve())
            if not inside or not file.is_file() or file.stat().st_ctime_ns > self.cache.since - _TICK:
                return None
            return read_source(file)
        except (OSError, BadRequest) as error:
            log.debug("%s cannot be compared: %s", path, error)
            return None


def _stamp(text: str) -> str:
    return f"text {hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def with_memory(
    resolved: ResolvedRequest, context: ExecutionContext, memory: JournalVerdictCache | None
) -> ExecutionContext:
    """Return the context with a cache, and with the test map in the same journal."""
    if memory is None:
        return context
    texts = {**resolved.unsaved, resolved.path: resolved.request.text}
    return replace(context, memory=memory, known_tests=JournalTestMap(cache=memory, texts=texts))


@asynccontextmanager
async def remembering(
    resolved: ResolvedRequest, context: ExecutionContext, journal: Journal | None
) -> AsyncIterator[ExecutionContext]:
    """Yield the context with the cache of what the journal knows of the project's own text, if there is a journal.

    At the end everything is in the journal that was to be kept, but not written yet.
    """
    if journal is None:
        yield context
        return
    memory = JournalVerdictCache(
        journal=journal, search="", root=resolved.root, context=context, settings=resolved.settings
    )
    async with background_tasks() as group:
        group.start_soon(memory.look)
        yield with_memory(resolved, context, memory)
        await memory.looked()
