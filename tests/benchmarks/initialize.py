"""How long an editor waits for the answer to `initialize`, against a bare start of the same Python.

    python tests/benchmarks/initialize.py

Both are measured in turns, so that what else the machine does hits both alike. The bar is three times, and 60 ms.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time

STARTS = 20
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}}
SERVE = (sys.executable, "-m", "certo", "serve", "--stdio")
BARE = (sys.executable, "-c", "pass")


def answered() -> float:
    """Milliseconds from starting the daemon to having the whole answer."""
    body = json.dumps(INITIALIZE).encode()
    began = time.perf_counter()
    with subprocess.Popen(SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as daemon:
        assert daemon.stdin is not None
        assert daemon.stdout is not None
        daemon.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        daemon.stdin.flush()
        length = int(daemon.stdout.readline().partition(b":")[2])
        answer = json.loads(daemon.stdout.read(length + 2))
        elapsed = time.perf_counter() - began
        assert "capabilities" in answer["result"]
        daemon.kill()
    return elapsed * 1000


def bare() -> float:
    """Milliseconds of a Python that does nothing."""
    began = time.perf_counter()
    subprocess.run(BARE, check=True)
    return (time.perf_counter() - began) * 1000


def main() -> int:
    """Print both medians and their ratio; 0 when the ratio is within the bar."""
    answered(), bare()  # the first start of each reads the disk
    rows = [(answered(), bare()) for _ in range(STARTS)]
    answers, starts = ([row[side] for row in rows] for side in (0, 1))
    ratio = statistics.median(answers) / statistics.median(starts)
    sys.stdout.write(
        f"initialize answered: median {statistics.median(answers):.1f} ms, least {min(answers):.1f} ms\n"
        f"bare python:         median {statistics.median(starts):.1f} ms, least {min(starts):.1f} ms\n"
        f"ratio:               {ratio:.2f} (bar: 3), of the least {min(answers) / min(starts):.2f}\n"
    )
    return 0 if ratio <= 3 else 1


if __name__ == "__main__":
    sys.exit(main())
