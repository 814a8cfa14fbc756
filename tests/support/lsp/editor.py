"""An editor with documents, a cursor and a menu, on top of a Peer, so that tests act as a user would.

    async with editor_on(root, "neovim") as editor:
        await editor.open("till.py")
        await editor.choose("till.py", "def total", "implement")
        await editor.said("verified by")

It keeps its own copy of every document and does its own arithmetic of positions, so that it agrees with the server only
if both are right; and it refuses an edit for any version but the one it has, as VS Code does.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import anyio

from support.lsp.editor_profiles import capabilities
from support.lsp.peer import Message, Peer, lsp_peer

_UNIT_BYTES = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
_CODEC = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


@dataclass
class Buffer:
    """One open document as the editor has it."""

    uri: str
    version: int
    text: str


@dataclass
class Editor:
    """One editor with its documents."""

    peer: Peer
    root: Path
    encoding: str = "utf-16"
    buffers: dict[str, Buffer] = field(default_factory=dict)
    refuse_edits: int = 0
    """How many of the coming edits are refused without a reason, as VS Code does."""

    def uri(self, path: str) -> str:
        """Return the URI of a file of the project."""
        return (self.root / path).as_uri()

    async def open(self, path: str, text: str | None = None, *, version: int = 1) -> None:
        """Open a file, or a text in its place."""
        if text is None:
            text = (self.root / path).read_bytes().decode("utf-8")
        self.buffers[path] = Buffer(self.uri(path), version, text)
        document = {"uri": self.uri(path), "languageId": "python", "version": version, "text": text}
        await self.peer.notify("textDocument/didOpen", {"textDocument": document})

    async def edit(self, path: str, old: str, new: str) -> None:
        """Replace the only occurrence of `old`, as typing would."""
        buffer = self.buffers[path]
        assert buffer.text.count(old) == 1, f"{old!r} is not there exactly once"
        start = buffer.text.index(old)
        span = self._range(buffer.text, start, start + len(old))
        buffer.text = buffer.text.replace(old, new)
        buffer.version += 1
        await self._changed(buffer, [{"range": span, "text": new}])

    async def save(self, path: str) -> None:
        """Write a document to its file."""
        await anyio.Path(self.root / path).write_bytes(self.buffers[path].text.encode("utf-8"))
        await self.peer.notify("textDocument/didSave", {"textDocument": {"uri": self.buffers[path].uri}})

    async def close(self, path: str) -> None:
        """Close a document."""
        await self.peer.notify("textDocument/didClose", {"textDocument": {"uri": self.buffers.pop(path).uri}})

    async def actions(self, path: str, at: str, *, to: str | None = None, **context: Any) -> list[Message]:
        """Return the code actions where `at` begins, or for the selection from there to where `to` begins."""
        asked = {
            "textDocument": {"uri": self.uri(path)},
            "range": {**self._cursor(path, at), **({} if to is None else {"end": self._cursor(path, to)["start"]})},
            "context": {"diagnostics": [], **context},
        }
        return await self.peer.request("textDocument/codeAction", asked) or []

    async def titles(self, path: str, at: str, **context: Any) -> list[str]:
        """Return the titles of the code actions where `at` begins."""
        return [action["title"] for action in await self.actions(path, at, **context)]

    async def choose(self, path: str, at: str, words: str) -> Any:
        """Choose the first of certo's code actions with these words in its title, and return the command's result."""
        actions = await self.actions(path, at, only=["refactor.rewrite.certo"])
        chosen = next((action for action in actions if words in action["title"]), None)
        assert chosen is not None, f"nothing about {words!r} among {[action['title'] for action in actions]}"
        if "command" not in chosen:
            chosen = await self.peer.request("codeAction/resolve", chosen)
        command = chosen["command"] if isinstance(chosen["command"], dict) else chosen
        return await self.command(command["command"], *command["arguments"])

    async def command(self, name: str, *arguments: Any) -> Any:
        """Run a command."""
        asked = {"command": name, "arguments": list(arguments)}
        return await self.peer.request("workspace/executeCommand", asked)

    async def hover(self, path: str, at: str) -> str | None:
        """Return the text of the hover where `at` begins."""
        asked = {"textDocument": {"uri": self.uri(path)}, "position": self._cursor(path, at)["start"]}
        shown = await self.peer.request("textDocument/hover", asked)
        return None if shown is None else str(shown["contents"]["value"])

    async def lenses(self, path: str) -> list[Message]:
        """Return the code lenses of a document."""
        asked = {"textDocument": {"uri": self.uri(path)}}
        return await self.peer.request("textDocument/codeLens", asked) or []

    async def said(self, words: str) -> str:
        """Wait for a message to the user with these words in it, which may be a question."""
        methods = {"window/showMessage", "window/showMessageRequest"}
        shown = await self.peer.wait_for_message(
            lambda message: message.get("method") in methods and words in message["params"]["message"]
        )
        return str(shown["params"]["message"])

    def apply(self, params: Any) -> Message:
        """Apply the server's edit to the buffers, or refuse it; then notify the server of the change.

        What is not open is opened by it, and stays unsaved; so is what it makes.
        """
        if self.refuse_edits:
            self.refuse_edits -= 1
            return {"applied": False}
        edit = params["edit"]
        changes = edit.get("documentChanges")
        if changes is None:
            changes = [{"textDocument": {"uri": uri}, "edits": edits} for uri, edits in edit["changes"].items()]
        texts = [change for change in changes if "kind" not in change]
        for change in changes:
            path = self._path(change.get("uri") or change["textDocument"]["uri"])
            buffer = self.buffers.get(path)
            if change.get("kind") == "create":
                if buffer is not None or (self.root / path).exists():
                    return {"applied": False}
            elif buffer is not None and change["textDocument"].get("version", buffer.version) != buffer.version:
                return {"applied": False}
        for change in texts:
            path = self._path(change["textDocument"]["uri"])
            if path not in self.buffers:
                place = self.root / path
                there = place.read_bytes().decode("utf-8") if place.exists() else ""
                self.buffers[path] = Buffer(self.uri(path), 0, there)
            buffer = self.buffers[path]
            for each in sorted(change["edits"], key=lambda each: _place(each["range"]["start"]), reverse=True):
                start, end = (self._offset(buffer.text, each["range"][side]) for side in ("start", "end"))
                buffer.text = buffer.text[:start] + each["newText"] + buffer.text[end:]
            buffer.version += 1
            self._to_tell.append(buffer)
        return {"applied": True}

    _to_tell: list[Buffer] = field(default_factory=list)

    async def accepted(self, path: str, before: str) -> str:
        """Wait until a document's text is another than `before`, tell the server of it, and return it."""
        with anyio.fail_after(500):
            while self.buffers[path].text == before:
                await self.peer.wait_for("workspace/applyEdit")
        for buffer in self._to_tell:
            if buffer.version == 1:
                document = {"uri": buffer.uri, "languageId": "python", "version": 1, "text": buffer.text}
                await self.peer.notify("textDocument/didOpen", {"textDocument": document})
            else:
                await self._changed(buffer, [{"text": buffer.text}])
        self._to_tell.clear()
        return self.buffers[path].text

    def _path(self, uri: str) -> str:
        return unquote(uri).removeprefix(f"{unquote(self.root.as_uri())}/")

    async def _changed(self, buffer: Buffer, changes: Sequence[Message]) -> None:
        document = {"uri": buffer.uri, "version": buffer.version}
        await self.peer.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def _cursor(self, path: str, at: str) -> Message:
        text = self.buffers[path].text
        assert text.count(at) >= 1, f"{at!r} is not in {path}"
        return self._range(text, text.index(at), text.index(at))

    def _range(self, text: str, start: int, end: int) -> Message:
        return {"start": self._position(text, start), "end": self._position(text, end)}

    def _position(self, text: str, offset: int) -> Message:
        before = text[:offset].replace("\r\n", "\n")
        line = before.rpartition("\n")[2]
        units = len(line.encode(_CODEC[self.encoding])) // _UNIT_BYTES[self.encoding]
        return {"line": before.count("\n"), "character": units}

    def _offset(self, text: str, position: Mapping[str, int]) -> int:
        lines = text.split("\n")
        line = lines[position["line"]].encode(_CODEC[self.encoding])
        before = line[: position["character"] * _UNIT_BYTES[self.encoding]].decode(_CODEC[self.encoding])
        return sum(len(each) + 1 for each in lines[: position["line"]]) + len(before)


