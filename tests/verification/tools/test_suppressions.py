"""Comments that silence a tool: new ones are found, old ones may stay and move."""

from __future__ import annotations

import pytest

from certo.verification.tools.diagnostics import new_suppressions


@pytest.mark.parametrize(
    ("tool", "comment"),
    [
        ("mypy", "# type: ignore"),
        ("mypy", "#type:ignore[return-value]"),
        ("mypy", "# mypy: ignore-errors"),
        ("ruff", "# noqa"),
        ("ruff", "# NOQA: E501"),
        ("ruff", "# ruff: noqa"),
        ("ruff", "# flake8: noqa"),
        ("flake8", "# flake8: noqa: E501"),
    ],
)
def test_a_new_one_is_found(tool: str, comment: str) -> None:
    (remark,) = new_suppressions(tool, "x = 1\ny = 2\n", f"x = 1\ny = 3  {comment}\n")
    assert (remark.line, remark.message) == (2, f"do without the comment that silences {tool}: y = 3  {comment}")


@pytest.mark.parametrize("comment", ["# type: int", "# ignore", "# no qualms", "# typed: ignore"])
@pytest.mark.parametrize("tool", ["mypy", "ruff", "flake8"])
def test_other_comments_are_not(tool: str, comment: str) -> None:
    assert new_suppressions(tool, "x = 1\n", f"x = 1  {comment}\n") == ()


def test_old_suppressions_may_move() -> None:
    """Their lines may change."""
    assert new_suppressions("mypy", "x = f(1)  # type: ignore\n", "\n\nx = f(2)  # type: ignore[arg-type]\n") == ()


def test_the_new_line_is_named() -> None:
    old, new = "a = 1  # noqa\n", "b = 1  # noqa\n"
    assert [remark.line for remark in new_suppressions("ruff", old, new + old)] == [1]
    assert [remark.line for remark in new_suppressions("ruff", old, old + new)] == [2]
