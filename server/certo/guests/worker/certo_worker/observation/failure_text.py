"""Message of a failure in a line or two, and the place where it was raised."""

from __future__ import annotations

import inspect
import linecache
import os
import re
import sysconfig
import traceback
from types import CodeType, TracebackType
from typing import Any, Callable, Collection, Dict, List, Optional, Tuple

from certo_worker.observation.clock import TimeIsUp
from certo_worker.observation.tracing import Sight

Tell = Callable[[Dict[str, Any]], None]

MAX_CHARACTERS = 300
"""Maximum length of a message in characters."""

# Addresses differ from run to run and are not informative: the name identifies a function as well.
_ADDRESS = re.compile(r"<function ([^\s>]+(?:<locals>[^\s>]+)*) at 0x[0-9a-fA-F]+>| at 0x[0-9a-fA-F]+")
_NOISE = re.compile(r"Use -v|\+ +where <function \S+ at 0x")

_LIBRARIES = tuple(
    os.path.realpath(path) + os.sep
    for path in (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
)


def shortened(text: str) -> str:
    """Return a text on one line, cut to MAX_CHARACTERS."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_CHARACTERS else line[: MAX_CHARACTERS - 1] + "…"


def message_of(error: BaseException) -> str:
    """Return an exception's message; for an assertion, its source and the actual values."""
    # As `traceback.format_exception_only`, which reads the files of the tracebacks of its causes.
    described = traceback.TracebackException(type(error), error, None, limit=0, lookup_lines=False)
    text = "".join(described.format_exception_only()).strip()
    if isinstance(error, AssertionError):
        text = text[len("AssertionError: ") :] if text.startswith("AssertionError: ") else text
        text = _asserted(error.__traceback__) if text == "AssertionError" else text
    elif isinstance(error, TimeIsUp):
        text = str(error)
    lines = [line.strip() for line in text.splitlines()]
    told = [line for line in lines if line and not _NOISE.match(line)]
    parts = [line[1:].strip() if line.startswith("+") else line for line in told[:4]]
    return shortened(_ADDRESS.sub(r"\1", ", ".join(parts)))


def _asserted(trace: Optional[TracebackType]) -> str:
    """Return the source of a bare assertion that was not rewritten by pytest."""
    frames = frames_of(trace)
    source = linecache.getline(frames[-1][0], frames[-1][1]).strip() if frames else ""
    return "AssertionError at " + source if source else "AssertionError"


def place_of(error: BaseException, sight: Sight, test_files: Collection[str], root: str) -> Tuple[str, Optional[int]]:
    """Return the place where a failure was raised, and the line in the target if it was there.

    `test_files` are the file of the test and the one that defines its function, which a class may inherit. "target"
    means that the target was running. "test" means that one of these files was, or that it asserted through a library
    such as `unittest` or through another file of the tests. "elsewhere" is anything else.
    """
    line = next(filter(None, (_line_in_target(each, sight) for each in with_causes(error))), None)
    if line is not None:
        return "target", line
    files = [os.path.realpath(file) for file in test_files]
    innermost_first = (os.path.realpath(file) for file, _line in reversed(frames_of(error.__traceback__)))
    if not isinstance(error, AssertionError) and isinstance(error, Exception):
        return ("test" if next(innermost_first, None) in files else "elsewhere"), None
    # Assertions, pytest's own outcomes and our alarm are attributed to the caller of the library that raised them.
    file = next((file for file in innermost_first if is_own(file, root)), "")
    is_test = file in files or os.path.basename(file) == "conftest.py"
    return ("test" if is_test or any(_is_beside(file, each, sight.file) for each in files) else "elsewhere"), None


def _is_beside(file: str, test_file: str, target_file: str) -> bool:
    """True if a file is in the outermost folder that contains the test but not the target."""
    folder = os.path.dirname(test_file)
    above = os.path.dirname(folder)
    while above != folder and not target_file.startswith(os.path.join(above, "")):
        folder, above = above, os.path.dirname(above)
    inside = os.path.join(folder, "")
    return file.startswith(inside) and not target_file.startswith(inside)


def with_causes(error: BaseException) -> List[BaseException]:
    """Return an exception with its causes and contexts, and the members of a group, outermost first."""
    found: List[BaseException] = []
    waiting: List[Optional[BaseException]] = [error]
    while waiting:
        each = waiting.pop(0)
        if each is not None and not any(each is known for known in found):
            found.append(each)
            waiting += [*_grouped(each), each.__cause__, each.__context__]
    return found


def _grouped(error: BaseException) -> List[BaseException]:
    """Return the exceptions of a group, which Python lacks before 3.11 but libraries provide."""
    inner = getattr(error, "exceptions", ())
    return [each for each in inner if isinstance(each, BaseException)] if isinstance(inner, (list, tuple)) else []


def _line_in_target(error: BaseException, sight: Sight) -> Optional[int]:
    """Return the line at which an exception left the target, the innermost one if it called itself."""
    line = None
    trace = error.__traceback__
    while trace is not None:
        if sight.is_target(trace.tb_frame.f_code):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def is_own(file: str, root: str) -> bool:
    """True if a file is the project's own; an environment may well be within its root."""
    return file.startswith(os.path.realpath(root) + os.sep) and not file.startswith(_LIBRARIES)


def frames_of(trace: Optional[TracebackType]) -> List[Tuple[str, int]]:
    """Return the files and lines of a traceback, innermost last."""
    frames = []
    while trace is not None:
        frames.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    return frames


def files_of(item: Any) -> List[str]:
    """Return the file of a test, and that of its function, which another file may define for several classes."""
    code = code_of(item)
    return [str(item.fspath)] if code is None else [str(item.fspath), code.co_filename]


def code_of(item: Any) -> Optional[CodeType]:
    """Return the code of a test's function, or None if it has none."""
    function = getattr(item, "function", None)
    return getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
