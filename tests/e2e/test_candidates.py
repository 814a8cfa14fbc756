"""A client of our own protocol looks at a candidate, applies it or a part of it, and carries it over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from support.lsp.editor import Editor, compared, editor_on, script
from support.lsp.editor_profiles import capabilities
from support.lsp.multi_client import Company
from support.lsp.peer import Refusal
from support.projects.shop import DOUBLE, TOTAL, TOTAL_DONE, build_shop

TWO_LINES = TOTAL.replace("    ...\n", "    amount = 0\n    # that is it\n    return amount  # !\n")
TWO_LINES_DONE = TWO_LINES.replace("= 0", "= sum(prices)").replace("# !", "# all")


@asynccontextmanager
async def candidate(
    company: Company, root: Path, text: str = TOTAL + DOUBLE, source: str = TOTAL_DONE, words: str = "implement"
) -> AsyncIterator[tuple[Editor, dict[str, Any]]]:
    """Yield an editor that speaks our protocol, and the ids of its search and candidate for `total`."""
    client = {**capabilities("visual_studio_code"), "experimental": {"certo": {"versions": [1]}}}
    settings = {**script(root, source)}
    settings["search"] = {**settings["search"], "compact": False}
    async with company.editor("tcp", build_shop(root, text), settings=settings, client=client) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", words)
        await editor.said("is verified by")
        (accept,) = [each for each in await editor.actions("shop.py", "def total") if "accept" in each["title"]]
        argument = accept["command"]["arguments"][0]
        yield editor, {"searchId": argument["searchId"], "candidateId": argument["candidateId"]}


async def ask(editor: Editor, what: str, params: dict[str, Any]) -> Any:
    """Make one request about a candidate."""
    return await editor.peer.request(f"certo/candidate/{what}", params)


async def applied(editor: Editor, params: dict[str, Any]) -> Any:
    """Apply a candidate in an editor that sends what it made, and return the answer."""
    before, answers = editor.buffers["shop.py"].text, []

    async def wait() -> None:
        answers.append(await ask(editor, "apply", params))

    async with anyio.create_task_group() as group:
        group.start_soon(wait)
        await editor.accepted("shop.py", before)
    return answers[0]


@pytest.mark.slow
async def test_parts_of_candidates_are_fetched_on_demand(tmp_path: Path, company: Company) -> None:
    async with candidate(company, tmp_path) as (editor, which):
        got = await ask(editor, "get", {**which, "want": ["edits", "diff", "hunks", "report", "text"]})
        base = editor.buffers["shop.py"].text
        assert got["text"] == base.replace(TOTAL, TOTAL_DONE)
        (edit,) = got["edits"]
        start, end = edit["span"]["start"], edit["span"]["end"]
        assert base[:start] + edit["replacement"] + base[end:] == got["text"]
        (hunk,) = got["hunks"]
        assert hunk == {
            "number": 1,
            "range": {"start": {"line": 8, "character": 0}, "end": {"line": 9, "character": 0}},
            "header": "@@ -9,1 +9,1 @@",
            "lines": ["-    ...", "+    return sum(prices)"],
        }
        assert hunk["lines"][1] in got["diff"].splitlines()
        assert got["report"]["verified"] is True
        assert (await ask(editor, "get", {**which, "want": ["report"]}))["text"] is None


async def test_candidate_is_applied_once_with_its_version(tmp_path: Path, company: Company) -> None:
    async with candidate(company, tmp_path) as (editor, which):
        other = await ask(editor, "apply", {**which, "version": 7})
        assert (other["applied"], other["reason"]) == (False, "shop.py is at version 1, and not 7; look at it again")
        answer = await applied(editor, {**which, "version": 1})
        assert (answer["applied"], answer["version"], answer["verified"], answer["reason"]) == (True, 2, True, "")
        assert answer["candidateId"] == which["candidateId"]
        assert await ask(editor, "apply", {**which, "version": 1}) == answer
        assert (await ask(editor, "apply", {**which, "version": 2}))["applied"] is False
        assert editor.buffers["shop.py"].text == TOTAL_DONE + DOUBLE
        assert len([each for each in editor.peer.received if each.get("method") == "workspace/applyEdit"]) == 1


@pytest.mark.slow
async def test_one_of_its_hunks_is_another_candidate(company, tmp_path: Path) -> None:
    async with candidate(company, tmp_path, TWO_LINES + DOUBLE, TWO_LINES_DONE, "repair") as (editor, which):
        refused = await ask(editor, "apply", {**which, "hunks": [2]})
        assert refused["applied"] is False
        assert refused["reason"] == "these hunks alone fail doctest:total:4 (total([1, 2]) gave 0, not 3)"
        assert refused["report"]["passed"] is False
        answer = await applied(editor, {**which, "hunks": [1]})
        assert answer["candidateId"] != which["candidateId"]
        assert answer["verified"] is True
        assert editor.buffers["shop.py"].text == (TWO_LINES + DOUBLE).replace("= 0", "= sum(prices)")


async def test_rebase_merges_the_candidate_and_applies_nothing(tmp_path: Path, company: Company) -> None:
    async with candidate(company, tmp_path) as (editor, which):
        await editor.edit("shop.py", "Add the prices up.", "Add all prices 🍎 up.")
        now = editor.buffers["shop.py"].text
        carried = await ask(editor, "rebase", which)
        assert (carried["version"], carried["moved"], carried["merged"], carried["verified"]) == (2, True, True, True)
        (edit,) = carried["edits"]
        assert (edit["range"]["start"]["line"], edit["newText"]) == (8, "return sum(prices)")
        assert editor.buffers["shop.py"].text == now
        await editor.edit("shop.py", "    ...", "    return 0  # 🍎")
        conflict = await ask(editor, "rebase", which)
        assert conflict["edits"] is None
        assert "line 9 was changed" in conflict["reason"]
        assert conflict["conflicts"] == [
            {
                "range": {"start": {"line": 8, "character": 0}, "end": {"line": 9, "character": 0}},
                "ours": "    return 0  # 🍎\n",
                "theirs": "    return sum(prices)\n",
            }
        ]
        same = await ask(editor, "apply", which)
        assert (same["applied"], same["conflicts"]) == (False, conflict["conflicts"])


async def test_feedback_on_known_candidates_is_taken(tmp_path: Path, company: Company) -> None:
    async with candidate(company, tmp_path) as (editor, which):
        assert await ask(editor, "feedback", {**which, "ruling": "rejected", "note": "too clever"}) is None
        with pytest.raises(Refusal, match="has no candidate '0'"):
            await ask(editor, "feedback", {**which, "candidateId": "0", "ruling": "rejected"})
        with pytest.raises(Refusal, match="has no candidate '0'") as unknown:
            await ask(editor, "apply", {**which, "candidateId": "0"})
        assert unknown.value.extra["name"] == "CandidateNotFound"
        with pytest.raises(Refusal, match="there is no search '0'"):
            await ask(editor, "apply", {**which, "searchId": "0"})
        with pytest.raises(Refusal, match="has no hunk 2"):
            await ask(editor, "apply", {**which, "hunks": [2]})


async def test_differently_applied_edits_are_found_out(tmp_path: Path, company: Company) -> None:
    async with candidate(company, tmp_path) as (editor, which):
        editor.peer.replies["window/showMessageRequest"] = lambda params: params["actions"][0]
        buffer = editor.buffers["shop.py"]

        def typed_on(params: Any) -> dict[str, bool]:
            """Apply the edit to a text changed since, as a client that is told no version does."""
            buffer.text = buffer.text.replace("def double", "deff double")
            return editor.apply(params)

        editor.peer.replies["workspace/applyEdit"] = typed_on
        await editor.command("certo.accept", which)
        await editor.accepted("shop.py", TOTAL + DOUBLE)
        asked = await editor.peer.wait_for("window/showMessageRequest")
        assert "`total` in shop.py is not what was verified" in asked["message"]
        await editor.said("shop.py:12: invalid syntax")


@pytest.mark.slow
async def test_users_edit_of_a_candidate_is_verified(tmp_path: Path, company: Company) -> None:
    async with candidate(company, tmp_path) as (editor, which):
        base = editor.buffers["shop.py"].text
        text = base.replace(TOTAL, TOTAL_DONE.replace("sum(prices)", "sum(list(prices))"))
        with pytest.raises(Refusal, match="only total is verified here"):
            await ask(editor, "edited", {**which, "text": text + "\n\nx = 1\n"})
        red = await ask(editor, "edited", {**which, "text": text.replace("sum(list(prices))", "7")})
        assert (red["passed"], red["report"]["verdicts"][-1]["ruling"]) == (False, "failed")
        made = await ask(editor, "edited", {**which, "text": text})
        assert (made["number"], made["passed"], made["verified"]) == (3, True, True)
        assert made["report"]["candidateId"] == made["candidateId"] != which["candidateId"]
        told = await editor.peer.request("certo/search/attach", {"searchId": which["searchId"], "fromSeq": 0})
        origins = [each["origin"]["generator"] for each in told["events"] if each["type"] == "candidate.proposed"]
        assert origins == ["scripted", "user", "user"]
        answer = await applied(editor, {**which, "candidateId": made["candidateId"]})
        assert (answer["applied"], answer["verified"], editor.buffers["shop.py"].text) == (True, True, text)


@pytest.mark.slow
async def test_comparison_finds_a_call_that_differs(tmp_path: Path) -> None:
    zero = TOTAL.replace("    ...\n", "    return sum(price for price in prices if price > 0)\n")
    client = {**capabilities("visual_studio_code"), "experimental": {"certo": {"versions": [1]}}}
    both = {"firstTry": False, "maxIterations": 1, "minCandidatesForComparison": 2}
    settings = compared(script(tmp_path, TOTAL_DONE, zero), **both)
    settings["search"] = {**settings["search"], "compact": False}
    async with editor_on(build_shop(tmp_path, TOTAL + DOUBLE), settings=settings, client=client) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        listed = await editor.peer.request("certo/search/list", {})
        search = listed["searches"][0]["searchId"]
        got = await editor.peer.request("certo/search/get", {"searchId": search})
        one, other = got["candidates"]
        which = {"searchId": search, "candidateId": one["candidateId"], "otherId": other["candidateId"]}
        found = await ask(editor, "compare", which)
        assert found["difference"]["call"] == "total([-1])"
        assert {found["difference"]["ours"], found["difference"]["theirs"]} == {"-1", "0"}
        assert found["reason"] == ""
        with pytest.raises(Refusal, match="has no candidate 'nobody'"):
            await ask(editor, "compare", {**which, "otherId": "nobody"})
