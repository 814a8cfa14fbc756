"""Malformed messages of every kind are answered or ignored as LSP says, and the daemon goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.lsp.fuzzer import put
from support.lsp.malformed_messages import Taken, mutants
from support.lsp.multi_client import TRANSPORTS, a_company
from support.lsp.peer import lsp_peer
from support.projects.shop import build_shop

COUNT = 600
"""Enough for one message of 10 MB and one that is nested too deeply."""


async def test_what_is_wrong_is_answered_or_ignored(tmp_path: Path) -> None:
    root = build_shop(tmp_path / "shop")
    uris = ((root / "shop.py").as_uri(), (root / "other.py").as_uri(), "untitled:1", "nonsense")
    async with lsp_peer() as peer:
        await peer.initialize(root=root)
        tally = await put(peer, mutants(7, COUNT, uris))
        assert tally.failed == []
        assert sum(tally.taken.values()) == COUNT
        assert min(tally.taken[taken] for taken in Taken) > COUNT / 20, "there are enough of each"


@pytest.mark.slow
async def test_fuzzed_sockets_leave_other_clients_working(tmp_path: Path) -> None:
    root = build_shop(tmp_path / "shop")
    uris = ((root / "shop.py").as_uri(), "nonsense")
    async with a_company() as company, company.client("tcp") as other:
        for transport in TRANSPORTS:
            async with company.client(transport) as peer:
                tally = await put(peer, mutants(3, COUNT // 3, uris, stream=transport == "tcp"))
                assert tally.failed == []
            assert await other.request("textDocument/codeLens", {"textDocument": {"uri": uris[0]}}) in (None, [])
