"""The documents an editor has open: their text as it stands in the editor, each version exactly as it was received."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import anyio
from lsprotocol import types
from pygls.uris import to_fs_path

from certo.edits.positions import Encoding, LineIndex, Position
from certo.edits.source import parse_source
from certo.edits.target import ByName, ByOffset, find_target, functions
from certo.vocabulary.errors import BadSource, TargetNotFound
from certo.vocabulary.problem import Target
from certo.vocabulary.text import Span

PYTHON = "python"
"""LSP's name of the language we work on."""

SCHEME = "certo"
"""What the URI of every document begins with that we serve ourselves."""

MAX_NAME = 255
"""Bytes of a file's name, on every system we know."""

MAX_PATH = 4095
"""Bytes of a path, which is what Linux takes; others take less."""


class Document:
    """One version of one open document; `version` is what the editor called it, verbatim.

    What is found in the text is remembered for as long as this version stands, so that asking again costs nothing.
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
        """The file the document belongs to; None when it has no file, as an unsaved new one."""
        return path_of(self.uri)

    @property
    def is_file(self) -> bool:
        """Whether the document is what a file holds, or will hold when it is saved."""
        return self.path is not None

    @property
    def is_ours(self) -> bool:
        """Whether the document is one we serve ourselves, to be looked at: a candidate's text or what is said of it."""
        return self.uri.startswith(f"{SCHEME}:")

    @property
    def name(self) -> str:
        """The document as the user knows it, for messages: its file's name, or else its URI."""
        return self.path.name if self.path else self.uri

    @cached_property
    def index(self) -> LineIndex:
        """Converts between the editor's positions and offsets into the text."""
        return LineIndex(self.text, self.encoding)

    @property
    def whole(self) -> str:
        """The text of the module that the document is, or is the last part of."""
        return self.text

    @property
    def start(self) -> int:
        """Where the document's own text begins in that."""
        return 0

    def parts(self, whole: str) -> tuple[tuple[Document, str], ...]:
        """The documents that change when the module's text becomes `whole`, each with what becomes of its own text.

        Raises:
            StaleText: that text cannot be parted among them.
        """
        return ((self, whole),)

    def changed(self, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]) -> Document:
        """Return the next version: each change applies to what the one before it left."""
        text, index = self.text, self.index
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = (
                    index.offset(Position(place.line, place.character))
                    for place in (change.range.start, change.range.end)
                )
                text = text[:start] + change.text + text[max(start, end) :]
            else:
                text = change.text
            index = LineIndex(text, self.encoding)
        return Document(uri=self.uri, language=self.language, version=version, text=text, encoding=self.encoding)

    def leave(self, to: Document | None) -> None:
        """Be followed by another version, or by none when the document is closed."""
        self._next = to
        self._left.set()

    async def follower(self) -> Document | None:
        """The version that follows this one, once it is there; None when the document is closed instead."""
        await self._left.wait()
        return self._next

    @cached_property
    def flaw(self) -> str | None:
        """Why the document cannot be worked on, in a sentence; None when it can be."""
        if self.path is None:
            return no_file(self.uri)
        try:
            parse_source(self.text, self.name)
        except BadSource as error:
            return str(error)
        return None

    def read(self) -> None:
        """Find out now what will be asked for: reading thousands of lines takes tens of milliseconds."""
        if self.flaw is None:
            functions(self.whole)

    def target_at(self, position: types.Position) -> Target | None:
        """The innermost function at a position; None where there is none, or when the text does not parse."""
        offset = self.start + self.index.offset(Position(position.line, position.character))
        if position.line not in self._by_line:
            self._by_line[position.line] = self._find(ByOffset(offset))
        return self._by_line[position.line]

    def target_around(self, asked: types.Range) -> Target | None:
        """The innermost function that holds all that is selected, blanks around it apart; None where none does."""
        start, end = (self.index.offset(Position(place.line, place.character)) for place in (asked.start, asked.end))
        selected = self.text[start:end]
        start += self.start + len(selected) - len(selected.lstrip())
        wanted = Span(start, start + len(selected.strip()))
        holding = [each for each in functions(self.whole) if each.span.contains(wanted)] if self.flaw is None else []
        return self._placed(holding[-1]) if holding else None

    def target_again(self, target: Target) -> Target | None:
        """A target of another version as it stands in this one; None when it is gone, or the text does not parse."""
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
        """A target of the module as it stands in the document; None when it stands elsewhere."""
        return target


class Documents:
    """The open documents by the URI the editor gave them; a file that changes on disk changes nothing here."""

    def __init__(self) -> None:
        self.encoding = Encoding.UTF16
        self._open: dict[str, Document] = {}
        self._stirred = anyio.Event()

    async def stirred(self) -> None:
        """Wait until the editor tells of any document."""
        await self._stirred.wait()

    def _stir(self) -> None:
        self._stirred.set()
        self._stirred = anyio.Event()

    def open(self, item: types.TextDocumentItem) -> None:
        """Take in a document, or take it in anew."""
        self._open[item.uri] = Document(
            uri=item.uri, language=item.language_id, version=item.version, text=item.text, encoding=self.encoding
        )
        self._stir()

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Replace a document by its next version; a change to one that is not open is no change we can make."""
        changed = self._open.get(params.text_document.uri)
        if changed is not None:
            following = changed.changed(params.text_document.version, params.content_changes)
            self._open[changed.uri] = following
            changed.leave(following)
            self._stir()

    def put(self, document: Document) -> None:
        """Take in a document, which follows the one of its URI."""
        before = self._open.get(document.uri)
        self._open[document.uri] = document
        if before is not None:
            before.leave(document)

    def close(self, uri: str) -> None:
        """Forget a document; its file counts again."""
        closed = self._open.pop(uri, None)
        if closed is not None:
            closed.leave(None)

    def get(self, uri: str) -> Document | None:
        """The open document of that URI, or None."""
        return self._open.get(uri)

    def of_file(self, path: Path) -> Document | None:
        """The open document of a file, or None."""
        return next((document for document in self._open.values() if document.path == path), None)

    def unsaved(self) -> dict[Path, str]:
        """The texts that differ from their files, by path: what the user sees is what counts."""
        return {
            document.path: document.text
            for document in self._open.values()
            if document.path is not None and document.is_file and _differs(document.text, document.path)
        }


def path_of(uri: str) -> Path | None:
    """The file a URI names, or None when it names something else, or what no file can be called."""
    try:
        path = to_fs_path(uri)
        named = os.fsencode(path) if path else b""
    except ValueError:
        return None
    too_long = len(named) > MAX_PATH or any(len(part) > MAX_NAME for part in named.split(b"/"))
    return None if not path or too_long or b"\0" in named else Path(path)


def no_file(uri: str) -> str:
    """Why a document without a file cannot be worked on."""
    return f"{uri} has no file of its own yet, so no test can reach it; save it in a folder first"


def _differs(text: str, path: Path) -> bool:
    """Whether a text is not what its file holds; editors may leave the byte order mark out."""
    try:
        if not path.is_file():  # a pipe has no end, and neither have some devices
            return True
        return path.read_bytes().removeprefix(b"\xef\xbb\xbf") != text.removeprefix("\ufeff").encode(
            "utf-8", "surrogatepass"
        )
    except OSError:
        return True
