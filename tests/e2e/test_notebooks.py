"""Notebooks: a function in a cell is searched for with the cells above it, and accepted into its cell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest

from support.lsp.editor import Editor, editor_on, script
from support.lsp.multi_client import Company
from support.lsp.peer import Message
from support.projects.shop import TOTAL, TOTAL_DONE, build_shop

IMPORTS = "%matplotlib inline\nimport math\nBASE = 0\n"
ADDED = TOTAL.replace("    ...\n", "    return math.floor(BASE + sum(prices))\n")


class Notebook:
    """A notebook of three cells, as VS Code keeps one."""

    def __init__(self, editor: Editor, *cells: str) -> None:
        self.editor = editor
        self.uri = editor.uri("analysis.ipynb")
        self.version = 1
        self.texts = {
            f"vscode-notebook-cell:{self.uri.removeprefix('file:')}#W{at}": cell for at, cell in enumerate(cells)
        }
        self.versions = dict.fromkeys(self.texts, 1)

    @property
    def cells(self) -> list[str]:
        return list(self.texts)

    async def open(self) -> None:
        notebook = {
            "uri": self.uri,
            "notebookType": "jupyter-notebook",
            "version": self.version,
            "cells": [{"kind": 2, "document": uri} for uri in self.texts],
        }
        documents = [
            {"uri": uri, "languageId": "python", "version": 1, "text": text} for uri, text in self.texts.items()
        ]
        await self.editor.peer.notify(
            "notebookDocument/didOpen", {"notebookDocument": notebook, "cellTextDocuments": documents}
        )

    async def change(self, cells: Message) -> None:
        self.version += 1
        identifier = {"uri": self.uri, "version": self.version}
        await self.editor.peer.notify(
            "notebookDocument/didChange", {"notebookDocument": identifier, "change": {"cells": cells}}
        )

    async def write(self, uri: str, text: str) -> None:
        self.texts[uri] = text
        self.versions[uri] += 1
        document = {"uri": uri, "version": self.versions[uri]}
        await self.change({"textContent": [{"document": document, "changes": [{"text": text}]}]})

    async def actions(self, uri: str, at: str) -> list[Message]:
        line = self.texts[uri][: self.texts[uri].index(at)].count("\n")
        place = {"line": line, "character": 0}
        asked = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}
        return await self.editor.peer.request("textDocument/codeAction", asked) or []

    async def choose(self, uri: str, at: str, words: str) -> Any:
        actions = await self.actions(uri, at)
        chosen = next((action for action in actions if words in action["title"]), None)
        assert chosen is not None, f"nothing about {words!r} among {[action['title'] for action in actions]}"
        return await self.editor.command(chosen["command"]["command"], *chosen["command"]["arguments"])

    def apply(self, params: Any) -> Message:
        """Apply an edit as VS Code does, of the one document it is for."""
        (change,) = params["edit"]["documentChanges"]
        uri, version = change["textDocument"]["uri"], change["textDocument"]["version"]
        if version != self.versions[uri]:
            return {"applied": False}
        lines = self.texts[uri].split("\n")
        for edit in reversed(change["edits"]):
            start, end = edit["range"]["start"], edit["range"]["end"]
            assert start["line"] == end["line"]
            line = lines[start["line"]]
            lines[start["line"]] = line[: start["character"]] + edit["newText"] + line[end["character"] :]
        self.texts[uri] = "\n".join(lines)
        return {"applied": True}


def syncing() -> Message:
    """Return a client that synchronizes notebooks."""
    return {
        "notebookDocument": {"synchronization": {"dynamicRegistration": True}},
        "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}},
        "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}},
    }


async def test_function_in_a_cell_is_accepted(tmp_path: Path, company: Company) -> None:
    """Judged with the cells above it, accepted into its cell."""
    root = build_shop(tmp_path)
    async with company.editor("tcp", root, client=syncing(), settings=script(tmp_path, ADDED)) as editor:
        notebook = Notebook(editor, IMPORTS, "%%bash\nls\n", f"!ls\n{TOTAL}df.head?", "total(1")
        editor.peer.replies["workspace/applyEdit"] = notebook.apply
        await notebook.open()
        cell = notebook.cells[2]
        before = notebook.texts[cell]
        await notebook.choose(cell, "def total", "implement `total`")
        assert "verified by 2 tests" in await editor.said("`total`")
        place = {"line": 1, "character": 5}
        shown = await editor.peer.request("textDocument/hover", {"textDocument": {"uri": cell}, "position": place})
        assert "verified by 2 tests" in shown["contents"]["value"]
        (lens, *_) = await editor.peer.request("textDocument/codeLens", {"textDocument": {"uri": cell}})
        assert lens["range"]["start"]["line"] == 1
        # What changes above moves the module, not the cell.
        await notebook.write(notebook.cells[0], f"import os\n{IMPORTS}")
        await notebook.choose(cell, "def total", "accept #1")
        with anyio.fail_after(500):
            while notebook.texts[cell] == before:
                await editor.peer.wait_for("workspace/applyEdit")
        assert notebook.texts[cell] == before.replace("    ...\n", "    return math.floor(BASE + sum(prices))\n")


@pytest.mark.slow
async def test_protocol_positions_are_those_of_the_cell(tmp_path: Path, company: Company) -> None:
    client = {**syncing(), "experimental": {"certo": {"versions": [1]}}}
    root = build_shop(tmp_path)
    async with company.editor("tcp", root, client=client, settings=script(tmp_path, TOTAL_DONE)) as editor:
        notebook = Notebook(editor, IMPORTS, TOTAL)
        await notebook.open()
        above, cell = notebook.cells
        started = await editor.peer.request("certo/search/start", {"key": "1", "uri": cell, "qualname": "total"})
        which = {"searchId": started["searchId"]}
        await editor.peer.request("certo/search/attach", which)
        (listed,) = (await editor.peer.request("certo/search/list", {"uri": cell}))["searches"]
        assert (listed["searchId"], listed["uri"]) == (which["searchId"], cell)
        candidate = {**which, "candidateId": listed["best"]}
        await notebook.write(above, f"import os\n{IMPORTS}")
        carried = await editor.peer.request("certo/candidate/rebase", candidate)
        line = TOTAL[: TOTAL.index("    ...")].count("\n")
        place = {"start": {"line": line, "character": 4}, "end": {"line": line, "character": 7}}
        assert carried["edits"] == [{"range": place, "newText": "return sum(prices)"}]
        await notebook.write(cell, TOTAL.replace("    ...", "    return 0"))
        refused = await editor.peer.request("certo/candidate/rebase", candidate)
        assert [conflict["range"]["start"] for conflict in refused["conflicts"]] == [{"line": line, "character": 0}]


async def test_added_moved_and_deleted_cells_are_known(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path)
    async with company.editor("tcp", root, client=syncing(), settings=script(tmp_path, TOTAL_DONE)) as editor:
        notebook = Notebook(editor, "x = (", TOTAL)
        await notebook.open()
        first, second = notebook.cells
        (broken,) = await notebook.actions(first, "x") or [None]
        assert broken is None, "this client cannot show why not"
        assert len(await notebook.actions(second, "def total")) == 1
        new = f"{second}-new"
        notebook.texts[new], notebook.versions[new] = "def f():\n    ...\n", 1
        opened = {"uri": new, "languageId": "python", "version": 1, "text": notebook.texts[new]}
        array = {"start": 0, "deleteCount": 1, "cells": [{"kind": 2, "document": new}]}
        closed = [{"uri": first}]
        await notebook.change({"structure": {"array": array, "didOpen": [opened], "didClose": closed}})
        assert len(await notebook.actions(new, "def f")) == 1
        assert await notebook.actions(first, "x") == []
        # A function of a cell above is none of this one's.
        assert [action["title"] for action in await notebook.actions(second, "def total")] == [
            "Certo: implement `total` and verify"
        ]
        identifiers = [{"uri": uri} for uri in (new, second)]
        await editor.peer.notify(
            "notebookDocument/didClose", {"notebookDocument": {"uri": notebook.uri}, "cellTextDocuments": identifiers}
        )
        assert await notebook.actions(second, "def total") == []


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ["auto", pytest.param("process", marks=pytest.mark.slow)])
async def test_unsaved_new_file_is_searched_as_is(tmp_path: Path, isolation: str) -> None:
    """Without a file system of their own, runs find the file in the overlay alone."""
    settings = {**script(tmp_path, TOTAL_DONE), "sandbox": {"isolation": isolation}}
    async with editor_on(build_shop(tmp_path), settings=settings) as editor:
        await editor.open("fresh.py", TOTAL)
        await editor.choose("fresh.py", "def total", "implement")
        assert "verified by 2 tests" in await editor.said("`total`")
