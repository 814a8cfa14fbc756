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

_PAGES = ("*.md", "docs/**/*.md", "vscode-client/*.md", "pyproject.toml", "vscode-client/package.json")
_NAME = re.compile(r"[\w.-]+/[\w.-]+")


def repository() -> str:
    """Return the repository's name with its owner's."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["tool"]["repository"]["name"])


def naming() -> Iterator[Path]:
    """Yield each file that names the repository."""
    named = _named(repository())
    files = (file for pattern in _PAGES for file in ROOT.glob(pattern))
    return (file for file in files if named.search(file.read_text(encoding="utf-8")))


def renamed(text: str, before: str, name: str) -> str:
    """Return a text with another name of the repository."""
    return _named(before).sub(name, text)


def _named(name: str) -> re.Pattern[str]:
    """Return what finds a repository's name in an address, as an action of GitHub, or in the setting."""
    whole = rf"{re.escape(name)}(?!\.?[\w-])"
    return re.compile(rf"(?<=github\.com/){whole}|(?<=uses: ){whole}(?=@)|(?<=^name = \"){whole}(?=\")", re.MULTILINE)


def main(*words: str) -> None:
    """Write another name everywhere."""
    if len(words) != 1 or not _NAME.fullmatch(words[0]):
        raise SystemExit("give the repository's name with its owner's: make repository NAME=ada/certo")
    before = repository()
    for file in tuple(naming()):
        file.write_text(renamed(file.read_text(encoding="utf-8"), before, words[0]), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
