"""A real Neovim does the whole job with certo as with any language server."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.lsp.journey import CONFIGURATIONS, build_coins, travel

SCRIPT = Path(__file__).parent / "neovim" / "journey.lua"


@pytest.mark.editors
def test_the_main_job_in_neovim(tmp_path: Path) -> None:
    file = build_coins(tmp_path / "coins")
    command = ["nvim", "--headless", "-u", "NONE", "-n", "-i", "NONE", "-c", f"luafile {SCRIPT}"]
    travel(command, file, {"JOURNEY_CONFIGURATION": str(CONFIGURATIONS / "neovim.lua")})
