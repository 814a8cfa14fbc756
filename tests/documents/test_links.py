"""Each link in the documents leads somewhere, and each page can be reached from the first one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.documents.pages import ROOT, Page, pages

PAGES = {page.path: page for page in pages()}


def target(page: Page, link: str) -> tuple[Path, str]:
    """The file that a relative link of a page names, and the anchor in it."""
    path, _, anchor = link.partition("#")
    place = (ROOT / page.path).parent / path if path else ROOT / page.path
    return place.resolve(), anchor


def relative_links(page: Page) -> list[str]:
    return [link for link in page.links if not re.match(r"[a-z][a-z0-9+.-]*:", link)]


@pytest.mark.parametrize("page", PAGES.values(), ids=str)
def test_links_lead_to_files_and_headings(page: Page) -> None:
    """A link may leave neither the project nor the page's own headings."""
    broken = []
    for link in relative_links(page):
        place, anchor = target(page, link)
        inside = place.exists() and place.is_relative_to(ROOT)
        known = PAGES.get(place.relative_to(ROOT).as_posix()) if inside else None
        if not inside or (anchor and (known is None or anchor not in known.anchors)):
            broken.append(link)
    assert broken == []


def test_each_page_is_reached_from_the_index() -> None:
    """From docs/index.md by links alone, over other pages; so is each page at the root."""
    reached: set[str] = set()
    waiting = ["docs/index.md"]
    while waiting:
        path = waiting.pop()
        if path in PAGES and path not in reached:
            reached.add(path)
            places = (target(PAGES[path], link)[0] for link in relative_links(PAGES[path]))
            waiting += [place.relative_to(ROOT).as_posix() for place in places if place.is_relative_to(ROOT)]
    wanted = {path for path in PAGES if path.startswith("docs/") or "/" not in path}
    assert wanted - reached == set()


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    """Headings are named as GitHub names them, and what stands in code is no link."""
    text = "# One `two/three`\n\n# Again\n\n# Again\n\n[a](b.md#c) `[x](y)`\n\n```text shown\n[p](q)\n```\n"
    (tmp_path / "page.md").write_text(text, encoding="utf-8")
    page = Page(str(tmp_path / "page.md"))
    assert page.anchors == {"one-twothree", "again", "again-1"}
    assert page.links == ("b.md#c",)
