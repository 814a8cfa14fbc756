"""`certo doctor` as its users run it: a real process, its output and its exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.projects.environments import make_environment


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project") / "shop"
    root.mkdir()
    make_environment(root / ".venv", "pytest==8.1.0")
    return root


@pytest.fixture
def root(shop: Path) -> Path:
    """The project, with settings as they were."""
    (shop / "pyproject.toml").write_text("[project]\nname = 'shop'\n")
    return shop


def doctor(root: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return certo(root, "doctor", *arguments, **environ)


def certo(root: Path, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    kept = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], **environ}
    command = [sys.executable, "-m", "certo", *words]
    return subprocess.run(command, cwd=root, env=kept, capture_output=True, text=True, check=False, timeout=60)


def test_usable_project_exits_0_with_aligned_lines(root: Path) -> None:
    ran = doctor(root)
    assert (ran.returncode, ran.stderr) == (0, "")
    lines = ran.stdout.splitlines()
    assert lines[0] == f"✓  root         {root}"
    assert f"✓  interpreter  Python {'.'.join(map(str, sys.version_info[:3]))}, {root}/.venv/bin/python" in lines
    assert "✓  pytest       8.1.0" in lines
    at = next(number for number, line in enumerate(lines) if line.startswith("!  tests        no test files"))
    assert lines[at + 1].startswith("                → write a test")
    assert "\x1b" not in ran.stdout
    assert all(line == line.rstrip() for line in lines)
    [end] = [number for number, line in enumerate(lines) if line.startswith("certo works here, with ")]
    # A project without tests needs tests first.
    assert lines[end + 1 : end + 3] == ["", "Next:"]
    assert lines[end + 3].startswith("  certo tests FILE::FUNCTION     write tests")
    assert len(lines) == end + 5


@pytest.mark.slow
def test_settings_cannot_write_escapes_to_the_terminal(root: Path) -> None:
    (root / "pyproject.toml").write_text('[tool.certo]\n"\\u001b]0;mine\\u0007" = 1\n')
    ran = doctor(root)
    assert "\\x1b]0;mine\\x07: unknown setting" in ran.stdout
    (root / "mod.py").write_text("def f(): ...\n")
    told = certo(root, "generate", "mod.py::f")
    assert "\\x1b]0;mine\\x07: unknown setting" in told.stderr
    assert "\x1b" not in ran.stdout + told.stdout + told.stderr


def test_a_broken_world_ends_with_3(root: Path) -> None:
    ran = doctor(root, CERTO_INTERPRETER="/no/python")
    assert (ran.returncode, ran.stderr) == (3, "")
    assert "✗  interpreter  the interpreter '/no/python' of your settings does not exist" in ran.stdout
    end = [
        "certo cannot work here yet: 1 problem to fix.",
        "",
        "Next:",
        "  certo doctor  again, once the problems above are fixed",
    ]
    assert ran.stdout.splitlines()[-4:] == end


def test_json_is_one_object_in_camel_case(root: Path) -> None:
    """In any locale, and with the self-test if it is asked for."""
    (root / "pyproject.toml").write_text("[tool.certo.search]\nfull_report = true\n")
    ran = doctor(root, "--self-test", "--json", ".", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    said = json.loads(ran.stdout)
    assert ran.returncode == 0
    assert said["usable"] is True
    assert said["root"] == {"path": str(root), "why": "the nearest directory with a pyproject.toml"}
    assert said["interpreter"]["pytest"] == "8.1.0"
    assert (said["testFiles"], said["settings"]["search"]["fullReport"]) == (0, True)
    assert said["settingOrigins"] == {"search.fullReport": "pyproject.toml [tool.certo]"}
    assert {fact["subject"] for fact in said["facts"]} >= {
        "root",
        "interpreter",
        "pytest",
        "tests",
        "sandbox",
        "settings",
    }
    assert {fact["health"] for fact in said["facts"]} <= {"good", "lacking", "broken"}
    assert len(said["selfTest"]) == 17
    assert not any(attempt["worked"] for attempt in said["selfTest"])


def test_next_steps_depend_on_the_tests(root: Path) -> None:
    test = root / "test_shop.py"
    test.write_text("def test_one(): ...\n")
    lines = doctor(root).stdout.splitlines()
    test.unlink()
    steps = [line.split("  ")[1] for line in lines[lines.index("Next:") + 1 :]]
    assert steps == [
        "certo generate TEST_FILE::TEST",
        "certo generate FILE::FUNCTION",
        "certo verify FILE::FUNCTION",
        "certo watch",
    ]


def test_missing_path_exits_2(root: Path) -> None:
    ran = doctor(root, "nowhere")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "certo: there is no file or directory nowhere; name one of the project's\n"


def test_self_test_lists_every_refused_attempt(root: Path) -> None:
    ran = doctor(root, "--self-test")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "✓  fork: refused: [Errno 1] Operation not permitted" in ran.stdout.splitlines()
    assert "Every attempt of a hostile candidate was refused." in ran.stdout.splitlines()


@pytest.mark.slow
def test_plug_ins_and_broken_ones_are_listed(root: Path, tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    about = packages / "shapes-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: shapes\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[certo.costs]\nlength = builtins:len\n[certo.strategies]\ngreedy = shapes.greedy:Greedy\n"
    )
    said = doctor(root, PYTHONPATH=str(packages)).stdout
    assert "✓  plug-ins     1 that can be loaded\n                cost length (builtins:len)\n" in said
    assert (
        "!  plug-in      the strategy 'greedy' of shapes.greedy:Greedy cannot be loaded: No module named 'shapes'\n"
        "                → mend or remove the package that brings shapes.greedy:Greedy\n"
    ) in said
