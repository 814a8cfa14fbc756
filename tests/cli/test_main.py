"""The command itself: light, helpful, and never a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from certo import __version__
from certo.cli.main import COMMANDS, main
from support.cli.command import COMMAND, certo, environment, till

HEAVY = {"anyio", "pydantic", "httpx", "lsprotocol", "pygls", "rich", "argparse", "asyncio"}


def loaded_by(program: str) -> set[str]:
    code = f"{program}\nimport json, sys\nprint('\\n' + json.dumps([name.split('.')[0] for name in sys.modules]))"
    ran = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    return set(json.loads(ran.stdout.splitlines()[-1]))


@pytest.mark.parametrize("words", [[], ["--version"], ["--help"]])
def test_naming_the_command_loads_nothing_heavy(words: list[str]) -> None:
    assert not loaded_by(f"from certo.cli.main import main\nmain({words!r})") & HEAVY


def test_serving_is_reached_without_the_engine() -> None:
    assert not loaded_by("import certo.cli.main, certo.cli.serve") & (HEAVY - {"argparse"})


def test_without_arguments_the_commands_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert all(name in said.err for name in COMMANDS)


def test_help_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "certo demo" in capsys.readouterr().out


def test_it_knows_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"certo {__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main([name, "--help"])
    assert leaving.value.code == 0
    assert f"certo {name}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["frobnicate"], "'frobnicate'"),
        (["generate"], "FILE::NAME"),
        (["generate", "a.py::f", "--candidates", "none"], "'none'"),
        (["generate", "a.py::f", "--candidates", "0"], "'0'"),
        (["generate", "a.py::f", "--timeout", "-1"], "'-1'"),
        (["generate", "a.py::f", "--shiny"], "--shiny"),
        (["generate", "a.py"], "'a.py'"),
        (["generate", "missing.py::f"], "missing.py"),
        (["generate", "a.py::f", "--script", "missing.json"], "missing.json"),
        (["generate"], "--traceback FILE"),
        (["generate", "--traceback", "missing.log"], "missing.log"),
    ],
)
def test_bad_usage_is_one_sentence_and_2(
    words: list[str], names: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("certo: ")
    assert said.err.count("\n") == 1
    assert names in said.err


def test_bug_is_one_sentence_and_a_log(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The traceback is in the log."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "broken_command.py").write_text("def add_arguments(parser):\n    raise KeyError('oops')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(COMMANDS, "broken", ("break", "broken_command"))
    assert main(["broken"]) == 70
    said = capsys.readouterr().err
    assert "KeyError" in said
    assert "Traceback" not in said
    assert "Traceback" in (tmp_path / "certo" / "certo.log").read_text()


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    root = till(tmp_path / "till")
    with subprocess.Popen(
        [*COMMAND, "generate", "till.py::change", "--json"],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert json.loads(running.stdout.readline())["seq"] == 1
        running.stdout.close()
        said = running.stderr.read()
        assert running.wait() == 141
    assert said == b""


def test_settings_that_are_wrong_are_named(tmp_path: Path) -> None:
    ran = certo(till(tmp_path / "till"), "generate", "till.py::change", "--strategy", "magic")
    assert ran.code == 2
    assert "'magic'" in ran.err
    assert "retry" in ran.err


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_standard_stream_is_no_failure(closed: str) -> None:
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *COMMAND, "--version"]
    assert subprocess.run(shell, check=False, timeout=60).returncode == 0
