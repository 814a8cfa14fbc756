"""pytest and its plug-ins are imported ahead of a session, as that session would import them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from certo.guests import WORKER_HOME
from certo_worker.suite.pytest_config import Configured
from support.projects.bare_environment import bare_python

RUN = """\
import sys
sys.path.insert(0, {home!r})
from certo_worker.suite.pytest_run import import_pytest, make_importable, run_pytest
make_importable({root!r})
import_pytest({root!r})
print(sorted({{"conftest", "plugged"}} & set(sys.modules)), "mod" in sys.modules)
print("status", run_pytest({root!r}, [{root!r}], object()))
"""

FILES = {
    # A plug-in that was imported past pytest would be warned of, and here that is an error.
    "pytest.ini": "[pytest]\naddopts = -p plugged {more}\nfilterwarnings = error::pytest.PytestAssertRewriteWarning\n",
    "plugged.py": "def is_two(n):\n    assert n == 2\n",
    "conftest.py": "import mod\n\ndef pytest_addoption(parser):\n    parser.addoption('--ours', action='store_true')\n",
    "mod.py": "TWO = 2\n",
    "test_it.py": """\
import plugged, pytest
from mod import TWO

def test_it(request):
    plugged.is_two(TWO)
    with pytest.raises(AssertionError, match="assert 3 == 2"):
        plugged.is_two(3)
""",
}


def said_in(root: Path, more: str, plugged: str = FILES["plugged.py"]) -> list[str]:
    """Return what a process prints that imports pytest for a project ahead of a session, and then runs it."""
    for name, text in {**FILES, "plugged.py": plugged}.items():
        (root / name).write_text(text.replace("{more}", more))
    script = RUN.format(home=str(WORKER_HOME), root=str(root))
    command = [bare_python(), "-B", "-c", script]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if line.startswith(("[", "status"))]


def test_plug_ins_are_preloaded_and_conftests_not(tmp_path: Path) -> None:
    """Assertions of plug-ins are rewritten."""
    assert said_in(tmp_path, "") == ["['plugged'] False", "status 0"]


def test_plug_ins_begin_no_session_ahead(tmp_path: Path) -> None:
    """What one does for a session, as pytest-django does when it blocks databases, would be left to the next."""
    begins = (
        "import atexit\nbegun = []\n\ndef pytest_load_initial_conftests():\n    begun.append(1)\n\n"
        "def is_two(n):\n    assert n == 2\n\natexit.register(lambda: print('status begun', len(begun)))\n"
    )
    assert said_in(tmp_path, "", begins) == ["['plugged'] False", "status 0", "status begun 1"]


def test_option_of_a_conftest_does_no_harm(tmp_path: Path) -> None:
    assert said_in(tmp_path, "--ours") == ["['plugged'] False", "status 0"]


@pytest.mark.parametrize("blocked", ["-p no:xdist", "-p no:xdist -p no:cacheprovider"])
def test_blocked_plug_ins_get_no_options(tmp_path: Path, blocked: str) -> None:
    """With xdist switched off, pytest would refuse its option `-n0`."""
    assert said_in(tmp_path, blocked) == ["['plugged'] False", "status 0"]


def test_blocked_plug_ins_are_known(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -pno:cov -p no:randomly -p other\n")
    assert Configured(str(tmp_path)).blocked_plugins >= {"pytest_cov", "randomly"}
