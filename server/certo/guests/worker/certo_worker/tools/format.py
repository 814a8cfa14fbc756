"""Guest program that formats texts of a document with the project's ruff."""

from __future__ import annotations

import subprocess
from typing import Any, Dict

from certo_worker.observation.failure_text import Tell, shortened
from certo_worker.tools.diagnostic import Trouble, program


def main(request: Dict[str, Any], tell: Tell) -> None:
    """Report each of the `texts` of the document at `path` formatted, in order."""
    try:
        for text in request["texts"]:
            tell({"kind": "formatted", "text": _formatted(program("ruff"), request["path"], text)})
    except Trouble as trouble:
        tell({"kind": "trouble", "message": shortened(trouble.message or trouble.why)})


def _formatted(ruff: str, path: str, text: str) -> str:
    ended = subprocess.run(
        [ruff, "format", "--no-cache", "--quiet", "--force-exclude", "--stdin-filename", path, "-"],
        input=text.encode("utf-8", "surrogatepass"),
        capture_output=True,
    )
    if ended.returncode != 0:
        raise Trouble("broken", ended.stderr.decode("utf-8", "replace"))
    return ended.stdout.decode("utf-8", "surrogatepass")
