"""`certo prompts` shows the prompts and writes them as files that a project can change."""

from __future__ import annotations

from pathlib import Path

from certo.generation.model.templates import PLACEHOLDERS, load, shipped
from support.cli.command import certo


def test_prompts_are_listed_shown_and_written(tmp_path: Path):
    """No file of the project is overwritten."""
    root = tmp_path / "project"
    (root / "words").mkdir(parents=True)
    (root / "words" / "cut.md").write_text("Mine: $name", encoding="utf-8")
    assert certo(root, "prompts").out.split() == list(PLACEHOLDERS)
    assert certo(root, "prompts", "repair").out == shipped("repair")
    written = certo(root, "prompts", "--write", "words")
    assert written.code == 0
    assert len(written.out.splitlines()) == len(PLACEHOLDERS) - 1
    assert load(root, "words").texts == {**load(root, "").texts, "cut": "Mine: $name"}


def test_unknown_prompt_lists_the_known_ones(tmp_path: Path):
    ran = certo(tmp_path, "prompts", "fix")
    assert ran.code == 2
    assert ran.err == f"certo: there is no prompt 'fix'; known: {', '.join(PLACEHOLDERS)}\n"
