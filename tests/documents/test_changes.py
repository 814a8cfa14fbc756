"""What is written down of changes: fragments, versions, the newest entry of the changelog, and decisions."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

import certo
from support.documents.pages import ROOT, Page, pages
from support.documents.repository import naming, renamed, repository

LONGEST = 60
"""Words in a fragment; a reader of the changelog wants a sentence or two."""

TYPES = ("added", "changed", "fixed", "removed", "deprecated", "security")
FIRST_ENTRY = 40
"""Lines of the entry for 0.1.0, which nobody upgrades to."""

DECISIONS = [page for page in pages() if page.path.startswith("docs/decisions/0")]


def problems(fragment: Path) -> list[str]:
    """Return what is wrong with a changelog fragment."""
    found = []
    if not re.fullmatch(rf"\+[a-z0-9-]+\.(?:{'|'.join(TYPES)})\.md", fragment.name):
        found.append("its name is not +short-name.TYPE.md")
    text = fragment.read_text(encoding="utf-8").strip()
    if len(text.split()) > LONGEST:
        found.append(f"it has more than {LONGEST} words")
    if not text.endswith(".") or text.startswith(("#", "-")):
        found.append("it is not made of sentences")
    return found


def test_fragments_are_short_and_of_known_type() -> None:
    fragments = [path for path in (ROOT / "changes").iterdir() if path.name != "README.md"]
    assert {path.name: wrong for path in fragments if (wrong := problems(path))} == {}


@pytest.mark.parametrize(
    ("name", "text", "wrong"),
    [
        ("+lanes.added.md", "Lanes have names.", 0),
        ("lanes.md", "Lanes have names.", 1),
        ("+lanes.new.md", "Lanes have names.", 1),
        ("+lanes.added.md", "Lanes " * 60 + "have names.", 1),
        ("+lanes.fixed.md", "- Lanes have names", 1),
    ],
    ids=["right", "no plus", "unknown type", "too long", "a list"],
)
def test_a_wrong_fragment_is_found(name: str, text: str, wrong: int, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert len(problems(tmp_path / name)) == wrong


def test_towncrier_collects_the_fragments() -> None:
    """Its configuration knows the same types, and finds the place in the changelog."""
    chosen = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]
    assert set(chosen["fragment"]) == set(TYPES)
    assert (ROOT / chosen["filename"]).read_text(encoding="utf-8").count(chosen["start_string"]) == 1
    done = subprocess.run(
        [sys.executable, "-m", "towncrier", "build", "--draft", "--date", "2026-01-01"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert done.stdout.decode().startswith(f"## {certo.__version__} (2026-01-01)"), done.stderr


def test_version_numbers_agree() -> None:
    """The package, the extension and the newest entry of the changelog have the same."""
    manifest = json.loads((ROOT / "vscode-client" / "package.json").read_text(encoding="utf-8"))
    newest = re.search(r"^## (\S+) \((.+)\)$", Page("CHANGELOG.md").text, re.MULTILINE)
    assert newest is not None
    assert manifest["version"] == newest[1] == certo.__version__
    assert re.fullmatch(r"unreleased|\d{4}-\d\d-\d\d", newest[2])


def test_the_repository_is_named_once() -> None:
    """Whoever forks certo changes one setting, and a program changes the other places."""
    known = {"pre-commit.md", "verify-pull-requests.md", "pyproject.toml", "package.json"}
    assert {file.name for file in naming()} == known


def test_a_repository_is_renamed_again() -> None:
    """The name of a fork may begin with that of another, and is no part of a longer name."""
    text = 'name = "ada/certo-fork"\nuses: ada/certo-fork@v1\nhttps://github.com/ada/certo-fork. ada/certo-forks'
    back = renamed(text, "ada/certo-fork", "eva/x")
    assert back == 'name = "eva/x"\nuses: eva/x@v1\nhttps://github.com/eva/x. ada/certo-forks'
    assert renamed(text, "ada/certo", "eva/x") == text


def test_links_on_pypi_lead_to_the_repository() -> None:
    """There are no files beside the README there, so each link has its whole address."""
    text = ProjectMetadata(str(ROOT), PluginManager()).core.readme
    version = f"v{certo.__version__}"
    for base in (f"https://github.com/{repository()}/blob/", f"https://raw.githubusercontent.com/{repository()}/"):
        assert text.count(f"]({base}{version}/") > 0
        text = text.replace(f"]({base}{version}/", "](")
    assert text == Page("README.md").text


def test_the_extension_names_its_repository() -> None:
    """Its links are made of it; see vscode-client/package.mjs."""
    manifest = json.loads((ROOT / "vscode-client" / "package.json").read_text(encoding="utf-8"))
    assert manifest["repository"]["url"] == manifest["homepage"] == f"https://github.com/{repository()}"
    assert (ROOT / manifest["repository"]["directory"] / "package.json").exists()


def test_the_first_entry_is_short() -> None:
    entry = Page("CHANGELOG.md").text.partition("\n## 0.1.0 ")[2].partition("\n## ")[0]
    assert 0 < len(entry.splitlines()) <= FIRST_ENTRY
    assert len(re.findall(r"^### ", entry, re.MULTILINE)) == 6


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = [int(Path(page.path).name[:4]) for page in DECISIONS]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("page", DECISIONS, ids=str)
def test_a_decision_has_a_status_and_tests(page: Page) -> None:
    """A decision that no test holds is a wish."""
    assert re.search(r"^\*\*Status:\*\* (?:accepted|replaced|rejected)", page.text, re.MULTILINE)
    named = re.findall(r"`(tests/[\w/.-]+)`", page.text.partition("\n## Tests that hold it\n")[2])
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
