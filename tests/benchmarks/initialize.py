"""How long an editor waits after a start: for the answer to `initialize`, and for the first code actions.

    python tests/benchmarks/initialize.py

The first is measured against a bare start of the same Python (bar: 3 times), the second against the smallest server of
pygls (`hello_server.py`, bar: 1), by the same messages. All are started in turns, so that what else the machine does
hits them alike. Ratios are those of the medians. A ratio above its bar ends in exit code 1.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

STARTS = 20
SERVE = (sys.executable, "-m", "certo", "serve", "--stdio")
HELLO = (sys.executable, str(Path(__file__).with_name("hello_server.py")))
BARE = (sys.executable, "-c", "pass")

STUB = 'def half(n):\n    """Half of a number.\n\n    >>> half(4)\n    2\n    """\n    raise NotImplementedError\n'
LITERALS = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor", "refactor.rewrite"]}}}


def send(pipe: IO[bytes], method: str, params: dict[str, Any], number: int | None = None) -> None:
    """Send a request, or without a number a notification."""
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    body = json.dumps(message if number is None else {**message, "id": number}).encode()
    pipe.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    pipe.flush()


def answer(pipe: IO[bytes], number: int) -> Any:
    """Read until the answer to a request comes."""
    while True:
        length = 0
        while line := pipe.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        message = json.loads(pipe.read(length))
        if message.get("id") == number and "method" not in message:
            return message["result"]


def answered(command: Sequence[str], root: Path) -> tuple[float, float]:
    """Milliseconds from starting a server to its answer to `initialize`, and to the first code actions."""
    uri = (root / "half.py").as_uri()
    place = {"line": 0, "character": 5}
    began = time.perf_counter()
    with subprocess.Popen(
        command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        capabilities = {"textDocument": {"codeAction": LITERALS}}
        folders = [{"uri": root.as_uri(), "name": "root"}]
        opening = {
            "processId": None,
            "rootUri": root.as_uri(),
            "capabilities": capabilities,
            "workspaceFolders": folders,
        }
        send(server.stdin, "initialize", opening, 1)
        assert "capabilities" in answer(server.stdout, 1)
        initialized = time.perf_counter() - began
        send(server.stdin, "initialized", {})
        document = {"uri": uri, "languageId": "python", "version": 1, "text": STUB}
        send(server.stdin, "textDocument/didOpen", {"textDocument": document})
        asked = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}
        send(server.stdin, "textDocument/codeAction", asked, 2)
        assert answer(server.stdout, 2), "there is something to do about a stub"
        acted = time.perf_counter() - began
        server.kill()
    return initialized * 1000, acted * 1000


def bare() -> float:
    """Milliseconds of a Python that does nothing."""
    began = time.perf_counter()
    subprocess.run(BARE, check=True)
    return (time.perf_counter() - began) * 1000


def compared(name: str, ours: Sequence[float], theirs: Sequence[float], other: str, bar: float) -> bool:
    """Print two medians and their ratio; True if it is within the bar."""
    ratio = statistics.median(ours) / statistics.median(theirs)
    sys.stdout.write(
        f"{name + ' answered:':<24} median {statistics.median(ours):6.1f} ms, least {min(ours):6.1f} ms\n"
        f"{other + ':':<24} median {statistics.median(theirs):6.1f} ms, least {min(theirs):6.1f} ms\n"
        f"{'ratio:':<24} {ratio:.2f} (bar: {bar:g}), of the least {min(ours) / min(theirs):.2f}\n"
    )
    return ratio <= bar


def main() -> int:
    """Print both comparisons; 0 if both ratios are within their bars."""
    measures: tuple[Callable[[Path], Any], ...] = (
        lambda root: answered(SERVE, root),
        lambda root: answered(HELLO, root),
        lambda _: bare(),
    )
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        (root / "half.py").write_text(STUB)
        for measure in measures:
            measure(root)  # the first start of each reads the disk
        rows = [tuple(measure(root) for measure in measures) for _ in range(STARTS)]
    certo, hello, starts = zip(*rows, strict=True)
    good = [
        compared("initialize", [row[0] for row in certo], starts, "bare python", 3),
        compared("first code actions", [row[1] for row in certo], [row[1] for row in hello], "pygls hello", 1),
    ]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
