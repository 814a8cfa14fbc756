"""Hover: the score card of the function under the cursor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import quote

from lsprotocol import types

from certo.edits.positions import Position
from certo.features.editor.session import EditorSession
from certo.features.lsp.actions import argument_of
from certo.features.lsp.last_commit import line_about
from certo.presentation.card import Card, Link, card_of
from certo.presentation.card_formats import markdown, plain
from certo.search.board import CandidateState
from certo.sessions.live import LiveSearch
from certo.vocabulary.display import as_markdown


async def hover(desk: EditorSession, params: types.HoverParams) -> types.Hover | None:
    """Return the state of the search about this function, and how it compares with the last commit, from memory."""
    document = desk.documents.get(params.text_document.uri)
    if document is None:
        return None
    target = document.target_at(Position(params.position.line, params.position.character))
    cards = [_card(desk, live) for live in desk.searches_about(document, target)]
    lines = [*filter(None, [line_about(desk, document, target)])]
    if not cards and not lines:
        return None
    if desk.client.markdown_hover:
        kind, value = types.MarkupKind.Markdown, "\n\n---\n\n".join([*map(markdown, cards), *map(as_markdown, lines)])
    else:
        kind, value = types.MarkupKind.PlainText, "\n\n".join([*map(plain, cards), *lines])
    # Without a range the editor marks the word under the cursor; a whole function lit up would hide what is in it.
    return types.Hover(contents=types.MarkupContent(kind=kind, value=value))


def _card(desk: EditorSession, live: LiveSearch) -> Card:
    """Return the card of a search, with links if the editor allows commands in them."""
    row = desk.shown_row(live)
    card = card_of(live, row)
    return replace(card, links=tuple(links_of(live, row))) if desk.client.command_links else card


def links_of(live: LiveSearch, row: CandidateState | None) -> Iterator[Link]:
    """Yield the likely next actions for the reader of a card, the likeliest first."""
    if row is not None and row.passed:
        yield _link("Accept", "certo.accept", argument_of(live, row))
    if row is not None:
        yield _link("Show diff", "certo.showDiff", argument_of(live, row))
    if live.running:
        yield _link("Stop", "certo.cancel", argument_of(live))
    else:
        yield _link("Retry", "certo.retry", argument_of(live))


def _link(label: str, command: str, argument: dict[str, object]) -> Link:
    """Return a link that runs a command, in VS Code's notation."""
    arguments = json.dumps([argument], separators=(",", ":"))
    return Link(label=label, uri=f"command:{command}?{quote(arguments, safe='')}")
