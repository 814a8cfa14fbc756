"""Mypy, kept running to check one document repeatedly: its imports are checked once.

This follows mypy's own daemon: one full build, then updates of one file. The parts used are no public interface of
mypy's, but have been the same from mypy 1.0 to 2.4.
"""

from __future__ import annotations

import importlib.util
import io
import os
import re
import sys
import tempfile
from typing import Any, Dict, List

from certo_worker.tools.diagnostic import Diagnostic, Read, Trouble
from certo_worker.tools.mirror import Mirror

# An error as mypy prints it without columns, colours and the like; a note is no error. An error that keeps a file from
# being read at all has no line.
_ERROR = re.compile(
    r"(?P<path>.+?):(?:(?P<line>\d+):)? error: (?P<message>.*?)(?:  \[(?P<code>[a-z0-9-]+)\])?", re.DOTALL
)

# Options of a project that change how errors are printed, or write reports; and those that the daemon sets, except
# `local_partial_types`, which it needs for checking parts of files.
_OPTIONS: Dict[str, Any] = {
    "pretty": False,
    "color_output": False,
    "hide_error_codes": False,
    "show_absolute_path": False,
    "show_column_numbers": False,
    "show_error_context": False,
    "show_error_end": False,
    "show_error_code_links": False,
    "output": None,
    "junit_xml": None,
    "report_dirs": {},
    "many_errors_threshold": -1,
    "num_workers": 0,
    "raise_exceptions": True,
    "incremental": True,
    "fine_grained_incremental": True,
    "cache_fine_grained": True,
    "use_fine_grained_cache": False,
}


def ready(path: str, texts: Dict[str, str]) -> Read:
    """Check the document at `path` and its imports, with `texts` in place of files; return a reader for further texts.

    Raises:
        Trouble: Mypy is not installed, excludes the document, or gives up on the project.
    """
    if importlib.util.find_spec("mypy") is None:
        raise Trouble("absent")
    from mypy.errors import CompileError

    if not all(map(os.path.exists, texts)):
        # Mypy accepts a text in place of a file, but not of a missing one.
        os.chdir(Mirror(texts).root)
    try:
        return _Checker(path, texts).read
    except CompileError as error:
        raise Trouble("broken", "\n".join(error.messages)) from error


class _Checker:
    """mypy's state of the document and its imports."""

    def __init__(self, path: str, texts: Dict[str, str]) -> None:
        from mypy.build import build
        from mypy.fscache import FileSystemCache
        from mypy.server.update import FineGrainedBuildManager

        self._path = path
        self._cache = FileSystemCache()
        self._sources, options = self._configured(texts)
        built = build(self._sources, options, fscache=self._cache)
        self._manager = FineGrainedBuildManager(built)

    def _configured(self, texts: Dict[str, str]) -> Any:
        """Return mypy's sources and options, as configured by the project."""
        from mypy.main import process_options
        from mypy.modulefinder import matches_exclude

        # To find packages for another interpreter, mypy would start that one.
        arguments = ["--python-executable", sys.executable, "--cache-dir", os.devnull]
        for path, text in texts.items():
            arguments += ["--shadow-file", path, _shadow(path, text)]
        said = io.StringIO()
        try:
            sources, options = process_options([*arguments, "--", self._path], stderr=said, fscache=self._cache)
        except SystemExit as end:
            raise Trouble("broken", said.getvalue()) from end
        if matches_exclude(self._path, options.exclude, self._cache, False):
            raise Trouble("excluded")
        for name, value in _OPTIONS.items():
            # No version of mypy has all of these.
            if hasattr(options, name):
                setattr(options, name, value)
        return sources, options

    def read(self, text: str) -> List[Diagnostic]:
        """Return mypy's errors in the document with `text` in its place.

        Errors in other files are left out: they exist already, even if a new import reveals them.

        Raises:
            Trouble: One of those files keeps mypy from judging the document.
        """
        from mypy.errors import CompileError

        manager = self._manager.manager
        manager.shadow_map[self._path] = _shadow(self._path, text)
        manager.shadow_equivalence_map.clear()
        self._cache.flush()
        self._manager.flush_cache()
        try:
            said = self._manager.update([(source.module, source.path) for source in self._sources], [])
            blocked = self._manager.blocking_error is not None
        except CompileError as error:
            said, blocked = error.messages, True
        found = [each for each in map(_ERROR.fullmatch, said) if each is not None and each["path"] == self._path]
        if blocked and not found:
            raise Trouble("broken", "\n".join(said))
        return [Diagnostic(int(each["line"] or 1), each["code"] or "", each["message"]) for each in found]


def _shadow(path: str, text: str) -> str:
    """Return a new file with the text that replaces the project's file at `path`."""
    number, shadow = tempfile.mkstemp(suffix=os.path.splitext(path)[1])
    with open(number, "wb") as file:
        file.write(text.encode("utf-8", "surrogatepass"))
    return shadow
