"""Open documents of an editor, each version exactly as received."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from pygls.uris import to_fs_path

from certo.edits.positions import Encoding, LineIndex, Position
from certo.edits.source import parse_source
from certo.edits.target import ByName, ByOffset, find_target, functions
from certo.vocabulary.errors import BadSource, TargetNotFound
from certo.vocabulary.problem import Target
from certo.vocabulary.text import Span

if TYPE_CHECKING:
    from lsprotocol import types

PYTHON = "python"
"""LSP's language id of Python."""

SCHEME = "certo"
"""URI scheme of the documents that certo serves."""

MAX_NAME = 255
"""Maximum length of a file's name in bytes, on every known system."""

MAX_PATH = 4095
"""Maximum length of a path in bytes on Linux; other systems allow less."""


class Document:
    """One version of one open document; `version` is the editor's number for it.

    Results about the text are cached for as long as this version stands.
    """

    def __init__(self, *, uri: str, language: str, version: int, text: str, encoding: Encoding) -> None:
        self.uri = uri
        self.language = language
        self.version = version
        self.text = text
        self.encoding = encoding
        self._next: Document | None = None
        self._left = anyio.Event()
        self._by_line: dict[int, Target | None] = {}
        self._by_name: dict[ByName, Target | None] = {}

    @cached_property
    def path(self) -> Path | None:
        """The file of the document; None if it has none, as an unsaved new one."""
        return path_of(self.uri)

    @property
    def is_file(self) -> bool:
        """True if the document is the content of a file, or will be when it is saved."""
        return self.path is not None

    @property
    def is_ours(self) -> bool:
        """True if certo serves the document: a candidate's text, diff or report."""
        return self.uri.startswith(f"{SCHEME}:")

    @property
    def name(self) -> str:
        """The document's name for messages: its file name, or else its URI."""
        return self.path.name if self.path else self.uri

    @cached_property
    def index(self) -> LineIndex:
        """Conversion between the editor's positions and offsets into the text."""
        return LineIndex(self.text, self.encoding)

    @property
    def whole(self) -> str:
        """The text of the module that the document is, or is the last part of."""
        return self.text

    @property
    def start(self) -> int:
        """Offset of the document's own text in `whole`."""
        return 0

    def parts(self, whole: str) -> tuple[tuple[Document, str], ...]:
        """Return the documents that change if the module becomes `whole`, each with its new text.

        Raises:
            StaleText: The text cannot be divided among them.
        """
        return ((self, whole),)

    def changed(self, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]) -> Document:
        """Return the next version, with the changes applied one after the other."""
        text, index = self.text, self.index
        for change in changes:
            replaced: types.Range | None = getattr(change, "range", None)  # without one, the change is the whole text
            if replaced is not None:
                start, end = (
                    index.offset(Position(place.line, place.character)) for place in (replaced.start, replaced.end)
                )
                text = text[:start] + change.text + text[max(start, end) :]
            else:
                text = change.text
            index = LineIndex(text, self.encoding)
        return Document(uri=self.uri, language=self.language, version=version, text=text, encoding=self.encoding)

    def leave(self, to: Document | None) -> None:
        """Set the next version; None means that the document was closed."""
        self._next = to
        self._left.set()

    async def follower(self) -> Document | None:
        """Wait for the next version; None if the document is closed instead."""
        await self._left.wait()
        return self._next

    @cached_property
    def flaw(self) -> str | None:
        """The reason why the document cannot be worked on, in a sentence; None if it can."""
        if self.path is None:
            return no_file(self.uri)
        try:
            parse_source(self.text, self.name)
        except BadSource as error:
            return str(error)
        return None

    def read(self) -> None:
        """Parse the text ahead of time, because thousands of lines take tens of milliseconds."""
        if self.flaw is None:
            functions(self.whole)

    def target_at(self, position: Position) -> Target | None:
        """Return the innermost function at a position; None if there is none or the text does not parse."""
        offset = self.start + self.index.offset(position)
        if position.line not in self._by_line:
            self._by_line[position.line] = self._find(ByOffset(offset))
        return self._by_line[position.line]

    def target_around(self, first: Position, last: Position) -> Target | None:
        """Return the innermost function that holds the selection, surrounding blanks ignored; None if none does."""
        start, end = self.index.offset(first), self.index.offset(last)
        selected = self.text[start:end]
        start += self.start + len(selected) - len(selected.lstrip())
        wanted = Span(start, start + len(selected.strip()))
        holding = [each for each in functions(self.whole) if each.span.contains(wanted)] if self.flaw is None else []
        return self._placed(holding[-1]) if holding else None

    def target_again(self, target: Target) -> Target | None:
        """Return a target of another version in this one; None if it is gone or the text does not parse."""
        place = ByName.of(target)
        if place not in self._by_name:
            self._by_name[place] = self._find(place)
        return self._by_name[place]

    def _find(self, place: ByName | ByOffset) -> Target | None:
        if self.flaw is not None:
            return None
        try:
            return self._placed(find_target(self.whole, place, path=self.name))
        except TargetNotFound:
            return None

    def _placed(self, target: Target) -> Target | None:
        """Return a target of the module with positions in the document; None if it is elsewhere."""
        return target


