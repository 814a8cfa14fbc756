"""Helix does the whole job with certo: the test types keys and reads the screen."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support.cli.terminal import Terminal
from support.lsp.journey import CONFIGURATIONS, build_coins, editor_of, is_repaired

CONFIG = """\
[editor.lsp]
display-messages = true
"""
"""Messages are shown in the status line; newer versions of Helix do so by themselves."""


@pytest.mark.editors
@pytest.mark.skipif(shutil.which("hx") is None, reason="Debian 12 has no package of Helix; Debian 13 has hx")
def test_the_main_job_in_helix(tmp_path: Path) -> None:
    file = build_coins(tmp_path / "coins")
    settings = tmp_path / "settings" / "helix"
    settings.mkdir(parents=True)
    (settings / "config.toml").write_text(CONFIG, encoding="utf-8")
    shutil.copy(CONFIGURATIONS / "helix.toml", settings / "languages.toml")
    terminal = Terminal()
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), terminal.end)
    more = {
        "TERM": "xterm-256color",
        "XDG_CONFIG_HOME": str(settings.parent),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    with editor_of(["hx", file], file, more, **streams) as helix:
        repair(terminal)
        terminal.press(":write\r")
        terminal.shows("written")
        cancel(terminal)
        terminal.press(":quit\r")
        terminal.drain(helix.poll)
        assert helix.returncode == 0, terminal.screen()
    terminal.close()
    assert is_repaired(file)


def repair(terminal: Terminal) -> None:
    """Repair `change`, read the score card, and accept."""
    terminal.shows("def change")
    choose(terminal, "change", "repair `change` until its tests pass")
    offered(terminal, "change", "accept #1")
    leave_menu(terminal)
    terminal.press(" k")
    card = terminal.shows("Candidate #1 for change: verified by 3 tests")
    assert "while due >= coin" in card
    terminal.press("\x1b")
    terminal.until(lambda screen: "Candidate #1" not in screen, "the card is closed")
    choose(terminal, "change", "accept #1")
    terminal.shows("        while due >= coin")


def cancel(terminal: Terminal) -> None:
    """Start a search for `weight`, and stop it."""
    choose(terminal, "weight", "repair `weight` until its tests pass")
    choose(terminal, "weight", "cancel (running")
    assert "cancel (running" not in offered(terminal, "weight", "Certo: retry")
    leave_menu(terminal)


def choose(terminal: Terminal, name: str, words: str) -> None:
    """Choose the code action with these words from Helix's menu, in which the first one is selected."""
    titles = offered(terminal, name, words).splitlines()
    place = next(number for number, title in enumerate(titles) if words in title)
    terminal.press("\x0e" * place + "\r")
    terminal.until(lambda screen: menu_in(screen) == "", "the menu is gone")


def offered(terminal: Terminal, name: str, words: str) -> str:
    """Open the menu of code actions on a function until these words are in it, and return its lines."""
    while words not in (menu := open_menu(terminal, name)):
        leave_menu(terminal)
    return menu


def open_menu(terminal: Terminal, name: str) -> str:
    terminal.press(f"gg/def {name}\r a")
    return menu_in(terminal.until(lambda screen: menu_in(screen) != "", "the menu of code actions"))


def leave_menu(terminal: Terminal) -> None:
    """Escape needs a moment of its own: with the next key it would be another one."""
    terminal.press("\x1b")
    terminal.until(lambda screen: menu_in(screen) == "", "the menu is gone")


def menu_in(screen: str) -> str:
    """Return the lines of the menu; below the status line may be a message that begins like one."""
    lines = screen.partition(" NOR ")[0].splitlines()
    return "\n".join(line for line in lines if "Certo: " in line)
