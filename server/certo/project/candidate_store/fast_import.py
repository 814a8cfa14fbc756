"""A `git fast-import` process kept during a search: commits need no checkout, no index and no new process.

Its language is documented in git-fast-import(1). A checkpoint after each commit makes it real.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import field
from pathlib import Path

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from certo.project.git import EMAIL, NAME, SECONDS, Git, last_words
from certo.vocabulary.errors import ExperimentsUnavailable
from certo.vocabulary.records import dataclass

_MAX_LINE = 1 << 16
_PLAIN = b"100644"
_SAID = "said"
_LAST = b"refs/certo/last"
_QUIETLY = ("--quiet", "--force", "--date-format=raw")
_ASSURED = b"progress kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportEntry:
    """Content of a path in a commit: bytes, an object's id, or None for no file; the mode defaults to the parent's."""

    path: str
    content: bytes | str | None
    mode: str | None = None


@dataclass(slots=True)
class Importing:
    """A running `git fast-import`."""

    process: Process
    place: Path
    answers: BufferedByteReceiveStream = field(init=False)
    turn: anyio.Lock = field(default_factory=anyio.Lock)

    def __post_init__(self) -> None:
        if self.process.stdout is None:
            raise ExperimentsUnavailable("git was started without an output")
        self.answers = BufferedByteReceiveStream(self.process.stdout)

    async def commit(self, branch: str, parent: str | None, entries: tuple[ImportEntry, ...], message: bytes) -> str:
        """Commit the parent's tree, or an empty one, with changed entries; create a branch; return the commit's id.

        Raises:
            ExperimentsUnavailable: Git gave up; its disk may be full.
        """
        async with self.turn:
            made = b""
            # If interrupted halfway, answers could no longer be matched to questions.
            with anyio.move_on_after(SECONDS, shield=True):
                try:
                    made = await self._commit(branch, parent, entries, message)
                except (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.IncompleteRead) as error:
                    raise self._given_up() from error
            if not made:
                raise ExperimentsUnavailable(f"`git fast-import` took longer than {SECONDS:g} s")
            return made.decode()

    async def _commit(self, branch: str, parent: str | None, entries: tuple[ImportEntry, ...], message: bytes) -> bytes:
        changes = [await self._change(parent, entry) for entry in entries]
        now = f"{NAME} <{EMAIL}> {time.time():.0f} +0000".encode()
        # Without a parent a commit would go on from the last one.
        lines = (
            *([b"reset %s\n" % _LAST] if parent is None else []),
            b"commit %s\nmark :1" % _LAST,
            b"author %s\ncommitter %s" % (now, now),
            b"data %d\n%s" % (len(message), message),
            *([b"from %s" % parent.encode()] if parent is not None else []),
            *changes,
            b"\nget-mark :1\ncheckpoint\n%s\n" % _ASSURED,
        )
        await self._say(b"\n".join(lines))
        made = await self._heard()
        await self._heard()
        _point(self.place / "refs" / "heads" / branch, made)
        return made

    async def _change(self, parent: str | None, entry: ImportEntry) -> bytes:
        if entry.content is None:
            return b"D %s" % _quoted(entry.path)
        mode = entry.mode.encode() if entry.mode else await self._mode(parent, entry.path)
        if isinstance(entry.content, str):
            return b"M %s %s %s" % (mode, entry.content.encode(), _quoted(entry.path))
        return b"M %s inline %s\ndata %d\n%s" % (mode, _quoted(entry.path), len(entry.content), entry.content)

    async def _mode(self, parent: str | None, path: str) -> bytes:
        """Return the mode of a file in a commit, or the default mode."""
        if parent is None:
            return _PLAIN
        await self._say(b"ls %s %s\n" % (parent.encode(), _quoted(path)))
        known = await self._heard()
        return _PLAIN if known.startswith(b"missing") else known.split(b" ")[0]

    async def _say(self, words: bytes) -> None:
        if self.process.stdin is None:
            raise ExperimentsUnavailable("git was started without an input")
        await self.process.stdin.send(words)

    async def _heard(self) -> bytes:
        return await self.answers.receive_until(b"\n", _MAX_LINE)

    def _given_up(self) -> ExperimentsUnavailable:
        try:
            said = (self.place / _SAID).read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            said = str(error)
        return ExperimentsUnavailable(f"`git fast-import` gave up: {last_words(said)}")


@asynccontextmanager
async def importing(git: Git, place: Path) -> AsyncIterator[Importing]:
    """Run `git fast-import` in certo's own repository at `place`; its messages go to a file there.

    Raises:
        ExperimentsUnavailable: It cannot be started.
    """
    try:
        with (place / _SAID).open("wb") as complaints, anyio.CancelScope(shield=True):
            process = await anyio.open_process(
                # A pack for each commit, as small as it is: unpacking it would take another process.
                git.command(
                    ["-c", "fastimport.unpackLimit=0", "fast-import", "--quiet", "--force", "--date-format=raw"]
                ),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                cwd=git.directory,
                env=git.environment,
            )
    except OSError as error:
        raise ExperimentsUnavailable(f"git cannot be started: {error.strerror or error}") from error
    try:
        yield Importing(process, place)
    finally:
        with anyio.CancelScope(shield=True):
            if process.stdin is not None:
                await process.stdin.aclose()
            with anyio.move_on_after(SECONDS):
                await process.wait()
            if process.returncode is None:
                process.kill()
            await process.aclose()


def _point(branch: Path, commit: bytes) -> None:
    """Create a branch atomically by its file, since no one else writes to certo's repositories.

    With fast-import, each checkpoint would rewrite every branch of the process.

    Raises:
        ExperimentsUnavailable: It cannot be written.
    """
    scratch = branch.with_name(f".{branch.name}")
    try:
        branch.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        scratch.write_bytes(commit + b"\n")
        scratch.replace(branch)
    except OSError as error:
        raise ExperimentsUnavailable(f"{branch} cannot be written: {error.strerror or error}") from error


def _quoted(path: str) -> bytes:
    """Return a path quoted for fast-import, which allows any byte."""
    escapes: Mapping[bytes, bytes] = {b"\\": b"\\\\", b'"': b'\\"', b"\n": b"\\n"}
    raw = os.fsencode(path)
    for plain, escaped in escapes.items():
        raw = raw.replace(plain, escaped)
    return b'"%s"' % raw
