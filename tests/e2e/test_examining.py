"""A client that asks for a verdict, an estimate and the environment, and starts no search."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from support.lsp.editor import editor_on
from support.lsp.multi_client import Company
from support.lsp.peer import Message, Refusal
from support.lsp.search_client import rich
from support.projects.bare_environment import bare_environ
from support.projects.shop import TOTAL, build_shop

PRICED: Message = {
    "search": {"generator": "model", "dollars": 0.5},
    "model": {"name": "openai:gpt-5-mini", "input_dollars": 1.0, "output_dollars": 2.0},
}


def certo(root: Path, *arguments: str) -> Message:
    """Return the terminal's answer to the same question."""
    command = [sys.executable, "-m", "certo", *arguments, "--json"]
    ran = subprocess.run(command, cwd=root, env=bare_environ(), capture_output=True, text=True, check=False)
    return dict(json.loads(ran.stdout))


def _judged_by_tests(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the test results of the first verdict that has any."""
    tests: list[dict[str, Any]] = [each["tests"] for each in answer["evidence"]["verdicts"] if each["tests"]]
    assert len(tests) == 1
    return tests[0]


async def test_functions_are_judged_with_the_editors_text(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), client=rich()) as editor:
        await editor.open("shop.py", version=3)
        asked = {"uri": editor.uri("shop.py"), "qualname": "triple"}
        red = await editor.peer.request("certo/verify", asked)
        assert (red["verified"], red["path"], red["qualname"]) == (False, "shop.py", "triple")
        assert _judged_by_tests(red)["failed"] == 1
        await editor.edit("shop.py", "return n * 2", "return n * 3")
        green = await editor.peer.request("certo/verify", asked)
        assert green["verified"]
        assert _judged_by_tests(green)["passed"] == 1
        with pytest.raises(Refusal) as stale:
            await editor.peer.request("certo/verify", {**asked, "version": 3})
        assert stale.value.extra["name"] == "StaleText"
        assert "triple" in (tmp_path / "shop.py").read_text()
        assert "return n * 2" in (tmp_path / "shop.py").read_text()


async def test_what_was_judged_before_is_remembered(tmp_path: Path, company: Company) -> None:
    """The daemon keeps what a run has shown of exactly this state, as the command does."""
    root = build_shop(tmp_path)
    # Nothing is kept of files so new that they may have changed since the runs began.
    await anyio.sleep(0.1)
    async with company.editor("tcp", root, client=rich()) as editor:
        await editor.open("shop.py")
        asked = {"uri": editor.uri("shop.py"), "qualname": "total"}
        answers = [await editor.peer.request("certo/verify", asked) for _ in range(2)]
    known = [[each["verifier"] for each in answer["evidence"]["verdicts"] if each["remembered"]] for answer in answers]
    assert known[0] == []
    assert "doctests" in known[1]


async def test_judging_ends_when_nobody_waits_for_it(tmp_path: Path, company: Company) -> None:
    slow = TOTAL.replace(">>> total([1, 2])", ">>> __import__('time').sleep(50) or total([1, 2])")
    async with company.editor("tcp", build_shop(tmp_path, slow), client=rich()) as editor:
        await editor.open("shop.py")
        asked = await editor.peer.ask("certo/verify", {"uri": editor.uri("shop.py"), "qualname": "total"})
        await editor.peer.request("certo/status", {})
        await editor.peer.cancel(asked)
        assert (await editor.peer.refusal(asked)).code == -32800


async def test_estimate_names_models_and_maximum(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), client=rich(), settings=PRICED) as editor:
        await editor.open("shop.py")
        asked = {"uri": editor.uri("shop.py"), "qualname": "total"}
        told = await editor.peer.request("certo/estimate", asked)
        assert told["models"] == ["openai:gpt-5-mini"]
        assert 0 < told["likely"]["dollars"] < told["most"]["dollars"]
        assert told["likely"]["calls"] == 2, "few tests reach it, so a second answer is likely"
        assert "search.dollars = 0.5" in told["cap"]
        asked["settings"] = {"search": {"generator": "builtin"}}
        assert (await editor.peer.request("certo/estimate", asked))["models"] == []


@pytest.mark.slow
async def test_the_environment_is_what_the_doctor_says(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path, TOTAL)
    async with company.editor("tcp", root, client=rich()) as editor:
        told = await editor.peer.request("certo/environment", {"uri": editor.uri("shop.py")})
        said = certo(root, "doctor", ".")
        assert told["root"]["path"] == str(root) == said["root"]["path"]
        assert {**told, "root": None, "facts": None} == {**said, "root": None, "facts": None}
        assert [fact for fact in told["facts"] if fact["subject"] != "root"] == [
            fact for fact in said["facts"] if fact["subject"] != "root"
        ]
        with pytest.raises(Refusal) as nowhere:
            await editor.peer.request("certo/environment", {"uri": "untitled:1"})
        assert nowhere.value.extra["name"] == "BadRequest"


async def test_the_status_has_names_and_no_values(tmp_path: Path) -> None:
    environment = {**bare_environ(), "OPENAI_API_KEY": "sk-very-secret"}
    options = {"client": rich(), "settings": PRICED, "environment": environment}
    async with editor_on(build_shop(tmp_path), **options) as editor:
        told = await editor.peer.request("certo/status", {})
        assert (told["searches"], told["running"], told["protocol"]) == (0, 0, 1)
        assert len(told["instance"]) == 32
        (model,) = told["models"]
        assert (model["subject"], model["health"], model["says"]) == ("model", "good", "openai:gpt-5-mini")
        assert any("OPENAI_API_KEY" in detail for detail in model["details"])
        assert "sk-very-secret" not in json.dumps(editor.peer.received)
        with pytest.raises(Refusal, match="status has no argument 'verbose'"):
            await editor.peer.request("certo/status", {"verbose": True})


def _commit(root: Path) -> None:
    """Make the project a repository with one commit."""
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"]):
        subprocess.run(["git", *words], cwd=root, check=True)


@pytest.mark.slow
async def test_functions_are_compared_with_the_last_commit(tmp_path: Path, company: Company) -> None:
    """The text in the editor is the version of now."""
    root = build_shop(tmp_path)
    _commit(root)
    async with company.editor("tcp", root, client=rich()) as editor:
        await editor.open("shop.py", version=3)
        asked = {"uri": editor.uri("shop.py"), "qualname": "triple"}
        same = await editor.peer.request("certo/diff", asked)
        assert (same["result"], same["differences"]) == ("no-difference-found", [])
        await editor.edit("shop.py", "return n * 2", "return n * 3")
        other = await editor.peer.request("certo/diff", asked)
        assert (other["result"], other["differences"][0]["call"]) == ("different", "triple(1)")
        with pytest.raises(Refusal) as refused:
            await editor.peer.request("certo/diff", {**asked, "against": "nowhere"})
        assert refused.value.extra["name"] == "BadRequest"
