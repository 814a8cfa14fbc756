"""Function to repair for a traceback, as Python or pytest prints it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from certo.edits.source import read_source
from certo.edits.target import ByLine, ByName, find_target, split_target
from certo.project.testfiles import is_skipped, test_named
from certo.vocabulary.errors import BadRequest

_FRAME = re.compile(
    r"""^\s* File\ "(?P<python>[^"\n]+)",\ line\ (?P<python_line>\d+)
    | ^(?P<pytest>[^\s:"][^:"\n]*\.py):(?P<pytest_line>\d+):(?:\s|$)""",
    re.MULTILINE | re.VERBOSE,
)
"""A line that names a frame, of Python or of pytest."""

_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+\.py::\S+)", re.MULTILINE)
"""A line of pytest's summary."""


def place_in_traceback(text: str, folders: Sequence[Path]) -> tuple[Path, ByLine | ByName]:
    """Return the file and the place to repair: the test that failed, or else the innermost frame in the folders.

    Raises:
        BadRequest: It names no function in a file of the folders.
    """
    for failed in _FAILED.findall(text):
        path, place = split_target(failed)
        for folder in folders:
            if isinstance(place, ByName) and (found := _within(folder, str(path))) is not None:
                return found, place
    frames = list(_frames(text, folders))
    for path, line in reversed(frames):
        if _is_test(path, line):
            return path, ByLine(line)
    for path, line in reversed(frames):
        if _function(path, line) is not None:
            return path, ByLine(line)
    named = " or ".join(folder.name for folder in folders) or "an open folder"
    raise BadRequest(
        f"no line of the traceback is in a function of {named}; paste all of it, as Python or pytest prints it"
    )


def _frames(text: str, folders: Sequence[Path]) -> Iterator[tuple[Path, int]]:
    """Yield the frames in files of the folders, in the order of the text."""
    for frame in _FRAME.finditer(text):
        named, line = frame["python"] or frame["pytest"], frame["python_line"] or frame["pytest_line"]
        for folder in folders:
            path = _within(folder, named)
            if path is not None and not any(map(is_skipped, _between(folder, path))):
                yield path, int(line)
                break


def _within(folder: Path, named: str) -> Path | None:
    """Return the file that a line names, if it lies in a folder; the text may come from anywhere, and hold `..`."""
    path = Path(os.path.normpath(folder / named))
    return path if path.is_relative_to(folder) and path.is_file() else None


def _between(folder: Path, path: Path) -> list[Path]:
    """Return the folders between one and a file in it, which may be an environment."""
    return [parent for parent in path.parents if parent != folder and parent.is_relative_to(folder)]


def _function(path: Path, line: int) -> str | None:
    """Return the qualified name of the function on a line of a file; None if there is none."""
    try:
        return find_target(read_source(path), ByLine(line), path=path.name).qualname
    except BadRequest:
        return None


def _is_test(path: Path, line: int) -> bool:
    name = _function(path, line)
    return name is not None and test_named(path.name, name) is not None
