"""Keeping the candidates of searches as experiments, behind their backs: no search ever waits for it."""

from __future__ import annotations

import logging
import math
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path

import anyio
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from certo.presentation.commit_message import commit_message
from certo.project.candidate_store.backends import ExperimentsOf
from certo.project.candidate_store.store import StoredCandidate
from certo.search.board import CandidateState
from certo.sessions.live import LiveSearch
from certo.storage.location import experiments_folder
from certo.vocabulary.errors import ExperimentsUnavailable
from certo.vocabulary.events import CandidateProposed, CandidateScored, Event, SearchStarted, SearchStopped
from certo.vocabulary.records import dataclass

log = logging.getLogger(__name__)

GRACE_SECONDS = 10.0
"""How long what is still to be kept of a search may take when the search has ended."""


@dataclass(slots=True, kw_only=True)
class _Writing:
    """A search whose candidates are being kept: where they are put, and what ends it when it takes too long."""

    send: MemoryObjectSendStream[CandidateState]
    scope: anyio.CancelScope


@dataclass(slots=True)
class ExperimentRecorder:
    """Hears what happens in searches and keeps their candidates, as the setting `experiments.keep` wants it.

    It works in the task group given here, on what is below the folder beside `journals`. Nothing here raises: what
    cannot be kept is said once, and the searches go on without. `environ` are the variables of the environment.
    """

    group: TaskGroup
    journals: Path
    environ: Mapping[str, str]
    say: Callable[[str], None]
    _writing: dict[str, _Writing] = field(default_factory=dict)
    _parents: dict[str, dict[str, str | None]] = field(default_factory=dict)
    _turns: dict[str, anyio.Lock] = field(default_factory=dict)
    _erased: set[str] = field(default_factory=set)
    _said: set[str] = field(default_factory=set)
    _swept: set[Path] = field(default_factory=set)

    def hear(self, live: LiveSearch, event: Event) -> None:
        """Take an event of a search."""
        match event:
            case SearchStarted() if live.journal is not None:
                self.group.start_soon(self._sweep, live)
            case CandidateProposed():
                self._parents.setdefault(live.id, {})[event.candidate_id] = event.parent
            case CandidateScored() if live.id not in self._erased and _is_wanted(live, event):
                self._put(live, live.state.rows[event.candidate_id])
            case _:
                pass
        # What the user makes of a candidate may be judged long after the search has ended.
        if isinstance(event, SearchStopped) or not live.running:
            self._end(live.id)

    def forget(self, live: LiveSearch) -> None:
        """Leave nothing of a search's experiments, when what is being written of them is."""
        self._parents.pop(live.id, None)
        self._erased.add(live.id)
        if live.id in self._writing:
            self._end(live.id)
        elif live.journal is not None:
            self.group.start_soon(self._forget, self.of(live.resolved.root), live.id)

    def of(self, root: Path) -> ExperimentsOf:
        """Return the experiments about a project."""
        return ExperimentsOf(
            root=root, folder=experiments_folder(self.journals, root), environ=self.environ, say=self._once
        )

    def _put(self, live: LiveSearch, row: CandidateState) -> None:
        if live.id not in self._writing:
            send, receive = anyio.create_memory_object_stream[CandidateState](math.inf)
            writing = self._writing[live.id] = _Writing(send=send, scope=anyio.CancelScope(shield=True))
            self.group.start_soon(self._write, live, writing, receive)
        self._writing[live.id].send.send_nowait(row)

    def _end(self, search: str) -> None:
        """Have no more kept of a search than was put."""
        writing = self._writing.pop(search, None)
        if writing is not None:
            writing.scope.deadline = anyio.current_time() + GRACE_SECONDS
            writing.send.close()

    async def _write(
        self, live: LiveSearch, writing: _Writing, rows: MemoryObjectReceiveStream[CandidateState]
    ) -> None:
        """Keep candidates until no more come; every search ends, and so does this."""
        with writing.scope, rows:
            try:
                async with self._turns.setdefault(live.id, anyio.Lock()):
                    await self._keep(live, rows)
            except ExperimentsUnavailable as failure:
                self._once(f"no experiments are kept any more of search {live.id}: {failure}. The search goes on")
            except OSError as failure:
                self._once(f"no experiments are kept of search {live.id}: {failure}. The search goes on")
            except Exception:
                log.exception("experiments of search %s met a bug", live.id)
            async for _ in rows:
                pass  # It cannot be kept, and no search is to wait for room in the stream.
        if live.id in self._erased:
            await self._forget(self.of(live.resolved.root), live.id)

    async def _keep(self, live: LiveSearch, rows: MemoryObjectReceiveStream[CandidateState]) -> None:
        experiments = await self.of(live.resolved.root).of(live.id)
        before = {**live.resolved.unsaved, live.resolved.path: live.base}
        async with experiments.begun({path: _as_bytes(text) for path, text in before.items()}) as keeping:
            known = await experiments.numbers()
            kept = {row.candidate_id: row.number for row in live.state.rows.values() if row.number in known}
            async for row in rows:
                parent = self._nearest(live, row, kept)
                experiment = StoredCandidate(
                    number=row.number,
                    parent=parent,
                    files=_files(live, row, parent),
                    message=commit_message(live, row),
                )
                await keeping.keep(experiment)
                kept[row.candidate_id] = row.number

    def _nearest(self, live: LiveSearch, row: CandidateState, kept: Mapping[str, int]) -> int | None:
        """Return the number of the nearest candidate this one came of that is kept."""
        parents = self._parents.get(live.id, {})
        ancestor = parents.get(row.candidate_id)
        seen = {row.candidate_id}
        while ancestor is not None and ancestor not in kept and ancestor not in seen:
            seen.add(ancestor)
            ancestor = parents.get(ancestor)
        return kept.get(ancestor) if ancestor is not None else None

    async def _sweep(self, live: LiveSearch) -> None:
        """Forget, once for each project, what searches have left that the journal has not any more."""
        project = self.of(live.resolved.root)
        if live.journal is None or project.folder in self._swept:
            return
        self._swept.add(project.folder)
        try:
            for search in project.searches():
                if live.journal.search(search) is None:
                    await self._forget(project, search)
        except OSError as failure:
            self._once(f"the experiments in {project.folder} cannot be looked at: {failure}")
        except sqlite3.Error:
            log.warning("the journal of %s cannot say which experiments are forgotten", live.resolved.root)

    async def _forget(self, project: ExperimentsOf, search: str) -> None:
        with anyio.move_on_after(GRACE_SECONDS, shield=True):
            try:
                await project.forget(search)
            except (ExperimentsUnavailable, OSError) as failure:
                self._once(f"the experiments of search {search} are not all forgotten: {failure}")

    def _once(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            self.say(sentence)


def _is_wanted(live: LiveSearch, event: CandidateScored) -> bool:
    """True if a candidate is to be kept: the journal has its search, its document is a file, and it is good enough."""
    keep = live.resolved.settings.experiments.keep
    good_enough = keep == "all" or (keep == "passed" and event.passed)
    return good_enough and live.journal is not None and live.document.is_file()


def _files(live: LiveSearch, row: CandidateState, parent: int | None) -> dict[str, bytes | None]:
    """Return the files that a candidate changes as it has them, and those that only its parent changes as they were."""
    theirs = [change for each in live.state.rows.values() if each.number == parent for change in each.elsewhere]
    texts: dict[str, str | None] = {
        **{change.path: change.before for change in theirs},
        **{change.path: change.after for change in row.elsewhere},
        live.resolved.path: live.text_with(row),
    }
    return {path: None if text is None else _as_bytes(text) for path, text in texts.items()}


def _as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
