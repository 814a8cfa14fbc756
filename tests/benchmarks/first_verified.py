"""How long a user waits for the first verified candidate of a small bug, against a fresh pytest of that project.

    python tests/benchmarks/first_verified.py [--rounds 5] [--python ENVIRONMENT/bin/python]

The project has one module with a bug, five tests, and an environment with pytest alone, which is made unless one is
given. Two ways are measured: the command `certo generate`, of which nothing is known or prepared, from its start to the
event that says `verified` (bar: 4 times a fresh pytest); and a search in a daemon that has made one before, through
`certo serve`, from the request to that event (bar: 2). The daemon's searches are forgotten in between, with what they
have learned; its processes stay. The figures are medians. A ratio above its bar ends in exit code 1.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent
from typing import Any

from initialize import send

COLD, WARM = 4.0, 2.0

TARGET = "shop/till.py"
FILES = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
    ".gitignore": ".venv\n",
    "shop/__init__.py": "",
    TARGET: '''\
        """A till."""


        def total(prices, discount=0):
            """Return the sum of the prices, less a discount in percent."""
            amount = 0
            for price in prices:
                amount += price
            return amount * (100 + discount) / 100
        ''',
    "tests/test_till.py": """\
        import pytest

        from shop.till import total


        def test_nothing():
            assert total([]) == 0


        def test_sum():
            assert total([1, 2, 3]) == 6


        @pytest.mark.parametrize("percent, wanted", [(10, 90), (25, 75), (100, 0)])
        def test_discount(percent, wanted):
            assert total([40, 60], percent) == wanted
        """,
}


def write(root: Path, python: Path) -> None:
    """Write the project, whose environment is that of `python`."""
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(dedent(text), encoding="utf-8")
    (root / ".venv").symlink_to(python.parents[1])


def is_verified(event: dict[str, Any]) -> bool:
    """True for the verdict of the last verifier, if it passed the candidate."""
    verdict = event.get("verdict") or {}
    return event["type"] == "verdict" and verdict["verifier"] == "evidence" and verdict["ruling"] == "passed"


def by_command(root: Path) -> float:
    """Seconds from the start of the command to its first verified candidate, in a journal of its own."""
    with tempfile.TemporaryDirectory() as data:
        began = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-m", "certo", "generate", f"{TARGET}::total", "--json"],
            cwd=root,
            env={**os.environ, "XDG_DATA_HOME": data},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as command:
            assert command.stdout is not None
            for line in command.stdout:
                if is_verified(json.loads(line)):
                    seconds = time.perf_counter() - began
                    command.stdout.read()
                    return seconds
    sys.exit("the command found nothing")


class Daemon:
    """A client of `certo serve` that starts searches by their own request."""

    def __init__(self, root: Path, data: str) -> None:
        self._uri = (root / TARGET).as_uri()
        self._numbers = iter(range(1, 10**6))
        self._server = subprocess.Popen(
            [sys.executable, "-m", "certo", "serve", "--stdio"],
            cwd=root,
            env={**os.environ, "XDG_DATA_HOME": data},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._in, self._out = self._server.stdin, self._server.stdout
        folders = [{"uri": root.as_uri(), "name": "root"}]
        opening = {
            "processId": None,
            "rootUri": root.as_uri(),
            "capabilities": {"experimental": {"certo": {"versions": [1]}}},
            "workspaceFolders": folders,
        }
        self._answer(self._ask("initialize", opening))
        send(self._in, "initialized", {})
        text = (root / TARGET).read_text(encoding="utf-8")
        document = {"uri": self._uri, "languageId": "python", "version": 1, "text": text}
        send(self._in, "textDocument/didOpen", {"textDocument": document})

    def search(self) -> float:
        """Seconds from the request of a search to its first verified candidate; it is waited for, then forgotten."""
        began = time.perf_counter()
        started = self._ask("certo/search/start", {"key": str(began), "uri": self._uri, "qualname": "total"})
        search = self._answer(started)["searchId"]
        self._ask("certo/search/attach", {"searchId": search, "fromSeq": 0, "partialResultToken": "here"})
        seconds = 0.0
        while True:
            message = self._read()
            events = message["params"]["value"] if message.get("method") == "$/progress" else []
            if not seconds and any(map(is_verified, events)):
                seconds = time.perf_counter() - began
            if any(event["type"] == "search.stopped" for event in events):
                break
        self._answer(self._ask("certo/search/forget", {"searchId": search}))
        if not seconds:
            sys.exit("the daemon found nothing")
        return seconds

    def end(self) -> None:
        """End it."""
        self._answer(self._ask("shutdown", {}))
        send(self._in, "exit", {})
        self._server.wait()

    def _ask(self, method: str, params: dict[str, Any]) -> int:
        number = next(self._numbers)
        send(self._in, method, params, number)
        return number

    def _answer(self, number: int) -> Any:
        while True:
            message = self._read()
            if message.get("id") == number and "method" not in message:
                return message["result"]

    def _read(self) -> dict[str, Any]:
        length = 0
        while line := self._out.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return dict(json.loads(self._out.read(length)))


def by_pytest(root: Path) -> float:
    """Seconds of a fresh pytest of the project."""
    began = time.perf_counter()
    subprocess.run(
        [root / ".venv" / "bin" / "python", "-m", "pytest", "-q"], cwd=root, capture_output=True, check=False
    )
    return time.perf_counter() - began


@contextmanager
def environment(python: Path | None) -> Iterator[Path]:
    """Yield the interpreter of an environment with pytest alone, or the one that is given."""
    if python is not None:
        yield python
        return
    with tempfile.TemporaryDirectory() as place:
        venv.create(place, with_pip=True)
        made = Path(place, "bin", "python")
        subprocess.run([made, "-m", "pip", "install", "--quiet", "pytest"], check=True)
        yield made


def main() -> int:
    """Print both ratios; 0 if they are within their bars."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--python", type=Path)
    asked = parser.parse_args()
    with environment(asked.python) as python, tempfile.TemporaryDirectory() as place:
        root = Path(place, "project")
        write(root, python)
        daemon = Daemon(root, str(Path(place, "data")))
        daemon.search()
        by_command(root)  # the first start of each reads the disk
        rows = [(by_pytest(root), by_command(root), daemon.search()) for _ in range(asked.rounds)]
        daemon.end()
    fresh, cold, warm = (statistics.median(column) for column in zip(*rows, strict=True))
    sys.stdout.write(f"fresh pytest                 {fresh * 1000:7.0f} ms\n")
    for name, seconds, bar in (("cold command", cold, COLD), ("warm daemon", warm, WARM)):
        sys.stdout.write(
            f"{name + ', first verified':28} {seconds * 1000:7.0f} ms  {seconds / fresh:.1f} (bar: {bar:g})\n"
        )
    return 0 if cold / fresh <= COLD and warm / fresh <= WARM else 1


if __name__ == "__main__":
    sys.exit(main())
