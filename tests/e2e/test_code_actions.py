"""Code actions: the offers by place, kind and client."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.lsp.editor import script
from support.lsp.multi_client import Company
from support.lsp.peer import Message, Refusal
from support.projects.shop import TOTAL_DONE, TOTAL_WRONG, build_shop

SLOW: Message = {"source": TOTAL_DONE, "delaySeconds": 60}
DOUBLE = [
    "Certo: repair `double` until its tests pass",
    "Certo: write tests for `double`",
    "Certo: make `double` faster",
]
UNASKED = 2
"""LSP's CodeActionTriggerKind for a cursor that moved."""


async def test_holes_are_implemented_and_functions_repaired(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path)) as editor:
        await editor.open("shop.py", version=41)
        (action,) = await editor.actions("shop.py", "total([1, 2])")
        assert action["title"] == "Certo: implement `total` and verify"
        assert action["kind"] == "refactor.rewrite.certo.generate"
        assert "isPreferred" not in action
        assert action["command"]["arguments"] == [
            {"v": 1, "uri": editor.uri("shop.py"), "version": 41, "position": {"line": 0, "character": 0}}
        ]
        assert await editor.titles("shop.py", "return n + 3") == DOUBLE


ASKS: Message = {
    "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}},
    "experimental": {"certo": {"instructions": True}},
}
"""A client that asks its user for an instruction."""


async def test_clients_that_ask_are_offered_to_rewrite(tmp_path: Path, company: Company) -> None:
    """They ask their user for an instruction."""
    async with company.editor("tcp", build_shop(tmp_path), client=ASKS) as editor:
        await editor.open("shop.py")
        assert await editor.titles("shop.py", "total([1, 2])") == ["Certo: implement `total` and verify"]
        repair, rewrite, _, faster, keeping = await editor.actions("shop.py", "return n + 3")
        assert faster["title"] == "Certo: make `double` faster"
        assert faster["command"]["arguments"] == [{**repair["command"]["arguments"][0], "goal": "faster"}]
        assert rewrite["title"] == "Certo: rewrite `double` with verification…"
        assert rewrite["kind"] == "refactor.rewrite.certo.instruct"
        (argument,) = rewrite["command"]["arguments"]
        assert argument == {**repair["command"]["arguments"][0], "ask": "instruction"}
        assert keeping["title"] == "Certo: rewrite `double`, keeping behaviour…"
        assert keeping["command"]["arguments"] == [{**argument, "preserve": True}]
        command = {"command": rewrite["command"]["command"]}
        with pytest.raises(Refusal, match="ask the user for an instruction first"):
            await editor.peer.request("workspace/executeCommand", {**command, "arguments": [argument]})
        said = {**argument, "instruction": "shift instead"}
        began = await editor.peer.request("workspace/executeCommand", {**command, "arguments": [said]})
        await editor.command("certo.cancel", {"searchId": began["searchId"]})
        # A search that has ended keeps nobody from wanting something else.
        assert rewrite["title"] in await editor.titles("shop.py", "return n + 3")


NESTED = """\
def outer(prices):
    def inner(price):
        return price + 1

    total = 1
    return total


def other(x):
    return x
"""


async def test_selection_means_its_enclosing_function(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path, NESTED)) as editor:
        await editor.open("shop.py")

        async def offered(first: str, last: str) -> tuple[str, Message]:
            action, *_ = await editor.actions("shop.py", first, to=last)
            (argument,) = action["command"]["arguments"]
            return action["title"], argument

        title, argument = await offered("    total = 1", "\ndef other")
        assert title == "Certo: repair `outer` until its tests pass"
        assert argument["position"] == {"line": 0, "character": 0}
        assert argument["range"] == {"start": {"line": 4, "character": 0}, "end": {"line": 7, "character": 0}}
        title, argument = await offered("return price", " + 1")
        assert title == "Certo: repair `outer.inner` until its tests pass"
        assert (await offered("return price", "return total"))[0] == "Certo: repair `outer` until its tests pass"
        # What holds no function whole is about the one where it begins.
        assert (await offered("return total", "return x"))[0] == "Certo: repair `outer` until its tests pass"
        assert (await editor.command("certo.generate", argument))["state"] == "running"


