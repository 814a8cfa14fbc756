"""Ty, which reads a document in a mirror of the project, started anew for each text."""

from __future__ import annotations

import functools
import re
import subprocess
import sys
from typing import Dict, List

from certo_worker.tools.diagnostic import Diagnostic, Read, Trouble, program
from certo_worker.tools.mirror import Mirror

_ERROR = re.compile(r"(?P<path>.+?):(?P<line>\d+):\d+: error\[(?P<code>[a-z0-9-]+)\] (?P<message>.*)")


def ready(path: str, texts: Dict[str, str], own: str = "") -> Read:
    """Return a reader that runs ty on the document at `path`, with `texts` in place of files.

    Raises:
        Trouble: Ty is found neither in the environment nor in the directory `own`.
    """
    return functools.partial(_read, program("ty", own), path, Mirror(texts))


def _read(ty: str, path: str, mirror: Mirror, text: str) -> List[Diagnostic]:
    """Return ty's errors in the document, without warnings; errors in other files exist already."""
    mirror.write(path, text)
    ended = subprocess.run(
        [
            *(ty, "check", "--exit-zero", "--no-progress", "--force-exclude", "--color", "never"),
            *("--output-format", "concise", "--python", sys.executable, "--", path),
        ],
        cwd=mirror.root,
        capture_output=True,
    )
    said, complained = (each.decode("utf-8", "replace") for each in (ended.stdout, ended.stderr))
    if ended.returncode != 0:
        raise Trouble("broken", complained or said)
    if "No python files found" in complained:
        raise Trouble("excluded")
    found = [each for each in map(_ERROR.fullmatch, said.splitlines()) if each is not None and each["path"] == path]
    return [Diagnostic(int(each["line"]), each["code"], each["message"]) for each in found]
