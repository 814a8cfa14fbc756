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
    r"""^[ \t]* File\ "(?P<python>[^"\n]{1,999})",\ line\ (?P<python_line>[0-9]{1,9})
    | ^(?P<pytest>[^\s:"][^:"\n]{0,999}\.py):(?P<pytest_line>[0-9]{1,9}):(?:\s|$)""",
    re.MULTILINE | re.VERBOSE,
)
"""A line that names a frame, of Python or of pytest."""

_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+\.py::\S+)", re.MULTILINE)
"""A line of pytest's summary."""

_LIBRARY = re.compile(
    r"[\\/]((site|dist)-packages|lib(32|64)?[\\/](python|pypy)[0-9.]+t?|python[0-9]+(-32)?[\\/]lib)[\\/]", re.IGNORECASE
)
"""A part of the path of an installed file, which is never one of a project, whatever its name."""

_MAX_PARTS = 20
"""The number of parts of a path by which a file is looked for."""

_MAX_LINES = 200
"""The number of different lines of each kind that are looked at: anything may be pasted."""


def place_in_traceback(text: str, folders: Sequence[Path]) -> tuple[Path, ByLine | ByName]:
    """Return the file and the place to repair: the test that failed, or else the innermost frame in the folders.

    Raises:
        BadRequest: It names no function in a file of the folders.
    """
    for path, place in filter(None, map(named_test, _first(_FAILED.findall(text)))):
        found = _file_named(str(path), folders)
        if found is not None:
            return found, place
    frames, elsewhere = [], []
    for named, line in _lines(text):
        found = _file_named(named, folders)
        if found is not None:
            frames.append((found, line))
        elif not _LIBRARY.search(named) and not named.startswith("<"):
            elsewhere.append(named)
    functions = _functions(frames)
    tests = (each for each, name in functions.items() if test_named(each[0].name, name) is not None)
    frame = next(tests, next(iter(functions), None))
    if frame is not None:
        return frame[0], ByLine(frame[1])
    names = " or ".join(folder.name for folder in folders) or "an open folder"
    advice = f"{elsewhere[0]} lies elsewhere, so work in its folder, or paste" if elsewhere else "paste"
    raise BadRequest(
        f"no line of the traceback is in a function of {names}; {advice} all of it, as Python or pytest prints it"
    )


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """Yield the paths and lines of the frames in a text, each once, the innermost first."""
    found = [
        (each["python"] or each["pytest"], each["python_line"] or each["pytest_line"]) for each in _FRAME.finditer(text)
    ]
    for named, line in _first(reversed(found)):
        yield named, int(line)


def _first(each: Iterable[_T]) -> Iterator[_T]:
    """Return the first different ones of many."""
    return islice(dict.fromkeys(each), _MAX_LINES)


def _file_named(named: str, folders: Sequence[Path]) -> Path | None:
    """Return the file of a folder that a line names; None if there is none. The text may come from anywhere.

    Where it was printed the folder may have another path, as in a container: the longest end of the path counts then,
    and a mere name if it is at the top of one folder alone.
    """
    for folder in folders:
        for spelled in (folder, folder.resolve()):
            path = Path(os.path.normpath(spelled / named))
            if path.is_relative_to(spelled):
                inside = path.relative_to(spelled)
                if _is_own(folder, inside):
                    return folder / inside
                if os.path.isabs(named):
                    return None
    parts = [part for part in re.split(r"[\\/]", os.path.normpath(named)) if part and not part.endswith(":")]
    if ".." in parts or _LIBRARY.search(named):
        return None
    for size in range(min(len(parts), _MAX_PARTS), 0, -1):
        end = Path(*parts[-size:])
        found = [folder / end for folder in folders if _is_own(folder, end)]
        if len(found) == 1 or (found and size > 1):
            return found[0]
    return None


def _is_own(folder: Path, inside: Path) -> bool:
    """True if a path in a folder is a file of the project, and no environment holds it."""
    return os.path.isfile(folder / inside) and not any(is_skipped(folder / each) for each in inside.parents[:-1])


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
