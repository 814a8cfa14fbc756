"""Open notebooks of an editor: cells in order, each a document that sees the cells above it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from lsprotocol import types

from certo.edits.patch import apply_edits, edits_between
from certo.edits.source import as_python, parse_source
from certo.features.editor.documents import PYTHON, Document, Documents, path_of
from certo.vocabulary.errors import BadSource, StaleText
from certo.vocabulary.problem import Target
from certo.vocabulary.text import Span


class Cell(Document):
    """One version of a notebook cell, which forms a module with the plain Python cells above it.

    The module has no file. It is named after notebook and cell and placed beside the notebook, so that its imports work
    as the notebook's do.
    """

    def __init__(self, *, notebook: Path, above: tuple[Cell, ...], **document: Any) -> None:
        super().__init__(**document)
        self._notebook = notebook
        self._above = above

    @classmethod
    def of(cls, document: Document, notebook: Path, above: tuple[Cell, ...]) -> Cell:
        """Return a document as a cell of a notebook."""
        return cls(
            notebook=notebook,
            above=above,
            uri=document.uri,
            language=document.language,
            version=document.version,
            text=document.text,
            encoding=document.encoding,
        )

    def changed(self, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]) -> Cell:
        """Return the next version of the cell, below the same cells."""
        return Cell.of(super().changed(version, changes), self._notebook, self._above)

    def stands(self, notebook: Path, above: tuple[Cell, ...]) -> bool:
        """True if the cell belongs to that notebook, below exactly these versions of cells."""
        same = len(above) == len(self._above) and all(
            one is other for one, other in zip(above, self._above, strict=True)
        )
        return same and notebook == self._notebook

    @cached_property
    def path(self) -> Path | None:
        """The path the module would have as a file; stable for the lifetime of the cell."""
        stem = re.sub(
            r"\W", "_", f"_{self._notebook.stem}" if self._notebook.stem[:1].isdigit() else self._notebook.stem
        )
        return self._notebook.with_name(f"{stem}_cell_{hashlib.sha256(self.uri.encode()).hexdigest()[:8]}.py")

    @property
    def is_file(self) -> bool:
        """False, since a cell is never the content of a file."""
        return False

    @property
    def name(self) -> str:
        """The cell's name for messages: its notebook, and its number among Python cells."""
        return f"{self._notebook.name} (cell {len(self._above) + 1})"

    @cached_property
    def flaw(self) -> str | None:
        """The reason why the cell cannot be worked on, in a sentence; None if it can."""
        try:
            parse_source(self.text if self._python is None else self.whole, self.name)
        except BadSource as error:
            return str(error)
        return None

    @cached_property
    def whole(self) -> str:
        """The text of the plain Python cells above and of this one."""
        return _module([cell._python for cell in self._above if cell._python is not None] + [self._python or ""])

    @property
    def start(self) -> int:
        """Offset of the cell's own text in `whole`."""
        return len(self.whole) - len(self._python or "")

    def parts(self, whole: str) -> tuple[tuple[Document, str], ...]:
        """Return the cells that change if the module becomes `whole`, each with its new text.

        An added import may belong to a cell above. IPython syntax is left as it is.

        Raises:
            StaleText: The text cannot be divided among the cells.
        """
        edits = edits_between(self.whole, whole)
        cells = [cell for cell in (*self._above, self) if cell._python is not None]
        parts: list[tuple[Document, str]] = []
        new, start, taken = [], 0, 0
        for place, cell in enumerate(cells):
            end = start + len(_ended(cell._python or "")) if place + 1 < len(cells) else len(self.whole) + 1
            own = [edit for edit in edits if start <= edit.span.start < end]
            text = cell.text
            if own and own[-1].span.end - start <= len(text):
                moved = [replace(edit, span=Span(edit.span.start - start, edit.span.end - start)) for edit in own]
                text = apply_edits(cell.text, moved)
                parts.append((cell, text))
                taken += len(own)
            new.append(as_python(text) or "")
            start = end
        if taken != len(edits) or _module(new) != whole:
            raise StaleText(
                f"the candidate changes {self.name} and cells above it as no edit can; take it from its diff"
            )
        return tuple(parts)

    @cached_property
    def _python(self) -> str | None:
        return as_python(self.text)

    def _placed(self, target: Target) -> Target | None:
        """Return a target of the module with positions in the cell; None if it is in one above."""
        start = self.start
        if target.span.start < start:
            return None
        span, body = (Span(each.start - start, each.end - start) for each in (target.span, target.body))
        return replace(target, span=span, body=body, line=target.line - self.whole.count("\n", 0, start))


def _module(texts: Sequence[str]) -> str:
    """Return the texts of cells as one module; each but the last gets a final line break."""
    *above, last = texts
    return "".join(map(_ended, above)) + last


def _ended(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"


class Notebooks:
    """Order of the cells of open notebooks; their texts are among the documents."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._cells: dict[str, list[str]] = {}

    def open(self, params: types.DidOpenNotebookDocumentParams) -> None:
        """Add a notebook with its cells."""
        uri = params.notebook_document.uri
        self._cells[uri] = [cell.document for cell in params.notebook_document.cells]
        for item in params.cell_text_documents:
            self._documents.open(item)
        self._bind(uri)

    def change(self, params: types.DidChangeNotebookDocumentParams) -> None:
        """Apply changes to cells; changes to unknown notebooks are ignored."""
        uri, cells = params.notebook_document.uri, params.change.cells
        if uri not in self._cells or cells is None:
            return
        if cells.structure is not None:
            spliced = cells.structure.array
            new = [cell.document for cell in spliced.cells or ()]
            self._cells[uri][spliced.start : spliced.start + spliced.delete_count] = new
            for item in cells.structure.did_open or ():
                self._documents.open(item)
            for closed in cells.structure.did_close or ():
                self._documents.close(closed.uri)
        for content in cells.text_content or ():
            self._documents.change(types.DidChangeTextDocumentParams(content.document, content.changes))
        self._bind(uri)

    def close(self, params: types.DidCloseNotebookDocumentParams) -> None:
        """Remove a notebook and its cells."""
        self._cells.pop(params.notebook_document.uri, None)
        for cell in params.cell_text_documents:
            self._documents.close(cell.uri)

    def _bind(self, uri: str) -> None:
        """Update every cell's view of the cells above it."""
        above: tuple[Cell, ...] = ()
        notebook = path_of(uri)
        for cell_uri in self._cells[uri] if notebook is not None else ():
            document = self._documents.get(cell_uri)
            if notebook is None or document is None or document.language != PYTHON:
                continue
            cell = document if isinstance(document, Cell) and document.stands(notebook, above) else None
            if cell is None:
                cell = Cell.of(document, notebook, above)
                self._documents.put(cell)
            above = (*above, cell)
