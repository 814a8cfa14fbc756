"""Reading and parsing documents: nothing is lost, and refusals say why."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from certo.edits.source import MAX_SOURCE_BYTES, parse, parse_source, read_source
from certo.vocabulary.errors import BadRequest, BadSource


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"x = 1",
        b"x = 1\r\ny = 2\r\n",
        b"\xef\xbb\xbfx = 1\n",
        "# -*- coding: utf-8 -*-\nx = 'é😀'\r".encode(),
        b"# coding: ascii\nx = 1\n",
        b"#!/usr/bin/env python\n# vim: set fileencoding=UTF8 :\n",
    ],
)
def test_reading_loses_nothing(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(content)
    assert read_source(path).encode() == content


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"x = 1\0", "NUL"),
        (b"x = 1\ny = '\xe9'\n", r"a\.py:2: byte 0xe9 is not UTF-8"),
        (b"# coding: latin-1\nx = '\xe9'\n", "iso-8859-1"),
        (b"# coding: no-such\n", "no-such"),
        (b"#" * (MAX_SOURCE_BYTES + 1), "10 MiB"),
    ],
)
def test_what_is_no_utf8_python_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(content)
    with pytest.raises(BadSource, match=says):
        read_source(path)


def test_missing_files_and_directories_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match=r"gone\.py: there is no such file"):
        read_source(tmp_path / "gone.py")
    with pytest.raises(BadRequest, match="is a directory"):
        read_source(tmp_path)
    with pytest.raises(BadRequest, match="cannot be read"):
        read_source(tmp_path / ("a" * 300))


def test_pipes_and_devices_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    for path in (tmp_path / "pipe.py", Path("/dev/zero")):
        with pytest.raises(BadRequest, match="is a pipe, a device or a socket"):
            read_source(path)


def test_a_syntax_error_has_place_and_advice() -> None:
    with pytest.raises(BadSource, match=r"^src/a\.py:3: invalid syntax.*fix it first.* as Python 3\.\d+ does"):
        parse_source("x = 1\n\ndef f(:\n", "src/a.py")
    with pytest.raises(BadSource, match=r"a\.py:2: invalid syntax: .*indent"):
        parse_source("def f():\nx = 1\n", "a.py")


@pytest.mark.parametrize(
    ("text", "line"),
    [("x = 1\n\0", 2), ("x = '\ud800'", 1), ("(" * 5000 + ")" * 5000, 1), ("x = " + "-" * 100_000 + "1", 1)],
)
def test_unparsable_text_is_a_syntax_error(text: str, line: int) -> None:
    with pytest.raises(SyntaxError) as caught:
        parse(text)
    assert caught.value.lineno == line


def test_byte_order_marks_and_warnings_are_ignored() -> None:
    assert parse('\ufeffx = "\\d"\n').body
    assert parse("1 is 1\n").body
