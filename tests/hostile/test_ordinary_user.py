"""The rows as an ordinary user, when root runs the tests: a barrier for root may not be one for others."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

_USER = 12345
_NOT_AGAIN = "not apart_from_the_tests and not in_a_fresh_process and not honest_program and not telling"
"""What is not tried again: variants of what is tried in any case, and programs that attack nothing."""

_ROOM = Path(__file__).parent


def as_the_user(command: list[str], place: Path, seconds: float) -> subprocess.CompletedProcess[str]:
    """Run a command as a user who owns `place` and nothing else."""
    environment = {"PATH": os.defpath, "HOME": str(place), "TMPDIR": str(place), "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        command,
        cwd=_ROOM.parents[1],
        env=environment,
        user=_USER,
        group=_USER,
        extra_groups=[],
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
    )


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the user's own; folders of this run's tests are closed to others."""
    folder = Path("/tmp") / f"certo-ordinary-user-{os.getpid()}"
    folder.mkdir(mode=0o700)
    os.chown(folder, _USER, _USER)
    yield folder
    shutil.rmtree(folder)


def python_for_the_user(place: Path) -> str:
    """A Python of our version that the user may start, and that finds what is installed for us."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    found = [sys.executable, *(f"{folder}/{name}" for folder in ("/usr/local/bin", "/usr/bin"))]
    for number, python in enumerate(found):
        environment = place / f"environment{number}"
        own = environment / "bin" / "python"
        # One that can be started need not make an environment that can: its own may lie where only root may go.
        made = as_the_user(["/usr/bin/env", python, "-m", "venv", "--without-pip", str(environment)], place, 60)
        if made.returncode == 0 and as_the_user(["/usr/bin/env", str(own), "-c", ""], place, 20).returncode == 0:
            [packages] = environment.glob("lib/python*/site-packages")
            ours = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
            (packages / "ours.pth").write_text(ours)
            return str(own)
    pytest.fail(f"an ordinary user can start none of {', '.join(found)}; run this folder as such a user yourself")


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(os.getuid() != 0, reason="these tests are being run by an ordinary user as it is")
def test_the_rows_as_an_ordinary_user(place: Path, pytestconfig: pytest.Config) -> None:
    python = python_for_the_user(place)
    corpus = pytestconfig.getoption("hostile_corpus")
    command = [python, "-B", "-m", "pytest", str(_ROOM), "-q", "-p", "no:cacheprovider"]
    command += [f"--basetemp={place / 'tests'}", f"--ignore={__file__}", "-k", _NOT_AGAIN]
    command += ["--hostile-corpus", str(corpus)] if corpus else []
    ran = as_the_user(command, place, 800)
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
    last = ran.stdout.splitlines()[-1]
    assert re.search(r"\d+ passed", last), last
    assert "skipped" not in last, ran.stdout[-3000:]
