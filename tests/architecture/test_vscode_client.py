"""The VS Code client keeps the rules of its house. Its files are read here, nothing of it is run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from support.lsp.vscode_manifest import CLIENT, made_files

SOURCE = CLIENT / "src"
FILES = sorted(path for path in SOURCE.rglob("*.ts") if path.name != "protocol.ts")
MANIFEST = (CLIENT / "package.json").read_text(encoding="utf-8")
CONTRIBUTES = json.loads(MANIFEST)["contributes"]
COMMANDS = {command["command"] for command in CONTRIBUTES["commands"]}
OF_VIEWS = {f"{view['id']}.focus" for views in CONTRIBUTES["views"].values() for view in views}
"""The commands that VS Code makes for the extension's views."""

FLOORS = (
    {"extension"},
    {"agents", "commands", "views"},
    {"session"},
    {"review"},
    {"searches"},
    {"daemon", "webview"},
    {"settings", "tell"},
    {"settingNames", "log", "inert", "sentence"},
    {"protocol"},
)
"""The folders, and the files that stand in none, from the top down: each imports only what stands below it."""

BANNED_WORDS = {"util", "utils", "helper", "helpers", "common", "misc", "manager", "base", "info", "data", "task"}
DECLARED = re.compile(
    r"^(?:export )?(?:abstract |async |declare )*(class|function|const|interface|type|enum) (\w+)", re.MULTILINE
)
ADDRESSES = {
    "https://www.python.org/downloads/",  # opened in the user's browser, who asks for it
    "http://www.w3.org/2000/svg",  # a name, not a place
    "https://NAME.openai.azure.com/openai/v1",  # what an address looks like, for who has to type one
    "http://127.0.0.1:8080/v1",
    "http://",
    "https://",
}
"""All addresses that the client names. It asks none of them anything."""


@cache
def _texts() -> dict[Path, str]:
    """The text of every file. Each test looks at all: one for each file and rule would be more than a thousand."""
    return {path.relative_to(SOURCE): path.read_text(encoding="utf-8") for path in FILES}


def _offending(rule: Callable[[Path, str], object]) -> dict[str, object]:
    """Return the findings of `rule` by file, without the files in which it finds nothing."""
    found = {path.as_posix(): rule(path, text) for path, text in _texts().items()}
    return {name: offence for name, offence in found.items() if offence}


def test_there_is_something_to_check() -> None:
    assert len(FILES) > 20
    assert len(COMMANDS) > 20


def test_parts_import_only_lower_parts() -> None:
    def upwards(path: Path, text: str) -> list[str]:
        own = _part(SOURCE / path)
        return [
            other.relative_to(SOURCE).as_posix()
            for other in _imported(SOURCE / path, text)
            if _part(other) != own and _floor(_part(other)) >= _floor(own)
        ]

    assert _offending(upwards) == {}


def test_parts_under_unit_test_import_no_editor() -> None:
    """Only types of VS Code's: the tests of pure parts run in Node alone."""
    pending = [
        (test.parent / f"{name}.ts").resolve()
        for test in (CLIENT / "test" / "unit").glob("*.test.ts")
        for name in re.findall(r'from "(\.[^"]+)"', test.read_text(encoding="utf-8"))
    ]
    pure: set[Path] = set()
    while pending:
        path = pending.pop()
        if path not in pure and path.is_relative_to(SOURCE):
            pure.add(path)
            pending += _imported(path, path.read_text(encoding="utf-8"))
    assert pure
    wrong = [path.name for path in pure if re.search(r'^import (?!type)[^;]*from "vscode', path.read_text(), re.M)]
    assert wrong == []


def test_what_is_said_can_be_translated() -> None:
    """The texts of a file are found only where it takes `l10n`, or the type of it, from VS Code itself."""

    def lost(_: Path, text: str) -> list[str]:
        takes = re.search(r'^import (?:type )?\{[^}]*\bl10n\b[^}]*\} from "vscode";', text, re.MULTILINE)
        return [] if takes else re.findall(r"\bl10n\.t\(", text)

    assert _offending(lost) == {}


def test_messages_take_two_lines_at_most() -> None:
    """What is said in the editor says what happened and what to do; buttons and cards have the rest."""
    said = json.loads((CLIENT / "l10n" / "bundle.l10n.json").read_text(encoding="utf-8"))
    assert [text for text in said.values() if len(text) > 160] == []


