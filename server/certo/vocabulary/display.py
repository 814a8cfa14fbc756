"""Text as it is shown: untrusted text made harmless for each format, and the names of amounts and lanes.

Untrusted text comes from candidates, tests, models, tools and file names. HTML has its function in
`presentation/report/markup`, logs in `vocabulary/log_text`; JSON is written by `json`, which needs no help.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""The categories of Unicode whose members nobody sees: controls, formats, what is not assigned, line breaks."""

_BLANK = (
    (0x034F, 0x034F),  # a joiner of graphemes
    (0x115F, 0x1160),  # fillers of Hangul
    (0x17B4, 0x17B5),  # vowels of Khmer that are not written
    (0x180B, 0x180F),  # selectors of variants, Mongolian
    (0x2800, 0x2800),  # the pattern of Braille without a dot
    (0x3164, 0x3164),  # a filler of Hangul
    (0xFE00, 0xFE0F),  # selectors of variants, in which a text can be hidden
    (0xFFA0, 0xFFA0),  # a filler of Hangul
    (0xE0100, 0xE01EF),  # more selectors
)
"""Code points that count as letters or marks and yet are blank."""


def visible(text: str) -> str:
    """Write characters that are not seen, change how others look, or cannot be sent, as escapes.

    They are controls, marks of direction, joiners, fillers, selectors of variants, tags, private and lone surrogate
    code points, and line breaks that no line of Python ends with; those that one may end with all become a newline. So
    no text can play with a terminal, or look there or to a judge like another one.
    """
    broken = text.replace("\r\n", "\n").replace("\r", "\n")
    unseen = sorted(one for one in set(broken) - {"\n", "\t"} if _is_unseen(one))
    if not unseen:
        return broken
    return re.sub(f"[{re.escape(''.join(unseen))}]", lambda found: _escape(found.group()), broken)


def one_line(text: str) -> str:
    """Return the text on one line, with nothing unseen in it: for a log, a commit message, a heading."""
    return " ".join(visible(text).split())


def as_diff(text: str) -> str:
    """Return a diff, or other code, with the lines it has for git: each has its sign, and none is made by a return."""
    return "\n".join(visible(line.removesuffix("\r").replace("\r", "\\x0d")) for line in text.split("\n"))


def as_message(text: str) -> str:
    """Return the text for a place where an editor shows plain words: a message, a lens, a hint, a title.

    Some make a link of `[words](command:…)` even there, which runs a command, and an icon of `$(name)`; a space between
    the brackets makes neither.
    """
    return _LINK_OR_ICON.sub(" ", visible(text))


def as_markdown(words: str, *, in_cell: bool = False) -> str:
    """Return the words on one line of Markdown, in which nothing is markup but code.

    What stands between backticks is code, and so is every word that Markdown, or an extension of it, could take for
    markup or a link. Nothing is escaped by backslashes, for some editors show Markdown as it is written. In a cell of a
    table a vertical line would end the cell, and is escaped even in code.
    """
    return "".join(
        _code_span(part, in_cell=in_cell) if is_code else part for part, is_code in _joined(_parts(one_line(words)))
    )


def as_inline_code(text: str, *, in_cell: bool = False) -> str:
    """Return the text on one line of Markdown as code, its backticks included; for a cell see `as_markdown`."""
    return _code_span(one_line(text), in_cell=in_cell)


def as_code(text: str, language: str) -> str:
    """Return the text as a block of code in Markdown, within a fence that it cannot end."""
    code = as_diff(text).rstrip("\n")
    fence = "`" * max(3, 1 + _longest_run(code))
    return f"{fence}{language}\n{code}\n{fence}"


def amount(number: float, noun: str) -> str:
    """Return a number, to three places, with its noun, which is given in the singular: "1 test", "2 searches"."""
    ending = "" if number == 1 else "es" if noun.endswith("ch") else "s"
    stem = f"{noun[:-1]}ie" if noun.endswith("try") and ending else noun
    return f"{round(number, 3):g} {stem}{ending}"


def lane(slot: int) -> str:
    """Return the name of a lane as users count them, from 1: "lane 1"."""
    return f"lane {slot + 1}"


def ended_lanes(slots: Sequence[int], reason: str) -> str:
    """Return that lanes ended without a candidate, and the reason: "lanes 2 and 3 finished: …"."""
    if len(slots) == 1:
        return f"{lane(slots[0])} finished: {reason}"
    *most, last = (str(slot + 1) for slot in sorted(slots))
    return f"lanes {', '.join(most)} and {last} finished: {reason}"


