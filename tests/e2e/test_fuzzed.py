"""Messages that are wrong in every way are each answered or ignored as they have to be, and the daemon lives on."""

from __future__ import annotations

from pathlib import Path

from support.fuzzing import put
from support.lsp_peer import lsp_peer
from support.mutants import Taken, mutants
from support.shop import build_shop

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
