"""Writes the generated pages anew and removes those that are no longer made."""

from __future__ import annotations

from support.documents.pages import ROOT
from support.reference.written import GENERATED_PAGES, is_generated

if __name__ == "__main__":
    for path in (ROOT / "docs" / "reference").rglob("*.md"):
        if is_generated(path.read_text(encoding="utf-8")) and path.relative_to(ROOT).as_posix() not in GENERATED_PAGES:
            path.unlink()
    for name, write in GENERATED_PAGES.items():
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_text(write(), encoding="utf-8")
