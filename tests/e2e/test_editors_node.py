"""The client library that the protocol's own authors publish for Node.js does the whole job with certo."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.lsp.journey import build_coins, travel

SCRIPT = Path(__file__).parent / "node" / "journey.mjs"
LIBRARY = Path(__file__).parents[2] / ".artefacts" / "lsp-client" / "node_modules"


@pytest.mark.editors
def test_main_job_with_the_vs_code_library(tmp_path: Path) -> None:
    assert LIBRARY.is_dir(), "install it: make lsp-client"
    travel(["node", SCRIPT], build_coins(tmp_path / "coins"), {"JOURNEY_CLIENT": str(LIBRARY)})
