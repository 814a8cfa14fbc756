"""Everything that certo keeps, as `certo privacy` shows and deletes it."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import anyio
import pytest

from certo.cli.stored.privacy import in_words
from certo.storage.editor_storage import editor_storages
from certo.storage.stored_files import delete_stored, stored_kinds
from certo.vocabulary.errors import BrokenWorld
from support.search.journalled_searches import NEVER, process, request, sums

FILES = {
    "data/certo/journals/shop-1.sqlite": 5,
    "data/certo/verdicts/key": 7,
    "data/certo/notes": 11,
    "cache/certo/answers.sqlite": 13,
    "cache/certo/code/one.json": 17,
    "state/certo/certo.log": 19,
}


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """The variables of a user who has some of each."""
    for name, size in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x" * size)
    (tmp_path / "data/other").write_text("another program's")
    homes = {f"XDG_{name.upper()}_HOME": str(tmp_path / name) for name in ("data", "cache", "state", "config")}
    return {**os.environ, **homes, "HOME": str(tmp_path / "home")}


def privacy(environ: Mapping[str, str], *words: str, root: Path, answer: str = "") -> tuple[int, str]:
    """Run the command in a folder."""
    done = subprocess.run(
        [sys.executable, "-m", "certo", "privacy", *words],
        cwd=root, env=environ, input=answer, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_each_file_counts_once(environ: dict[str, str]) -> None:
    sizes = {kind.name: kind.size for kind in stored_kinds(environ)}
    assert sorted(filter(None, sizes.values())) == sorted(FILES.values())
    assert sizes["cached answers of language models"] == 13, "the code below it is a kind of its own"
    assert sizes["other files"] == 11


def test_one_folder_for_all_counts_once(environ: dict[str, str], tmp_path: Path) -> None:
    for variable in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
        environ[variable] = environ["XDG_DATA_HOME"]
    (tmp_path / "data/certo/certo.log").write_bytes(b"x" * 19)
    kinds = stored_kinds(environ)
    assert sum(kind.files for kind in kinds) == 4
    assert sum(kind.size for kind in kinds) == 5 + 7 + 11 + 19


def test_all_goes_and_nothing_else(environ: dict[str, str], tmp_path: Path) -> None:
    delete_stored(environ)
    assert not any(kind.files for kind in stored_kinds(environ))
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == ["other"]


EXTENSION = "User/globalStorage/certo.certo"


@pytest.mark.parametrize(
    ("platform", "folder", "editor"),
    [
        ("linux", ".config/Code", "Code"),
        ("linux", ".config/Code - Insiders", "Code - Insiders"),
        ("linux", ".config/VSCodium", "VSCodium"),
        ("linux", ".vscode-server/data", ".vscode-server"),
        ("linux", ".cursor-server/data", ".cursor-server"),
        ("linux", ".local/share/code-server", "code-server"),
        ("linux", ".var/app/com.vscodium.codium/config/VSCodium", "VSCodium"),
        ("darwin", "Library/Application Support/Cursor", "Cursor"),
        ("darwin", ".vscode-server/data", ".vscode-server"),
        ("win32", "AppData/Roaming/Code", "Code"),
        ("win32", ".vscode-server/data", ".vscode-server"),
    ],
)
def test_storage_is_found_in_each_editor(platform: str, folder: str, editor: str, tmp_path: Path) -> None:
    place = tmp_path / folder / EXTENSION
    (place / "servers").mkdir(parents=True)
    (tmp_path / folder / "User/globalStorage/someone.else").mkdir()
    [found] = editor_storages({"HOME": str(tmp_path)}, platform, "/usr")
    assert (found.editor, found.place) == (editor, place)


def test_our_own_environment_goes_last(tmp_path: Path) -> None:
    """It can lie where nobody else would look, for instance beside a portable editor."""
    ours, other = (tmp_path / name / EXTENSION for name in ("stick/user-data", ".config/Code"))
    for place in (ours, other):
        (place / "servers/0.1.0-1").mkdir(parents=True)
    found = editor_storages({"HOME": str(tmp_path)}, "linux", str(ours / "servers/0.1.0-1"))
    assert [storage.place for storage in found] == [other, ours]


def test_what_editors_keep_goes_too(environ: dict[str, str], tmp_path: Path) -> None:
    place = tmp_path / "config/Code" / EXTENSION
    (place / "servers").mkdir(parents=True)
    (place / "servers/record.json").write_bytes(b"x" * 23)
    told = {kind.name: kind.size for kind in stored_kinds(environ)}
    assert told["server and demo projects of Code"] == 23
    code, said = privacy(environ, "--delete-all", "--yes", root=tmp_path)
    assert (code, "deleted 7 files" in said) == (0, True), said
    assert not place.exists()
    assert place.parent.exists()


def test_nothing_goes_if_one_is_a_link(environ: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "config/Code/User/globalStorage").mkdir(parents=True)
    (tmp_path / "config/Code" / EXTENSION).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BrokenWorld, match="is a link to"):
        delete_stored(environ)
    assert (tmp_path / "data/certo/notes").exists()


def test_linked_folders_are_refused(environ: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "data/certo").rename(tmp_path / "elsewhere")
    (tmp_path / "data/certo").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BrokenWorld, match="is a link to"):
        delete_stored(environ)
    assert (tmp_path / "elsewhere/notes").exists()


def test_command_tells_places_and_recipients(environ: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    code, said = privacy(environ, root=tmp_path)
    assert code == 0
    assert "certo opens no connection" in said
    assert str(tmp_path / "data/certo/journals") in said


@pytest.mark.parametrize(
    ("variable", "value", "recipient"),
    [
        ("CERTO_MODEL__NAME", "openai:gpt-5-mini", "openai:gpt-5-mini at https://api.openai.com/v1"),
        ("CERTO_MEMORY__MODEL", "openai:gpt-5-mini", "openai:gpt-5-mini at https://api.openai.com/v1"),
        ("CERTO_GENERATION__MODELS", '["openai:gpt-5-mini"]', "openai:gpt-5-mini at https://api.openai.com/v1"),
        ("CERTO_EXECUTOR__CLUSTER", "tcp://far:8786", "the scheduler at tcp://far:8786 and its workers"),
    ],
)
def test_each_recipient_is_told(
    environ: dict[str, str], tmp_path: Path, variable: str, value: str, recipient: str
) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    environ[variable] = value
    code, said = privacy(environ, "--json", root=tmp_path)
    assert code == 0, said
    [told] = json.loads(said)["sentTo"]
    assert told.startswith(recipient + ":")


def test_judges_are_recipients(environ: dict[str, str], tmp_path: Path) -> None:
    judge = '[tool.certo.criteria.short]\nexpression = "It is short."\nmodel = "ollama:qwen3"\n'
    (tmp_path / "pyproject.toml").write_text(judge)
    code, said = privacy(environ, root=tmp_path)
    assert code == 0, said
    assert "ollama:qwen3 at http://127.0.0.1:11434" in said
    assert "opens no connection" not in said
    code, said = privacy(environ, "--root", "nowhere", root=tmp_path)
    assert (code, "'nowhere'" in said) == (2, True)


async def test_running_searches_keep_all(environ: dict[str, str], tmp_path: Path) -> None:
    root, journals = sums(tmp_path / "project"), tmp_path / "data/certo/journals"
    (journals / "shop-1.sqlite").unlink()
    async with process(journals) as searches:
        live = searches.start(request(root, NEVER))
        command = [sys.executable, "-m", "certo", "privacy", "--delete-all", "--yes"]
        done = await anyio.run_process(command, cwd=root, env=environ, check=False)
        assert (done.returncode, live.running) == (2, True)
    assert live.id in done.stderr.decode()
    assert (tmp_path / "data/certo/notes").exists()


def test_journals_of_newer_versions_keep_all(environ: dict[str, str], tmp_path: Path) -> None:
    """Whether a search runs there, this version cannot tell."""
    file = tmp_path / "data/certo/journals/shop-1.sqlite"
    file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 999")
    code, said = privacy(environ, "--delete-all", "--yes", root=tmp_path)
    assert code == 2
    assert "a newer version of certo wrote it" in said
    assert file.exists()


def test_deleting_needs_an_answer(environ: dict[str, str], tmp_path: Path) -> None:
    code, said = privacy(environ, "--delete-all", root=tmp_path)
    assert code == 2
    assert "6 files, 72 bytes" in said
    assert "--yes" in said
    assert any(kind.files for kind in stored_kinds(environ))


@pytest.mark.parametrize(("size", "words"), [(0, "0 bytes"), (999, "999 bytes"), (1500, "1.5 kB"), (2e12, "2e+03 GB")])
def test_sizes_are_told_in_units(size: float, words: str) -> None:
    assert in_words(size) == words
