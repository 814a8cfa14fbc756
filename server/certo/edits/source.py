"""Source files and documents as Python text, with the reasons why one is unusable."""

from __future__ import annotations

import ast
import codecs
import functools
import gc
import io
import re
import stat
import sys
import tokenize
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from certo.edits.positions import split_lines
from certo.vocabulary.errors import BadRequest, BadSource

MAX_SOURCE_BYTES = 10 * 1024 * 1024
"""Maximum size of a source file in bytes; larger ones are generated data."""

BOM = "\ufeff"

_LONG_NUMBER = re.compile(r"0[xXoObB][0-9a-fA-F_]{3000}")
"""The beginning of a number, or of similar text, that may be too long to convert back to decimal."""

_MAX_BITS = 14_000
"""Number of bits with some 4,200 decimal digits; Python converts at most 4,300."""


def read_source(path: Path) -> str:
    """Read a Python file as text, with its own line breaks and its byte order mark, if any, kept.

    Encoding the result as UTF-8 gives back the file's bytes.

    Raises:
        BadRequest: There is no such file, or it cannot be read.
        BadSource: It is too large, binary, or not UTF-8.
    """
    try:
        # Opening a pipe would wait for a writer.
        if not stat.S_ISREG(mode := path.stat().st_mode) and not stat.S_ISDIR(mode):
            raise BadRequest(f"{path} is a pipe, a device or a socket; name a Python file")
        with path.open("rb") as file:
            content = file.read(MAX_SOURCE_BYTES + 1)
    except FileNotFoundError:
        raise BadRequest(f"{path}: there is no such file; check the path, which is seen from {Path.cwd()}") from None
    except IsADirectoryError:
        raise BadRequest(f"{path} is a directory; name a Python file in it") from None
    except OSError as error:
        raise BadRequest(f"{path} cannot be read: {error.strerror}; check the path and its permissions") from error
    if len(content) > MAX_SOURCE_BYTES:
        raise BadSource(f"{path} is larger than {MAX_SOURCE_BYTES // 1024**2} MiB; name a smaller file")
    if b"\0" in content:
        raise BadSource(f"{path} holds NUL bytes, so it is binary; name a Python source file")
    _refuse_other_encodings(content, path)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadSource(f"{path}:{line}: byte 0x{content[error.start]:02x} is not UTF-8; save it as UTF-8") from error


def _refuse_other_encodings(content: bytes, path: Path) -> None:
    """Raise BadSource if the file declares an encoding (PEP 263) other than UTF-8 or its subset ASCII."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    except SyntaxError as error:
        # Bytes that are not UTF-8 end up here as well; the decoder names the line, so it is left to say so.
        if "unknown encoding" in str(error) or "encoding problem" in str(error):
            raise BadSource(f"{path}: {error.msg}; declare utf-8 and save it as UTF-8") from error
        return
    if codecs.lookup(encoding).name not in {"utf-8", "utf-8-sig", "ascii"}:
        raise BadSource(f"{path} declares the encoding {encoding}; certo edits UTF-8 only, so convert it first")


def parse_fresh(text: str) -> ast.Module:
    """Parse Python text into a tree of the caller's own, which may be changed; `parse` is quicker for reading.

    The line and column of its nodes count from the text without a byte order mark, which Python strips from files but
    not from strings; `SourceMap` knows.

    Raises:
        SyntaxError: The text is no Python, or none that this interpreter can hold; `msg` and `lineno` say what is
            wrong where.
    """
    if "\0" in text:
        # Python reports this too, but without the place.
        raise SyntaxError("a NUL character", ("", text.count("\n", 0, text.index("\0")) + 1, 0, None))
    try:
        with warnings.catch_warnings(), _collector_paused():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.removeprefix(BOM))
    except SyntaxError:
        raise
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise SyntaxError("a lone surrogate is no character", ("", line, 0, None)) from error
    except (RecursionError, MemoryError) as error:
        raise SyntaxError("too deeply nested to parse", ("", 1, 0, None)) from error
    if _LONG_NUMBER.search(text):
        _refuse_long_numbers(tree)
    return tree


@functools.lru_cache(maxsize=8)
def parse(text: str) -> ast.Module:
    """Parse Python text for reading only: equal texts share one tree; it is otherwise as `parse_fresh` has it.

    Raises:
        SyntaxError: See `parse_fresh`.
    """
    return parse_fresh(text)


def _refuse_long_numbers(tree: ast.Module) -> None:
    """Raise an error for a number too long for a tree to be unparsed; Python itself rejects only long decimal ones."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value.bit_length() > _MAX_BITS:
            raise SyntaxError("a number of more than 4,200 digits", ("", node.lineno, 0, None))


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Pause the garbage collector, which would only traverse a growing tree and find nothing.

    On a file of 5,000 lines that is more than half of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def parse_source(text: str, path: str) -> ast.Module:
    """Parse a user's document, called `path` in messages; the tree is shared and must not be changed.

    Raises:
        BadSource: It does not parse; the message says where and why.
    """
    try:
        return parse(text)
    except SyntaxError as error:
        reason = error.msg if error.msg.startswith("invalid syntax") else f"invalid syntax: {error.msg}"
        raise BadSource(
            f"{path}:{error.lineno or 1}: {reason}; fix it first, certo works on files that parse, and reads them as "
            f"Python {sys.version_info.major}.{sys.version_info.minor} does, with which it was installed"
        ) from error


_FOR_IPYTHON = re.compile(r"\s*[%!?]|.*\?\s*$")
"""A line of IPython syntax: a magic, a shell command or a help request; it counts only if it is no Python."""

_AROUND_PYTHON = re.compile(r"%%(time|capture|prun)\b")
"""Cell magics whose cells contain Python; others may contain any language."""


def as_python(cell: str) -> str | None:
    """Return a cell's text as Python with all offsets unchanged; None if it is not Python.

    A line becomes a comment only if Python cannot parse it, because `% 3` may well continue an expression above it.
    """
    lines = split_lines(cell)
    for _ in range(len(lines) + 1):
        try:
            parse("".join(lines))
        except SyntaxError as error:
            at = (error.lineno or 0) - 1
            if not 0 <= at < len(lines) or not _is_for_ipython(lines[at]):
                return None
            blank = len(lines[at]) - len(lines[at].lstrip())
            lines[at] = f"{lines[at][:blank]}#{lines[at][blank + 1 :]}"
        else:
            return "".join(lines)
    return None


def _is_for_ipython(line: str) -> bool:
    if line.startswith("%%"):
        return _AROUND_PYTHON.match(line) is not None
    return not line.lstrip().startswith("#") and _FOR_IPYTHON.match(line) is not None
