"""Ruff, reading a document from its standard input: a program that is started for each text."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import sysconfig
from typing import Dict, List

from certo_worker.remark import Read, Remark, Trouble


def ready(path: str, texts: Dict[str, str]) -> Read:  # noqa: ARG001 - every tool is made ready in the same way
    """Return how to let ruff read the document at `path`; what other files hold does not matter to it.

    Raises:
        Trouble: ruff is not there, or leaves the document out.
    """
    program = _program()
    # Given a text, ruff has nothing to say about a document it leaves out, which would pass for praise.
    if not _run(program, ["--show-files", "--force-exclude", "--", path], "").strip():
        raise Trouble("excluded")
    return functools.partial(_read, program, path)


def _read(program: str, path: str, text: str) -> List[Remark]:
    options = ["--no-fix", "--no-cache", "--exit-zero", "--quiet", "--output-format", "json"]
    said = json.loads(_run(program, [*options, "--stdin-filename", path, "-"], text))
    return [Remark(each["location"]["row"], each["code"] or "", each["message"]) for each in said]


def _run(program: str, arguments: List[str], text: str) -> str:
    """Return what ruff prints; it says with its exit status whether it came to read anything."""
    ended = subprocess.run(
        [program, "check", *arguments], input=text.encode("utf-8", "surrogatepass"), capture_output=True
    )
    if ended.returncode != 0:
        raise Trouble("broken", ended.stderr.decode("utf-8", "replace"))
    return ended.stdout.decode("utf-8", "replace")


def _program() -> str:
    """Return where the environment has ruff: beside its Python, or where that installs programs otherwise."""
    name = "ruff.exe" if os.name == "nt" else "ruff"
    for place in (os.path.dirname(sys.executable), sysconfig.get_path("scripts")):
        program = os.path.join(place, name)
        if os.access(program, os.X_OK):
            return program
    raise Trouble("absent")
