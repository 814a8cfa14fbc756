"""New diagnostics of a tool: laws, and the cases they come from."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from certo.verification.tools.diagnostics import Diagnostic, InspectedText, new_remarks

LINES = st.lists(st.sampled_from(["x = 1", "    return x", "", "y = f(x)"]), min_size=1, max_size=8)


@st.composite
def inspected(draw: st.DrawFn) -> InspectedText:
    lines = draw(LINES)
    remark = st.builds(
        Diagnostic,
        line=st.integers(1, len(lines)),
        code=st.sampled_from(["E1", "E2"]),
        message=st.sampled_from(["bad", "worse on line 3"]),
    )
    remarks = draw(st.lists(remark, max_size=6))
    return InspectedText(text="\n".join(lines) + "\n", remarks=tuple(remarks))


def on(text: str, *remarks: Diagnostic) -> InspectedText:
    return InspectedText(text=text, remarks=remarks)


def said(line: int, message: str = "bad", *, code: str = "E1") -> Diagnostic:
    return Diagnostic(line=line, code=code, message=message)


@given(inspected())
def test_nothing_is_new_about_the_same_text(base: InspectedText) -> None:
    assert new_remarks(base, base) == ()


@given(inspected(), st.integers(1, 5))
def test_lines_that_only_moved_make_nothing_new(base: InspectedText, moved: int) -> None:
    remarks = tuple(replace(each, line=each.line + moved) for each in base.remarks)
    assert new_remarks(base, on("\n" * moved + base.text, *remarks)) == ()


@given(inspected(), st.integers(1, 8))
def test_one_remark_more_is_one_new_one(base: InspectedText, line: int) -> None:
    one = said(line, "never heard before")
    assert new_remarks(base, on(base.text, *base.remarks, one)) == (one,)


@given(inspected())
def test_all_is_new_where_nothing_was_said(base: InspectedText) -> None:
    assert new_remarks(on(base.text), base) == base.remarks


def test_the_same_message_elsewhere_is_new() -> None:
    found = new_remarks(on("x = 1\ny = 2\n", said(1)), on("x = 1\ny = 2\n", said(2)))
    assert found == (said(2),)


def test_another_code_is_new() -> None:
    assert new_remarks(on("x\n", said(1)), on("x\n", said(1, code="E2"))) == (said(1, code="E2"),)


def test_changed_numbers_make_no_new_message() -> None:
    base = on("def f():\n", said(1, "`f` is too complex (12 > 10)"), said(1, "redefinition of unused 'x' from line 3"))
    moved = on("def f():\n", said(1, "`f` is too complex (11 > 10)"), said(1, "redefinition of unused 'x' from line 9"))
    assert new_remarks(base, moved) == ()


def test_a_number_in_a_name_does() -> None:
    assert new_remarks(on("x\n", said(1, "no x1")), on("x\n", said(1, "no x2"))) == (said(1, "no x2"),)


def test_lines_beyond_the_text_are_tolerated() -> None:
    assert new_remarks(on("x\n"), on("x\n", said(0), said(99))) == (said(0), said(99))
