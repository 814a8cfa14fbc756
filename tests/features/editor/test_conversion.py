"""Edits as they are sent to an editor, applied by other code than ours."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from certo.edits.positions import Encoding, Position
from certo.features.editor.conversion import workspace_edit
from certo.features.editor.documents import Document

LINES = st.lists(st.sampled_from(["def f():", "    return '🍎'", "", "x = 1", "\u2028y"]), max_size=8)


@given(before=LINES, after=LINES, newline=st.sampled_from(["\n", "\r\n", "\r"]), encoding=st.sampled_from(Encoding))
def test_applied_edits_make_the_intended_text(
    before: list[str], after: list[str], newline: str, encoding: Encoding
) -> None:
    old, new = newline.join(before), newline.join(after)
    edit = workspace_edit(uri="file:///f.py", version=3, before=old, after=new, encoding=encoding, versioned=False)
    assert edit.changes is not None
    changes = sorted(edit.changes["file:///f.py"], key=lambda each: (each.range.start.line, each.range.start.character))
    text = old
    for change in reversed(changes):
        index = Document(uri="file:///f.py", language="python", version=3, text=text, encoding=encoding).index
        start, end = (
            index.offset(Position(place.line, place.character)) for place in (change.range.start, change.range.end)
        )
        text = text[:start] + change.new_text + text[end:]
    assert text == new


def test_versions_go_to_editors_that_want_them() -> None:
    edit = workspace_edit(
        uri="file:///f.py", version=7, before="a\n", after="b\n", encoding=Encoding.UTF16, versioned=True
    )
    assert edit.changes is None
    assert edit.document_changes is not None
    (change,) = edit.document_changes
    assert change.text_document.version == 7  # type: ignore[union-attr]  # a document's edit, not a file's creation
