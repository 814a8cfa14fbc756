"""Everything that certo keeps on this machine: where it lies, how much there is, and its removal as a whole."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from certo.storage.editor_storage import editor_storages
from certo.storage.location import journal_folder
from certo.vocabulary.errors import BrokenWorld
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredKind:
    """One kind of file that certo keeps: what it is, its folder or file, and for how long it stays.

    `size` is in bytes; both it and `files` are 0 if there are none.
    """

    name: str
    place: Path
    kept_for: str
    files: int
    size: int


def stored_kinds(environ: Mapping[str, str]) -> tuple[StoredKind, ...]:
    """Return every kind of file that certo keeps for this user, those without a file included."""
    data, cache, state = _homes(environ)
    named = (
        ("searches, candidates and verdicts", data / "journals", "as long as journal.days says"),
        ("signed verdicts and their key", data / "verdicts", "the newest 2,000"),
        ("candidates as commits", data / "experiments", "as long as their search"),
        ("functions built by Python programs", cache / "code", "until deleted"),
        ("cached answers of language models", cache, "the newest 16,000"),
        ("log of internal errors", state, "until deleted"),
    )
    # Variables may make one folder of two; what lies there counts for the first kind that has it.
    found: dict[Path, list[int]] = {place: [] for place in (*(place for _, place, _ in named), data)}
    for home in dict.fromkeys((data, cache, state)):
        for file, size in _files(home):
            found[max((place for place in found if file.is_relative_to(place)), key=_depth)].append(size)
    every = [*named, ("other files", data, "until deleted")]
    for storage in editor_storages(environ):
        found[storage.place] = [size for _, size in _files(storage.place)]
        name = f"server and demo projects of {storage.editor}"
        every.append((name, storage.place, "until a newer server replaces it"))
    kinds = []
    for name, place, kept_for in every:
        sizes = found.pop(place, [])
        kinds.append(StoredKind(name=name, place=place, kept_for=kept_for, files=len(sizes), size=sum(sizes)))
    return tuple(kind for kind in kinds if kind.files or kind.name != "other files")


def delete_stored(environ: Mapping[str, str]) -> None:
    """Delete all of it, with its folders; last the environment that this program runs in, if that is one of them.

    Raises:
        BrokenWorld: A folder is a link to somewhere else, or cannot be deleted.
    """
    homes = (*_homes(environ), *(storage.place for storage in editor_storages(environ)))
    for home in homes:
        if home.is_symlink():
            raise BrokenWorld(
                f"{home} is a link to {home.resolve()}, and certo follows none when it deletes; delete that folder "
                "yourself"
            )
    for home in homes:
        try:
            shutil.rmtree(home)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise BrokenWorld(f"{home} could not be deleted: {error.strerror or error}; delete it yourself") from error


def _homes(environ: Mapping[str, str]) -> tuple[Path, Path, Path]:
    """Return certo's folders for data, for what can be made again, and for the log."""
    home = Path(environ.get("HOME") or "~").expanduser()
    cache = Path(environ.get("XDG_CACHE_HOME") or home / ".cache")
    state = Path(environ.get("XDG_STATE_HOME") or home / ".local" / "state")
    return journal_folder(environ).parent, cache / "certo", state / "certo"


def _depth(place: Path) -> int:
    return len(place.parts)


def _files(place: Path) -> Iterator[tuple[Path, int]]:
    """Yield the files below a folder with their sizes; a file that goes meanwhile is left out, a link not followed."""
    for folder, _, names in os.walk(place):
        for name in names:
            file = Path(folder, name)
            try:
                yield file, file.lstat().st_size
            except FileNotFoundError:
                continue
