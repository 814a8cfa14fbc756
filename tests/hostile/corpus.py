"""A corpus of hostile candidates from a file, when there is one: its rows, and what fills their placeholders."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from hostile.world import World

TARGETS = ("slugify", "fib", "group", "Point.__add__", "parse")
"""The functions of the corpus's project; each of its tests reaches one of them."""


@dataclass(frozen=True, kw_only=True)
class CorpusRow:
    """One row as it stands in the file; `verdict` is `accept`, `reject` or `any`, `must` says it in words."""

    name: str
    cat: str
    code: str
    verdict: str
    must: str

    def text(self, around: World) -> str:
        """The candidate, made for that world."""
        places = {
            "{HOME}": around.home,
            "{PROJECT}": around.project,
            "{WORK}": around.project.parent,
            "{VICTIM_SOCKET}": around.servers["SOCKET"].getsockname(),
            "{ROOT_OWNED}": around.root_owned,
        }
        text = self.code
        for placeholder, place in places.items():
            text = text.replace(placeholder, str(place))
        return text


def read_corpus(path: Path) -> list[CorpusRow]:
    """Read the rows of a corpus: a JSON list of objects."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    return [CorpusRow(**{name: row[name] for name in ("name", "cat", "code", "verdict", "must")}) for row in rows]


def project_of(corpus: Path) -> dict[str, str]:
    """The project beside a corpus, by path: what its candidates are judged in."""
    root = corpus.parent / "hostile_project"
    paths = sorted(path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in paths}
