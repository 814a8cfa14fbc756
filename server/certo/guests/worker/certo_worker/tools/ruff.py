"""Ruff, which reads a document from standard input, started anew for each text."""

from __future__ import annotations

import functools
import json
import os
import subprocess
from typing import Dict, List

from certo_worker.tools.diagnostic import Diagnostic, Read, Trouble, program


def ready(path: str, texts: Dict[str, str]) -> Read:  # noqa: ARG001 - every tool is made ready in the same way
    """Return a reader that runs ruff on the document at `path`; other files do not matter to it.

    Raises:
        Trouble: Ruff is not installed, or excludes the document.
    """
    ruff = program("ruff")
    # Given the text of an excluded document, ruff reports nothing, which would pass for approval. For a file that does
    # not exist yet it cannot say.
    if os.path.exists(path) and not _run(ruff, ["--show-files", "--force-exclude", "--", path], "").strip():
        raise Trouble("excluded")
    return functools.partial(_read, ruff, path)


def _read(ruff: str, path: str, text: str) -> List[Diagnostic]:
    options = ["--no-fix", "--no-cache", "--exit-zero", "--quiet", "--output-format", "json"]
    said = json.loads(_run(ruff, [*options, "--stdin-filename", path, "-"], text))
    return [Diagnostic(each["location"]["row"], each["code"] or "", each["message"]) for each in said]


def _run(ruff: str, arguments: List[str], text: str) -> str:
    """Return ruff's output; its exit status tells if it read anything."""
    ended = subprocess.run(
        [ruff, "check", *arguments], input=text.encode("utf-8", "surrogatepass"), capture_output=True
    )
    if ended.returncode != 0:
        raise Trouble("broken", ended.stderr.decode("utf-8", "replace"))
    return ended.stdout.decode("utf-8", "replace")
