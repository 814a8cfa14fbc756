"""Folders in which the extension for VS Code keeps its server and its demo projects, whichever editor it runs in."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

from certo.vocabulary.records import dataclass

_EXTENSION = "certo.certo"
"""Publisher and name of the extension, as editors call the folder of what it keeps."""

_OWN = Path("User", "globalStorage", _EXTENSION)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorStorage:
    """The folder of the extension in one editor, which is named as that editor's own folder is."""

    editor: str
    place: Path


def editor_storages(
    environ: Mapping[str, str], platform: str = sys.platform, prefix: str = sys.prefix
) -> tuple[EditorStorage, ...]:
    """Return each such folder of this user; last that of the environment at `prefix`, which can lie anywhere.

    Editors are found by the shape of their folders, not by name: VS Code, its insiders' build, VSCodium, Cursor and
    others that are made from it, on the desktop and as the server of a remote window.
    """
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or "~").expanduser()
    found = dict.fromkeys(_below(home, environ, platform))
    if (ours := _around(Path(prefix))) is not None:
        # A link may lead to it by another path.
        found = {place: None for place in found if place.resolve() != ours.resolve()}
        found[ours] = None
    return tuple(EditorStorage(editor=_editor_of(place), place=place) for place in found)


def _below(home: Path, environ: Mapping[str, str], platform: str) -> Iterator[Path]:
    if platform == "darwin":
        desktop = home / "Library" / "Application Support"
    elif platform == "win32":
        desktop = Path(environ.get("APPDATA") or home / "AppData" / "Roaming")
    else:
        desktop = _named(environ, "XDG_CONFIG_HOME", home / ".config")
    shared = _named(environ, "XDG_DATA_HOME", home / ".local" / "share")
    flatpaks, remote = home / ".var" / "app", Path("data") / _OWN
    return chain(
        desktop.glob(f"*/{_OWN}"),
        flatpaks.glob(f"*/config/*/{_OWN}"),
        shared.glob(f"*/{_OWN}"),
        home.glob(f".*/{remote}"),
    )


def _named(environ: Mapping[str, str], name: str, usual: Path) -> Path:
    """Return the folder that a variable names; by the XDG rules a relative one is none."""
    named = Path(environ.get(name, ""))
    return named if named.is_absolute() else usual


def _around(prefix: Path) -> Path | None:
    """Return the extension's folder that an environment lies in, as `servers/NAME`; None if it lies elsewhere."""
    folder = prefix.parent.parent
    return folder if prefix.parent.name == "servers" and folder.parts[-len(_OWN.parts) :] == _OWN.parts else None


def _editor_of(place: Path) -> str:
    above = place.parents[len(_OWN.parts) - 1]
    return above.parent.name if above.name == "data" else above.name
