"""The commands, flags and `make` targets that the documents name exist."""

from __future__ import annotations

import pytest

from support.documents.command_lines import commands, complaint, complaint_in_passing, typed
from support.documents.pages import Page, pages


@pytest.mark.parametrize("page", pages(), ids=str)
def test_each_command_in_a_block_is_accepted(page: Page) -> None:
    """Blocks of sh hold commands alone; in those of console each begins with `$`, and output follows."""
    refused = [
        f"line {fence.line}: {line}: {problem}"
        for fence in page.fences
        if fence.language in ("sh", "console")
        for line in typed(fence.text, prompt="$ " if fence.language == "console" else "")
        for words in commands(line)
        if (problem := complaint(words))
    ]
    assert refused == []


@pytest.mark.parametrize("page", pages(), ids=str)
def test_each_command_in_running_text_exists(page: Page) -> None:
    refused = [
        f"{code}: {problem}"
        for code in page.inline_code
        if code.startswith(("certo ", "make ")) and (problem := complaint_in_passing(code))
    ]
    assert refused == []


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("certo generate src/shop/till.py::total --apply  # and write it", False),
        ("CERTO_SEARCH__SECONDS=9 .venv/bin/certo doctor | head -3", False),
        ("pipx install certo && certo demo", False),
        ("certo generate src/shop/till.py::total --aply", True),
        ("certo repair src/shop/till.py::total", True),
        ("certo demo && make tset", True),
    ],
)
def test_a_wrong_command_is_found(line: str, wrong: bool) -> None:
    assert any(complaint(words) for words in commands(line)) is wrong


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("certo COMMAND --help", False),
        ("certo searches forget --all", False),
        ("certo searches forget --none", True),
        ("certo repair", True),
        ("make no-such-target", True),
    ],
)
def test_wrong_commands_in_prose_are_found(code: str, wrong: bool) -> None:
    assert bool(complaint_in_passing(code)) is wrong
