"""Tens of thousands of messages that are wrong in some way, over each transport: how each is taken, and what is left.

Prints how many were answered, ignored or taken amiss, the slowest answer, and the daemon's memory after the first
thousand and after all of them.

    python tests/benchmarks/fuzz.py [--messages 30000] [--seed 1]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.lsp.fuzzer import Tally, put
from support.lsp.malformed_messages import mutants
from support.lsp.multi_client import TRANSPORTS, a_company
from support.lsp.peer import Peer, lsp_peer
from support.projects.shop import build_shop
from support.sandbox.resource_leaks import resident_kib

WARMING = 1000


async def main(count: int, seed: int) -> int:
    """Send all over each transport, and print what came of it; 1 when some were taken amiss."""
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        root = build_shop(Path(place) / "shop")
        async with lsp_peer() as peer:
            await peer.initialize(root=root)
            failed += await _fuzz("stdio", peer, root, count, seed)
        for transport in TRANSPORTS:
            async with a_company(transports=(transport,)) as company, company.client(transport) as peer:
                failed += await _fuzz(transport, peer, root, count, seed)
    return 1 if failed else 0


async def _fuzz(transport: str, peer: Peer, root: Path, count: int, seed: int) -> int:
    """Send all to one client's daemon, and print what came of it; how many were taken amiss."""
    uris = ((root / "shop.py").as_uri(), (root / "other.py").as_uri(), "untitled:1", "nonsense")
    messages = mutants(seed, count, uris, stream=transport != "ws")
    first = await put(peer, islice(messages, WARMING))
    before, began = resident_kib(peer.process.pid), time.perf_counter()
    rest = await put(peer, messages)
    seconds = time.perf_counter() - began
    after = resident_kib(peer.process.pid)
    print(f"over {transport}:")
    _print(first, rest)
    print(
        f"{count - WARMING:,} messages in {seconds:.0f} s; memory {before / 1024:.1f} MiB, then {after / 1024:.1f} MiB"
    )
    return len(first.failed) + len(rest.failed)


def _print(first: Tally, rest: Tally) -> None:
    for taken, number in sorted((first.taken + rest.taken).items(), key=lambda each: each[0].value):
        print(f"{taken.value:9} {number:7,}")
    failed = [*first.failed, *rest.failed]
    print(f"{'amiss':9} {len(failed):7,}", *failed[:10], sep="\n")
    seconds, about = rest.slowest
    print(f"slowest   {seconds * 1000:7.1f} ms ({about})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, default=30_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    sys.exit(anyio.run(main, given.messages, given.seed))
