"""Each fenced block says after its language how it is held, and is held that way.

`run`: test_running_blocks.py runs it in a copy of the demo project.
`settings`: the settings accept it, TOML as a project's file and JSON as an editor's.
A path in the project: the block is a part of that file, which has tests of its own.
`shown`: it is there to be read; commands in it are held by test_commands.py.
protocol.md has further words, which the tests of `tests/protocol` and `tests/e2e/test_worked_sessions.py` hold.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from certo.settings.loader import load_settings
from support.documents.pages import ROOT, Fence, Page, pages
from support.lsp.wire_models import wire_models

RUNNABLE = ("python", "sh", "console")
PAGES = pages()
SETTINGS = [
    pytest.param(fence, id=f"{page}:{fence.line}")
    for page in PAGES
    if " settings\n" in page.text  # Few pages do, and to read Markdown takes long.
    for fence in page.fences
    if fence.held == "settings"
]


def problem(page: Page, fence: Fence) -> str:
    """Return what is wrong with the word that says how a block is held; "" if nothing is."""
    match fence.language, fence.held:
        case "", _:
            return "it names no language"
        case language, "run":
            return "" if language in RUNNABLE else f"{language} cannot be run"
        case language, "settings":
            return "" if language in ("toml", "json") else f"settings are not written in {language}"
        case _, "shown":
            return ""
        case ("json", word) if page.path == "protocol.md":
            return "" if word in wire_models() else "no model has this name"
        case ("session", "") | ("python", "till.py") if page.path == "protocol.md":
            return ""
        case _, path if path and (ROOT / path).is_file():
            text = (ROOT / path).read_text(encoding="utf-8")
            return "" if is_part(fence.text, text) else f"it is not in {path}"
    return f"no word says how it is held: {fence.held!r}"


def is_part(part: str, whole: str) -> bool:
    """True if the lines stand in the text one after the other, whatever they are indented by."""
    inner, outer = ("\n".join(line.strip() for line in text.strip().splitlines()) for text in (part, whole))
    return f"\n{inner}\n" in f"\n{outer}\n"


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_each_block_says_how_it_is_held(page: Page) -> None:
    assert [f"line {fence.line}: {wrong}" for fence in page.fences if (wrong := problem(page, fence))] == []


@pytest.mark.parametrize("fence", SETTINGS)
def test_settings_that_are_shown_are_accepted(fence: Fence, tmp_path: Path) -> None:
    if fence.language == "json":
        load_settings(tmp_path, client=json.loads(fence.text), environ={}, flags=None)
        return
    in_pyproject = "tool" in tomllib.loads(fence.text)
    (tmp_path / ("pyproject.toml" if in_pyproject else "certo.toml")).write_text(fence.text, encoding="utf-8")
    load_settings(tmp_path, client=None, environ={}, flags=None)


@pytest.mark.parametrize(
    ("language", "held", "text", "wrong"),
    [
        ("python", "", "x = 1\n", "no word says"),
        ("", "", "x\n", "names no language"),
        ("lua", "run", "x\n", "cannot be run"),
        ("yaml", "settings", "x: 1\n", "not written in"),
        ("json", "NoSuchModel", "{}\n", "no word says"),
        ("python", "server/certo/cli/example/till/coins.py", "x = 1\n", "it is not in"),
        ("python", "server/certo/cli/example/till/coins.py", "def change(due: int) -> list[int]:\n", ""),
        ("text", "shown", "x\n", ""),
    ],
    ids=["no word", "no language", "not runnable", "no settings", "not on this page", "not in it", "a part", "shown"],
)
def test_a_word_that_holds_nothing_is_found(language: str, held: str, text: str, wrong: str) -> None:
    found = problem(Page("docs/index.md"), Fence(language, held, text, 1))
    assert wrong in found
    assert bool(found) is bool(wrong)
