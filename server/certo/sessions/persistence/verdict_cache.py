"""The cache of one search or command: verdicts and baselines in its project's journal, used while nothing changes."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, field
from functools import cache
from pathlib import Path

import anyio

import certo
from certo.sandbox.executor import Policy
from certo.sessions.assembly.problem_statement import ExecutionContext
from certo.sessions.live import LiveSearch
from certo.settings.schema import Settings
from certo.storage.journal import Journal
from certo.storage.serialization import Unreadable, baseline_of, line_of_baseline, line_of_verdict, verdict_of
from certo.verification.tools.runner import own_tools
from certo.verification.verdict_cache import Fingerprint, take_fingerprint
from certo.vocabulary.problem import Baseline, BaselineRun
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Verdict

log = logging.getLogger(__name__)

_CONFINED = "no network"
"""How the words begin, behind the means, for a run that sees no more than we let it."""


@dataclass(slots=True, kw_only=True)
class JournalVerdictCache:
    """Remembers by a project's journal, for the search of one id in one world.

    Without a search the verdicts are on the project's own text, and are kept like its baselines. `look` has to be
    called once; requests wait until it is done, and what is to be kept is kept then. It takes a processor from the
    tests, so that it may wait until it is wanted. Everything holds for runs that begin after `since`.
    """

    journal: Journal
    search: str
    root: Path
    context: ExecutionContext
    settings: Settings
    since: int = field(default_factory=time.time_ns)
    _wanted: anyio.Event = field(default_factory=anyio.Event)
    _looked: anyio.Event = field(default_factory=anyio.Event)
    _fingerprint: Fingerprint | None = None
    _waiting: list[Callable[[], None]] = field(default_factory=list)

    async def look(self) -> None:
        """Take the fingerprint of the world as it is now."""
        try:
            # What others run somewhere else is out of sight.
            if self.settings.executor.cluster is None and not self.settings.executor.plugin:
                await take_fingerprint(
                    self.root,
                    self.context.standing_executor,
                    self.context.interpreter,
                    own_tools(),
                    since=self.since,
                    tell=self._learn,
                )
        finally:
            self._end_look()

    def _learn(self, fingerprint: Fingerprint) -> None:
        self._fingerprint = fingerprint
        self._end_look()

    def _end_look(self) -> None:
        self._looked.set()
        waiting, self._waiting = self._waiting, []
        for then in waiting:
            then()

    async def look_when_wanted(self) -> None:
        """Look when the first request comes, or `want` is called."""
        try:
            await self._wanted.wait()
            await self.look()
        finally:
            self._end_look()

    def want(self) -> None:
        """Let a look begin that waits."""
        self._wanted.set()

    @property
    def is_new(self) -> bool:
        """True if nothing is kept that could be recalled."""
        return not self._reads(lambda: self.journal.has_verdicts() or self.journal.runs.has_any())

    async def looked(self) -> None:
        """Wait until `look` is done: everything so far is kept by then."""
        self.want()
        await self._looked.wait()

    def after_look(self, then: Callable[[], None]) -> None:
        """Call `then` as soon as `look` is done, which may be now."""
        if self._looked.is_set():
            then()
        else:
            self._waiting.append(then)

    def see(self, then: Callable[[str], None]) -> None:
        """Call `then` with the fingerprint as soon as it is taken, unless there is none."""
        self.after_look(lambda: None if self._fingerprint is None else then(self._fingerprint.text))

    async def fingerprint(self) -> str:
        """Return the fingerprint of the world, when it is taken; empty where there is none."""
        await self.looked()
        return "" if self._fingerprint is None else self._fingerprint.text

    def world(self) -> tuple[str, Mapping[str, str]] | None:
        """Return a text that changes with everything but the project's sources, and their stamps.

        None if that is unknown, or not known yet.
        """
        circumstances = self._circumstances(Policy.STRICT)
        if circumstances is None or self._fingerprint is None:
            return None
        apart = json.dumps({**circumstances, "fingerprint": self._fingerprint.apart}, sort_keys=True, default=str)
        return hashlib.sha256(apart.encode("ascii")).hexdigest(), self._fingerprint.sources

    async def circumstances(self, policy: Policy, /) -> Mapping[str, object] | None:
        """Return the circumstances that a verdict depends on besides problem and candidate; see `VerdictCache`."""
        await self.looked()
        return self._circumstances(policy)

    def when_known(self, policy: Policy, then: Callable[[Mapping[str, object]], None], /) -> None:
        """Call `then` with the circumstances as soon as they are known; see `VerdictCache`."""

        def call() -> None:
            circumstances = self._circumstances(policy)
            if circumstances is not None:
                then(circumstances)

        self.after_look(call)

    def _circumstances(self, policy: Policy) -> Mapping[str, object] | None:
        isolation = self.context.executor.isolation_under(policy)
        if self._fingerprint is None or _CONFINED not in isolation:
            return None
        settings = self.settings
        return {
            "certo": [certo.__version__, _own_age()],
            "fingerprint": self._fingerprint.text,
            "isolation": isolation,
            "interpreter": [str(self.context.interpreter.executable), self.context.interpreter.version],
            "settings": [asdict(settings.tests), asdict(settings.verify), asdict(settings.sandbox)],
        }

    def pinned(self) -> Mapping[str, str]:
        """Return what is known of the tests that certo wrote, a line each; none if that cannot be read."""
        try:
            return self.journal.runs.pinned()
        except sqlite3.Error as error:
            log.debug("written tests cannot be told from others: %s", error)
            return {}

    def may_recall(self, verifier: str, /) -> bool:
        """True if any verdict of a verifier may be kept."""
        return self._reads(lambda: self.journal.has_verdicts() if self.search else self.journal.runs.knows(verifier))

    def recall(self, key: str, /) -> Verdict | None:
        """Return the verdict under a key; None where there is none, or it cannot be read."""
        try:
            line = self.journal.remembered(key) if self.search else self.journal.runs.remembered(key)
            return None if line is None else verdict_of(line)
        except (Unreadable, sqlite3.Error) as error:
            # The journal says for itself when it cannot be used; here the candidate is only judged again.
            log.debug("a verdict cannot be remembered: %s", error)
            return None

    def keep(self, key: str, verdict: Verdict, /) -> None:
        """Keep a verdict, which is written with the next events."""
        line = line_of_verdict(verdict)
        if self.search:
            self.journal.remember(self.search, key, line)
        else:
            self.journal.runs.remember(key, verdict.verifier, line)

    def knows(self, subject: str, /) -> bool:
        """True if a baseline of a function is kept, in whatever state of the project."""
        return self._reads(lambda: self.journal.runs.knows(subject))

    def _reads(self, is_kept: Callable[[], bool]) -> bool:
        try:
            return is_kept()
        except sqlite3.Error as error:
            log.debug("what is kept cannot be read: %s", error)
            return False

    def recall_baseline(self, key: str, /) -> tuple[Baseline, BaselineRun] | None:
        """Return the baseline under a key; None where there is none, or it cannot be read."""
        try:
            line = self.journal.runs.remembered(key)
            return None if line is None else baseline_of(line)
        except (Unreadable, sqlite3.Error) as error:
            log.debug("a baseline cannot be read: %s", error)
            return None

    def keep_baseline(self, key: str, subject: str, baseline: Baseline, run: BaselineRun, /) -> None:
        """Keep a baseline, which is written with the next events."""
        self.journal.runs.remember(key, subject, line_of_baseline(baseline, run))


def memory_of(live: LiveSearch, context: ExecutionContext) -> JournalVerdictCache | None:
    """Return the verdict cache of a search, before its `look`; None if its project has no journal."""
    if live.journal is None:
        return None
    return JournalVerdictCache(
        journal=live.journal, search=live.id, root=live.resolved.root, context=context, settings=live.resolved.settings
    )


@cache
def _own_age() -> int:
    """When certo's own program was changed last, for where it is developed its version stays the same."""
    folders, ages = [str(Path(certo.__file__).parent)], [0]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    folders.append(entry.path)
                elif entry.name.endswith(".py"):
                    ages.append(entry.stat().st_mtime_ns)
    return max(ages)
