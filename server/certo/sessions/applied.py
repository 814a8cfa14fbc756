"""Applied edits, so that asking again applies nothing more; and the locks by which one edit at a time is applied."""

from __future__ import annotations

from pathlib import Path
from weakref import WeakValueDictionary

import anyio

from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Report


@dataclass(slots=True, kw_only=True)
class AppliedEdit:
    """A candidate, or only some hunks of it, that an editor put into a document.

    `wanted` is the candidate of the search, and `candidate_id` the one it became on the text as it was, which `report`
    is about. `text_before` is the whole text it was put into, and `text_after` what that was to become. `before` is the
    version of the document it was made for, None for one that was not open. `version` and `exact` are there once the
    editor has sent the text it made: which version that is, and whether it is exactly the text that was verified.
    """

    wanted: str
    hunks: tuple[int, ...]
    candidate_id: str
    text_before: str
    text_after: str
    before: int | None
    moved: bool
    merged: bool
    report: Report
    version: int | None = None
    exact: bool | None = None

    @property
    def verified(self) -> bool:
        """True if the text in the editor is one on which the candidate was verified."""
        return self.exact is True and self.report.verified


class DocumentLocks:
    """Locks by which one candidate at a time is put into each document, for all clients of the daemon."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Path, anyio.Lock] = WeakValueDictionary()

    def of(self, document: Path) -> anyio.Lock:
        """Return the lock to hold while a document is changed."""
        lock = self._locks.get(document)
        if lock is None:
            lock = self._locks[document] = anyio.Lock()
        return lock
