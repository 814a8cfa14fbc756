"""Settings as they come from editors: for each folder, changed while the daemon runs, and wrong ones named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.lsp.editor import script
from support.lsp.multi_client import Company
from support.projects.shop import TOTAL_DONE, TOTAL_WRONG, build_shop

CHANGED = "workspace/didChangeConfiguration"


async def test_wrong_setting_is_named_at_each_arrival(tmp_path: Path, company: Company) -> None:
    settings: dict[str, Any] = {"serch": {"seconds": 3}}
    async with company.editor("tcp", build_shop(tmp_path), settings=settings) as editor:
        said = await editor.said("certo.serch.seconds")
        assert (
            said
            == "Certo: the editor's setting certo.serch.seconds: unknown setting; did you mean certo.search.seconds?"
        )
        await editor.peer.notify(CHANGED, {"settings": None})
        settings.clear()
        settings["model"] = {"name": 7}
        await editor.peer.notify(CHANGED, {"settings": None})
        assert "certo.model.name = 7" in await editor.said("certo.model.name")
        assert len([each for each in editor.peer.received if each.get("method") == "window/showMessage"]) == 2


async def test_only_our_section_is_subscribed(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path)) as editor:
        asked = await editor.peer.wait_for("client/registerCapability")
        (registration,) = asked["registrations"]
        assert (registration["method"], registration["registerOptions"]) == (CHANGED, {"section": "certo"})


async def test_each_folder_has_its_own_settings(tmp_path: Path, company: Company) -> None:
    """So has a folder that is added later."""
    first, second = build_shop(tmp_path / "first"), build_shop(tmp_path / "second")
    known = {
        first.as_uri(): script(first, TOTAL_DONE),
        second.as_uri(): script(second, TOTAL_WRONG),
        None: {},
    }
    async with company.editor("tcp", tmp_path, folders=(first,)) as editor:
        editor.peer.replies["workspace/configuration"] = lambda params: [
            known[item.get("scopeUri")] for item in params["items"]
        ]
        added = {"added": [{"uri": second.as_uri(), "name": "second"}], "removed": []}
        await editor.peer.notify("workspace/didChangeWorkspaceFolders", {"event": added})
        await editor.peer.wait_for("workspace/configuration", lambda params: len(params["items"]) == 3)
        for name, words in (("first/shop.py", "`total` is verified"), ("second/shop.py", "nothing found for `total`")):
            await editor.open(name)
            await editor.choose(name, "def total", "implement")
            await editor.said(words)
