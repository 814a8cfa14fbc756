"""A daemon is killed outright: nothing told to a client is lost, and the next daemon offers it again."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

import anyio
import pytest

from certo.storage.location import journal_file, journal_folder, make_private
from support.cli.command import COMMAND
from support.lsp.editor import Editor, compared, editor_on, script
from support.lsp.peer import Message, Refusal
from support.lsp.search_client import attach, event, events, rich, start
from support.projects.bare_environment import bare_environ
from support.projects.shop import DOUBLE, TOTAL_DONE, TOTAL_WRONG, TRIPLE, build_shop

NEVER = {"source": TOTAL_WRONG.replace("3", "4"), "delaySeconds": 3600}


def searches(*words: str) -> list[Message]:
    """Return the searches that another process reads in the journal."""
    command = [*COMMAND, "searches", *words, "--json"]
    shown = subprocess.run(command, capture_output=True, check=True, env=bare_environ())
    return [json.loads(line) for line in shown.stdout.splitlines()]


async def kill(editor: Editor) -> None:
    """Kill the daemon outright and read all that it had sent."""
    editor.peer.process.kill()
    with anyio.fail_after(500):
        await editor.peer.process.wait()
        await editor.peer.gone.wait()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(each, marks=pytest.mark.slow) for each in (1, 2))])
async def test_journal_has_all_told_before_a_kill(tmp_path: Path, seed: int) -> None:
    kind = random.Random(seed).choice(["search.preparing", "search.started", "verifier.started", "verdict", "budget"])
    settings = compared(script(tmp_path, TOTAL_WRONG, TOTAL_DONE, NEVER))
    async with editor_on(build_shop(tmp_path / "shop"), client=rich(), settings=settings) as editor:
        await editor.open("shop.py")
        search = (await start(editor, "shop.py", "total", "k1"))["searchId"]
        await attach(editor, search, "all")
        await event(editor, "all", kind)
        await kill(editor)
        told = events(editor, "all")
    kept = searches("show", search)
    assert kind in {each["type"] for each in told}
    assert told == kept[: len(told)]


async def test_next_daemon_restores_and_reverifies_silently(tmp_path: Path) -> None:
    root = build_shop(tmp_path / "shop")
    settings = compared(script(tmp_path, TOTAL_DONE, NEVER))
    async with editor_on(root, client=rich(), settings=settings) as editor:
        await editor.open("shop.py")
        search = (await start(editor, "shop.py", "total", "k1"))["searchId"]
        await attach(editor, search, "all")
        best = (await event(editor, "all", "search.improved"))["candidateId"]
        await kill(editor)
        told = events(editor, "all")

    async with editor_on(root, client=rich(), settings=settings) as editor:
        await editor.open("shop.py")
        # The client knows it still, and may be asked about it before the daemon has found it again.
        asked = {"searchId": search, "candidateId": best, "want": ["report"]}
        known = await editor.peer.ask("certo/candidate/get", asked)
        listed = (await editor.peer.request("certo/search/list", {}))["searches"]
        assert (await editor.peer.answer(known))["candidateId"] == best
        assert [(each["searchId"], each["state"], each["best"]) for each in listed] == [(search, "stopped", best)]
        again = await editor.peer.answer(await attach(editor, search))
        assert again["events"][: len(told)] == told
        assert again["events"][-1]["outcome"] == "interrupted"
        assert again["events"][-1]["winner"]["candidateId"] == best
        assert "verified by 2 tests" in str(await editor.hover("shop.py", "def total"))
        assert not [each for each in editor.peer.received if each.get("method", "").startswith("window/showMessage")]

        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "accept #1")
        assert await editor.accepted("shop.py", before) == TOTAL_DONE + DOUBLE + TRIPLE
    [kept] = [each for each in searches("list") if each["id"] == search]
    assert kept["standing"] == "accepted"


@pytest.mark.slow
async def test_damaged_journal_is_set_aside_with_notice(tmp_path):
    root = build_shop(tmp_path / "shop")
    file = journal_file(journal_folder(bare_environ()), root)
    make_private(file)
    file.write_bytes(b"no database at all " * 300)
    async with editor_on(root, settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        said = await editor.said("the journal of earlier searches cannot be used: it is damaged")
        await editor.said("verified by")
        assert str(file.parent) in said
    assert [kept["standing"] for kept in searches("list") if kept["root"] == str(root)] == ["solved"]


@pytest.mark.slow
async def test_interrupted_search_can_be_retried(tmp_path: Path) -> None:
    root = build_shop(tmp_path / "shop")
    async with editor_on(root, settings=script(tmp_path, TOTAL_WRONG, NEVER)) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.peer.wait_for("$/progress", lambda params: "1 candidate" in params["value"].get("message", ""))
        await kill(editor)

    async with editor_on(root, settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        await editor.peer.wait_for("workspace/codeLens/refresh")
        await editor.choose("shop.py", "def total", "retry")
        await editor.said("verified by")


@pytest.mark.slow
async def test_interrupted_search_is_resumed_on_request(tmp_path: Path) -> None:
    root = build_shop(tmp_path / "shop")
    async with editor_on(root, client=rich(), settings=script(tmp_path, TOTAL_WRONG, NEVER)) as editor:
        await editor.open("shop.py")
        search = (await start(editor, "shop.py", "total", "k1"))["searchId"]
        await attach(editor, search, "all")
        await event(editor, "all", "candidate.scored")
        await kill(editor)
        told = events(editor, "all")

    async with editor_on(root, client=rich(), settings=script(tmp_path, TOTAL_WRONG, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        # Asked for at once, before the daemon has found it again.
        gone_on = await editor.peer.request("certo/search/resume", {"searchId": search})
        assert (gone_on["searchId"], gone_on["resumed"], gone_on["state"]) == (search, False, "running")
        again = await editor.peer.answer(await attach(editor, search))
        with pytest.raises(Refusal, match="ended by itself"):
            await editor.peer.request("certo/search/resume", {"searchId": search})
    assert again["events"][: len(told)] == told
    assert [each["seq"] for each in again["events"]] == list(range(1, len(again["events"]) + 1))
    assert "search.resumed" in {each["type"] for each in again["events"][len(told) :]}
    assert again["events"][-1]["outcome"] == "solved"
    scored = [each["candidateId"] for each in again["events"] if each["type"] == "candidate.scored"]
    assert len(scored) == len(set(scored)) == 2, "what was judged before is not judged again"