def test_a_file_has_at_most_400_lines() -> None:
    lengths = {path.as_posix(): len(text.splitlines()) for path, text in _texts().items()}
    assert {name: length for name, length in lengths.items() if length > 400} == {}


def test_files_begin_with_their_purpose() -> None:
    openings = {path.as_posix(): text.splitlines()[0] for path, text in _texts().items()}
    assert {name: line for name, line in openings.items() if not re.match(r"// .*[.:]$", line)} == {}


def test_exports_have_a_comment() -> None:
    def bare(_: Path, text: str) -> list[str]:
        return [
            line
            for before, line in pairwise(text.splitlines())
            if line.startswith("export ") and DECLARED.match(line) and not before.strip().endswith("*/")
        ]

    assert _offending(bare) == {}


def test_modules_have_no_state() -> None:
    assert _offending(lambda _, text: re.findall(r"^(?:export )?(?:let|var) .*", text, re.MULTILINE)) == {}


def test_no_type_is_given_up() -> None:
    given_up = re.compile(r"(?:[:<|] ?|\bas )any\b|\bany\[\]|as unknown as|@ts-(?:ignore|nocheck)")
    assert _offending(lambda _, text: given_up.findall(text)) == {}


def test_names_have_no_catch_all_words() -> None:
    def drawers(path: Path, text: str) -> set[str]:
        names = [path.stem, *(name for _, name in DECLARED.findall(text))]
        return {word.lower() for name in names for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)} & BANNED_WORDS

    assert _offending(drawers) == {}


def test_every_web_address_is_a_known_one() -> None:
    assert _offending(lambda _, text: set(re.findall(r"https?://[\w.:/-]*(?<![.])", text)) - ADDRESSES) == {}


def test_no_path_leads_out_of_the_project() -> None:
    assert _offending(lambda _, text: re.findall(r"(?:/work|/tmp|/home|/root)/\w+", text)) == {}


def test_implemented_commands_are_those_of_the_manifest() -> None:
    table = (SOURCE / "commands" / "index.ts").read_text(encoding="utf-8")
    done = set(re.findall(r'^ {4}"(certo\.[\w.]+)": \{', table, re.MULTILINE))
    assert done == COMMANDS


def test_every_named_command_exists() -> None:
    named = set(re.findall(r'"command": "(certo\.[\w.]+)"', MANIFEST))
    texts = (CLIENT / "package.nls.json").read_text(encoding="utf-8")
    named |= set(re.findall(r"\(command:(certo\.[\w.]+)", texts))
    named |= {
        name for path in FILES for name in re.findall(r"command:(certo\.[\w.]+)", path.read_text(encoding="utf-8"))
    }
    assert named - COMMANDS - OF_VIEWS == set()


def test_manifest_texts_are_exactly_those_used() -> None:
    used = set(re.findall(r'"%([^%"]+)%"', MANIFEST))
    assert used == set(json.loads((CLIENT / "package.nls.json").read_text(encoding="utf-8")))


def test_every_text_of_the_manifest_is_translatable() -> None:
    """Titles, names, descriptions; but for those that only language models read."""
    tools = CONTRIBUTES["languageModelTools"]
    schemas = [each for tool in tools for each in tool["inputSchema"]["properties"].values()]
    of_models = {tool["name"] for tool in tools} | {each["description"] for each in schemas}
    shown = r'"(?:title|name|description|markdownDescription|contents|label|shortTitle)": "(?!%)([^"]*)"'
    untranslated = set(re.findall(shown, MANIFEST)) - {"certo", "Certo"} - of_models
    assert untranslated == set()


@pytest.mark.parametrize(("path", "wanted"), made_files().items(), ids=lambda made: getattr(made, "name", ""))
def test_generated_files_are_up_to_date(path: Path, wanted: str) -> None:
    assert path.read_text(encoding="utf-8") == wanted, f"write {path.relative_to(CLIENT)} anew: make schema"


def _imported(path: Path, text: str) -> Iterator[Path]:
    """The files of ours that a file imports."""
    for name in re.findall(r'from "(\.[^"]+)"', text):
        found = (path.parent / f"{name}.ts").resolve()
        if found.is_relative_to(SOURCE):
            yield found


def _part(path: Path) -> str:
    """The folder a file stands in, or the file that stands in none."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".ts")


def _floor(part: str) -> int:
    """Return the height of a part among the layers: a lower part may import fewer others."""
    (floor,) = (len(FLOORS) - place for place, parts in enumerate(FLOORS) if part in parts)
    return floor
