"""The VS Code client keeps the rules of its house. Its files are read here, nothing of it is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.vscode_manifest import CLIENT, made_files


@pytest.mark.parametrize(("path", "wanted"), made_files().items(), ids=lambda made: getattr(made, "name", ""))
def test_what_is_made_from_the_servers_settings_is_up_to_date(path: Path, wanted: str):
    assert path.read_text(encoding="utf-8") == wanted, f"write {path.relative_to(CLIENT)} anew: make schema"
