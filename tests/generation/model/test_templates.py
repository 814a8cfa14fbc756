"""Prompts are files: a project may bring its own, and hears what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.generation.model.templates import PLACEHOLDERS, SHIPPED, load, shipped
from certo.vocabulary.errors import BadSetting

pytestmark = pytest.mark.acceptance(102)


def test_shipped_prompts_are_complete_and_valid(tmp_path: Path):
    assert {file.stem for file in SHIPPED.glob("*.md")} == set(PLACEHOLDERS)
    for name in PLACEHOLDERS:
        (tmp_path / f"{name}.md").write_text(shipped(name), encoding="utf-8")
    assert load(tmp_path, ".") == load(tmp_path, "")


def test_empty_section_is_left_out(tmp_path: Path):
    values = {"name": "f", "path": "mod.py", "instruction": "", "code": "CODE", "file": "", "tests": "", "related": ""}
    values["memory"] = ""
    said = load(tmp_path, "").fill("repair", **values, hint="HINT")
    assert [line for line in said.splitlines() if line.startswith("#")] == ["## The function as it is", "## Hint"]
    assert said.endswith("## Hint\n\nHINT")


def test_project_prompt_replaces_the_shipped_one(tmp_path: Path):
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "no-code.md").write_text("No $name, for $$5.\r\n", encoding="utf-8")
    prompts = load(tmp_path, "words")
    assert prompts.fill("no-code", problem="p", name="f") == "No f, for $5."
    assert prompts.texts["cut"] == shipped("cut")


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("no-code.md", b"No $nmae", "has $nmae, which nothing fills; there are $name, $problem"),
        ("repair.md", b"Do it", "lacks $code"),
        ("repair.md", b"It costs $5: $code", "write $$ for a dollar sign"),
        ("fix.md", b"$code", "there is no prompt 'fix'"),
        ("cut.md", b"\xff$name", "is not UTF-8"),
        ("cut.md", b"$name" + b" " * 200_000, "is larger than 100,000 bytes"),
    ],
)
def test_invalid_prompt_is_reported_with_its_file(tmp_path: Path, file: str, content: bytes, words: str):
    (tmp_path / file).write_bytes(content)
    with pytest.raises(BadSetting) as refused:
        load(tmp_path, ".")
    assert words in str(refused.value)
    assert str(tmp_path / file) in str(refused.value)


def test_prompt_may_not_link_outside(tmp_path: Path):
    secret, root = tmp_path / "secret", tmp_path / "project"
    secret.write_text("what the user keeps elsewhere")
    root.mkdir()
    (root / "system.md").symlink_to(secret)
    with pytest.raises(BadSetting, match=r"system\.md is no file in the project"):
        load(root, ".")


@pytest.mark.parametrize("directory", ["nowhere", "..", "/etc"])
def test_prompt_directory_lies_in_the_project(tmp_path: Path, directory: str):
    with pytest.raises(BadSetting, match=r"generation\.prompts .* is no directory in the project"):
        load(tmp_path, directory)
