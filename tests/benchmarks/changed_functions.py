"""How long `certo diff --changed` takes on twenty functions, and the hover while test strength is measured.

    python tests/benchmarks/changed_functions.py [--hovers 200] [--workers 1 2 4]

The functions are refactorings that keep their behaviour, so none ends early with a difference. They are in four modules
that have tests. Bars: at most 40 s on two cores; at most 20 ms for the 95th percentile of the hover.

With `--workers` only the spread of `certo verify --changed` over a cluster is measured: four functions whose test
waits, on so many workers of this machine, each with one slot. Bars: 1.5 times as fast on two as on one, 2.2 times on
four.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from responsiveness import percentile

from support.lsp.peer import Peer, lsp_peer
from support.lsp.search_client import rich
from support.sandbox.cluster import cluster

MODULES, FUNCTIONS = 4, 5
BODY = """\
def f{number}(values: list[int], limit: int) -> int:
    total = 0
    for value in values:
        if value > limit:
            {step}
        elif value < 0:
            total -= value * {number}
    return total
"""
STEPS = ("total += value", "total = value + total")
WAITING, WAIT_SECONDS = 4, 1.5
BARS = {2: 1.5, 4: 2.2}


def write(root: Path, step: str) -> None:
    """Write the modules and their tests."""
    (root / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n', encoding="utf-8")
    for module in range(MODULES):
        numbers = range(1, FUNCTIONS + 1)
        code = "\n\n".join(BODY.format(number=number, step=step) for number in numbers)
        (root / f"m{module}.py").write_text(code, encoding="utf-8")
        tests = "".join(f"def test_{n}():\n    assert m{module}.f{n}([1, 5], 3) == 5\n\n\n" for n in numbers)
        (root / f"test_m{module}.py").write_text(f"import m{module}\n\n\n{tests}", encoding="utf-8")


def write_waiting(root: Path, body: str) -> None:
    """Write functions of one line, each in a module of its own with a test that waits."""
    (root / "pyproject.toml").touch()
    for number in range(1, WAITING + 1):
        (root / f"m{number}.py").write_text(f"def f{number}(n: int) -> int:\n    return {body.format(number)}\n")
        test = f"    time.sleep({WAIT_SECONDS})\n    assert m{number}.f{number}(1) == {number + 1}\n"
        (root / f"test_m{number}.py").write_text(f"import time\n\nimport m{number}\n\n\ndef test_it():\n{test}")


async def spread(workers: int) -> tuple[float, list[str]]:
    """Return the seconds of `certo verify --changed` on a cluster of so many workers, and its results."""
    with tempfile.TemporaryDirectory(prefix="certo-spread-") as folder:
        place = Path(folder).resolve()  # noqa: ASYNC240 - nothing runs yet
        root = place / "project"
        root.mkdir()
        write_waiting(root, "n + {}")
        commit(root)
        write_waiting(root, "{} + n")
        with cluster(place / "cluster") as running:
            for _ in range(workers):
                running.start_worker("--slots", "1")
            await running.wait_for(workers)
            environ = {**os.environ, "CERTO_EXECUTOR__CLUSTER": running.address, "XDG_STATE_HOME": str(place / "state")}
            environ["CERTO_SANDBOX__ISOLATION"] = "process"
            command = [sys.executable, "-m", "certo", "verify", "--changed", "--json", "--interpreter", sys.executable]
            began = time.perf_counter()
            done = await anyio.run_process(command, cwd=root, env=environ, check=False)
            seconds = time.perf_counter() - began
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return seconds, [one["result"] for one in lines if "result" in one]


def commit(root: Path) -> None:
    """Commit all files in a new repository."""
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"]):
        subprocess.run(["git", *words], cwd=root, check=True)


def show_spread(numbers: list[int]) -> None:
    """Measure the spread on each number of workers, and print the speed-up over the first beside its bar."""
    first = 0.0
    for number in numbers:
        seconds, results = anyio.run(spread, number)
        first = first or seconds
        print(
            f"verify --changed on {number} workers: {seconds:.1f} s, {first / seconds:.2f} x "
            f"(bar: {BARS.get(number, 1.0)}), {results.count('verified')} of {WAITING} verified, "
            f"load {os.getloadavg()[0]:.1f}",
            flush=True,
        )


def changed(root: Path) -> tuple[float, int]:
    """Return the seconds of the command, and the number of functions that it compared."""
    commit(root)
    write(root, STEPS[1])
    command = [sys.executable, "-m", "certo", "diff", "--changed", "--json", "--interpreter", sys.executable]
    began = time.perf_counter()
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - began
    results = [json.loads(line)["result"] for line in done.stdout.splitlines()]
    return seconds, results.count("no-difference-found")


async def hovers(root: Path, number: int) -> list[float]:
    """Return the milliseconds of hovers while strength is measured again and again, sorted."""
    path = root / "m0.py"
    uri = path.as_uri()
    measured: list[float] = []

    async def strengths(peer: Peer) -> None:
        while len(measured) < number:
            for name in range(1, FUNCTIONS + 1):
                await peer.request("certo/strength", {"uri": uri, "version": 1, "qualname": f"f{name}"})

    async with lsp_peer() as peer, anyio.create_task_group() as group:
        await peer.initialize(root=root, client=rich())
        document = {"uri": uri, "languageId": "python", "version": 1, "text": path.read_text(encoding="utf-8")}
        await peer.notify("textDocument/didOpen", {"textDocument": document})
        group.start_soon(strengths, peer)
        await anyio.sleep(1.0)
        for _ in range(number):
            began = time.perf_counter()
            await peer.request(
                "textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 5}}
            )
            measured.append((time.perf_counter() - began) * 1000)
            await anyio.sleep(0.02)
        group.cancel_scope.cancel()
    return sorted(measured)


def main() -> None:
    """Measure both and print them beside their bars."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hovers", type=int, default=200)
    parser.add_argument("--workers", type=int, nargs="*")
    arguments = parser.parse_args()
    if arguments.workers:
        show_spread(arguments.workers)
        return
    with tempfile.TemporaryDirectory(prefix="certo-changed-") as folder:
        root = Path(folder).resolve()
        write(root, STEPS[0])
        seconds, compared = changed(root)
        print(f"--changed: {seconds:.1f} s, {compared} of {MODULES * FUNCTIONS} compared (bar: 40 s)", flush=True)
        found = anyio.run(hovers, root, arguments.hovers)
        print(f"hover while strength runs: p50 {percentile(found, 0.5):.1f} ms, p95 {percentile(found, 0.95):.1f} ms")
        print(f"(bar: 20 ms for p95) load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
