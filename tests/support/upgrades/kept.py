"""What versions of certo wrote: their homes, settings and protocols, in tests/upgrades."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

from support.documents.pages import ROOT

FOLDER = ROOT / "tests" / "upgrades"
VERSIONS = sorted(place.name for place in FOLDER.iterdir() if (place / "home.tar.gz").exists())

MADE_IN = Path("/tmp/certo-kept")
"""Where a home is made: the paths of its projects are in the journals, and are to be the same in each version."""

PLAIN, TRACKED = "till", "tracked"
"""The projects in a home: one without git, one in a repository of its own."""

HAND_MADE = "5eac"
"""The search in the journal of PLAIN that has an event of each kind."""

DIGEST = "digest"
"""The file with the digest of a signed verdict."""

ANSWER, CODE = "ab" * 32, "cd" * 32
"""Keys of a cached answer of a language model, and of a cached function."""

_OMITTED = ("description", "title", "default", "examples")


def home_of(version: str, folder: Path) -> Path:
    """Unpack the home of a version into a folder, and return it."""
    with tarfile.open(FOLDER / version / "home.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    for place in folder.rglob("objects/info/alternates"):
        place.write_text(place.read_text("utf-8").replace(str(MADE_IN), str(folder)), encoding="utf-8")
    return folder


def protocol_of(version: str) -> Any:
    """Return the schema of the protocol as a version had it, without descriptions."""
    return json.loads((FOLDER / version / "protocol.json").read_text(encoding="utf-8"))


def settings_of(version: str) -> Any:
    """Return the settings of a version with their defaults, by dotted name."""
    return json.loads((FOLDER / version / "settings.json").read_text(encoding="utf-8"))


def bare(schema: Any) -> Any:
    """Return a schema without the words for its readers."""
    if isinstance(schema, list):
        return [bare(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    # A property may have the name of a word that is left out here.
    return {
        key: {name: bare(inner) for name, inner in value.items()} if key in ("properties", "$defs") else bare(value)
        for key, value in schema.items()
        if key not in _OMITTED
    }
