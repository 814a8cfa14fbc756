"""Cells of notebooks: the modules that they end, and changes of those modules."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from certo.edits.positions import Position
from certo.features.editor.documents import PYTHON, Document, Documents
from certo.features.editor.notebooks import Notebooks
from certo.vocabulary.errors import StaleText


def cells(*texts: str) -> list[Document]:
    """The cells of a notebook."""
    documents = Documents()
    notebooks = Notebooks(documents)
    uris = [f"vscode-notebook-cell:/home/ada/2 b.ipynb#W{number}" for number in range(len(texts))]
    notebook = types.NotebookDocument(
        uri="file:///home/ada/2%20b.ipynb",
        notebook_type="jupyter-notebook",
        version=1,
        cells=[types.NotebookCell(kind=types.NotebookCellKind.Code, document=uri) for uri in uris],
    )
    items = [types.TextDocumentItem(uri, PYTHON, 1, text) for uri, text in zip(uris, texts, strict=True)]
    notebooks.open(types.DidOpenNotebookDocumentParams(notebook, items))
    return [document for uri in uris if (document := documents.get(uri)) is not None]


def test_cells_form_modules_with_the_python_above() -> None:
    first, shell, last = cells("%pip install x\nimport os", "%%bash\nls\n", "def f():\n    return os\n")
    assert last.whole == "#pip install x\nimport os\ndef f():\n    return os\n"
    assert last.whole[last.start :] == last.text
    assert re.fullmatch(r"_2_b_cell_[0-9a-f]{8}\.py", last.path.name if last.path else "")
    assert last.path != first.path
    assert (first.flaw, last.flaw) == (None, None)
    assert (shell.flaw or "").startswith("2 b.ipynb (cell 2):1: invalid syntax")
    found = last.target_at(Position(line=1, character=0))
    assert found is not None
    assert (found.line, last.text[found.span.start :][:5]) == (1, "def f")
    assert first.target_again(found) is None


def test_changes_to_a_module_go_into_cells() -> None:
    first, last = cells("%pip install x\nimport os", "def f():\n    return os\n\n!ls")
    whole = last.whole.replace("import os", "import re\nimport os").replace("return os", "return re")
    parts = {document.uri: after for document, after in last.parts(whole)}
    assert parts == {
        first.uri: "%pip install x\nimport re\nimport os",
        last.uri: "def f():\n    return re\n\n!ls",
    }
    assert last.parts(last.whole) == ()
    with pytest.raises(StaleText, match="as no edit can"):
        last.parts("")


CELLS = st.lists(
    st.sampled_from(["x = 1", "import os\n", "%magic\ny = 2\n", "def f():\n    return 1\n\n!ls", ""]), min_size=1
)


@given(texts=CELLS, data=st.data())
def test_parts_put_together_are_the_module(texts: list[str], data: st.DataObject) -> None:
    last = cells(*texts)[-1]
    line = data.draw(st.integers(0, last.whole.count("\n")))
    lines = last.whole.split("\n")
    whole = "\n".join([*lines[:line], "new = 0", *lines[line:]])
    try:
        parts = {document.uri: after for document, after in last.parts(whole)}
    except StaleText:
        return
    again = cells(*(parts.get(document.uri, document.text) for document in cells(*texts)))
    assert again[-1].whole == whole
