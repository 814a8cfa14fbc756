"""Replacement of files' texts by verified ones: all or none, each atomically."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from certo.edits.source import read_source
from certo.vocabulary.errors import BadRequest, CertoError, StaleText
from certo.vocabulary.records import dataclass

_NEW = 0o666
"""Mode of a new file before the umask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReplacement:
    """A file whose text changes from `before` to `after`; `before` is None for a new file."""

    path: Path
    before: str | None
    after: str

    @property
    def real(self) -> Path:
        """The target of the path after symbolic links."""
        return self.path.resolve()


def replace_texts(replacements: Sequence[FileReplacement]) -> None:
    """Replace the texts of files, keeping modes, symbolic links and, if permitted, owners.

    All new files are written beside the old ones first, then renamed one by one. If a rename fails, the earlier ones
    are undone.

    Raises:
        StaleText: A file has another text than expected, or exists although it is new.
        BadRequest: One cannot be written; nothing has changed.
    """
    with ExitStack() as stack:
        prepared = [(each, stack.enter_context(_written_beside(each, each.after))) for each in replacements]
        for each in replacements:
            _need_unchanged(each)
        done: list[FileReplacement] = []
        try:
            for each, scratch in prepared:
                # Recorded before it is done, so that the file is checked whatever interrupts this.
                done.append(each)
                os.replace(scratch, each.real)
        except BaseException as error:
            _restore(done)
            if isinstance(error, OSError):
                raise BadRequest(
                    f"{done[-1].path} cannot be replaced: {error.strerror}; nothing was changed"
                ) from error
            raise
    for folder in {each.real.parent for each in replacements}:
        _sync(folder)


def _restore(done: Sequence[FileReplacement]) -> None:
    """Restore the earlier texts of files that still hold the new ones.

    Raises:
        BadRequest: Some cannot be restored or read; the message names each, and all others are restored.
    """
    left: list[str] = []
    for each in done:
        try:
            if not each.real.exists() or read_source(each.real) != each.after:
                continue
            if each.before is None:
                each.real.unlink()
                continue
            with _written_beside(each, each.before) as scratch:
                os.replace(scratch, each.real)
        except OSError as error:
            left.append(f"{each.path} ({error.strerror})")
        except CertoError as error:
            left.append(f"{each.path} ({error})")
    if left:
        raise BadRequest(
            f"not all files could be replaced, and of these look what they hold: {', '.join(left)}; "
            "the others are as they were"
        )


def _need_unchanged(replacement: FileReplacement) -> None:
    if replacement.before is None:
        if os.path.lexists(replacement.path):
            raise StaleText(f"{replacement.path} was made while its candidate was verified; run the command again")
    elif read_source(replacement.real) != replacement.before:
        raise StaleText(f"{replacement.path} changed while its candidate was being verified; run the command again")


@contextmanager
def _written_beside(replacement: FileReplacement, text: str) -> Iterator[Path]:
    """Yield a new file with a text in the same directory, synced, with the final mode and owner.

    Raises:
        BadRequest: It cannot be written; nothing has changed.
    """
    path, real = replacement.path, replacement.real
    try:
        known = real.stat() if replacement.before is not None else None
        # A new file could replace a read-only one, but that would defeat the purpose of making it read-only.
        if known is not None and not known.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
            raise BadRequest(f"{path} is read-only; make it writable first. Nothing was changed")
        scratch = _write(real, text, known)
    except OSError as error:
        raise BadRequest(f"{path} cannot be written: {error.strerror}; nothing was changed") from error
    try:
        yield scratch
    finally:
        scratch.unlink(missing_ok=True)


def _write(path: Path, text: str, known: os.stat_result | None) -> Path:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".certo", dir=path.parent)
    scratch = Path(name)
    try:
        with open(descriptor, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            if known is None:
                os.fchmod(file.fileno(), _NEW & ~_umask())
            else:
                # Only root may give a file away; for others the file stays their own, as it was before.
                with contextlib.suppress(PermissionError):
                    os.fchown(file.fileno(), known.st_uid, known.st_gid)
                os.fchmod(file.fileno(), known.st_mode & 0o7777)
            os.fsync(file.fileno())
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
    return scratch


def _umask() -> int:
    """Return the umask, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _sync(directory: Path) -> None:
    """Sync a directory, so that a rename is as durable as the content."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
