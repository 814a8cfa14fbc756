"""Code actions beyond the first three: by a menu, and by their kinds."""

from __future__ import annotations

from pathlib import Path

from support.lsp.multi_client import Company
from support.lsp.peer import Message
from support.projects.shop import build_shop

ASKED = "window/showMessageRequest"
ASKS: Message = {
    "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}},
    "window": {"showMessage": {"messageActionItem": {"additionalPropertiesSupport": False}}},
    "experimental": {"certo": {"instructions": True}},
}
"""A client that asks its user for an instruction, and can offer a choice."""

FIRST = [
    "Certo: repair `double` until its tests pass",
    "Certo: rewrite `double` with verification…",
    "Certo: write tests for `double`",
]
FURTHER = ["Certo: make `double` faster", "Certo: rewrite `double`, keeping behaviour…"]
MENU = "Certo: more for `double`…"


async def test_menu_runs_what_is_chosen(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), client=ASKS) as editor:
        await editor.open("shop.py")
        *first, more = await editor.actions("shop.py", "return n + 3")
        assert [action["title"] for action in first] == FIRST
        assert more["title"] == MENU
        editor.peer.replies[ASKED] = lambda _params: {"title": "make `double` faster"}
        (argument,) = more["command"]["arguments"]
        assert (await editor.command("certo.more", argument))["state"] == "shown"
        asked = await editor.peer.wait_for(ASKED)
        # No message of LSP asks for an instruction.
        assert [each["title"] for each in asked["actions"]] == ["make `double` faster"]
        await editor.said("`double`")


async def test_own_kinds_give_every_action(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), client=ASKS) as editor:
        await editor.open("shop.py")

        async def titles(*only: str, marked: bool = False) -> list[str]:
            found = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "message": ""}
            context = {"only": list(only), "diagnostics": [found] if marked else []}
            return await editor.titles("shop.py", "return n + 3", **context)

        assert await titles("refactor.rewrite.certo") == [*FIRST, *FURTHER]
        assert await titles("refactor.rewrite.certo.faster") == FURTHER[:1]
        assert await titles("refactor") == [*FIRST, MENU]
        # Only what may mend a problem is a quick fix.
        assert await titles("quickfix", marked=True) == FIRST[:1]


async def test_without_a_menu_all_are_offered(tmp_path: Path, company: Company) -> None:
    mute = {**ASKS, "window": {}}
    async with company.editor("tcp", build_shop(tmp_path), client=mute) as editor:
        await editor.open("shop.py")
        assert await editor.titles("shop.py", "return n + 3") == [*FIRST, *FURTHER]
