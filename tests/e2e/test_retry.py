"""Retrying with an example or feedback of the user, on a real daemon."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.lsp.editor import script
from support.lsp.multi_client import Company
from support.lsp.peer import Message, Refusal
from support.lsp.search_client import attach, events, rich, start
from support.projects.shop import DOUBLE, TOTAL_DONE, build_shop

ASK = "certo/model/ask"
LENT: Message = {"search": {"generator": "model"}, "model": {"name": "editor:best"}}

FOLD = '''\
def fold(numbers):
    """Make one of many.

    >>> fold([3])
    3
    """
    ...
'''

LOOP = TOTAL_DONE.replace(
    "    return sum(prices)\n", "    whole = 0\n    for price in prices:\n        whole += price\n    return whole\n"
)


@pytest.mark.slow
async def test_added_example_gives_the_intended_function(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path, FOLD), client=rich(), settings={}) as editor:
        await editor.open("shop.py")
        first = (await start(editor, "shop.py", "fold", "a1"))["searchId"]
        await editor.peer.answer(await attach(editor, first, "first"))
        unsure = events(editor, "first")[-1]
        assert unsure["winner"] is None
        assert "your examples" in unsure["reason"].lower()

        wish = {"key": "a2", "searchId": first, "example": {"call": "fold([2, 9, 5])", "expected": "9"}}
        began = await editor.peer.request("certo/search/retry", wish)
        assert await editor.peer.request("certo/search/retry", wish) == {**began, "resumed": True}
        second = began["searchId"]
        await editor.peer.answer(await attach(editor, second, "second"))
        told = events(editor, "second")
        baseline = next(each["baseline"] for each in told if each["type"] == "search.started")
        assert [test["id"] for test in baseline["tests"]] == ["doctest:fold:4", "example 1"]
        ended = told[-1]
        assert ended["outcome"] == "solved"
        assert "return max(numbers)" in ended["winner"]["source"]
        assert "[2, 9, 5]" not in ended["winner"]["source"]
        evidence = {each["verifier"]: each["tests"] for each in ended["winner"]["evidence"]["verdicts"]}
        assert (evidence["doctests"]["passed"], evidence["doctests"]["newlyPassing"]) == (2, 2)


async def test_feedback_reaches_the_model_with_its_answer(tmp_path: Path, company: Company) -> None:
    asked: list[list[Message]] = []

    def answer(params: Message) -> Message:
        asked.append(params["messages"])
        source = TOTAL_DONE if "Use sum." in params["messages"][-1]["text"] else LOOP
        return {"text": f"```python\n{source}```\n", "finish": "complete", "model": "best"}

    async with company.editor("tcp", build_shop(tmp_path), client=rich(model=True), settings=LENT) as editor:
        editor.peer.replies[ASK] = answer
        await editor.open("shop.py")
        first = (await start(editor, "shop.py", "total", "b1"))["searchId"]
        await editor.peer.answer(await attach(editor, first, "first"))
        assert "for price in prices" in events(editor, "first")[-1]["winner"]["source"]
        wish = {"key": "b2", "searchId": first, "feedback": "Use sum."}
        second = (await editor.peer.request("certo/search/retry", wish))["searchId"]
        await editor.peer.answer(await attach(editor, second, "second"))
        ended = events(editor, "second")[-1]
        assert ended["outcome"] == "solved"
        assert "return sum(prices)" in ended["winner"]["source"]
        assert [each["role"] for each in asked[-1]] == ["system", "user", "assistant", "user"]
        assert "for price in prices" in asked[-1][2]["text"]
        verdicts = [each["verifier"] for each in ended["winner"]["evidence"]["verdicts"]]
        assert verdicts[:4] == ["syntax", "signature", "policy", "feedback"]


@pytest.mark.slow
async def test_what_was_rejected_is_not_offered_again(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path)
    settings = script(root, TOTAL_DONE, LOOP)
    async with company.editor("tcp", root, client=rich(), settings=settings) as editor:
        await editor.open("shop.py")
        first = (await start(editor, "shop.py", "total", "c1"))["searchId"]
        await editor.peer.answer(await attach(editor, first, "first"))
        shown = events(editor, "first")[-1]["winner"]["candidateId"]
        opinion = {"searchId": first, "candidateId": shown, "ruling": "rejected", "note": "Too clever."}
        await editor.peer.request("certo/candidate/feedback", opinion)
        began = await editor.peer.request("certo/search/retry", {"key": "c2", "searchId": first})
        second = began["searchId"]
        await editor.peer.answer(await attach(editor, second, "second"))
        told = events(editor, "second")
        refused = [each["verdict"] for each in told if each["type"] == "verdict" and each["candidateId"] == shown]
        assert refused[-1]["verifier"] == "feedback"
        said = f"it is the same as candidate {shown}, which was rejected: Too clever."
        assert [each["message"] for each in refused[-1]["findings"]] == [said]
        assert "for price in prices" in told[-1]["winner"]["source"]


async def test_command_takes_examples_and_explains_errors(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path, DOUBLE.strip() + "\n"), settings={}) as editor:
        await editor.open("shop.py")
        answer = await editor.command("certo.generate", {"v": 1, "uri": editor.uri("shop.py"), "qualname": "double"})
        await editor.said("needs no repair")
        malformed = await editor.command("certo.retry", {"searchId": answer["searchId"], "example": "double(4) = 8"})
        assert malformed["state"] == "failed"
        assert malformed["error"].startswith("the example 'double(4) = 8' cannot be read: ")
        again = await editor.command("certo.retry", {"searchId": answer["searchId"], "example": "double(4) == 8"})
        await editor.said("verified by 2 tests, 1 of them newly passing")
        # Now the text is another one, so that everything is judged again, the example too.
        await editor.edit("shop.py", "def double", "FEW = 2\n\n\ndef double")
        before = editor.buffers["shop.py"].text
        await editor.command("certo.accept", {"searchId": again["searchId"]})
        assert "double(4)" not in await editor.accepted("shop.py", before)


async def test_unknown_candidates_and_changed_functions_are_refused(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path)
    async with company.editor("tcp", root, client=rich(), settings=script(root, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        first = (await start(editor, "shop.py", "total", "e1"))["searchId"]
        await editor.peer.answer(await attach(editor, first, "first"))
        shown = events(editor, "first")[-1]["winner"]["candidateId"]
        wish = {"key": "e2", "searchId": first, "candidateId": "nobody"}
        with pytest.raises(Refusal) as unknown:
            await editor.peer.request("certo/search/retry", wish)
        assert unknown.value.extra["name"] == "CandidateNotFound"
        await editor.edit("shop.py", "Add the prices up.", "Add all the prices up.")
        with pytest.raises(Refusal) as stale:
            await editor.peer.request("certo/search/retry", {**wish, "candidateId": shown})
        assert stale.value.extra["name"] == "StaleText"
        again = await editor.peer.request(
            "certo/search/retry", {"key": "e3", "searchId": first, "feedback": "Shorter."}
        )
        assert again["state"] == "running"


@pytest.mark.slow
async def test_refused_example_costs_no_candidate(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path)
    async with company.editor("tcp", root, client=rich(), settings=script(root, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        before = editor.buffers["shop.py"].text
        first = (await start(editor, "shop.py", "total", "f1"))["searchId"]
        await editor.peer.answer(await attach(editor, first, "first"))
        wish = {"key": "f2", "searchId": first, "example": "double(2) == 6"}
        second = (await editor.peer.request("certo/search/retry", wish))["searchId"]
        await editor.peer.answer(await attach(editor, second, "second"))
        ended = events(editor, "second")[-1]
        assert (ended["outcome"], ended["verified"]) == ("refused", False)
        known = await editor.peer.request("certo/search/list", {"uri": editor.uri("shop.py")})
        assert {each["searchId"] for each in known["searches"]} == {first, second}
        lenses = [lens["command"]["title"] for lens in await editor.lenses("shop.py")]
        assert any(title.startswith("Certo: accept #") for title in lenses)
        again = {"key": "f3", "searchId": first, "example": "total([1, 2]) == 3"}
        third = (await editor.peer.request("certo/search/retry", again))["searchId"]
        await editor.peer.answer(await attach(editor, third, "third"))
        known = await editor.peer.request("certo/search/list", {"uri": editor.uri("shop.py")})
        assert [each["searchId"] for each in known["searches"]] == [third]
        await editor.command("certo.accept", {"searchId": third})
        assert "return sum(prices)" in await editor.accepted("shop.py", before)
