"""Ambient repairs: a save whose tests fail leads to an offer, and to nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio

from support.lsp.editor import Editor, script
from support.lsp.multi_client import Company
from support.lsp.peer import Message
from support.projects.projects import write_project
from support.projects.repositories import begin, commit

RIGHT = "def double(n):\n    return n + n\n\n\ndef half(n):\n    return n // 2\n"
WRONG = ("n + n", "n - n")
PROJECT = {
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
    "sums.py": RIGHT,
    "test_sums.py": "from sums import double\n\n\ndef test_double():\n    assert double(5) == 10\n"
    "\n\ndef test_more():\n    assert double(7) == 14\n",
    "test_half.py": "from sums import half\n\n\ndef test_half():\n"
    "    assert [half(n) for n in (2, 9, 20, 31)] == [1, 4, 10, 15]\n",
}
ON: dict[str, Any] = {"ambient": {"enabled": True, "secondsPerMinute": 1000}}


async def offered(editor: Editor, *, is_some: bool = True) -> list[Message]:
    """Wait until the offers in `sums.py` appear or disappear, and return their diagnostics."""
    shown = await editor.peer.wait_for(
        "textDocument/publishDiagnostics", lambda params: bool(params["diagnostics"]) is is_some
    )
    diagnostics: list[Message] = shown["diagnostics"]
    return diagnostics


async def lenses(editor: Editor) -> list[str]:
    return [lens["command"]["title"] for lens in await editor.lenses("sums.py")]


async def test_failing_save_leads_to_an_offer(tmp_path: Path, company: Company) -> None:
    root = write_project(tmp_path / "sums", PROJECT)
    async with company.editor("tcp", root, settings=ON) as editor:
        await editor.open("sums.py")
        await editor.edit("sums.py", *WRONG)
        await editor.save("sums.py")
        [hint] = await offered(editor)
        assert hint["message"] == "A verified one-line fix is ready: n - n → n + n"
        assert (hint["severity"], hint["range"]["start"]) == (4, {"line": 1, "character": 4})
        assert await lenses(editor) == ["Certo: verified one-line fix ready: n - n → n + n", "Diff", "Dismiss"]
        [action, *_] = await editor.actions("sums.py", "return n - n", diagnostics=[hint])
        assert action["title"] == "Certo: accept the verified one-line fix: n - n → n + n"
        assert (action["kind"], action["diagnostics"]) == ("quickfix.certo", [hint])
        said = {message.get("method") for message in editor.peer.received}
        assert said.isdisjoint({"window/showMessage", "window/showMessageRequest", "window/workDoneProgress/create"})

        [*_, dismiss] = await editor.lenses("sums.py")
        await editor.command(dismiss["command"]["command"], *dismiss["command"]["arguments"])
        assert await offered(editor, is_some=False) == []
        await editor.edit("sums.py", "n - n", "n + n")
        await editor.save("sums.py")
        # The function that was dismissed comes first, and is left out for it has the same text again.
        await editor.edit("sums.py", *WRONG)
        await editor.edit("sums.py", "n // 2", "n // 3")
        await editor.save("sums.py")
        [hint] = await offered(editor)
        assert hint["range"]["start"]["line"] == 5
        await editor.edit("sums.py", "n // 3", "n // 4")
        assert await offered(editor, is_some=False) == []
        assert await lenses(editor) == []

        await editor.save("sums.py")
        await offered(editor)
        before = editor.buffers["sums.py"].text
        [accept, *_] = await editor.lenses("sums.py")
        await editor.command(accept["command"]["command"], *accept["command"]["arguments"])
        assert "n // 2" in await editor.accepted("sums.py", before)
        assert await offered(editor, is_some=False) == []


async def test_failed_tests_and_tracebacks_begin_repairs(tmp_path: Path, company: Company) -> None:
    root = write_project(tmp_path / "sums", {**PROJECT, "sums.py": RIGHT.replace(*WRONG)})
    own = script(tmp_path, "def double(n):\n    return 2 * n\n")
    async with company.editor("tcp", root, settings={**own, **ON}) as editor:
        await editor.peer.wait_for(
            "client/registerCapability", lambda params: "watchers" in params["registrations"][0]["registerOptions"]
        )
        await editor.open("sums.py")
        refused = await editor.command("certo.traceback", {"traceback": "ValueError"})
        assert (refused["state"], refused["name"]) == ("failed", "BadRequest")
        text = f'  File "{root}/sums.py", line 6, in half\nZeroDivisionError'
        started = await editor.command("certo.traceback", {"traceback": text})
        assert started["state"] == "running"
        assert "half" in (await editor.hover("sums.py", "n // 2") or "")
        await editor.command("certo.dismiss", {"searchId": started["searchId"]})

        cache = root / ".pytest_cache/v/cache/lastfailed"
        cache.parent.mkdir(parents=True)
        cache.write_text('{"test_sums.py::test_double": true}')
        change = {"uri": cache.as_uri(), "type": 1}
        await editor.peer.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
        [hint] = await offered(editor)
        assert hint["message"].endswith("n - n → n + n")

        # A retry goes by what its user has set, and not by what holds for searches that nobody asked for.
        [accept, *_] = await editor.lenses("sums.py")
        await editor.command("certo.retry", {"searchId": accept["command"]["arguments"][0]["searchId"]})
        await editor.said("is verified by")
        assert "scripted" in (await editor.hover("sums.py", "def double") or "")


async def test_other_results_than_in_head_are_said(tmp_path: Path, company: Company) -> None:
    root = write_project(tmp_path / "sums", PROJECT)
    begin(root)
    commit(root)
    settings = {"ambient": {**ON["ambient"], "compare": True}}
    async with company.editor("tcp", root, settings=settings) as editor:
        await editor.open("sums.py")
        await editor.edit("sums.py", "n + n", "n + n if n != 3 else 7")
        await editor.save("sums.py")
        with anyio.fail_after(500):
            while not (shown := await lenses(editor)):  # noqa: ASYNC110 - a refresh does not say of what
                await anyio.sleep(0.1)
        assert shown == ["Certo: 1 call gives another result than in HEAD: double(3)"]
        [lens] = await editor.lenses("sums.py")
        await editor.command(lens["command"]["command"], *lens["command"]["arguments"])
        assert "double(3)" in await editor.said("since HEAD")
        assert await lenses(editor) == shown, "it says so after another comparison too"
        await editor.edit("sums.py", "else 7", "else 6")
        assert await lenses(editor) == []
