"""The notebooks an editor has open: their cells in order, each a document that knows those above it."""

from __future__ import annotations

from lsprotocol import types

from certo.features.cells import Cell
from certo.features.documents import PYTHON, Documents, path_of


class Notebooks:
    """The order of the cells of open notebooks; their texts are with the other documents."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._cells: dict[str, list[str]] = {}

    def open(self, params: types.DidOpenNotebookDocumentParams) -> None:
        """Take in a notebook with its cells."""
        uri = params.notebook_document.uri
        self._cells[uri] = [cell.document for cell in params.notebook_document.cells]
        for item in params.cell_text_documents:
            self._documents.open(item)
        self._bind(uri)

    def change(self, params: types.DidChangeNotebookDocumentParams) -> None:
        """Take in what has become of the cells; a change to a notebook that is not open is no change we can make."""
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
        """Let a notebook go, and its cells."""
        self._cells.pop(params.notebook_document.uri, None)
        for cell in params.cell_text_documents:
            self._documents.close(cell.uri)

    def _bind(self, uri: str) -> None:
        """Tell every cell which cells stand above it now."""
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
