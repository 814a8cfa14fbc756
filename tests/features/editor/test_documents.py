"""Our copy of a document equals the editor's for any typing, encoding and line break."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from certo.edits.positions import Encoding, Position
from certo.features.editor.documents import Document, Documents, path_of

TEXTS = st.text(alphabet="ab é🍎𝔘\x0c\x0b\u2028\r\n", max_size=30)
CODECS = {Encoding.UTF8: ("utf-8", 1), Encoding.UTF16: ("utf-16-le", 2), Encoding.UTF32: ("utf-32-le", 4)}


def document(text: str, *, encoding: Encoding = Encoding.UTF16, uri: str = "file:///shop.py") -> Document:
    return Document(uri=uri, language="python", version=1, text=text, encoding=encoding)


def position(text: str, offset: int, encoding: Encoding) -> types.Position:
    """The position of an offset, by other means than ours: line breaks are made one, the rest is counted in bytes."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    codec, width = CODECS[encoding]
    return types.Position(before.count("\n"), len(before.rpartition("\n")[2].encode(codec)) // width)


def splits_a_break(text: str, offset: int) -> bool:
    return text[max(offset - 1, 0) : offset + 1] == "\r\n"


@given(
    text=TEXTS,
    new=TEXTS,
    ends=st.tuples(st.integers(0, 30), st.integers(0, 30)),
    encoding=st.sampled_from(Encoding),
)
def test_incremental_changes_match_the_editors_text(
    text: str, new: str, ends: tuple[int, int], encoding: Encoding
) -> None:
    start, end = sorted(min(each, len(text)) for each in ends)
    if splits_a_break(text, start) or splits_a_break(text, end):
        return
    span = types.Range(position(text, start, encoding), position(text, end, encoding))
    change = types.TextDocumentContentChangePartial(range=span, text=new)
    changed = document(text, encoding=encoding).changed(9, [change])
    assert changed.text == text[:start] + new + text[end:]
    assert changed.version == 9


def test_changes_apply_one_after_the_other() -> None:
    first = types.TextDocumentContentChangePartial(
        range=types.Range(types.Position(0, 0), types.Position(0, 0)), text="one\n"
    )
    second = types.TextDocumentContentChangePartial(
        range=types.Range(types.Position(1, 0), types.Position(1, 3)), text="two"
    )
    assert document("abc\n").changed(2, [first, second]).text == "one\ntwo\n"
    whole = types.TextDocumentContentChangeWholeDocument(text="all new")
    assert document("abc\n").changed(3, [first, whole]).text == "all new"


def test_targets_are_found_where_the_editor_points() -> None:
    shop = document("X = 1\n\ndef f():\n    return '🍎'\n\nclass A:\n    def g(self): ...\n")
    assert shop.target_at(Position(0, 2)) is None
    assert (found := shop.target_at(Position(3, 13))) is not None
    assert found.qualname == "f"
    assert (found := shop.target_at(Position(6, 0))) is not None
    assert found.qualname == "A.g"
    assert shop.target_again(found) == found
    assert document("X = 1\n").target_again(found) is None
    assert shop.flaw is None


def test_unusable_documents_give_the_reason() -> None:
    broken = document("def f(:\n")
    assert broken.flaw is not None
    assert broken.flaw.startswith("shop.py:1: ")
    assert broken.target_at(Position(0, 0)) is None
    untitled = document("def f(): ...\n", uri="untitled:Untitled-1")
    assert untitled.flaw is not None
    assert "untitled:Untitled-1 has no file" in untitled.flaw


def test_unsaved_documents_differ_from_their_files(tmp_path: Path) -> None:
    texts = {"same.py": "x = 1\n", "bom.py": "x = 1\n", "changed.py": "x = 2\n", "new.py": "x = 3\n"}
    (tmp_path / "same.py").write_bytes(b"x = 1\n")
    (tmp_path / "bom.py").write_bytes(b"\xef\xbb\xbfx = 1\n")
    (tmp_path / "changed.py").write_bytes(b"x = 1\n")
    documents = Documents()
    for name, text in texts.items():
        documents.open(types.TextDocumentItem((tmp_path / name).as_uri(), "python", 1, text))
    documents.open(types.TextDocumentItem("untitled:x", "python", 1, "x = 4\n"))
    assert documents.unsaved() == {tmp_path / "changed.py": "x = 2\n", tmp_path / "new.py": "x = 3\n"}


def test_documents_are_found_by_uri_and_file() -> None:
    documents = Documents()
    uri = "file:///home/me/a%20b/caf%C3%A9.py"
    documents.open(types.TextDocumentItem(uri, "python", 5, "x = 1\n"))
    opened = documents.get(uri)
    assert opened is not None
    assert opened.version == 5
    assert documents.of_file(Path("/home/me/a b/café.py")) is documents.get(uri)
    assert path_of(uri) == Path("/home/me/a b/café.py")
    documents.close(uri)
    assert documents.get(uri) is None


@pytest.mark.parametrize("path", ["a%00b.py", "\ud800.py", "a" * 256, "a/" * 2048, "é" * 128])
def test_impossible_file_names_have_no_path(path: str) -> None:
    assert path_of(f"file:///{path}") is None
    assert path_of(f"file://[::1/{path}") is None


def test_special_files_are_never_compared(tmp_path: Path) -> None:
    """A pipe would be read for ever."""
    os.mkfifo(tmp_path / "pipe.py")
    documents = Documents()
    documents.open(types.TextDocumentItem((tmp_path / "pipe.py").as_uri(), "python", 1, "x = 1\n"))
    assert documents.unsaved() == {tmp_path / "pipe.py": "x = 1\n"}
