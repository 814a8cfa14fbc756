"""An outline of a file is read from its text alone, whatever the text is, and only where it has changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.knowledge.outline_program import MAX_CHARACTERS, MAX_SYMBOLS, main, outline
from certo.vocabulary.knowledge import Outline

pytestmark = pytest.mark.acceptance(64)

SOURCE = b'''\
"""Gives change.

And more.
"""

open("ran", "w").close()


def _largest(due):
    return due


async def change(due: int, *, password="hunter2", sure=False) -> list[int]:
    """Coins for what is due."""


class Till(Base):
    """Holds coins."""

    def _open(self):
        pass

    def __len__(self):
        return 0


if __name__ == "__main__":
    change(1)
'''


def test_outlines_put_public_names_first() -> None:
    """Defaults are left out."""
    told = Outline.from_fields(outline(SOURCE))
    assert (told.doc, told.is_main) == ("Gives change.", True)
    assert [symbol.shown for symbol in told.symbols] == [
        "change(due: int, *, password=..., sure=...) -> list[int]",
        "class Till(Base)",
        "Till.__len__(self)",
        "_largest(due)",
        "Till._open(self)",
    ]
    assert told.symbols[0].doc == "Coins for what is due."


@pytest.mark.parametrize("content", [b"def f(:\n", b"\xff\xfe", b"x = 1\0", b"(" * 5000, b"# coding: nonsense\n"])
def test_files_with_syntax_errors_are_only_named(content: bytes) -> None:
    assert outline(content) == {"doc": "(does not parse)", "symbols": [], "is_main": False}


@given(st.lists(st.from_regex(r"[a-z_]{1,40}", fullmatch=True), max_size=100))
def test_an_outline_is_bounded(names: list[str]) -> None:
    source = "".join(f"def f_{name}({name * 9}_): '''{name * 50}'''\n" for name in names)
    told = Outline.from_fields(outline(source.encode()))
    assert len(told.symbols) == min(len(names), MAX_SYMBOLS)
    assert all(len(text) <= MAX_CHARACTERS for symbol in told.symbols for text in (symbol.shown, symbol.doc))


def test_unchanged_files_are_not_parsed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_bytes(SOURCE)
    Path("b.py").write_text("x = 1\n")
    told: list[dict[str, Any]] = []
    main({"paths": ["a.py", "gone.py", "b.py"], "known": {}}, told.append)
    first = {each["path"]: each for message in told for each in message["files"]}
    assert list(first) == ["a.py", "b.py"]
    known = {path: each["hash"] for path, each in first.items()}
    Path("b.py").write_text("x = 2\n")
    told.clear()
    main({"paths": ["a.py", "b.py"], "known": known}, told.append)
    again = {each["path"]: each for message in told for each in message["files"]}
    assert again["a.py"]["outline"] is None
    assert again["b.py"]["outline"] is not None
    assert not Path("ran").exists()