async def test_nothing_outside_functions_and_other_languages(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path, "LIMIT = 3\n\n\ndef f():\n    ...\n")) as editor:
        await editor.open("shop.py")
        assert await editor.actions("shop.py", "LIMIT") == []
        document = {"uri": editor.uri("notes.txt"), "languageId": "plaintext", "version": 1, "text": "def f(): ...\n"}
        await editor.peer.notify("textDocument/didOpen", {"textDocument": document})
        place = {"line": 0, "character": 4}
        asked = {"textDocument": {"uri": editor.uri("notes.txt")}, "range": {"start": place, "end": place}}
        asked["context"] = {"diagnostics": []}
        assert await editor.peer.request("textDocument/codeAction", asked) is None


async def test_only_the_kinds_that_were_asked_for(tmp_path: Path, company: Company) -> None:
    place = {"line": 0, "character": 4}
    red = {"range": {"start": place, "end": place}, "message": "red"}
    async with company.editor("tcp", build_shop(tmp_path)) as editor:
        await editor.open("shop.py")

        async def kinds(*, marked: bool, **context: list[str]) -> list[str]:
            diagnostics = [red] if marked else []
            actions = await editor.actions("shop.py", "def total", **{"diagnostics": diagnostics, **context})
            return [action["kind"] for action in actions]

        assert await kinds(marked=True) == ["quickfix.certo"]
        assert await kinds(marked=True, only=["quickfix"]) == ["quickfix.certo"]
        assert await kinds(marked=False, only=["quickfix"]) == []
        assert await kinds(marked=True, only=["refactor"]) == ["refactor.rewrite.certo.generate"]
        assert await kinds(marked=False, only=["refactor.rewrite.certo"]) == ["refactor.rewrite.certo.generate"]
        assert await kinds(marked=False, only=["refactor.extract"]) == []
        assert await kinds(marked=True, only=["source.fixAll"]) == []
        assert await kinds(marked=False, only=["source", "refactor"]) == ["refactor.rewrite.certo.generate"]
        assert await kinds(marked=False, only=[""]) == ["refactor.rewrite.certo.generate"]


async def test_unasked_only_running_searches_are_shown(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, SLOW)) as editor:
        await editor.open("shop.py")
        assert await editor.titles("shop.py", "def total", triggerKind=UNASKED) == []
        await editor.choose("shop.py", "def total", "implement")
        (title,) = await editor.titles("shop.py", "def total", triggerKind=UNASKED)
        assert title.startswith("Certo: cancel (running ")
        assert await editor.titles("shop.py", "def double") == DOUBLE
        await editor.choose("shop.py", "def total", "cancel")


async def test_finished_search_offers_accept_diff_retry_dismiss(tmp_path: Path, company: Company) -> None:
    replies = script(tmp_path, TOTAL_WRONG, TOTAL_DONE)
    async with company.editor("tcp", build_shop(tmp_path), settings=replies) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        assert await editor.titles("shop.py", "def total") == [
            "Certo: accept #2 ✓ 2/2 tests, fair · 8 tokens changed",
            "Certo: show diff of #2",
            "Certo: retry",
            "Certo: dismiss",
        ]
        assert len(await editor.titles("shop.py", "def total", triggerKind=UNASKED)) == 1
        await editor.choose("shop.py", "def total", "dismiss")
        assert await editor.titles("shop.py", "def total") == ["Certo: implement `total` and verify"]


