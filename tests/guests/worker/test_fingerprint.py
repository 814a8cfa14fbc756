"""The fingerprint of a project and its interpreter: it changes with every change, and only then."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from certo.guests import WORKER_HOME
from certo_worker.fingerprint import Unsure, Walk
from support.projects.bare_environment import bare_python
from support.projects.projects import write_project

FILES = {
    "sums.py": "def double(n):\n    return n * 3\n",
    "tests/test_sums.py": "from sums import double\n",
    "tests/conftest.py": "",
    "data/rates.csv": "1;2\n",
    ".git/index": "one",
    "__pycache__/sums.pyc": "one",
}

_PROGRAM = """\
import json, sys
sys.path.append({home!r})
from certo_worker.fingerprint import main
main(json.loads(sys.argv[1]), lambda message: print(json.dumps(message)))
"""


def told(root: Path, *, most: int = 100_000, places: tuple[Path, ...] = (), **variables: str) -> Mapping[str, str]:
    """Return the program's message, once no file is too new for it to be sure."""
    time.sleep(0.1)
    request = {"root": str(root), "places": list(map(str, places)), "flat": [], "most": most}
    request = {**request, "seconds": 60, "since": time.time_ns()}
    command = [str(bare_python()), "-I", "-S", "-B", "-c", _PROGRAM.format(home=str(WORKER_HOME)), json.dumps(request)]
    said = subprocess.run(command, capture_output=True, check=True, text=True, env={"PATH": "/usr/bin", **variables})
    return json.loads(said.stdout)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_project(tmp_path / "sums", FILES)


def rewrite(place: Path) -> None:
    """Change a byte of a file, with its size and its times as they were."""
    about = place.stat()
    place.write_text(place.read_text().replace("3", "2").replace("1", "5"))
    os.utime(place, ns=(about.st_atime_ns, about.st_mtime_ns))


CHANGES: Mapping[str, Callable[[Path], object]] = {
    "a module, with its size and times as they were": lambda root: rewrite(root / "sums.py"),
    "a test file": lambda root: (root / "tests/test_sums.py").write_text("from sums import *\n"),
    "a conftest.py": lambda root: (root / "tests/conftest.py").write_text("import os\n"),
    "what is no Python": lambda root: (root / "data/rates.csv").write_text("2;1\n"),
    "a new module": lambda root: (root / "helper.py").write_text(""),
    "a file less": lambda root: (root / "tests/conftest.py").unlink(),
    "a file of another name": lambda root: (root / "data/rates.csv").rename(root / "data/prices.csv"),
    "a new directory": lambda root: (root / "more").mkdir(),
    "another mode": lambda root: (root / "sums.py").chmod(0o600),
    "a link": lambda root: (root / "linked.py").symlink_to("sums.py"),
}


@pytest.mark.usual_cases("a module, with its size and times as they were", "a test file", "a conftest.py", "a link")
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_every_change_makes_another(root, change):
    before = told(root)
    assert before == told(root)
    assert before["kind"] == "fingerprint"
    change(root)
    assert told(root)["text"] != before["text"]


def test_changing_back_still_changes_the_fingerprint(root):
    before = told(root)
    (root / "helper.py").write_text("")
    (root / "helper.py").unlink()
    assert told(root)["text"] != before["text"]


def test_what_has_no_effect_does_not_count(root):
    before = told(root)
    (root / ".git/index").write_text("two")
    (root / ".git/index.lock").write_text("")
    (root / "__pycache__/sums.pyc").write_text("two")
    assert told(root) == before


def test_packages_count_where_they_are_imported_from(root, tmp_path):
    library = write_project(tmp_path / "lib", {"site-packages/rates/__init__.py": "", "plain/rates.py": ""})
    packages = library / "site-packages"
    above, itself = told(root, places=(library,)), told(root, places=(packages,))
    (packages / "rates/__init__.py").write_text("RATE = 2\n")
    assert told(root, places=(library,)) == above
    assert told(root, places=(packages,))["text"] != itself["text"]
    (library / "plain/rates.py").write_text("RATE = 2\n")
    assert told(root, places=(library,))["text"] != above["text"]


def test_packages_in_the_project_always_count(root):
    vendored = write_project(root, {"vendor/site-packages/rates.py": "RATE = 1\n"}) / "vendor/site-packages/rates.py"
    before = told(root)
    vendored.write_text("RATE = 2\n")
    assert told(root)["text"] != before["text"]


def test_what_a_link_leads_to_counts(root, tmp_path):
    elsewhere = write_project(tmp_path / "elsewhere", {"rates.py": "RATE = 1\n", "deep/rates.py": "RATE = 1\n"})
    (root / "rates.py").symlink_to(elsewhere / "rates.py")
    (root / "deep").symlink_to(elsewhere / "deep")
    (root / "deep" / "around").symlink_to(root)
    (root / "nowhere").symlink_to(root / "nowhere")
    first = told(root)
    (elsewhere / "rates.py").write_text("RATE = 2\n")
    second = told(root)
    (elsewhere / "deep/rates.py").write_text("RATE = 2\n")
    assert len({first["text"], second["text"], told(root)["text"]}) == 3


def test_variables_count_except_those_of_runs(root):
    before = told(root, LANG="C", HOME="/one", TMPDIR="/one")
    assert told(root, LANG="C", HOME="/two", TMPDIR="/two") == before
    assert told(root, LANG="C", TZ="UTC", HOME="/one", TMPDIR="/one")["text"] != before["text"]


def test_there_is_none_of_too_many_files(root):
    assert told(root, most=5) == {"kind": "none", "why": "certo_worker.fingerprint.Unsure: there are too many files"}


def test_none_if_something_changed_just_now(root):
    walk = Walk(100, 60.0, time.time_ns())
    (root / "sums.py").write_text("")
    walk.take(str(root))
    with pytest.raises(Unsure, match="just now"):
        walk.found()


def test_none_if_changed_since_the_runs_began(root):
    began = time.time_ns()
    (root / "sums.py").write_text("")
    time.sleep(0.1)
    walk = Walk(100, 60.0, began)
    walk.take(str(root))
    with pytest.raises(Unsure, match="just now"):
        walk.found()


def test_none_if_reading_takes_too_long(root):
    for number in range(1000):
        (root / f"{number}.txt").touch()
    with pytest.raises(Unsure, match="too long"):
        Walk(2000, 0.0, time.time_ns()).take(str(root))
