"""`certo diff` of functions that read the world, hide, hang, or change it: no difference is claimed of equal code."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from certo.cli.main import main

HEAD = "import datetime, os, random, socket, sys, time, urllib.request, uuid\nseen = []\n\n"

STEADY = {
    "clock": "def f(n: int):\n    return time.time() + n, str(datetime.datetime.now()), datetime.date.today()\n",
    "sleep": "def f(n: int):\n    time.sleep(1000)\n    return n\n",
    "random": "def f(n: int):\n    return random.random() * n, uuid.uuid4(), os.urandom(4)\n",
    "environment": "def f(name: str):\n    return os.environ.get(name), os.environ.setdefault('HERE', name)\n",
    "hash seed": "def f(text: str):\n    return hash(text), list(set(text))\n",
    "globals": "def f(n: int):\n    seen.append(n)\n    return len(seen)\n",
    "written file": "def f(text: str):\n    with open('out', 'w') as out:\n        return out.write(text)\n",
    "no __eq__": "class A:\n    def __init__(self, n):\n        self.n = n\ndef f(n: int):\n    return A(n)\n",
    "cycle": "def f(n: int):\n    xs = [n]\n    xs.append(xs)\n    return xs\n",
}
SERVICE = """
class A:
    def __init__(self, x):
        self.x = x
    def f(self, n):
        return self.x.get(n)
"""

NOT_COMPARED = {
    "read file": ("def f(name: str):\n    return open(name).read()\n", "it needs a file or a network"),
    "network": ("def f(name: str):\n    return urllib.request.urlopen('http://' + name).read()\n", "a network"),
    "never returns": ("def f(n: int):\n    while True:\n        n += 1\n", "neither version comes back"),
    "too deep": ("def f(n: int):\n    return f(n + 1)\n", "neither version comes back"),
    "ends the process": ("def f(n: int):\n    os._exit(3)\n", "end the process they run in"),
    "socket": ("def f(s: socket.socket):\n    return s.fileno()\n", "no value was of the kind it takes"),
    "service": (SERVICE, "certo cannot make an object of A"),
    "function as result": ("def f(n: int):\n    return lambda: n\n", "cannot be looked into"),
}


def diff(root: Path, text: str) -> int:
    """Compare a module's `f` with itself in another layout."""
    now, before = root / "mod.py", root / "before.py"
    now.write_text(HEAD + text, encoding="utf-8")
    before.write_text(HEAD + text, encoding="utf-8")
    name = "A.f" if "    def f(self" in text else "f"
    return main(["diff", f"{now}::{name}", "--with", str(before), "--interpreter", sys.executable])


@pytest.mark.parametrize("what", STEADY)
def test_same_world_for_both(tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str) -> None:
    assert diff(tmp_path, STEADY[what]) == 0
    said = capsys.readouterr().out
    assert "NO DIFFERENCE FOUND" in said
    assert "weak evidence" not in said


@pytest.mark.parametrize("what", NOT_COMPARED)
def test_reasons_for_no_comparison(tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str) -> None:
    text, reason = NOT_COMPARED[what]
    assert diff(tmp_path, text) == 4
    assert reason in capsys.readouterr().out


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    assert diff(tmp_path, STEADY["written file"]) == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["before.py", "mod.py"]
