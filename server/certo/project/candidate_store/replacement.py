"""Replacement of several of the user's files: all or none, and only if they have the expected content."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from certo.vocabulary.errors import CheckoutRefused
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """Expected and new content of one file; None for a file that does not exist."""

    before: bytes | None
    after: bytes | None
    executable: bool = False


@contextmanager
def replaced(top: Path, wanted: Mapping[str, Replacement]) -> Iterator[tuple[str, ...]]:
    """Replace files below `top`; if the block raises, they are restored.

    Files that already have the new content are left alone; the paths of the others are yielded.

    Raises:
        CheckoutRefused: A file has unexpected content or cannot be written; nothing was changed.
    """
    todo = refuse_moved(top, wanted)
    scratches: dict[str, Path] = {}
    made: list[Path] = []
    done: list[str] = []
    try:
        for path, each in todo.items():
            _refuse_read_only(top / path)
            if each.after is not None:
                made += _make_folders((top / path).parent)
                scratches[path] = _written_beside(top / path, each.after, executable=each.executable)
        for path in todo:
            # Another program may have written to the file since it was checked.
            if _content(top / path) != todo[path].before:
                raise CheckoutRefused(f"{path} was changed just now; nothing was changed by this")
            _put(top / path, scratches.get(path))
            done.append(path)
        yield tuple(todo)
    except BaseException as error:
        _undo(top, {path: todo[path] for path in done})
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        if isinstance(error, OSError):
            raise CheckoutRefused(f"{error.filename or top} cannot be written: {error.strerror}") from error
        raise
    finally:
        for scratch in scratches.values():
            scratch.unlink(missing_ok=True)


def refuse_moved(top: Path, wanted: Mapping[str, Replacement]) -> dict[str, Replacement]:
    """Check that files have the expected content; return those that do not have the new one yet.

    Raises:
        CheckoutRefused: A file has other content, which would be lost.
    """
    todo = {path: each for path, each in wanted.items() if _content(top / path) != each.after}
    moved = [path for path, each in todo.items() if _content(top / path) != each.before or _is_led_away(top, path)]
    if moved:
        raise CheckoutRefused(
            f"{_named(moved)} {'is' if len(moved) == 1 else 'are'} not as when the search began, or would be written "
            "over; put that away first (git stash), or start a new search. Nothing was changed"
        )
    return todo


def _is_led_away(top: Path, path: str) -> bool:
    """True if a link on the way to a file now leads out of `top`."""
    return not (top / path).parent.resolve().is_relative_to(top.resolve())


def _content(file: Path) -> object:
    """Return the content of a file, None if there is none; an unreadable or special file equals nothing."""
    try:
        return file.read_bytes() if stat.S_ISREG(file.lstat().st_mode) else object()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return object()


def _refuse_read_only(file: Path) -> None:
    # A new file could replace a read-only one, but that would defeat the purpose of making it read-only.
    with suppress(FileNotFoundError):
        if not file.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
            raise CheckoutRefused(f"{file} is read-only; make it writable first. Nothing was changed")


def _make_folders(folder: Path) -> list[Path]:
    """Create a folder and its parents; return those that did not exist."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing[::-1]


def _written_beside(file: Path, content: bytes, *, executable: bool) -> Path:
    scratch = file.with_name(f".{file.name}.{secrets.token_hex(4)}.certo")
    mode = 0o777 if executable else 0o666
    with suppress(FileNotFoundError):
        mode = stat.S_IMODE(file.stat().st_mode)
    with open(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as written:
        written.write(content)
        written.flush()
        os.fsync(written.fileno())
    if file.exists():
        scratch.chmod(mode)  # What the user's umask would take away was there before.
    return scratch


def _put(file: Path, scratch: Path | None) -> None:
    file.unlink() if scratch is None else os.replace(scratch, file)


def _undo(top: Path, done: Mapping[str, Replacement]) -> None:
    """Restore the files, except those that someone else has changed meanwhile."""
    for path, each in done.items():
        if _content(top / path) != each.after:
            continue
        scratch = None if each.before is None else _written_beside(top / path, each.before, executable=each.executable)
        _put(top / path, scratch)


def _named(paths: Iterable[str]) -> str:
    """Return a few paths for a sentence, shortened to a readable number."""
    shown = [repr(path) if path != path.strip() or "\n" in path else path for path in sorted(paths)]
    return ", ".join(shown[:5]) + (f" and {len(shown) - 5} more" if len(shown) > 5 else "")