def _place(position: Mapping[str, int]) -> tuple[int, int]:
    return position["line"], position["character"]


def script(root: Path, *replies: str | Mapping[str, Any]) -> Message:
    """Return settings that make the scripted generator give these replies: sources, or whole replies.

    What the tests of the winner notice is not measured afterwards, beside the tests that follow.
    """
    path = root / "replies.json"
    path.write_text(json.dumps([{"source": each} if isinstance(each, str) else dict(each) for each in replies]))
    return {
        "search": {"generator": "scripted"},
        "scripted": {"path": str(path)},
        "strength": {"afterSearch": False},
    }


def compared(settings: Message, **retry: Any) -> Message:
    """Return settings with which the results of two lanes are compared, so that a search goes on after one passed."""
    search = {**settings["search"], "strategy": "retry"}
    return {**settings, "search": search, "retry": {"select": "cheapest", "numCandidates": 2, **retry}}


@asynccontextmanager
async def editor_on(
    root: Path,
    name: str = "visual_studio_code",
    *,
    settings: Message | None = None,
    encoding: str | None = None,
    folders: Sequence[Path] = (),
    client: Message | None = None,
    called: str | None = None,
    **more: Any,
) -> AsyncIterator[Editor]:
    """Yield an editor with the capabilities of a real one, or of `client`; `more` are further options of `lsp_peer`."""
    said = {"settings": settings, "encoding": encoding, "folders": folders, "client": client, "called": called}
    async with lsp_peer(**more) as peer:
        yield await editor_at(peer, root, name, **said)


async def editor_at(
    peer: Peer,
    root: Path,
    name: str = "visual_studio_code",
    *,
    settings: Message | None = None,
    encoding: str | None = None,
    folders: Sequence[Path] = (),
    client: Message | None = None,
    called: str | None = None,
    token: str | None = None,
) -> Editor:
    """Return an editor at a peer that has sent nothing yet.

    `called` is the name it gives itself, `token` what a daemon on sockets wants to be told.
    """
    client = capabilities(name) if client is None else client
    if encoding is not None:
        client.setdefault("general", {})["positionEncodings"] = [encoding]
    editor = Editor(peer, root)
    peer.replies["workspace/applyEdit"] = editor.apply
    peer.replies["workspace/configuration"] = lambda params: [settings for _ in params["items"]]
    named = [{"uri": each.as_uri(), "name": each.name} for each in folders or (root,)]
    options = {"settings": settings or {}} | ({} if token is None else {"certo": {"token": token}})
    more: Message = {"initializationOptions": options, "workspaceFolders": named}
    if called is not None:
        more["clientInfo"] = {"name": called}
    result = await peer.initialize(client=client, root=root, **more)
    editor.encoding = result["capabilities"]["positionEncoding"]
    return editor
