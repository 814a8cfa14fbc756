"""How quickly code actions are answered while a search runs, against when nothing runs.

A real daemon, a project with a function whose repair takes longer than the measurement, and as many code-action
requests in a row as asked for, first idle and then with the search running. Prints both medians and 99th percentiles
and their ratio (the bars are 5 for the ratio and 50 ms for the percentile).

    python tests/benchmarks/responsiveness.py [--requests 400]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.lsp.peer import Peer, lsp_peer

PROGRAM = "def puzzle(values):\n" + "".join(f"    values = values + [len(values) - {n}]\n" for n in range(40))
TESTS = "from puzzle import puzzle\n\n\ndef test_puzzle():\n    assert puzzle([3, 1]) == 'no edit makes this'\n"

ENDLESS = {
    "search": {"seconds": 3600},
    "builtin": {"seconds": 3600, "steps": 1_000_000_000_000, "candidates": 1_000_000_000},
}
"""Settings under which the search goes on for as long as the measurement takes, however busy the machine is."""

STARTING_SECONDS = 300.0
"""How long the search may take to begin, after which something else is wrong than a busy machine."""


async def latencies(peer: Peer, uri: str, requests: int) -> list[float]:
    """Milliseconds from asking for the code actions of the function to their arrival, sorted."""
    place = {"line": 0, "character": 5}
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": [], "triggerKind": 1},
    }
    measured = []
    for _ in range(requests):
        began = time.perf_counter()
        await peer.request("textDocument/codeAction", params)
        measured.append((time.perf_counter() - began) * 1000)
        await anyio.sleep(0.01)
    return sorted(measured)


def percentile(measured: list[float], share: float) -> float:
    """The value below which that share of the sorted values lies."""
    return measured[min(len(measured) - 1, int(share * len(measured)))]


@contextmanager
def project() -> Iterator[Path]:
    """A directory with a function that no edit repairs."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place).resolve()
        (root / "puzzle.py").write_text(PROGRAM)
        (root / "test_puzzle.py").write_text(TESTS)
        (root / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
        yield root


async def main(requests: int) -> None:
    """Measure idle and busy in one daemon and print both."""
    with project() as root:
        uri = (root / "puzzle.py").as_uri()
        async with lsp_peer() as peer:
            await peer.initialize(root=root)
            document = {"uri": uri, "languageId": "python", "version": 1, "text": PROGRAM}
            await peer.notify("textDocument/didOpen", {"textDocument": document})
            await latencies(peer, uri, 50)
            idle = await latencies(peer, uri, requests)
            arguments = {"uri": uri, "line": 1, "settings": ENDLESS}
            command = {"command": "certo.generate", "arguments": [arguments]}
            started = await peer.request("workspace/executeCommand", command)
            await peer.wait_for("$/progress", _tells_of_edits, patience=STARTING_SECONDS)
            busy = await latencies(peer, uri, requests)
            # The same again once it has ended, for the machine may have become busier or less so meanwhile.
            cancel = {"command": "certo.cancel", "arguments": [{"searchId": started["searchId"]}]}
            answer = await peer.request("workspace/executeCommand", cancel)
            idle = sorted([*idle, *await latencies(peer, uri, requests)])
    if answer["state"] != "cancelled":
        print("the search ended before the measurement did: the figures say less than the truth")
    for name, measured in (("idle", idle), ("searching", busy)):
        print(f"{name:10} p50 {percentile(measured, 0.5):6.2f} ms   p99 {percentile(measured, 0.99):6.2f} ms")
    print(f"ratio of the p99: {percentile(busy, 0.99) / percentile(idle, 0.99):.2f} (bar: 5)")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


def _tells_of_edits(params: Any) -> bool:
    value = params["value"]
    return isinstance(value, dict) and "edits" in value.get("message", "")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=400)
    anyio.run(main, parser.parse_args().requests)
