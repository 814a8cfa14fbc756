"""Texts, trees and offsets of the search program."""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st

from certo_builtin.source import Source, applied

TEXT = "def f(ä):\r\n\tß = ä + '€🙂'; return ß\r\n\rdef g():\n    return 1"


def test_nodes_are_found_by_code_points() -> None:
    source = Source(TEXT)
    names = [source.text_of(node) for node in ast.walk(source.tree) if isinstance(node, ast.Name | ast.Constant)]
    assert sorted(names) == sorted(["ß", "ä", "'€🙂'", "ß", "1"])


def test_byte_order_mark_stays_outside_the_program() -> None:
    source = Source("\ufeff" + TEXT)
    names = [source.text_of(node) for node in ast.walk(source.tree) if isinstance(node, ast.Name | ast.Constant)]
    assert sorted(names) == sorted(["ß", "ä", "'€🙂'", "ß", "1"])
    assert Source("\ufeffx = 1").text_of(Source("\ufeffx = 1").tree.body[0]) == "x = 1"


def test_function_is_found_by_line_and_name() -> None:
    source = Source(TEXT)
    found = source.function_at(4, "g")
    assert found is not None
    assert source.lines_of(found) == (4, 5)
    assert source.function_at(1, "g") is None


def test_lineage_ends_at_the_outermost_function() -> None:
    source = Source("class A:\n    class B:\n        def f(self):\n            def g():\n                pass\n")
    inner = source.function_at(4, "g")
    assert inner is not None
    classes, outermost = source.lineage(inner)
    assert classes == ["A", "B"]
    assert outermost.name == "f"


@given(st.text(max_size=40), st.data())
def test_edits_replace_exactly_their_span(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=4, max_size=4)))
    first, second = data.draw(st.text(max_size=5)), data.draw(st.text(max_size=5))
    edits = [(cuts[0], cuts[1], first), (cuts[2], cuts[3], second)]
    if cuts[1] == cuts[2] and (cuts[0] == cuts[1] or cuts[2] == cuts[3]):
        return
    wanted = text[: cuts[0]] + first + text[cuts[1] : cuts[2]] + second + text[cuts[3] :]
    assert applied(text, edits) == wanted
