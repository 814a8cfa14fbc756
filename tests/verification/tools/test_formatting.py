"""Candidates as the project's own ruff formats them, run for real."""

from __future__ import annotations

from pathlib import Path

from certo.verification.tools.formatting import formatted
from support.projects.linted_project import SHOP, Tooled

RUFF = {"ruff.toml": "[format]\nquote-style = 'single'\n"}
TIDY = SHOP.replace('"not a number"', "'not a number'").replace("import os\n", "import os\n\n")


async def test_candidates_get_the_projects_format(tmp_path: Path) -> None:
    tooled = Tooled(tmp_path, RUFF, text=TIDY)
    untidy = tooled.candidate('{"a":sum( prices )}["a"]')
    assert await formatted(untidy, tooled.stated("ruff"), tooled.toolbox) == TIDY.replace(
        "len(prices)", "{'a': sum(prices)}['a']"
    )


async def test_unformatted_projects_are_left_alone(tmp_path: Path) -> None:
    """So are those without ruff and those whose configuration is broken."""
    tooled = Tooled(tmp_path, RUFF)
    assert await formatted(tooled.candidate("sum( prices )"), tooled.stated("ruff"), tooled.toolbox) is None
    assert await formatted(tooled.candidate("sum( prices )"), tooled.stated(), tooled.toolbox) is None
    broken = Tooled(tmp_path / "broken", {"ruff.toml": "line-length = 'long'\n"}, text=TIDY)
    assert await formatted(broken.candidate("sum( prices )"), broken.stated("ruff"), broken.toolbox) is None
