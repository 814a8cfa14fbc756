"""What ambient repairs take while someone works, and how soon a fix is offered.

    python tests/benchmarks/ambient.py [--minutes 60] [--every 30] [--python ENVIRONMENT/bin/python]

A client of `certo serve` types and saves in a small project. A line is typed and saved every `--every` seconds; each
fifth save breaks a function, which is put right once a fix was offered. Measured are the processor time of the daemon
and everything it starts, in percent of one core (bar: 5), the same in a minute in which nothing changes (bar: 0.1), and
the seconds from a save to its offer. No message may come, and no offer may be missed. A figure above its bar ends in
exit code 1.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from textwrap import dedent
from typing import Any

from first_verified import FILES, TARGET, environment, write
from initialize import send

WATCHING, IDLE = 5.0, 0.1
"""Bars, in percent of one core."""

RIGHT = dedent(FILES[TARGET]).replace("(100 + discount)", "(100 - discount)")
WRONG = ("amount += price", "amount -= price")
MAX_WAIT = 60.0
TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(root: int) -> float:
    """Return the processor time of a process, its living descendants, and all that these have waited for."""
    parents: dict[int, list[int]] = {}
    spent: dict[int, float] = {}
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal():
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                parents.setdefault(int(fields[1]), []).append(int(entry.name))
                spent[int(entry.name)] = sum(map(int, fields[11:15])) / TICKS
        except OSError:
            continue
    found, total = [root], 0.0
    while found:
        one = found.pop()
        total += spent.get(one, 0.0)
        found += parents.get(one, [])
    return total


class Client:
    """A client that types, saves, and reads what the daemon tells it."""

    def __init__(self, root: Path, data: str) -> None:
        self._document = {"uri": (root / TARGET).as_uri()}
        self._version = 1
        self.text = RIGHT
        self.messages = 0
        (root / TARGET).write_text(RIGHT, encoding="utf-8")
        self.path = root / TARGET
        self.server = subprocess.Popen(
            [sys.executable, "-m", "certo", "serve", "--stdio"],
            cwd=root,
            env={**os.environ, "XDG_DATA_HOME": data},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self.server.stdin is not None
        assert self.server.stdout is not None
        self._in, self._out = self.server.stdin, self.server.stdout
        os.set_blocking(self._out.fileno(), False)
        self._read = b""
        opening = {
            "processId": None,
            "rootUri": root.as_uri(),
            "capabilities": {"textDocument": {"publishDiagnostics": {}, "synchronization": {"didSave": True}}},
            "initializationOptions": {"settings": {"ambient": {"enabled": True}}},
            "workspaceFolders": [{"uri": root.as_uri(), "name": "root"}],
        }
        send(self._in, "initialize", opening, 1)
        while not any(message.get("id") == 1 for message in self.heard(1.0)):
            pass
        send(self._in, "initialized", {})
        send(self._in, "textDocument/didOpen", {"textDocument": {**self._document, **self._opened()}})

    def _opened(self) -> dict[str, Any]:
        return {"languageId": "python", "version": self._version, "text": self.text}

    def heard(self, seconds: float) -> list[dict[str, Any]]:
        """Return what comes within so many seconds, at the latest when something has come."""
        messages: list[dict[str, Any]] = []
        until = time.perf_counter() + seconds
        while not messages and (left := until - time.perf_counter()) > 0:
            if select.select([self._out], [], [], left)[0]:
                self._read += self._out.read() or b""
            while b"\r\n\r\n" in self._read:
                head, _, rest = self._read.partition(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length:")[2].split()[0])
                if len(rest) < length:
                    break
                messages.append(json.loads(rest[:length]))
                self._read = rest[length:]
        for message in messages:
            if "id" in message and "method" in message:
                answer = {"jsonrpc": "2.0", "id": message["id"], "result": None}
                body = json.dumps(answer).encode()
                self._in.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                self._in.flush()
            self.messages += message.get("method") in ("window/showMessage", "window/showMessageRequest")
        return messages

    def type(self, text: str) -> None:
        """Change the text to this one."""
        self.text, self._version = text, self._version + 1
        document = {**self._document, "version": self._version}
        send(self._in, "textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def save(self) -> None:
        """Save the text."""
        self.path.write_text(self.text, encoding="utf-8")
        send(self._in, "textDocument/didSave", {"textDocument": self._document})

    def offer(self) -> float | None:
        """Return the seconds until a fix is offered; None if none is."""
        began = time.perf_counter()
        while time.perf_counter() - began < MAX_WAIT:
            for message in self.heard(1.0):
                params = message.get("params") or {}
                if message.get("method") == "textDocument/publishDiagnostics" and params["diagnostics"]:
                    return time.perf_counter() - began
        return None

    def rest(self, seconds: float) -> None:
        """Read for so many seconds."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            self.heard(left)


def work(client: Client, seconds: float, every: float) -> tuple[list[float], int]:
    """Type and save for so long; return the seconds until each offer, and how often there was none."""
    waits: list[float] = []
    missed = saves = 0
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        saves += 1
        began = time.perf_counter()
        note = f"    # note {saves}\n"
        for end in range(4, len(note), 4):
            client.type(RIGHT + "\n\ndef note():\n" + note[:end] + "\n    return 1\n")
            client.rest(0.15)
        if saves % 5 == 0:
            client.type(RIGHT.replace(*WRONG))
            client.save()
            wait = client.offer()
            missed += wait is None
            waits += [wait] if wait is not None else []
            client.type(RIGHT)
        client.save()
        client.rest(max(0.0, every - (time.perf_counter() - began)))
    return waits, missed


def main() -> int:
    """Print the figures; 0 if they are within their bars."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--every", type=float, default=30.0)
    parser.add_argument("--python", type=Path)
    asked = parser.parse_args()
    with environment(asked.python) as python, tempfile.TemporaryDirectory() as place:
        root = Path(place, "project")
        write(root, python)
        client = Client(root, str(Path(place, "data")))
        client.rest(2.0)
        began, before = time.perf_counter(), processor_seconds(client.server.pid)
        waits, missed = work(client, asked.minutes * 60, asked.every)
        watching = 100 * (processor_seconds(client.server.pid) - before) / (time.perf_counter() - began)
        client.rest(20.0)
        before = processor_seconds(client.server.pid)
        client.rest(60.0)
        idle = 100 * (processor_seconds(client.server.pid) - before) / 60
        client.server.terminate()
        client.server.wait()
    middle = statistics.median(waits) if waits else float("nan")
    sys.stdout.write(f"watching, percent of one core    {watching:6.2f} (bar: {WATCHING:g})\n")
    sys.stdout.write(f"nothing changes, percent         {idle:6.2f} (bar: {IDLE:g})\n")
    sys.stdout.write(f"seconds from save to offer       {middle:6.2f}, {len(waits)} offers, {missed} missed\n")
    sys.stdout.write(f"messages                         {client.messages:6} (bar: 0)\n")
    return 0 if watching <= WATCHING and idle <= IDLE and not missed and not client.messages else 1


if __name__ == "__main__":
    sys.exit(main())
