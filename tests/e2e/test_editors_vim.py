"""Vim with ALE does the whole job with certo: the test types keys and reads the screen.

ALE says that it takes no edits from a server, and never answers one; what it does take is an edit of a code action.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.cli.terminal import Terminal
from support.lsp.journey import CONFIGURATIONS, build_coins, editor_of, is_repaired

VIMRC = Path(__file__).parent / "vim" / "vimrc"

MENU = "Type number and <Enter>"


@pytest.mark.editors
def test_the_main_job_in_vim(tmp_path: Path) -> None:
    file = build_coins(tmp_path / "coins")
    command = ["vim", "-u", VIMRC, "-n", file]
    terminal = Terminal()
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), terminal.end)
    more = {"TERM": "xterm-256color", "JOURNEY_CONFIGURATION": str(CONFIGURATIONS / "ale.vim")}
    with editor_of(command, file, more, **streams) as vim:
        repair(terminal)
        terminal.press(":write\r")
        terminal.shows("written")
        cancel(terminal)
        terminal.press(":quitall\r")
        terminal.drain(vim.poll)
        assert vim.returncode == 0, terminal.screen()
    terminal.close()
    assert is_repaired(file)


def repair(terminal: Terminal) -> None:
    """Repair `change`, read the score card, and accept."""
    terminal.shows("def change")
    choose(terminal, "change", "repair `change` until its tests pass")
    terminal.shows("`change` is verified by 3 tests")
    terminal.press(":ALEHover\r")
    card = terminal.shows("[Preview]")
    assert "Candidate #1 for change: verified by 3 tests" in card
    # The change comes first, and the preview has no room for the checks below it.
    assert re.search(r"^\+ .*while due >= coin|^-.*while due > coin", card, re.MULTILINE), card
    terminal.press(":pclose\r")
    terminal.until(lambda screen: "[Preview]" not in screen, "the card is closed")
    choose(terminal, "change", "accept #1")
    terminal.shows("while due >= coin")


def cancel(terminal: Terminal) -> None:
    """Start a search for `weight`, look at it, and stop it."""
    choose(terminal, "weight", "repair `weight` until its tests pass")
    choose(terminal, "weight", "cancel (running", look="Searching for weight")
    for _ in range(20):
        offered = menu(terminal, "weight")
        leave_menu(terminal, "")
        if "Certo: retry" in offered:
            break
    assert "Certo: retry" in offered
    assert "Certo: cancel" not in offered


def choose(terminal: Terminal, name: str, words: str, look: str = "") -> None:
    """Choose the code action with these words from ALE's menu, after reading the hover if one is wanted."""
    if look:
        go_to(terminal, name)
        terminal.press(":ALEHover\r")
        terminal.shows(look)
        terminal.press(":pclose\r")
    lines = menu(terminal, name)
    numbered = re.search(rf"(?m)^(\d+)\) .*{re.escape(words)}", lines)
    assert numbered is not None, lines
    leave_menu(terminal, numbered[1])


def menu(terminal: Terminal, name: str) -> str:
    """Open ALE's menu of code actions on a function and return the screen."""
    go_to(terminal, name)
    terminal.press(":ALECodeAction\r")
    return terminal.shows(MENU)


def leave_menu(terminal: Terminal, number: str) -> None:
    """Answer ALE's menu with a number, or with nothing."""
    terminal.press(f"{number}\r")
    terminal.until(lambda screen: MENU not in screen, "the menu is gone")


def go_to(terminal: Terminal, name: str) -> None:
    """Put the cursor on a function's name, as soon as the text is what the keys go to."""
    terminal.press(f":call cursor(1, 1) | call search('def {name}') | normal! w\r")
