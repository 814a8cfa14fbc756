"""The verdict cache of a search: verdicts in its project's journal, reused as long as nothing has changed."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

import anyio

import certo
from certo.sandbox.executor import Policy
from certo.sessions.assembly.problem_statement import ExecutionContext
from certo.sessions.live import LiveSearch
from certo.settings.schema import Settings
from certo.storage.journal import Journal
from certo.storage.serialization import Unreadable, line_of_verdict, verdict_of
from certo.verification.tools.runner import own_tools
from certo.verification.verdict_cache import take_fingerprint
from certo.vocabulary.verdict import Verdict

log = logging.getLogger(__name__)

_CONFINED = "no network"
"""How the words begin, behind the means, for a run that sees no more than we let it."""


@dataclass(slots=True, kw_only=True)
class JournalVerdictCache:
    """Remembers by a project's journal, for the search of one id in one world.

    `look` has to be called once, at the time for which verdicts are wanted; requests wait until it is done.
    """

    journal: Journal
    search: str
    root: Path
    context: ExecutionContext
    settings: Settings
    _looked: anyio.Event = field(default_factory=anyio.Event)
    _fingerprint: str | None = None

    async def look(self) -> None:
        """Take the fingerprint of the world as it is now."""
        try:
            # What others run somewhere else is out of sight.
            if self.settings.executor.cluster is None and not self.settings.executor.plugin:
                self._fingerprint = await take_fingerprint(
                    self.root, self.context.executor, self.context.interpreter, own_tools()
                )
        finally:
            self._looked.set()

    async def fingerprint(self) -> str:
        """Return the fingerprint of the world, when it is taken; empty where there is none."""
        await self._looked.wait()
        return self._fingerprint or ""

    async def circumstances(self, policy: Policy, /) -> Mapping[str, object] | None:
        """Return the circumstances that a verdict depends on besides problem and candidate; see `VerdictCache`."""
        await self._looked.wait()
        isolation = self.context.executor.isolation_under(policy)
        if self._fingerprint is None or _CONFINED not in isolation:
            return None
        settings = self.settings
        return {
            "certo": [certo.__version__, _own_age()],
            "fingerprint": self._fingerprint,
            "isolation": isolation,
            "interpreter": [str(self.context.interpreter.executable), self.context.interpreter.version],
            "settings": [asdict(settings.tests), asdict(settings.verify), asdict(settings.sandbox)],
        }

    def recall(self, key: str, /) -> Verdict | None:
        """Return the verdict under a key; None where there is none, or it cannot be read."""
        try:
            line = self.journal.remembered(key)
            return None if line is None else verdict_of(line)
        except (Unreadable, sqlite3.Error) as error:
            # The journal says for itself when it cannot be used; here the candidate is only judged again.
            log.debug("a verdict cannot be remembered: %s", error)
            return None

    def keep(self, key: str, verdict: Verdict, /) -> None:
        """Keep a verdict, which is written with the next events."""
        self.journal.remember(self.search, key, line_of_verdict(verdict))


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
    return max(file.stat().st_mtime_ns for file in Path(certo.__file__).parent.rglob("*.py"))