def looked_up(model: str, tool: str, arguments: str) -> str:
    """Return what a language model has looked up: `openai:gpt-5-mini looked up find_callers {"name": "total"}`."""
    return one_line(f"{model} looked up {tool} {arguments}")


_LINK_OR_ICON = re.compile(r"(?<=[\]$])(?=\()")

_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
"""Code between backticks."""

_MARKUP = re.compile(
    r"""
    [`*~|\[\]\\]                             # code, emphasis, tables, links, escapes
    | (?<! [^\W_] ) _ | _ (?! [^\W_] )       # an underscore that has a neighbour which is no letter
    | < (?= [A-Za-z/!?] )                    # HTML
    | & (?= [A-Za-z\#] )                     # an entity
    | \S \. \w | @ | //                      # what could be an address: also a file, as Paraguay has .py
    """,
    re.VERBOSE,
)
"""Characters that could be markup within a line of words."""

_BEGINS_BLOCK = re.compile(r"> .* | [-+=\#]+ | \d+[.)]", re.VERBOSE)
"""The first words of a line that would make it a heading, a list or a quotation."""

_NUMBER = re.compile(r"\(?[~$]?\d+\.\d+[),;:%]*")

_STOPS = (",", ";", ":", ".", "!", "?")


def _parts(line: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a line, and whether each is code."""
    for place, part in enumerate(_CODE.split(line)):
        if place % 2:
            yield part, True
            continue
        for run, is_code in _runs(part.split(" "), begins=place == 0):
            before, said, after = _trimmed(run) if is_code else ("", run, "")
            yield before, False
            yield said, is_code
            yield after, False


def _runs(words: Sequence[str], *, begins: bool) -> Iterator[tuple[str, bool]]:
    """Yield runs of words, with the spaces between them, and whether they are set as code.

    They are if they, or the square bracket they stand in, could be markup; a comma or a stop ends such a run.
    """
    run, was_code, depth = "", False, 0
    for number, word in enumerate(words):
        is_code = depth > 0 or _is_markup(word, first=begins and number == 0)
        space = " " if number else ""
        if is_code != was_code or (depth == 0 and run.endswith(_STOPS)):
            yield run, was_code
            if is_code and space:
                yield space, False
                space = ""
            run = ""
        run, was_code = f"{run}{space}{word}", is_code
        depth = max(0, depth + word.count("[") - word.count("]"))
    yield run, was_code


def _is_markup(word: str, *, first: bool) -> bool:
    if first and _BEGINS_BLOCK.fullmatch(word):
        return True
    return _MARKUP.search(word) is not None and _NUMBER.fullmatch(word) is None


def _trimmed(word: str) -> tuple[str, str, str]:
    """Return what is set as code without what only punctuates it, between that."""
    code = word.rstrip("".join(_STOPS))
    after = word[len(code) :]
    if code.startswith("(") and code.count("(") > code.count(")"):
        return "(", code[1:], after
    if code.endswith(")") and code.count(")") > code.count("("):
        return "", code[:-1], f"){after}"
    return ("", code, after) if code else ("", word, "")


def _joined(parts: Iterator[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Return the parts that are not empty, with those joined that are code and touch each other."""
    kept = ((part, is_code) for part, is_code in parts if part)
    return [("".join(part for part, _ in group), is_code) for is_code, group in groupby(kept, key=itemgetter(1))]


def _code_span(code: str, *, in_cell: bool) -> str:
    """Return code within as many backticks as nowhere stand in it."""
    fence = "`" * (1 + _longest_run(code))
    pad = " " if code.startswith(("`", " ")) or code.endswith(("`", " ")) else ""
    # Parsers differ in whether a backslash takes the meaning of the next one in a cell: an odd number is safe in all.
    said = re.sub(r"(\\*)\|", r"\1\1\\|", code) if in_cell else code
    return f"{fence}{pad}{said}{pad}{fence}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall(r"`+", text)), default=0)


def _is_unseen(character: str) -> bool:
    point = ord(character)
    return unicodedata.category(character) in _UNSEEN or any(first <= point <= last for first, last in _BLANK)


def _escape(character: str) -> str:
    point = ord(character)
    if point <= 0xFF:
        return f"\\x{point:02x}"
    return f"\\U{point:08x}" if point > 0xFFFF else f"\\u{point:04x}"
