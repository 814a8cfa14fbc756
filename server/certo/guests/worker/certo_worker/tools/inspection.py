"""Guest program that runs a tool on the base text and a candidate's text, and reports its diagnostics.

The tool is the one installed for the current interpreter, in the project's configuration.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from certo_worker.observation.failure_text import Tell, message_of, shortened
from certo_worker.tools import flake8, mypy, pyright, ruff, ty
from certo_worker.tools.diagnostic import Diagnostic, Read, Trouble

MAX_ITEMS = 2000
"""Maximum number of diagnostics reported per text."""

_READY = {
    "flake8": flake8.ready,
    "mypy": mypy.ready,
    "pyright": pyright.ready,
    "ruff": ruff.ready,
    "ty": ty.ready,
}


class _Reading:
    """A tool that has read the base text: its diagnostics, and the reader for another text; or the trouble."""

    def __init__(self, tool: str, path: str, texts: Dict[str, str], **further: str) -> None:
        self.base: List[Diagnostic] = []
        self.read: Optional[Read] = None
        self.trouble: Optional[Trouble] = None
        try:
            read = _READY[tool](path, texts, **further)
            self.base = read(texts[path])
            if len(self.base) > MAX_ITEMS:
                raise Trouble("broken", "it has more than {} things to say about {}".format(MAX_ITEMS, path))
            self.read = read
        except Exception as error:
            self.trouble = _as_trouble(error)


_reading: Optional[_Reading] = None


def prepare(preparation: Dict[str, Any]) -> None:
    """Let `tool` read the base text of the document at `path`.

    `texts` has that and the texts of other files, by path relative to the root, where this is started; `further` has
    the tool's special parameters.
    """
    global _reading
    _reading = _Reading(preparation["tool"], preparation["path"], preparation["texts"], **preparation["further"])


def main(request: Dict[str, Any], tell: Tell) -> None:
    """Report the diagnostics of the base text, and of the `text` of the request in its place."""
    assert _reading is not None, "a program is prepared before it is started"
    if _reading.read is None:
        _tell_trouble(_reading.trouble, tell)
        return
    try:
        candidate = _reading.read(request["text"])
    except Exception as error:
        _tell_trouble(_as_trouble(error), tell)
        return
    for about, remarks in (("base", _reading.base), ("candidate", candidate)):
        for remark in remarks[:MAX_ITEMS]:
            tell(
                {
                    "kind": "remark",
                    "about": about,
                    "line": remark.line,
                    "code": remark.code,
                    "message": shortened(remark.message),
                }
            )


def _as_trouble(error: Exception) -> Trouble:
    return error if isinstance(error, Trouble) else Trouble("broken", message_of(error))


def _tell_trouble(trouble: Optional[Trouble], tell: Tell) -> None:
    if trouble is not None:
        tell({"kind": "trouble", "why": trouble.why, "message": shortened(trouble.message)})
