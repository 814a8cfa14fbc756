"""Many clients on one daemon: searches, accepts, cancels and disconnects at random.

    python tests/benchmarks/load.py [--clients 50] [--seconds 600]

Each client has a document of its own, with a function that the built-in search repairs. Printed: lost edits (bar: 0),
errors by their words, hovers at p99 in milliseconds (bar: 100), beside a quiet daemon's before (bar: 20), the memory of
the daemon after each fifth of the time, and the processes that are left at the end (bar: 0).
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.cli.command import processes_in
from support.lsp.light_client import Light, light
from support.lsp.multi_client import Company, a_company

BROKEN = 'def half(n):\n    """\n    >>> half(4)\n    2\n    """\n    return n\n'


EDITING = {"workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}}}
"""Capabilities of a client that applies edits."""


class Findings:
    """What all clients saw together."""

    def __init__(self) -> None:
        self.hovers: list[float] = []
        self.errors: Counter[str] = Counter()
        self.done: Counter[str] = Counter()
        self.lost = 0


class LoadClient:
    """One client that connects again and again; its document is as the daemon's edits have left it."""

    def __init__(self, company: Company, file: Path, seen: Findings, chance: random.Random) -> None:
        self._company = company
        self._uri = file.as_uri()
        self._seen = seen
        self._chance = chance
        self._text, self._version = BROKEN, 1
        self._edited = False

    async def work(self, until: float) -> None:
        """Connect, do things and drop the line, until the time is over."""
        while time.monotonic() < until:
            try:
                async with light(self._company, answer=self._answer, capabilities=EDITING) as client:
                    self._text, self._version = BROKEN, 1
                    document = {"uri": self._uri, "languageId": "python", "version": 1, "text": BROKEN}
                    await client.notify("textDocument/didOpen", {"textDocument": document})
                    while time.monotonic() < until and self._chance.random() < 0.9:
                        await self._act(client)
            except* (OSError, anyio.BrokenResourceError, anyio.EndOfStream) as group:
                self._seen.errors.update(type(each).__name__ for each in group.exceptions)
            self._seen.done["disconnect"] += 1

    async def _act(self, client: Light) -> None:
        try:
            if self._chance.random() < 0.3:
                await self._search(client)
            else:
                await self._hover(client)
        except RuntimeError as error:
            self._seen.errors[str(error).replace(self._uri, "FILE")[:120]] += 1
        await anyio.sleep(self._chance.uniform(0.1, 1))

    async def _hover(self, client: Light) -> None:
        began = time.perf_counter()
        place = {"textDocument": {"uri": self._uri}, "position": {"line": 0, "character": 5}}
        await client.request("textDocument/hover", place)
        self._seen.hovers.append((time.perf_counter() - began) * 1000)
        self._seen.done["hover"] += 1

    async def _search(self, client: Light) -> None:
        """Start a search, and cancel it, leave it, or accept what it has found."""
        wish = {"uri": self._uri, "qualname": "half", "key": str(self._chance.random())}
        search = (await client.request("certo/search/start", wish))["searchId"]
        self._seen.done["search"] += 1
        await anyio.sleep(self._chance.uniform(0, 20))
        found = (await client.request("certo/search/get", {"searchId": search}))["search"]
        if found["best"] is not None:
            self._edited = False
            given = {"searchId": search, "candidateId": found["best"]}
            said = await client.request("certo/candidate/apply", given)
            self._seen.done["accept"] += said["applied"]
            self._seen.lost += said["applied"] != (self._edited and self._text != BROKEN)
            self._text, self._version = BROKEN, self._version + 1
            await self._changed(client)
        elif self._chance.random() < 0.5:
            await client.request("certo/search/cancel", {"searchId": search})
            self._seen.done["cancel"] += 1

    async def _changed(self, client: Light) -> None:
        named = {"uri": self._uri, "version": self._version}
        await client.notify("textDocument/didChange", {"textDocument": named, "contentChanges": [{"text": self._text}]})

    def _answer(self, method: str, params: Any) -> Any:
        """Apply an edit of the daemon's, as editors do."""
        if method != "workspace/applyEdit":
            return [None] * len(params["items"]) if method == "workspace/configuration" else None
        edit = params["edit"]
        changed = edit.get("changes", {}).get(self._uri) or edit["documentChanges"][0]["edits"]
        for each in sorted(changed, key=lambda one: self._offset(one["range"]["start"]), reverse=True):
            start, end = (self._offset(each["range"][side]) for side in ("start", "end"))
            self._text = self._text[:start] + each["newText"] + self._text[end:]
        self._edited = True
        return {"applied": True}

    def _offset(self, place: dict[str, int]) -> int:
        lines = self._text.splitlines(keepends=True)
        return sum(map(len, lines[: place["line"]])) + place["character"]


def p99(milliseconds: list[float]) -> float:
    """Return the time that a hundredth of them exceed."""
    return statistics.quantiles(milliseconds, n=100)[98] if len(milliseconds) > 1 else float("nan")


def resident(pid: int) -> float:
    """Return the megabytes of memory that a process holds."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


async def main(clients: int, seconds: float, seed: int) -> None:
    """Put the load on one daemon, and print what came of it."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place).resolve()  # noqa: ASYNC240 - nothing runs yet
        files = [root / f"half{number}.py" for number in range(clients)]
        for file in files:
            file.write_text(BROKEN)
        (root / "pyproject.toml").write_text("")
        quiet, busy = Findings(), Findings()
        async with a_company(cwd=root, transports=("tcp",)) as company:
            async with light(company) as client:
                one = LoadClient(company, files[0], quiet, random.Random(seed))
                for _ in range(200):
                    await one._hover(client)
            until, memory = time.monotonic() + seconds, [resident(company.process.pid)]
            async with anyio.create_task_group() as group:
                for number, file in enumerate(files):
                    group.start_soon(LoadClient(company, file, busy, random.Random(seed + number)).work, until)
                for _ in range(5):
                    await anyio.sleep(seconds / 5)
                    memory.append(resident(company.process.pid))
            await company.end()
        print(f"{clients} clients, {seconds:g} s, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        print(f"done: {dict(busy.done)}; lost edits {busy.lost} (bar: 0)")
        print(f"hover p99 {p99(busy.hovers):.1f} ms (bar: 100); a quiet daemon's {p99(quiet.hovers):.1f} ms (bar: 20)")
        print(f"memory of the daemon in MB: {', '.join(f'{each:.0f}' for each in memory)}")
        for words, number in busy.errors.most_common():
            print(f"error {number:4} times: {words}")
        left = []
        with suppress(TimeoutError):
            with anyio.fail_after(10):
                while left := processes_in(root):  # noqa: ASYNC110 - nobody tells when a process has gone
                    await anyio.sleep(0.2)
        print(f"processes left at the end: {len(left)} (bar: 0)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    anyio.run(main, arguments.clients, arguments.seconds, arguments.seed)
