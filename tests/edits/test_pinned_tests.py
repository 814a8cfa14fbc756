"""Tests that certo wrote judge nothing that they were taken from, and nothing that their author wrote."""

from __future__ import annotations

import ast

import pytest

from certo.edits.pinned_tests import PinnedTest, digest, digest_of_test, pinned_tests

FILE = "class TestHalf:\n    def test_half(self):\n        assert half(4) == 2\n"
TEST = "tests/test_prices.py::TestHalf::test_half"
TARGET = ("prices.py", "half", digest(ast.parse("def half(x): return x // 2").body[0]))


def pin(author: str = "", *, is_right: bool = False) -> str:
    """The line about the test, taken from the target."""
    path, qualname, target = TARGET
    test = digest_of_test(FILE, "TestHalf::test_half")
    return PinnedTest(test=test, path=path, qualname=qualname, target=target, author=author, is_right=is_right).line


@pytest.mark.parametrize(
    ("line", "target", "text", "is_pinned"),
    [
        (pin(), TARGET, FILE, True),
        (pin(), TARGET, FILE.replace("half(4)", "half( 4 )"), True),
        (pin(), TARGET, FILE.replace("== 2", "== 3"), False),
        (pin(), (*TARGET[:2], "another text"), FILE, False),
        (pin(is_right=True), TARGET, FILE, False),
        (pin("openai:gpt", is_right=True), TARGET, FILE, True),
        (pin("openai:gpt"), (*TARGET[:2], "another text"), FILE, True),
        (pin("another:model", is_right=True), TARGET, FILE, False),
        ("no line", TARGET, FILE, False),
    ],
)
def test_pins_hold_for_text_and_author(line: str, target: tuple[str, str, str], text: str, is_pinned: bool) -> None:
    found = pinned_tests({TEST: line}, [TEST], target=target, authors={"openai:gpt"}, read=lambda _: text)
    assert found == ({TEST} if is_pinned else frozenset())


def test_rows_of_parametrize_are_known() -> None:
    found = pinned_tests({TEST: pin()}, [f"{TEST}[1-2]"], target=TARGET, authors=(), read=lambda _: FILE)
    assert found == {f"{TEST}[1-2]"}