async def test_what_no_test_exercised_says_so(tmp_path: Path, company: Company) -> None:
    untested = "def total(prices):\n    ...\n"
    done = "def total(prices):\n    return sum(prices)\n"
    async with company.editor("tcp", build_shop(tmp_path, untested), settings=script(tmp_path, done)) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("it is NOT VERIFIED")
        titles = await editor.titles("shop.py", "def total")
        assert titles[0].startswith("Certo: accept #1 ? NOT VERIFIED, no test exercised it")
        assert "**Candidate #1 for total: NOT VERIFIED" in (await editor.hover("shop.py", "def total") or "")


async def test_unparsable_text_offers_only_the_reason(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path, "def total(prices):\n    ...\n\nx = (\n")
    async with company.editor("tcp", root) as editor:
        await editor.open("shop.py")
        (action,) = await editor.actions("shop.py", "def total")
        assert "shop.py:4" in action["disabled"]["reason"]
        assert "command" not in action
    async with company.editor("tcp", root, name="emacs") as editor:
        await editor.open("shop.py")
        shown = await editor.actions("shop.py", "def total")
        assert all("disabled" in action for action in shown)


async def test_an_editor_without_literals_gets_plain_commands(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), client={"textDocument": {"codeAction": {}}}) as editor:
        await editor.open("shop.py")
        (action,) = await editor.actions("shop.py", "def total")
    assert action["command"] == "certo.generate"
    assert action["title"] == "Certo: implement `total` and verify"


async def test_generated_tag_goes_to_supporting_editors_only(tmp_path: Path, company: Company) -> None:
    literal = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
    for support, tags in (({"tagSupport": {"valueSet": [1]}}, [1]), ({}, None)):
        async with company.editor(
            "tcp", build_shop(tmp_path), client={"textDocument": {"codeAction": literal | support}}
        ) as editor:
            await editor.open("shop.py")
            (action,) = await editor.actions("shop.py", "def total")
            assert action.get("tags") == tags


def resolving(*properties: str) -> Message:
    """Return a client that resolves these properties of code actions when it needs them."""
    action = {
        "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
        "disabledSupport": True,
        "dataSupport": True,
        "resolveSupport": {"properties": list(properties)},
    }
    return {"textDocument": {"codeAction": action}, "workspace": {"applyEdit": True}}


async def test_commands_are_resolved_when_needed(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), client=resolving("edit", "command")) as editor:
        await editor.open("shop.py", version=3)
        (action,) = await editor.actions("shop.py", "def total")
        assert "command" not in action
        whole = await editor.peer.request("codeAction/resolve", action)
        assert whole["command"]["command"] == "certo.generate"
        assert whole["command"]["arguments"][0]["version"] == 3
        assert await editor.peer.request("codeAction/resolve", whole) == whole
        foreign = {"title": "of another server", "data": 7}
        assert await editor.peer.request("codeAction/resolve", foreign) == foreign
    async with company.editor("tcp", build_shop(tmp_path), client=resolving("edit")) as editor:
        await editor.open("shop.py")
        (action,) = await editor.actions("shop.py", "def total")
        assert action["command"]["command"] == "certo.generate"


async def test_outdated_action_is_disabled_with_a_reason(tmp_path: Path, company: Company) -> None:
    client, replies = resolving("command", "disabled"), script(tmp_path, TOTAL_DONE)
    async with company.editor("tcp", build_shop(tmp_path / "shop"), client=client, settings=replies) as editor:
        await editor.open("shop.py")
        (generate,) = await editor.actions("shop.py", "def total")
        await editor.edit("shop.py", "Add the prices up", "Add up")
        late = await editor.peer.request("codeAction/resolve", generate)
        assert late["disabled"]["reason"].startswith("shop.py has changed since this was offered")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("verified by")
        accept = (await editor.actions("shop.py", "def total"))[0]
        await editor.choose("shop.py", "def total", "dismiss")
        late = await editor.peer.request("codeAction/resolve", accept)
        assert late["disabled"]["reason"].startswith("there is no search ")
        assert "command" not in late