class Documents:
    """Open documents by the editor's URI; changes of files on disk do not affect them."""

    def __init__(self) -> None:
        self.encoding = Encoding.UTF16
        self._open: dict[str, Document] = {}
        self._stirred = anyio.Event()

    async def stirred(self) -> None:
        """Wait until the editor reports on any document."""
        await self._stirred.wait()

    def _stir(self) -> None:
        self._stirred.set()
        self._stirred = anyio.Event()

    def open(self, item: types.TextDocumentItem) -> None:
        """Add a document, or replace it."""
        self._open[item.uri] = Document(
            uri=item.uri, language=item.language_id, version=item.version, text=item.text, encoding=self.encoding
        )
        self._stir()

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Replace a document by its next version; changes to unknown documents are ignored."""
        changed = self._open.get(params.text_document.uri)
        if changed is not None:
            following = changed.changed(params.text_document.version, params.content_changes)
            self._open[changed.uri] = following
            changed.leave(following)
            self._stir()

    def put(self, document: Document) -> None:
        """Store a document as the successor of the one with its URI."""
        before = self._open.get(document.uri)
        self._open[document.uri] = document
        if before is not None:
            before.leave(document)

    def close(self, uri: str) -> None:
        """Remove a document; its file counts again."""
        closed = self._open.pop(uri, None)
        if closed is not None:
            closed.leave(None)

    def get(self, uri: str) -> Document | None:
        """Return the open document of that URI, or None."""
        return self._open.get(uri)

    def of_file(self, path: Path) -> Document | None:
        """Return the open document of a file, or None."""
        return next((document for document in self._open.values() if document.path == path), None)

    def unsaved(self) -> dict[Path, str]:
        """Return the unsaved texts by path: they count, because the user sees them."""
        return {
            document.path: document.text
            for document in self._open.values()
            if document.path is not None and document.is_file and _differs(document.text, document.path)
        }


def path_of(uri: str) -> Path | None:
    """Return the file that a URI names; None if it names something else or an impossible path."""
    try:
        path = to_fs_path(uri)
        named = os.fsencode(path) if path else b""
    except ValueError:
        return None
    too_long = len(named) > MAX_PATH or any(len(part) > MAX_NAME for part in named.split(b"/"))
    return None if not path or too_long or b"\0" in named else Path(path)


def no_file(uri: str) -> str:
    """Return the message that a document without a file cannot be worked on."""
    return f"{uri} has no file of its own yet, so no test can reach it; save it in a folder first"


def _differs(text: str, path: Path) -> bool:
    """True if a text differs from its file; the byte order mark is ignored, since editors may drop it."""
    try:
        if not path.is_file():  # a pipe has no end, and neither have some devices
            return True
        return path.read_bytes().removeprefix(b"\xef\xbb\xbf") != text.removeprefix("\ufeff").encode(
            "utf-8", "surrogatepass"
        )
    except OSError:
        return True
