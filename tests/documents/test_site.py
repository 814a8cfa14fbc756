"""The copy that `make docs` builds the site from has every page, and its links lead to copies."""

from __future__ import annotations

from pathlib import Path

from support.documents.pages import Page, pages
from support.site import copy_pages, is_part, navigation, place_of


def test_links_lead_to_the_copies(tmp_path: Path) -> None:
    copy_pages(tmp_path)
    copies = {place_of(page.path): Page(str(tmp_path / place_of(page.path))) for page in pages() if is_part(page)}
    assert {"index.md", "project/readme.md", "project/protocol.md"} <= set(copies)
    broken = []
    for name, copy in copies.items():
        for link in copy.links:
            path, _, anchor = link.partition("#")
            target = (Path(copy.path).parent / path).resolve() if path else Path(copy.path)
            if "://" not in link and not _is_there(target, anchor, copies, tmp_path):
                broken.append(f"{name}: {link}")
    assert broken == []


def test_fences_keep_their_language_alone(tmp_path: Path) -> None:
    """Site generators read further words as options."""
    copy_pages(tmp_path)
    copies = [Page(str(path)) for path in tmp_path.rglob("*.md")]
    assert {fence.held for copy in copies for fence in copy.fences} == {""}


def _is_there(target: Path, anchor: str, copies: dict[str, Page], place: Path) -> bool:
    if not anchor or not target.exists():
        return target.exists()
    return anchor in copies[target.relative_to(place).as_posix()].anchors


def test_the_navigation_has_every_page_once(tmp_path: Path) -> None:
    copy_pages(tmp_path)
    top, named = [], []
    for each in navigation(tmp_path):
        if isinstance(each, dict):
            named += [name for inner in each.values() for name in inner]
        else:
            top.append(each)
    assert sorted(top + named) == sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.md"))
    assert top[0] == "index.md"
