"""Pictures show today's interface, are drawn by something, and are all used."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from support.documents.pages import ROOT, pages
from support.pictures import PICTURE, RECORDING, draw, draw_recording

JOURNEYS = ROOT / "vscode-client" / "test" / "ui"
PUBLISHED = ROOT / "vscode-client" / "media" / "pictures"


def lines_of(svg: str) -> list[str]:
    """What can be read in a picture: each piece of text with where it stands."""
    pieces = re.findall(r'<text[^>]* x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>', svg)
    return [f"{x} {y} {unescape(text)}" for x, y, text in pieces]


def test_the_demo_picture_is_up_to_date() -> None:
    kept = PICTURE.read_text(encoding="utf-8")
    assert lines_of(kept) == lines_of(draw()), "draw it anew: make pictures"
    assert any("VERIFIED" in line for line in lines_of(kept))


def test_the_recording_is_up_to_date() -> None:
    """It ends with the demo's picture, which is what is shown where nothing may move."""
    kept, drawn = RECORDING.read_text(encoding="utf-8"), draw_recording()
    assert lines_of(kept) == lines_of(drawn), "draw it anew: make pictures"
    assert re.findall(r'visibility="(\w+)"', drawn)[-2:] == ["hidden", "visible"]
    assert lines_of(drawn)[-len(lines_of(draw())) :] == lines_of(draw())


def test_a_picture_loads_nothing() -> None:
    """A picture that fetches a font or a file shows less offline, and tells a server who reads the page."""
    for path in (ROOT / "docs").rglob("*.svg"):
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"url\((?!#)|@import|<image|<script|href=", text) == [], path


def test_each_picture_is_used_and_made() -> None:
    """Those of the terminal are drawn by `make pictures`, those of VS Code by the journeys that name them."""
    used = {
        ((ROOT / page.path).parent / link).resolve()
        for page in pages()
        for link in page.links
        if Path(link).suffix in (".svg", ".png")
    }
    pictures = {path for folder in (ROOT / "docs", PUBLISHED) for path in folder.rglob("*.*g") if path.is_file()}
    assert pictures - used == set()
    journeys = "\n".join(path.read_text(encoding="utf-8") for path in JOURNEYS.glob("*.test.ts"))
    made = {PICTURE, RECORDING, *(PUBLISHED / f"{name}.png" for name in re.findall(r'\.publish\("(\w+)"', journeys))}
    assert pictures == made
