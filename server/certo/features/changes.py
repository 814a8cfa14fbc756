"""Changes in the words of the wire: hunks, edits and conflicts, where the editor counts them in its document."""

from __future__ import annotations

from certo.edits.hunks import hunks_of
from certo.edits.patch import edits_between
from certo.edits.positions import Encoding, LineIndex
from certo.features.applying import Current
from certo.features.convert import lsp_range
from certo.protocol.candidates import Conflict, EditorEdit, NumberedHunk
from certo.protocol.commands import Place, Range
from certo.sessions.accepting import Ready
from certo.vocabulary.errors import StaleText
from certo.vocabulary.text import Hunk, Span


def numbered_hunks(base: str, text: str) -> tuple[NumberedHunk, ...]:
    """The hunks of a change, each with its number and its head as in a unified diff."""
    numbered, moved = [], 0
    for number, hunk in enumerate(hunks_of(base, text), start=1):
        first, removed, added = hunk.line - 1, len(hunk.removed), len(hunk.added)
        old, new = _counted(first, removed), _counted(first + moved, added)
        numbered.append(
            NumberedHunk(
                number=number,
                range=Range(start=Place(line=first, character=0), end=Place(line=first + removed, character=0)),
                header=f"@@ -{old} +{new} @@",
                lines=_lines(hunk),
            )
        )
        moved += added - removed
    return tuple(numbered)


def _counted(first: int, count: int) -> str:
    """A stretch of lines as a unified diff names it; an empty one goes by the line before it."""
    return f"{first + 1 if count else first},{count}"


def _lines(hunk: Hunk) -> tuple[str, ...]:
    return (
        *("-" + line.rstrip("\r\n") for line in hunk.removed),
        *("+" + line.rstrip("\r\n") for line in hunk.added),
    )


def placed_conflicts(encoding: Encoding, current: Current, refused: StaleText) -> tuple[Conflict, ...]:
    """Where both changed the same, as the editor counts in its document."""
    index, start = LineIndex(current.own, encoding), current.start
    return tuple(
        Conflict(
            range=_range(index, Span(each.span.start - start, each.span.end - start)),
            ours=each.ours,
            theirs=each.theirs,
        )
        for each in refused.collisions
        if each.span.start >= start
    )


def editor_edits(encoding: Encoding, current: Current, ready: Ready) -> tuple[EditorEdit, ...]:
    """The edits that put a candidate into its document, as the editor counts there.

    Raises:
        StaleText: another cell of its notebook would have to be changed as well.
    """
    document, after = current.document, ready.after
    if document is not None:
        parts = document.parts(after)
        if any(part is not document for part, _ in parts):
            raise StaleText(f"the candidate changes cells above {document.name} as well; apply it instead")
        after = next((text for _, text in parts), document.text)
    index = LineIndex(current.own, encoding)
    return tuple(
        EditorEdit(range=_range(index, edit.span), new_text=edit.replacement)
        for edit in edits_between(current.own, after)
    )


def _range(index: LineIndex, span: Span) -> Range:
    shown = lsp_range(index, span)
    return Range(
        start=Place(line=shown.start.line, character=shown.start.character),
        end=Place(line=shown.end.line, character=shown.end.character),
    )
