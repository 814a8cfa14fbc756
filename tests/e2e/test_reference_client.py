"""A client that knows of certo only what protocol.md says, and the daemon."""

from __future__ import annotations

import inspect
from contextlib import aclosing
from pathlib import Path

import anyio
import pytest

from support.lsp import client as reference
from support.lsp.client import Failed, client_of, edited
from support.lsp.editor import script
from support.projects.bare_environment import bare_environ
from support.projects.shop import TOTAL, TOTAL_DONE, TOTAL_WRONG, build_shop

SLOW = {"source": TOTAL_DONE, "delaySeconds": 60}


def test_it_is_built_on_nothing_of_certos() -> None:
    assert "import certo" not in inspect.getsource(reference)
    assert "from certo" not in inspect.getsource(reference)


def test_it_edits_as_lsp_has_it() -> None:
    edits = [
        {"range": {"start": {"line": 1, "character": 1}, "end": {"line": 2, "character": 0}}, "newText": "X"},
        {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}, "newText": ""},
    ]
    assert edited("abc\r\nd𝄞f\rg\n", edits) == "bc\r\ndXg\n"


@pytest.mark.slow
async def test_client_follows_a_search_from_any_number(tmp_path: Path) -> None:
    settings = script(tmp_path, TOTAL_WRONG, TOTAL_DONE)
    root = build_shop(tmp_path / "shop", TOTAL)
    async with client_of(root, environment=bare_environ(), settings=settings) as client:
        assert client.agreed is not None
        assert client.agreed["version"] == 1
        uri = await client.open(root / "shop.py")
        search = await client.ask("certo/search/start", key="1", uri=uri, version=1, qualname="total")
        again = await client.ask("certo/search/start", key="1", uri=uri, version=1, qualname="total")
        assert (again["searchId"], search["resumed"], again["resumed"]) == (search["searchId"], False, True)
        told = [event async for event in client.events(search["searchId"])]
        assert [event["seq"] for event in told] == sorted({event["seq"] for event in told})
        assert told[-1]["type"] == "search.stopped"
        assert told[-1]["outcome"] == "solved"
        after = told[3]["seq"]
        assert [event async for event in client.events(search["searchId"], after)] == told[4:]
        stands = await client.ask("certo/search/get", searchId=search["searchId"])
        assert stands["candidates"][0]["candidateId"] == told[-1]["winner"]["candidateId"]
        listed = await client.ask("certo/search/list", uri=uri)
        assert [each["searchId"] for each in listed["searches"]] == [search["searchId"]]


async def test_client_reads_hunks_and_applies_a_candidate(tmp_path: Path) -> None:
    root = build_shop(tmp_path / "shop", TOTAL)
    async with client_of(root, environment=bare_environ(), settings=script(tmp_path, TOTAL_DONE)) as client:
        uri = await client.open(root / "shop.py")
        search = (await client.ask("certo/search/start", key="1", uri=uri, qualname="total"))["searchId"]
        *_, last = [event async for event in client.events(search)]
        named = {"searchId": search, "candidateId": last["winner"]["candidateId"]}
        shown = await client.ask("certo/candidate/get", **named, want=["hunks", "text"])
        assert [hunk["lines"] for hunk in shown["hunks"]] == [["-    ...", "+    return sum(prices)"]]
        assert shown["text"] == TOTAL_DONE
        with pytest.raises(Failed) as failed:
            await client.ask("certo/candidate/get", searchId=search, candidateId="none", want=["text"])
        assert failed.value.name == "CandidateNotFound"
        await client.change(uri, "# certo\n\n" + TOTAL)
        applied = await client.ask("certo/candidate/apply", **named)
        assert (applied["applied"], applied["verified"], applied["moved"], applied["version"]) == (True, True, True, 3)
        assert client.documents[uri].text == "# certo\n\n" + TOTAL_DONE


@pytest.mark.slow
async def test_search_continues_without_listeners_until_cancelled(tmp_path: Path) -> None:
    """What is malformed is named meanwhile."""
    root = build_shop(tmp_path / "shop", TOTAL)
    async with client_of(root, environment=bare_environ(), settings=script(tmp_path, SLOW)) as client:
        uri = await client.open(root / "shop.py")
        search = (await client.ask("certo/search/start", key="1", uri=uri, qualname="total"))["searchId"]
        async with aclosing(client.events(search)) as events:
            assert (await anext(events))["type"] == "search.preparing"
        assert (await client.ask("certo/search/get", searchId=search))["search"]["state"] == "running"
        with pytest.raises(Failed, match="searchId") as failed:
            await client.ask("certo/search/get", search="x")
        assert (failed.value.code, failed.value.name) == (-32602, None)
        with pytest.raises(Failed) as failed:
            await client.ask("certo/no/such")
        assert failed.value.code == -32601
        stopped = await client.ask("certo/search/cancel", searchId=search)
        assert stopped["outcome"] == "cancelled"
        assert (await client.ask("certo/search/forget", searchId=search))["state"] == "forgotten"
        with pytest.raises(Failed, match=search) as failed:
            await client.ask("certo/search/get", searchId=search)
        assert (failed.value.code, failed.value.name) == (4011, "SearchNotFound")
        assert failed.value.told == {"name": "SearchNotFound", "retriable": False, "searchId": search}


@pytest.mark.slow
async def test_client_without_agreement_still_has_commands(tmp_path: Path) -> None:
    """Methods of our protocol are refused by name."""
    root = build_shop(tmp_path / "shop", TOTAL)
    async with client_of(root, environment=bare_environ(), asking={}, settings=script(tmp_path, TOTAL_DONE)) as client:
        assert client.agreed is None
        uri = await client.open(root / "shop.py")
        with pytest.raises(Failed, match="versions") as failed:
            await client.ask("certo/search/list")
        assert failed.value.name == "UnsupportedVersion"
        search = await client.command("certo.generate", uri=uri, version=1, qualname="total")
        with anyio.fail_after(500):
            while not any("verified by" in each["params"].get("message", "") for each in client.told):
                await client.news.wait()
        await client.command("certo.accept", searchId=search["searchId"])
        with anyio.fail_after(500):
            while client.documents[uri].version == 1:
                await client.news.wait()
        assert client.documents[uri].text == TOTAL_DONE
