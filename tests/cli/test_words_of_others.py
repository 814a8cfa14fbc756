"""Words of candidates, tests, models and files are mere text on a terminal and on the page of a search."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from html.parser import HTMLParser

import pyte
import pytest
from rich.console import Console
from rich.text import Text

from certo.cli.view.card import show_nothing, show_winner
from certo.cli.view.progress import Lines, LiveTable
from certo.cli.view.table import candidates, header
from certo.cli.view.terminal import THEME, PlainConsole
from certo.cli.view.tree import draw
from certo.presentation.report.page import Headline, page
from certo.presentation.search_history import course_of
from certo.vocabulary.display import one_line, visible
from certo.vocabulary.events import SearchStarted, SearchStopped
from certo.vocabulary.outcome import Outcome
from support.search.events import board_of, told
from support.search.hostile_events import POISON, poisoned

OURS = re.compile(r"\x1b\[(?!5m)[0-9;]*m|\x1b\[\?25[lh]|\r(?=\x1b)|\x1b\[2K|\x1b\[1A")
"""What rich writes to a terminal: colours, the cursor hidden and shown, lines of the live table drawn anew."""


class Screen(pyte.Screen):
    """A screen that counts harmful actions of a text."""

    harm = 0

    def bell(self, *_: object) -> None:
        self.harm += 1

    def set_title(self, param: str) -> None:
        self.harm += 1

    def set_icon_name(self, param: str) -> None:
        self.harm += 1


def terminal(show: Callable[[Console], object]) -> tuple[str, Screen]:
    """Return the bytes that are written to show something on a terminal, and the screen of that terminal."""
    file = io.StringIO()
    show(
        PlainConsole(
            file=file,
            theme=THEME,
            markup=False,
            emoji=False,
            highlight=False,
            width=100,
            height=60,
            force_terminal=True,
        )
    )
    screen = Screen(100, 300)
    pyte.Stream(screen).feed(file.getvalue().replace("\n", "\r\n"))
    return file.getvalue(), screen


def shown(outcome: Outcome, text: str) -> Callable[[Console], None]:
    events = poisoned(told(outcome=outcome, cold="no way"), text)
    board = board_of(events)

    def show(console: Console) -> None:
        started, stopped = events[2], events[-1]
        assert isinstance(started, SearchStarted)
        assert isinstance(stopped, SearchStopped)
        console.print(header(started, console), soft_wrap=True)
        console.print(candidates(board, console, rows=9))
        for listener in (Lines(console), LiveTable(console)):
            for event in events:
                listener.on_event(board_of(events[: event.seq]), event)
                listener.tick()
            listener.close()
        draw(course_of(events).retracing, console)
        if stopped.winner is not None:
            show_winner(board, stopped.winner, console, next_step=text)
        else:
            show_nothing(board, stopped, console)
        console.print(Text(f"said: {one_line(text)}"), Text(text.replace("\n", "")))

    return show


@pytest.mark.parametrize("text", POISON)
@pytest.mark.parametrize("outcome", [Outcome.SOLVED, pytest.param(Outcome.EXHAUSTED, marks=pytest.mark.slow)])
def test_text_only_stands_on_a_terminal(outcome: Outcome, text: str) -> None:
    written, screen = terminal(shown(outcome, text))
    rest = OURS.sub("", written)
    assert visible(rest) == rest
    assert screen.harm == 0
    lines = {line.rstrip() for line in screen.display} - {""}
    assert not lines & set(text.split("\n")[1:]), "words of others are no line of their own"


class Page(HTMLParser):
    """The elements of a page, and where they lead."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.names: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.links += [value or "" for name, value in attrs if name in {"href", "src"} or name.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.text += data


def page_of(outcome: Outcome, text: str) -> Page:
    headline = Headline(search="5eac", standing="solved", began="now", project=text, instruction=text)
    return Page(page(course_of(poisoned(told(outcome=outcome), text)), headline))


@pytest.mark.parametrize("text", POISON)
@pytest.mark.parametrize("outcome", [Outcome.SOLVED, pytest.param(Outcome.EXHAUSTED, marks=pytest.mark.slow)])
def test_any_words_leave_the_elements_of_pages(outcome: Outcome, text: str) -> None:
    said, plain = page_of(outcome, text), page_of(outcome, "a word")
    assert [name for name in said.names if name != "span"] == [name for name in plain.names if name != "span"]
    assert said.links == plain.links
    assert visible(said.text) == said.text
