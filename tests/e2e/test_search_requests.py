"""A client that follows searches itself: it starts them by key, attaches, reads, cancels and forgets them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from support.lsp.editor import Editor, editor_on, script
from support.lsp.multi_client import Company, a_company
from support.lsp.peer import SILENCE, Message, Refusal
from support.lsp.search_client import attach, event, events, rich, start
from support.projects.shop import TOTAL_DONE, TOTAL_WRONG, build_shop

ASK, DELTA = "certo/model/ask", "certo/model/delta"
LENT: Message = {"search": {"generator": "model", "strategy": "retry"}, "model": {"name": "editor:best"}}


async def refused(editor: Editor, method: str, **params: object) -> Refusal:
    """Return the refusal of a request."""
    with pytest.raises(Refusal) as refusal:
        await editor.peer.request(method, params)
    return refusal.value


async def test_search_is_followed_and_read_again(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path)
    async with company.editor("tcp", root, client=rich(), settings=script(root, TOTAL_WRONG, TOTAL_DONE)) as editor:
        await editor.open("shop.py", version=7)
        began = await start(editor, "shop.py", "total", "k1")
        sha256 = hashlib.sha256((root / "shop.py").read_bytes()).hexdigest()
        assert began["base"] == {"version": 7, "sha256": sha256}
        assert not began["resumed"]
        search = began["searchId"]

        ended = await editor.peer.answer(await attach(editor, search, "all"))
        told = events(editor, "all")
        assert ended == {"events": [], "lastSeq": told[-1]["seq"], "state": "stopped"}
        assert told[-1]["outcome"] == "solved"
        kinds = {each["type"] for each in told}
        assert {"search.started", "candidate.proposed", "verifier.started", "verdict", "candidate.scored"} <= kinds
        assert {"candidate.ranked", "search.improved", "budget", "search.stopped"} <= kinds
        assert all(each["hunks"] for each in told if each["type"] == "candidate.proposed")

        whole = await editor.peer.answer(await attach(editor, search))
        assert whole["events"] == told
        middle = told[len(told) // 2]["seq"]
        await editor.peer.answer(await attach(editor, search, 17, middle))
        assert events(editor, 17) == [each for each in told if each["seq"] > middle]

        again = await start(editor, "shop.py", "total", "k1")
        assert again == {**began, "resumed": True, "state": "stopped"}
        got = await editor.peer.request("certo/search/get", {"searchId": search})
        assert [(one["place"], one["passed"], one["number"]) for one in got["candidates"]] == [
            (1, True, 2),
            (None, False, 1),
        ]
        best = got["candidates"][0]
        assert got["search"]["best"] == best["candidateId"] == told[-1]["winner"]["candidateId"]
        assert (got["search"]["outcome"], got["search"]["passed"], got["search"]["candidates"]) == ("solved", 1, 2)
        assert (best["verified"], best["testsPassed"], best["added"], best["removed"]) == (True, 2, 1, 1)
        assert not [each for each in editor.peer.received if each.get("method") == "window/showMessage"]


async def test_a_key_belongs_to_one_wish(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path)
    async with company.editor("tcp", root, client=rich(), settings=script(root, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        asked = {"key": f"{tmp_path}/k1", "uri": editor.uri("shop.py"), "qualname": "total"}
        twice = [await editor.peer.ask("certo/search/start", asked) for _ in range(2)]
        began, again = [await editor.peer.answer(id_) for id_ in twice]
        assert (began["resumed"], again["resumed"]) == (False, True)
        assert began["searchId"] == again["searchId"]
        other = {"key": f"{tmp_path}/k1", "uri": editor.uri("shop.py"), "qualname": "total", "instruction": "quickly"}
        refusal = await refused(editor, "certo/search/start", **other)
        assert refusal.extra["name"] == "KeyReused"
        assert began["searchId"] in str(refusal)
        await editor.peer.request("certo/search/forget", {"searchId": began["searchId"]})
        with pytest.raises(Refusal) as gone:
            await start(editor, "shop.py", "total", "k1")
        assert gone.value.extra["name"] == "SearchNotFound"
        closed = {"key": f"{tmp_path}/k2", "uri": editor.uri("elsewhere.py"), "version": 1, "qualname": "total"}
        stale = await refused(editor, "certo/search/start", **closed)
        assert (stale.extra["name"], stale.extra["retriable"]) == ("StaleText", True)


async def test_text_streams_and_leaving_ends_no_search(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), client=rich(model=True), settings=LENT) as editor:
        editor.peer.replies[ASK] = SILENCE
        await editor.open("shop.py")
        search = (await start(editor, "shop.py", "total", "k1"))["searchId"]
        first = await attach(editor, search, "first")
        question = await editor.peer.wait_for_message(lambda message: message.get("method") == ASK)
        token = question["params"]["token"]
        text = f"```python\n{TOTAL_DONE}```\n"
        await editor.peer.notify(DELTA, {"token": token, "text": text[:20]})
        written = await event(editor, "first", "candidate.written")
        assert (written["atCharacter"], written["text"], written["slot"]) == (0, text[:20], 0)

        await editor.peer.cancel(first)
        assert (await editor.peer.refusal(first)).code == -32800
        seen = events(editor, "first")[-1]["seq"]
        second = await attach(editor, search, "second", seen)
        await editor.peer.notify(DELTA, {"token": token, "text": text[20:]})
        reply = {"jsonrpc": "2.0", "id": question["id"], "result": {"finish": "complete", "model": "copilot/best"}}
        await editor.peer.send(reply)
        ended = await editor.peer.answer(second)
        rest = events(editor, "second")
        assert rest[0]["seq"] > seen
        assert (rest[-1]["type"], rest[-1]["outcome"], ended["lastSeq"]) == (
            "search.stopped",
            "solved",
            rest[-1]["seq"],
        )
        answer = written["text"]
        for each in rest:
            if each["type"] == "candidate.written":
                answer = answer[: each["atCharacter"]] + each["text"]
        assert answer == text
        assert events(editor, "first")[-1]["seq"] == seen, "nothing comes after the client has left"


async def test_searches_are_listed_in_pages_and_forgotten(tmp_path: Path) -> None:
    async with editor_on(build_shop(tmp_path), client=rich(model=True), settings=LENT) as editor:
        editor.peer.replies[ASK] = SILENCE
        await editor.open("shop.py")
        ids = [(await start(editor, "shop.py", name, name))["searchId"] for name in ("total", "double", "triple")]

        async def listed(**params: object) -> tuple[list[str], str | None]:
            answer = await editor.peer.request("certo/search/list", params)
            return [each["searchId"] for each in answer["searches"]], answer["cursor"]

        assert await listed() == (ids, None)
        assert await listed(limit=2) == (ids[:2], ids[1])
        assert await listed(limit=2, cursor=ids[1]) == (ids[2:], None)
        assert await listed(uri=editor.uri("other.py")) == ([], None)
        assert await listed(folder=tmp_path.as_uri()) == (ids, None)
        await editor.peer.wait_for_message(lambda message: message.get("method") == ASK)
        ended = await editor.peer.request("certo/search/cancel", {"searchId": ids[0]})
        assert (ended["searchId"], ended["state"], ended["outcome"]) == (ids[0], "stopped", "cancelled")
        assert await editor.peer.request("certo/search/forget", {"searchId": ids[1]}) == {
            "searchId": ids[1],
            "state": "forgotten",
        }
        assert await listed() == ([ids[0], ids[2]], None)
        assert (await refused(editor, "certo/search/get", searchId=ids[1])).extra["name"] == "SearchNotFound"
        assert (await refused(editor, "certo/search/list", cursor=ids[1])).extra["name"] == "SearchNotFound"
        assert (await refused(editor, "certo/search/list", limit=0)).code == -32602
        assert (await refused(editor, "certo/search/attach", searchId=ids[0], from_seq=1)).code == -32602


@pytest.mark.slow
async def test_paused_client_blocks_nobody_and_catches_up(
    tmp_path: Path,
) -> None:
    root = build_shop(tmp_path)
    long = "\n".join(f"    # {number} {'.' * 100}" for number in range(3000))
    wrong = [TOTAL_WRONG.replace("    return 3", f"{long}\n    return {number}") for number in range(3, 11)]
    settings = script(root, *wrong, TOTAL_DONE)
    async with (
        a_company(transports=("tcp",)) as company,
        company.editor("tcp", root, client=rich(), settings=settings) as slow,
        company.editor("tcp", root, client=rich(), settings=settings) as other,
    ):
        await slow.open("shop.py")
        search = (await start(slow, "shop.py", "total", "k1"))["searchId"]
        slow.peer.pause()
        held_up = await attach(slow, search, "slow")
        ended = await other.peer.answer(await attach(other, search, "other"))
        whole = events(other, "other")
        assert [each["seq"] for each in whole] == list(range(1, ended["lastSeq"] + 1))
        assert sum(len(each["diff"]) for each in whole if each["type"] == "candidate.proposed") > 2_000_000

        slow.peer.resume()
        assert await slow.peer.answer(held_up) == ended
        told = events(slow, "slow")
        progress = {"search.preparing", "generator.progress", "budget"}
        assert [each for each in told if each["type"] not in progress] == [
            each for each in whole if each["type"] not in progress
        ]
        assert [each["seq"] for each in told] == sorted({each["seq"] for each in told})
        sent = [message["params"]["value"] for message in slow.peer.received if message.get("method") == "$/progress"]
        assert any(len(value) > 1 for value in sent), "it was held up, and caught up in larger parts"
