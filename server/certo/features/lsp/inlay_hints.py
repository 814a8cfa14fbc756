"""Inlay hints: the score of the best candidate, at the end of its function's first line."""

from __future__ import annotations

from lsprotocol import types

from certo.edits.positions import Position
from certo.features.editor.conversion import lsp_position
from certo.features.editor.documents import Document
from certo.features.editor.session import EditorSession
from certo.presentation.card import card_of
from certo.presentation.card_formats import markdown, plain
from certo.presentation.status import passing_line, praise
from certo.sessions.live import LiveSearch
from certo.vocabulary.display import as_message
from certo.vocabulary.problem import Target


async def inlay_hints(desk: EditorSession, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    """Return the scores within the visible range, for searches that enable hints; None if there are none."""
    document = desk.documents.get(params.text_document.uri)
    if document is None or not desk.hinting:
        return None
    hints = [
        hint
        for live, target in desk.searches_in(document)
        if live.resolved.settings.editor.inlay_hints and (hint := _hint(desk, live, document, target)) is not None
    ]
    return [hint for hint in hints if params.range.start <= hint.position <= params.range.end] or None


def _hint(desk: EditorSession, live: LiveSearch, document: Document, target: Target) -> types.InlayHint | None:
    """Return the hint of one search: the score of the shown candidate, or the progress."""
    row = desk.shown_row(live)
    if row is None and not live.running:
        return None
    card = card_of(live, row)
    rich = desk.client.markdown_hover
    kind = types.MarkupKind.Markdown if rich else types.MarkupKind.PlainText
    return types.InlayHint(
        position=_end_of_line(document, target),
        label=as_message(passing_line(live) if row is None else praise(row)),
        tooltip=types.MarkupContent(kind=kind, value=markdown(card) if rich else plain(card)),
        padding_left=True,
    )


def _end_of_line(document: Document, target: Target) -> types.Position:
    """Return the end of the line of a function's `def`."""
    beyond = Position(target.line - 1, len(document.text))
    return lsp_position(document.index, document.index.offset(beyond))
