"""A real Neovim does the whole job with certo as with any language server."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.lsp.journey import CONFIGURATIONS, build_coins, travel

SCRIPT = Path(__file__).parent / "neovim" / "journey.lua"
AMBIENT = Path(__file__).parent / "neovim" / "ambient.lua"

IN_BACKGROUND = 400
"""How long a search may take that lets all others go first, in seconds."""


@pytest.mark.editors
def test_the_main_job_in_neovim(tmp_path: Path) -> None:
    file = build_coins(tmp_path / "coins")
    command = ["nvim", "--headless", "-u", "NONE", "-n", "-i", "NONE", "-c", f"luafile {SCRIPT}"]
    travel(command, file, {"JOURNEY_CONFIGURATION": str(CONFIGURATIONS / "neovim.lua")})


@pytest.mark.editors
def test_fix_is_offered_unasked_in_neovim(tmp_path: Path) -> None:
    file = build_coins(tmp_path / "coins")
    command = ["nvim", "--headless", "-u", "NONE", "-n", "-i", "NONE", "-c", f"luafile {AMBIENT}"]
    settings = {"CERTO_AMBIENT__ENABLED": "true", "CERTO_AMBIENT__SECONDS_PER_MINUTE": "1000"}
    here = {"JOURNEY_CONFIGURATION": str(CONFIGURATIONS / "neovim.lua"), "JOURNEY_SECONDS": str(IN_BACKGROUND)}
    travel(command, file, {**settings, **here}, seconds=IN_BACKGROUND + 60)
