"""Documents and interface use the words of docs/reference/glossary.md and not those that they replace."""

from __future__ import annotations

import ast
import json
import re

import pytest

from certo.cli.main import COMMANDS, overview
from certo.settings.documents import descriptions
from certo.vocabulary.outcome import Outcome
from support.documents.command_lines import parser_of
from support.documents.pages import ROOT, Page, pages
from support.reference.markdown import GENERATED

REPLACED = {
    r"holes?": "stub",
    r"lines? of tries": "lane",
    r"text as it (?:is|stands)": "baseline, or current text",
    r"rulings?": "verdict",
    r"objections?": "reason",
    r"(?:are|is|stays?|goes|turns?|was|were) (?:green|red)|red tests?|green tests?": "passing, failing",
    r"wavers?|wavering": "flaky",
    r"contenders?": "rival",
    r"anew": "again",
    r"besides": "also",
    r"heeds?": "uses",
    r"as shipped": "by default",
    r"to be had": "available",
    r"whoever": "anyone who",
    r"tells? of": "reports",
    r"(?:is|are|went|goes|go|going) on with": "continue",
    r"the house|rooms?|floors?|floor plan": "package, layer",
    r"bad world|the world is broken|broken world": "environment error",
    r"bugs? of (?:its|certo's) own": "internal error",
    r"in no time|blazing(?:ly)?|seamless(?:ly)?|effortless(?:ly)?|simply|obviously": "nothing, or a figure",
}
"""Words that the documents do without, as regular expressions, and the word for it."""

ABOUT_WORDS = {"docs/reference/glossary.md", "CONTRIBUTING.md"}
"""Pages that name the replaced words to say what stands in their place."""

FOUND = re.compile("|".join(rf"\b(?P<w{number}>{words})\b" for number, words in enumerate(REPLACED)), re.IGNORECASE)


def texts() -> dict[str, str]:
    """What users read of the interface: the settings, the help, the outcomes, and VS Code's menus and messages."""
    client = ROOT / "vscode-client"
    manifest = json.loads((client / "package.nls.json").read_text(encoding="utf-8"))
    messages = json.loads((client / "l10n" / "bundle.l10n.json").read_text(encoding="utf-8"))
    return {
        "settings": "\n".join(descriptions().values()),
        "help": "\n".join([overview(), *(parser_of(name).format_help() for name in COMMANDS)]),
        "outcomes": "\n".join(f"{outcome.value}\n{outcome.advice}" for outcome in Outcome),
        "manifest": "\n".join(text for name, text in manifest.items() if not name.startswith("setting.")),
        "messages": "\n".join(messages.values()),
    }


READ_BY_USERS = ("cli", "edits", "features", "presentation", "project", "sandbox", "sessions", "verification")
"""Folders of the server whose messages and phrases reach the user."""

NAMES = {"floor: package, layer"}
"""Findings that are no words there: `math.floor` is in a list of names."""


def messages(source: str) -> list[str]:
    """The texts in Python code that may be sentences: with words apart, no docstrings, and no lists to split."""
    tree = list(ast.walk(ast.parse(source)))
    apart = {id(node.value) for node in tree if isinstance(node, ast.Expr)}
    apart |= {id(node.value) for node in tree if isinstance(node, ast.Attribute) and node.attr == "split"}
    texts = [node for node in tree if isinstance(node, ast.Constant) and id(node) not in apart]
    return [node.value for node in texts if isinstance(node.value, str) and " " in node.value.strip()]


def replaced_words(prose: str) -> list[str]:
    """The words of a text that others have replaced, each with what to write."""
    instead = list(REPLACED.values())
    return [f"{found[0]}: {instead[int((found.lastgroup or 'w0')[1:])]}" for found in FOUND.finditer(prose)]


@pytest.mark.parametrize(
    "page",
    [page for page in pages() if page.path not in ABOUT_WORDS and GENERATED not in page.text],
    ids=str,
)
def test_no_replaced_word_is_used(page: Page) -> None:
    assert replaced_words(page.prose) == []


@pytest.mark.parametrize("name", sorted(texts()))
def test_the_interface_uses_no_replaced_word(name: str) -> None:
    assert replaced_words(texts()[name]) == []


@pytest.mark.parametrize("folder", READ_BY_USERS)
def test_no_message_uses_a_replaced_word(folder: str) -> None:
    paths = sorted((ROOT / "server" / "certo" / folder).rglob("*.py"))
    said = {str(path.relative_to(ROOT)): messages(path.read_text(encoding="utf-8")) for path in paths}
    assert any(said.values())
    found = {name: set(replaced_words("\n".join(texts))) - NAMES for name, texts in said.items()}
    assert {name: words for name, words in found.items() if words} == {}


def test_messages_are_found_in_code() -> None:
    source = '''
def fail(name):
    """Do it anew."""
    names = "hole room".split()
    raise ValueError(f"{name} was started anew", "anew")
'''
    assert messages(source) == [" was started anew"]


@pytest.mark.parametrize(
    ("prose", "found"),
    [
        ("The Hole is filled anew.", ["Hole: stub", "anew: again"]),
        ("A red test is wholesome.", ["red test: passing, failing"]),
        ("It stays green.", ["stays green: passing, failing"]),
        ("certo reports what it found.", []),
    ],
    ids=["two", "a phrase", "a verb", "none"],
)
def test_a_replaced_word_is_found(prose: str, found: list[str]) -> None:
    assert replaced_words(prose) == found
