"""Flake8, which reads a document from standard input, with the plug-ins installed beside it."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import io
import os
import re
import sys
import tempfile
from typing import Any, Dict, List

from certo_worker.tools.diagnostic import Diagnostic, Read, Trouble

_FORMAT = "%(row)d:%(code)s:%(text)s"
_REMARK = re.compile(r"(?P<row>\d+):(?P<code>\w+):(?P<text>.*)")


def ready(path: str, texts: Dict[str, str]) -> Read:  # noqa: ARG001 - every tool is made ready in the same way
    """Return a reader that runs flake8 on the document at `path`; other files do not matter to it.

    Raises:
        Trouble: Flake8 is not installed.
    """
    if importlib.util.find_spec("flake8") is None:
        raise Trouble("absent")
    return functools.partial(_read, importlib.import_module("flake8.main.cli"), path)


def _read(flake8: Any, path: str, text: str) -> List[Diagnostic]:
    with tempfile.TemporaryDirectory() as scratch:
        file = os.path.join(scratch, "said")
        options = ["--exit-zero", "--jobs", "1", "--format", _FORMAT, "--output-file", file]
        # Flake8 caches the text it has once read there.
        importlib.import_module("flake8.utils").stdin_get_value.cache_clear()
        stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogatepass")))
        try:
            status = flake8.main([*options, "--stdin-display-name", path, "-"])
        except SystemExit as end:
            status = end.code
        finally:
            sys.stdin = stdin
        if status:
            raise Trouble("broken", "flake8 ended with status {}".format(status))
        with open(file, encoding="utf-8", errors="replace") as said:
            found = filter(None, (_REMARK.fullmatch(line.rstrip("\n")) for line in said))
            return [Diagnostic(int(each["row"]), each["code"], each["text"]) for each in found]
