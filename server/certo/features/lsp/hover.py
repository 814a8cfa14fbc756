"""Hover: the score card of the function under the cursor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import quote

from lsprotocol import types

from certo.edits.positions import Position
from certo.edits.target import ByName, find_target
from certo.features.editor.documents import Document
from certo.features.editor.session import EditorSession
from certo.features.lsp.actions import argument_of
from certo.features.lsp.last_commit import line_about, shows_call
from certo.features.lsp.virtual_documents import uri_of_call
from certo.presentation.card import Card, Link, card_of
from certo.presentation.card_formats import markdown, plain
from certo.search.board import CandidateState
from certo.sessions.live import LiveSearch
from certo.vocabulary.display import as_markdown
from certo.vocabulary.problem import Target


async def hover(desk: EditorSession, params: types.HoverParams) -> types.Hover | None:
    """Return the state of the search about this function, and how it compares with the last commit, from memory."""
    document = desk.documents.get(params.text_document.uri)
    if document is None:
        return None
    target = document.target_at(Position(params.position.line, params.position.character))
    cards = [_card(desk, document, target, live) for live in desk.searches_about(document, target)]
    about = line_about(desk, document, target)
    lines = [about] if about is not None else []
    if not cards and not lines:
        return None
    if desk.client.markdown_hover:
        said = [*map(markdown, cards), *(f"{as_markdown(line)}{_again(desk, document, target)}" for line in lines)]
        kind, value = types.MarkupKind.Markdown, "\n\n---\n\n".join(said)
    else:
        kind, value = types.MarkupKind.PlainText, "\n\n".join([*map(plain, cards), *lines])
    # Without a range the editor marks the word under the cursor; a whole function lit up would hide what is in it.
    return types.Hover(contents=types.MarkupContent(kind=kind, value=value))


_CHANGED = (
    "The function was edited after this search: its checks, its strength and the comparison with other candidates are "
    "about the text before."
)


def _again(desk: EditorSession, document: Document, target: Target | None) -> str:
    """Return links to the call that shows a difference, and to another comparison; "" if the editor follows none."""
    if target is None or not desk.client.command_links:
        return ""
    argument = {"v": 1, "uri": document.uri, "version": document.version, "qualname": target.qualname}
    links = [_link("Compare again", "certo.diff", argument)]
    if shows_call(desk, document, target):
        links.insert(0, Link(label="Show the call", uri=uri_of_call(document, target)))
    return "  \n" + " · ".join(f"[{link.label}]({link.uri})" for link in links)


def _is_edited(document: Document, target: Target | None, live: LiveSearch, row: CandidateState | None) -> bool:
    """True if a function has neither the text that an ended search began with nor that of the candidate."""
    if target is None or live.running or document.flaw is not None:
        return False
    own = document.whole[target.span.start : target.span.end]
    texts = [live.base, *([live.text_with(row)] if row is not None else [])]
    name = ByName.of(live.target)
    spans = [(text, find_target(text, name, path=live.path).span) for text in texts]
    return all(text[span.start : span.end] != own for text, span in spans)


def _card(desk: EditorSession, document: Document, target: Target | None, live: LiveSearch) -> Card:
    """Return the card of a search, with links if the editor allows commands in them."""
    row = desk.shown_row(live)
    card = card_of(live, row)
    if _is_edited(document, target, live, row):
        card = replace(card, notes=(_CHANGED, *card.notes))
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
