"""Running a search: start, progress, end, and several at once."""

from __future__ import annotations

from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from certo.sandbox.process.process_table import descendants, process_table
from support.lsp.editor import editor_on, script
from support.lsp.multi_client import Company
from support.lsp.peer import SILENCE, Message, Refusal
from support.projects.shop import DOUBLE, TOTAL, TOTAL_DONE, TOTAL_WRONG, TRIPLE_DONE, build_shop

SLOW: Message = {"source": TOTAL_DONE, "delaySeconds": 60}


@pytest.mark.slow
async def test_progress_is_reported_at_a_readable_pace(tmp_path: Path, company: Company) -> None:
    replies = script(
        tmp_path, *[{"source": TOTAL_WRONG.replace("3\n", f"{n}\n"), "delaySeconds": 0.1} for n in range(5)]
    )
    async with company.editor("tcp", build_shop(tmp_path), settings=replies) as editor:
        await editor.open("shop.py")
        answer = await editor.choose("shop.py", "def total", "implement")
        began = anyio.current_time()
        await editor.said("nothing found for `total`")
        seconds = anyio.current_time() - began
        created = [each for each in editor.peer.received if each.get("method") == "window/workDoneProgress/create"]
        assert [each["params"]["token"] for each in created] == [f"certo:{answer['searchId']}"]
        steps = [each["params"]["value"] for each in editor.peer.received if each.get("method") == "$/progress"]
        assert steps[0]["kind"] == "begin"
        assert steps[0]["title"] == "Certo: total"
        assert steps[0]["cancellable"] is True
        assert steps[-1]["kind"] == "end"
        assert 2 <= len(steps) <= 3 + 4 * seconds
        assert any("candidate" in step["message"] for step in steps[1:-1])
        for _ in ("when it began", "when it had ended"):
            await editor.peer.wait_for("workspace/codeLens/refresh")
        refreshed = [each for each in editor.peer.received if each.get("method") == "workspace/codeLens/refresh"]
        assert len(refreshed) <= 4 + 2 * seconds


@pytest.mark.slow
async def test_stopping_from_the_menu_ends_every_process(tmp_path: Path) -> None:
    endless = TOTAL.replace("    ...\n", "    while True: pass\n")
    async with editor_on(build_shop(tmp_path), settings=script(tmp_path, endless)) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.peer.wait_for("$/progress", lambda params: "checking #1" in params["value"].get("message", ""))
        with anyio.fail_after(500):
            while not descendants(editor.peer.process.pid):
                await anyio.lowlevel.checkpoint()
        answer = await editor.choose("shop.py", "def total", "cancel")
        assert answer["state"] == "cancelled"
        assert not descendants(editor.peer.process.pid)
        await editor.peer.wait_for("$/progress", lambda params: params["value"]["kind"] == "end")
        said = [each for each in editor.peer.received if each.get("method") == "window/showMessage"]
        assert said == [], "who stops a search knows it"


async def test_the_editors_own_button_stops_a_search(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, SLOW)) as editor:
        await editor.open("shop.py")
        answer = await editor.choose("shop.py", "def total", "implement")
        token = f"certo:{answer['searchId']}"
        await editor.peer.wait_for("$/progress")
        await editor.peer.notify("window/workDoneProgress/cancel", {"token": token})
        await editor.peer.notify("window/workDoneProgress/cancel", {"token": "somebody else's"})
        end = await editor.peer.wait_for("$/progress", lambda params: params["value"]["kind"] == "end")
        assert "The search was stopped." in end["value"]["message"]


@pytest.mark.slow
async def test_an_editor_that_refuses_progress_gets_none(tmp_path: Path, company: Company) -> None:
    def refuse(_: object) -> None:
        raise Refusal(-32603, "no room for it")

    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        editor.peer.replies["window/workDoneProgress/create"] = refuse
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        assert not [each for each in editor.peer.received if each.get("method") == "$/progress"]


