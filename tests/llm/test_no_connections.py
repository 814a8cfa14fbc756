"""Without a language model, certo opens no connection to anyone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from support.projects.bare_environment import bare_environ

WATCH = """\
import os, sys

def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        with open(os.environ["WATCHED"], "a") as told:
            told.write(f"{event} {arguments[-1] if event != 'socket.getaddrinfo' else arguments[0]}\\n")

sys.addaudithook(watch)
"""
CALL = "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('192.0.2.1', 9))\n"


def watched(folder: Path, *command: str) -> str:
    """Run a command under watch, and return its connections but those to this machine itself."""
    (folder / "watch").mkdir(exist_ok=True)
    (folder / "watch/sitecustomize.py").write_text(WATCH)
    told = folder / "told"
    told.write_text("")
    environ = {**bare_environ(), "PYTHONPATH": str(folder / "watch"), "WATCHED": str(told)}
    for home in ("DATA", "CACHE", "STATE"):
        environ[f"XDG_{home}_HOME"] = str(folder / home.lower())
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return "\n".join(line for line in told.read_text().splitlines() if "127.0.0.1" not in line and "/" not in line)


def test_no_connection_without_a_model(tmp_path: Path) -> None:
    (tmp_path / "till.py").write_text("def total(prices):\n    return sum(prices) + 1\n")
    (tmp_path / "test_till.py").write_text(
        "from till import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
    )
    assert "192.0.2.1" in watched(tmp_path, "-c", CALL), "the watch sees connections"
    assert watched(tmp_path, "-m", "certo", "generate", "till.py::total") == ""
    assert (tmp_path / "data/certo" / os.curdir).is_dir(), "it has searched"
