"""Function to repair for a traceback, as Python or pytest prints it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TypeVar

from certo.edits.source import read_source
from certo.edits.target import ByLine, ByName, find_target
from certo.project.testfiles import is_skipped, test_named
from certo.sessions.ambient.changes import named_test
from certo.vocabulary.errors import BadRequest, TargetNotFound

_T = TypeVar("_T")

_FRAME = re.compile(
    r"""^[ \t]* File\ "(?P<python>[^"\n]+)",\ line\ (?P<python_line>[0-9]{1,9})
    | ^(?P<pytest>[^\s:"][^:"\n]*\.py):(?P<pytest_line>[0-9]{1,9}):(?:\s|$)""",
    re.MULTILINE | re.VERBOSE,
)
"""A line that names a frame, of Python or of pytest."""

_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+\.py::\S+)", re.MULTILINE)
"""A line of pytest's summary."""

_MAX_LINES = 200
"""The number of different lines of each kind that are looked at: anything may be pasted."""


def place_in_traceback(text: str, folders: Sequence[Path]) -> tuple[Path, ByLine | ByName]:
    """Return the file and the place to repair: the test that failed, or else the innermost frame in the folders.

    Raises:
        BadRequest: It names no function in a file of the folders.
    """
    for failed in filter(None, map(named_test, _first(_FAILED.findall(text)))):
        path, place = failed
        for folder in folders:
            if (found := _within(folder, str(path))) is not None:
                return found, place
    functions = _functions(list(_frames(text, folders)))
    tests = (each for each, name in functions.items() if test_named(each[0].name, name) is not None)
    frame = next(tests, next(iter(functions), None))
    if frame is not None:
        return frame[0], ByLine(frame[1])
    named = " or ".join(folder.name for folder in folders) or "an open folder"
    raise BadRequest(
        f"no line of the traceback is in a function of {named}; paste all of it, as Python or pytest prints it"
    )


def _frames(text: str, folders: Sequence[Path]) -> Iterator[tuple[Path, int]]:
    """Yield the frames in files of the folders, each once, the innermost first."""
    lines = [
        (each["python"] or each["pytest"], each["python_line"] or each["pytest_line"]) for each in _FRAME.finditer(text)
    ]
    for named, line in _first(reversed(lines)):
        for folder in folders:
            path = _within(folder, named)
            if path is not None and not any(map(is_skipped, _between(folder, path))):
                yield path, int(line)
                break


def _first(each: Iterable[_T]) -> Iterator[_T]:
    """Return the first different ones of many."""
    return islice(dict.fromkeys(each), _MAX_LINES)


def _within(folder: Path, named: str) -> Path | None:
    """Return the file that a line names, if it lies in a folder; the text may come from anywhere, and hold `..`."""
    path = Path(os.path.normpath(folder / named))
    return path if path.is_relative_to(folder) and os.path.isfile(path) else None


def _between(folder: Path, path: Path) -> list[Path]:
    """Return the folders between one and a file in it, which may be an environment."""
    return [parent for parent in path.parents if parent != folder and parent.is_relative_to(folder)]


def _functions(frames: Sequence[tuple[Path, int]]) -> dict[tuple[Path, int], str]:
    """Return the frames that are in a function, in their order, with its qualified name; each file is read once."""
    lines: dict[Path, list[int]] = {}
    for path, line in frames:
        lines.setdefault(path, []).append(line)
    names = {(path, line): name for path, each in lines.items() for line, name in _named(path, each)}
    return {each: names[each] for each in frames if each in names}


def _named(path: Path, lines: Iterable[int]) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file that are in a function, with its qualified name."""
    try:
        text = read_source(path)
        for line in lines:
            with suppress(TargetNotFound):
                yield line, find_target(text, ByLine(line), path=path.name).qualname
    except BadRequest:
        return
