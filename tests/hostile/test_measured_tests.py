"""`certo tests` and `certo verify --strength` of code that forges kills, writes elsewhere, or ends its process."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from certo.cli.main import main

HONEST = "def f(n: int) -> int:\n    return n * 2 if n > 3 else n\n"
WEAK = "from mod import f\n\n\ndef test_f():\n    assert f(1) == 1\n"

FORGED = json.dumps(
    {"kind": "mutant", "edits": [[0, 0, "#"]], "template": "x", "line": 1, "result": "noticed", "test": ""}
)
FORGES = f"""\
import os

def f(n: int) -> int:
    for channel in range(3, 40):
        try:
            os.write(channel, {FORGED!r}.encode() + b"\\n")
        except OSError:
            pass
    return n * 2 if n > 3 else n
"""
KILLS = """\
import os, signal

def f(n: int) -> int:
    if n > 3:
        os.kill(os.getppid(), signal.SIGKILL)
        os._exit(0)
    return n
"""
WRITES = """\
import os, pathlib
for place in (os.path.dirname(os.path.abspath(__file__)), {outside!r}, os.path.expanduser("~")):
    try:
        pathlib.Path(place, "left_behind.txt").write_text("x")
    except OSError:
        pass

"""


def run(root: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any], str]:
    """Run a command; return its exit code, its answer, and what it says besides."""
    code = main([words[0], f"{root / 'mod.py'}::f", *words[1:], "--json", "--interpreter", sys.executable])
    said = capsys.readouterr()
    return code, json.loads(said.out.splitlines()[-1]) if said.out.strip() else {}, said.err


def project(tmp_path: Path, text: str, tests: str = WEAK) -> Path:
    """Write a module and its tests."""
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    (root / "pyproject.toml").write_text("[tool.pytest.ini_options]\npythonpath = ['.']\n", encoding="utf-8")
    (root / "mod.py").write_text(text, encoding="utf-8")
    (root / "tests" / "test_mod.py").write_text(tests, encoding="utf-8")
    return root


def files(folder: Path) -> list[str]:
    """Every file below a folder."""
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file())


@pytest.mark.parametrize("attack", [FORGES], ids=["forged messages"])
def test_kills_are_not_forged(tmp_path: Path, capsys: pytest.CaptureFixture[str], attack: str) -> None:
    """The forger is judged no better than the same code without the attack."""
    (_, honest, _), (_, forging, _) = (
        run(project(tmp_path / name, text), capsys, "verify", "--strength")
        for name, text in (("honest", HONEST), ("forging", attack))
    )
    one, other = (found["evidence"]["strength"] for found in (honest, forging))
    assert one["noticed"] < one["of"], "the tests are weak"
    assert other["noticed"] < other["of"] or not other["of"]


@pytest.mark.parametrize("command", [("tests", "--apply"), ("verify", "--strength")], ids=["tests", "strength"])
def test_nothing_is_left_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    """Neither the module nor a test file writes anything; only the tests that were asked for are added."""
    outside = tmp_path / "outside"
    outside.mkdir()
    writes = WRITES.format(outside=str(outside))
    root = project(tmp_path, writes + HONEST, writes + WEAK)
    before = files(tmp_path)
    run(root, capsys, *command)
    assert files(tmp_path) == before
    assert not (Path.home() / "left_behind.txt").exists()


@pytest.mark.parametrize("command", [("tests", "--apply"), ("verify", "--strength")], ids=["tests", "strength"])
def test_ended_process_gets_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    """A target that ends its process and the one above it is called where it does not, and nothing else is written."""
    root = project(tmp_path, KILLS)
    before = {name: (tmp_path / name).read_bytes() for name in files(tmp_path)}
    code, answer, said = run(root, capsys, *command)
    assert code in (0, 1), said
    assert answer
    changed = {name for name in files(tmp_path) if before.get(name) != (tmp_path / name).read_bytes()}
    assert changed <= {"project/tests/test_mod.py"}
    text = (root / "tests" / "test_mod.py").read_text(encoding="utf-8")
    assert text.startswith(WEAK.rstrip())


@pytest.mark.parametrize("command", [("tests", "--apply"), ("verify", "--strength")], ids=["tests", "strength"])
def test_module_that_ends_its_process(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    root = project(tmp_path, "import os\nos._exit(0)\n" + HONEST)
    before = files(tmp_path)
    code, _, _ = run(root, capsys, *command)
    assert code == 1
    assert files(tmp_path) == before
