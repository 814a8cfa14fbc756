"""How soon and how well clients learn of searches: twenty at once in five documents, with three clients attached.

    python tests/benchmarks/streaming.py [--requests 200]

One daemon, three clients over TCP, each attached to every search. Printed, each with its bar: how long one client
waits for code actions and hovers meanwhile (p99 50 ms), and whether every client was told every event of every search
in order. Then one search of a language model whose server and whose client are this process: how long the first piece
of an answer takes from leaving the model to being in the client (15 ms), and a verdict from the end of a project's own
check (20 ms); and how much memory the daemon holds before it (90 MB).
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.lsp.light_client import Light, light
from support.lsp.multi_client import a_company
from support.models.model_server import Page, Question, chunk, event, model_server

DOCUMENTS, FUNCTIONS, CLIENTS = 5, 4, 3

PUZZLE = "def puzzle{n}(values):\n" + "".join(f"    values = values + [len(values) - {n}]\n" for n in range(40))
TEST = "\n\ndef test_{name}():\n    assert {name}([3, 1]) == 'no edit makes this'\n"
CHECK = "import time\n\n\ndef on_time(code):\n    return False, f'{time.monotonic()}'\n"
DRAFTED = {"candidate.written", "candidate.drafted"}


class Ledger:
    """What one client was told: every event and when it came, the numbers for each search, and which have started."""

    def __init__(self) -> None:
        self.numbers: dict[str, list[int]] = defaultdict(list)
        self.came: list[tuple[dict[str, Any], float]] = []
        self.started: set[str] = set()

    def hear(self, method: str, params: Any, when: float) -> None:
        """Take in one notification."""
        if method == "$/progress" and isinstance(params["value"], list):
            for told in params["value"]:
                self.numbers[told["search"]].append(told["seq"])
                self.came.append((told, when))
                if told["type"] == "search.started":
                    self.started.add(told["search"])


@contextmanager
def project() -> Iterator[Path]:
    """A directory with documents whose functions no edit repairs."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place).resolve()
        for number in range(DOCUMENTS):
            names = [f"puzzle{n}" for n in range(FUNCTIONS)]
            (root / f"many{number}.py").write_text("\n\n".join(PUZZLE.replace("{n}", str(n)) for n in range(FUNCTIONS)))
            tests = "".join(
                f"\n\ndef test_{name}():\n    assert {name}([3, 1]) == 'no edit makes this'\n" for name in names
            )
            (root / f"test_many{number}.py").write_text(f"from many{number} import {', '.join(names)}\n{tests}")
        (root / "half.py").write_text('def half(n):\n    """\n    >>> half(4)\n    2\n    """\n    return n\n')
        (root / "house.py").write_text(CHECK)
        (root / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
        yield root


async def open_documents(client: Light, root: Path) -> None:
    """Open every document in one client."""
    for path in [root / f"many{number}.py" for number in range(DOCUMENTS)]:
        document = {
            "uri": path.as_uri(),
            "languageId": "python",
            "version": 1,
            "text": await anyio.Path(path).read_text(),
        }
        await client.notify("textDocument/didOpen", {"textDocument": document})


async def waits(client: Light, root: Path, requests: int) -> dict[str, list[float]]:
    """Milliseconds from asking for code actions, and for hovers, to their arrival."""
    measured: dict[str, list[float]] = {"codeAction": [], "hover": []}
    for turn in range(requests):
        document = {"uri": (root / f"many{turn % DOCUMENTS}.py").as_uri()}
        place = {"line": 42 * (turn % FUNCTIONS), "character": 5}
        actions = {"textDocument": document, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}
        for name, params in (("codeAction", actions), ("hover", {"textDocument": document, "position": place})):
            began = time.perf_counter()
            await client.request(f"textDocument/{name}", params)
            measured[name].append((time.perf_counter() - began) * 1000)
        await anyio.sleep(0.02)
    return measured


async def crowd(root: Path, requests: int) -> None:
    """Twenty searches, three clients; prints how long one of them waits, and whether all were told everything."""
    ledgers = [Ledger() for _ in range(CLIENTS)]
    async with a_company(cwd=root, transports=("tcp",)) as company, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(light(company, ledger.hear)) for ledger in ledgers]
        for client in clients:
            await open_documents(client, root)
        idle = await waits(clients[0], root, requests)
        ids = []
        for number in range(DOCUMENTS):
            for n in range(FUNCTIONS):
                uri = (root / f"many{number}.py").as_uri()
                settings = {"search": {"seconds": 600}}
                wish = {"uri": uri, "qualname": f"puzzle{n}", "settings": settings, "key": f"{number}.{n}"}
                ids.append((await clients[0].request("certo/search/start", wish))["searchId"])
        async with anyio.create_task_group() as attached:
            for client in clients:
                for search in ids:
                    params = {"searchId": search, "partialResultToken": search}
                    attached.start_soon(client.request, "certo/search/attach", params)
            while len(ledgers[0].started) < len(ids):  # noqa: ASYNC110 - what it waits for comes from another process
                await anyio.sleep(0.1)
            measured = await waits(clients[0], root, requests)
            late = await cancelled(clients[0], ids)
            after = await waits(clients[0], root, requests)
    for name, each in measured.items():
        median, p99 = statistics.median(each), statistics.quantiles(each, n=100)[98]
        ratio = p99 / statistics.quantiles([*idle[name], *after[name]], n=100)[98]
        print(f"{name:11} p50 {median:6.2f} ms   p99 {p99:6.2f} ms (bar: 50), {ratio:.2f} times that of an idle daemon")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; {late} searches ended late")
    told = [[ledger.numbers[search] for search in ids] for ledger in ledgers]
    in_order = all(numbers == sorted(set(numbers)) for each in told for numbers in each)
    alike = all(each == told[0] for each in told)
    whole = all(numbers == list(range(1, len(numbers) + 1)) for numbers in told[0])
    events = sum(map(len, told[0]))
    print(f"{events} events of {len(ids)} searches: in order {in_order}, alike for all {alike}, none missing {whole}")


