"""The site of the documents: a copy of docs/ and the pages at the root in .artefacts/docs, built by Zensical.

Run as a program it makes the copy and builds it, strictly and without a network.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from support.documents.pages import ROOT, Page, pages

PLACE = ROOT / ".artefacts" / "docs"

SECTIONS = {
    "Tutorial": "tutorial",
    "How-to": "how-to",
    "Explanation": "explanation",
    "Reference": "reference",
    "Decisions": "decisions",
    "Project": "project",
}
"""The parts of the site by their folder; what stands in none of them comes first."""

_CONFIGURATION = """\
[project]
site_name = "certo"
site_description = "Repairs and writes Python functions, and shows the evidence that they work."
docs_dir = "pages"
site_dir = "site"
use_directory_urls = false
nav = {nav}

[project.theme]
font = false

[project.markdown_extensions]
admonition = {{}}
attr_list = {{}}
tables = {{}}
toc = {{ permalink = true, slugify = {slugify} }}
pymdownx.highlight = {{}}
pymdownx.quotes = {{ callouts = true }}
pymdownx.superfences = {{}}
"""

_SLUGIFY = '{ object = "pymdownx.slugs.slugify", kwds = { case = "lower" } }'
"""Names headings as GitHub does, so that the anchors are the same in both places."""

_LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")
_FENCE = re.compile(r"^( *```[\w-]+) .+$", re.MULTILINE)


def place_of(path: str) -> str:
    """Return the place of a project's file in the site; files outside of docs/ go to the folder `project`."""
    return path.removeprefix("docs/") if path.startswith("docs/") else f"project/{path.lower()}"


def copy_pages(place: Path) -> None:
    """Copy every page that is part of the site, with links that lead to the copies, and the files they lead to."""
    for page in pages():
        if is_part(page):
            target = place / place_of(page.path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_rewritten(page), encoding="utf-8")
            for file in _files(page):
                copy = place / place_of(file)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / file, copy)


def is_part(page: Page) -> bool:
    """True for pages below docs/, at the root, and for READMEs that introduce a folder."""
    return page.path.startswith("docs/") or "/" not in page.path or page.path.endswith("/README.md")


def _rewritten(page: Page) -> str:
    """Return the page with links for the site, and with only the language after each fence."""
    here = Path(place_of(page.path)).parent

    def link(found: re.Match[str]) -> str:
        path, mark, anchor = found[1].partition("#")
        target = _in_project(page, path)
        return found[1] if target is None else os.path.relpath(place_of(target), here) + mark + anchor

    return _FENCE.sub(r"\1", _LINK.sub(link, page.text))


def _files(page: Page) -> Iterator[str]:
    """Yield the linked files of a page that are no pages of the site."""
    parts = {each.path for each in pages() if is_part(each)}
    for written in page.links:
        target = _in_project(page, written.partition("#")[0])
        if target is not None and target not in parts:
            yield target


def _in_project(page: Page, path: str) -> str | None:
    """Return the path in the project that a relative link means (a README for a folder), or None for other links."""
    if not path or re.match(r"[a-z][a-z0-9+.-]*:", path):
        return None
    target = ((ROOT / page.path).parent / path).resolve()
    if target.is_dir():
        target /= "README.md"
    return target.relative_to(ROOT).as_posix() if target.is_file() else None


def navigation(place: Path) -> list[object]:
    """Return the pages without a section, then each section with its pages; an index comes first."""
    names = sorted((path.relative_to(place).as_posix() for path in place.rglob("*.md")), key=_by_index)
    top: list[object] = [name for name in names if name.partition("/")[0] not in SECTIONS.values()]
    return top + [
        {title: [name for name in names if name.startswith(f"{folder}/")]}
        for title, folder in SECTIONS.items()
        if (place / folder).is_dir()
    ]


def _by_index(name: str) -> tuple[str, bool, str]:
    folder, _, file = name.rpartition("/")
    return folder, file != "index.md", file


def build() -> int:
    """Make the copy and build the site; return the exit code of the build."""
    shutil.rmtree(PLACE, ignore_errors=True)
    copy_pages(PLACE / "pages")
    nav = _in_toml(navigation(PLACE / "pages"))
    configuration = _CONFIGURATION.format(nav=nav, slugify=_SLUGIFY)
    (PLACE / "zensical.toml").write_text(configuration, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "--clean"], cwd=PLACE, check=False
    ).returncode


def _in_toml(nav: list[object]) -> str:
    rows = (
        "{ " + ", ".join(f"{json.dumps(title)} = {json.dumps(inner)}" for title, inner in each.items()) + " }"
        if isinstance(each, dict)
        else json.dumps(each)
        for each in nav
    )
    return "[\n" + "".join(f"  {row},\n" for row in rows) + "]"


if __name__ == "__main__":
    sys.exit(build())
