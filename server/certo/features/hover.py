"""Hover: the score card of the candidate for the function under the cursor."""

from __future__ import annotations

from lsprotocol import types

from certo.features.card import card_of, markdown, plain
from certo.features.desk import Desk


async def hover(desk: Desk, params: types.HoverParams) -> types.Hover | None:
    """Show how the search about this function stands; nothing where there is none."""
    document = desk.documents.get(params.text_document.uri)
    if document is None:
        return None
    cards = [card_of(live, desk.shown_row(live)) for live in desk.searches_at(document, params.position)]
    if not cards:
        return None
    if desk.client.markdown_hover:
        kind, value = types.MarkupKind.Markdown, "\n\n---\n\n".join(map(markdown, cards))
    else:
        kind, value = types.MarkupKind.PlainText, "\n\n".join(map(plain, cards))
    # Without a range the editor marks the word under the cursor; a whole function lit up would hide what is in it.
    return types.Hover(contents=types.MarkupContent(kind=kind, value=value))
