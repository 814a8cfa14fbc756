"""Searches on a daemon with several clients: all can see, follow and end them, and none is lost with a client."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from certo.sandbox.process import process_table
from support.lsp.editor import Editor, editor_at, script
from support.lsp.editor_profiles import capabilities
from support.lsp.multi_client import Company, a_company, standing
from support.lsp.peer import SILENCE, Refusal
from support.lsp.search_client import attach, event, events, rich, start
from support.projects.shop import TOTAL, TOTAL_DONE, TOTAL_WRONG, build_shop

SLOW = {"source": TOTAL_DONE, "delaySeconds": 60}
LATER = {"source": TOTAL_DONE, "delaySeconds": 0.5}


@pytest.fixture(scope="module")
def company() -> Iterator[Company]:
    """One daemon for all: each test has a project of its own."""
    with standing() as company:
        yield company


@pytest.mark.slow
async def test_search_is_shared_and_outlives_its_client(company: Company, tmp_path: Path) -> None:
    root = build_shop(tmp_path)
    async with company.editor("ws", root, settings=script(root, SLOW)) as second:
        await second.open("shop.py")
        async with company.editor("tcp", root, settings=script(root, SLOW)) as first:
            await first.open("shop.py")
            await first.choose("shop.py", "def total", "implement")
            assert await lenses(first) == await lenses(second) != []
        assert "Stop" in await lenses(second)
        lens = next(each for each in await second.lenses("shop.py") if each["command"]["title"] == "Stop")
        await second.command(lens["command"]["command"], *lens["command"]["arguments"])
        while "Stop" in await lenses(second):
            await second.peer.wait_for("workspace/codeLens/refresh")


async def test_search_loses_the_model_with_its_client(company: Company, tmp_path: Path) -> None:
    root = build_shop(tmp_path)
    settings = {"search": {"generator": "model"}, "model": {"name": "editor"}}
    lending = {**capabilities("visual_studio_code"), "experimental": {"certo": {"versions": [1], "model": True}}}
    async with company.editor("ws", root) as second:
        await second.open("shop.py")
        async with company.editor("tcp", root, client=lending, settings=settings) as first:
            first.peer.replies["certo/model/ask"] = SILENCE
            await first.open("shop.py")
            await first.choose("shop.py", "def total", "implement")
            await first.peer.wait_for("certo/model/ask")
            assert "Stop" in await lenses(second)
        while "Stop" in await lenses(second):
            await second.peer.wait_for("workspace/codeLens/refresh")
        assert "the editor has left" in " ".join(await lenses(second))


async def lenses(editor: Editor) -> list[str]:
    """Return the titles of the lenses without the seconds."""
    return [re.sub(r"[\d.]+", "", lens["command"]["title"]) for lens in await editor.lenses("shop.py")]


async def test_every_client_gets_all_events_in_order(company: Company, tmp_path: Path) -> None:
    """Even if another one comes or is killed meanwhile."""
    root = build_shop(tmp_path)
    settings = script(root, TOTAL_WRONG, LATER)
    async with (
        company.editor("tcp", root, client=rich(), settings=settings) as first,
        company.editor("ws", root, client=rich()) as second,
    ):
        await first.open("shop.py")
        search = (await start(first, "shop.py", "total", "k1"))["searchId"]
        asked = [await attach(first, search, "a"), await attach(second, search, "b")]
        async with company.stranger("tcp") as third:
            gone = await editor_at(third, root, client=rich(), token=company.token)
            await attach(gone, search, "c")
            await event(gone, "c", "search.started")
            assert third.line is not None
            await third.line.aclose()
            third.forgive()
        ended = [await client.peer.answer(id_) for client, id_ in zip((first, second), asked, strict=True)]
        told = events(first, "a")
        assert [each["seq"] for each in told] == list(range(1, len(told) + 1))
        assert told[-1]["outcome"] == "solved"
        assert events(second, "b") == told
        assert [each["lastSeq"] for each in ended] == [told[-1]["seq"]] * 2


async def test_any_client_ends_a_search_for_all(company: Company, tmp_path: Path) -> None:
    root = build_shop(tmp_path)
    async with (
        company.editor("tcp", root, client=rich(), settings=script(root, SLOW)) as first,
        company.editor("ws", root, client=rich()) as second,
    ):
        await first.open("shop.py")
        search = (await start(first, "shop.py", "total", "k1"))["searchId"]
        attached = await attach(first, search, "a")
        await event(first, "a", "search.started")
        ended = await second.peer.request("certo/search/cancel", {"searchId": search})
        assert (ended["state"], ended["outcome"]) == ("stopped", "cancelled")
        assert (await first.peer.answer(attached))["state"] == "stopped"
        assert events(first, "a")[-1]["outcome"] == "cancelled"
        again = await second.peer.request("certo/search/cancel", {"searchId": search})
        assert again["outcome"] == "cancelled"


async def test_simultaneous_requests_are_served_once(company: Company, tmp_path: Path) -> None:
    root = build_shop(tmp_path)
    async with (
        company.editor("tcp", root, client=rich(), settings=script(root, SLOW)) as first,
        company.editor("ws", root, client=rich(), settings=script(root, SLOW)) as second,
    ):
        both = [first.peer, second.peer]
        await first.open("shop.py")
        wish = {"key": f"{root}/one", "uri": first.uri("shop.py"), "qualname": "total"}
        asked = [await peer.ask("certo/search/start", wish) for peer in both]
        begun = [await peer.answer(id_) for peer, id_ in zip(both, asked, strict=True)]
        assert sorted(each["resumed"] for each in begun) == [False, True]
        [old] = {each["searchId"] for each in begun}
        asked = [
            await peer.ask("certo/search/retry", {"key": f"{root}/{number}", "searchId": old})
            for number, peer in enumerate(both)
        ]
        again, refused = [], []
        for peer, id_ in zip(both, asked, strict=True):
            try:
                again.append((await peer.answer(id_))["searchId"])
            except Refusal as refusal:
                refused.append(refusal.code)
        assert (len(again), refused) == (1, [4011])
        asked = [await peer.ask("certo/search/cancel", {"searchId": again[0]}) for peer in both * 2]
        ended = [await peer.answer(id_) for peer, id_ in zip(both * 2, asked, strict=True)]
        assert [each["outcome"] for each in ended] == ["cancelled"] * 4


async def test_paused_client_catches_up_and_delays_nobody(company: Company, tmp_path: Path) -> None:
    root = build_shop(tmp_path)
    async with (
        company.editor("tcp", root, client=rich(), settings=script(root, TOTAL_WRONG, TOTAL_DONE)) as deaf,
        company.editor("ws", root, client=rich()) as other,
    ):
        await deaf.open("shop.py")
        search = (await start(deaf, "shop.py", "total", "k1"))["searchId"]
        asked = [await attach(deaf, search, "a"), await attach(other, search, "b")]
        deaf.peer.pause()
        assert (await other.peer.answer(asked[1]))["state"] == "stopped"
        deaf.peer.resume()
        await deaf.peer.answer(asked[0])
        assert events(deaf, "a") == events(other, "b") != []


@pytest.mark.slow
async def test_daemon_with_a_search_is_not_idle(tmp_path: Path) -> None:
    """At its end no process is left."""
    root = build_shop(tmp_path)
    endless = TOTAL.replace("    ...\n", "    while True: pass\n")
    async with a_company("--idle", "0.3", transports=("tcp",)) as company:
        async with company.editor("tcp", root, client=rich(), settings=script(root, endless)) as first:
            await first.open("shop.py")
            search = (await start(first, "shop.py", "total", "k1"))["searchId"]
            attached = await attach(first, search, "a")
            await event(first, "a", "candidate.proposed")
        assert (await first.peer.refusal(attached)).code == -32800, "who leaves has left its searches"
        with anyio.fail_after(500):
            while not (running := process_table.descendants(company.process.pid)):  # noqa: ASYNC110 - no news of processes
                await anyio.sleep(0.01)
        await anyio.sleep(0.5)
        assert company.process.poll() is None
        assert await company.end() == 0
    assert not {(one.pid, one.start) for one in running} & {
        (one.pid, one.start) for one in process_table.process_table()
    }
