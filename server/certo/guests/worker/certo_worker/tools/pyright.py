"""Pyright or basedpyright, which reads a document in a mirror of the project, started anew for each text."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from typing import Dict, List

from certo_worker.tools.diagnostic import Diagnostic, Read, Trouble, program
from certo_worker.tools.mirror import Mirror


def ready(path: str, texts: Dict[str, str]) -> Read:
    """Return a reader that runs pyright on the document at `path`, with `texts` in place of files.

    Raises:
        Trouble: Neither pyright nor basedpyright is installed.
    """
    return functools.partial(_read, _program(), path, Mirror(texts))


def _program() -> str:
    """Return basedpyright in preference to pyright: it includes Node.js, which pyright would download."""
    try:
        return program("basedpyright")
    except Trouble:
        return program("pyright")


def _read(pyright: str, path: str, mirror: Mirror, text: str) -> List[Diagnostic]:
    """Return pyright's errors in the document, without warnings; errors in other files exist already."""
    mirror.write(path, text)
    ended = subprocess.run(
        [pyright, "--outputjson", "--pythonpath", sys.executable, path], cwd=mirror.root, capture_output=True
    )
    said = ended.stdout.decode("utf-8", "replace")
    try:
        report = json.loads(said)
    except ValueError as error:
        raise Trouble("broken", ended.stderr.decode("utf-8", "replace") or said) from error
    if report["summary"]["filesAnalyzed"] == 0:
        raise Trouble("excluded")
    here = os.path.realpath(os.path.join(mirror.root, path))
    return [
        Diagnostic(each["range"]["start"]["line"] + 1, each.get("rule", ""), each["message"])
        for each in report["generalDiagnostics"]
        if each["severity"] == "error" and os.path.realpath(each["file"]) == here
    ]