async def cancelled(client: Light, searches: list[str]) -> int:
    """Cancel searches; how many were not gone within the time that certo gives itself, as on a busy machine."""
    late = 0
    for search in searches:
        try:
            await client.request("certo/search/cancel", {"searchId": search})
        except RuntimeError as error:
            late += 1
            print(f"cancelling {search}: {error}")
    return late


async def delays(root: Path, rounds: int) -> None:
    """A model's first piece, and a verdict: prints how long each takes to be in the client."""
    left: list[float] = []
    answer = "```python\ndef half(n):\n    return n // 2\n```\n"

    def told(_: Question) -> Page:
        left.append(time.monotonic() + GAP)
        return Page(pieces=(event(chunk(answer)), event(chunk(finish_reason="stop")), event("[DONE]")), gap=GAP)

    ledger, firsts, verdicts = Ledger(), [], []
    async with (
        model_server(told) as server,
        a_company(cwd=root, transports=("tcp",)) as company,
        light(company, ledger.hear) as client,
    ):
        settings = {
            "search": {"generator": "model", "candidates": 1},
            "model": {"name": "openai:late", "base_url": f"{server.url}/v1"},
            "verify": {"custom": ["house:on_time"]},
        }
        await anyio.sleep(2)  # what is left of its start
        print(f"idle daemon {resident(company.process.pid):6.1f} MB (bar: 90)")
        for turn in range(rounds):
            ledger.came.clear()
            left.clear()
            wish = {"uri": (root / "half.py").as_uri(), "qualname": "half", "settings": settings, "key": str(turn)}
            search = (await client.request("certo/search/start", wish))["searchId"]
            await client.request("certo/search/attach", {"searchId": search, "partialResultToken": search})
            firsts += [(when - left[0]) * 1000 for told, when in ledger.came if told["type"] in DRAFTED][:1]
            verdicts += _verdicts(ledger)
            await client.request("certo/search/forget", {"searchId": search})
    for name, each, bar in (("first piece", firsts, 15), ("verdict", verdicts, 20)):
        median, most = (statistics.median(each), max(each)) if each else (math.nan, math.nan)
        print(f"{name:11} median {median:6.2f} ms   most {most:6.2f} ms (bar: {bar}), {len(each)} of {rounds} rounds")


def resident(pid: int) -> float:
    """Megabytes of memory a process holds."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


GAP = 0.05
"""Seconds the model waits before each piece."""


def _verdicts(ledger: Ledger) -> Iterator[float]:
    """Milliseconds from the end of our own check to its verdict's arrival."""
    for told, when in ledger.came:
        for finding in told["verdict"]["findings"] if told["type"] == "verdict" else ():
            if (said := finding["message"].rpartition(" ")[2]).replace(".", "", 1).isdigit():
                yield (when - float(said)) * 1000


async def main(requests: int, rounds: int) -> None:
    """Measure both in one project."""
    with project() as root:
        await delays(root, rounds)
        await crowd(root, requests)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=10)
    arguments = parser.parse_args()
    anyio.run(main, arguments.requests, arguments.rounds)
