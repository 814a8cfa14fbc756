"""The environment of a run: named variables are kept, all others are left out."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as some

from certo.sandbox.confinement.environment import environment
from certo.sandbox.executor import Interpreter

SCRATCH = Path("/scratch")


def python(executable: Path, *readable: Path) -> Interpreter:
    return Interpreter(executable=executable, version=(3, 11, 0), readable=readable, why="a test")


FOREIGN = ["OPENAI_API_KEY", "PYTHONPATH", "PYTHONSTARTUP", "LD_PRELOAD", "HOME", "SSH_AUTH_SOCK", "PYTEST_ADDOPTS"]


@given(some.dictionaries(some.sampled_from(FOREIGN), some.just("canary")))
def test_what_is_not_named_stays_out(ours: dict[str, str]) -> None:
    assert "canary" not in environment(python(Path("/usr/bin/python3")), SCRATCH, ours).values()


def test_only_language_and_time_zone_pass() -> None:
    """Home and temporary directory are the run's own."""
    ours = {"LANG": "de_DE.UTF-8", "LC_ALL": "C", "TZ": "UTC", "PATH": "/bin"}
    seen = environment(python(Path("/opt/python/bin/python")), SCRATCH, ours)
    assert {name: seen[name] for name in ("LANG", "LC_ALL", "TZ")} == {
        "LANG": "de_DE.UTF-8",
        "LC_ALL": "C",
        "TZ": "UTC",
    }
    assert seen["PATH"] == os.pathsep.join(("/opt/python/bin", "/bin"))
    assert (seen["HOME"], seen["TMPDIR"]) == ("/scratch/home", "/scratch/tmp")
    assert seen["PYTHONHASHSEED"] == "0"
    assert "VIRTUAL_ENV" not in seen


def test_a_virtual_environment_is_named(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "pyvenv.cfg").write_text("")
    assert environment(python(tmp_path / "bin" / "python"), SCRATCH, {})["VIRTUAL_ENV"] == str(tmp_path)


def test_user_packages_need_a_matching_interpreter() -> None:
    """An interpreter that does not use them does not find them."""
    ours = {"HOME": "/home/ann"}
    packages = Path("/home/ann/.local/lib/python3.11/site-packages")
    used = environment(python(Path("/usr/bin/python3"), Path("/usr"), packages), SCRATCH, ours)
    assert used["PYTHONUSERBASE"] == "/home/ann/.local"
    assert "PYTHONUSERBASE" not in environment(python(Path("/usr/bin/python3"), Path("/usr")), SCRATCH, ours)
