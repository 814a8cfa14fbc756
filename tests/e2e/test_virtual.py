"""Virtual documents: a candidate's text, diff and report, and the findings of verifiers in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.lsp.editor import Editor, script
from support.lsp.editor_profiles import capabilities
from support.lsp.multi_client import Company
from support.lsp.peer import Message, Refusal
from support.projects.shop import TOTAL, TOTAL_DONE, TOTAL_WRONG, build_shop

SHOWN = "window/showDocument"
BAD_REQUEST = range(4000, 4100)


def knowing() -> Message:
    """Return a newer VS Code that knows virtual documents and pulls diagnostics."""
    client = capabilities("visual_studio_code")
    client["workspace"]["textDocumentContent"] = {"dynamicRegistration": True}
    client["textDocument"]["diagnostic"] = {"dynamicRegistration": True}
    return client


async def content(editor: Editor, uri: str) -> str:
    answer = await editor.peer.request("workspace/textDocumentContent", {"uri": uri})
    return str(answer["text"])


async def pulled(editor: Editor, uri: str, **more: Any) -> Message:
    answer: Message = await editor.peer.request("textDocument/diagnostic", {"textDocument": {"uri": uri}, **more})
    return answer


async def test_diff_is_shown_as_virtual_document(tmp_path: Path, company: Company) -> None:
    replies = script(tmp_path, TOTAL_DONE)
    async with company.editor("tcp", build_shop(tmp_path / "shop"), client=knowing(), settings=replies) as editor:
        await editor.open("shop.py")
        before = editor.buffers["shop.py"].text
        answer = await editor.choose("shop.py", "def total", "implement")
        await editor.said("verified by")
        await editor.choose("shop.py", "def total", "show diff")
        uri = (await editor.peer.wait_for(SHOWN))["uri"]
        assert uri.startswith(f"certo:/{answer['searchId']}/")
        assert uri.endswith("/diff/shop.py.diff")
        assert "+    return sum(prices)\n" in await content(editor, uri)
        text = uri.replace("/diff/shop.py.diff", "/text/shop.py")
        assert await content(editor, text) == before.replace(TOTAL, TOTAL_DONE)
        report = await content(editor, uri.replace("/diff/shop.py.diff", "/report/shop.py.md"))
        assert report.startswith("**Candidate #1 for total: verified by 2 tests")
        assert (await pulled(editor, text))["items"] == []


@pytest.mark.slow
async def test_diagnostics_are_in_the_candidates_text_only(tmp_path: Path, company: Company) -> None:
    replies = script(tmp_path, TOTAL_WRONG)
    async with company.editor("tcp", build_shop(tmp_path / "shop"), client=knowing(), settings=replies) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("nothing found")
        await editor.choose("shop.py", "def total", "show diff of #1 ✗ doctests")
        uri = (await editor.peer.wait_for(SHOWN))["uri"].replace("/diff/shop.py.diff", "/text/shop.py")
        lines = (await content(editor, uri)).split("\n")
        report = await pulled(editor, uri)
        assert report["kind"] == "full"
        (found,) = report["items"]
        assert (found["source"], found["code"], found["severity"]) == ("certo", "doctests", 1)
        start, end = found["range"]["start"], found["range"]["end"]
        assert start["line"] == end["line"]
        assert end["character"] == len(lines[start["line"]])
        again = await pulled(editor, uri, previousResultId=report["resultId"])
        assert again == {"kind": "unchanged", "resultId": report["resultId"]}
        assert (await pulled(editor, editor.uri("shop.py")))["items"] == []
        document = {"uri": uri, "languageId": "python", "version": 1, "text": "\n".join(lines)}
        await editor.peer.notify("textDocument/didOpen", {"textDocument": document})
        place = {"line": start["line"], "character": 0}
        asked = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}
        assert await editor.peer.request("textDocument/codeAction", asked) is None
        await editor.choose("shop.py", "def total", "dismiss")
        assert (await pulled(editor, uri))["items"] == [], "the search is gone, and its document still open"


@pytest.mark.parametrize(
    "uri", ["file:///etc/passwd", "certo:/nothing", "certo:/5f/6a/text/shop.py", "certo:/5f/6a/../text", "certo:"]
)
async def test_there_are_no_other_documents(uri: str, tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path / "shop"), client=knowing()) as editor:
        with pytest.raises(Refusal) as refused:
            await content(editor, uri)
        assert refused.value.code in BAD_REQUEST
