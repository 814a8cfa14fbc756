"""Putting a verified text in place of a file's, wholly or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

from certo.edits.source import read_source
from certo.vocabulary.errors import BadRequest, StaleText


def replace_text(path: Path, *, before: str, after: str) -> None:
    """Replace a file's text in one step, keeping its mode, its owner where allowed, and where a symbolic link leads.

    Raises:
        StaleText: the file does not hold `before` any more.
        BadRequest: it cannot be written; nothing has changed.
    """
    real = path.resolve()
    try:
        # A new file can take the place of one that nobody may write, but whoever made it so did not want that.
        if not real.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
            raise BadRequest(f"{path} is read-only; make it writable first. Nothing was changed")
        scratch = _written_beside(real, after)
    except OSError as error:
        raise BadRequest(f"{path} cannot be written: {error.strerror}; nothing was changed") from error
    try:
        if read_source(real) != before:
            raise StaleText(f"{path} changed while its candidate was being verified; run the command again")
        os.replace(scratch, real)
    except OSError as error:
        raise BadRequest(f"{path} cannot be replaced: {error.strerror}; nothing was changed") from error
    finally:
        scratch.unlink(missing_ok=True)
    _sync(real.parent)


def _written_beside(path: Path, text: str) -> Path:
    """Write a text to a new file in the same directory, with the mode and owner of `path`, and on to the disk."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".certo", dir=path.parent)
    scratch = Path(name)
    try:
        with open(descriptor, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            known = path.stat()
            # Only root may give a file away; anybody else keeps what they made, which was theirs before.
            with contextlib.suppress(PermissionError):
                os.fchown(file.fileno(), known.st_uid, known.st_gid)
            os.fchmod(file.fileno(), known.st_mode & 0o7777)
            os.fsync(file.fileno())
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
    return scratch


def _sync(directory: Path) -> None:
    """Make the new name as durable as the new content."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
