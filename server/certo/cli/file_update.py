"""Putting verified texts in place of those of files, all of them or none, and each wholly or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from certo.edits.source import read_source
from certo.vocabulary.errors import BadRequest, CertoError, StaleText

_NEW = 0o666
"""The mode of a file that is made, as far as the user lets others have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReplacement:
    """A file that is to hold `after` in place of `before`, which is None for one that is to be made."""

    path: Path
    before: str | None
    after: str

    @property
    def real(self) -> Path:
        """The file that is meant, where a symbolic link leads."""
        return self.path.resolve()


def replace_texts(replacements: Sequence[FileReplacement]) -> None:
    """Replace the texts of files, keeping modes, owners where allowed, and where symbolic links lead.

    Everything is written beside the files first, and then each takes its place in one step. When one cannot, those
    before it get their own texts again.

    Raises:
        StaleText: a file does not hold what it should any more, or is there though it was to be made.
        BadRequest: one cannot be written; nothing has changed.
    """
    with ExitStack() as stack:
        prepared = [(each, stack.enter_context(_written_beside(each, each.after))) for each in replacements]
        for each in replacements:
            _need_unchanged(each)
        done: list[FileReplacement] = []
        try:
            for each, scratch in prepared:
                # Said before it is done: whatever ends this, the file is looked at.
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
    """Give files their own texts again, as far as they hold the new ones.

    Raises:
        BadRequest: one cannot be had back, or looked at; the message names each, and all others are as they were.
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
    """A new file with a text in the same directory, on the disk, with the mode and owner that it is to have.

    Raises:
        BadRequest: it cannot be written; nothing has changed.
    """
    path, real = replacement.path, replacement.real
    try:
        known = real.stat() if replacement.before is not None else None
        # A new file can take the place of one that nobody may write, but whoever made it so did not want that.
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
                # Only root may give a file away; anybody else keeps what they made, which was theirs before.
                with contextlib.suppress(PermissionError):
                    os.fchown(file.fileno(), known.st_uid, known.st_gid)
                os.fchmod(file.fileno(), known.st_mode & 0o7777)
            os.fsync(file.fileno())
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
    return scratch


def _umask() -> int:
    """What this process keeps others from, which can only be learnt by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _sync(directory: Path) -> None:
    """Make the new name as durable as the new content."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
