"""The searches of which a candidate is in the text, and which of them come back when that is undone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from certo.sessions.applied import AppliedEdit
from certo.sessions.live import LiveSearch

UNDOABLE = 20
"""So many searches can come back, those settled last; all that was told of a search stays in memory until then."""


class UndoHistory:
    """The accepted edits of searches that ended by them, and for a while the searches themselves."""

    def __init__(self) -> None:
        self._applied: dict[str, AppliedEdit] = {}
        self._live: dict[str, LiveSearch] = {}

    def keep(self, live: LiveSearch, applied: AppliedEdit) -> None:
        """Add a search of which a candidate was applied."""
        self._applied[live.id], self._live[live.id] = applied, live
        while len(self._live) > UNDOABLE:
            oldest = next(iter(self._live))
            del self._live[oldest]
            # What became of it is still asked for; the texts, by which it would come back, are not.
            self._applied[oldest] = replace(self._applied[oldest], text_before="", text_after="")

    def applied(self, search_id: str) -> AppliedEdit | None:
        """Return the edit that was applied of a search; None if there is none, or it was undone."""
        return self._applied.get(search_id)

    def undone(self, document: Path, text: str) -> Iterator[LiveSearch]:
        """Yield the searches whose edit was undone, for the document's text is the one before it; the newest first."""
        for live in reversed(tuple(self._live.values())):
            if live.document == document and self._applied[live.id].text_before == text:
                yield live

    def drop(self, live: LiveSearch) -> AppliedEdit:
        """Remove a search whose edit was undone, and return that edit."""
        del self._live[live.id]
        return self._applied.pop(live.id)
