"""Archives of directories, identified by content: packed where the project is, unpacked where it runs."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import stat
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import anyio
from anyio.lowlevel import checkpoint

from certo.sandbox.confinement.secrets import hidden_in
from certo.vocabulary.errors import SandboxUnavailable
from certo.vocabulary.records import dataclass

_MEBIBYTE = 1 << 20
MAX_MEBIBYTES = 256
"""Maximum unpacked size of a shipped directory."""

MAX_FILES = 50_000
"""Maximum number of files in a shipped directory."""

_FEW = 64
"""Number of files after which other tasks get a turn."""

_SKIPPED = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules", ".tox", ".nox", ".hypothesis"})
_MARKS_OF_THE_SKIPPED = ("pyvenv.cfg", "conda-meta", "CACHEDIR.TAG")
"""Marker files of environments and tool caches: https://bford.info/cachedir/."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A packed directory: its archive, and the archive's SHA-256 in hexadecimal digits."""

    digest: str
    archive: bytes


@dataclass(frozen=True, slots=True, order=True)
class _SeenFile:
    """State of one file when it was seen: if none of this has changed, neither has its content."""

    path: str
    size: int
    changed: int
    inode: int
    mode: int


_Kind = tuple[Path, tuple[str, ...], tuple[str, ...]]
"""A directory, those of its secrets that are packed too, and the paths left out."""


class BundleCache:
    """Packs directories, each again only after something in it has changed."""

    def __init__(self) -> None:
        self._packed: dict[_Kind, tuple[tuple[_SeenFile, ...], Bundle]] = {}
        self._looked: dict[_Kind, float] = {}
        self._lock = anyio.Lock()

    async def of(self, root: Path, shown: tuple[str, ...] = (), hidden: tuple[str, ...] = ()) -> Bundle:
        """Return the bundle of `root` in its current state; concurrent callers share one scan.

        Files that look like secrets are left out, except those in `shown`; so are those in `hidden`.

        Raises:
            SandboxUnavailable: It is too large to be shipped, or cannot be read.
        """
        asked = anyio.current_time()
        async with self._lock:
            begun = anyio.current_time()
            kind = root, shown, hidden
            # A scan that began after the request shows at least its state, so callers that waited for it need none of
            # their own.
            if self._looked.get(kind, 0.0) < asked:
                try:
                    seen = await _look_through(root, frozenset((*hidden_in(root, shown), *hidden)))
                    if kind not in self._packed or self._packed[kind][0] != seen:
                        self._packed[kind] = (seen, await _pack(root, seen))
                except OSError as error:
                    raise SandboxUnavailable(f"{root} cannot be shipped to other machines: {error}") from error
                self._looked[kind] = begun
            return self._packed[kind][1]


async def _look_through(root: Path, hidden: frozenset[str]) -> tuple[_SeenFile, ...]:
    """Return every file to ship, sorted by path.

    Raises:
        SandboxUnavailable: There are too many, or they are too large.
    """
    seen: list[_SeenFile] = []
    total = 0
    for number, path in enumerate(_files(root)):
        if number % _FEW == 0:
            await checkpoint()
        about = path.stat()
        name = path.relative_to(root).as_posix()
        if not stat.S_ISREG(about.st_mode) or not hidden.isdisjoint((name, *map(str, PurePosixPath(name).parents))):
            continue
        total += about.st_size
        seen.append(_SeenFile(name, about.st_size, about.st_mtime_ns, about.st_ino, about.st_mode & 0o111))
        if total > MAX_MEBIBYTES * _MEBIBYTE or len(seen) > MAX_FILES:
            raise SandboxUnavailable(
                f"{root} holds more than {MAX_MEBIBYTES} MiB or {MAX_FILES} files, which is the most that is shipped "
                f"to other machines (at {name}); move what its tests do not need out of it, or unset executor.cluster"
            )
    return tuple(sorted(seen))


def _files(root: Path) -> Iterator[Path]:
    """Yield the files below `root` except version control, environments, caches and links that lead outside."""
    real = root.resolve()
    for place, directories, names in os.walk(root):
        directories[:] = sorted(name for name in directories if not _is_skipped(Path(place, name)))
        for name in sorted(names):
            path = Path(place, name)
            if not path.is_symlink() or (path.exists() and path.resolve().is_relative_to(real)):
                yield path


def _is_skipped(directory: Path) -> bool:
    return directory.name in _SKIPPED or any((directory / mark).exists() for mark in _MARKS_OF_THE_SKIPPED)


async def _pack(root: Path, seen: tuple[_SeenFile, ...]) -> Bundle:
    """Pack the files; equal names, contents and execute bits give equal archives, at any time and by any user."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for number, one in enumerate(seen):
            if number % _FEW == 0:
                await checkpoint()
            content = (root / one.path).read_bytes()
            # Owner and times keep their constant defaults, so that equal contents have equal digests.
            member = tarfile.TarInfo(one.path)
            member.size = len(content)
            member.mode = 0o755 if one.mode else 0o644
            archive.addfile(member, io.BytesIO(content))
    squeezed = zlib.compress(packed.getbuffer(), 1)
    return Bundle(digest=hashlib.sha256(squeezed).hexdigest(), archive=squeezed)


def unpack(parcel: Bundle, place: Path) -> None:
    """Unpack `parcel` into the new directory `place`: completely, or no directory is created.

    Raises:
        SandboxUnavailable: The archive does not match its digest, or contains something `BundleCache` never packs.
    """
    if hashlib.sha256(parcel.archive).hexdigest() != parcel.digest:
        raise SandboxUnavailable(f"the project arrived damaged: its archive is not {parcel.digest[:12]}…")
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    unfinished = Path(tempfile.mkdtemp(dir=place.parent))
    try:
        with tarfile.open(fileobj=io.BytesIO(_inflated(parcel.archive)), mode="r:") as archive:
            for member in archive:
                _write(archive, member, unfinished)
        # Renamed last, so that a directory of this name is always complete.
        unfinished.rename(place)
    except (tarfile.TarError, zlib.error) as error:
        raise SandboxUnavailable(f"the project arrived as something that is no archive: {error}") from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _inflated(archive: bytes) -> bytes:
    # A header and the padding take up to 1 KiB a file, and long names a little more.
    most = MAX_MEBIBYTES * _MEBIBYTE + MAX_FILES * 4096
    inflating = zlib.decompressobj()
    inflated = inflating.decompress(archive, most)
    if inflating.unconsumed_tail:
        raise SandboxUnavailable(f"the project arrived with more than the {MAX_MEBIBYTES} MiB that are ever shipped")
    return inflated


def _write(archive: tarfile.TarFile, member: tarfile.TarInfo, place: Path) -> None:
    path = PurePosixPath(member.name)
    content = archive.extractfile(member) if member.isreg() else None
    if content is None or path.is_absolute() or ".." in path.parts:
        raise SandboxUnavailable(f"the project arrived with {member.name!r}, which is never shipped")
    target = place / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content.read())
    target.chmod(member.mode & 0o755)
