"""Hover: the score card on its function, in the editor's format."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import anyio
import pytest

from support.lsp.editor import script
from support.lsp.editor_profiles import capabilities
from support.lsp.multi_client import Company
from support.projects.shop import TOTAL_DONE, TOTAL_WRONG, build_shop


def commit(root: Path) -> None:
    """Make the project a repository with one commit."""
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"]):
        subprocess.run(["git", *words], cwd=root, check=True)


async def test_hover_tells_progress_on_the_whole_function(tmp_path: Path, company: Company) -> None:
    slow = {"source": TOTAL_DONE, "delaySeconds": 60}
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, slow)) as editor:
        await editor.open("shop.py")
        assert await editor.hover("shop.py", "def total") is None
        await editor.choose("shop.py", "def total", "implement")
        card = await editor.hover("shop.py", ">>> total([])")
        assert card is not None
        assert card.startswith("**Searching for total**")
        assert await editor.hover("shop.py", "def double") is None


@pytest.mark.slow
async def test_a_search_that_found_nothing_says_why(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_WRONG)) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("nothing found for `total`. The generator has no candidate to propose.")
        card = await editor.hover("shop.py", "def total")
        assert card is not None
        assert card.startswith("**Nothing found for total**")
        assert "#1 doctests:" in card


async def test_comparison_with_the_last_commit(tmp_path: Path, company: Company) -> None:
    """It is made on request, and said in the hover of exactly the text that was compared."""
    root = build_shop(tmp_path)
    commit(root)
    async with company.editor("tcp", root) as editor:
        await editor.open("shop.py")
        await editor.edit("shop.py", "return n * 2", "return n * 3")
        uri, title = editor.uri("shop.py"), "Certo: compare `triple` with HEAD"
        await editor.peer.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        while title not in await editor.titles("shop.py", "return n * 3"):
            pass  # The commit is read in the background; each round asks the server again.
        assert not [each for each in await editor.titles("shop.py", "def double") if "compare" in each]
        assert await editor.hover("shop.py", "def triple") is None
        await editor.choose("shop.py", "def triple", "compare")
        await editor.said("since HEAD: different: triple(1) gave 2, now 3")
        card = await editor.hover("shop.py", "def triple")
        assert card is not None
        assert card.replace("\\", "") == "since HEAD: different: triple(1) gave 2, now 3"
        await editor.edit("shop.py", "return n * 3", "return n * 4")
        assert await editor.hover("shop.py", "def triple") is None


@pytest.mark.slow
async def test_links_show_the_call_and_compare_again(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path / "shop")
    commit(root)
    client = capabilities("visual_studio_code") | {"experimental": {"certo": {"commandLinks": True}}}
    async with company.editor("tcp", root, client=client) as editor:
        await editor.open("shop.py")
        await editor.edit("shop.py", "return n * 2", "return n * 3")
        await editor.command("certo.diff", {"v": 1, "uri": editor.uri("shop.py"), "qualname": "triple"})
        await editor.said("since HEAD: different: triple(1) gave 2, now 3")
        card = await editor.hover("shop.py", "def triple")
        assert "[Compare again](command:certo.diff?" in (card or "")
        [uri] = re.findall(r"\[Show the call\]\(([^)]+)\)", card or "")
        said = (await editor.peer.request("workspace/textDocumentContent", {"uri": uri}))["text"]
    (root / "call.py").write_text(said, encoding="utf-8")
    ran = await anyio.run_process([sys.executable, "call.py"], cwd=root)
    assert (said.splitlines()[:2], ran.stdout) == (["# HEAD: gives 2", "# now: gives 3"], b"2\n")


@pytest.mark.slow
async def test_edited_function_marks_its_card(tmp_path: Path, company: Company) -> None:
    """Strength and groups are about the text that was searched."""
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        card = await editor.hover("shop.py", "def total")
        assert "The function was edited after this search" not in (card or "")
        await editor.edit("shop.py", ">>> total([])", ">>> total(())")
        card = await editor.hover("shop.py", "def total")
        assert card is None or "The function was edited after this search" in card


@pytest.mark.slow
async def test_plain_text_hover_is_aligned(tmp_path: Path, company: Company) -> None:
    client = {
        "textDocument": {
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
            "hover": {"contentFormat": ["plaintext", "markdown"]},
        }
    }
    root = build_shop(tmp_path / "shop")
    async with company.editor("tcp", root, client=client, settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        card = await editor.hover("shop.py", "def total")
        assert card is not None
        lines = card.splitlines()
        assert lines[0] == "Candidate #1 for total: verified by 2 tests, 2 of them newly passing"
        assert "**" not in card
        assert "```" not in card
        assert max(map(len, lines)) <= 80
        [passed] = [line for line in lines if line.startswith("✓")]
        assert passed.startswith("✓ syntax, ")
        assert "doctests 2/2 (2 newly)" in passed
        facts = lines[lines.index(passed) + 2 :]
        rows = [line.split("  ")[0] for line in facts if not line.startswith(" ")]
        assert rows[:3] == ["confined", "cost", "forgery"]


@pytest.mark.slow
async def test_links_are_for_editors_with_command_links(tmp_path: Path, company: Company) -> None:
    links = {"experimental": {"certo": {"commandLinks": True}}}
    client = capabilities("visual_studio_code") | links
    root = build_shop(tmp_path / "shop")
    async with company.editor("tcp", root, client=client, settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        card = await editor.hover("shop.py", "def total")
        found = dict(re.findall(r"\[([^]]+)\]\(command:([^)]+)\)", card or ""))
        assert list(found) == ["Accept", "Show diff", "Retry"]
        assert "The function was edited after this search" not in card
        command, _, arguments = found["Accept"].partition("?")
        await editor.command(command, *json.loads(unquote(arguments)))
        assert "return sum(prices)" in await editor.accepted("shop.py", before)
