"""An editor in the process of the daemon: it types, applies edits when it is told to, and follows LSP to the letter."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anyio.abc import TaskGroup

from certo.daemon.server import Server
from certo.edits.positions import Encoding
from certo.features.editor.client import Client
from certo.features.editor.session import EditorSession
from certo.features.table import register
from certo.sessions.searches import Searches
from support.lsp.editor import Editor as Arithmetic

_CODECS = {Encoding.UTF8: ("utf-8", 1), Encoding.UTF16: ("utf-16-le", 2), Encoding.UTF32: ("utf-32-le", 4)}


@dataclass
class Page:
    """One open document, with the text of each of its versions."""

    path: Path
    text: str
    version: int = 1
    history: dict[int, str] = field(default_factory=dict)


class Typist:
    """An editor; `guarded` refuses an edit for any version but the one it has, as those with `documentChanges` do."""

    def __init__(self, group: TaskGroup, searches: Searches, *, encoding: Encoding, guarded: bool) -> None:
        server = Server()
        self.desk = EditorSession(server, group, searches)
        self.desk.client = Client(
            encoding=encoding, version=1, versions=(1,), apply_edit=True, document_changes=guarded, questions=True
        )
        self.desk.documents.encoding = encoding
        register(server, self.desk)
        server.protocol.set_writer(self)
        self._receive = server.protocol.receive
        self.guarded = guarded
        self.pages: dict[str, Page] = {}
        self.answers: dict[int, Any] = {}
        self.asked: list[str] = []
        self.applied = 0
        self.silent = False
        """Whether it says nothing of the texts it makes of edits."""
        self._edits: deque[dict[str, Any]] = deque()
        self._last_id = 0
        self._places = Arithmetic(peer=None, root=Path("/"), encoding=encoding.value)  # type: ignore[arg-type]  # counts only

    def write(self, frame: bytes) -> None:
        """Receive one frame from the daemon."""
        message = json.loads(frame.partition(b"\r\n\r\n")[2])
        method = message.get("method")
        if method == "workspace/applyEdit":
            self._edits.append(message)
        elif method == "window/showMessageRequest":
            self.asked.append(message["params"]["message"])
            self._send({"id": message["id"], "result": None})
        elif method == "window/showMessage":
            self.asked.append(message["params"]["message"])
        elif method is None:
            self.answers[message["id"]] = message.get("result", message.get("error"))

    def open(self, path: Path, text: str) -> None:
        """Open a document."""
        uri = path.as_uri()
        self.pages[uri] = Page(path, text, history={1: text})
        item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": item}})

    def type(self, uri: str, offset: int, text: str) -> None:
        """Type at an offset, and notify the server."""
        page = self.pages[uri]
        place = self._places._position(page.text, offset)
        self._become(page, page.text[:offset] + text + page.text[offset:])
        self._tell(page, [{"range": {"start": place, "end": place}, "text": text}])

    def ask(self, method: str, params: dict[str, Any]) -> int:
        """Send a request, and return its id, under which the answer will be found."""
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": params})
        return self._last_id

    @property
    def has_edits(self) -> bool:
        """True if an edit has come that was neither applied nor refused."""
        return bool(self._edits)

    def apply_next(self, *, answer_first: bool) -> tuple[Page, str] | None:
        """Apply or refuse the oldest edit; return the page and its text before, or None if it was refused."""
        if not self._edits:
            return None
        message = self._edits.popleft()
        edit = message["params"]["edit"]
        changes = edit.get("documentChanges") or [
            {"textDocument": {"uri": uri, "version": None}, "edits": edits} for uri, edits in edit["changes"].items()
        ]
        (change,) = changes
        page = self.pages[change["textDocument"]["uri"]]
        if self.guarded and change["textDocument"]["version"] != page.version:
            self._send({"id": message["id"], "result": {"applied": False}})
            return None
        before, text = page.text, page.text
        for each in sorted(change["edits"], key=lambda each: _place(each["range"]["start"]), reverse=True):
            start, end = (self._offset(text, each["range"][side]) for side in ("start", "end"))
            text = text[:start] + each["newText"] + text[end:]
        self._become(page, text)
        self.applied += 1
        answer = {"id": message["id"], "result": {"applied": True}}
        if answer_first:
            self._send(answer)
        if not self.silent:
            self._tell(page, [{"text": text}])
        if not answer_first:
            self._send(answer)
        return page, before

    def _offset(self, text: str, place: dict[str, int]) -> int:
        """Return the offset of a place, as far as the text has it: an edit may be for another text."""
        codec, width = _CODECS[self.desk.client.encoding]
        lines = text.split("\n")
        line = min(place["line"], len(lines) - 1)
        before = lines[line].encode(codec)[: place["character"] * width].decode(codec, "ignore")
        return sum(len(each) + 1 for each in lines[:line]) + len(before)

    def _become(self, page: Page, text: str) -> None:
        page.text = text
        page.version += 1
        page.history[page.version] = text

    def _tell(self, page: Page, changes: list[dict[str, Any]]) -> None:
        document = {"uri": page.path.as_uri(), "version": page.version}
        params = {"textDocument": document, "contentChanges": changes}
        self._send({"method": "textDocument/didChange", "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        self._receive(json.dumps({"jsonrpc": "2.0", **message}).encode())


def _place(position: dict[str, int]) -> tuple[int, int]:
    return position["line"], position["character"]
