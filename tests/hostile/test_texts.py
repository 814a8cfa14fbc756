"""Searches with hostile words, shown as mere text in an editor, on a terminal and on a page."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from certo.vocabulary.display import visible
from hostile.attacks.texts import TEXTS, Text
from support.cli.command import COMMAND, certo, environment, scripted
from support.cli.terminal import Terminal
from support.lsp.editor import editor_on, script
from support.lsp.editor_profiles import capabilities
from support.projects.projects import write_project

OURS = re.compile(r"command:certo\.(?:accept|showDiff|retry)\?%5B")
BY_NAME = [pytest.param(text, id=text.name) for text in TEXTS]
COMMANDS = {"experimental": {"certo": {"commandLinks": True}}}


def tokens(markdown: str) -> Iterator[Token]:
    for token in MarkdownIt("gfm-like", {"html": True}).parse(markdown):
        yield token
        yield from token.children or ()


@pytest.mark.parametrize("text", BY_NAME)
async def test_an_editor_shows_it_and_does_nothing(text: Text, tmp_path: Path) -> None:
    root = write_project(tmp_path / "till", text.project)
    client = capabilities("visual_studio_code") | COMMANDS
    async with editor_on(root, client=client, settings=script(tmp_path, text.reply)) as editor:
        await editor.open("till.py")
        await editor.choose("till.py", "def change", "repair")
        await editor.said("Certo: ")
        card = await editor.hover("till.py", "def change")
        assert card is not None
        lenses = [lens["command"]["title"] for lens in await editor.lenses("till.py")]
        messages = [
            words
            for message in editor.peer.received
            for params in [message.get("params") or {}]
            for words in [params.get("message"), (params.get("value") or {}).get("message")]
            if isinstance(words, str)
        ]
    found = list(tokens(card))
    assert all(OURS.match(str(token.attrGet("href"))) for token in found if token.type == "link_open"), card
    assert not {"image", "html_inline", "html_block", "heading_open"} & {token.type for token in found}, card
    assert visible(card) == card
    for words in (*lenses, *messages):
        assert "](" not in words
        assert "$(" not in words
        assert visible(words) == words
    assert text.shows in "".join((card, *messages)).replace("] (", "]("), card


@pytest.mark.parametrize("text", BY_NAME)
def test_terminals_and_pages_only_show_it(text: Text, tmp_path: Path) -> None:
    root = write_project(tmp_path / "till", text.project)
    words = ("generate", f"till.py::{text.function}", *scripted(root, dict(text.reply)))
    terminal = Terminal(lines=200)
    with subprocess.Popen(
        [*COMMAND, *words],
        cwd=root,
        env=environment(root.parent, TERM="xterm-256color"),
        stdin=terminal.end,
        stdout=terminal.end,
        stderr=terminal.end,
    ) as running:
        terminal.drain(running.poll)
    screen = terminal.screen()
    assert terminal.harm == 0, screen
    assert visible(screen) == screen
    assert "# VERIFIED" not in screen.splitlines(), screen
    assert text.shows.replace(" ", "") in re.sub(r"\s", "", screen), screen
    terminal.close()
    page = Page(certo(root, "searches", "show", "--html", "-").out)
    assert "certo" in page.text
    assert {each.partition("-")[0] for each in page.links} <= {"#candidate"}
    assert not page.names & {"img", "script", "a:external", "iframe"}
    assert visible(page.text) == page.text
    told = certo(root, "searches", "show", "--json")
    assert all(json.loads(line)["type"] for line in told.out.splitlines())
    assert told.out.isascii()
    assert visible(told.out) == told.out


class Page(HTMLParser):
    """The elements of a page, where they lead, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.names: set[str] = set()
        self.links: set[str] = set()
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.links |= {value or "" for name, value in attrs if name in {"href", "src"} or name.startswith("on")}

    def handle_data(self, data: str) -> None:
        self.text += data
