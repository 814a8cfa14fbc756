"""What a user may choose about how searches are shown in an editor."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorOptions:
    """How searches are shown in an editor.

    `inlay_hints` shows the score of the best candidate at the function. `ask_when_done` asks what to do with what a
    search has found; None leaves it to what the editor does with questions: one that takes what is being typed for the
    answer gets none.
    """

    inlay_hints: bool = False
    ask_when_done: bool | None = None
