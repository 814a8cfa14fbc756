"""Emacs with eglot does the whole job with certo as with any language server."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.lsp.journey import CONFIGURATIONS, build_coins, travel

SCRIPT = Path(__file__).parent / "emacs" / "journey.el"


@pytest.mark.editors
def test_the_main_job_in_emacs(tmp_path: Path) -> None:
    file = build_coins(tmp_path / "coins")
    travel(["emacs", "--batch", "--load", SCRIPT], file, {"JOURNEY_CONFIGURATION": str(CONFIGURATIONS / "eglot.el")})