async def test_asking_twice_starts_one_search(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, SLOW)) as editor:
        await editor.open("shop.py")
        by_name = {"v": 1, "uri": editor.uri("shop.py"), "qualname": "total"}
        by_line = {"v": 1, "uri": editor.uri("shop.py"), "line": 3}
        first = await editor.command("certo.generate", by_name)
        assert first == await editor.command("certo.generate", by_line)
        assert first["state"] == "running"
        (stop,) = [title for title in await editor.titles("shop.py", "def total") if "cancel" in title]
        assert stop.startswith("Certo: cancel (running ")


async def test_retrying_twice_starts_one_search(tmp_path: Path, company: Company) -> None:
    """The settings that both wait for do not come, so that the second is there before the first goes on."""
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, SLOW)) as editor:
        await editor.open("shop.py")
        first = await editor.command("certo.generate", {"v": 1, "uri": editor.uri("shop.py"), "qualname": "total"})
        editor.peer.replies["workspace/configuration"] = SILENCE
        await editor.peer.notify("workspace/didChangeConfiguration", {"settings": None})
        retry = {"command": "certo.retry", "arguments": [{"v": 1, "searchId": first["searchId"]}]}
        asked = [await editor.peer.ask("workspace/executeCommand", retry) for _ in range(2)]
        one, other = [await editor.peer.answer(each) for each in asked]
        assert one == other
        assert one["searchId"] != first["searchId"]
        assert len([title for title in await editor.titles("shop.py", "def total") if "cancel" in title]) == 1


async def test_end_is_told_without_a_progress_bar(tmp_path: Path, company: Company) -> None:
    """The editor never answers the request for one."""
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        editor.peer.replies["window/workDoneProgress/create"] = SILENCE
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        with anyio.fail_after(500):
            await editor.said("verified by")


@pytest.mark.slow
async def test_two_searches_in_two_folders_at_once(tmp_path: Path, company: Company) -> None:
    first, second = build_shop(tmp_path / "one"), build_shop(tmp_path / "two", TOTAL + DOUBLE.replace("+ 3", "+ 2"))
    done = DOUBLE.replace("n + 3", "n * 2").strip("\n") + "\n"
    both = script(tmp_path, {"source": done, "delaySeconds": 0.2})
    async with company.editor("tcp", tmp_path, folders=(first, second), settings=both) as editor:
        await editor.open("one/shop.py", TOTAL + DOUBLE.replace("+ 3", "+ 1"))
        await editor.open("two/shop.py")
        before = {path: editor.buffers[path].text for path in ("one/shop.py", "two/shop.py")}
        for path in before:
            await editor.choose(path, "def double", "repair")
        for _ in before:
            await editor.said("`double` is verified")
        for path in before:
            await editor.choose(path, "def double", "accept")
        for path, text in before.items():
            assert (await editor.accepted(path, text)).endswith(done)


async def test_command_takes_settings_and_an_instruction(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path)) as editor:
        await editor.open("shop.py")
        argument = {
            "v": 1,
            "uri": editor.uri("shop.py"),
            "qualname": "triple",
            "instruction": "three times, please",
            "settings": script(tmp_path, TRIPLE_DONE),
        }
        await editor.command("certo.generate", argument)
        await editor.said("`triple` is verified")
        assert "scripted" in (await editor.hover("shop.py", "def triple") or "")


@pytest.mark.slow
async def test_changed_settings_are_asked_for_again(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings={"search": {"generator": "nonsense"}}) as editor:
        await editor.open("shop.py")
        answer = await editor.choose("shop.py", "def total", "implement")
        assert "nonsense" in answer["error"]
        replies = script(tmp_path, TOTAL_DONE)
        editor.peer.replies["workspace/configuration"] = lambda params: [replies for _ in params["items"]]
        await editor.peer.notify("workspace/didChangeConfiguration", {"settings": None})
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")


@pytest.mark.slow
async def test_leaving_editor_leaves_no_process(tmp_path: Path) -> None:
    endless = TOTAL.replace("    ...\n", "    while True: pass\n")
    async with editor_on(build_shop(tmp_path), settings=script(tmp_path, endless)) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        with anyio.fail_after(500):
            while not (running := descendants(editor.peer.process.pid)):
                await anyio.lowlevel.checkpoint()
        assert await editor.peer.shut_down() == 0
        left = {(process.pid, process.start) for process in process_table()}
        assert not left & {(process.pid, process.start) for process in running}
