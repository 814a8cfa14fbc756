"""Words of candidates, tests, models and files are text in an editor: they bring no link, picture or markup."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import anyio
import pytest
from lsprotocol import types
from markdown_it import MarkdownIt
from markdown_it.token import Token

from certo.features.errors import failure
from certo.presentation.card import Card, Link, card_of
from certo.presentation.card_formats import markdown, plain
from certo.presentation.status import ending, passing_line
from certo.sessions.live import LiveSearch
from certo.vocabulary.display import visible
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.outcome import Outcome
from support.lsp.paused_client import reader
from support.search.events import board_of, told
from support.search.hostile_events import POISON, poisoned
from support.search.live_searches import live_search

OURS = (Link(label="Accept", uri="command:certo.accept?%5B%5D"),)
FORBIDDEN = {
    "image",
    "html_inline",
    "html_block",
    "heading_open",
    "hr",
    "s_open",
    "bullet_list_open",
    "blockquote_open",
}
SEARCHES = (
    (Outcome.SOLVED, None),
    (Outcome.UNVERIFIED, None),
    (Outcome.EXHAUSTED, None),
    (Outcome.SOLVED, 1),
    (Outcome.SOLVED, 8),
    (Outcome.SOLVED, 11),
)
"""Searches that ended in each way, and as they run."""


def search(text: str, outcome: Outcome, events: int | None) -> LiveSearch:
    live = live_search(outcome, touched=outcome is Outcome.SOLVED, cold="no way", events=events)
    known = told(outcome=outcome, touched=outcome is Outcome.SOLVED, cold="no way")[:events]
    live.state = board_of(poisoned(known, text))
    live.resolved = replace(live.resolved, target=replace(live.resolved.target, qualname=text), path=text)
    return live


def cards(text: str) -> Iterator[Card]:
    for outcome, events in SEARCHES:
        live = search(text, outcome, events)
        for row in (None, *live.state.rows.values()):
            yield replace(card_of(live, row), links=OURS)


def tokens(text: str) -> Iterator[Token]:
    for token in MarkdownIt("gfm-like", {"html": True}).parse(text):
        yield token
        yield from token.children or ()


@pytest.mark.parametrize("text", POISON)
async def test_cards_link_only_to_ours(text: str) -> None:
    for card in cards(text):
        found = list(tokens(markdown(card)))
        links = [token.attrGet("href") for token in found if token.type == "link_open"]
        assert links == [OURS[0].uri], markdown(card)
        assert not {token.type for token in found} & FORBIDDEN, markdown(card)
        assert [token.type for token in found].count("fence") == bool(card.diff)
        telling = [line for line in card.lines if not line.short]
        assert [token.type for token in found].count("tr_open") == (len(telling) + 1 if telling else 0)


@pytest.mark.parametrize("text", POISON)
async def test_plain_cards_have_no_escapes_or_controls(text: str) -> None:
    """No escapes of Markdown, and no control characters for a terminal."""
    for card in cards(text):
        said = plain(replace(card, diff=""))
        assert visible(said) == said
        assert "\\" in visible(text) or "\\" not in said
        telling = [line for line in card.lines if not line.short]
        blocks = 1 + bool(telling) + (len(telling) < len(card.lines)) + bool(card.facts)
        blocks += len(card.notes) + len(card.asides)
        assert len(said.split("\n\n")) == blocks, "words of others begin no paragraph"


@pytest.mark.parametrize("text", POISON)
async def test_messages_progress_and_errors_are_plain_words(text: str) -> None:
    async with reader() as client:
        for outcome, events in SEARCHES:
            live = search(text, outcome, events)
            client.window.say(ending(live)[0])
            client.window.report("1", types.WorkDoneProgressBegin(title=text, message=passing_line(live)))
            client.window.report("1", types.WorkDoneProgressEnd(message=text))
            await anyio.wait_all_tasks_blocked()
            client.read()
        values = [message["params"].get("value", message["params"]) for message in client.messages]
    said = [value[name] for value in values for name in ("message", "title") if name in value]
    assert len(said) == len(SEARCHES) * 4
    for words in (*said, failure(BadRequest(text), {}).message):
        assert "](" not in words
        assert "$(" not in words
        assert visible(words) == words
