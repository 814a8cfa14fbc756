"""The documents keep to their lengths and forms, so that each can be read in one go."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.documents.pages import ROOT, Page, pages
from support.reference.markdown import GENERATED

LONGEST = {
    "README.md": 180,
    "CONTRIBUTING.md": 150,
    "SECURITY.md": 80,
    "tests/README.md": 150,
    "vscode-client/README.md": 110,
    "docs/decisions/": 80,
    "docs/": 250,
}
"""How many lines a page may have, by its path or folder; the first one that fits counts."""

PAGES = pages()


def excess(page: Page) -> int:
    """By how many lines a page is too long."""
    limit = next((lines for place, lines in LONGEST.items() if page.path.startswith(place)), None)
    return 0 if limit is None or GENERATED in page.text else max(0, len(page.text.splitlines()) - limit)


def opening(page: Page) -> str:
    """The first paragraph below the page's heading."""
    inlines = [token for token in page.tokens if token.type == "inline"]
    return inlines[1].content if len(inlines) > 1 else ""


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_a_page_is_not_too_long(page: Page) -> None:
    assert excess(page) == 0


@pytest.mark.parametrize("page", [page for page in PAGES if page.path.startswith("docs/")], ids=str)
def test_pages_begin_with_their_only_title(page: Page) -> None:
    assert page.text.startswith("# ")
    assert sum(token.type == "heading_open" and token.tag == "h1" for token in page.tokens) == 1


@pytest.mark.parametrize("page", [page for page in PAGES if page.path.startswith("docs/how-to/")], ids=str)
def test_a_how_to_opens_with_its_result(page: Page) -> None:
    """The first paragraph says what the reader will have at the end, in these words."""
    assert "at the end" in opening(page).lower()


def test_nothing_but_plain_markdown_is_used() -> None:
    """Pages read the same on GitHub, in an editor and on the site: no front matter, tabs, includes or macros."""
    special = ("---\n", "=== ", "!!! ", "??? ", "--8<--", "{{ ", "{% ")
    lines = [
        f"{page}: {line}"
        for page in PAGES
        if page.path.startswith("docs/")
        for token in page.tokens
        if token.type == "inline"
        for line in token.content.splitlines()
        if line.startswith(special[1:])
    ]
    assert lines == []
    assert [str(page) for page in PAGES if page.text.startswith(special[0])] == []


def test_pages_that_are_too_long_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("support.documents.pages.ROOT", tmp_path)
    (tmp_path / "docs" / "decisions").mkdir(parents=True)
    (tmp_path / "docs" / "decisions" / "0001-one.md").write_text("# One\n" * 83, encoding="utf-8")
    (tmp_path / "docs" / "long.md").write_text(f"# Long\n\n{GENERATED}\n" + "\n" * 900, encoding="utf-8")
    assert excess(Page("docs/decisions/0001-one.md")) == 3
    assert excess(Page("docs/long.md")) == 0
    assert (ROOT / "README.md").exists()
