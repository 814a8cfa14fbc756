"""Bad input gets one clear sentence: what was wrong, with its value, and what to do; and nothing is left behind."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from support.lsp.editor import Editor, script
from support.lsp.multi_client import Company
from support.lsp.peer import Refusal
from support.projects.shop import DOUBLE, TOTAL, TOTAL_DONE, build_shop

INVALID_PARAMS = -32602


async def failed(editor: Editor, argument: dict[str, Any]) -> str:
    """Ask for an impossible search; return its error, which must be answered and shown once."""
    answer = await editor.command("certo.generate", {"v": 1, **argument})
    assert answer["state"] == "failed", answer
    assert await editor.said(answer["error"]) == f"Certo: {answer['error']}"
    assert "Traceback" not in answer["error"]
    return str(answer["error"])


async def refused(editor: Editor, command: str, *arguments: object) -> str:
    """Give a command a wrong argument and return the message of the error."""
    with pytest.raises(Refusal) as refusal:
        await editor.command(command, *arguments)
    assert refusal.value.code == INVALID_PARAMS
    return refusal.value.message


async def test_targets_that_are_not_there(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path, "X = 1\n\n\n" + TOTAL)) as editor:
        await editor.open("shop.py")
        uri = editor.uri("shop.py")
        assert "'totl'" in (sentence := await failed(editor, {"uri": uri, "qualname": "totl"}))
        assert "total (line 4)" in sentence
        assert "shop.py:1" in await failed(editor, {"uri": uri, "line": 1})
        assert "shop.py:999" in await failed(editor, {"uri": uri, "line": 999})
        assert "shop.py:1" in await failed(editor, {"uri": uri, "position": {"line": 0, "character": 0}})


async def test_texts_that_cannot_be_worked_on(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path)
    (root / "latin.py").write_bytes("def f():\n    return 'é'\n".encode("latin-1"))
    (root / "binary.py").write_bytes(b"def f():\0\n")
    async with company.editor("tcp", root) as editor:
        await editor.open("shop.py", "def total(prices):\n    ...\n\ny = (\n")
        assert "shop.py:4" in await failed(editor, {"uri": editor.uri("shop.py"), "qualname": "total"})
        assert "latin.py:2" in await failed(editor, {"uri": editor.uri("latin.py"), "qualname": "f"})
        assert "binary" in await failed(editor, {"uri": editor.uri("binary.py"), "qualname": "f"})
        assert "no such file" in await failed(editor, {"uri": editor.uri("nowhere.py"), "qualname": "f"})


async def test_documents_outside_files_or_workspace_are_refused(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path / "shop")
    outside = tmp_path / "elsewhere.py"
    outside.write_text(TOTAL)
    async with company.editor("tcp", root) as editor:
        untitled = {"uri": "untitled:Untitled-1", "languageId": "python", "version": 1, "text": TOTAL}
        await editor.peer.notify("textDocument/didOpen", {"textDocument": untitled})
        assert "untitled:Untitled-1 has no file" in await failed(editor, {"uri": untitled["uri"], "qualname": "total"})
        sentence = await failed(editor, {"uri": outside.as_uri(), "qualname": "total"})
        assert "outside the workspace" in sentence
        assert str(outside) in sentence


async def test_impossible_and_special_files_block_nothing(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path)
    os.mkfifo(root / "pipe.py")
    nowhere = ["file:///a%00b.py", f"file:///{'a/' * 2500}b.py", f"file:///{'a' * 300}.py", "file://[::1/b.py"]
    async with company.editor("tcp", root) as editor:
        for uri in [*nowhere, editor.uri("pipe.py")]:
            document = {"uri": uri, "languageId": "python", "version": 1, "text": TOTAL}
            assert await failed(editor, {"uri": uri, "qualname": "total"})
            await editor.peer.notify("textDocument/didOpen", {"textDocument": document})
            assert await editor.peer.request("textDocument/codeLens", {"textDocument": {"uri": uri}}) in (None, [])
            assert uri in nowhere or await editor.peer.request("textDocument/hover", hover(uri)) is None
        for uri in nowhere:
            assert "has no file" in await failed(editor, {"uri": uri, "qualname": "total"})


def hover(uri: str) -> dict[str, Any]:
    """The params of a hover at the beginning of a document."""
    return {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}


async def test_settings_that_are_wrong_are_named(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path)) as editor:
        await editor.open("shop.py")
        place = {"uri": editor.uri("shop.py"), "qualname": "total"}
        assert "genrator" in await failed(editor, {**place, "settings": {"search": {"genrator": "builtin"}}})
        assert "'psychic'" in await failed(editor, {**place, "settings": {"search": {"generator": "psychic"}}})
        assert "candidates" in await failed(editor, {**place, "settings": {"search": {"candidates": 0}}})


async def test_arguments_that_are_wrong_are_invalid_params(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path)) as editor:
        await editor.open("shop.py")
        uri = editor.uri("shop.py")
        assert "exactly one object" in await refused(editor, "certo.generate")
        assert "exactly one object" in await refused(editor, "certo.generate", uri, 3)
        assert "needs the argument 'uri'" in await refused(editor, "certo.generate", {"qualname": "f"})
        assert "no argument 'qualnam'" in await refused(editor, "certo.generate", {"uri": uri, "qualnam": "f"})
        assert "position, line" in await refused(editor, "certo.generate", {"uri": uri})
        assert "position, line" in await refused(editor, "certo.generate", {"uri": uri, "line": 1, "qualname": "f"})
        assert "'line' = 0" in await refused(editor, "certo.generate", {"uri": uri, "line": 0})
        assert "'v' = 2" in await refused(editor, "certo.generate", {"v": 2, "uri": uri, "line": 1})
        assert "needs the argument 'searchId'" in await refused(editor, "certo.cancel", {})
        assert "no argument 'search_id'" in await refused(editor, "certo.accept", {"search_id": "x", "searchId": "x"})
        assert "there is no command 'certo.fly'" in await refused(editor, "certo.fly", {})


async def test_searches_and_candidates_that_are_not_there(tmp_path: Path, company: Company) -> None:
    replies = script(tmp_path, {"source": TOTAL_DONE, "delaySeconds": 60})
    async with company.editor("tcp", build_shop(tmp_path), settings=replies) as editor:
        await editor.open("shop.py")
        for command in ("cancel", "accept", "retry", "showDiff", "dismiss", "next"):
            answer = await editor.command(f"certo.{command}", {"v": 1, "searchId": "nowhere"})
            assert answer["state"] == "failed"
            assert "'nowhere'" in answer["error"]
        live = (await editor.choose("shop.py", "def total", "implement"))["searchId"]
        answer = await editor.command("certo.accept", {"v": 1, "searchId": live, "candidateId": "nobody"})
        assert "'nobody'" in answer["error"]
        answer = await editor.command("certo.showDiff", {"v": 1, "searchId": live})
        assert "no candidate for `total` has passed" in answer["error"]


async def test_missing_interpreter_ends_search_with_a_sentence(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path)
    async with company.editor("tcp", root, settings={"interpreter": str(tmp_path / "no-python")}) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("no-python")
        assert "no-python" in (await editor.hover("shop.py", "def total") or "")


async def test_changes_to_closed_documents_break_nothing(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path)) as editor:
        changed = {"textDocument": {"uri": editor.uri("shop.py"), "version": 2}, "contentChanges": [{"text": "x"}]}
        await editor.peer.notify("textDocument/didChange", changed)
        await editor.peer.notify("textDocument/didClose", {"textDocument": {"uri": editor.uri("shop.py")}})
        await editor.open("shop.py")
        assert len(await editor.actions("shop.py", "def total")) == 1


async def test_passing_or_untested_functions_are_not_repaired(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path, "def half(n):\n    return n / 2\n" + DOUBLE)) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def double", "repair")
        await editor.said("`double` needs no repair. Every test that reaches the target passes already")
        assert "**Nothing to repair in double**" in (await editor.hover("shop.py", "def double") or "")
        await editor.choose("shop.py", "def half", "repair")
        await editor.said("No test reaches `half`, so nothing can be verified.")
        asked = [each["params"] for each in editor.peer.received if each.get("method") == "window/showMessageRequest"]
        assert asked[-1]["type"] == types.MessageType.Warning


async def test_folders_come_and_go(tmp_path: Path, company: Company) -> None:
    root, other = build_shop(tmp_path / "one"), build_shop(tmp_path / "two")
    async with company.editor("tcp", root) as editor:
        place = {"uri": (other / "shop.py").as_uri(), "qualname": "double"}
        folder = {"uri": other.as_uri(), "name": "two"}
        assert "outside the workspace" in await failed(editor, place)
        await editor.peer.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
        assert (await editor.command("certo.generate", {"v": 1, **place}))["state"] == "running"
        await editor.said("`double` needs no repair")
        await editor.peer.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}})
        assert "outside the workspace" in await failed(editor, place)
