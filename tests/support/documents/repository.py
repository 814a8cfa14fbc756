"""The name of the public repository, set once in pyproject.toml; as a program it writes another name everywhere.

python -m support.documents.repository ada/certo
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from support.documents.pages import ROOT

NAMED = re.compile(r"(?<=github\.com/)[\w-]+/certo\b|(?<=uses: )[\w-]+/certo(?=@)")
"""Where a page names the repository: in an address, or as an action of GitHub."""


def repository() -> str:
    """Return the repository's name with its owner's."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["tool"]["repository"]["name"])


def naming() -> Iterator[tuple[Path, str]]:
    """Yield each page that names the repository, with the name it has there."""
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "vscode-client").glob("*.md")):
        for found in NAMED.finditer(path.read_text(encoding="utf-8")):
            yield path, found[0]


def rename(name: str) -> None:
    """Write another name into the setting and every page."""
    for path in {ROOT / "pyproject.toml", *(path for path, _ in naming())}:
        text = NAMED.sub(name, path.read_text(encoding="utf-8"))
        if path.suffix == ".toml":
            text = re.sub(r'(?<=\[tool\.repository\]\nname = ")[^"]+', name, text)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    rename(sys.argv[1])
